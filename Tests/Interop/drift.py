"""`mock-apns drift` against servers that behave differently on purpose, and against everything that is no push service."""

import contextlib
import json
import os
import re
import signal
import socket
import struct
import subprocess
import threading
import time

from activities import STEP
from mock_apns import LAST_RESORT, Server
from report import expect, expect_that

DOCUMENT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "drift.md")
MARK = "=== end of the step ==="
TOPIC = "com.example.drift-secret"
ALONE = ("--apns-listen", "127.0.0.1:0")
# What makes a server agree with the mock of drift, which knows no device and no certificate.
SAME = ("--unknown-tokens", "reject", "--client-certificates", "any", "--behavior", "answer-tokens=off")

# The options of a server, and what --apply must print.
MUTANTS = (
    ("--behavior apns-id-case=lower", None), ("--behavior invalid-json=reject", None),
    ("--behavior future-token=invalid", None), ("--behavior token-base64=url", None),
    ("--behavior token-es512=accept", None), ("--behavior error-content-type=present", None),
    ("--behavior alpn=required", None), ("--behavior bad-certificate=answer", None),
    ("--behavior bad-certificate=alert", None), ("--behavior goaway=double", None),
    ("--behavior token-update-count=all", None), ("--behavior token-update-block=connection", None),
    ("--behavior token-update-scope=key", None),
    ("--behavior token-update-scope=team", "--behavior token-update-scope=key"),
    ("--check-order path,method", None), ("--check-order apns-expiration,apns-id", None),
    ("--check-order device-token-form,payload-size", None),
    ("--behavior apns-id-case=lower --behavior invalid-json=reject --check-order apns-priority,apns-expiration", None),
)
FRAME_SETTINGS = b"\0\0\0\4\0\0\0\0\0"
FRAME_ACK = b"\0\0\0\4\1\0\0\0\0"
FRAME_GOAWAY = b"\0\0\x08\7\0\0\0\0\0" + b"\0\0\0\0" + b"\0\0\0\0"


def plain_environment():
    """The environment without options and proxies."""
    return {k: v for k, v in os.environ.items() if not k.startswith("MOCK_APNS_") and "PROXY" not in k.upper()}


class Desk:
    """A key of a provider, and how drift is run with it."""

    def __init__(self, context, name):
        self.binary = context.server.program[-1]
        self.directory = os.path.join(context.directory, name)
        os.mkdir(self.directory)
        self.environment = plain_environment()
        self.key = self.run("keys", "generate", "-o", "provider.p8").stdout.strip()
        self.report_path = os.path.join(self.directory, "report.json")

    def run(self, *arguments, **options):
        return subprocess.run(
            [self.binary, *arguments], cwd=self.directory, env={**self.environment, **options.pop("environment", {})},
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LAST_RESORT, check=False, **options,
        )

    def arguments(self, upstream, *more):
        return (
            "drift", "--upstream", upstream, "--key", self.key, "--topic", TOPIC, "--pace", "0s", "--json", self.report_path,
            *more,
        )

    def drift(self, upstream, *more, environment=None):
        with contextlib.suppress(FileNotFoundError):
            os.remove(self.report_path)
        done = self.run(*self.arguments(upstream, "--yes", *more), environment=environment or {})
        self.check_secrets(done, upstream)
        return done

    def drift_to(self, server, *more, **options):
        return self.drift(address(server), "--upstream-ca", server.ca, *more, **options)

    def report(self):
        with open(self.report_path, encoding="utf-8") as file:
            return json.load(file)

    def check_secrets(self, done, upstream):
        """Nothing that identifies the user is printed or reported; only errors may name the service."""
        _, key_id, team = self.key.split(",")
        with open(os.path.join(self.directory, "provider.p8"), encoding="ascii") as file:
            key_lines = [line for line in file.read().splitlines() if not line.startswith("-")]
        texts = {"stdout": done.stdout, "stderr": done.stderr}
        if os.path.exists(self.report_path):
            with open(self.report_path, encoding="utf-8") as file:
                texts["report"] = file.read()
        # sandbox and production are names that a report may have.
        places = [upstream.split("//")[1]] if "//" in upstream else ["push.apple.com"]
        for where, text in texts.items():
            secrets = [key_id, team, TOPIC, "eyJ", *key_lines, self.directory, socket.gethostname()]
            secrets += [] if where == "stderr" else [*places, "127.0.0.1", "localhost"]
            for secret in secrets:
                if where == "stderr" and secret == self.directory:
                    continue  # --resume names the file
                expect_that(secret not in text, f"{where} of drift", f"nothing like {secret!r}", text[:2_000])


