"""A server, what pushes to it, and the page that shows it: what every test is given."""

import contextlib
import json
from dataclasses import replace

from command_clients import Curl
from debug_api import DebugAPI
from pushes import TOPIC, Context, alert, device_token
from report import Mismatch


class Scene:
    """A group's server, with the browser before it and a provider behind it."""

    def __init__(self, stage, server, report, directory):
        self.stage = stage
        self.server = server
        self.report = report
        self.api = DebugAPI(server)
        self.context = Context(server, report, directory)
        self.directory = directory
        self._curl = Curl(self.context, self.context.tls_url)

    @contextlib.contextmanager
    def test(self, name, **options):
        """One test: the server begins anew, and so does the browser."""
        with self.report.case(name):
            self.api.call("POST", "/api/v1/reset", {})
            with self.stage.visit(name, self.server.api, **options) as visit:
                yield visit

    def phone(self, label, topic=TOPIC, **more):
        """A phone with one app; returns the app's token."""
        return self.api.add(label, {"topic": topic}, **more)[0]

    def send(self, token=None, payload=None, **headers):
        """A push from a real client, with headers changed or (None) left out; returns what the client got."""
        headers = {"apns_expiration": None, "apns_collapse_id": None, "apns_id": None, **headers}
        push = replace(alert(self.context.token), path=f"/3/device/{token or device_token()}").with_headers(**headers)
        if payload is not None:
            push = replace(push, body=payload if isinstance(payload, str) else json.dumps(payload))
        return self._curl(push)

    def push(self, token=None, payload=None, **headers):
        """Like `send`; returns the record."""
        answer = self.send(token, payload, **headers)
        return self.api.push(f"apns:{answer.header('apns-id')}")

    def accepted(self, title, token=None, **headers):
        """A notification with this title, which must be accepted; returns the record."""
        record = self.push(token, {"aps": {"alert": {"title": title, "body": "It is on its way."}}}, **headers)
        if record["verdict"]["outcome"] != "accepted":
            raise Mismatch("verdict", "accepted", record["verdict"])
        return record
