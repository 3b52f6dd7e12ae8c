"""Connections that end under load: no answer is lost, and nothing that is sent again is in the journal twice."""

import threading

from devices import until
from faults import Faults
from library_clients import build_go_client, node_command, run_job
from lost_answers import lost_answer_cases
from mock_apns import Server
from removals import removal_cases
from report import expect

# As many as a list of the journal shows.
PUSHES = 1_000
# When connections end: after so many pushes.
BEFORE = 50


def reset_in_the_middle(faults):
    """Closes the connections once some pushes have come."""

    def close():
        until("the first pushes", lambda: faults.api.get("/api/v1/pushes/count")["count"] >= BEFORE)
        faults.api.call("POST", "/api/v1/reset", {"only": ["devices"], "connections": "close"})

    closing = threading.Thread(target=close, daemon=True)
    closing.start()
    return closing


def resending_cases(faults, name, command, times):
    """Many pushes at once; those without an answer are sent again, as RFC 9113 allows, by the client or here.

    So many connections are struck: one for a client that leaves it to its user to send again.
    """
    for ending, begin in {
        "close: drain": lambda: faults.add({"goaway": {"close": "drain"}}, afterRequests=BEFORE, times=times),
        "close: now": lambda: faults.add({"goaway": {"close": "now"}}, afterRequests=BEFORE, times=times),
        "goaway-then-refuse": lambda: faults.preset("goaway-then-refuse", after=BEFORE, times=1),
        "shutdown-keep-open": lambda: faults.preset("shutdown-keep-open", skip=BEFORE, times=1),
        "a reset": lambda: reset_in_the_middle(faults),
    }.items():
        with faults.case(f"{name} sends again after {ending}: nothing twice, nothing missing"):
            begin()
            waiting = [faults.push() for _ in range(PUSHES)]
            ids = sorted(push.header("apns-id") for push in waiting)
            for _ in range(4):
                requests = [push.as_job() for push in waiting]
                job = {"base": faults.base, "ca": faults.server.ca, "requests": requests, "parallel": True}
                answers = run_job(command, job)["answers"]
                waiting = [push for push, answer in zip(waiting, answers) if answer.get("status") != 200]
                if not waiting:
                    break
            expect("pushes without an answer", 0, len(waiting))
            accepted = faults.api.get("/api/v1/pushes?outcome=accepted&limit=1000")
            expect("accepted pushes", PUSHES, accepted["matched"])
            expect("their ids", ids, sorted(record["apns"]["id"] for record in accepted["pushes"]))


def ending_cases(context):
    """A server of its own: its connections end all the time."""
    binary = context.server.program[-1]
    lost_answer_cases(context, binary)
    removal_cases(context, binary)
    with Server(binary, context.server.certs_dir, "--apns-listen", "127.0.0.1:0") as server:
        faults = Faults(context, server)
        resending_cases(faults, "node", node_command(), times=1)
        resending_cases(faults, "go", [build_go_client(context)], times=10)
