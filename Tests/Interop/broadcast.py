"""Broadcasts and channel management: what a provider of Live Activities does, with curl, Node's http2 and Go's x/net/http2.

Management goes to the port for it, as with Apple; broadcasts go to the port for pushes.
"""

import json
import uuid
from dataclasses import replace

from command_clients import Curl
from debug_api import DebugAPI
from library_clients import JobClient, build_go_client, node_command
from pushes import TOPIC, Journal, Push
from report import expect, expect_that

CHANNELS = f"/1/apps/{TOPIC}/channels"
ALL_CHANNELS = f"/1/apps/{TOPIC}/all-channels"
BROADCASTS = f"/4/broadcasts/apps/{TOPIC}"
UPDATE = '{"aps":{"timestamp":1754402113,"event":"update","content-state":{"score":"2:1"}}}'
UNKNOWN_CHANNEL = "dHN0LXNyY2gtY2hubA=="


def new_channel(storage):
    return json.dumps({"message-storage-policy": storage, "push-type": "LiveActivity"})


# The headers beside those of the operation, as libraries on the client's HTTP stack send them: Apple's samples with
# curl, @parse/node-apn on Node's http2, APNSwift's on the third, whose ids are in lower case.
PLAIN = ()
WITH_ID = (("apns-request-id", lambda: str(uuid.uuid4()).upper()),)
WITH_CONTENT_TYPE = (
    ("content-type", lambda: "application/json"), ("user-agent", lambda: "APNS/swift-nio"),
    ("apns-request-id", lambda: str(uuid.uuid4())),
)


class Provider:
    """A client, the headers that it adds, and where it sends."""

    def __init__(self, context, name, manage, send, more):
        self.name = name
        self._context = context
        self._manage, self._send, self._more = manage, send, more

    def request(self, method, path, body="", **headers):
        fields = [("authorization", f"bearer {self._context.token}")]
        fields += [(name, value()) for name, value in self._more]
        push = Push(path=path, headers=fields, body=body, method=method)
        return push.with_headers(**headers)

    def __call__(self, request):
        """The answer, with the id that every answer has."""
        answer = (self._send if request.path.startswith("/4/") else self._manage)(request)
        sent, got = request.header("apns-request-id"), answer.header("apns-request-id")
        expect_that(got == sent if sent else got, "apns-request-id", sent or "a new one", got)
        expect("apns-id", None, answer.header("apns-id"))
        return answer

    def create(self, storage=1):
        answer = self(self.request("POST", CHANNELS, new_channel(storage)))
        expect("create", (201, ""), (answer.status, answer.body))
        channel = answer.header("apns-channel-id")
        expect_that(channel, "apns-channel-id", "an id", channel)
        return channel

    def read(self, channel):
        return self(self.request("GET", CHANNELS, apns_channel_id=channel))

    def delete(self, channel):
        return self(self.request("DELETE", CHANNELS, apns_channel_id=channel))

    def listed(self):
        answer = self(self.request("GET", ALL_CHANNELS))
        expect("list", 200, answer.status)
        return json.loads(answer.body)["channels"]

    def broadcast(self, channel, **changes):
        headers = {
            "apns_channel_id": channel, "apns_push_type": "liveactivity", "apns_priority": "10",
            "apns_expiration": "0", **changes,
        }
        return self.request("POST", BROADCASTS, UPDATE, **headers)


def refusals(provider, channel, unstored):
    """Requests with one fault each, and the reason that names it."""
    good = provider.broadcast(channel)
    return (
        (good.with_headers(authorization=None), 403, "MissingProviderToken"),
        (good.with_headers(apns_channel_id=None), 400, "MissingChannelId"),
        (good.with_headers(apns_channel_id="not Base64"), 400, "BadChannelId"),
        (good.with_headers(apns_channel_id=UNKNOWN_CHANNEL), 400, "ChannelNotRegistered"),
        (good.with_headers(apns_push_type=None), 400, "MissingPushType"),
        (good.with_headers(apns_push_type="alert"), 400, "InvalidPushType"),
        (good.with_headers(apns_priority="7"), 400, "BadPriority"),
        (good.with_headers(apns_channel_id=unstored, apns_expiration="4102444800"), 400, "BadExpirationDate"),
        (replace(good, path=f"{BROADCASTS}.push-type.liveactivity"), 400, "TopicDisallowed"),
        (replace(good, body=""), 400, "PayloadEmpty"),
        (replace(good, body="x" * 5_121), 413, "PayloadTooLarge"),
        (provider.request("POST", CHANNELS, "{"), 400, "BadRequestPayload"),
        (provider.request("POST", CHANNELS, '{"name":1}'), 400, "BadRequestParams"),
        (provider.request("PUT", CHANNELS, new_channel(0)), 405, "MethodNotAllowed"),
        (provider.request("GET", f"/1/apps/{TOPIC}/channel"), 404, "BadPath"),
    )


