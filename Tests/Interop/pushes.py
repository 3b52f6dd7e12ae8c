"""What is sent, what must be answered, and what the journal must say of it."""

import base64
import json
import re
import secrets
import uuid
from dataclasses import dataclass, field, replace

from mock_apns import LAST_RESORT
from report import expect, expect_that

TOPIC = "com.example.app"
PAYLOAD = '{"aps":{"alert":{"title":"Interop","body":"Grüße 🎈"},"badge":3,"sound":"default"}}'
UPPER_CASE_ID = re.compile(r"^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$")
LOWER_CASE_ID = re.compile(r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")


@dataclass
class Answer:
    """What a client got."""

    status: int
    headers: list
    body: str

    @classmethod
    def from_json(cls, answer):
        if answer.get("error"):
            raise RuntimeError(f"expected an answer, saw {answer['error']}")
        return cls(answer["status"], [tuple(pair) for pair in answer["headers"]], answer["body"])

    def header(self, name):
        return next((value for key, value in self.headers if key == name), None)


@dataclass
class Push:
    """A request and what must become of it; `reason` None means accepted."""

    path: str
    headers: list
    body: str = PAYLOAD
    method: str = "POST"
    status: int = 200
    reason: str = None
    verification: str = "verified"
    # False for clients that send header fields in no order of their own choice.
    in_order: bool = True

    def as_job(self):
        return {"method": self.method, "path": self.path, "headers": self.headers, "body": self.body}

    def header(self, name):
        return next((value for key, value in self.headers if key == name), None)

    def with_headers(self, **changes):
        """The same push with headers replaced in place, appended, or (None) left out."""
        wanted = {name.replace("_", "-"): value for name, value in changes.items()}
        headers = [(name, wanted.pop(name, value)) for name, value in self.headers]
        headers += wanted.items()
        return replace(self, headers=[(name, value) for name, value in headers if value is not None])

    def rejected(self, status, reason, verification="verified"):
        return replace(self, status=status, reason=reason, verification=verification)


def device_token():
    return secrets.token_hex(32)


def alert(token):
    """An ordinary push that is accepted."""
    return Push(
        path=f"/3/device/{device_token()}",
        headers=[
            ("authorization", f"bearer {token}"),
            ("apns-id", str(uuid.uuid4())),
            ("apns-topic", TOPIC),
            ("apns-push-type", "alert"),
            ("apns-priority", "10"),
            ("apns-expiration", "0"),
            ("apns-collapse-id", "interop"),
        ],
    )


def check_answer(push, answer, sandbox=True):
    """The answer on the wire."""
    expect("status", push.status, answer.status)
    body = "" if push.reason is None else json.dumps({"reason": push.reason}, separators=(",", ":"))
    expect("body", body, answer.body)
    expect("content-type", None, answer.header("content-type"))
    sent, got = push.header("apns-id"), answer.header("apns-id")
    if sent is not None and push.reason != "BadMessageId":
        expect("apns-id", sent, got)
    else:
        expect_that(UPPER_CASE_ID.match(got or ""), "apns-id", "a new upper-case UUID", got)
    if push.reason is None:
        unique = answer.header("apns-unique-id")
        if sandbox:
            expect_that(LOWER_CASE_ID.match(unique or ""), "apns-unique-id", "a lower-case UUID", unique)
        else:
            expect("apns-unique-id", None, unique)


class Journal:
    """The pushes recorded since this object was made."""

    def __init__(self, server):
        self._server = server
        self.start = server.get_json("/api/v1/pushes?limit=1")["journal"]["lastSeq"]

    def records(self, count):
        """The records since the start, which must be `count`; each with the very text it came in."""
        listing = self._server.get_json(f"/api/v1/pushes?after={self.start}&limit=1000&order=asc")
        expect("records in the journal", count, listing["matched"])
        expect("records listed", count, len(listing["pushes"]))
        return listing["pushes"]

    def awaited(self, count):
        """The same for pushes without a response: waits until they are there."""
        waiting = f"/api/v1/pushes?after={self.start}&wait=60s&count={count}&limit=1"
        for _ in range(LAST_RESORT // 60):
            if self._server.get_json(waiting)["satisfied"]:
                break
        return self.records(count)

    def one(self):
        return self.records(1)[0]


def check_record(server, record, push, answer, signatures, tls="TLSv1.3", alpn="h2"):
    """One record of the journal against what was sent and answered."""
    expect("record fetched by its id", record, server.get_json(f"/api/v1/pushes/{record['id']}"))
    _check_request(record["request"], push)
    _check_verdict(record, push, answer)

    expect("apns.id", answer.header("apns-id"), record["apns"]["id"])
    expect("auth.verification", push.verification, record["auth"]["verification"])
    if push.verification == "verified":
        key = server.get_json("/api/v1/info")["developmentKey"]
        expect("auth.kind", "token", record["auth"]["kind"])
        expect("auth.keyId", key["keyId"], record["auth"]["keyId"])
        expect("auth.teamId", key["teamId"], record["auth"]["teamId"])
    text = json.dumps(record)
    for signature in signatures:
        expect_that(signature not in text, "the record", "to lack the token's signature", text)

    seen = record["connection"].get("tls") or {}
    expect("connection.tls.version", tls, seen.get("version"))
    if tls is not None:
        expect("connection.tls.alpn", alpn, seen.get("alpn"))


def _check_request(request, push):
    expect("request.method", push.method, request["method"])
    expect("request.path", push.path, request["path"])
    sent = [(name, value) for name, value in push.headers if name.startswith("apns-")]
    seen = [(name, value) for name, value in request["headers"] if name.startswith("apns-")]
    if not push.in_order:
        sent, seen = sorted(sent), sorted(seen)
    expect("request.headers, apns- ones", sent, seen)
    # The provider token is shown without its signature, so only its place among the others is comparable.
    names = [name for name, _ in request["headers"] if name == "authorization" or name.startswith("apns-")]
    if push.in_order and "authorization" in names:
        expect("request.headers, order", [name for name, _ in push.headers], names)
    body = push.body.encode()
    expect("request.bodySize", len(body), request["bodySize"])
    if push.reason != "PayloadTooLarge":  # of which no more than a part is kept
        expect("request.bodyBase64", body, base64.b64decode(request["bodyBase64"]))
        expect("request.payload", json.loads(body) if body else None, request["payload"])


def _check_verdict(record, push, answer):
    verdict = record["verdict"]
    outcome = "accepted" if push.reason is None else "rejected"
    expect("verdict", (outcome, push.status, push.reason), (verdict["outcome"], verdict["status"], verdict["reason"]))
    outcomes = [check["ok"] for check in verdict["checks"]]
    if push.reason is None:
        expect_that(outcomes and all(outcomes), "verdict.checks", "all of them ok", verdict["checks"])
    else:  # the one that refused it; those behind it were not reached
        expect("verdict.checks that are not ok", 1, outcomes.count(False))
    response = record["response"]
    expect("response.status", answer.status, response["status"])
    expect("response.body", answer.body, response["body"])
    headers = [(name, value) for name, value in response["headers"] if not name.startswith(":")]
    expect("response.headers", sorted(answer.headers), sorted(headers))


def signature_of(token):
    return token.rsplit(".", 1)[1]


@dataclass
class Context:
    """What every case is given."""

    server: object
    report: object
    directory: str
    token: str = field(init=False)

    def __post_init__(self):
        self.token = self.server.token()

    @property
    def tls_url(self):
        return self.server.apns[0]

    @property
    def production_url(self):
        return self.server.apns[1]

    @property
    def clear_text_url(self):
        return self.server.apns[2]

    def check(self, name, push, send, sandbox=True, signatures=(), **connection):
        """One push: `send` answers it, then the wire and the record are looked at."""
        with self.report.case(name):
            journal = Journal(self.server)
            answer = send(push)
            check_answer(push, answer, sandbox)
            check_record(
                self.server, journal.one(), push, answer, [signature_of(self.token), *signatures], **connection
            )
