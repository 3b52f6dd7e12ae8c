"""Simulated phones, end to end: real clients push, the debug API plays the phone."""

import calendar
import json
import os
import time
import urllib.parse
import uuid
from dataclasses import replace

from debug_api import DebugAPI, Events
from library_clients import BUILD, HERE, JobClient, aioapns_notification, node_command, run_job
from mock_apns import LAST_RESORT, Server
from pushes import TOPIC, Context, alert, device_token
from report import expect, expect_that

# When the clock of these servers stands still: a round second, so that expirations can hit it.
MOMENT = "2030-06-01T10:00:00.000000Z"
MOMENT_SECONDS = 1_906_538_400
OTHER_TOPIC = "com.example.other"


def until(what, holds):
    """Asks again until it holds: the server hears of the end of a connection when it hears of it."""
    deadline = time.monotonic() + LAST_RESORT
    while not holds():
        expect_that(time.monotonic() < deadline, what, f"within {LAST_RESORT} s", "nothing of the kind")
        time.sleep(0.02)


class Phones:
    """A server of its own, with clients for it."""

    def __init__(self, context, server):
        self.server = server
        self.api = DebugAPI(server)
        self.case = context.report.case
        self.context = Context(server, context.report, context.directory)
        self.node = JobClient(self.context, node_command())

    def freeze(self):
        """Stops the clock, with a provider token of that time."""
        clock = self.api.call("PUT", "/api/v1/clock", {"mode": "frozen", "now": MOMENT})
        expect("the clock", ("frozen", MOMENT), (clock["mode"], clock["now"]))
        self.context.token = self.server.token("--issued-at", str(MOMENT_SECONDS))

    def push(self, token, topic=TOPIC, body=None, **headers):
        """What is sent to a token; `expiration` and the like are left out unless given."""
        headers = {"apns_topic": topic, "apns_expiration": None, "apns_collapse_id": None, **headers}
        push = replace(alert(self.context.token), path=f"/3/device/{token}").with_headers(**headers)
        return push if body is None else replace(push, body=json.dumps(body))

    def send(self, *pushes):
        """With Node; returns the answers."""
        return self.node.send_all(list(pushes))

    def send_accepted(self, *pushes):
        """With Node; all must be accepted. Returns the records, in the order of the pushes."""
        answers = self.send(*pushes)
        expect("statuses", [200] * len(pushes), [answer.status for answer in answers])
        return [self.record(push.header("apns-id")) for push in pushes]

    def record(self, apns_id):
        return self.api.push(f"apns:{apns_id}")

    def aioapns(self, *notifications):
        """With aioapns, which signs its own provider tokens by the system's clock."""
        key = self.server.get_json("/api/v1/info")["developmentKey"]
        job = {
            "host": "localhost", "port": urllib.parse.urlsplit(self.server.apns[0]).port, "ca": self.server.ca,
            "keyFile": key["path"], "keyId": key["keyId"], "teamId": key["teamId"], "topic": TOPIC,
            "notifications": list(notifications), "parallel": False,
        }
        python = os.path.join(BUILD, "interop-venv", "bin", "python")
        done = run_job([python, os.path.join(HERE, "clients", "aioapns_push.py")], job)
        return [(answer["status"], answer["reason"]) for answer in done["answers"]]

    def states(self, records):
        return [self.api.push(record["id"])["delivery"]["state"] for record in records]


def app(topic=TOPIC, **more):
    return {"topic": topic, **more}


def events(record):
    return [step["event"] for step in record["delivery"]["timeline"]]


# ---- store and forward


