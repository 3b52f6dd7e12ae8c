"""Forwarding to another mock-apns that behaves in another way, and to services that are slow or broken."""

import json
import os
import re
import socket
import threading
import time
from dataclasses import replace

from command_clients import Curl
from debug_api import DebugAPI
from mock_apns import LAST_RESORT, Server
from pushes import TOPIC, alert
from report import expect, expect_that

ALONE = ("--apns-listen", "127.0.0.1:0")


def binary_of(context):
    return context.server.program[-1]


def forwarding(context, target, *flags, environment=None):
    """A server that forwards to a URL, signed with the development key, which the other server knows as well."""
    key = context.server.get_json("/api/v1/info")["developmentKey"]
    return Server(
        binary_of(context), context.server.certs_dir, *ALONE, "--forward", target, "--forward-key",
        f"{key['path']},{key['keyId']},{key['teamId']}", "--forward-topic", TOPIC, "--forward-ca", context.server.ca, *flags,
        environment=environment,
    )


class Provider(Curl):
    """Sends to a server other than that of the group."""

    def __init__(self, context, server):
        super().__init__(context, server.apns[0])
        self._token = server.token()

    def push(self, device=None):
        push = alert(self._token)
        return self(replace(push, path=f"/3/device/{device}") if device else push)


def latest(server, api="/api/v1"):
    """The newest push, once it has what became of it at the other service."""
    until = time.monotonic() + LAST_RESORT
    while time.monotonic() < until:
        push = server.get_json(f"{api}/pushes/latest")
        if "forward" in push:
            return push
        time.sleep(0.01)
    raise RuntimeError("expected a forwarded push, saw none")


def matched(server, search):
    return server.get_json(f"/api/v1/pushes?q={search}&fields=summary")["matched"]


def metrics(server):
    lines = [line.rsplit(" ", 1) for line in server.get("/metrics").splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def agreeing_cases(context):
    with context.report.case("a push is forwarded, and both answers are recorded"):
        with forwarding(context, context.server.apns[0]) as server:
            expect("status", 200, Provider(context, server).push().status)
            push = latest(server)
            seen = {name: push["forward"][name] for name in ("status", "reason", "differs", "outcome", "error")}
            expect("forward", {"status": 200, "reason": None, "differs": False, "outcome": "same", "error": None}, seen)
            there = context.server.get_json("/api/v1/pushes/latest")
            expect("topic there", TOPIC, there["apns"]["topic"])
            expect("apns-id there", push["apns"]["id"].lower(), there["apns"]["id"].lower())
            expect("is:forwarded", 1, matched(server, "is:forwarded"))
            expect("is:differing", 0, matched(server, "is:differing"))
            expect("forwarded:200", 1, matched(server, "forwarded:200"))
            expect_that("forwarding accepted pushes" in server.log(), "the log", "where pushes go", server.log())


def namespace_cases(context):
    with context.report.case("pushes of namespaces are forwarded with --forward-namespaces"):
        with forwarding(context, context.server.apns[0], "--forward-namespaces") as server:
            api = DebugAPI(server)
            api.call("POST", "/api/v1/namespaces", {"name": "test", "inherit": "default"}, status=201)
            device = {"registrations": [{"topic": TOPIC}]}
            token = api.call("POST", "/api/v1/namespaces/test/devices", device, status=201)["registrations"][0]["token"]
            expect("status", 200, Provider(context, server).push(token).status)
            push = latest(server, "/api/v1/namespaces/test")
            expect("forward", (200, "same"), (push["forward"]["status"], push["forward"]["outcome"]))
            expect_that("of all namespaces" in server.log(), "the log", "that namespaces are forwarded", server.log())


def differing_cases(context):
    with context.report.case("another answer is found"):
        with Server(binary_of(context), context.server.certs_dir, *ALONE, "--unknown-tokens", "reject") as strict:
            with forwarding(context, strict.apns[0].replace("127.0.0.1", "localhost")) as server:
                expect("status", 200, Provider(context, server).push().status)
                push = latest(server)
                expect("forward", (400, "BadDeviceToken", True),
                       tuple(push["forward"][name] for name in ("status", "reason", "differs")))
                expect("is:differing", 1, matched(server, "is:differing"))
                row = server.get_json("/api/v1/pushes?fields=summary")["pushes"][0]
                expect("the row", "differs", row["forward"])
                for match, count in (({"forwarded": 400}, 1), ({"forwarded": 200}, 0), ({"q": "is:differing"}, 1)):
                    DebugAPI(server).call("POST", "/api/v1/pushes/verify", {"match": match, "count": {"exactly": count}})
                events = server.get("/api/v1/events?after=0&past=true&types=push.forwarded")
                expect("events", 1, events.count("event: push.forwarded"))
                counts = metrics(server)
                expect("metric", 1, counts['mock_apns_forwarded_total{outcome="differs"}'])
                code, out, problems = server.run("pushes", "show", push["id"], "--api", server.api)
                expect("exit code of pushes show", (0, ""), (code, problems))
                expect_that('"outcome":"differs"' in out, "pushes show", "the other answer", out)


def broken_cases(context):
    with context.report.case("a service that never answers does not delay the client"):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            with forwarding(context, f"http://127.0.0.1:{listener.getsockname()[1]}") as server:
                provider = Provider(context, server)
                for _ in range(5):
                    expect("status", 200, provider.push().status)
                expect("is:forwarded", 0, matched(server, "is:forwarded"))
    with context.report.case("a service that closes is a failure in the record"):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=serve_each, args=(listener, socket.socket.close), daemon=True).start()
            with forwarding(context, f"http://127.0.0.1:{listener.getsockname()[1]}") as server:
                expect("status", 200, Provider(context, server).push().status)
                push = latest(server)
                expect("forward", ("failed", None), (push["forward"]["outcome"], push["forward"]["status"]))
                expect_that(re.search("closed|broke", push["forward"]["error"]), "error", "that the connection ended", push["forward"]["error"])


