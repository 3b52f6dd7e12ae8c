"""Floods of cheap frames end the connection.

Each flood runs on a connection and a server of its own, and is bounded in frames and in time. docs/benchmarks.md has the
numbers of frames.
"""

import select
import socket
import struct
import time
import urllib.parse

from mock_apns import LAST_RESORT, Server
from push_link import DATA, GOAWAY, HEADERS, PING, PREFACE, SETTINGS, frame, literal
from report import expect

SECONDS = LAST_RESORT  # for each flood
BATCH = 500  # frames in a write
CALM = 11  # ENHANCE_YOUR_CALM

# POST, http, and literals without a table: a usual push and one with a capital letter in a name.
HEAD = b"\x83\x86" + literal(":path", "/3/device/" + "a" * 64) + literal(":authority", "localhost")
MALFORMED = HEAD + literal("Apns-Topic", "t")
OPEN = frame(HEADERS, 4, 1, HEAD) + frame(DATA, 0, 1, b"{")

# Name, how many frames at most, what comes first, and the n-th frame.
FLOODS = [
    ("malformed HEADERS", 200_000, b"", lambda n: frame(HEADERS, 5, 2 * n + 1, MALFORMED)),
    ("PING acknowledgements", 1_000_000, b"", lambda n: frame(PING, 1, 0, bytes(8))),
    ("frames of unknown types", 1_000_000, b"", lambda n: frame(0xBE, 0, 0, b"")),
    ("one-byte DATA", 1_000_000, OPEN, lambda n: frame(DATA, 0, 1, b" ")),
    ("DATA on a stream that was reset", 1_000_000, frame(HEADERS, 4, 1, MALFORMED), lambda n: frame(DATA, 0, 1, b"")),
]


class Flood:
    """One connection that sends frames until the server says GOAWAY, ends it, or the bound is reached."""

    def __init__(self, url):
        address = urllib.parse.urlsplit(url)
        self.socket = socket.create_connection((address.hostname, address.port), timeout=SECONDS)
        self.socket.setblocking(False)
        self.received = bytearray()
        self.goaway = None
        self.is_open = True
        self.is_answered = False

    def run(self, most, opening, make):
        """Sends at most so many frames after the opening ones."""
        window = frame(8, 0, 0, struct.pack(">I", 1 << 30))
        self.send(PREFACE + frame(SETTINGS, 0, 0) + frame(SETTINGS, 1, 0) + window + opening)
        time.sleep(0.2)
        self.receive()
        sent, began = 0, time.monotonic()
        while sent < most and self.is_open and self.goaway is None and time.monotonic() - began < SECONDS:
            count = min(BATCH, most - sent)
            self.send(b"".join(make(number) for number in range(sent + 1, sent + count + 1)))
            sent += count
        # The server may still be busy with what is in its socket.
        self.send(frame(PING, 0, 0, b"the last"))
        while self.is_open and self.goaway is None and not self.is_answered and time.monotonic() - began < SECONDS:
            select.select([self.socket], [], [], 0.1)
            self.receive()
        self.socket.close()

    def send(self, data):
        rest = memoryview(data)
        while rest and self.is_open and self.goaway is None:
            readable, writable, _ = select.select([self.socket], [self.socket], [], 1)
            if readable:
                self.receive()
            try:
                if writable:
                    rest = rest[self.socket.send(rest) :]
            except BlockingIOError:
                pass
            except OSError:
                self.receive()
                self.is_open = False

    def receive(self):
        try:
            while True:
                part = self.socket.recv(1 << 16)
                if not part:
                    self.is_open = False
                    break
                self.received += part
        except BlockingIOError:
            pass
        except OSError:
            self.is_open = False
        self.take_frames()

    def take_frames(self):
        while len(self.received) >= 9:
            length, kind = int.from_bytes(self.received[:3], "big"), self.received[3]
            if len(self.received) < 9 + length:
                return
            payload = self.received[9 : 9 + length]
            del self.received[: 9 + length]
            if kind == GOAWAY:
                self.goaway = int.from_bytes(payload[4:8], "big"), payload[8:].decode(errors="replace")
            self.is_answered = self.is_answered or kind == PING


def flood_cases(context, binary):
    for name, most, opening, make in FLOODS:
        with context.report.case(f"a flood of {name} ends with ENHANCE_YOUR_CALM"):
            with Server(binary, context.server.certs_dir, "--apns-listen", "h2c://127.0.0.1:0") as server:
                flood = Flood(server.apns[0])
                flood.run(most, opening, make)
                expect("code of GOAWAY", CALM, flood.goaway and flood.goaway[0])