def check_only_the_last(phones, label, ids):
    """Three pushes were accepted while the device was offline; now it comes online."""
    records = [phones.record(identifier) for identifier in ids]
    states = ["discarded-collapsed", "discarded-collapsed", "stored-device-offline"]
    expect("states while offline", states, [record["delivery"]["state"] for record in records])
    stored = phones.api.get(f"/api/v1/devices/@{label}/stored")["stored"]
    expect("what is stored", [records[2]["id"]], [record["id"] for record in stored])
    expect("stored, as the device counts", 1, phones.api.device(label)["stored"])

    report = phones.api.change(label, state="online")
    expect("delivered on return", [records[2]["id"]], report["delivered"])
    expect("discarded on return", [], report["discarded"])
    records = [phones.record(identifier) for identifier in ids]
    expect("states", states[:2] + ["delivered-from-storage"], [record["delivery"]["state"] for record in records])
    expect("status", "Delivered to Device (From Storage)", records[2]["delivery"]["status"])
    expect("steps of the first", ["received", "responded", "stored", "discarded"], events(records[0]))
    expect("steps of the last", ["received", "responded", "stored", "delivered"], events(records[2]))
    device = phones.api.device(label)
    counts = {name: device[name] for name in ("delivered", "discarded", "stored")}
    expect("the device's counts", {"delivered": 1, "discarded": 2, "stored": 0}, counts)
    inbox = phones.api.get(f"/api/v1/devices/@{label}/inbox")["notifications"]
    expect("the inbox", [records[2]["id"]], [notification["push"] for notification in inbox])
    expect("nothing comes twice", [], phones.api.change(label, state="offline")["delivered"])
    expect("nothing comes twice", [], phones.api.change(label, state="online")["delivered"])


def aioapns_case(phones):
    with phones.case("devices aioapns: offline, three pushes, online: exactly the last"):
        [token] = phones.api.add("aioapns", app(), state="offline")
        notifications = [aioapns_notification(device_token=token, collapse_key=f"key {n}") for n in range(3)]
        expect("answers", [(200, None)] * 3, phones.aioapns(*notifications))
        check_only_the_last(phones, "aioapns", [notification["notification_id"] for notification in notifications])


    with phones.case("devices aioapns: an uninstalled app, and installed again"):
        notification = aioapns_notification(device_token=token)
        phones.api.change_app(token, state="uninstalled")
        expect("answers", [(410, "Unregistered")], phones.aioapns(notification))
        phones.api.change_app(token, state="registered")
        expect("answers", [(200, None)], phones.aioapns(notification))


def node_case(phones):
    with phones.case("devices node: offline, three pushes, online: exactly the last"):
        [token] = phones.api.add("node", app(), state="offline")
        pushes = [phones.push(token) for _ in range(3)]
        phones.send_accepted(*pushes)
        check_only_the_last(phones, "node", [push.header("apns-id") for push in pushes])


def slots_case(phones):
    with phones.case("devices: one is stored for each app, and expiration 0 is for now or never"):
        first, second = phones.api.add("slots", app(), app(OTHER_TOPIC), state="offline")
        records = phones.send_accepted(
            phones.push(first), phones.push(second, OTHER_TOPIC), phones.push(first, apns_expiration="0")
        )
        expected = ["stored-device-offline", "stored-device-offline", "discarded-expired"]
        expect("states", expected, phones.states(records))
        report = phones.api.change("slots", state="online")
        expect("delivered", sorted(record["id"] for record in records[:2]), sorted(report["delivered"]))
        [now] = phones.send_accepted(phones.push(first, apns_expiration="0"))
        expect("expiration 0 to a device that is online", "delivered", now["delivery"]["state"])


def power_case(phones):
    with phones.case("devices: low power keeps back all but priority 10"):
        [token] = phones.api.add("tired", app(), lowPower=True)
        urgent, patient = phones.send_accepted(phones.push(token), phones.push(token, apns_priority="5"))
        expect("priority 10", "delivered", urgent["delivery"]["state"])
        expect("priority 5", "stored-power-considerations", patient["delivery"]["state"])
        expect("delivered", [patient["id"]], phones.api.change("tired", lowPower=False)["delivered"])


