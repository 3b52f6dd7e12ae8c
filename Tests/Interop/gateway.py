"""The binary interface and its feedback service: pushjack (PyPI), and openssl as the newcomer's README has it."""

import os
import subprocess

from library_clients import BUILD, HERE, run_job
from mock_apns import LAST_RESORT
from pushes import TOPIC, Journal, device_token
from report import expect, expect_that

# How long pushjack waits for an error packet after the last that must come, in seconds.
QUIET = 0.2


def binary_address(server, interface):
    """The host and port of the server's listener for the interface."""
    urls = [
        listener["url"] for listener in server.get_json("/api/v1/info")["listeners"]
        if listener["interface"] == interface
    ]
    host, port = urls[0].removeprefix("tls://").rsplit(":", 1)
    return host, int(port)


def issue_certificate(context):
    """A client certificate with its key in one file, as old clients want it."""
    file = os.path.join(context.directory, "gateway.pem")
    code, _, problems = context.server.run(
        "certs", "issue", "--topic", TOPIC, "--api", context.server.api, "--output", file
    )
    expect_that(code == 0, "mock-apns certs issue", "exit code 0", problems)
    return file


def gateway_cases(context):
    python = os.path.join(BUILD, "interop-venv", "bin", "python")
    certificate = None
    with context.report.case("gateway certificate"):
        certificate = issue_certificate(context)
    if certificate is None:
        return  # the line above has said why
    host, port = binary_address(context.server, "gateway")
    feedback_port = binary_address(context.server, "feedback")[1]

    def run(tokens, errors=0, feedback=False):
        job = {
            "host": host, "port": port, "feedbackPort": feedback_port, "certificate": certificate,
            "tokens": tokens, "message": "Grüße 🎈",
            "errors": errors, "timeout": LAST_RESORT, "quiet": QUIET, "feedback": feedback,
        }
        return run_job([python, os.path.join(HERE, "clients", "pushjack_push.py")], job)

    with context.report.case("pushjack accepted"):
        journal = Journal(context.server)
        token = device_token()
        expect("answer", {"accepted": [token], "errors": [], "expired": []}, run([token]))
        record = journal.awaited(1)[0]
        expect("protocol", "binary", record["protocol"])
        expect("token", token, record["apns"]["token"])
        expect("topic", TOPIC, record["apns"]["topic"])
        expect("payload", {"aps": {"alert": "Grüße 🎈"}}, record["request"]["payload"])
        expect("command", "2", dict(record["request"]["headers"])["command"])
        expect("delivery", "delivered", record["delivery"]["state"])

    with context.report.case("pushjack sends again what followed a bad token"):
        journal = Journal(context.server)
        tokens = [device_token() for _ in range(20)]
        tokens[7] = "dead040000" + tokens[7][10:]
        done = run(tokens, errors=1)
        expect("errors", [[7, 8]], done["errors"])
        expect("accepted", tokens[:7] + tokens[8:], done["accepted"])
        records = journal.awaited(20)
        expect("tokens in the journal", tokens, [record["apns"]["token"] for record in records])
        expect("packet", {"meaning": "invalid token", "status": 8}, records[7]["response"]["packet"])

    with context.report.case("pushjack reads the feedback service once"):
        journal = Journal(context.server)
        token = "dead041000" + device_token()[10:]
        expect("errors", [], run([token])["errors"])
        expect("reason", "Unregistered", journal.awaited(1)[0]["verdict"]["reason"])
        expired = run([], feedback=True)["expired"]
        expect("expired tokens", [token], [entry[0] for entry in expired])
        expect("expired tokens the second time", [], run([], feedback=True)["expired"])
        entries = [
            entry for entry in context.server.get_json("/api/v1/feedback")["feedback"] if entry["token"] == token
        ]
        expect_that(entries and entries[0]["readAt"], "readAt of the entry", "a time", entries)

    with context.report.case("openssl s_client without a certificate is refused"):
        ended = subprocess.run(
            ["openssl", "s_client", "-connect", f"{host}:{port}", "-quiet"], stdin=subprocess.DEVNULL,
            capture_output=True, text=True, timeout=LAST_RESORT, check=False,
        )
        expect_that("certificate required" in ended.stderr, "openssl", "the alert certificate required", ended.stderr)
