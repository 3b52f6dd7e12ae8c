"""Providers as they ship, below `mock-apns intercept` and `exec --intercept`: Apple's host names, its ports, their own trust."""

import json
import os
import ssl
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

from gateway import issue_certificate
from library_clients import BUILD, HERE, go_environment
from mock_apns import LAST_RESORT
from name_servers import name_server_cases
from pushes import Journal, device_token
from report import BUILDING, expect, expect_that

CLIENTS = os.path.join(HERE, "clients", "intercept")
PYTHON = os.path.join(BUILD, "interop-venv", "bin", "python")
# What names authorities: the tests' own must not help.
TRUST = (
    "SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "NODE_EXTRA_CA_CERTS", "DENO_CERT",
    "JAVA_TOOL_OPTIONS", "PHP_INI_SCAN_DIR",
)
PRODUCTION, SANDBOX = "api.push.apple.com", "api.sandbox.push.apple.com"
CURL = (
    'curl --silent --show-error --noproxy "*" --output /dev/null --write-out "%{http_code}\n" --http2 '
    '--header "authorization: bearer $PROVIDER_TOKEN" --header "apns-topic: com.example.app" '
    '--data \'{"aps":{"alert":"curl"}}\' "https://$APNS_HOST/3/device/$DEVICE"'
)


def client(name):
    return os.path.join(CLIENTS, name)


class Interception:
    """Runs clients below `mock-apns intercept`, and looks at what has arrived at the server of the group."""

    def __init__(self, context):
        self._context = context
        self._report = context.report
        self._server = context.server
        self.program = context.server.program

    def environment(self, **more):
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("MOCK_APNS_")}
        plain = {name: value for name, value in inherited.items() if name not in TRUST}
        return {**plain, "PROVIDER_TOKEN": self._context.token, **more}

    def run(self, command, prefix=(), how=None, **variables):
        """Runs a command; returns its exit code, its output and its errors."""
        how = how or ["intercept", "--api", self._server.api]
        ended = subprocess.run(
            [*prefix, *self.program, *how, "--", *command], cwd=self._context.directory, text=True,
            env=self.environment(**variables), stdin=subprocess.DEVNULL, capture_output=True, timeout=LAST_RESORT,
            check=False,
        )
        return ended.returncode, ended.stdout, ended.stderr

    def expect_output(self, expected, command, **options):
        code, output, errors = self.run(command, **options)
        expect_that((code, output.strip()) == (0, expected), "the command", f"{expected!r}, exit code 0", (code, output, errors))

    def push_case(self, name, command, host=PRODUCTION, environment="production", **options):
        """One push to one of Apple's hosts; it arrives as if nothing had been done to it."""
        with self._report.case(f"intercept: {name}"):
            journal, token = Journal(self._server), device_token()
            self.expect_output("200", command, APNS_HOST=host, DEVICE=token, **options)
            record = journal.awaited(1)[0]
            expect("token", token, record["apns"]["token"])
            expect("environment", environment, record["environment"])
            expect("server name", host.split(":")[0], record["connection"]["tls"]["sni"])


