"""Clients that remember what a server has acknowledged, so that somebody else can look whether it is still there."""

import http.client
import json
import socket
import threading
import uuid

import h2.config
import h2.connection
import h2.events

TOPIC = "com.example.app"


class Pusher(threading.Thread):
    """Sends pushes on one connection in clear text, several at a time, until the connection ends or it is told to stop."""

    STREAMS = 20

    def __init__(self, address, token, devices):
        super().__init__(daemon=True)
        self._address, self._token, self._devices = address, token, devices
        self.acknowledged = {}  # the status of each answer, by apns-id
        self.sent = 0
        self._is_over = threading.Event()
        self._waiting = {}

    def stop(self):
        self._is_over.set()

    def run(self):
        try:
            with socket.create_connection(self._address, timeout=15) as connection:
                self._push(connection)
        except (OSError, h2.exceptions.ProtocolError):
            return  # what has no answer is not acknowledged

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
                    headers = dict(event.headers)
                    self.acknowledged[self._waiting[event.stream_id]] = int(headers[":status"])
                elif isinstance(event, h2.events.DataReceived):
                    session.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                elif isinstance(event, (h2.events.StreamEnded, h2.events.StreamReset)):
                    self._waiting.pop(event.stream_id, None)
            if not self._is_over.is_set():
                self._send(session)
            connection.sendall(session.data_to_send())

    def _send(self, session):
        # Before the first answer, a connection has one stream.
        most = self.STREAMS if self.acknowledged else 1
        while len(self._waiting) < most:
            stream, identifier = session.get_next_available_stream_id(), str(uuid.uuid4()).upper()
            self.sent += 1
            session.send_headers(stream, [
                (":method", "POST"), (":scheme", "http"), (":authority", "localhost"),
                (":path", f"/3/device/{self._devices[self.sent % len(self._devices)]}"),
                ("authorization", f"bearer {self._token}"), ("apns-topic", TOPIC), ("apns-push-type", "alert"),
                ("apns-id", identifier),
            ])
            session.send_data(stream, json.dumps({"aps": {"alert": identifier}}).encode(), end_stream=True)
            self._waiting[stream] = identifier


class Changer(threading.Thread):
    """Changes the world over the API until the server is gone: marks, and devices that go offline and online."""

    def __init__(self, api, devices):
        super().__init__(daemon=True)
        self._host, self._devices = api.removeprefix("http://"), devices
        self.marks, self.states = [], {}  # acknowledged marks; the last acknowledged state of each device
        self.unsure = set()  # devices with a change without an answer
        self._is_over = threading.Event()

    def stop(self):
        self._is_over.set()

    def run(self):
        connection = http.client.HTTPConnection(self._host, timeout=15)
        number = 0
        try:
            while not self._is_over.is_set():
                number += 1
                text = f"{uuid.uuid4()}"
                self._call(connection, "POST", "/api/v1/marks", {"text": text})
                self.marks.append(text)
                label = f"d{number % self._devices}"
                state = "offline" if number % 3 else "online"
                self.unsure.add(label)
                self._call(connection, "PATCH", f"/api/v1/devices/@{label}", {"state": state})
                self.unsure.discard(label)
                self.states[label] = state
        except (OSError, http.client.HTTPException):
            return

    @staticmethod
    def _call(connection, method, path, body):
        connection.request(method, path, json.dumps(body), {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status // 100 != 2:
            raise http.client.HTTPException(f"{method} {path}: {answer.status} {text[:300]}")
