"""Tests that every TLS library trusts the server after exactly the steps in certs/README.md."""

import os
import re
import shutil
import subprocess

from library_clients import BUILD, HERE, JobClient, go_environment
from mock_apns import LAST_RESORT
from pushes import alert
from report import BUILDING, expect, expect_that, run_long, say

README = os.path.join(HERE, "..", "..", "certs", "README.md")
PROGRAMS = os.path.join(HERE, "clients", "trust")
SWIFT = os.path.join(HERE, "clients", "swiftpush")
# What a program in PROGRAMS has in the place of the lines of the page.
HOLE = re.compile(r"^.*LINES OF THE PAGE.*\n", re.MULTILINE)

# Trust by environment variables: the label in certs/README.md, and the program that its command runs.
BY_ENVIRONMENT = {
    "curl": None,
    "Go, on Linux": "default.go",
    "Node.js": "default.js",
    "Python": "default.py",
    "Ruby": "default.rb",
    "PHP, which ignores SSL_CERT_FILE": "default.php",
    "Java": "Default.java",
}
# Trust by code: the label in certs/README.md, the program that its lines are inserted into, and how it is run.
BY_PROGRAM = {
    "Node.js": ("trusting.js", ["node", "provider.js"]),
    "Python": ("trusting.py", ["python3", "provider.py"]),
    "Go": ("trusting.go", ["go", "run", "."]),
    "Java": ("Trusting.java", ["java", "Provider.java"]),
    "Ruby": ("trusting.rb", ["ruby", "provider.rb"]),
    "PHP": ("trusting.php", ["php", "provider.php"]),
}


