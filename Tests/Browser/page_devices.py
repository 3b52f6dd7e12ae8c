"""Devices on the page: switches, inboxes and apps, and the answers that providers get."""

import re
import time

from playwright.sync_api import expect

from devices import until
from glance import detail, fits, live, row, toast, view
from pushes import TOPIC
from report import expect as expect_equal, expect_that


def switch(page, name):
    return page.get_by_role("switch", name=name)


def device_cases(scene):
    for sized in scene.sizes():
        switch_cases(sized)
        token_cases(sized)
        form_cases(sized)
        paging_cases(sized)
        activity_cases(sized)
    list_cases(scene)


def switch_cases(scene):
    with scene.test("a device that is switched online gets what was stored, and its inbox shows it") as visit:
        token = scene.phone("alice")
        page = live(visit.open("/devices"))
        expect(switch(page, "alice online")).to_be_checked()
        switch(page, "alice online").click()
        expect(switch(page, "alice online")).not_to_be_checked()
        until("the state", lambda: scene.api.device("alice")["state"] == "offline")
        record = scene.accepted("Waits for Alice", token, apns_expiration="2000000000")
        expect_equal("delivery", "stored-device-offline", scene.api.push(record["id"])["delivery"]["state"])
        fits(page)
        switch(page, "alice online").click()
        expect(toast(page, "Delivered 1, expired 0")).to_be_visible()
        expect_equal("delivery", "delivered-from-storage", scene.api.push(record["id"])["delivery"]["state"])
        page.get_by_role("link", name="Inbox of alice").click()
        expect(page.get_by_role("heading", name="Notification Center")).to_be_focused()
        entries = page.get_by_role("listitem")
        expect(entries.filter(has_text="Waits for Alice")).to_be_visible()
        scene.send(token, {"aps": {"alert": {"title": "In the inbox", "body": "Look"}, "badge": 7}})
        expect(entries.filter(has_text="In the inbox")).to_be_visible()
        expect(page.get_by_text("The badge is 7.")).to_be_visible()
        fits(page)
        scene.send(token, {"aps": {"badge": 0}})
        expect(page.get_by_text("The badge is 7.")).to_be_hidden()
        page.get_by_role("link", name="View pushes").click()
        expect(row(page, "Waits for Alice")).to_contain_text("from storage")

    with scene.test("notifications that are turned off are discarded; the app's state can be changed") as visit:
        token = scene.phone("carol")
        page = live(visit.open("/devices/@carol"))
        expect(page.get_by_text("Empty.", exact=True)).to_be_visible()
        switch(page, "Notifications of com.example.app").click()
        until("the setting", lambda: not scene.api.registration(token)["notificationsEnabled"])
        record = scene.accepted("Not allowed", token)
        expect_equal("delivery", "discarded-disabled", scene.api.push(record["id"])["delivery"]["state"])
        page.get_by_role("combobox", name="App state of com.example.app").select_option(label="Force-quit")
        until("the app's state", lambda: scene.api.registration(token)["appState"] == "forceQuit")


def token_cases(scene):
    with scene.test("after a rotation and an uninstall, pushes get 410, and the token is in the feedback list") as visit:
        old = scene.phone("erin")
        scene.api.call("PUT", f"/api/v1/apps/{TOPIC}", {"name": "Shop"}, status=201)
        page = live(visit.open("/devices/@erin"))
        page.get_by_role("button", name="Rotate token com.example.app").click()
        expect(page.get_by_text("Old token: pushes get 410")).to_be_visible()
        new = next(one["token"] for one in scene.api.device("erin")["registrations"] if one["state"] == "registered")
        expect_equal("answers", (410, 200), (scene.send(old).status, scene.send(new).status))
        page.get_by_role("button", name="Uninstall com.example.app").click()
        expect(page.get_by_text("Uninstalled: pushes get 410")).to_be_visible()
        answer = scene.send(new)
        expect_equal("answer", (410, "Unregistered"), (answer.status, scene.reason(answer)))
        view(page, "Feedback").click()
        line = page.get_by_role("row").filter(has_text="The app was uninstalled")
        expect(line).to_contain_text("erin")
        expect(line).to_contain_text("Shop")
        expect(line.get_by_role("cell").nth(4)).to_contain_text("1")
        scene.send(new)
        expect(line).to_contain_text("2")
        fits(page)

    with scene.test("a token whose app was uninstalled works until APNs finds out, with the setting") as visit:
        token = scene.phone("frank")
        scene.api.call("PATCH", "/api/v1/settings", {"uninstallDetection": "delayed"})
        try:
            page = live(visit.open("/devices/@frank"))
            page.get_by_role("button", name="Uninstall com.example.app").click()
            expect(page.get_by_text("Uninstalled: pushes get 200 until APNs finds out")).to_be_visible()
            expect_equal("answers", (200, 410), (scene.send(token).status, scene.send(token).status))
            expect(page.get_by_text("Uninstalled: pushes get 410")).to_be_visible()
            fits(page)
        finally:
            scene.api.call("PATCH", "/api/v1/settings", {"uninstallDetection": "immediate"})

    with scene.test("a device is enrolled in MDM with its PushMagic") as visit:
        page = live(visit.open("/devices"))
        page.get_by_role("button", name="Add device…").first.click()
        dialog = page.get_by_role("dialog", name="Add device")
        dialog.get_by_label("Label").fill("grace")
        dialog.get_by_label("PushMagic").fill("magic-7")
        dialog.get_by_label("Topic").fill("com.apple.mgmt.External.7")
        dialog.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_text("enrolled in MDM")).to_be_visible()
        expect_equal("PushMagic", "magic-7", scene.api.device("grace")["pushMagic"])


