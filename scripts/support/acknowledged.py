"""Clients that record what a server has acknowledged, so that it can be checked later that nothing was lost."""

import collections
import http.client
import json
import socket
import ssl
import threading
import time
import uuid

import h2.config
import h2.connection
import h2.events
import h2.exceptions

from mock_apns import LAST_RESORT

TOPIC = "com.example.app"
# How long a client waits for a response on an open connection, in seconds; none in that time is a problem.
TIMEOUT = LAST_RESORT


def connect(address, context=None):
    """Opens a connection for HTTP/2, with TLS if there is a context."""
    connection = socket.create_connection(address, timeout=TIMEOUT)
    if context is None:
        return connection
    try:
        return context.wrap_socket(connection, server_hostname="localhost")
    except BaseException:
        connection.close()
        raise


def tls(ca):
    """A TLS context for `connect` that trusts one CA certificate."""
    context = ssl.create_default_context(cafile=ca)
    context.set_alpn_protocols(["h2"])
    return context


def push_headers(scheme, device, token, **more):
    """The header fields of a push; names in `more` have underscores in place of hyphens."""
    return [
        (":method", "POST"), (":scheme", scheme), (":authority", "localhost"), (":path", f"/3/device/{device}"),
        ("authorization", f"bearer {token}"), ("apns-topic", TOPIC), ("apns-push-type", "alert"),
        *((name.replace("_", "-"), value) for name, value in more.items()),
    ]


class Pusher(threading.Thread):
    """Sends pushes on one connection, several at a time, until the connection ends or `stop` is called.

    With `reconnects`, opens a new connection each time, until `stop` is called.
    """

    STREAMS = 20

    def __init__(self, address, token, devices, context=None, reconnects=False):
        super().__init__(daemon=True)
        self._address, self._token, self._devices, self._context = address, token, devices, context
        self._reconnects = reconnects
        self.acknowledged = {}  # the status of each response, by apns-id
        self.unanswered = set()  # the apns-id of each push without a response
        self.statuses = collections.Counter()
        self.closed = 0  # connections that ended or failed to open
        self.problems = []
        self.sent = 0
        self.accepted_at = []  # times of responses with status 200, at most one every 10 ms
        self._is_over = threading.Event()
        self._waiting, self._is_first = {}, True

    def stop(self):
        self._is_over.set()

    def run(self):
        while not self._is_over.is_set():
            self._waiting, self._is_first = {}, True
            try:
                with connect(self._address, self._context) as connection:
                    self._push(connection)
            except TimeoutError:
                self.problems.append(f"no answer within {TIMEOUT} s on an open connection")
            except (OSError, h2.exceptions.ProtocolError):
                pass  # pushes without a response are not acknowledged
            self.unanswered.update(self._waiting.values())
            if not self._reconnects:
                return
            if not self._is_over.is_set():
                self.closed += 1
                self._is_over.wait(0.05)

    def _push(self, connection):
        session = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
        session.initiate_connection()
        self._send(session)
        connection.sendall(session.data_to_send())
        while not self._is_over.is_set() or self._waiting:
            data = connection.recv(65_536)
            if not data:
                return
            for event in session.receive_data(data):
                if isinstance(event, h2.events.ResponseReceived):
                    self._note(self._waiting[event.stream_id], int(dict(event.headers)[":status"]))
                elif isinstance(event, h2.events.DataReceived):
                    session.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)):
                    identifier = self._waiting.pop(event.stream_id, None)
                    if identifier and identifier not in self.acknowledged:
                        self.unanswered.add(identifier)
                elif isinstance(event, h2.events.ConnectionTerminated):
                    return
            if not self._is_over.is_set():
                self._send(session)
            connection.sendall(session.data_to_send())

    def _note(self, identifier, status):
        self._is_first = False
        self.acknowledged[identifier] = status
        self.statuses[status] += 1
        now = time.monotonic()
        if status == 200 and (not self.accepted_at or now - self.accepted_at[-1] > 0.01):
            self.accepted_at.append(now)

    def _send(self, session):
        # Before the first response, a connection may have only one stream.
        most = 1 if self._is_first else self.STREAMS
        scheme = "http" if self._context is None else "https"
        while len(self._waiting) < most:
            stream, identifier = session.get_next_available_stream_id(), str(uuid.uuid4()).upper()
            self.sent += 1
            device = self._devices[self.sent % len(self._devices)]
            session.send_headers(stream, push_headers(scheme, device, self._token, apns_id=identifier))
            session.send_data(stream, json.dumps({"aps": {"alert": identifier}}).encode(), end_stream=True)
            self._waiting[stream] = identifier


