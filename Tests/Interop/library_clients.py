"""Clients that programs use: aioapns (PyPI), Node's http2, Go's x/net/http2."""

import json
import os
import subprocess
import time
import urllib.parse
import uuid
from dataclasses import replace

from mock_apns import LAST_RESORT
from pushes import PAYLOAD, TOPIC, Answer, Journal, Push, alert, check_answer, check_record, device_token, signature_of
from report import BUILDING, expect, expect_that

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(HERE, "..", "..", ".build")
PARALLEL = 200


def run_job(command, job, directory=None):
    """Hands a client its job; returns what it printed."""
    ended = subprocess.run(
        command, input=json.dumps(job), capture_output=True, text=True, timeout=LAST_RESORT, cwd=directory, check=False
    )
    if ended.returncode != 0:
        raise RuntimeError(f"expected exit code 0 of {command[0]}, saw {ended.returncode}: {ended.stderr.strip()}")
    return json.loads(ended.stdout)


class JobClient:
    """A client that takes requests as they are and prints the answers."""

    def __init__(self, context, command, directory=None, base=None):
        """`base` is the address; by default the listener for pushes."""
        self._context = context
        # By name: Node sends no server name for an address.
        self._base = (base or context.tls_url).replace("127.0.0.1", "localhost")
        self._command = command
        self._directory = directory

    def send_all(self, pushes, parallel=False):
        job = {
            "base": self._base,
            "ca": self._context.server.ca,
            "requests": [push.as_job() for push in pushes],
            "parallel": parallel,
        }
        return [Answer.from_json(answer) for answer in run_job(self._command, job, self._directory)["answers"]]

    def __call__(self, push):
        return self.send_all([push])[0]

    def parallel_case(self, name, pushes):
        """Many streams at once on one connection, more than the one it starts with."""
        with self._context.report.case(name):
            journal = Journal(self._context.server)
            answers = self.send_all(pushes, parallel=True)
            for push, answer in zip(pushes, answers):
                check_answer(push, answer)
            check_parallel_records(journal, [push.header("apns-id") for push in pushes])


def check_parallel_records(journal, ids):
    records = journal.records(len(ids))
    expect("apns-ids in the journal", sorted(ids), sorted(record["apns"]["id"] for record in records))
    expect("connections in the journal", 1, len({record["connection"]["id"] for record in records}))
    expect("streams in the journal", len(ids), len({record["connection"]["streamId"] for record in records}))


def node_command():
    return ["node", os.path.join(HERE, "clients", "push.mjs")]


def node_cases(context):
    node = JobClient(context, node_command())
    token = context.token
    context.check("node accepted", alert(token), node)

    odd_type = alert(token).with_headers(apns_push_type="carrier-pigeon")
    context.check("node InvalidPushType", odd_type.rejected(400, "InvalidPushType"), node)

    bad_id = alert(token).with_headers(apns_id="not-a-uuid")
    context.check("node BadMessageId", bad_id.rejected(400, "BadMessageId"), node)

    node.parallel_case(f"node {PARALLEL} streams at once", [alert(token) for _ in range(PARALLEL)])


def go_environment():
    """Debian's packages are sources under a GOPATH, so nothing is downloaded."""
    return {
        **os.environ, "GO111MODULE": "off", "GOFLAGS": "", "CGO_ENABLED": "0",
        "GOPATH": os.environ.get("INTEROP_GOPATH", "/usr/share/gocode"),
        "GOCACHE": os.path.abspath(os.path.join(BUILD, "go-cache")),
    }


def build_go_client(context):
    binary = os.path.join(context.directory, "gopush")
    built = subprocess.run(
        ["go", "build", "-o", binary, "."], cwd=os.path.join(HERE, "clients", "gopush"), env=go_environment(),
        capture_output=True, text=True, check=False,
    )
    if built.returncode != 0:
        raise RuntimeError(f"expected the Go client to build, saw: {built.stderr.strip()}")
    return binary