def app_state_case(phones):
    with phones.case("devices: what the user has ended or switched off"):
        [token] = phones.api.add("apps", app(appState="forceQuit"))
        silent = phones.push(token, apns_push_type="background", apns_priority="5",
                             body={"aps": {"content-available": 1}})
        [record] = phones.send_accepted(silent)
        expect("steps after a force-quit", ["received", "responded", "delivered", "dropped"], events(record))
        phones.api.change_app(token, appState="terminated")
        [older] = phones.send_accepted(silent.with_headers(apns_id=str(uuid.uuid4())))
        [newer] = phones.send_accepted(silent.with_headers(apns_id=str(uuid.uuid4())))
        expect("held", newer["id"], phones.api.registration(token)["held"])
        phones.api.change_app(token, appState="foreground")
        expect("the older", ["delivered", "held", "dropped"], events(phones.api.push(older["id"]))[2:])
        expect("the newer", ["delivered", "held", "handed-over"], events(phones.api.push(newer["id"]))[2:])
        phones.api.change_app(token, notificationsEnabled=False)
        [record] = phones.send_accepted(phones.push(token))
        expect("an alert nobody wants", "discarded-disabled", record["delivery"]["state"])


# ---- the clock


def expiry_case(phones):
    with phones.case("devices: what waits expires by the test clock"):
        [token] = phones.api.add("late", app(), state="offline")
        [record] = phones.send_accepted(phones.push(token, apns_expiration=str(MOMENT_SECONDS + 600)))
        expect("state", "stored-device-offline", record["delivery"]["state"])
        registration = phones.api.registration(token)
        expect("storedUntil", "2030-06-01T10:10:00.000000Z", registration["storedUntil"])
        expect("expired too early", [], phones.api.advance("599s")["expired"])
        moved = phones.api.advance("1s")
        expect("expired", [record["id"]], moved["expired"])
        expect("now", "2030-06-01T10:10:00.000000Z", moved["now"])
        expect("delivered afterwards", [], phones.api.change("late", state="online")["delivered"])
        record = phones.api.push(record["id"])
        expect("state", "discarded-expired", record["delivery"]["state"])
        expect("when", "2030-06-01T10:10:00.000000Z", record["delivery"]["timeline"][-1]["at"])
        past = str(MOMENT_SECONDS - 1)
        phones.api.change("late", state="offline")
        [record] = phones.send_accepted(phones.push(token, apns_expiration=past))
        expect("an expiration that is past", "discarded-expired", record["delivery"]["state"])


def unregistered_case(phones):
    with phones.case("devices: an uninstalled app is answered 410 with the time of its death"):
        [token] = phones.api.add("gone", app())
        phones.api.advance("1234ms")
        dead = phones.api.change_app(token, state="uninstalled")["registration"]
        expect("state", "uninstalled", dead["state"])
        phones.api.advance("1m")
        [answer] = phones.send(phones.push(token))
        body = json.loads(answer.body)
        expect("answer", (410, "Unregistered"), (answer.status, body["reason"]))
        expect("deadSince", milliseconds(dead["deadSince"]), body["timestamp"])
        record = phones.api.pushes(token)[-1]
        expect("delivery", "not-attempted", record["delivery"]["state"])


def milliseconds(text):
    """The time of an answer of the API in milliseconds, without floating point."""
    whole, fraction = text.removesuffix("Z").split(".")
    return calendar.timegm(time.strptime(whole, "%Y-%m-%dT%H:%M:%S")) * 1_000 + int(fraction[:3])