def form_cases(scene):
    with scene.test("a required field is marked before it is missed") as visit:
        page = live(visit.open("/devices"))
        page.get_by_role("button", name="Add device…").first.click()
        dialog = page.get_by_role("dialog", name="Add device")
        marks = dialog.locator("label").evaluate_all(
            "(labels) => labels.filter((label) => getComputedStyle(label, '::after').content.includes('required')).map((label) => label.textContent)")
        expect_equal("marked as required", ["Topic"], marks)
        expect(dialog.get_by_role("textbox", name="Topic", exact=True)).to_have_attribute("aria-required", "true")
        fits(page)

    with scene.test("a device is added with the form, which shows API errors at their fields, and deleted") as visit:
        visit.forgive("status of 4")
        visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
        scene.phone("taken")
        page = live(visit.open("/devices"))
        page.get_by_role("button", name="Add device…").first.click()
        dialog = page.get_by_role("dialog", name="Add device")
        dialog.get_by_role("textbox", name="Label").fill("taken")
        dialog.get_by_role("textbox", name="Topic").fill(TOPIC)
        dialog.get_by_role("button", name="Add app").click()
        fits(page)
        dialog.get_by_role("button", name="Remove app 2").click()
        dialog.get_by_role("button", name="Add", exact=True).click()
        expect(dialog).to_contain_text("taken")
        expect(dialog).to_be_visible()
        dialog.get_by_role("textbox", name="Label").fill("grace")
        dialog.get_by_role("button", name="Add", exact=True).click()
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("heading", name="grace")).to_be_visible()
        device = scene.api.device("grace")
        [registration] = device["registrations"]
        expect_equal("topic", TOPIC, registration["topic"])
        for name, copied in (("Copy the ID", device["id"]), ("Copy token", registration["token"])):
            page.get_by_role("button", name=name).click()
            expect(toast(page, "Copied")).to_be_visible()
            expect_equal("copied", copied, page.evaluate("navigator.clipboard.readText()"))
            toast(page, "Copied").get_by_role("button", name="Dismiss").click()
        page.get_by_role("button", name="Add app…").click()
        page.get_by_role("dialog", name="Add app").get_by_role("button", name="Cancel").click()
        page.get_by_role("button", name="Delete grace").click()
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        page.get_by_role("link", name="All devices").click()
        page.get_by_role("button", name="Delete grace").click()
        fits(page)
        page.get_by_role("dialog").get_by_role("button", name="Delete device").click()
        expect(page.get_by_role("link", name="grace", exact=True)).to_have_count(0)
        expect_equal("devices", ["taken"], [one["label"] for one in scene.api.get("/api/v1/devices")["devices"]])


def activity_cases(scene):
    with scene.test("a push starts a Live Activity; the page rotates its token, dismisses it, and says what was ignored") as visit:
        topic = f"{TOPIC}.push-type.liveactivity"
        device = scene.api.call("POST", "/api/v1/devices", {"label": "rider", "os": "18.1", "registrations": [{"topic": topic}]}, status=201)
        start = device["registrations"][0]["token"]
        page = live(visit.open("/devices/@rider"))
        expect(page.get_by_text("None. A push with event start")).to_be_visible()
        expect(page.get_by_text("iOS 18.1").first).to_be_visible()
        now = int(time.time())
        begun = activity_push(scene, start, {
            "event": "start", "timestamp": now, "input-push-token": 1, "attributes-type": "RideAttributes", "attributes": {"ride": 4711},
            "content-state": {"minutes": 9}, "alert": {"title": "On the way", "body": "Here in 9 minutes"}})
        line = page.get_by_role("row").filter(has_text="RideAttributes")
        expect(line).to_contain_text("Active")
        expect(line).to_contain_text('{"minutes":9}')
        fits(page)
        activity = begun["delivery"]["activity"]
        activities = f"/api/v1/devices/@rider/activities/{activity}"
        old = scene.api.get(activities)["token"]
        page.get_by_role("button", name=f"Rotate token of {activity}").click()
        expect(toast(page, "Pushes to the old one get 410.")).to_be_visible()
        new = scene.api.get(activities)["token"]
        expect_equal("answer to the old token", "ExpiredToken", activity_push(scene, old, {"event": "end", "timestamp": now})["verdict"]["reason"])
        late = activity_push(scene, new, {"event": "update", "timestamp": now - 60, "content-state": {"minutes": 1}})
        expect(line).to_contain_text("stale-timestamp")
        fits(page)
        line.get_by_role("link", name="stale-timestamp").click()
        expect(page).to_have_url(re.compile(late["id"]))
        expect(detail(page).get_by_text("The device ignores this push.")).to_be_visible()
        expect(detail(page).get_by_text("Delivered, ignored by the device")).to_be_visible()
        fits(page)
        page.go_back()
        page.get_by_role("button", name=f"Dismiss {activity}").click()
        expect(line).to_contain_text("Dismissed")
        expect_equal("state", "dismissed", scene.api.get(activities)["state"])

    with scene.test("the app starts a Live Activity with the form") as visit:
        scene.phone("starter")
        page = live(visit.open("/devices/@starter"))
        page.get_by_role("button", name="Start Live Activity…").click()
        dialog = page.get_by_role("dialog", name="Start Live Activity")
        dialog.get_by_role("textbox", name="Attributes type").fill("OrderAttributes")
        dialog.get_by_role("textbox", name="Content state").fill('{"step": 1}')
        fits(page)
        dialog.get_by_role("button", name="Start", exact=True).click()
        line = page.get_by_role("row").filter(has_text="OrderAttributes")
        expect(line).to_contain_text("Started by the app")
        expect(line).to_contain_text('{"step":1}')