def blocks(text):
    """Returns the code in certs/README.md as {(language, label): lines}; the label is the comment above the lines."""
    found = {}
    for language, block in re.findall(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        for part in re.split(r"\n\n(?=# )", block):
            label, lines = part.split("\n", 1)
            found[language, label.lstrip("#/ ")] = lines.rstrip("\n") + "\n"
    return found


def trust_cases(context):
    with open(README, encoding="utf-8") as file:
        page = blocks(file.read())
    trust = Trust(context, page)
    for label, program in BY_ENVIRONMENT.items():
        trust.check_environment(label, program)
    for label, (program, command) in BY_PROGRAM.items():
        trust.check_program(label, program, command)
    gnutls_case(context)
    swift_cases(context, page)
    hard_coded_case(context, page)


class Trust:
    """Runs programs that print "verified" once a TLS library has verified the server's chain."""

    def __init__(self, context, page):
        self._context = context
        self._page = page
        self._port = context.tls_url.rsplit(":", 1)[1]
        self._languages = {"Node.js": "js", "Python": "python", "Go": "go", "Java": "java", "Ruby": "ruby", "PHP": "php"}

    def check_environment(self, label, program):
        name = label.split(",")[0]
        with self._context.report.case(f"trust: {name}, by its environment"):
            lines = self._page["sh", label].replace("2197", self._port)
            directory = self._directory(f"environment-{name}")
            if program is None:
                # Any answer over verified TLS: without credentials there is no better one.
                ended = self._run(["sh", "-ec", lines.replace("curl ", "curl --silent --show-error ")], directory)
                expect_that(b"reason" in ended.stdout, "curl's output", "an answer", ended.stdout + ended.stderr)
                return
            self._write(directory, program, self._read(program))
            self._expect_refusal(self._untrusting(lines), directory)
            self._expect_hint()
            self._expect_verified(["sh", "-ec", lines], directory)

    def check_program(self, label, program, command):
        with self._context.report.case(f"trust: {label}, by lines of the program"):
            lines = self._page[self._languages[label], label].replace("2197", self._port)
            directory = self._directory(f"program-{label}")
            text = self._read(program)
            expect("places for the lines", 1, len(HOLE.findall(text)))
            self._write(directory, program, HOLE.sub(lambda _: lines, text))
            self._expect_verified(command, directory)

    @staticmethod
    def _read(program):
        with open(os.path.join(PROGRAMS, program), encoding="utf-8") as file:
            return file.read()

    @staticmethod
    def _untrusting(lines):
        """Returns the last line without the settings that create trust; the program must then fail."""
        last = lines.strip().splitlines()[-1]
        return ["sh", "-ec", re.sub(r"\w+=certs/ca\.pem|-d \S+|-Djavax\S+", "", last)]

    def _directory(self, name):
        """Creates a directory for one case, with the server's CA in certs/ca.pem."""
        directory = os.path.join(self._context.directory, "trust", re.sub(r"\W", "", name))
        os.makedirs(os.path.join(directory, "certs"))
        shutil.copy(self._context.server.ca, os.path.join(directory, "certs", "ca.pem"))
        return directory

    @staticmethod
    def _write(directory, program, text):
        """Writes the program under the file name that certs/README.md uses."""
        suffix = program.rsplit(".", 1)[1]
        name = {"go": "main.go", "java": "Provider.java"}.get(suffix, f"provider.{suffix}")
        with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
            file.write(text)

    def _run(self, command, directory):
        environment = {**go_environment(), "PORT": self._port}
        for name in ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"):
            environment.pop(name, None)
        return subprocess.run(
            command, cwd=directory, env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=LAST_RESORT,
            check=False,
        )

    def _expect_verified(self, command, directory):
        ended = self._run(command, directory)
        seen = f"exit code {ended.returncode}: {ended.stdout.decode()}{ended.stderr.decode()}"
        expect_that(ended.returncode == 0 and b"verified" in ended.stdout, "the client", "to verify the chain", seen)

    def _expect_refusal(self, command, directory):
        self._known = {connection["id"] for connection in self._closed()}
        ended = self._run(command, directory)
        expect_that(ended.returncode != 0 and b"verified" not in ended.stdout, "without ca.pem", "a failure", ended.stdout)

    def _expect_hint(self):
        """What the server says of a client that does not have ca.pem, whichever alert it sends.

        A client may connect to several addresses at once, and close all connections but one without a handshake.
        """
        new = [connection for connection in self._closed() if connection["id"] not in self._known]
        failed = [connection for connection in new if connection["closeCode"] == "tls-failure"]
        expect_that(failed, "the ended connections", "one with tls-failure", new)
        expect_that("ca.pem" in (failed[0]["closeHint"] or ""), "its hint", "ca.pem", failed[0])

    def _closed(self):
        return self._context.server.get_json("/api/v1/connections?state=closed&limit=20")["connections"]


def gnutls_case(context):
    with context.report.case("trust: GnuTLS"):
        port = context.tls_url.rsplit(":", 1)[1]
        for host in ("localhost", "127.0.0.1", "api.push.apple.com"):
            name = [f"--verify-hostname={host}"] + ([] if host == "127.0.0.1" else [f"--sni-hostname={host}"])
            ended = subprocess.run(
                ["gnutls-cli", f"--x509cafile={context.server.ca}", *name, "--alpn=h2", f"--port={port}", "127.0.0.1"],
                stdin=subprocess.DEVNULL, capture_output=True, timeout=LAST_RESORT, check=False,
            )
            trusted = b"The certificate is trusted" in ended.stdout and ended.returncode == 0
            expect_that(trusted, f"gnutls-cli for {host}", "a trusted certificate", ended.stdout[-500:] + ended.stderr)


def build_swift_client():
    """BoringSSL from its sources: minutes at the first time, nothing afterwards."""
    status, output = run_long([
        "swift", "build", "--package-path", SWIFT, "--scratch-path", os.path.join(BUILD, "interop-swift"),
        "--product", "swiftpush",
    ])
    if status != 0:
        raise RuntimeError(f"expected the Swift client to build, saw: {output[-4_000:]}")
    return os.path.join(BUILD, "interop-swift", "debug", "swiftpush")


def swift_cases(context, page):
    report = context.report
    with report.case("trust: the Swift lines of the page are those of the client"):
        with open(os.path.join(SWIFT, "Sources", "Trust.swift"), encoding="utf-8") as file:
            own = re.search(r"// README begins\n(.*?) *// README ends", file.read(), re.DOTALL)[1]
        label = "Swift: SwiftNIO, async-http-client, APNSwift"
        expect("lines", page["swift", label].split("\n"), [line.strip() for line in own.split("\n")])

    with report.case("swift client builds against swift-nio-ssl", long=BUILDING):
        binary = os.path.abspath(build_swift_client())
    if "binary" not in locals():
        return  # the line above has said why
    # The client reads certs/ca.pem below its working directory.
    directory = os.path.dirname(os.path.dirname(context.server.ca))
    swift = JobClient(context, [binary], directory)
    context.check("swift (BoringSSL) accepted", alert(context.token), swift)
    odd = alert(context.token).with_headers(apns_priority="7")
    context.check("swift (BoringSSL) BadPriority", odd.rejected(400, "BadPriority"), swift)
    swift.parallel_case("swift (BoringSSL) 200 streams at once", [alert(context.token) for _ in range(200)])


def own_variables():
    """The environment without what tests are told by: to a server, MOCK_APNS_… are options."""
    return {name: value for name, value in os.environ.items() if not name.startswith("MOCK_APNS_")}


def hard_coded_case(context, page):
    """A provider that connects to api.push.apple.com:443, in a network of its own."""
    allowed = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "--net", "true"], capture_output=True, timeout=LAST_RESORT, check=False
    )
    if allowed.returncode != 0:
        say(f"skip hard-coded host: {allowed.stderr.decode().strip()}")
        return
    with context.report.case("a provider with Apple's host hard-coded reaches the server"):
        directory = os.path.join(context.directory, "hard-coded")
        os.makedirs(directory)
        provider = os.path.join(directory, "provider")
        with open(provider, "w", encoding="utf-8") as file:
            file.write(
                '#!/bin/sh\nexec curl --silent --show-error --noproxy "*" --cacert "$MOCK_APNS_CA_FILE"'
                " https://api.push.apple.com/3/device/00\n"
            )
        os.chmod(provider, 0o755)
        binary = os.path.dirname(os.path.abspath(context.server.program[-1]))
        ended = subprocess.run(
            ["sh", "-ec", page["sh", "A network of its own"]], cwd=directory, capture_output=True, timeout=LAST_RESORT,
            env={**own_variables(), "PATH": f"{binary}:{os.environ['PATH']}"}, check=False,
        )
        expect_that(b'"reason":"MethodNotAllowed"' in ended.stdout, "the answer", "MethodNotAllowed", ended)
