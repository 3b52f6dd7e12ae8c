"""What a mock APNs has: phones, pushes and the conditions for them, keys, channels, faults and a clock."""

from __future__ import annotations

import base64
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Mapping, NamedTuple, Optional, TypedDict, Union

from ._server import API
from ._signing import provider_token

Seconds = Union[float, timedelta]
#: A value, or operators of the debug API on it, such as `{"contains": "shipped"}` or `{"lt": 10}`.
Text = Union[str, Mapping[str, object]]
Number = Union[int, Mapping[str, object]]


def duration(seconds: Seconds) -> str:
    """A duration as the API writes it."""
    return f"{round((seconds.total_seconds() if isinstance(seconds, timedelta) else seconds) * 1000)}ms"


class Conditions(TypedDict, total=False):
    """What a push has to be like. Only accepted ones match, unless `status`, `reason`, `outcome` or `query` differ."""

    to: Phone
    token: Text
    device: Text  #: the name of the phone
    topic: Text
    type: Text  #: the push type, such as "alert"
    priority: Number
    expiration: Number
    collapse_id: Text
    title: Text  #: the title of the alert
    body: Text  #: the text of the alert
    apns_id: Text
    key_id: Text
    team_id: Text
    environment: Text  #: "sandbox" or "production"
    delivery: Text  #: the delivery state, such as "delivered"
    channel: Union[Channel, str]
    warning: Text  #: the identifier of a warning, as in docs/lints.md
    ignored: Text  #: why the device ignored a push to a Live Activity, such as "stale-timestamp"
    forwarded: Number  #: the status of the service that the server forwards pushes to
    fits: Text  #: a schema of the app that it fits: "payload" or "content-state:RideAttributes"
    payload: Mapping[str, object]  #: by JSON Pointers: {"/orderID": "17"}
    headers: Mapping[str, Text]  #: by names in lower case
    status: Number
    reason: Text  #: such as "BadDeviceToken"
    outcome: Text  #: "accepted" or "rejected"
    query: str  #: a search as in the inspector: "type:alert is:delivered"


#: The names of the debug API, where they are not the same in camelCase.
_NAMES = {"to": "token", "type": "pushType", "warning": "lint", "query": "q"}


def match(conditions: Mapping[str, Any]) -> dict[str, Any]:
    """The `match` object of the debug API."""
    members: dict[str, Any] = {}
    for name, value in conditions.items():
        if name not in Conditions.__annotations__:
            raise TypeError(f"unknown condition '{name}': expected one of {', '.join(Conditions.__annotations__)}")
        if isinstance(value, (Phone, Channel)):
            value = value.token if isinstance(value, Phone) else value.id
        elif name == "payload":
            value = [{"at": pointer, "equals": wanted} for pointer, wanted in value.items()]
        if name in ("status", "reason", "outcome"):
            members.setdefault("verdict", {})[name] = value
        elif name in ("to", "token") and "token" in members:
            raise TypeError("'to' and 'token' are both for the device token: use one of them")
        else:
            members[_NAMES.get(name) or name.replace("_id", "Id")] = value
    return members


class PushWarning(NamedTuple):
    """What is wrong with a push, which can be there although it was accepted: see docs/lints.md."""

    id: str
    message: str
    hint: str


