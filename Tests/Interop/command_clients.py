"""curl and nghttp: pushes typed at a shell."""

import os
import re
import subprocess
from dataclasses import replace

from mock_apns import LAST_RESORT
from pushes import Answer, alert
from report import expect


def run(command, data=None):
    """Runs a client; its exit code is the caller's to judge."""
    return subprocess.run(command, input=data, capture_output=True, timeout=LAST_RESORT, check=False)


class Curl:
    """Sends one push with curl; `options` say over what."""

    def __init__(self, context, base, *options):
        self._context = context
        self._base = base
        self._options = ["--cacert", context.server.ca, *options]

    def command(self, push, *more):
        headers = [part for name, value in push.headers for part in ("-H", f"{name}: {value}")]
        # Without a body there is no data option, which would turn any method into POST.
        body = ["--data-binary", "@-"] if push.body else []
        return [
            "curl", "--silent", "--show-error", "--noproxy", "*", "--max-time", str(LAST_RESORT), *self._options, *more,
            "-X", push.method, "-H", "content-type:", *headers, *body, self._base + push.path,
        ]

    def __call__(self, push):
        dump = os.path.join(self._context.directory, "curl-headers")
        body = os.path.join(self._context.directory, "curl-body")
        open(body, "w", encoding="utf-8").close()  # curl does not touch it when the answer has no body
        ended = run(self.command(push, "-D", dump, "-o", body), push.body.encode())
        if ended.returncode != 0:
            raise RuntimeError(f"expected curl to succeed, saw exit code {ended.returncode}: {ended.stderr.decode()}")
        with open(dump, encoding="utf-8") as file:
            status, *fields = file.read().strip().splitlines()
        protocol, code = status.split()[:2]
        if protocol != "HTTP/2":
            raise RuntimeError(f"expected HTTP/2, saw {status!r}")
        with open(body, encoding="utf-8") as file:
            text = file.read()
        return Answer(int(code), [tuple(field.split(": ", 1)) for field in fields], text)


class NgHTTP:
    """Sends one push with nghttp, which prints its frames."""

    STATUS = re.compile(r"recv \(stream_id=\d+\) :status: (\d+)")
    # Never-indexed fields, which ids are, are shown as sensitive.
    HEADER = re.compile(r"recv \(stream_id=\d+(?:, sensitive)?\) ([a-z][a-z0-9-]*): (.*)")
    REASON = re.compile(r'^\{"reason":"[A-Za-z]+"\}', re.MULTILINE)

    def __init__(self, context, base):
        self._context = context
        self._base = base

    def __call__(self, push):
        payload = os.path.join(self._context.directory, "nghttp-payload")
        with open(payload, "w", encoding="utf-8") as file:
            file.write(push.body)
        headers = [f"-H{name}: {value}" for name, value in push.headers]
        command = ["nghttp", "--verbose", f"--timeout={LAST_RESORT}", f"--data={payload}", *headers, self._base + push.path]
        ended = run(command)
        text = ended.stdout.decode()
        status = self.STATUS.search(text)
        if ended.returncode != 0 or not status:
            raise RuntimeError(f"expected an answer, saw exit code {ended.returncode}:\n{text}{ended.stderr.decode()}")
        reason = self.REASON.search(text)
        return Answer(int(status[1]), self.HEADER.findall(text), reason[0] if reason else "")


def openssl_signed(token, context):
    """The token signed again with `openssl dgst`, as Apple's shell recipe does: a DER signature."""
    info = context.server.get_json("/api/v1/info")["developmentKey"]
    unsigned = token.rsplit(".", 1)[0]
    command = (
        'openssl dgst -sha256 -sign "$0" -binary | openssl base64 -e -A | tr -- "+/" "-_" | tr -d "="'
    )
    made = run(["sh", "-c", command, info["path"]], unsigned.encode())
    if made.returncode != 0 or not made.stdout:
        raise RuntimeError(f"expected a signature of openssl, saw: {made.stderr.decode()}")
    return f"{unsigned}.{made.stdout.decode()}"