def address(server):
    """The host name is in the certificate."""
    return server.apns[0].replace("127.0.0.1", "localhost")


@contextlib.contextmanager
def other(context, desk, name, *flags):
    """A server that knows the provider's key."""
    directory = os.path.join(context.directory, name)
    with Server(context.server.program[-1], directory, *ALONE, *SAME, "--key", absolute(desk), *flags) as server:
        yield server


def absolute(desk):
    return os.path.join(desk.directory, desk.key)


@contextlib.contextmanager
def listener(serve):
    """A server that calls `serve` with each connection; yields its port and the connections so far."""
    connections = []
    with socket.create_server(("127.0.0.1", 0)) as door:

        def accept():
            while True:
                try:
                    connection, _ = door.accept()
                except OSError:
                    return
                connections.append(connection)
                threading.Thread(target=guarded, args=(connection,), daemon=True).start()

        def guarded(connection):
            with contextlib.suppress(OSError):
                serve(connection)

        threading.Thread(target=accept, daemon=True).start()
        yield door.getsockname()[1], connections
        door.shutdown(socket.SHUT_RDWR)
        for connection in connections:
            connection.close()


def drift_cases(context):
    desk = Desk(context, "desk")
    document_case(context)
    consent_cases(context, desk)
    mutant_cases(context, desk)
    stop_cases(context, desk)
    broken_cases(context, desk)
    preset_cases(context, desk)
    proxy_cases(context, desk)


def document_case(context):
    with open(DOCUMENT, encoding="utf-8") as file:
        document = file.read()
    steps = STEP.findall(document)
    with context.report.case("drift: the commands of docs/drift.md print what it says"):
        directory = os.path.join(context.directory, "document")
        os.mkdir(directory)
        binary = context.server.program[-1]
        os.symlink(binary, os.path.join(directory, "mock-apns"))
        script = "set -eu\n" + "".join(f"{block}\necho '{MARK}'\n" for block, _ in steps)
        done = subprocess.run(
            ["bash"], input=script, cwd=directory, capture_output=True, text=True, timeout=LAST_RESORT, check=False,
            env={**plain_environment(), "COLUMNS": "120", "PATH": f"{directory}:{os.environ['PATH']}"},
        )
        expect(f"exit code of the commands, which wrote {done.stderr!r}", 0, done.returncode)
        outputs = done.stdout.split(f"{MARK}\n")[:-1]
        if os.environ.get("MOCK_APNS_WRITE_GOLDEN"):
            write(document, outputs)
            return
        for (commands, printed), output in zip(steps, outputs, strict=True):
            expect(commands.strip().splitlines()[0], printed, output)


def write(document, outputs):
    rest = iter(outputs)

    def renewed(step):
        output = next(rest)
        return step[0] if step[2] is None else f"```sh\n{step[1]}```\n\n```text\n{output}```\n"

    with open(DOCUMENT, "w", encoding="utf-8") as file:
        file.write(STEP.sub(renewed, document))