class Push:
    """A push that the server has received. `json` is all of it, as in the debug API."""

    def __init__(self, json: dict[str, Any]) -> None:
        self.json, apns, request = json, json["apns"], json["request"]
        self.id: str = json["id"]  #: the identifier on this server
        self.apns_id: Optional[str] = apns["id"]
        self.token: Optional[str] = apns["token"]
        self.topic: Optional[str] = apns["topic"]
        self.type: str = apns["pushType"]
        self.priority: Optional[int] = apns["priority"]
        self.expiration: Optional[int] = apns["expiration"]
        self.collapse_id: Optional[str] = apns["collapseId"]
        self.headers: list[tuple[str, str]] = [(name, value) for name, value in request["headers"]]
        self.body: bytes = base64.b64decode(request["bodyBase64"])
        self.payload: Any = request["payload"]  #: the body as JSON; None if it is not JSON
        aps = self.payload.get("aps") if isinstance(self.payload, dict) else None
        alert = aps.get("alert") if isinstance(aps, dict) else None
        self.title: Optional[str] = alert.get("title") if isinstance(alert, dict) else None
        self.text: Optional[str] = alert.get("body") if isinstance(alert, dict) else alert
        self.status: int = json["response"]["status"]
        self.reason: Optional[str] = json["verdict"]["reason"]  #: such as "BadDeviceToken"; None if it was accepted
        self.accepted: bool = json["verdict"]["outcome"] == "accepted"
        self.delivery: str = json["delivery"]["state"]  #: such as "delivered" or "stored-device-offline"
        self.activity: Optional[str] = json["delivery"]["activity"]  #: the Live Activity that it started or was for
        ignored = json["delivery"]["ignored"]
        self.ignored: Optional[str] = ignored and ignored["code"]  #: why the device ignored a push to a Live Activity
        self.forward: Optional[dict[str, Any]] = json.get("forward")  #: the answer of the service it was forwarded to
        self.warnings = [PushWarning(*(lint[name] for name in PushWarning._fields))
                         for lint in json["lints"] if lint["severity"] != "info"]

    def __repr__(self) -> str:
        outcome = self.reason or self.delivery
        return f"<Push {self.id} {self.type} {self.title!r} to {self.token}: {self.status} {outcome}>"


class Notification(NamedTuple):
    """A notification in a phone's Notification Center; `push` is the identifier of its push."""

    push: str
    title: Optional[str]
    subtitle: Optional[str]
    body: Optional[str]
    badge: Optional[int]
    sound: Optional[str]


class Feedback(NamedTuple):
    """A device token that is no longer valid, and the pushes to it: those answered with 410, and those afterwards."""

    token: str
    topic: Optional[str]
    reported: int
    pushes_after_first_410: int


class Phone:
    """A phone with an app: `id` on the server, the app's device `token`, and its `topic`."""

    def __init__(self, api: API, device: dict[str, Any]) -> None:
        self._api, self.id = api, str(device["id"])
        self.token, self.topic = (str(device["registrations"][0][name]) for name in ("token", "topic"))

    def go_online(self) -> None:
        """Connects the phone; stored notifications are delivered before this returns."""
        self._api.call("PATCH", f"devices/{self.id}", {"state": "online"})

    def go_offline(self) -> None:
        """Disconnects the phone; the newest push for each app is stored."""
        self._api.call("PATCH", f"devices/{self.id}", {"state": "offline"})

    def uninstall_app(self) -> None:
        """Uninstalls the app: pushes to its token get 410 from now on."""
        self._api.call("PATCH", f"registrations/{self.token}", {"state": "uninstalled"})

    def rotate_token(self) -> str:
        """Gives the app a new token, which this returns; pushes to the old one get 410 from now on."""
        self.token = str(self._api.call("POST", f"registrations/{self.token}/rotate")["token"])
        return self.token

    def inbox(self) -> list[Notification]:
        """The notifications in Notification Center, newest first."""
        shown = self._api.call("GET", f"devices/{self.id}/inbox")["notifications"]
        return [Notification(*(one[name] for name in Notification._fields)) for one in shown]

    def subscribe(self, channel: Channel) -> None:
        """Subscribes the app to a broadcast channel."""
        self._api.call("POST", f"devices/{self.id}/subscriptions", {"topic": self.topic, "channel": channel.id})

    def activities(self) -> list[Activity]:
        """The Live Activities, in the order of their start, with the latest dismissed ones."""
        path = f"devices/{self.id}/activities"
        return [Activity(self._api, one) for one in self._api.call("GET", path)["activities"]]

    def start_activity(self, attributes_type: str, attributes: Optional[Mapping[str, object]] = None,
                       content_state: Optional[Mapping[str, object]] = None) -> Activity:
        """Starts a Live Activity, as the app does it itself, without a push."""
        body = {"topic": self.topic, "attributesType": attributes_type, "attributes": attributes or {},
                "contentState": content_state or {}}
        return Activity(self._api, self._api.call("POST", f"devices/{self.id}/activities", body))


