"""The handle of a test."""

from __future__ import annotations

import itertools
import json
import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence

from ._objects import Activity, Channel, Clock, Conditions, Fault, Feedback, Key, Phone, Push, Seconds, duration, match
from ._server import API, MockAPNsError, Refusal, Server

if TYPE_CHECKING:
    from typing_extensions import Unpack

__tracebackhide__ = __unittest = True  # so that pytest and unittest show the line of the test
#: The failures of this process. The first 100 keep their namespaces, since a server has at most 1,000.
_failures = itertools.count()
_KEPT = "(for an hour; if the server ends with the tests, use mock-apns serve and MOCK_APNS_API_URL)"


class MockAPNs:
    """A mock APNs for a test: a namespace with its own port, phones, pushes, faults and clock, until it is closed.

    A provider needs `host` and `port` (or `url`), `ca_file` to trust, and `key`; `environment` has all of them as
    variables. `page` is the inspector's page of the namespace.
    """

    def __init__(self, name: str = "test") -> None:
        self.name, self._server, self._is_kept = name, Server.shared(), False
        self.host, self.ca_file = self._server.api.host, str(self._server.ca_file)
        self.namespace, self.port = self._server.add_namespace(name)
        self._api = API(self._server.api.url, self.namespace)
        self.url = f"https://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}"
        self.page = f"{self._api.url}/?ns={self.namespace}"
        self.key, self.clock = self.add_key(), Clock(self._api)
        self.environment = {
            "MOCK_APNS_HOST": self.host, "MOCK_APNS_APNS_PORT": str(self.port), "MOCK_APNS_URL": self.url,
            "MOCK_APNS_CA_FILE": self.ca_file, "MOCK_APNS_KEY_FILE": self.key.file, "MOCK_APNS_KEY_ID": self.key.id,
            "MOCK_APNS_TEAM_ID": self.key.team_id, "MOCK_APNS_API_URL": self._api.url}

    def close(self) -> None:
        """Deletes the namespace. If an expectation has failed, it stays for an hour, because the report leads to it."""
        if not self._is_kept:
            self._server.api.call("DELETE", f"namespaces/{self.namespace}")

    def __enter__(self) -> MockAPNs:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def phone(self, topic: str, *, offline: bool = False, name: Optional[str] = None,
              token: Optional[str] = None, os: Optional[str] = None) -> Phone:
        """Adds a phone with an app: `name` for reports, a `token` that the provider has, `os` such as "17.4"."""
        app, state = {"topic": topic, "token": token}, "offline" if offline else "online"
        device = {"label": name, "state": state, "os": os, "registrations": [app]}
        return Phone(self._api, self._api.call("POST", "devices", device))

    def add_key(self, topics: Optional[Sequence[str]] = None) -> Key:
        """Adds another signing key, by default for all topics."""
        body = {"topics": list(topics)} if topics else None
        return Key(self._api, self._api.call("POST", "keys/generate", body), self._server.directory)

    def add_channel(self, topic: str) -> Channel:
        """Adds a broadcast channel for an app."""
        return Channel.of(self._api.call("POST", "channels", {"topic": topic}))

    def channels(self) -> list[Channel]:
        """The broadcast channels, with those that providers have created."""
        return [Channel.of(channel) for channel in self._api.call("GET", "channels")["channels"]]

    def put_schema(self, app: str, name: str, schema: Mapping[str, object]) -> None:
        """Gives an app a JSON Schema, of its "payload" or "content-state:RideAttributes", for the condition `fits`."""
        self._api.call("PUT", f"apps/{app}/schemas/{name}", schema)

    def feedback(self) -> list[Feedback]:
        """The device tokens that have become invalid, oldest first."""
        return [Feedback(one["token"], one["topic"], one["reported410"], one["pushesAfterFirst410"])
                for one in self._api.call("GET", "feedback")["feedback"]]

    def add_fault(self, action: Mapping[str, object], *, times: Optional[int] = None, skip: int = 0,
                  **conditions: Unpack[Conditions]) -> Fault:
        """Adds a fault for the pushes that match: the first `skip` pass, and it fires `times` times.

        The action is a `do` object of the debug API: `{"respond": {"reason": "TooManyRequests"}}`,
        `{"respond": {"status": 503}}`, `{"delay": {"for": "2s"}}`, `{"goaway": {}}`, `{"connection": "rst"}`,
        `{"stream": {"reset": "INTERNAL_ERROR"}}`, `{"lose": True}` …
        """
        body = {"do": action, "match": match(conditions), "when": {"skip": skip, "times": times}}
        return Fault(self._api, self._api.call("POST", "faults", body))

    def add_preset(self, name: str, parameters: Optional[Mapping[str, object]] = None,
                   **conditions: Unpack[Conditions]) -> Fault:
        """Adds a fault of the table in docs/reference.md, such as `add_preset("too-many-requests", {"times": 1})`."""
        body = {**(parameters or {}), **({"match": match(conditions)} if conditions else {})}
        return Fault(self._api, self._api.call("POST", f"faults/presets/{name}", body))

    def remove_faults(self) -> None:
        """Removes all faults."""
        self._api.call("DELETE", "faults?all=true")

    def expect(self, *, within: Seconds = 1, **conditions: Unpack[Conditions]) -> Push:
        """Waits until a push matches, and returns the first; else fails with the closest ones and why they differ."""
        return self._verify("verify", {"match": match(conditions), "count": {"atLeast": 1}}, within)[0]

    def expect_exactly(self, count: int, *, within: Seconds = 1, **conditions: Unpack[Conditions]) -> list[Push]:
        """Waits until this many pushes match, and returns them. `wait_for_idle` before it catches later ones."""
        return self._verify("verify", {"match": match(conditions), "count": {"exactly": count}}, within)

    def expect_none(self, *, within: Seconds = 0, **conditions: Unpack[Conditions]) -> None:
        """Fails if a push matches, or does so `within` this time."""
        self._verify("verify", {"match": match(conditions), "count": {"never": True}}, within)

    def expect_sequence(self, *steps: Conditions, strict: bool = False, within: Seconds = 1) -> list[Push]:
        """Waits until pushes match the steps in order, and returns them; if `strict`, without others in between."""
        return self._verify("verify-sequence", {"steps": [match(step) for step in steps], "strict": strict}, within)

    def pushes(self, **conditions: Unpack[Conditions]) -> list[Push]:
        """The pushes that match, oldest first."""
        return self._found("verify", {"match": match(conditions), "count": {"atLeast": 0}})

    def expect_activity(self, phone: Phone, state: str = "active", *, within: Seconds = 1) -> Activity:
        """Waits until a Live Activity of the phone is in this state, and returns the newest that is."""
        end = time.monotonic() + float(duration(within)[:-2]) / 1000
        while True:
            newest = self._api.call("GET", "seq")["seq"]
            activities = phone.activities()
            if found := [one for one in activities if one.state == state]:
                return found[-1]
            if time.monotonic() >= end:
                break
            self._api.call("GET", f"pushes/count?after={newest}&wait={duration(min(0.1, end - time.monotonic()))}")
        lines = [f"expected a Live Activity that is {state}, but the phone has {activities or 'none'}"]
        lines += [f"{push.id} was ignored: {push.json['delivery']['ignored']['text']}"
                  for push in self.pushes(query="is:ignored")[-5:]]
        raise self._failure("\n".join(lines))

    def wait_for_idle(self, quiet: Seconds = 0.1, *, within: Seconds = 10) -> None:
        """Waits until no push has arrived for this time."""
        end = time.monotonic() + float(duration(within)[:-2]) / 1000
        while time.monotonic() < end:
            newest = self._api.call("GET", "seq")["seq"]
            if not self._api.call("GET", f"pushes/count?after={newest}&wait={duration(quiet)}")["satisfied"]:
                return
        raise self._failure(f"expected no push for {quiet} s, but pushes came for {within} s")

    def attach_pushes(self, directory: Optional[str] = None) -> None:
        """Saves the pushes, and pictures of the last 20, in a directory there: by default in MOCK_APNS_ATTACHMENTS."""
        if place := directory or os.environ.get("MOCK_APNS_ATTACHMENTS"):
            folder = Path(place, re.sub(r"[^\w.-]+", "-", self.name))
            folder.mkdir(parents=True, exist_ok=True)
            pushes = self.pushes(outcome={"in": ["accepted", "rejected"]})
            (folder / "pushes.json").write_text(json.dumps([push.json for push in pushes], indent=2), encoding="utf-8")
            for push in pushes[-20:]:
                (folder / f"push-{push.id}.svg").write_bytes(self._api.read("GET", f"pushes/{push.id}/preview.svg"))

    def _verify(self, route: str, body: Mapping[str, Any], within: Seconds) -> list[Push]:
        try:
            return self._found(route, {**body, "within": duration(within)})
        except Refusal as refusal:
            raise self._failure(str(refusal)) from None

    def _found(self, route: str, body: Mapping[str, Any]) -> list[Push]:
        found = self._api.call("POST", f"pushes/{route}", body)
        return [Push(self._api.call("GET", f"pushes/{push}")) for push in found["matched"]]

    def _failure(self, report: str) -> AssertionError:
        self._is_kept = self._is_kept or next(_failures) < 100
        page = f"\npage: {self.page} {_KEPT}" if self._is_kept else ""
        return AssertionError(report.rstrip() + self._saved() + page)

    def _saved(self) -> str:
        try:
            self.attach_pushes()
            return ""
        except (MockAPNsError, OSError) as error:
            return f"\nits pushes could not be saved: {error}"
