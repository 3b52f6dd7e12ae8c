"""Buttons that no other group presses, on a laptop and on a phone."""

import re

from playwright.sync_api import expect

from devices import until
from glance import banner, fits, live, panel, rows, toast, tool, view
from pushes import TOPIC
from report import expect as expect_equal, expect_that


def pressed_cases(scene):
    for sized in scene.sizes():
        push_cases(sized)
        device_cases(sized)
        view_cases(sized)
        header_cases(sized)


def push_cases(scene):
    with scene.test("JSON is expanded, collapsed and formatted; a test counts pushes, and is shown as JSON") as visit:
        visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
        record = scene.push(payload={"aps": {"alert": {"title": "Deep"}}, "a": {"b": {"c": {"d": 1}}}})
        page = live(visit.open(f"/p/{record['id']}?tab=json"))
        shown = panel(page, "JSON")
        values = shown.get_by_role("treeitem")
        shown.get_by_role("button", name="Collapse").click()
        expect(values).to_have_count(3)
        shown.get_by_role("button", name="Expand all").click()
        expect(values).to_have_count(8)
        shown.get_by_role("radio", name="Formatted").check()
        expect(shown.get_by_role("region", name="JSON")).to_contain_text('"title": "Deep"')
        shown.get_by_role("radio", name="Tree").check()
        expect(values.first).to_be_visible()
        tool(page, "Copy link").click()
        copied = page.evaluate("navigator.clipboard.readText()")
        expect_that(copied.startswith(f"{visit.base}/p/{record['id']}"), "the copied link", "the push", copied)
        tool(page, "Create test…").click()
        test = page.get_by_role("dialog", name="Create test")
        text = test.get_by_role("region", name="Verification", exact=True)
        test.get_by_role("radio", name="JSON", exact=True).check()
        expect(text).to_contain_text(re.compile('"(exactly|count)": 1'))
        test.get_by_role("radio", name="One or more").check()
        expect(text).to_contain_text('"atLeast": 1')
        fits(page)

    with scene.test("filters of the log show one kind of event, or several") as visit:
        token = scene.phone("logged")
        page = live(visit.open("/log"))
        scene.accepted("In the log", token)
        lines = page.get_by_role("main").get_by_role("listitem")
        kinds = page.get_by_role("group", name="Event types")
        for name, there, missing in (
            ("Pushes", "push.responded", "connection.closed"), ("Connections", "connection.closed", None),
        ):
            kinds.get_by_role("button", name=name).click()
            expect(kinds.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
            expect(lines.filter(has_text=there).first).to_be_visible()
            if missing:
                expect(lines.filter(has_text=missing).first).to_be_hidden()
        for name in ("Pushes", "Connections", "Devices"):
            kinds.get_by_role("button", name=name).click()
        scene.api.change("logged", state="offline")
        expect(lines.filter(has_text="@logged, offline").first).to_be_visible()
        expect(lines.filter(has_text="push.responded").first).to_be_hidden()
        fits(page)


def device_cases(scene):
    with scene.test("a device gets another app, a label, a push and its app back, and is found by its state") as visit:
        visit.forgive("status of 404")  # a request may arrive after the device has its new label
        token = scene.phone("before")
        page = live(visit.open("/devices/@before"))
        page.get_by_role("button", name="Add app…").click()
        dialog = page.get_by_role("dialog", name="Add app")
        dialog.get_by_role("textbox", name="Topic").fill(f"{TOPIC}.voip")
        dialog.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_role("switch", name=f"Notifications of {TOPIC}.voip")).to_be_visible()
        page.get_by_role("button", name="Change label…").click()
        dialog = page.get_by_role("dialog", name="Change label")
        dialog.get_by_role("textbox", name="Label").fill("after")
        dialog.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", name="after")).to_be_visible()
        page.get_by_role("button", name="Send test push").click()
        toast(page, "Response: 200").get_by_role("button", name="Dismiss").click()
        expect(toast(page, "Response: 200")).to_have_count(0)
        page.get_by_role("switch", name="after low power").click()
        until("low power", lambda: scene.api.device("after")["lowPower"])
        page.get_by_role("button", name=re.compile(f"^Uninstall {re.escape(TOPIC)} ")).click()
        page.get_by_role("button", name=re.compile(f"^Reinstall {TOPIC}")).click()
        until("the app", lambda: scene.api.registration(token)["state"] == "registered")
        page.get_by_role("button", name="Connect as this device…").click()
        expect(page.get_by_role("dialog", name="Connect as this device")).to_contain_text("/connect")
        fits(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Connect as this device…")).to_be_focused()
        scene.phone("away", state="offline")
        page.get_by_role("link", name="All devices").click()
        page.get_by_role("combobox", name="Device state").select_option(label="Offline")
        expect(page.get_by_role("link", name="away", exact=True)).to_be_visible()
        expect(page.get_by_role("link", name="after", exact=True)).to_have_count(0)


def view_cases(scene):
    with scene.test("the feedback list is cleared after a confirmation") as visit:
        token = scene.phone("gone")
        scene.api.change_app(token, state="uninstalled")
        scene.send(token)
        page = live(visit.open("/feedback"))
        fits(page)
        page.get_by_role("link", name=re.compile("^Pushes to ")).click()
        expect(rows(page)).to_have_count(1)
        view(page, "Feedback").click()
        page.get_by_role("button", name="Clear list…").click()
        page.get_by_role("dialog").get_by_role("button", name="Clear list").click()
        expect(toast(page, "Cleared 1 token")).to_be_visible()
        expect(page.get_by_role("heading", name="No invalid tokens")).to_be_visible()
        expect_equal("feedback", [], scene.api.get("/api/v1/feedback")["feedback"])

    with scene.test("the feedback list counts from the server's clock") as visit:
        scene.api.call("PUT", "/api/v1/clock", {"mode": "frozen", "now": "2030-06-01T10:00:00Z"})
        scene.api.change_app(scene.phone("gone"), state="uninstalled")
        page = live(visit.open("/feedback"))
        expect(page.get_by_role("cell").filter(has_text="2030")).to_have_text(re.compile("Jun 1, 2030, .* now$"))

    with scene.test("all faults are turned off with the banner, and deleted with one button") as visit:
        for name in ("one", "two"):
            scene.api.call("POST", "/api/v1/faults", {"name": name, "do": {"lose": True}}, status=201)
        page = live(visit.open())
        banner(page).get_by_role("button", name="Turn off all").click()
        expect(banner(page)).to_be_hidden()
        expect_equal("enabled", [False, False], [one["enabled"] for one in scene.api.get("/api/v1/faults")["faults"]])
        view(page, "Faults").click()
        fits(page)
        page.get_by_role("button", name="Edit one").click()
        dialog = page.get_by_role("dialog", name="Edit fault")
        dialog.get_by_role("textbox", name="Name").fill("first")
        dialog.get_by_role("button", name="Save", exact=True).click()
        expect(page.get_by_role("switch", name="first on")).to_be_visible()
        page.get_by_role("button", name="Delete all…").click()
        page.get_by_role("dialog").get_by_role("button", name=re.compile("^Delete")).click()
        expect(page.get_by_role("heading", name="No faults active")).to_be_visible()
        expect_equal("faults", [], scene.api.get("/api/v1/faults")["faults"])


def header_cases(scene):
    with scene.test("the clock is moved by its buttons, and to the next expiration") as visit:
        token = scene.phone("sleeper", state="offline")
        expiration = scene.seconds(scene.api.get("/api/v1/clock")["now"]) + 7 * 86_400
        stored = scene.accepted("Expires in a week", token, apns_expiration=str(expiration))
        page = live(visit.open())
        chip = page.get_by_role("button", name="Clock")
        chip.click()
        for name, shown in (("+1 min", "+60 s"), ("+1 d", "+24 h")):
            page.get_by_role("button", name=name, exact=True).click()
            expect(chip).to_contain_text(shown)
        page.get_by_role("button", name=re.compile("^Jump to the next expiration")).click()
        expect(toast(page, "expired 1")).to_be_visible()
        expect_equal("state", "discarded-expired", scene.api.push(stored["id"])["delivery"]["state"])

    with scene.test("help, the search syntax and code for each client library are shown") as visit:
        page = live(visit.open())
        for name in ("aioapns", "node-apn", "apns2 (Go)", "pushy", "APNSwift", "apnotic", "rpush", "curl"):
            page.get_by_role("tab", name=name).click()
            expect(page.get_by_role("region", name=f"Code for {name}")).to_be_visible()
            fits(page)
        for button, title in (("Help and keyboard shortcuts", "Help"), ("Search syntax", "Search syntax")):
            page.get_by_role("button", name=button).click()
            expect(page.get_by_role("dialog", name=title)).to_be_visible()
            fits(page)
            page.keyboard.press("Escape")
            expect(page.get_by_role("dialog", name=title)).to_have_count(0)
            expect(page.get_by_role("button", name=button)).to_be_focused()
        view(page, "Keys").click()
        key = scene.api.get("/api/v1/info")["developmentKey"]["keyId"]
        page.get_by_role("button", name=f"Public key of {key}").click()
        expect(page.get_by_role("dialog")).to_contain_text("BEGIN PUBLIC KEY")
        fits(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name=f"Public key of {key}")).to_be_focused()
