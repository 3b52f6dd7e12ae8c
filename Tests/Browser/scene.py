"""What every test gets: a server, a provider and the page."""

import contextlib
import copy
import datetime
import json
import os
import urllib.parse
import urllib.request
from dataclasses import replace

from command_clients import Curl
from debug_api import DebugAPI
from library_clients import BUILD, HERE, aioapns_notification, run_job
from mock_apns import DIRECT, LAST_RESORT
from pushes import TOPIC, Context, alert, device_token
from report import Mismatch
from stage import LAPTOP, NARROW


class Scene:
    """A group's server, with a browser and a provider."""

    def __init__(self, stage, server, report, directory):
        self.stage = stage
        self.server = server
        self.report = report
        self.api = DebugAPI(server)
        self.context = Context(server, report, directory)
        self.directory = directory
        self._clients = {}
        self._viewport = None

    def sizes(self):
        """The scene in each of the windows that the page is made for: on a laptop and on a phone."""
        for viewport in (LAPTOP, NARROW):
            scene = copy.copy(self)
            scene._viewport = viewport
            yield scene

    @property
    def is_narrow(self):
        return self._viewport == NARROW

    @contextlib.contextmanager
    def test(self, name, base=None, **options):
        """One test: resets the server and opens a new browser context, at `base` or at the server itself."""
        if self._viewport:
            name = f"{name}, at {self._viewport['width']} px"
            options = {"viewport": self._viewport, **options}
        with self.report.case(name):
            self.api.call("POST", "/api/v1/reset", {})
            with self.stage.visit(name, base or self.server.api, **options) as visit:
                yield visit

    def phone(self, label, topic=TOPIC, **more):
        """Adds a device with one app; returns the app's token."""
        return self.api.add(label, {"topic": topic}, **more)[0]

    def send(self, token=None, payload=None, **headers):
        """Sends a push with a real client, with headers changed or (None) removed; returns the response."""
        return self.send_to(self.context.tls_url, payload, token, **headers)

    def send_to(self, url, payload=None, token=None, **headers):
        """Like `send`, to another listener."""
        headers = {"apns_expiration": None, "apns_collapse_id": None, "apns_id": None, **headers}
        push = replace(alert(self.context.token), path=f"/3/device/{token or device_token()}").with_headers(**headers)
        if payload is not None:
            push = replace(push, body=payload if isinstance(payload, str) else json.dumps(payload))
        return self.client(url)(push)

    def client(self, url):
        """The client for a listener: curl."""
        if url not in self._clients:
            self._clients[url] = Curl(self.context, url, "--globoff")
        return self._clients[url]

    def client_with(self, certificate, *options):
        """A client that shows a certificate; curl's password for it may follow after a colon."""
        return Curl(self.context, self.context.tls_url, "--cert", certificate, *options)

    def certificate(self, name, **draft):
        """Issues a certificate for TOPIC; returns the path of a file with it and its key."""
        issued = self.api.call("POST", "/api/v1/certificates/issue", {"topic": TOPIC, **draft})
        path = os.path.join(self.directory, f"{name}.pem")
        with open(path, "w", encoding="ascii") as file:
            file.write(issued["certificate"] + issued["key"])
        return path

    def refuses(self, certificate):
        """Sends a push with a certificate that is refused with a GOAWAY, which curl reports as a failure."""
        try:
            answer = self.client_with(certificate)(alert(self.context.token))
        except RuntimeError:
            return
        raise Mismatch("answer", None, answer.status)

    def push(self, token=None, payload=None, **headers):
        """Like `send`; returns the record."""
        answer = self.send(token, payload, **headers)
        return self.api.push(f"apns:{answer.header('apns-id')}")

    def accepted(self, title, token=None, **headers):
        """Sends a notification with this title, which must be accepted; returns the record."""
        record = self.push(token, {"aps": {"alert": {"title": title, "body": "It is on its way."}}}, **headers)
        if record["verdict"]["outcome"] != "accepted":
            raise Mismatch("verdict", "accepted", record["verdict"])
        return record

    def aioapns(self, token, message):
        """Sends a notification with aioapns; returns status and reason."""
        key = self.server.get_json("/api/v1/info")["developmentKey"]
        job = {
            "host": "localhost", "port": urllib.parse.urlsplit(self.server.apns[0]).port, "ca": self.server.ca,
            "keyFile": key["path"], "keyId": key["keyId"], "teamId": key["teamId"], "topic": TOPIC, "parallel": False,
            "notifications": [aioapns_notification(device_token=token, message=message)],
        }
        python = os.path.join(BUILD, "interop-venv", "bin", "python")
        answer = run_job([python, os.path.join(HERE, "clients", "aioapns_push.py")], job)["answers"][0]
        return answer["status"], answer["reason"]

    def with_program(self, command):
        """A shell command with mock-apns in its PATH."""
        link = os.path.join(self.directory, "bin", "mock-apns")
        if not os.path.lexists(link):
            os.makedirs(os.path.dirname(link), exist_ok=True)
            os.symlink(self.server.program[-1], link)
        return f"PATH='{os.path.dirname(link)}':$PATH\n{command}"

    @staticmethod
    def reason(answer):
        """The reason of a rejected push; None if it was accepted."""
        return json.loads(answer.body)["reason"] if answer.body else None

    @staticmethod
    def seconds(text):
        """A time of the API as UNIX seconds."""
        return int(datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp())

    @staticmethod
    def milliseconds(text):
        """A time of the API as UNIX milliseconds, with a fraction."""
        return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1_000

    def exported(self):
        """The exported pushes as lines, oldest first."""
        with DIRECT.open(f"{self.server.api}/api/v1/pushes/export", timeout=LAST_RESORT) as answer:
            # Texts may contain separators that Python treats as line ends.
            return answer.read().decode().rstrip("\n").split("\n")

    def bring(self, lines):
        """Imports exported pushes."""
        request = urllib.request.Request(
            f"{self.server.api}/api/v1/pushes/import", method="POST", data="\n".join(lines).encode(),
            headers={"content-type": "application/x-ndjson"},
        )
        with DIRECT.open(request, timeout=LAST_RESORT) as answer:
            answer.read()

    def multiply(self, number):
        """Imports copies of the newest push."""
        self.bring([self.exported()[-1]] * number)
