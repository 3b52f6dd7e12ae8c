"""Faults, end to end: what curl, Node and Go make of what goes wrong on purpose."""

import os

from command_clients import Curl, run
from debug_api import DebugAPI
from library_clients import build_go_client, node_command, run_job
from mock_apns import LAST_RESORT, Server
from pushes import Context, alert
from report import expect, expect_that

# curl's exit codes: https://curl.se/libcurl/c/libcurl-errors.html
CURL_TIMED_OUT = 28
CURL_TLS_FAILED = 35
CURL_UNTRUSTED = 60
CURL_STREAM_ERROR = 92


class Faults:
    """A server of its own, with clients for it; every case begins without faults."""

    def __init__(self, context, server):
        self.server = server
        self.api = DebugAPI(server)
        self.report = context.report
        self.context = Context(server, context.report, context.directory)
        self.curl = Curl(self.context, self.context.tls_url)
        self.base = self.context.tls_url.replace("127.0.0.1", "localhost")

    def case(self, name):
        self.api.call("POST", "/api/v1/reset", {"only": ["faults", "pushes"], "connections": "close"})
        return self.report.case(f"faults: {name}")

    def add(self, do, match=None, **when):
        """The id of a fault that is in force from here on."""
        fault = {"do": do, "match": match or {}, "when": when}
        return self.api.call("POST", "/api/v1/faults", fault, status=201)["id"]

    def preset(self, name, **parameters):
        return self.api.call("POST", f"/api/v1/faults/presets/{name}", parameters, status=201)["id"]

    def stats(self, fault):
        return self.api.get(f"/api/v1/faults/{fault}")["stats"]

    def push(self):
        return alert(self.context.token)

    def curl_exit(self, *options, timeout=LAST_RESORT):
        push = self.push()
        command = self.curl.command(push, "--max-time", str(timeout), "-o", os.devnull, *options)
        return run(command, push.body.encode()).returncode

    def with_client(self, command, count, stay=False):
        """What each of so many pushes, one after the other on one connection, hears: a status, or the error."""
        requests = [self.push().as_job() for _ in range(count)]
        job = {"base": self.base, "ca": self.server.ca, "requests": requests, "parallel": False, "stay": stay}
        answers = run_job(command, job)["answers"]
        return [answer.get("error") or answer["status"] for answer in answers]

    def records(self):
        return self.api.get("/api/v1/pushes?order=asc&limit=1000")["pushes"]


def curl_cases(faults):
    with faults.case("curl hears another answer, twice, and then the usual one"):
        fault = faults.add({"respond": {"status": 503, "headers": {"retry-after": "2"}}}, times=2)
        answers = [faults.curl(faults.push()) for _ in range(3)]
        expect("statuses", [503, 503, 200], [answer.status for answer in answers])
        expect("body", '{"reason":"ServiceUnavailable"}', answers[0].body)
        expect("retry-after", ["2", "2", None], [answer.header("retry-after") for answer in answers])
        records = faults.records()
        expect("faults", [[fault], [fault], []], [record["faults"] for record in records])
        expect("decidedBy", f"fault:{fault}", records[0]["verdict"]["decidedBy"])
        expect("fired for", [record["id"] for record in records[:2]], faults.stats(fault)["firedFor"])

    with faults.case("curl hears of a living token that it is dead, with a time"):
        faults.preset("unregistered", times=1)
        answer = faults.curl(faults.push())
        expect("status", 410, answer.status)
        expect_that('"timestamp":' in answer.body, "body", "a timestamp", answer.body)

    with faults.case("curl has its stream reset"):
        faults.add({"stream": {"reset": "INTERNAL_ERROR"}})
        expect("exit code", CURL_STREAM_ERROR, faults.curl_exit())
        expect("status", 0, faults.records()[0]["response"]["status"])

    with faults.case("curl's connection breaks"):
        for how in ("rst", "fin"):
            faults.api.call("DELETE", "/api/v1/faults?all=true")
            faults.add({"connection": how})
            code = faults.curl_exit()
            expect_that(code not in (0, CURL_TIMED_OUT), f"exit code of {how}", "an error of the connection", code)

    with faults.case("curl waits in vain"):
        for how in ("stall", "blackhole"):
            faults.api.call("DELETE", "/api/v1/faults?all=true")
            faults.add({"connection": how})
            expect(f"exit code of {how}", CURL_TIMED_OUT, faults.curl_exit(timeout=2))

    with faults.case("curl gets no further than the handshake"):
        for how, code in (
            ("expired-cert", CURL_UNTRUSTED), ("wrong-host", CURL_UNTRUSTED), ("alert:40", CURL_TLS_FAILED),
        ):
            faults.api.call("DELETE", "/api/v1/faults?all=true")
            faults.add({"handshake": how})
            expect(f"exit code of {how}", code, faults.curl_exit())
        expect("pushes", [], faults.records())

    with faults.case("curl gets late, slow and broken answers"):
        for do in ({"delay": {"for": "50ms", "jitter": "20ms"}}, {"slow": {"bytesPerSecond": 100_000}}):
            faults.api.call("DELETE", "/api/v1/faults?all=true")
            faults.add(do)
            expect(f"status with {do}", 200, faults.curl(faults.push()).status)
        faults.api.call("DELETE", "/api/v1/faults?all=true")
        faults.add({"body": "huge"})
        answer = faults.curl(faults.push().rejected(400, "BadPriority").with_headers(apns_priority="7"))
        expect("status and length", (400, 1 << 20), (answer.status, len(answer.body)))

    with faults.case("curl gets a body that is cut short, none, or a page"):
        bad = faults.push().rejected(400, "BadPriority").with_headers(apns_priority="7")
        for body, length in (("empty", 0), ("malformed", 66)):
            faults.api.call("DELETE", "/api/v1/faults?all=true")
            faults.add({"body": body})
            answer = faults.curl(bad)
            expect(f"status and length of {body}", (400, length), (answer.status, len(answer.body)))
        faults.api.call("DELETE", "/api/v1/faults?all=true")
        faults.add({"body": "truncated"})
        expect("exit code of truncated", CURL_STREAM_ERROR, faults.curl_exit())

    with faults.case("what is lost is accepted, and never delivered"):
        faults.preset("lossy-5pct", probability=1, times=1)
        expect("statuses", [200, 200], [faults.curl(faults.push()).status for _ in range(2)])
        expect(
            "states", ["not-attempted", "delivered"],
            [record["delivery"]["state"] for record in faults.records()],
        )