def feedback_case(phones):
    with phones.case("devices: the feedback list counts what goes on being sent"):
        phones.api.call("DELETE", "/api/v1/feedback")
        [token] = phones.api.add("listed", app())
        dead = phones.api.change_app(token, state="uninstalled")["registration"]
        phones.send(phones.push(token), phones.push(token), phones.push(token))
        [entry] = phones.api.get("/api/v1/feedback")["feedback"]
        seen = {name: entry[name] for name in ("token", "device", "topic", "cause", "unregisteredAt")}
        expect("entry", {"token": token, "device": "listed", "topic": TOPIC, "cause": "uninstalled",
                         "unregisteredAt": dead["deadSince"]}, seen)
        expect("counts", (3, 2), (entry["reported410"], entry["pushesAfterFirst410"]))
        expect("deleted", {"deleted": 1}, phones.api.call("DELETE", "/api/v1/feedback"))
        expect("a list that was cleared", [], phones.api.get("/api/v1/feedback")["feedback"])
        phones.send(phones.push(token))
        [entry] = phones.api.get("/api/v1/feedback")["feedback"]
        expect("back again", (1, 0), (entry["reported410"], entry["pushesAfterFirst410"]))
        phones.api.change_app(token, state="registered")
        expect("a token that lives again", [], phones.api.get("/api/v1/feedback")["feedback"])

        replaced = phones.api.call("POST", f"/api/v1/registrations/{token}/rotate", status=201)
        expect("previous", token, replaced["previous"])
        old, new = phones.send(phones.push(token), phones.push(replaced["token"]))
        expect("answers to the old token and the new", (410, 200), (old.status, new.status))
        [entry] = phones.api.get("/api/v1/feedback")["feedback"]
        expect("cause", "rotated", entry["cause"])


def inactive_case(phones):
    with phones.case("devices: 30 days offline, and the tokens are given up until it is back"):
        phones.api.call("DELETE", "/api/v1/feedback")
        [token] = phones.api.add("drawer", app(), state="offline")
        [record] = phones.send_accepted(phones.push(token))
        expect("given up too early", [], phones.api.advance("719h")["inactive"])
        expect("given up", [token], phones.api.advance("1h")["inactive"])
        expect("state", "discarded-expired", phones.states([record])[0])
        expect("the token", "inactive", phones.api.registration(token)["state"])
        [entry] = phones.api.get("/api/v1/feedback")["feedback"]
        expect("cause", ("drawer", "inactive"), (entry["device"], entry["cause"]))
        expect("delivered on return", [], phones.api.change("drawer", state="online")["delivered"])
        expect("the token", "registered", phones.api.registration(token)["state"])
        expect("the list", [], phones.api.get("/api/v1/feedback")["feedback"])


# ---- being looked at


def collapse_case(phones):
    with phones.case("devices: in the inbox a collapse id stands for one notification"):
        [token] = phones.api.add("inbox", app())

        def body(text, badge):
            return {"aps": {"alert": {"title": "Score", "body": text}, "badge": badge, "sound": "default"}}

        first, other, second = phones.send_accepted(
            phones.push(token, body=body("1:0", 1), apns_collapse_id="match"),
            phones.push(token, body=body("hello", 2)),
            phones.push(token, body=body("2:0", 3), apns_collapse_id="match"),
        )
        inbox = phones.api.get("/api/v1/devices/@inbox/inbox")
        shown = [(one["push"], one["body"], one["collapseId"]) for one in inbox["notifications"]]
        expect("newest first", [(second["id"], "2:0", "match"), (other["id"], "hello", None)], shown)
        expect("badge", 3, inbox["badge"])
        expect("all three were delivered", ["delivered"] * 3, phones.states([first, other, second]))


def connect_case(phones):
    with phones.case("devices: being the device over an event stream"):
        [token] = phones.api.add("stream", app(), state="offline")
        [stored] = phones.send_accepted(phones.push(token))
        with Events(phones.server.api, "/api/v1/devices/@stream/connect") as stream:
            name, _, device = stream.next()
            expect("first event", ("connected", "online", 1), (name, device["state"], device["connectedClients"]))
            name, identifier, record = stream.next()
            expect("second event", ("push", stored["id"]), (name, record["id"]))
            expect("its state", "delivered-from-storage", record["delivery"]["state"])
            expect("its id", str(record["seq"]), identifier)
            [sent] = phones.send_accepted(phones.push(token))
            name, identifier, record = stream.next()
            expect("third event", ("push", sent["id"]), (name, record["id"]))
            expect("state", "online", phones.api.device("stream")["state"])
        until("the device to be offline", lambda: phones.api.device("stream")["state"] == "offline")
        [late] = phones.send_accepted(phones.push(token))
        expect("afterwards", "stored-device-offline", late["delivery"]["state"])

        with Events(phones.server.api, "/api/v1/devices/@stream/connect") as stream:
            expect("events", ["connected", "push"], [stream.next()[0] for _ in range(2)])
            phones.api.call("DELETE", "/api/v1/devices/@stream", status=204)
            name, _, reason = stream.next()
            expect("last event", ("closed", {"reason": "forgotten"}), (name, reason))
            expect("after it", None, stream.next())