def consent_cases(context, desk):
    with context.report.case("drift: without consent nothing is sent"), listener(lambda connection: None) as (port, connections):
        done = desk.run(*desk.arguments(f"https://localhost:{port}"))
        expect("exit code", 2, done.returncode)
        expect_that("nothing was sent" in done.stderr and "requests to" in done.stderr, "stderr", "a question", done.stderr)
        expect("connections", 0, len(connections))
        expect("stdout", "", done.stdout)
    for answer, code in (("n", 2), ("", 2), ("y", 0)):
        with context.report.case(f"drift: the answer {answer!r} at a terminal"), other(context, desk, f"terminal-{answer}") as server:
            mine, theirs = os.openpty()
            os.write(mine, f"{answer}\n".encode())
            done = subprocess.run(
                [desk.binary, *desk.arguments(address(server), "--upstream-ca", server.ca)], cwd=desk.directory,
                env=desk.environment, stdin=theirs, capture_output=True, text=True, timeout=LAST_RESORT, check=False,
            )
            os.close(mine)
            os.close(theirs)
            expect(f"exit code, after {done.stderr!r}", code, done.returncode)
            expect_that("Begin? [y/N]" in done.stderr, "stderr", "the question", done.stderr)
            pushes = server.get_json("/api/v1/pushes?limit=1")["matched"]
            expect_that((pushes > 0) == (code == 0), "requests at the service", code == 0, pushes)
    with context.report.case("drift: a report that cannot be written is found before anything is sent"):
        with listener(lambda _: None) as (port, seen):
            done = desk.run(*desk.arguments(f"https://localhost:{port}", "--yes", "--json", "none/report.json"))
            expect_that("none/report.json" in done.stderr, "stderr", "the file", done.stderr)
            expect("exit code and connections", (73, 0), (done.returncode, len(seen)))
    with context.report.case("drift: --dry-run prints every request and sends none"), listener(lambda _: None) as (port, seen):
        done = desk.run(*desk.arguments(f"https://localhost:{port}", "--dry-run", "--channels", "--token", "ab" * 32))
        expect("exit code", 0, done.returncode)
        count = int(re.search(r"(\d+) requests, none sent", done.stdout)[1])
        expect_that(count > 300, "requests", "more than 300", count)
        expect("connections", 0, len(seen))
        expect_that("eyJ" not in done.stdout and "ab" * 32 not in done.stdout, "stdout", "no token", done.stdout[:500])
    with context.report.case("drift: clear text and a fast pace are for this machine only"):
        for upstream, flags in (("http://192.0.2.1", ()), ("https://192.0.2.1", ())):
            done = desk.run(*desk.arguments(upstream, "--yes", *flags))
            expect_that(done.returncode not in (0, 1), "exit code", "an error of usage", done.returncode)
            expect("lines of the error", 1, len(done.stderr.splitlines()))


def mutant_cases(context, desk):
    with context.report.case("drift: a server with the same options agrees"), other(context, desk, "same") as server:
        done = desk.drift_to(server)
        expect(f"exit code, after {done.stdout!r} {done.stderr!r}", 0, done.returncode)
        expect("differences", [], [case["id"] for case in desk.report()["cases"] if case["differs"]])
        done = desk.drift_to(server, "--channels")
        expect(f"exit code with a channel, after {done.stdout!r} {done.stderr!r}", 0, done.returncode)
        expect("channels", [], server.get_json("/api/v1/channels")["channels"])
    for number, (options, printed) in enumerate(MUTANTS):
        with context.report.case(f"drift: {options} is found, and applied"):
            with other(context, desk, f"mutant-{number}", *options.split()) as server:
                done = desk.drift_to(server)
                expect(f"exit code, after {done.stderr!r}", 1, done.returncode)
                expect("stopped", None, desk.report()["stopped"])
                applied = desk.run("drift", "--apply", desk.report_path)
                expect("options", printed or options, applied.stdout.strip())


def stop_cases(context, desk):
    with context.report.case("drift: Ctrl-C keeps the report, which is continued"), other(context, desk, "stopped") as server:
        arguments = desk.arguments(address(server), "--yes", "--upstream-ca", server.ca)
        slow = [word if word != "0s" else "50ms" for word in arguments]
        running = subprocess.Popen(
            [desk.binary, *slow], cwd=desk.directory, env=desk.environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )
        while server.get_json("/api/v1/pushes?limit=1")["matched"] < 20:
            time.sleep(0.05)
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=LAST_RESORT)
        expect(f"exit code, after {err!r}", 1, running.returncode)
        expect("stopped", "interrupted", desk.report()["stopped"])
        before = len(desk.report()["cases"])
        expect_that(before > 15 and "stopped" in out, "cases of the report", "those that were sent", (before, out))
        done = desk.run(*desk.arguments(address(server), "--yes", "--upstream-ca", server.ca, "--resume", desk.report_path))
        expect(f"exit code, after {done.stdout!r}", 0, done.returncode)
        expect("stopped", None, desk.report()["stopped"])
        expect_that(len(desk.report()["cases"]) > 250, "cases", "all", len(desk.report()["cases"]))


def hang(connection):
    while connection.recv(65_536):
        pass


def after_preface(data, then=hang):
    def serve(connection):
        connection.recv(65_536)
        connection.sendall(data)
        then(connection)

    return serve


