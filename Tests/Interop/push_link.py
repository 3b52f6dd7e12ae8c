"""One HTTP/2 connection that pushes as fast as the server lets it; Python's standard library alone.

It acts as RFC 9113 wants a client to: after a GOAWAY it opens no streams, and it reads until the server ends the
connection. An error of the socket ends it at once, as it does in most client libraries; what it had not read is lost.
"""

import random
import selectors
import socket
import ssl
import struct
import time
import urllib.parse

from mock_apns import LAST_RESORT

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE = 0, 1, 3, 4, 6, 7, 8
# The statuses of HPACK's static table (RFC 7541, appendix A).
STATUSES = {0x88: 200, 0x89: 204, 0x8A: 206, 0x8B: 304, 0x8C: 400, 0x8D: 404, 0x8E: 500}
# A connection that lasts longer, in seconds, is a failure.
TIMEOUT = LAST_RESORT


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([kind, flags]) + struct.pack(">I", stream) + payload


def literal(name, value):
    """A header field that no table keeps, not compressed."""
    return b"\0" + integer(len(name)) + name.encode() + integer(len(value)) + value.encode()


def integer(value):
    if value < 127:
        return bytes([value])
    value, encoded = value - 127, [127]
    while value >= 128:
        encoded.append(value % 128 + 128)
        value //= 128
    return bytes([*encoded, value])


class Link:
    """A connection and what became of its pushes."""

    def __init__(self, base, ca, token, pushes, invalid=0.0, pause=None, ends=None, reads_late=False, is_whole=True):
        """`invalid`: which part of the pushes is refused. `pause`: seconds between the first push and the rest.
        `ends`: how the client ends its side when all is sent: "close_notify", "fin", or "goaway": after one of the
        server's, when every stream has ended. `reads_late`: whether it writes everything before it reads on.
        `is_whole`: whether requests end."""
        address = urllib.parse.urlsplit(base)
        self.socket = socket.create_connection((address.hostname, address.port), timeout=TIMEOUT)
        self.token, self.pushes, self.invalid, self.pause, self.ends = token, pushes, invalid, pause, ends
        self.reads_late, self.is_whole, self.has_begun = reads_late, is_whole, False
        self.tls = None
        if address.scheme == "https":
            context = ssl.create_default_context(cafile=ca)
            context.set_alpn_protocols(["h2"])
            self.incoming, self.outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
            self.tls = context.wrap_bio(self.incoming, self.outgoing, server_hostname="localhost")
            self._shake_hands()
        self.socket.setblocking(False)
        if reads_late:
            # A small buffer makes it notice at once that the server has closed, as clients do that write piece by piece.
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 8_192)
        self.salt = random.getrandbits(64)
        self.unsent, self.unread = bytearray(), bytearray()
        self.sent, self.statuses, self.resets, self.last = 0, {}, {}, None
        self.end = None
        self.is_closing = False
        # The header table stays empty, so that a status is in the static table or spelled out.
        self._say(PREFACE + frame(SETTINGS, 0, 0, struct.pack(">HI", 1, 0) + struct.pack(">HI", 4, 1 << 20)))
        self._push()
        self.began = time.monotonic()

    def _shake_hands(self):
        while True:
            try:
                self.tls.do_handshake()
                self.socket.sendall(self.outgoing.read())
                return
            except ssl.SSLWantReadError:
                self.socket.sendall(self.outgoing.read())
                self.incoming.write(self.socket.recv(65_536))

    # What is said

    def _say(self, plaintext):
        if self.tls:
            self.tls.write(plaintext)
            plaintext = self.outgoing.read()
        self.unsent += plaintext

    def _push(self):
        stream = 2 * self.sent + 1
        self.sent += 1
        is_valid = stream == 1 or random.random() >= self.invalid
        device = f"{self.salt:016x}{stream:016x}".ljust(64, "0") if is_valid else "short"
        head = b"\x83\x87" + literal(":path", f"/3/device/{device}") + literal(":authority", "localhost")
        head += literal("authorization", f"bearer {self.token}") + literal("apns-topic", "com.example.app")
        head += literal("apns-push-type", "alert")
        # In headers, because bodies would have to wait for the server's window.
        head += literal("x-filler", 1_000 * "x")
        body = b'{"aps":{}}'
        self._say(frame(HEADERS, 4, stream, head) + frame(DATA, int(self.is_whole), stream, body))

    def begin(self):
        """The server has shown that it takes many streams: all other pushes are said."""
        self.has_begun = True
        while self.sent < self.pushes and self.last is None:
            self._push()
        if self.ends == "close_notify":
            try:
                self.tls.unwrap()
            except ssl.SSLWantReadError:
                pass  # The server's own goodbye is still to come.
            self.unsent += self.outgoing.read()

    def write(self):
        try:
            del self.unsent[: self.socket.send(self.unsent)]
        except BlockingIOError:
            return
        except OSError as error:
            self._ended(f"{error}")
            return
        if not self.unsent and self.ends == "fin" and self.sent == self.pushes:
            self.socket.shutdown(socket.SHUT_WR)

    # What is heard

    def read(self):
        try:
            received = self.socket.recv(4_096)
        except BlockingIOError:
            return
        except OSError as error:
            self._ended(f"{error}")
            return
        if not self.tls:
            self.unread += received
        elif received:
            self.incoming.write(received)
            self._decrypt()
        self._take_frames()
        if not received:
            self._ended("orderly")

    def _decrypt(self):
        while True:
            try:
                plaintext = self.tls.read(65_536)
            except (ssl.SSLWantReadError, ssl.SSLZeroReturnError):
                return
            if not plaintext:
                return
            self.unread += plaintext

    def _take_frames(self):
        while len(self.unread) >= 9:
            length = int.from_bytes(self.unread[:3], "big")
            if len(self.unread) < 9 + length:
                return
            kind, flags, stream = self.unread[3], self.unread[4], int.from_bytes(self.unread[5:9], "big")
            payload = bytes(self.unread[9 : 9 + length])
            del self.unread[: 9 + length]
            self._take(kind, flags, stream, payload)

    def _take(self, kind, flags, stream, payload):
        if kind == HEADERS:
            self.statuses[stream] = status(payload)
        elif kind == RST_STREAM:
            self.resets[stream] = int.from_bytes(payload, "big")
        elif kind == GOAWAY:
            last = int.from_bytes(payload[:4], "big")
            self.last = last if self.last is None else min(self.last, last)
        elif kind == SETTINGS and not flags & 1:
            if not self.is_closing and self.ends is None:
                self._say(frame(SETTINGS, 1, 0))
        if not self.has_begun and 1 in self.statuses and not self.pause:
            self.begin()
        if self.ends == "goaway" and self.last is not None and not self.is_closing:
            open_streams = set(range(1, min(2 * self.sent, self.last + 1), 2)) - set(self.statuses) - set(self.resets)
            if not open_streams:
                self.is_closing = True
                self._ended("orderly")

    def tick(self):
        if self.pause and time.monotonic() - self.began >= self.pause:
            self.pause = None
            if self.end is None:
                self.begin()
        if self.end is None and time.monotonic() - self.began > TIMEOUT:
            self._ended(f"still open after {TIMEOUT} s")

    def _ended(self, how):
        if self.end is None:
            self.end = how
            self.socket.close()

    @property
    def interest(self):
        """What the selector is to wait for."""
        writes = selectors.EVENT_WRITE if self.unsent else 0
        if self.reads_late and self.has_begun and writes:
            return writes
        return selectors.EVENT_READ | writes

    @property
    def accepted(self):
        return sum(status == 200 for status in self.statuses.values())

    @property
    def above(self):
        """Pushes that were answered 200 although the server called their streams unprocessed."""
        if self.last is None:
            return 0
        return sum(status == 200 and stream > self.last for stream, status in self.statuses.items())


