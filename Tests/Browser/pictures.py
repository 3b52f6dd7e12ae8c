"""Screenshots for the documentation, and the latency until a push is shown. Neither is a test."""

import os
import statistics
import time

from playwright.sync_api import expect

from glance import banner, live, panel, row, rows
from pushes import TOPIC
from report import expect as expect_equal
from stage import NARROW, WIDE

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER = os.path.join(HERE, "..", "..", "docs", "images")

# The time on the drawn lock screen.
MOMENT = "2026-01-05T10:11:12Z"
MEASUREMENTS = 30

SHIPPED = {
    "aps": {
        "alert": {"title": "Order shipped", "subtitle": "No. 17", "body": "It is on its way and will be with you tomorrow."},
        "badge": 3, "sound": "default", "thread-id": "orders", "category": "ORDER", "interruption-level": "time-sensitive",
    },
    "orderId": 17,
}


def take(page, name):
    os.makedirs(FOLDER, exist_ok=True)
    path = os.path.abspath(os.path.join(FOLDER, f"{name}.png"))
    # Hover effects and the blinking caret would change the picture.
    page.mouse.move(0, 0)
    page.screenshot(path=path, animations="disabled", caret="hide")


def furnish(scene):
    """Creates devices and pushes of an online shop; returns records by name."""
    alice, bob = scene.phone("alice"), scene.phone("bob", state="offline")
    records = {}
    records["background"] = scene.push(
        alice, {"aps": {"content-available": 1}, "sync": True}, apns_push_type="background", apns_priority="5"
    )
    records["rejected"] = scene.push(
        alice, {"aps": {"alert": {"title": "Order paid", "body": "Thank you."}, "badge": "3"}}, apns_topic=None
    )
    records["collapsed"] = scene.push(
        bob, {"aps": {"alert": {"title": "Still interested?", "body": "Your cart is waiting."}}},
        apns_expiration=str(int(time.time()) + 86_400), apns_collapse_id="cart",
    )
    records["priority"] = scene.push(alice, {"aps": {"content-available": 1}}, apns_push_type="background", apns_priority="10")
    scene.api.call("POST", "/api/v1/marks", {"text": "test “shipsOrder” started"}, status=201)
    records["localized"] = scene.push(
        alice, {"aps": {"alert": {"title-loc-key": "ORDER_TITLE", "loc-key": "ORDER_PACKED", "loc-args": ["17"]},
                        "thread-id": "orders"}}
    )
    gone = scene.phone("carol")
    scene.api.change_app(gone, state="uninstalled")
    records["gone"] = scene.push(gone, {"aps": {"alert": {"title": "We miss you", "body": "Come back for 10 % off."}}})
    records["shipped"] = scene.push(alice, SHIPPED, apns_collapse_id="order-17", apns_expiration="0")
    return records


def ride(scene):
    """Follows a ride as a Live Activity, by a clock that stands still; returns the ID of its last update."""
    scene.api.call("PUT", "/api/v1/clock", {"mode": "frozen", "now": "2030-06-01T10:00:00Z"})
    scene.api.call("PUT", f"/api/v1/apps/{TOPIC}", {"name": "Rides"}, status=201)
    draft = {"label": "alice", "registrations": [{"topic": f"{TOPIC}.push-type.liveactivity"}]}
    start = scene.api.call("POST", "/api/v1/devices", draft, status=201)["registrations"][0]["token"]

    def push(token, event, minutes, **more):
        now = scene.seconds(scene.api.get("/api/v1/clock")["now"])
        aps = {"event": event, "timestamp": now - more.pop("late", 0), "content-state": {"minutes": minutes}, **more}
        body = {"token": token, "pushType": "liveactivity", "payload": {"aps": aps}}
        return scene.api.call("POST", "/api/v1/pushes/send", body, status=201)["push"]

    def begin(number, minutes):
        begun = push(
            start, "start", minutes, attributes={"ride": number}, alert={"title": "On the way", "body": f"Here in {minutes} minutes"},
            **{"attributes-type": "RideAttributes", "input-push-token": 1})
        return scene.api.get(f"/api/v1/devices/@alice/activities/{begun['delivery']['activity']}")["token"]

    def wait(by):
        scene.api.call("POST", "/api/v1/clock/advance", {"by": by})

    first = begin(4711, 9)
    wait("6m")
    push(first, "update", 3)
    push(first, "end", 0)
    wait("30m")
    second = begin(4712, 12)
    wait("2m")
    last = push(second, "update", 10, **{"stale-date": scene.seconds("2030-06-01T10:50:00Z")})
    push(second, "update", 11, late=60)
    return last["id"]