def connect_many_case(phones):
    with phones.case("devices: being many devices over one event stream"):
        tokens = [phones.api.add(f"fleet-{number}", app(), state="offline")[0] for number in range(3)]
        [stored] = phones.send_accepted(phones.push(tokens[2]))
        states = lambda: {phones.api.device(f"fleet-{number}")["state"] for number in range(3)}
        with Events(phones.server.api, "/api/v1/devices/connect?q=fleet-") as stream:
            name, _, data = stream.next()
            expect("first event", ("connected", {"devices": 3}), (name, data))
            name, identifier, data = stream.next()
            expect("second event", ("push", "fleet-2", stored["id"]), (name, data["label"], data["push"]["id"]))
            expect("its id", str(data["push"]["seq"]), identifier)
            expect("states", {"online"}, states())
            for number in (1, 0):
                [sent] = phones.send_accepted(phones.push(tokens[number]))
                name, _, data = stream.next()
                expect("next event", ("push", f"fleet-{number}", sent["id"]), (name, data["label"], data["push"]["id"]))
                expect("its device", phones.api.device(f"fleet-{number}")["id"], data["device"])
        until("all devices to be offline", lambda: states() == {"offline"})
        with Events(phones.server.api, "/api/v1/devices/connect?q=fleet-&count=2&fields=summary") as stream:
            expect("first event", ("connected", None, {"devices": 2}), stream.next())
            expect("states", {"online", "offline"}, states())
        refusal = phones.api.call("GET", "/api/v1/devices/connect?q=fleet-&count=4", status=404)
        expect_that("expected 4" in refusal["detail"], "the detail", "how many were expected", refusal)


def self_registration_case(phones):
    with phones.case("devices: an unknown token registers itself for the topic it came with"):
        token = device_token()
        [record] = phones.send_accepted(phones.push(token.upper()))
        expect("state", "delivered", record["delivery"]["state"])
        device = phones.api.get(f"/api/v1/devices/{token}")
        expect("origin", "push", device["origin"])
        expect("its app", (token, TOPIC), (device["registrations"][0]["token"], device["registrations"][0]["topic"]))
        [answer] = phones.send(phones.push(token, OTHER_TOPIC))
        expect("another topic", (400, '{"reason":"DeviceTokenNotForTopic"}'), (answer.status, answer.body))
        phones.send_accepted(phones.push(token))
        expect("delivered to it", 2, phones.api.registration(token)["delivered"])