def curl_cases(context):
    token, curl = context.token, Curl(context, context.tls_url)
    push = alert(token)
    context.check("curl accepted", push, curl)

    bad_token = replace(alert(token), path="/3/device/not-a-device-token")
    context.check("curl BadDeviceToken", bad_token.rejected(400, "BadDeviceToken"), curl)

    no_provider = alert(token).with_headers(authorization=None).rejected(403, "MissingProviderToken", "missing")
    context.check("curl MissingProviderToken", no_provider, curl)

    get = replace(alert(token), method="GET", body="")
    context.check("curl MethodNotAllowed", get.rejected(405, "MethodNotAllowed", "not-checked"), curl)

    bad_path = replace(alert(token), path="/3/devices/0123")
    context.check("curl BadPath", bad_path.rejected(404, "BadPath", "not-checked"), curl)

    no_device = replace(alert(token), path="/3/device/")
    context.check("curl MissingDeviceToken", no_device.rejected(400, "MissingDeviceToken"), curl)

    twice = alert(token)
    twice.headers.append(("apns-topic", "com.example.other"))
    context.check("curl DuplicateHeaders", twice.rejected(400, "DuplicateHeaders", "not-checked"), curl)

    with context.report.case("curl HEAD: no content, and no protocol error"):
        head = replace(alert(token), method="HEAD", body="")
        ended = run(curl.command(head, "--head", "-w", "%{http_code}", "-o", os.devnull))
        expect("curl's exit code", 0, ended.returncode)
        expect("status", "405", ended.stdout.decode())

    # Without the interim response, curl would wait longer than it may take.
    with context.report.case("curl waits for 100 Continue, and gets it"):
        dump = os.path.join(context.directory, "curl-continue")
        told = ("-H", "expect: 100-continue", "--expect100-timeout", str(2 * LAST_RESORT))
        ended = run(curl.command(push, *told, "-D", dump, "-o", os.devnull, "-w", "%{http_code}"), push.body.encode())
        expect("curl's exit code", 0, ended.returncode)
        expect("status", "200", ended.stdout.decode())
        with open(dump, encoding="utf-8") as file:
            expect("first status", "HTTP/2 100", file.readline().strip())

    # The API speaks HTTP/1.1.
    with context.report.case("curl HEAD and Expect on the API"):
        api = context.server.api
        base = ["curl", "--silent", "--show-error", "--noproxy", "*", "--max-time", str(LAST_RESORT)]
        for path, status in (("/livez", 200), ("/nowhere", 404), ("/api/v1/reset", 405)):
            ended = run([*base, "--head", "-w", "%{http_code}", "-o", os.devnull, api + path])
            expect(f"curl's exit code for {path}", 0, ended.returncode)
            expect(f"status for {path}", str(status), ended.stdout.decode())
        dump = os.path.join(context.directory, "curl-continue")
        check = [*base, "-D", dump, "-o", os.devnull, "-w", "%{http_code}", "-H", "Expect: 100-continue"]
        ended = run([*check, "--data-binary", "@-", api + "/api/v1/pushes/verify"], b"{}")
        expect("curl's exit code", 0, ended.returncode)
        with open(dump, encoding="utf-8") as file:
            expect("first status", "HTTP/1.1 100 Continue", file.readline().strip())

    empty = replace(alert(token), body="")
    context.check("curl PayloadEmpty", empty.rejected(400, "PayloadEmpty"), curl)

    resigned = openssl_signed(token, context)
    signed = alert(resigned)
    context.check("curl accepted, signed by openssl (DER)", signed, curl, signatures=[resigned.rsplit(".", 1)[1]])

    production = Curl(context, context.production_url)
    context.check("curl accepted in production", alert(token), production, sandbox=False)


def nghttp_cases(context):
    nghttp = NgHTTP(context, context.tls_url)
    context.check("nghttp accepted", alert(context.token), nghttp)
    no_topic = alert(context.token).with_headers(apns_topic=None)
    context.check("nghttp MissingTopic", no_topic.rejected(400, "MissingTopic"), nghttp)
