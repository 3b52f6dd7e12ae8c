"""The end of a namespace costs nothing on the connections that it shares with others.

Each round makes a namespace with a device, and deletes it while a connection to the shared port pushes to that device and to
one of the default namespace in turn. Every push must get a response, and no connection may end, however worlds are kept.
"""

import contextlib
import json
import os
import random
import selectors
import socket
import struct
import tempfile
import time
import urllib.parse

from cluster import temporary_postgres
from mock_apns import LAST_RESORT, Server
from push_link import DATA, GOAWAY, HEADERS, PREFACE, SETTINGS, frame, literal, status
from report import expect

KEPT = ["memory", "sqlite", "postgres"]
TOPIC = "com.example.app"
# How many pairs of pushes are on their way at a time.
PAIRS = 4
# How often a namespace is removed.
ROUNDS = 40
LONG = 300


def connect(url):
    address = urllib.parse.urlsplit(url)
    connection = socket.create_connection((address.hostname, address.port), timeout=LAST_RESORT)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connection


class API:
    """One connection to the API, whose response can be awaited beside other things."""

    def __init__(self, url):
        self.host, self.socket, self._unread = urllib.parse.urlsplit(url).netloc, connect(url), b""

    def ask(self, method, path, body=None):
        data = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\nHost: {self.host}\r\nContent-Type: application/json\r\n"
        self.socket.sendall(f"{head}Content-Length: {len(data)}\r\n\r\n".encode() + data)

    def answer(self):
        """Returns the status once the whole response was read."""
        while True:
            head, end, body = self._unread.partition(b"\r\n\r\n")
            lengths = [line.split(b":")[1] for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
            length = int(lengths[0]) if lengths else 0
            if end and len(body) >= length:
                self._unread = body[length:]
                code = int(head.split(b" ")[1])
                if code >= 300:
                    raise SystemExit(f"the API responded {code}: {body.decode()}")
                return code
            received = self.socket.recv(65_536)
            if not received:
                raise SystemExit("the API has closed the connection")
            self._unread += received

    def call(self, method, path, body=None):
        self.ask(method, path, body)
        return self.answer()


class Shared:
    """A connection to the port that all namespaces share."""

    def __init__(self, url, token):
        self.socket, self._token = connect(url), token
        self._unread, self._next, self.is_over = bytearray(), 1, False
        # The streams without a response, each with whether it is for the default namespace.
        self.waiting = {}
        self.socket.sendall(PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", 1, 0)))

    def push(self, *devices):
        """Sends pushes in one write; each device is a pair of its token, and whether it is of the default namespace."""
        frames = b""
        for device, is_default in devices:
            head = b"\x83\x86" + literal(":path", f"/3/device/{device}") + literal(":authority", "localhost")
            head += literal("authorization", f"bearer {self._token}") + literal("apns-topic", TOPIC)
            head += literal("apns-push-type", "alert")
            frames += frame(HEADERS, 4, self._next, head) + frame(DATA, 1, self._next, b'{"aps":{"alert":"x"}}')
            self.waiting[self._next] = is_default
            self._next += 2
        try:
            self.socket.sendall(frames)
        except OSError:
            self.is_over = True

    def read(self):
        try:
            received = self.socket.recv(65_536)
        except OSError:
            received = b""
        if not received:
            self.is_over = True
        self._unread += received
        while len(self._unread) >= 9:
            length = int.from_bytes(self._unread[:3], "big")
            if len(self._unread) < 9 + length:
                return
            kind, flags, stream = self._unread[3], self._unread[4], int.from_bytes(self._unread[5:9], "big")
            payload = bytes(self._unread[9 : 9 + length])
            del self._unread[: 9 + length]
            if kind == HEADERS and status(payload) in (200, 503):
                self.waiting.pop(stream, None)
            elif kind == GOAWAY:
                self.is_over = True
            elif kind == SETTINGS and not flags & 1:
                self.socket.sendall(frame(SETTINGS, 1, 0))


class Counts:
    def __init__(self):
        self.cuts, self.lost = 0, {True: 0, False: 0}


def drive(server, counts):
    token, api = server.token(), API(server.api)
    shared = None
    for number in range(ROUNDS):
        if shared is None:
            shared = Shared(server.apns[0], token)
            shared.push((f"{1:064x}", True))
            settle(shared, api, lambda: not shared.waiting)
        name, device = f"n{number}", f"{number + 2:064x}"
        api.call("POST", "/api/v1/namespaces", {"name": name, "listener": number % 16 == 0})
        draft = {"registrations": [{"token": device, "topic": TOPIC}]}
        api.call("POST", f"/api/v1/namespaces/{name}/devices", draft)
        play(shared, api, name, device)
        for is_default in shared.waiting.values():
            counts.lost[is_default] += 1
        if shared.is_over or shared.waiting:
            counts.cuts += 1
            shared.socket.close()
            shared = None


def play(shared, api, name, device):
    """Pushes until the namespace is gone, and reads what comes."""
    before = random.randrange(0, 4)
    is_asked = is_gone = False
    end = time.monotonic() + LAST_RESORT
    while time.monotonic() < end and not shared.is_over:
        if not is_asked and before == 0:
            api.ask("DELETE", f"/api/v1/namespaces/{name}")
            is_asked = True
        before -= 1
        if not is_gone and len(shared.waiting) < 2 * PAIRS:
            pairs = random.randrange(1, PAIRS + 1)
            shared.push(*[(device, False), (f"{1:064x}", True)] * pairs)
        if is_gone and not shared.waiting:
            return
        is_gone = settle(shared, api if is_asked and not is_gone else None) or is_gone


def settle(shared, api, until=None):
    """Waits for something to read; returns whether the API has responded. With `until`, reads until that holds."""
    end = time.monotonic() + LAST_RESORT
    while True:
        with selectors.DefaultSelector() as selector:
            selector.register(shared.socket, selectors.EVENT_READ, shared)
            if api and not until:
                selector.register(api.socket, selectors.EVENT_READ, api)
            ready = [key.data for key, _ in selector.select(timeout=0.5)]
        if shared in ready:
            shared.read()
        if api in ready:
            api.answer()
            return True
        if not until or until() or shared.is_over or time.monotonic() > end:
            return False


def flags(kind, directory, stack):
    if kind == "memory":
        return ()
    if kind == "sqlite":
        return ("--data", os.path.join(directory, "data"))
    return ("--data", stack.enter_context(temporary_postgres(directory)).create_database())


def removal_cases(context, binary):
    for kind in KEPT:
        with context.report.case(f"removing namespaces costs shared connections nothing: {kind}", long=LONG):
            counts = Counts()
            # Of its own, because the user who runs PostgreSQL cannot enter that of the group.
            with tempfile.TemporaryDirectory(prefix="mock-apns-removals-") as directory, contextlib.ExitStack() as stack:
                listeners = ("--apns-listen", "h2c://127.0.0.1:0")
                with Server(binary, context.server.certs_dir, *listeners, *flags(kind, directory, stack)) as server:
                    drive(server, counts)
            expect("pushes to the default namespace without a response", 0, counts.lost[True])
            expect("pushes to the removed namespace without a response", 0, counts.lost[False])
            expect("connections that ended", 0, counts.cuts)