def client_cases(faults, name, command, cut_short):
    with faults.case(f"{name} gets a body that is cut short, and others as they are"):
        faults.add({"body": "truncated"}, times=1)
        for body in ("empty", "malformed", "huge"):
            faults.add({"body": body}, times=1)
        answers = faults.with_client(command, 5)
        expect_that(cut_short in str(answers[0]), "the first answer", cut_short, answers[0])
        expect("the others", [200, 200, 200, 200], answers[1:])

    with faults.case(f"{name} hears a GOAWAY that keeps the connection open"):
        fault = faults.preset("shutdown-keep-open", times=1)
        expect("answers", [503], faults.with_client(command, 1))
        expect("fired", 1, faults.stats(fault)["fired"])

    with faults.case(f"{name} has one stream reset, and goes on"):
        faults.add({"stream": {"reset": "INTERNAL_ERROR"}}, skip=1, times=1)
        answers = faults.with_client(command, 3)
        expect("first and last", [200, 200], [answers[0], answers[2]])
        expect_that(isinstance(answers[1], str), "second", "an error", answers[1])
        expect("records", [200, 0, 200], [record["response"]["status"] for record in faults.records()])

    with faults.case(f"{name} lives with one stream"):
        faults.preset("one-stream")
        expect("answers", [200] * 5, faults.with_client(command, 5))

    with faults.case(f"{name} hears 429s by chance, the same ones again"):
        patterns = []
        for _ in range(2):
            faults.api.call("POST", "/api/v1/reset", {"only": ["faults"]})
            fault = faults.preset("too-many-requests", probability=0.5)
            patterns.append(faults.with_client(command, 12))
            draws = faults.stats(fault)["draws"]
            expect("what the draws say", [429 if draw["fired"] else 200 for draw in draws], patterns[-1])
        expect("second run", patterns[0], patterns[1])
        expect("answers there are", {200, 429}, set(patterns[0]))


def node_idle_case(faults):
    with faults.case("node's idle connection is reset"):
        fault = faults.preset("idle-rst", idle="300ms", times=1)
        push = faults.push()
        job = {
            "base": faults.base, "ca": faults.server.ca, "requests": [push.as_job()], "parallel": False, "stay": True,
        }
        # Node calls the reset an error of the session, and push.mjs ends with it.
        try:
            run_job(node_command(), job)
        except RuntimeError as error:
            expect_that("ECONNRESET" in str(error), "Node's error", "ECONNRESET", str(error))
        else:
            raise RuntimeError("expected Node's session to fail, saw it end well")
        expect("fired", 1, faults.stats(fault)["fired"])


def start_case(context, binary):
    with context.report.case("faults: those of the start come back with a reset, from the environment too"):
        flags = ("--apns-listen", "127.0.0.1:0")
        environment = {"MOCK_APNS_FAULT": "unregistered:times=1 slow-1s:delay=1ms"}
        with Server(binary, context.server.certs_dir, *flags, environment=environment) as server:
            faults = Faults(context, server)
            expect("first", 410, faults.curl(faults.push()).status)
            expect("second", 200, faults.curl(faults.push()).status)
            faults.api.call("DELETE", "/api/v1/faults?all=true")
            faults.api.call("POST", "/api/v1/reset")
            names = [fault["preset"] for fault in faults.api.get("/api/v1/faults")["faults"]]
            expect("after the reset", ["unregistered", "slow-1s"], names)
            expect("once more", 410, faults.curl(faults.push()).status)


def fault_cases(context):
    """A server of its own: what goes wrong there is nobody else's business."""
    binary = context.server.program[-1]
    with Server(binary, context.server.certs_dir, "--apns-listen", "127.0.0.1:0", "--threads", "1", "--seed",
                "42") as server:
        faults = Faults(context, server)
        curl_cases(faults)
        client_cases(faults, "node", node_command(), "NGHTTP2_PROTOCOL_ERROR")
        client_cases(faults, "go", [build_go_client(context)], "unexpected EOF")
        node_idle_case(faults)
    start_case(context, binary)