def activity_push(scene, token, aps):
    """Sends a push to a Live Activity; returns its record."""
    draft = {"token": token, "pushType": "liveactivity", "payload": {"aps": aps}}
    return scene.api.call("POST", "/api/v1/pushes/send", draft, status=201)["push"]


def list_cases(scene):
    with scene.test("changes by other clients are shown, and the focus stays") as visit:
        visit.forgive("status of 404")  # a request may arrive after the device was deleted
        scene.phone("bob")
        page = live(visit.open("/devices"))
        switch(page, "bob low power").focus()
        scene.api.change("bob", state="offline")
        expect(switch(page, "bob online")).not_to_be_checked()
        expect(switch(page, "bob low power")).to_be_focused()
        scene.phone("second")
        expect(page.get_by_role("link", name="second", exact=True)).to_be_visible()

    with scene.test("badges are loaded for the devices in sight, a few at a time, and updated") as visit:
        tokens = [scene.phone(f"badge-{number}") for number in range(30)]
        for token in tokens:
            scene.send(token, {"aps": {"badge": 77}})
        asked = []
        visit.context.on("request", lambda request: asked.append(request.url) if (
            "/api/v1/devices/" in request.url) else None)
        page = live(visit.open("/devices"))
        lines = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="badge-"))
        expect(lines.first.get_by_role("cell", name="77", exact=True)).to_be_visible()
        expect_that(len(asked) < len(tokens), "requests", "only for devices in sight", len(asked))
        lines.last.scroll_into_view_if_needed()
        expect(lines.last.get_by_role("cell", name="77", exact=True)).to_be_visible()
        for token in tokens:
            scene.send(token, {"aps": {"badge": 88}})
        expect(lines.last.get_by_role("cell", name="88", exact=True)).to_be_visible()

    with scene.test("a late response does not bring back a device that the filter removed") as visit:
        scene.phone("stays")
        scene.phone("goes", state="offline")
        page = live(visit.open("/devices"))
        held = []

        def hold_change(route):
            if route.request.method == "PATCH":
                held.append(route)
            else:
                route.continue_()

        page.route("**/api/v1/devices/*", hold_change)
        switch(page, "goes online").click()
        page.get_by_role("searchbox", name="Filter devices").fill("stays")
        expect(page.get_by_role("link", name="goes", exact=True)).to_have_count(0)
        expect_equal("requests that are held", 1, len(held))
        # The list is reloaded after each change, which would hide the effect of the response.
        page.route("**/api/v1/devices?*", lambda route: None)
        held.pop().continue_()
        expect(toast(page, "Delivered 0, expired 0")).to_be_visible()
        expect(page.get_by_role("link", name="stays", exact=True)).to_be_visible()
        expect(page.get_by_role("link", name="goes", exact=True)).to_have_count(0)


def paging_cases(scene):
    with scene.test("with thousands of devices the table shows some, loads more on demand, and finds any") as visit:
        drafts = [{"label": f"many-{number:04}", "registrations": [{"topic": TOPIC}]} for number in range(1_500)]
        scene.api.call("PUT", "/api/v1/devices", drafts)
        page = live(visit.open("/devices"))
        expect(page.get_by_role("status").filter(has_text="of 1,500 shown")).to_be_visible()
        page.get_by_role("button", name="Show more").click()
        expect(page.get_by_role("link", name="many-0150", exact=True)).to_be_visible()
        fits(page)
        page.get_by_role("searchbox", name="Filter devices").fill("many-1499")
        expect(page.get_by_role("link", name="many-1499", exact=True)).to_be_visible()
        expect(page.get_by_role("link", name="many-0000", exact=True)).to_have_count(0)