def intercept_cases(context):
    run = Interception(context)
    shell = ["sh", "-c", CURL]
    run.push_case("curl, production", shell)
    run.push_case("curl, sandbox", shell, SANDBOX, "sandbox")
    run.push_case("curl, port 2197 and the sandbox's other name", shell, "api.development.push.apple.com:2197", "sandbox")
    run.push_case("Node's http2", ["node", client("push.js")])
    run.push_case("aioapns as published", [PYTHON, client("push.py")])
    run.push_case("aioapns as published, sandbox", [PYTHON, client("push.py")], "api.development.push.apple.com", "sandbox")
    run.push_case("Java's HttpClient", ["java", client("Push.java")])
    run.push_case("PHP's curl", ["php", client("push.php")])
    run.push_case("a shell with two levels of children", ["sh", "-c", "sh -c 'sh -c \"$PUSH\"; exit $?'; exit $?"], PUSH=CURL)
    run.push_case("another user", shell, prefix=other_user())
    # As the default profile of Podman.
    forbidden = {"x86_64": "310,311", "aarch64": "270,271"}[os.uname().machine]
    run.push_case(
        "curl without process_vm_readv and process_vm_writev", shell,
        prefix=["python3", client("without_calls.py"), forbidden],
    )
    daemon_case(run, context)
    static = go_cases(run, context)
    for name, command in {"curl": shell, "a static Go program": [static], "Node's http2": ["node", client("push.js")]}.items():
        run.push_case(f"{name}, --hosts-file", command, how=["intercept", "--hosts-file", "--api", context.server.api])
    name_server_cases(run, context, {
        "curl": shell, "a static Go program": [static], "aioapns": [PYTHON, client("push.py")],
        "Java's HttpClient": ["java", client("Push.java")],
    })
    ruby_case(run, context)
    other_ports_cases(run, context)
    with context.report.case("intercept: 200 parallel connections"):
        run.expect_output("200 True", [PYTHON, client("parallel.py")])
    other_host_case(run, context)
    exec_cases(run, context)


def other_user():
    """A user without rights, where the tests run as root."""
    return ["setpriv", "--reuid", "65534", "--clear-groups", "env", "TMPDIR=/tmp"] if os.getuid() == 0 else []


def daemon_case(run, context):
    with context.report.case("intercept: a daemon that forks twice"):
        journal, token = Journal(context.server), device_token()
        pipe = os.path.join(context.directory, "daemon.fifo")
        os.mkfifo(pipe)
        # Its parents end at once; the command waits for what it writes.
        script = f"""(setsid sh -c 'eval "$PUSH" > {pipe}' > /dev/null 2>&1 &); timeout 60 cat {pipe}"""
        run.expect_output("200", ["sh", "-c", script], APNS_HOST=PRODUCTION, DEVICE=token, PUSH=CURL)
        expect("token", token, journal.awaited(1)[0]["apns"]["token"])


def go_cases(run, context):
    for name, options in {"static": {"CGO_ENABLED": "0"}, "dynamic": {"CGO_ENABLED": "1"}}.items():
        binary = os.path.join(context.directory, f"push-{name}")
        with context.report.case(f"intercept: a {name} Go program builds", long=BUILDING):
            # The dynamic one asks the C library for addresses.
            tags = ["-tags", "netcgo"] if name == "dynamic" else []
            built = subprocess.run(
                ["go", "build", *tags, "-o", binary, client("push.go")], env={**go_environment(), **options},
                capture_output=True, text=True, check=False,
            )
            expect_that(built.returncode == 0, "go build", "exit code 0", built.stderr)
            with open(binary, "rb") as file:
                expect("whether it names a dynamic linker", name == "dynamic", b"/ld-linux" in file.read())
        run.push_case(f"a {name} Go program", [binary])
    return os.path.join(context.directory, "push-static")


def ruby_case(run, context):
    with context.report.case("intercept: Ruby's sockets"):
        # The first frame of the server is SETTINGS.
        run.expect_output("h2 4", ["ruby", client("connect.rb")], APNS_HOST=SANDBOX)


def other_ports_cases(run, context):
    with context.report.case("intercept: the gateway at port 2195, with Python's sockets"):
        journal, token = Journal(context.server), device_token()
        run.expect_output(
            "sent", [PYTHON, client("gateway.py")], APNS_HOST="gateway.sandbox.push.apple.com", DEVICE=token,
            CERTIFICATE=issue_certificate(context),
        )
        record = journal.awaited(1)[0]
        expect("protocol", ("binary", token), (record["protocol"], record["apns"]["token"]))
    with context.report.case("intercept: the management of channels, sandbox and production"):
        for host, environment in {
            "api-manage-broadcast.sandbox.push.apple.com:2195": "sandbox",
            "api-manage-broadcast.push.apple.com:2196": "production",
        }.items():
            journal = Journal(context.server)
            script = CURL.split("--data")[0] + f"https://{host}/1/apps/com.example.app/all-channels"
            run.expect_output("200", ["sh", "-c", script])
            expect("environment", environment, journal.one()["environment"])
    with context.report.case("intercept: a port that the host does not have is refused"):
        code, _, errors = run.run(["sh", "-c", CURL], APNS_HOST=f"{PRODUCTION}:8443", DEVICE=device_token())
        expect_that(code == 7, "curl", "exit code 7: could not connect", (code, errors))