def real_cases(context):
    with context.report.case("with --forward-answer real the client gets the service's answer"):
        with Server(binary_of(context), context.server.certs_dir, *ALONE, "--unknown-tokens", "reject") as strict:
            with forwarding(context, strict.apns[0], "--forward-answer", "real") as server:
                answer = Provider(context, server).push()
                expect("answer", (400, '{"reason":"BadDeviceToken"}'), (answer.status, answer.body))
                push = server.get_json("/api/v1/pushes/latest")
                expect("the mock's own", 200, push["response"]["status"])
                expect("forward", (400, True), (push["forward"]["status"], push["forward"]["differs"]))
                expect_that("clients get its answers" in server.log(), "the log", "whose answer clients get", server.log())
    with context.report.case("with --forward-answer real a service that closes leaves the mock's answer"):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=serve_each, args=(listener, socket.socket.close), daemon=True).start()
            target = f"http://127.0.0.1:{listener.getsockname()[1]}"
            with forwarding(context, target, "--forward-answer", "real") as server:
                expect("status", 200, Provider(context, server).push().status)


def certificate_cases(context):
    with context.report.case("pushes are forwarded with a client certificate"):
        path = os.path.join(context.directory, "forward.pem")
        code, _, problems = context.server.run(
            "certs", "issue", "--topic", TOPIC, "-o", path, "--api", context.server.api)
        expect_that(code == 0, "certs issue", "exit code 0", problems)
        with Server(
            binary_of(context), context.server.certs_dir, *ALONE, "--forward", context.server.apns[0], "--forward-cert",
            path, "--forward-topic", TOPIC, "--forward-ca", context.server.ca,
        ) as server:
            expect("status", 200, Provider(context, server).push().status)
            push = latest(server)
            expect("forward", (200, None), (push["forward"]["status"], push["forward"]["error"]))
            there = context.server.get_json("/api/v1/pushes/latest")
            expect("auth there", ("certificate", TOPIC), (there["auth"]["kind"], there["auth"]["certificate"]))
            expect_that("authorization" not in json.dumps(there["request"]["headers"]), "headers there", "no token",
                        there["request"]["headers"])


def proxy_cases(context):
    with context.report.case("pushes are forwarded through HTTPS_PROXY"):
        asked = []

        def tunnel(connection):
            head = b""
            while not head.endswith(b"\r\n\r\n"):
                head += connection.recv(1)
            asked.append(head.split(b"\r\n")[0].decode())
            port = int(asked[-1].split()[1].rpartition(":")[2])
            with socket.create_connection(("127.0.0.1", port)) as there:
                connection.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                back = threading.Thread(target=copy, args=(there, connection), daemon=True)
                back.start()
                copy(connection, there)
                back.join()

        with socket.create_server(("127.0.0.1", 0)) as listener:
            threading.Thread(target=serve_each, args=(listener, tunnel), daemon=True).start()
            proxy = {"HTTPS_PROXY": f"http://127.0.0.1:{listener.getsockname()[1]}", "NO_PROXY": "", "no_proxy": ""}
            port = context.server.apns[0].rpartition(":")[2]
            with forwarding(context, f"https://localhost:{port}", environment=proxy) as server:
                expect("status", 200, Provider(context, server).push().status)
                push = latest(server)
                expect("forward", (200, None), (push["forward"]["status"], push["forward"]["error"]))
                expect("asked of the proxy", [f"CONNECT localhost:{port} HTTP/1.1"], asked)


def serve_each(listener, serve):
    """Serves connections, each on a thread, until the listener is closed."""
    while True:
        try:
            connection = listener.accept()[0]
        except OSError:
            return
        threading.Thread(target=serve, args=(connection,), daemon=True).start()


def copy(source, target):
    try:
        while part := source.recv(65_536):
            target.sendall(part)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def option_cases(context):
    certs = os.path.join(context.directory, "unused")
    for name, flags, part in (
        ("no topic", ("--forward", "sandbox", "--forward-key", "x"), "--forward-key"),
        ("no key", ("--forward", "sandbox", "--forward-topic", TOPIC), "--forward needs --forward-key"),
        ("no service", ("--forward-topic", TOPIC), "--forward-topic needs --forward"),
        ("no address", ("--forward", "apple"), "invalid --forward 'apple'"),
        ("another answer", ("--forward", "sandbox", "--forward-answer", "both"), "invalid --forward-answer 'both'"),
    ):
        with context.report.case(f"--forward with {name} is refused"):
            code, _, problems = context.server.run("serve", "--certs-dir", certs, *ALONE, *flags)
            expect_that(code != 0, "exit code", "not 0", code)
            expect_that(part in problems, "error", part, problems)
    with context.report.case("the server itself is refused as the service"):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        key = context.server.get_json("/api/v1/info")["developmentKey"]
        code, _, problems = context.server.run(
            "serve", "--certs-dir", context.server.certs_dir, "--apns-listen", f"127.0.0.1:{port}", "--api-listen",
            "127.0.0.1:0", "--forward", f"https://localhost:{port}", "--forward-topic", TOPIC, "--forward-key",
            f"{key['path']},{key['keyId']},{key['teamId']}",
        )
        expect_that(code != 0 and "this server itself" in problems, "error", "this server itself", json.dumps([code, problems]))


def forward_cases(context):
    agreeing_cases(context)
    namespace_cases(context)
    differing_cases(context)
    broken_cases(context)
    real_cases(context)
    certificate_cases(context)
    proxy_cases(context)
    option_cases(context)