class Changer(threading.Thread):
    """Adds marks and takes devices offline and online over the API, until the connection ends or `stop` is called.

    With `reconnects`, opens a new connection each time, until `stop` is called. A change may then get 503, which does not
    acknowledge it.
    """

    def __init__(self, api, devices, reconnects=False, prefix="d"):
        """`devices` is the number of devices; their labels are the prefix and a number: d0, d1 and so on."""
        super().__init__(daemon=True)
        self._host, self._devices, self._reconnects, self._prefix = api.removeprefix("http://"), devices, reconnects, prefix
        self.marks, self.states = [], {}  # acknowledged marks; the last acknowledged state of each device
        self.in_doubt = set()  # devices whose state is unknown, because a change was not acknowledged
        self.unavailable = 0  # how many changes got 503
        self.closed = 0  # connections that ended or failed to open
        self.problems = []
        self._is_over = threading.Event()

    def stop(self):
        self._is_over.set()

    def run(self):
        number = 0
        while not self._is_over.is_set():
            connection = http.client.HTTPConnection(self._host, timeout=TIMEOUT)
            try:
                while not self._is_over.is_set():
                    number += 1
                    self._change(connection, number)
            except TimeoutError:
                self.problems.append(f"no answer of the API within {TIMEOUT} s on an open connection")
            except (OSError, http.client.HTTPException):
                self.closed += 1
            finally:
                connection.close()
            if not self._reconnects:
                return
            self._is_over.wait(0.05)

    def _change(self, connection, number):
        text = f"{uuid.uuid4()}"
        if self._call(connection, "POST", "/api/v1/marks", {"text": text}):
            self.marks.append(text)
        label = f"{self._prefix}{number % self._devices}"
        state = "offline" if number % 3 else "online"
        # A server that was stopped may still make a change without a response when it continues.
        was_in_doubt = label in self.in_doubt
        self.in_doubt.add(label)
        if self._call(connection, "PATCH", f"/api/v1/devices/@{label}", {"state": state}):
            self.states[label] = state
            if not was_in_doubt:
                self.in_doubt.discard(label)

    def _call(self, connection, method, path, body):
        """Returns whether the change was acknowledged; if not, it may still have been made."""
        connection.request(method, path, json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status // 100 == 2:
            return True
        if answer.status == 503 and self._reconnects:
            self.unavailable += 1
            self._is_over.wait(0.05)
            return False
        problem = f"{method} {path}: {answer.status} {text[:300]}"
        self.problems.append(problem)
        raise http.client.HTTPException(problem)


class Provider:
    """Sends one push after the other on one connection, and waits for each response.

    `token` is a provider token, or a function that returns the one to use now.
    """

    def __init__(self, address, token, context):
        self._address, self._token, self._context = address, token, context
        self._connection = self._session = self._used = None

    def close(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def push(self, device, text="Hello", **headers):
        """Sends a push; returns the status, the apns-id and the body of the response."""
        token = self._token() if callable(self._token) else self._token
        if token != self._used:
            # APNs refuses another token on a connection within 20 minutes.
            self.close()
            self._used = token
        if self._connection is None:
            self._connection = connect(self._address, self._context)
            self._session = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="utf-8"))
            self._session.initiate_connection()
        stream = self._session.get_next_available_stream_id()
        self._session.send_headers(stream, push_headers("https", device, token, **headers))
        self._session.send_data(stream, json.dumps({"aps": {"alert": text}}).encode(), end_stream=True)
        self._connection.sendall(self._session.data_to_send())
        fields, body = None, b""
        while True:
            data = self._connection.recv(65_536)
            if not data:
                self.close()
                raise ConnectionError("the connection was closed")
            for event in self._session.receive_data(data):
                if isinstance(event, h2.events.ResponseReceived) and event.stream_id == stream:
                    fields = dict(event.headers)
                elif isinstance(event, h2.events.DataReceived):
                    body += event.data
                    self._session.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, h2.events.StreamEnded) and event.stream_id == stream:
                    self._connection.sendall(self._session.data_to_send())
                    return int(fields[":status"]), fields.get("apns-id"), body.decode()
                elif isinstance(event, (h2.events.StreamReset, h2.events.ConnectionTerminated)):
                    self.close()
                    raise ConnectionError(f"{type(event).__name__} instead of a response")
            self._connection.sendall(self._session.data_to_send())


class Caller:
    """Calls an API on one persistent connection."""

    def __init__(self, port):
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)

    def close(self):
        self._connection.close()

    def call(self, method, path, body=None):
        """Returns the response as JSON; raises an error if its status is not 2xx."""
        data = None if body is None else json.dumps(body)
        self._connection.request(method, path, data, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        text = answer.read()
        if answer.status // 100 != 2:
            raise http.client.HTTPException(f"{method} {path}: {answer.status} {text[:300].decode()}")
        return json.loads(text) if text else None
