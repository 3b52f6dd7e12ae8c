"""No answer gets lost when a connection ends.

Clients push at full speed over several connections while these end, in every way that KINDS lists. Every accepted push in
the server's journal must have a response that a client has read, and none on a stream that a GOAWAY of the connection has
called unprocessed.
"""

import json
import random
import threading
import time
import urllib.request

from mock_apns import DIRECT, LAST_RESORT, Server
from push_link import Link, converse
from report import expect, expect_that

# How often each kind is run.
ROUNDS = 2
LONG = 300
CONNECTIONS = 4
PUSHES = 500


class Run:
    """A server, and the clients of one round."""

    def __init__(self, server):
        self.server = server
        self.token = server.token()
        self.links = []

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server.api + path, data=data, method=method)
        request.add_header("content-type", "application/json")
        with DIRECT.open(request, timeout=LAST_RESORT) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def accepted(self):
        """The pushes that were accepted since the server started, those of removed namespaces included."""
        total = 0
        for line in self.server.get("/metrics").splitlines():
            if line.startswith("mock_apns_pushes_received_total{") and 'outcome="accepted"' in line:
                total += int(float(line.rsplit(" ", 1)[1]))
        return total

    def await_ends(self):
        """Waits until the server has no connection open."""
        end = time.monotonic() + LAST_RESORT
        while time.monotonic() < end:
            connections = self.call("GET", "/api/v1/connections")["connections"]
            if all(connection["state"] != "open" for connection in connections):
                return

    def push(self, trigger=None, base=None, links=CONNECTIONS, **options):
        """Pushes over all connections until they have ended; `trigger` is called in the middle, on a thread that is
        returned. Every other client writes everything before it reads the first answer."""
        base = base or self.server.apns[0]
        self.links = [
            Link(base, self.server.ca, self.token, PUSHES, reads_late=number % 2 == 1, **options)
            for number in range(links)
        ]
        thread = threading.Thread(target=trigger or (lambda: None))
        converse(self.links, thread.start, after=random.randrange(1, links * PUSHES // 2))
        return thread


def with_fault(action, **when):
    """A kind that a fault causes, at another push of each round."""

    def work(run):
        trigger = {"afterRequests": random.randrange(0, PUSHES - 1), **when}
        fault = run.call("POST", "/api/v1/faults", {"when": trigger, "do": action})
        run.push()
        run.call("DELETE", f"/api/v1/faults/{fault['id']}")

    return work


def with_preset(name):
    def work(run):
        choices = {"skip": random.randrange(1, PUSHES), "times": 1}
        fault = run.call("POST", f"/api/v1/faults/presets/{name}", choices)
        # The connection stays open: it is the client that ends it.
        run.push(ends="goaway", links=1)
        # What the client had sent before is still refused: the fault stays until the server has read it all.
        run.await_ends()
        run.call("DELETE", f"/api/v1/faults/{fault['id']}")

    return work


def reset(run):
    body = {"only": ["devices"], "connections": "close"}
    run.push(lambda: run.call("POST", "/api/v1/reset", body)).join(LAST_RESORT)


def namespace(run):
    made = run.call("POST", "/api/v1/namespaces", {"name": f"n{random.getrandbits(32):x}"})
    run.push(lambda: run.call("DELETE", f"/api/v1/namespaces/{made['name']}"), base=made["apns"]).join(LAST_RESORT)


def error_limit(run):
    # So many that five in a row come, or the connections would stay open.
    run.push(invalid=0.6)


def idle(run):
    """Each connection is idle for the server's 1 s limit, then pushes at the moment when that ends it."""
    run.push(pause=random.uniform(0.9, 2.1))


def goodbye(run):
    run.push(ends="close_notify")


def half_close(run):
    run.push(base=run.server.apns[1], ends="fin")


KINDS = {
    "close: drain": (with_fault({"goaway": {"close": "drain"}}), ()),
    "close: now": (with_fault({"goaway": {"close": "now"}}), ()),
    "shutdown-keep-open": (with_preset("shutdown-keep-open"), ()),
    "goaway-then-refuse": (with_preset("goaway-then-refuse"), ()),
    "reset": (reset, ()),
    "namespace": (namespace, ()),
    "SIGTERM": (None, ()),
    "close_notify": (goodbye, ()),
    "half-closed": (half_close, ()),
    "error limit": (error_limit, ("--error-limit", "5")),
    "idle": (idle, ("--idle-timeout", "1s")),
}


def stop_round(binary, certs, totals):
    """SIGTERM: a request that has not ended keeps the server until the journal has been asked, or for its few seconds.

    There is no result if the server had ended before that, on a busy machine.
    """
    with Server(binary, certs, "--apns-listen", "127.0.0.1:0") as server:
        run = Run(server)
        holder = Link(server.apns[0], server.ca, run.token, 1, is_whole=False)
        converse([holder], None, until=lambda: not holder.unsent)
        stopping = run.push(server.stop)
        try:
            totals.note(run.accepted(), run.links)
        except OSError:
            pass
        finally:
            holder.socket.close()
            stopping.join(LAST_RESORT)


class Totals:
    def __init__(self):
        self.rounds = self.accepted = self.answered = self.above = 0

    def note(self, accepted, links):
        self.rounds += 1
        self.accepted += accepted
        self.answered += sum(link.accepted for link in links)
        self.above += sum(link.above for link in links)


def run_kind(binary, certs, kind):
    work, flags = KINDS[kind]
    totals = Totals()
    if work is None:
        attempts = 0
        while totals.rounds < ROUNDS:
            expect_that(attempts < 10 * ROUNDS, "a server that can be asked while it stops", "one", f"none of {attempts}")
            stop_round(binary, certs, totals)
            attempts += 1
        return totals
    listeners = ("--apns-listen", "127.0.0.1:0", "--apns-listen", "h2c://127.0.0.1:0")
    with Server(binary, certs, *listeners, *flags) as server:
        run = Run(server)
        for _ in range(ROUNDS):
            before = run.accepted()
            work(run)
            totals.note(run.accepted() - before, run.links)
    return totals


def lost_answer_cases(context, binary):
    for kind in KINDS:
        with context.report.case(f"{kind}: every accepted push has an answer that was read", long=LONG):
            totals = run_kind(binary, context.server.certs_dir, kind)
            expect_that(totals.accepted > 0, "accepted pushes", "some", "none")
            expect("accepted pushes with an answer", totals.accepted, totals.answered)
            expect("answers above a GOAWAY", 0, totals.above)
