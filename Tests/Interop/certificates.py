"""Providers that show a client certificate instead of a provider token: one accepted and one refused push each."""

import json
import os
from urllib.parse import urlsplit

from command_clients import Curl
from library_clients import BUILD, HERE, aioapns_notification, build_go_client, node_command, run_job
from pushes import TOPIC, Journal, alert
from report import BUILDING, expect, expect_that

PASSWORD = "secret"
VOIP = f"{TOPIC}.voip"


class Wallet:
    """Certificates as files: a valid one and an expired one in each format."""

    def __init__(self, context):
        self._context = context

    def file(self, form, *options):
        name = f"{form}{len(options)}"
        path = os.path.join(self._context.directory, name)
        if os.path.exists(path):
            return path
        password = () if form == "pem" else ("--password", PASSWORD)
        code, _, errors = self._context.server.run(
            "certs", "issue", "--topic", TOPIC, "--format", form, *password, "-o", path, *options,
            "--api", self._context.server.api,
        )
        expect("certs issue", (0, f"mock-apns: wrote {path}\n"), (code, errors))
        return path


def push_by_certificate(context, **headers):
    return alert(context.token).with_headers(authorization=None, apns_collapse_id=None, **headers)


def check(context, name, form, send):
    """`send(path)` sends a push with the certificate in a file; returns its status, or None without an answer."""
    wallet = Wallet(context)
    with context.report.case(f"{name} accepted by its certificate"):
        journal = Journal(context.server)
        expect("status", 200, send(wallet.file(form)))
        record = journal.one()
        expect("auth", ("certificate", TOPIC), (record["auth"]["kind"], record["auth"]["certificate"]))
        certificate = record["connection"]["tls"]["clientCertificate"]
        expect("certificate", ("verified", True), (certificate["standing"], certificate["authenticated"]))
    with context.report.case(f"{name} BadCertificate"):
        journal = Journal(context.server)
        expect("status", None, send(wallet.file(form, "--expires", "-1d")))
        record = journal.one()
        expect("verdict", ("BadCertificate", 0), (record["verdict"]["reason"], record["response"]["status"]))
        certificate = record["connection"]["tls"]["clientCertificate"]
        expect("certificate", ("expired", False), (certificate["standing"], certificate["authenticated"]))


def curl_case(context, form):
    def send(path):
        kind, file = ("PEM", path) if form == "pem" else ("P12", f"{path}:{PASSWORD}")
        try:
            curl = Curl(context, context.tls_url, "--cert-type", kind, "--cert", file)
            return curl(push_by_certificate(context)).status
        except RuntimeError as error:
            expect_that("exit code" in str(error), "the failure", "an exit code of curl", error)
            return None

    check(context, f"curl with {form}", form, send)


def job_case(context, name, form, command, member):
    """A client that takes requests as they are; it reports a refused one as a failure of the stream."""

    def send(path):
        job = {
            "base": context.tls_url.replace("127.0.0.1", "localhost"), "ca": context.server.ca, member: path,
            "passphrase": PASSWORD, "requests": [push_by_certificate(context).as_job()], "parallel": False,
        }
        return run_job(command, job)["answers"][0].get("status") or None

    check(context, f"{name} with {form}", form, send)


def aioapns_case(context):
    python = os.path.join(BUILD, "interop-venv", "bin", "python")

    def send(path):
        job = {
            "host": "localhost", "port": urlsplit(context.tls_url).port, "ca": context.server.ca, "certFile": path,
            "topic": TOPIC, "notifications": [aioapns_notification()], "parallel": False,
        }
        done = run_job([python, os.path.join(HERE, "clients", "aioapns_push.py")], job)
        return done["answers"][0]["status"]

    check(context, "aioapns with pem", "pem", send)


def topic_cases(context):
    """What a certificate says of topics and environments, as curl shows it."""
    wallet = Wallet(context)
    both, sandbox = wallet.file("pem"), wallet.file("pem", "--environment", "sandbox", "--starts", "-2d")
    for name, file, topic, status, reason in (
        ("several topics, without apns-topic", both, None, 400, "MissingTopic"),
        ("one of several topics", both, VOIP, 200, None),
        ("another topic", both, "com.example.other", 400, "TopicDisallowed"),
        ("the only topic, without apns-topic", sandbox, None, 200, None),
    ):
        with context.report.case(f"curl by certificate: {name}"):
            curl = Curl(context, context.tls_url, "--cert", file)
            kind = "voip" if topic == VOIP else "alert"
            answer = curl(push_by_certificate(context, apns_topic=topic, apns_push_type=kind))
            seen = json.loads(answer.body)["reason"] if answer.body else None
            expect("answer", (status, reason), (answer.status, seen))
    with context.report.case("curl BadCertificateEnvironment"):
        journal = Journal(context.server)
        try:
            Curl(context, context.production_url, "--cert", sandbox)(push_by_certificate(context))
        except RuntimeError as error:
            expect_that("exit code" in str(error), "the failure", "an exit code of curl", error)
        expect("reason", "BadCertificateEnvironment", journal.one()["verdict"]["reason"])


def certificate_cases(context):
    for form in ("pem", "p12"):
        curl_case(context, form)
    topic_cases(context)
    aioapns_case(context)
    node, script = node_command()
    job_case(context, "node", "p12", [node, script], "pfx")
    # OpenSSL 3 reads RC2 only with its legacy provider.
    job_case(context, "node", "p12-legacy", [node, "--openssl-legacy-provider", script], "pfx")
    with context.report.case("go client builds against x/crypto/pkcs12", long=BUILDING):
        go = build_go_client(context)
    if "go" in locals():
        job_case(context, "go", "p12-legacy", [go], "p12")