class Activity:
    """A Live Activity as of when it was asked for. `json` is all of it, as in the debug API."""

    def __init__(self, api: API, json: dict[str, Any]) -> None:
        self._api, self._path = api, f"devices/{json['device']}/activities/{json['id']}"
        self.id = str(json["id"])
        self._read(json)

    def _read(self, json: dict[str, Any]) -> None:
        self.json = json
        self.token: Optional[str] = json["token"]  #: the update token; None if it follows a channel or asked for none
        self.state: str = json["state"]  #: "active", "stale", "ended" or "dismissed"
        self.attributes_type: str = json["attributesType"]
        self.attributes: dict[str, Any] = json["attributes"]
        self.content_state: dict[str, Any] = json["contentState"]  #: the newest
        self.channel: Optional[str] = json["channel"]  #: that it follows

    def dismiss(self) -> None:
        """Dismisses it, as the user does: pushes to its token get 410 from now on."""
        self._read(self._api.call("POST", f"{self._path}/dismiss"))

    def rotate_token(self) -> Optional[str]:
        """Gives it a new update token, which this returns; pushes to the old one get 410 from now on."""
        self._read(self._api.call("POST", f"{self._path}/rotate"))
        return self.token

    def __repr__(self) -> str:
        return f"<Activity {self.id} {self.attributes_type}: {self.state} {self.content_state}>"


class Channel(NamedTuple):
    """A broadcast channel: its `id` in Base64, and the numbers of its accepted broadcasts and subscribed phones."""

    id: str
    bundle_id: str
    published: int
    subscribers: int

    @classmethod
    def of(cls, json: dict[str, Any]) -> Channel:
        """The channel of a response."""
        return cls(json["id"], json["bundleId"], json["metrics"]["published"], json["metrics"]["uniqueSubscribers"])


class Clock:
    """The clock by which provider tokens and stored notifications expire. Tests move it, so they need not sleep."""

    def __init__(self, api: API) -> None:
        self._api = api

    def now(self) -> datetime:
        """The time, in UTC."""
        return datetime.fromisoformat(self._api.call("GET", "clock")["now"].replace("Z", "+00:00"))

    def advance(self, by: Seconds) -> None:
        """Moves the clock forward; everything that becomes due has happened when this returns."""
        self._api.call("POST", "clock/advance", {"by": duration(by)})

    def freeze(self) -> None:
        """Stops the clock; `advance` still moves it."""
        self._api.call("PUT", "clock", {"mode": "frozen"})

    def run(self) -> None:
        """Returns the clock to the system's time."""
        self._api.call("PUT", "clock", {"mode": "real"})


class Key:
    """A key that signs provider tokens: its `id` and `team_id`, and the private key as text, `pem`, and as a `file`."""

    def __init__(self, api: API, json: dict[str, Any], directory: Path) -> None:
        self._api, self.id, self.team_id, self.pem = api, str(json["keyId"]), str(json["teamId"]), str(json["p8"])
        self.file = str(directory / json["fileName"])
        Path(self.file).write_text(self.pem, encoding="ascii")

    def token(self, issued_at: Optional[int] = None) -> str:
        """A provider token for `authorization`, after "bearer "; by default issued now by the server's clock."""
        now = Clock(self._api).now().timestamp() if issued_at is None else issued_at
        return provider_token(self.pem, self.id, self.team_id, int(now))

    def revoke(self) -> None:
        """Revokes the key: its provider tokens are rejected from now on."""
        self._api.call("DELETE", f"keys/{self.id}")


class Fault:
    """A fault on the server."""

    def __init__(self, api: API, json: dict[str, Any]) -> None:
        self._api, self.id = api, str(json["id"])

    def fired(self) -> int:
        """How often the fault has fired."""
        return int(self._api.call("GET", f"faults/{self.id}")["stats"]["fired"])

    def remove(self) -> None:
        """Removes the fault."""
        self._api.call("DELETE", f"faults/{self.id}")