class Hello(BaseHTTPRequestHandler):
    """Another service of the machine."""

    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"another host")

    def log_message(self, *_):
        pass


def other_host_case(run, context):
    with context.report.case("intercept: another host, by its name, is reached as before"):
        server = HTTPServer(("127.0.0.1", 0), Hello)
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        certificates = context.server.certs_dir
        tls.load_cert_chain(os.path.join(certificates, "server.pem"), os.path.join(certificates, "server-key.pem"))
        server.socket = tls.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            script = f"curl --silent --show-error --noproxy '*' https://localhost:{server.server_port}/"
            run.expect_output("another host", ["sh", "-c", script])
        finally:
            server.shutdown()
            server.server_close()


def exec_cases(run, context):
    program = run.program[-1]
    inside = ["exec", "--intercept"]
    with context.report.case("exec --intercept: both environments in its own server"):
        listing = f"'{program}' pushes list --json"
        script = f"{CURL} && APNS_HOST={SANDBOX}:2197 DEVICE=abcd{'00' * 30} sh -c \"$PUSH\" && {listing}"
        code, output, errors = run.run(["sh", "-c", script], how=inside + ["--auth", "wellformed"],
                                       APNS_HOST=PRODUCTION, DEVICE=device_token(), PUSH=CURL)
        expect("exit code", (0, ""), (code, errors))
        first, second, listed = output.split("\n", 2)
        expect("answers", ("200", "200"), (first, second))
        seen = [push["environment"] for push in json.loads(listed)["pushes"]]
        expect("environments, newest first", ["sandbox", "production"], seen)

    with context.report.case("exec --intercept: an unknown key is explained once"):
        code, output, errors = run.run(["sh", "-c", f"{CURL}; {CURL}"], how=inside, APNS_HOST=PRODUCTION, DEVICE=device_token())
        expect("answers", (0, "403\n403\n"), (code, output))
        expect_that(errors.count("--auth wellformed") == 1, "the advice", "once", errors)

    with context.report.case("exec --no-trust: nothing is trusted"):
        code, _, errors = run.run(["sh", "-c", CURL], how=inside + ["--no-trust"], APNS_HOST=PRODUCTION, DEVICE=device_token())
        expect_that(code == 60, "curl", "exit code 60: not trusted", (code, errors))

    with context.report.case("exec --intercept below another is refused"):
        code, output, errors = run.run([program, "exec", "--intercept", "--", "true"])
        expect_that(code == 78 and "below another" in errors, "the inner one", "exit code 78", (code, output, errors))

    with context.report.case("exec --intercept without seccomp is refused"):
        number = {"x86_64": "317", "aarch64": "277"}[os.uname().machine]
        code, _, errors = run.run(["true"], how=inside, prefix=["python3", client("without_calls.py"), number])
        expect_that(code == 78 and "forbids seccomp filters" in errors, "it", "exit code 78 and why", (code, errors))

    with context.report.case("intercept says which hosts the server does not serve"):
        code, output, errors = run.run(
            [program, "intercept", "--", "sh", "-c", CURL], how=["exec"], APNS_HOST=PRODUCTION, DEVICE=device_token()
        )
        expect_that(code == 7 and "are refused" in errors, "curl", "exit code 7, and a note", (code, output, errors))
