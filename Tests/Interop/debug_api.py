"""The debug API over HTTP, with every method; `Server` itself only asks."""

import http.client
import json
import urllib.error
import urllib.parse
import urllib.request

from mock_apns import DIRECT, LAST_RESORT, ServerError


class DebugAPI:
    """Calls the API of a running server and hands out the JSON of its answers."""

    def __init__(self, server):
        self._base = server.api

    def call(self, method, path, body=None, status=200):
        """The answer's JSON, None when it has none; any other status is an error."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self._base + path, data=data, method=method, headers={"content-type": "application/json"}
        )
        try:
            with DIRECT.open(request, timeout=LAST_RESORT) as answer:
                seen, text = answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            seen, text = error.code, error.read().decode()
        if seen != status:
            raise ServerError(f"expected {status} from {method} {path}, saw {seen}: {text}")
        return json.loads(text) if text else None

    def get(self, path):
        return self.call("GET", path)

    def add(self, label, *registrations, **more):
        """A device with apps; returns its tokens."""
        draft = {"label": label, "registrations": list(registrations), **more}
        device = self.call("POST", "/api/v1/devices", draft, status=201)
        return [registration["token"] for registration in device["registrations"]]

    def change(self, label, **change):
        return self.call("PATCH", f"/api/v1/devices/@{label}", change)

    def change_app(self, token, **change):
        return self.call("PATCH", f"/api/v1/registrations/{token}", change)

    def device(self, label):
        return self.get(f"/api/v1/devices/@{label}")

    def registration(self, token):
        return self.get(f"/api/v1/registrations/{token}")

    def pushes(self, token):
        """The records of the pushes to a token, oldest first."""
        return self.get(f"/api/v1/pushes?token={token}&order=asc&limit=1000")["pushes"]

    def push(self, identifier):
        return self.get(f"/api/v1/pushes/{identifier}")

    def advance(self, duration):
        return self.call("POST", "/api/v1/clock/advance", {"by": duration})


class Events:
    """A stream of server-sent events: `with Events(api_url, path) as events`."""

    def __init__(self, base, path, timeout=LAST_RESORT):
        address = urllib.parse.urlsplit(base)
        self._connection = http.client.HTTPConnection(address.hostname, address.port, timeout=timeout)
        self._path = path

    def __enter__(self):
        self._connection.request("GET", self._path, headers={"accept": "text/event-stream"})
        self._answer = self._connection.getresponse()
        if self._answer.status != 200:
            raise ServerError(f"expected 200 from {self._path}, saw {self._answer.status}: {self._answer.read()}")
        kind = self._answer.getheader("content-type") or ""
        if not kind.startswith("text/event-stream"):
            raise ServerError(f"expected text/event-stream from {self._path}, saw {kind}")
        return self

    def __exit__(self, *_):
        self._answer.close()
        self._connection.close()

    def next(self):
        """The next event: its name, its id and its data; None at the end."""
        fields = {}
        while line := self._answer.readline():
            text = line.decode().rstrip("\r\n")
            if not text:
                if fields:
                    return fields.get("event"), fields.get("id"), json.loads(fields["data"])
            elif not text.startswith(":"):
                name, _, value = text.partition(":")
                fields[name] = fields.get(name, "") + value.removeprefix(" ")
        return None