def reset(connection):
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def broken_cases(context, desk):
    """Each is one error line, and a report of what was done: nothing."""
    servers = (
        ("a server that hangs at once", "https", hang, "timeout"), ("one that hangs before its SETTINGS", "http", hang, "timeout"),
        ("one that hangs after its SETTINGS", "http", after_preface(FRAME_SETTINGS + FRAME_ACK), None),
        ("garbage in place of TLS", "https", after_preface(b"\xff" * 100), "tls"),
        ("garbage in place of HTTP/2", "http", after_preface(b"\xff" * 100), "protocol"),
        ("HTTP/1.1", "http", after_preface(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "protocol"),
        ("HTTP/1.1 in place of TLS", "https", after_preface(b"HTTP/1.1 400 Bad Request\r\n\r\n"), "tls"),
        ("GOAWAY at once", "http", after_preface(FRAME_SETTINGS + FRAME_GOAWAY), None),
        ("a reset", "http", reset, "closed"), ("a reset in the handshake", "https", reset, "closed"),
    )
    for name, scheme, serve, code in servers:
        with context.report.case(f"drift: {name}"), listener(serve) as (port, _):
            done = desk.drift(f"{scheme}://127.0.0.1:{port}", "--timeout", "300ms")
            expect(f"exit code, after {done.stderr!r}", 1, done.returncode)
            report = desk.report()
            if code is None:
                expect_that("did not respond" in report["stopped"], "stopped", "three responses are missing", report["stopped"])
            else:
                expect_that(report["stopped"].endswith(f": {code}"), "stopped", code, (report["stopped"], done.stderr))
                expect("cases", [], report["cases"])
            expect_that(len(done.stderr.splitlines()) <= 2, "stderr", "one line for each error", done.stderr)
            expect_that("has stopped" in done.stderr, "stderr", "why it has stopped", done.stderr)
    with context.report.case("drift: a certificate of a stranger, and one for another host"), other(context, desk, "tls") as server:
        done = desk.drift(address(server))
        expect_that(desk.report()["stopped"].endswith(": verify"), "stopped", "verify", desk.report()["stopped"])
        expect("exit code", 1, done.returncode)


def preset_cases(context, desk):
    """Every fault of the server by name: drift ends, with a report that can be read."""
    names = presets(desk)
    expect_that(len(names) > 10, "presets", "more than 10", names)
    for name in names:
        with context.report.case(f"drift: a server with the fault {name}"):
            with other(context, desk, f"fault-{name}", "--fault", name) as server:
                done = desk.drift_to(server, "--timeout", "300ms")
                expect_that(done.returncode in (0, 1), f"exit code, after {done.stderr!r}", "0 or 1", done.returncode)
                report = desk.report()
                if name.startswith("too-many"):
                    expect_that("429" in report["stopped"], "stopped", "429", report["stopped"])
                    answered = [case for case in report["cases"] if case["service"]["status"] == 429]
                    expect("cases that were answered 429", 1, len(answered))


def presets(desk):
    listing = desk.run("reference").stdout
    part = listing[listing.index("shutdown-keep-open") - 10 :]
    return re.findall(r"^\| `([a-z0-9-]+)` \|", part.split("\n\n")[0], re.MULTILINE)


def proxy_cases(context, desk):
    """Only the named hosts are asked for, even of the proxy; it refuses, so nothing leaves this machine."""
    for upstream, flags, hosts in (
        ("sandbox", (), {"api.sandbox.push.apple.com:443"}), ("production", ("--channels",), {"api.push.apple.com:443"}),
        ("https://upstream.example:2197", ("--channels",), {"upstream.example:2197"}),
    ):
        asked = []

        def refuse(connection, asked=asked):
            asked.append(connection.recv(65_536).split(b" ")[1].decode())
            connection.sendall(b"HTTP/1.1 403 Forbidden\r\n\r\n")

        with context.report.case(f"drift: only named hosts are connected to, for {upstream}"), listener(refuse) as (port, _):
            proxy = {"HTTPS_PROXY": f"http://127.0.0.1:{port}"}
            done = desk.drift(upstream, "--pace", "200ms", *flags, environment=proxy)
            expect(f"exit code, after {done.stderr!r}", 1, done.returncode)
            expect("hosts", hosts, set(asked))
            expect_that(desk.report()["stopped"].endswith(": proxy"), "stopped", "proxy", desk.report()["stopped"])