def status(block):
    """The status of a response, which is its first field."""
    at = 0
    while block[at] & 0xE0 == 0x20:  # a change of the table's size
        at += 1
    if block[at] in STATUSES:
        return STATUSES[block[at]]
    length, text = block[at + 1] & 0x7F, block[at + 2 :]
    if not block[at + 1] & 0x80:
        return int(text[:length])
    bits = "".join(f"{byte:08b}" for byte in text[:length])
    # The digits of HPACK's Huffman code (RFC 7541, appendix B).
    digits = {"00000": "0", "00001": "1", "00010": "2"}
    digits |= {f"{code:06b}": str(digit) for digit, code in enumerate(range(0x19, 0x20), 3)}
    number = ""
    while len(number) < 3:
        code = next(code for code in digits if bits.startswith(code))
        number, bits = number + digits[code], bits[len(code) :]
    return int(number)


def converse(links, trigger, after=0, until=lambda: False):
    """Drives all links until each has ended, or `until` holds; calls `trigger` once, when `after` answers have come."""
    with selectors.DefaultSelector() as selector:
        for link in links:
            selector.register(link.socket, selectors.EVENT_READ | selectors.EVENT_WRITE, link)
        rest = set(links)
        while rest and not until():
            for key, events in selector.select(timeout=0.05):
                link = key.data
                if events & selectors.EVENT_WRITE and link.unsent:
                    link.write()
                if events & selectors.EVENT_READ and link.end is None:
                    link.read()
            for link in list(rest):
                link.tick()
                if link.end is not None:
                    rest.discard(link)
                    selector.unregister(link.socket)
                else:
                    selector.modify(link.socket, link.interest, link)
            if trigger and sum(len(link.statuses) for link in links) >= after:
                trigger()
                trigger = None
