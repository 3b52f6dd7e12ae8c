"""Devices on the page: switches, inboxes and apps, and the answers that providers get."""

from playwright.sync_api import expect

from devices import until
from glance import live, row, toast, view
from pushes import TOPIC
from report import expect as expect_equal


def switch(page, name):
    return page.get_by_role("switch", name=name)


def device_cases(scene):
    switch_cases(scene)
    token_cases(scene)
    list_cases(scene)


def switch_cases(scene):
    with scene.test("a device that is switched online gets what was stored") as visit:
        token = scene.phone("alice")
        page = live(visit.open("/devices"))
        expect(switch(page, "alice online")).to_be_checked()
        switch(page, "alice online").click()
        expect(switch(page, "alice online")).not_to_be_checked()
        expect_equal("state", "offline", scene.api.device("alice")["state"])
        record = scene.accepted("Waits for Alice", token, apns_expiration="2000000000")
        expect_equal("delivery", "stored-device-offline", scene.api.push(record["id"])["delivery"]["state"])
        switch(page, "alice online").click()
        expect(toast(page, "Delivered 1, expired 0")).to_be_visible()
        expect_equal("delivery", "delivered-from-storage", scene.api.push(record["id"])["delivery"]["state"])
        view(page, "Pushes").click()
        expect(row(page, "Waits for Alice")).to_contain_text("from storage")

    with scene.test("changes by other clients are shown, and the focus stays") as visit:
        scene.phone("bob")
        page = live(visit.open("/devices"))
        switch(page, "bob low power").focus()
        scene.api.change("bob", state="offline")
        expect(switch(page, "bob online")).not_to_be_checked()
        expect(switch(page, "bob low power")).to_be_focused()

    with scene.test("notifications that are turned off are discarded; the app's state can be changed") as visit:
        token = scene.phone("carol")
        page = live(visit.open("/devices/@carol"))
        switch(page, "Notifications of com.example.app").click()
        expect(switch(page, "Notifications of com.example.app")).not_to_be_checked()
        record = scene.accepted("Not allowed", token)
        expect_equal("delivery", "discarded-disabled", scene.api.push(record["id"])["delivery"]["state"])
        page.get_by_role("combobox", name="App state of com.example.app").select_option(label="Force-quit")
        until("the app's state", lambda: scene.api.registration(token)["appState"] == "forceQuit")

    with scene.test("the inbox shows what Notification Center shows") as visit:
        token = scene.phone("dora")
        page = live(visit.open("/devices/@dora"))
        expect(page.get_by_text("Empty.", exact=True)).to_be_visible()
        scene.send(token, {"aps": {"alert": {"title": "In the inbox", "body": "Look"}, "badge": 7}})
        expect(page.get_by_role("listitem").filter(has_text="In the inbox")).to_be_visible()
        expect(page.get_by_text("The badge is 7.")).to_be_visible()
        scene.send(token, {"aps": {"badge": 0}})
        expect(page.get_by_text("The badge is 7.")).to_be_hidden()


def token_cases(scene):
    with scene.test("after an uninstall on the page the next push gets 410, and the token is in the feedback list") as visit:
        token = scene.phone("erin")
        page = live(visit.open("/devices/@erin"))
        page.get_by_role("button", name="Uninstall com.example.app").click()
        expect(page.get_by_text("Uninstalled: pushes get 410")).to_be_visible()
        answer = scene.send(token)
        expect_equal("answer", (410, "Unregistered"), (answer.status, scene.reason(answer)))
        view(page, "Feedback").click()
        line = page.get_by_role("row").filter(has_text="The app was uninstalled")
        expect(line).to_contain_text("erin")
        expect(line.get_by_role("cell").nth(4)).to_contain_text("1")
        scene.send(token)
        expect(line).to_contain_text("2")

    with scene.test("after a rotation on the page the old token gets 410 and the new one works") as visit:
        old = scene.phone("frank")
        page = live(visit.open("/devices/@frank"))
        page.get_by_role("button", name="Rotate token com.example.app").click()
        expect(page.get_by_text("Old token: pushes get 410")).to_be_visible()
        new = next(one["token"] for one in scene.api.device("frank")["registrations"] if one["state"] == "registered")
        expect_equal("answers", (410, 200), (scene.send(old).status, scene.send(new).status))


def list_cases(scene):
    with scene.test("the table shows devices that are added and deleted") as visit:
        visit.forgive("status of 404")  # a request may arrive after the device was deleted
        scene.phone("first")
        page = live(visit.open("/devices"))
        expect(page.get_by_role("link", name="first", exact=True)).to_be_visible()
        scene.phone("second")
        expect(page.get_by_role("link", name="second", exact=True)).to_be_visible()
        page.get_by_role("button", name="Delete first").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete device").click()
        expect(page.get_by_role("link", name="first", exact=True)).to_have_count(0)
        expect_equal("devices", ["second"], [one["label"] for one in scene.api.get("/api/v1/devices")["devices"]])

    with scene.test("a device is added with the form, and API errors are shown at their fields") as visit:
        visit.forgive("status of 4")
        scene.phone("taken")
        page = live(visit.open("/devices"))
        page.get_by_role("button", name="Add device…").first.click()
        dialog = page.get_by_role("dialog", name="Add device")
        dialog.get_by_role("textbox", name="Label").fill("taken")
        dialog.get_by_role("textbox", name="Topic").fill(TOPIC)
        dialog.get_by_role("button", name="Add", exact=True).click()
        expect(dialog).to_contain_text("taken")
        expect(dialog).to_be_visible()
        dialog.get_by_role("textbox", name="Label").fill("grace")
        dialog.get_by_role("button", name="Add", exact=True).click()
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("heading", name="grace")).to_be_visible()
        expect_equal("topic", TOPIC, scene.api.device("grace")["registrations"][0]["topic"])

    with scene.test("with thousands of devices the table shows some, loads more on demand, and finds any") as visit:
        drafts = [{"label": f"many-{number:04}", "registrations": [{"topic": TOPIC}]} for number in range(1_500)]
        scene.api.call("PUT", "/api/v1/devices", drafts)
        page = live(visit.open("/devices"))
        expect(page.get_by_role("status").filter(has_text="of 1,500 shown")).to_be_visible()
        page.get_by_role("button", name="Load more").click()
        expect(page.get_by_role("link", name="many-0150", exact=True)).to_be_visible()
        page.get_by_role("searchbox", name="Filter devices").fill("many-1499")
        expect(page.get_by_role("link", name="many-1499", exact=True)).to_be_visible()
        expect(page.get_by_role("link", name="many-0000", exact=True)).to_have_count(0)

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