def subscribe(api, channel, label, **more):
    api.add(label, {"topic": TOPIC}, **more)
    body = {"topic": TOPIC, "channel": channel}
    api.call("POST", f"/api/v1/devices/@{label}/subscriptions", body, status=201)


def fan_out(record):
    return {name: record["delivery"]["fanOut"][name] for name in ("delivered", "stored", "discarded", "pending")}


def provider_cases(context, provider):
    api, name = DebugAPI(context.server), provider.name
    channel = unstored = None

    with context.report.case(f"{name} creates, reads and lists channels"):
        before = provider.listed()
        channel, unstored = provider.create(), provider.create(storage=0)
        for created, storage in ((channel, 1), (unstored, 0)):
            answer = provider.read(created)
            expected = {"message-storage-policy": storage, "push-type": "LiveActivity"}
            expect("read", (200, expected), (answer.status, json.loads(answer.body)))
        expect("list", sorted([*before, channel, unstored]), sorted(provider.listed()))
    if unstored is None:
        return  # the line above has said why

    with context.report.case(f"{name} broadcasts to devices"):
        here, away = f"{name}-here", f"{name}-away"
        subscribe(api, channel, here)
        subscribe(api, channel, away, state="offline")
        api.add(f"{name}-other", {"topic": TOPIC})
        journal = Journal(context.server)
        answer = provider(provider.broadcast(channel, apns_expiration="4102444800"))
        expect("broadcast", (200, ""), (answer.status, answer.body))
        record = journal.one()
        expect("service", "broadcast", record["service"])
        expect("payload", json.loads(UPDATE), record["request"]["payload"])
        expect("id", answer.header("apns-request-id"), record["apns"]["id"])
        expect("devices", {"delivered": 1, "stored": 1, "discarded": 0, "pending": 0}, fan_out(record))
        api.change(away, state="online")
        expect("devices", {"delivered": 2, "stored": 0, "discarded": 0, "pending": 0}, fan_out(journal.one()))
        ids = {api.device(label)["id"] for label in (here, away)}
        expect("receivers", ids, {device["device"] for device in journal.one()["delivery"]["fanOut"]["devices"]})
        for label in (here, away):
            subscriptions = api.get(f"/api/v1/devices/@{label}/subscriptions")["subscriptions"]
            seen = [(each["channel"], each["lastDelivered"], each["waiting"]) for each in subscriptions]
            expect(f"subscriptions of {label}", [(channel, record["id"], False)], seen)

    with context.report.case(f"{name} gets the reason of a refusal"):
        for request, status, reason in refusals(provider, channel, unstored):
            answer = provider(request)
            expect(f"{request.method} {reason}", (status, {"reason": reason}), (answer.status, json.loads(answer.body)))

    with context.report.case(f"{name} deletes channels"):
        for each in (channel, unstored):
            answer = provider.delete(each)
            expect("delete", (204, ""), (answer.status, answer.body))
            expect("read", {"reason": "ChannelNotRegistered"}, json.loads(provider.read(each).body))
        expect("list", before, provider.listed())
        expect("subscriptions", [], api.get(f"/api/v1/devices/@{name}-here/subscriptions")["subscriptions"])


def broadcast_cases(context):
    manage = context.server.get_json("/api/v1/info")["channelListeners"][0]["url"]
    provider_cases(context, Provider(
        context, "curl", Curl(context, manage), Curl(context, context.tls_url), PLAIN
    ))
    provider_cases(context, Provider(
        context, "node", JobClient(context, node_command(), base=manage), JobClient(context, node_command()), WITH_ID
    ))
    with context.report.case("go client builds for broadcasts"):
        go = [build_go_client(context)]
    if "go" in locals():
        provider_cases(context, Provider(
            context, "go", JobClient(context, go, base=manage), JobClient(context, go), WITH_CONTENT_TYPE
        ))