def strict_cases(context, binary):
    path = os.path.join(context.directory, "devices.json")
    token = device_token()
    described = [{"label": "alice", "state": "offline", "registrations": [app(token=token)]}]
    with open(path, "w", encoding="utf-8") as file:
        json.dump(described, file)
    with Server(binary, context.server.certs_dir, "--apns-listen", "127.0.0.1:0", "--strict", "--devices", path,
                "--uninstall-detection", "delayed", "--clock", MOMENT) as server:
        phones = Phones(context, server)
        phones.context.token = server.token("--issued-at", str(MOMENT_SECONDS))
        with phones.case("devices --strict: those of the file are known, and no others"):
            [record] = phones.send_accepted(phones.push(token))
            expect("state", "stored-device-offline", record["delivery"]["state"])
            [answer] = phones.send(phones.push(device_token()))
            expect("unknown", (400, '{"reason":"BadDeviceToken"}'), (answer.status, answer.body))
            expect("devices", 1, phones.api.get("/api/v1/devices")["total"])
            expect("origin", "start-up", phones.api.device("alice")["origin"])

        with phones.case("devices --uninstall-detection delayed: the first push is still accepted"):
            phones.api.change("alice", state="online")
            phones.api.change_app(token, state="uninstalled")
            first, second = phones.send(phones.push(token), phones.push(token))
            expect("answers", (200, 410), (first.status, second.status))
            states = [record["delivery"]["state"] for record in phones.api.pushes(token)[-2:]]
            expect("states", ["discarded-token-unregistered", "not-attempted"], states)

        with phones.case("devices uninstallDetection fuzzy: valid until a random time after a push has reached the device"):
            settings = {"uninstallDetection": "fuzzy", "uninstallDelay": "1h..30d", "uninstallSeed": 7}
            phones.api.call("PATCH", "/api/v1/settings", settings)
            phones.api.change_app(token, state="registered")
            phones.api.change_app(token, state="uninstalled")
            expect("without a push", [], phones.api.advance("31d")["unregistered"])
            phones.context.token = server.token("--issued-at", str(MOMENT_SECONDS + 31 * 86_400))
            for number in range(2):
                [record] = phones.send_accepted(phones.push(token))
                expect("state", "discarded-app-not-installed", record["delivery"]["state"])
                expect("status", "Discarded - App Not Installed", record["delivery"]["status"])
            expect("with a push", [token], phones.api.advance("30d")["unregistered"])
            phones.context.token = server.token("--issued-at", str(MOMENT_SECONDS + 61 * 86_400))
            [answer] = phones.send(phones.push(token))
            expect("answer", 410, answer.status)
            phones.context.token = server.token("--issued-at", str(MOMENT_SECONDS))

        with phones.case("devices: an enrolled device ignores an MDM push with another PushMagic"):
            device = phones.api.call("POST", "/api/v1/devices", {
                "label": "ipad", "pushMagic": "M-7", "registrations": [{"topic": "com.apple.mgmt.External.7"}]}, 201)
            expect("enrolled", "M-7", device["pushMagic"])
            phones.api.call("DELETE", "/api/v1/devices/@ipad", status=204)

        with phones.case("devices: a reset brings back those of the file, and the clock"):
            phones.api.advance("1h")
            cleared = phones.api.call("POST", "/api/v1/reset")["cleared"]
            expect("cleared devices", 1, cleared["devices"])
            device = phones.api.device("alice")
            expect("alice", ("offline", token), (device["state"], device["registrations"][0]["token"]))
            expect("the clock", MOMENT, phones.api.get("/api/v1/clock")["now"])
            expect("pushes", 0, phones.api.get("/api/v1/pushes")["matched"])
            [record] = phones.send_accepted(phones.push(token))
            expect("state", "stored-device-offline", record["delivery"]["state"])

    with context.report.case("devices --devices: a file with a mistake stops the start"):
        with open(path, "w", encoding="utf-8") as file:
            json.dump([{"label": "alice", "stat": "offline"}], file)
        code, _, problems = context.server.run(
            "serve", "--certs-dir", context.server.certs_dir, "--apns-listen", "127.0.0.1:0",
            "--api-listen", "127.0.0.1:0", "--devices", path,
        )
        expect_that(code != 0, "exit code", "another than 0", code)
        expect_that("[0].stat" in problems and "state" in problems, "standard error",
                    "the place of the mistake and what was meant", problems)


def device_cases(context):
    """Two servers of their own: the clock of one is stopped, which nobody else must notice."""
    binary = context.server.program[-1]
    with Server(binary, context.server.certs_dir, "--apns-listen", "127.0.0.1:0") as server:
        phones = Phones(context, server)
        for case in (
            aioapns_case, node_case, slots_case, power_case, app_state_case, collapse_case, connect_case,
            connect_many_case,
            self_registration_case,
        ):
            case(phones)
        for case in (expiry_case, unregistered_case, feedback_case, inactive_case):
            phones.freeze()
            case(phones)
    strict_cases(context, binary)