def go_cases(context):
    with context.report.case("go client builds against x/net/http2", long=BUILDING):
        go = JobClient(context, [build_go_client(context)])
    if "go" not in locals():
        return  # the line above has said why
    token = context.token
    push = replace(alert(token), in_order=False)  # Go keeps header fields in a map
    context.check("go accepted", replace(push, path=f"/3/device/{device_token()}"), go)

    fraction = push.with_headers(apns_expiration="1754402113.5")
    context.check("go BadExpirationDate", fraction.rejected(400, "BadExpirationDate"), go)

    hurried = push.with_headers(apns_push_type="background", apns_priority="10")
    context.check("go BadPriority", hurried.rejected(400, "BadPriority"), go)

    old = context.server.token("--issued-at", str(int(time.time()) - 3_700))
    expired = push.with_headers(authorization=f"bearer {old}").rejected(403, "ExpiredProviderToken", "expired")
    context.check("go ExpiredProviderToken", expired, go, signatures=[signature_of(old)])

    unsigned, signature = token.rsplit(".", 1)
    # Another first character: still a signature by its form.
    forged = ("B" if signature[0] == "A" else "A") + signature[1:]
    wrong = push.with_headers(authorization=f"bearer {unsigned}.{forged}")
    wrong = wrong.rejected(403, "InvalidProviderToken", "bad-signature")
    context.check("go InvalidProviderToken", wrong, go, signatures=[forged])

    many = [replace(alert(token), in_order=False) for _ in range(PARALLEL)]
    go.parallel_case(f"go {PARALLEL} streams at once", many)


def aioapns_notification(**changes):
    return {
        "device_token": device_token(), "message": json.loads(PAYLOAD), "notification_id": str(uuid.uuid4()),
        "priority": 10, "collapse_key": "interop", "push_type": "alert", **changes,
    }


def as_sent_by_aioapns(notification):
    """The request that aioapns makes of a notification: its order of headers, its JSON."""
    return Push(
        path=f"/3/device/{notification['device_token']}",
        headers=[
            ("apns-id", notification["notification_id"]),
            ("apns-topic", TOPIC),
            ("apns-priority", str(notification["priority"])),
            ("apns-collapse-id", notification["collapse_key"]),
            ("apns-push-type", notification["push_type"]),
            ("authorization", "bearer <its own>"),
        ],
        body=json.dumps(notification["message"], ensure_ascii=False),
    )


def aioapns_cases(context):
    python = os.path.join(BUILD, "interop-venv", "bin", "python")
    key = context.server.get_json("/api/v1/info")["developmentKey"]
    address = urllib.parse.urlsplit(context.tls_url)

    def run(notifications, parallel):
        job = {
            "host": "localhost", "port": address.port, "ca": context.server.ca, "keyFile": key["path"],
            "keyId": key["keyId"], "teamId": key["teamId"], "topic": TOPIC,
            "notifications": notifications, "parallel": parallel,
        }
        return run_job([python, os.path.join(HERE, "clients", "aioapns_push.py")], job)

    def case(name, notification, status=200, reason=None):
        with context.report.case(f"aioapns {name}"):
            journal = Journal(context.server)
            done = run([notification], parallel=False)
            expected = {"id": notification["notification_id"], "status": status, "reason": reason}
            expect("answer", expected, done["answers"][0])
            record = journal.one()
            push = replace(as_sent_by_aioapns(notification), status=status, reason=reason)
            # The library keeps no headers: those of the record are checked for the id alone.
            body = "" if reason is None else json.dumps({"reason": reason}, separators=(",", ":"))
            fields = [(name, value) for name, value in record["response"]["headers"] if name != ":status"]
            answer = Answer(status, fields, body)
            expect("apns-id in the record's response", notification["notification_id"], answer.header("apns-id"))
            # Its TLS offers no ALPN; the real service speaks HTTP/2 to it all the same.
            check_record(
                context.server, record, push, answer, [signature_of(done["authorization"])], alpn=None
            )

    case("accepted", aioapns_notification())
    case("BadCollapseId", aioapns_notification(collapse_key="x" * 65), 400, "BadCollapseId")
    case("PayloadTooLarge", aioapns_notification(message={"aps": {"alert": "x" * 4_096}}), 413, "PayloadTooLarge")

    with context.report.case(f"aioapns {PARALLEL} notifications at once"):
        journal = Journal(context.server)
        notifications = [aioapns_notification() for _ in range(PARALLEL)]
        done = run(notifications, parallel=True)
        expect_that(
            all(answer["status"] == 200 for answer in done["answers"]), "answers", "200 each", done["answers"]
        )
        expect("connections", 1, done["connections"])
        check_parallel_records(journal, [notification["notification_id"] for notification in notifications])