def activity_pictures(scene):
    with scene.test("pictures of a Live Activity's life", timezone_id="UTC") as visit:
        update = ride(scene)
        for name, size in (("activities", WIDE), ("activities-narrow", NARROW)):
            page = live(visit.open("/devices/@alice"))
            page.set_viewport_size(size)
            line = page.get_by_role("row").filter(has_text='{"minutes":10}')
            expect(line).to_contain_text("stale-timestamp")
            line.scroll_into_view_if_needed()
            take(page, name)
        page = live(visit.open(f"/p/{update}"))
        for name, size in (("activity", WIDE), ("activity-narrow", NARROW)):
            page.set_viewport_size(size)
            expect(panel(page, "Preview").get_by_role("img").first).to_be_visible()
            take(page, name)


def picture_cases(scene):
    activity_pictures(scene)
    with scene.test("pictures of the main states", timezone_id="UTC") as visit:
        page = live(visit.open())
        expect(page.get_by_role("heading", name="No pushes yet")).to_be_visible()
        take(page, "empty")
        records = furnish(scene)

        shipped = f"/p/{records['shipped']['id']}"
        page = live(visit.open(shipped))
        expect(panel(page, "Preview").get_by_role("img")).to_be_visible()
        expect(rows(page)).to_have_count(len(records))
        expect(page.get_by_role("status", name="Pushes shown")).to_have_text(f"{len(records)} pushes")
        take(page, "list")
        page.emulate_media(color_scheme="dark")
        page = live(visit.open(shipped))
        expect(panel(page, "Preview").get_by_role("img")).to_be_visible()
        take(page, "list-dark")
        page.emulate_media(color_scheme="light")

        page = live(visit.open(f"/p/{records['rejected']['id']}?tab=checks"))
        expect(panel(page, "Checks")).to_contain_text("Failed")
        expect(page.get_by_role("status", name="Pushes shown")).to_have_text("7 pushes")
        take(page, "checks")

        page = live(visit.open("/devices"))
        expect(page.get_by_role("switch", name="bob online")).not_to_be_checked()
        # Badges are loaded after the table.
        expect(page.get_by_role("row").filter(has_text="alice").get_by_role("cell").nth(5)).to_have_text("3")
        take(page, "devices")

        page.set_viewport_size(NARROW)
        page = live(visit.open())
        expect(row(page, "Order shipped")).to_be_visible()
        expect(page.get_by_role("status", name="Pushes shown")).to_contain_text(f"{len(records)} pushes")
        take(page, "narrow")
        page.set_viewport_size(WIDE)

        for path in ("/api/v1/faults/presets/expired-provider-token", "/api/v1/faults/presets/slow-1s"):
            scene.api.call("POST", path, {}, status=201)
        scene.send()
        page = live(visit.open("/faults"))
        expect(banner(page)).to_contain_text("2 faults active")
        expect(page.get_by_text("Fired once")).to_be_visible()
        take(page, "faults")

    with scene.test("a picture of a lock screen") as visit:
        scene.api.call("PUT", "/api/v1/clock", {"mode": "frozen", "now": MOMENT})
        token = scene.server.token("--issued-at", str(scene.seconds(MOMENT)))
        record = scene.push(payload=SHIPPED, authorization=f"bearer {token}")
        page = visit.open(f"/api/v1/pushes/{record['id']}/preview.svg?view=lock-screen")
        box = page.evaluate("(({width, height}) => [width, height])(document.documentElement.getBoundingClientRect())")
        page.set_viewport_size(dict(zip(("width", "height"), map(int, box))))
        take(page, "lock-screen")
    print(f"pictures are in {os.path.relpath(FOLDER)}", flush=True)


# Notes the time at which a row with a text has been painted.
WATCH = """(text) => {
  globalThis.seenAt = new Promise((resolve) => {
    const look = () => {
      if (![...document.querySelectorAll("a.push")].some((line) => line.innerText.includes(text))) return
      observer.disconnect()
      requestAnimationFrame(() => setTimeout(() => resolve(performance.timeOrigin + performance.now())))
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, {childList: true, subtree: true, characterData: true})
  })
}"""


def latency_cases(scene):
    with scene.test("how soon a push is seen") as visit:
        scene.accepted("The first is not measured")
        page = live(visit.open())
        expect(rows(page)).to_have_count(1)
        waits = []
        for number in range(MEASUREMENTS):
            text = f"Measured {number:02}"
            page.evaluate(WATCH, text)
            record = scene.accepted(text)
            seen = page.evaluate("seenAt")
            answered = scene.milliseconds(record["receivedAt"]) + record["response"]["durationMs"]
            waits.append(seen - answered)
        expect_equal("measurements", MEASUREMENTS, len(waits))
        low, *_, high = sorted(waits)
        print(f"from a push's answer to its painted row: median {statistics.median(waits):.0f} ms, "
              f"{low:.0f} to {high:.0f} ms, {MEASUREMENTS} pushes", flush=True)
