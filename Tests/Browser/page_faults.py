"""Faults on the page: presets, the form, the order and the banner."""

import json
import re

from playwright.sync_api import expect

from devices import until
from glance import banner, detail, fits, live, panel, row, tab, toast, view
from report import expect as expect_equal

# The actions of the form: what is filled in, by labels, and what the created fault then does.
ACTIONS = [
    ("respond", {}, {"reason": "ServiceUnavailable", "status": 503}),
    ("respond", {"Reason": "", "Status": "599", "Body": "huge", "Headers": "retry-after: 2\nx-extra: a: b"},
     {"status": 599, "body": "huge", "headers": {"retry-after": "2", "x-extra": "a: b"}}),
    ("delay", {}, {"for": "1s", "jitter": "0s", "distribution": "uniform"}),
    ("delay", {"Duration": "5s", "Jitter": "500ms", "Distribution": "normal"},
     {"for": "5s", "jitter": "500ms", "distribution": "normal"}),
    ("stream", {}, {"reset": "REFUSED_STREAM"}),
    ("stream", {"Code": "CANCEL"}, {"reset": "CANCEL"}),
    ("goaway", {}, {"code": "NO_ERROR", "lastStream": "answered", "debug": "", "close": "drain"}),
    ("goaway", {"Code": "PROTOCOL_ERROR", "Last stream": "zero", "Debug data": "bye", "Connection": "never",
                "Later requests, if kept open": "stall", "Replace the response before it": True, "Reason": "Shutdown"},
     {"code": "PROTOCOL_ERROR", "lastStream": "zero", "debug": "bye", "close": "never", "then": "stall",
      "respond": {"reason": "Shutdown", "status": 503}}),
    ("connection", {}, "rst"),
    ("connection", {"Failure": "blackhole"}, "blackhole"),
    ("body", {}, "truncated"),
    ("body", {"Body": "malformed"}, "malformed"),
    ("slow", {}, {"bytesPerSecond": 100}),
    ("slow", {"Bytes per second": "7"}, {"bytesPerSecond": 7}),
    ("lose", {}, True),
    ("duplicate", {}, True),
    ("settings", {}, {"maxConcurrentStreams": 1}),
    ("settings", {"Concurrent streams": "", "Initial window, in bytes": "0", "Send nothing for": "5s"},
     {"initialWindow": 0, "delay": "5s"}),
    ("settings", {"Concurrent streams": "", "GOAWAY instead of SETTINGS": True, "Code": "INTERNAL_ERROR"},
     {"replaceWithGoaway": {"code": "INTERNAL_ERROR", "lastStream": "answered", "debug": "", "close": "drain"}}),
    ("handshake", {}, "expired-cert"),
    ("handshake", {"Failure": "delay"}, "delay:5s"),
    ("handshake", {"Failure": "delay", "Delay or alert number": "2s"}, "delay:2s"),
    ("handshake", {"Failure": "alert"}, "alert:40"),
]


def fault_cases(scene):
    for sized in scene.sizes():
        preset_cases(sized)
        form_cases(sized)
        action_cases(sized)
        condition_cases(sized)
        edit_cases(sized)
        error_cases(sized)
        dialog_cases(sized)
        order_cases(sized)
    banner_cases(scene)


def names(scene):
    return [fault["name"] or fault["preset"] for fault in scene.api.get("/api/v1/faults")["faults"]]


def add_dialog(page):
    page.get_by_role("button", name="Add fault…").first.click()
    return opened(page, "Add fault")


def edit_dialog(page, name):
    page.get_by_role("button", name=f"Edit {name}", exact=True).click()
    return opened(page, "Edit fault")


def opened(page, name):
    dialog = page.get_by_role("dialog", name=name)
    expect(dialog).to_be_visible()
    return dialog


def fill(dialog, values):
    """Fills in fields by their labels: a text, a choice, or `True` for a checkbox."""
    for label, value in values.items():
        choice = dialog.get_by_role("combobox", name=label, exact=True)
        if value is True:
            dialog.get_by_role("checkbox", name=label, exact=True).check()
        elif choice.count():
            choice.select_option(value)
        else:
            dialog.get_by_role("textbox", name=label, exact=True).fill(value)


def press(dialog, name):
    dialog.get_by_role("button", name=name, exact=True).click()
    expect(dialog).to_have_count(0)


def preset_cases(scene):
    with scene.test("with an active preset, views have the banner and the next push fails, until it is turned off") as visit:
        page = live(visit.open())
        expect(banner(page)).to_be_hidden()
        view(page, "Faults").click()
        page.get_by_role("button", name="Choose preset…").click()
        dialog = page.get_by_role("dialog", name="Add preset")
        fits(page)
        dialog.get_by_role("button", name="Add expired-provider-token").click()
        expect(dialog).to_have_count(0)
        expect(toast(page, "Added expired-provider-token")).to_be_visible()
        expect(banner(page)).to_contain_text("1 fault active")
        answer = scene.send()
        expect_equal("answer", (403, "ExpiredProviderToken"), (answer.status, scene.reason(answer)))
        for name in ("Devices", "Pushes"):
            view(page, name).click()
            expect(banner(page)).to_contain_text("1 fault active")
        expect(row(page, "ExpiredProviderToken")).to_contain_text("Fault:")
        row(page, "ExpiredProviderToken").click()
        expect(detail(page)).to_contain_text("The fault expired-provider-token responded 403")
        tab(page, "Checks").click()
        expect(panel(page, "Checks")).to_contain_text("A fault decided the response")
        [fault] = scene.api.get("/api/v1/faults")["faults"]
        detail(page).get_by_role("link", name="expired-provider-token").first.click()
        expect(page).to_have_url(f"{visit.base}/faults/{fault['id']}")
        banner(page).get_by_role("button", name="Turn off").click()
        expect(banner(page)).to_be_hidden()
        expect_equal("answer", 200, scene.send().status)
        page.get_by_role("button", name="Add preset…").click()
        preset = dialog.get_by_role("listitem").filter(has=page.get_by_role("button", name="Add lossy-5pct"))
        preset.get_by_text("Parameters").click()
        preset.get_by_role("textbox", name="Topic").fill("com.example.shop")
        fits(page)
        preset.get_by_role("button", name="Add lossy-5pct").click()
        expect(banner(page)).to_contain_text("lossy-5pct")
        expect_equal("match", {"topic": "com.example.shop"}, scene.api.get("/api/v1/faults")["faults"][1]["match"])


def form_cases(scene):
    with scene.test("a fault is added with the form and its dry run; it fires, counts and is shown as JSON") as visit:
        visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
        for number in range(3):
            scene.accepted(f"Before {number}")
        page = live(visit.open("/faults"))
        page.get_by_role("button", name="Add fault…").first.click()
        dialog = page.get_by_role("dialog", name="Add fault")
        dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_have_count(0)
        page.get_by_role("button", name="Add fault…").first.click()
        action = dialog.get_by_role("combobox", name="Type", exact=True)
        for name, choice in (("goaway", "NO_ERROR"), ("stream", "REFUSED_STREAM")):
            action.select_option(name)
            expect(dialog.get_by_role("combobox", name="Code", exact=True)).to_have_value(choice)
            fits(page)
        action.select_option("respond")
        dialog.get_by_role("textbox", name="Name").fill("too many")
        dialog.get_by_role("combobox", name="Reason").select_option("TooManyRequests")
        expect(dialog.get_by_role("status", name="Dry run")).to_contain_text("Would have hit 3 of the last 3 pushes")
        for more in ("More conditions", "More limits"):
            dialog.get_by_text(more, exact=True).click()
        fits(page)
        dialog.get_by_role("button", name="Add", exact=True).click()
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("switch", name="too many on")).to_be_checked()
        expect_equal("answer", 429, scene.send().status)
        expect(page.get_by_text("Fired once")).to_be_visible()
        page.get_by_role("switch", name="too many on").click()
        # The switch changes before the server's answer.
        until("the fault is off", lambda: not scene.api.get("/api/v1/faults")["faults"][0]["enabled"])
        expect(page.get_by_role("switch", name="too many on")).not_to_be_checked()
        expect_equal("answer", 200, scene.send().status)
        page.get_by_role("main").get_by_role("link", name="too many").click()
        page.get_by_role("button", name="Copy JSON").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        fits(page)
        copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
        expect_equal("copied", "TooManyRequests", copied["do"]["respond"]["reason"])


def action_cases(scene):
    with scene.test("the form adds each action of the API, and shows it again when it is edited") as visit:
        page = live(visit.open("/faults"))
        schemas = scene.api.get("/api/v1/openapi.json")["components"]["schemas"]
        expect_equal("actions", set(schemas["FaultActionDraft"]["properties"]), {name for name, _, _ in ACTIONS})
        for number, (action, values, wanted) in enumerate(ACTIONS):
            dialog = add_dialog(page)
            choice = dialog.get_by_role("combobox", name="Type", exact=True)
            expect(choice).to_be_focused()
            choice.select_option(action)
            fill(dialog, {**values, "Name": f"number {number}"})
            press(dialog, "Add")
            fault = scene.api.get("/api/v1/faults")["faults"][-1]
            expect_equal(f"fault {number}", {action: wanted}, fault["do"])
            dialog = edit_dialog(page, fault["name"])
            expect(dialog.get_by_role("combobox", name="Type", exact=True)).to_have_value(action)
            fill(dialog, {"Max times": "9"})
            press(dialog, "Save")
            edited = scene.api.get(f"/api/v1/faults/{fault['id']}")
            expect_equal(f"edited fault {number}", (fault["do"], 9), (edited["do"], edited["when"]["times"]))


def condition_cases(scene):
    with scene.test("the form adds every condition and limit; those on pushes do not apply when a connection opens") as visit:
        page = live(visit.open("/faults"))
        dialog = add_dialog(page)
        for more in ("More conditions", "More limits"):
            dialog.get_by_text(more, exact=True).click()
        fill(dialog, {
            "Topic": "com.example.app", "Device token": "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0",
            "Push type": "alert", "Search": "order", "Client addresses": "127.0.0.1, 10.0.0.1", "Environment": "sandbox",
            "More conditions, as JSON": '{"headers": {"apns-priority": "10"}}', "Max times": "5", "Skip first": "4",
            "Every nth": "3", "Probability": "0.5", "After idle time": "2s", "After requests on the connection": "1",
        })
        dialog.get_by_label("From").fill("2030-01-01T10:00:00")
        dialog.get_by_label("Until").fill("2030-01-01T11:00:00")
        fits(page)
        press(dialog, "Add")
        [fault] = scene.api.get("/api/v1/faults")["faults"]
        begin, end = fault["when"].pop("from"), fault["when"].pop("until")
        expect_equal("hours", 3600, scene.seconds(end) - scene.seconds(begin))
        expect_equal("when", {"times": 5, "skip": 4, "every": 3, "probability": 0.5, "afterIdle": "2s", "afterRequests": 1},
                     fault["when"])
        expect_equal("match", {
            "topic": "com.example.app", "token": "00fc13adff785122b4ad28809a3420982341241421348097878e577c991de8f0",
            "pushType": "alert", "q": "order", "headers": {"apns-priority": "10"},
            "connection": {"remote": ["127.0.0.1", "10.0.0.1"], "environment": "sandbox"},
        }, fault["match"])
        dialog = edit_dialog(page, fault["id"])
        fill(dialog, {"Type": "handshake"})
        expect(dialog.get_by_role("textbox", name="Topic")).to_have_count(0)
        expect(dialog.get_by_role("textbox", name="Client addresses")).to_have_value("127.0.0.1, 10.0.0.1")
        expect(dialog.get_by_role("status", name="Dry run")).to_contain_text("No dry run")
        fill(dialog, {"Max times": "", "Skip first": "0", "Every nth": "1", "After idle time": "",
                      "After requests on the connection": "0"})
        press(dialog, "Save")
        [fault] = scene.api.get("/api/v1/faults")["faults"]
        expect_equal("match", {"connection": {"remote": ["127.0.0.1", "10.0.0.1"], "environment": "sandbox"}}, fault["match"])


def edit_cases(scene):
    with scene.test("editing a fault keeps the conditions that have no field, and a new name keeps the counters") as visit:
        match = {"topic": {"startsWith": "com.example"}, "connection": "c7", "token": "00" * 32,
                 "headers": {"apns-priority": {"in": ["5", "10"]}}}
        fault = scene.api.call("POST", "/api/v1/faults", {
            "name": "rich", "enabled": False, "match": match, "when": {"times": 3, "afterIdle": "30s"},
            "do": {"goaway": {"code": "NO_ERROR", "debug": "bye", "respond": {"reason": "Shutdown"}}},
        }, status=201)
        any_push = scene.api.call("POST", "/api/v1/faults", {"name": "any", "do": {"respond": {"status": 500}}}, status=201)
        expect_equal("answer", 500, scene.send().status)
        page = live(visit.open("/faults"))
        dialog = edit_dialog(page, "rich")
        expect(dialog.get_by_role("textbox", name="More conditions, as JSON")).to_have_value(re.compile("startsWith"))
        expect(dialog.get_by_role("textbox", name="Topic")).to_have_value("")
        expect(dialog.get_by_role("textbox", name="After idle time")).to_have_value("30s")
        fits(page)
        fill(dialog, {"Max times": "4"})
        press(dialog, "Save")
        edited = scene.api.get(f"/api/v1/faults/{fault['id']}")
        for member in ("name", "enabled", "match", "do"):
            expect_equal(member, fault[member], edited[member])
        expect_equal("when", {**fault["when"], "times": 4}, edited["when"])
        dialog = edit_dialog(page, "any")
        fill(dialog, {"Name": "renamed"})
        press(dialog, "Save")
        expect(page.get_by_role("switch", name="renamed on")).to_be_checked()
        expect_equal("fired", 1, scene.api.get(f"/api/v1/faults/{any_push['id']}")["stats"]["fired"])
        dialog = edit_dialog(page, "renamed")
        fill(dialog, {"Name": ""})
        press(dialog, "Save")
        expect_equal("name", None, scene.api.get(f"/api/v1/faults/{any_push['id']}")["name"])


def error_cases(scene):
    with scene.test("the API's errors are shown at the fields of the form, or above its buttons") as visit:
        visit.forgive("status of 4(00|22)")
        page = live(visit.open("/faults"))
        dialog = add_dialog(page)
        add = dialog.get_by_role("button", name="Add", exact=True)
        fill(dialog, {"Type": "handshake", "Failure": "delay", "Delay or alert number": "soon", "Probability": "2"})
        add.click()
        expect(dialog.get_by_role("combobox", name="Failure")).to_have_accessible_description(re.compile("is 'delay:soon'"))
        expect(dialog.get_by_role("textbox", name="Probability")).to_have_accessible_description(re.compile("number 2"))
        expect(dialog.get_by_role("combobox", name="Failure")).to_be_focused()
        fits(page)
        # The first action opened "More conditions".
        fill(dialog, {"Type": "respond", "Status": "9", "Probability": "1"})
        for text, complaint in (("no JSON", "expected an object"), ("5", "expected an object"), ("[]", "expected an object"),
                                ('{"nothing": 1}', "/nothing")):
            fill(dialog, {"More conditions, as JSON": text})
            dialog.get_by_text("More conditions", exact=True).click()
            add.click()
            more = dialog.get_by_role("textbox", name="More conditions, as JSON")
            expect(more).to_have_accessible_description(re.compile(complaint))
        expect(dialog.get_by_role("textbox", name="Status")).to_have_accessible_description(re.compile("599"))
        fill(dialog, {"Status": "500", "More conditions, as JSON": ""})
        press(dialog, "Add")
        page.get_by_role("button", name="Add preset…").click()
        dialog = page.get_by_role("dialog", name="Add preset")
        preset = dialog.get_by_role("listitem").filter(has=page.get_by_role("button", name="Add lossy-5pct"))
        preset.get_by_text("Parameters").click()
        fill(preset, {"probability": "7"})
        preset.get_by_role("button", name="Add lossy-5pct").click()
        expect(preset.get_by_role("textbox", name="probability")).to_have_accessible_description(re.compile("7"))
        preset.get_by_role("textbox", name="probability").fill("0.5")
        preset.get_by_role("textbox", name="probability").press("Enter")
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("switch", name="lossy-5pct on")).to_be_checked()


def dialog_cases(scene):
    with scene.test("a dialog returns the focus, is closed by Back, and reports that it cannot be loaded") as visit:
        visit.forgive("status of 503|Failed to load resource")
        page = live(visit.open())
        view(page, "Faults").click()
        dialog = add_dialog(page)
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Add fault…").first).to_be_focused()
        add_dialog(page)
        page.go_back()
        expect(dialog).to_have_count(0)
        view(page, "Faults").click()
        page.route("**/api/v1/openapi.json", lambda route: route.fulfill(status=503, json={"detail": "Not now."}))
        page.get_by_role("button", name="Add fault…").first.click()
        expect(toast(page, "Not now.")).to_be_visible()


def order_cases(scene):
    with scene.test("the order of faults is changed by keyboard and by mouse; Undo restores a deleted one") as visit:
        for name in ("one", "two", "three"):
            scene.api.call("POST", "/api/v1/faults", {"name": name, "do": {"lose": True}}, status=201)
        page = live(visit.open("/faults"))
        rules = page.get_by_role("list", name="Faults in order").get_by_role("listitem")
        expect(rules).to_contain_text(["one", "two", "three"])
        page.get_by_role("button", name="Move three up").focus()
        page.keyboard.press("Enter")
        expect(rules).to_contain_text(["one", "three", "two"])
        expect(page.get_by_role("button", name="Move three up")).to_be_focused()
        until("the order", lambda: names(scene) == ["one", "three", "two"])
        page.get_by_role("button", name="Move one down").click()
        expect(rules).to_contain_text(["three", "one", "two"])
        handles = page.locator(".rule-handle")
        handles.nth(2).drag_to(rules.nth(0), target_position={"x": 60, "y": 3})
        expect(rules).to_contain_text(["two", "three", "one"])
        until("the order", lambda: names(scene) == ["two", "three", "one"])
        page.get_by_role("button", name="Delete three").click()
        expect(rules).to_contain_text(["two", "one"])
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("switch", name="three on")).to_be_checked()
        fits(page)


def banner_cases(scene):
    with scene.test("the banner shows a fault that another client adds, until it is deleted") as visit:
        page = live(visit.open("/devices"))
        fault = scene.api.call("POST", "/api/v1/faults", {"name": "from elsewhere", "do": {"lose": True}}, status=201)
        expect(banner(page)).to_contain_text("from elsewhere")
        scene.api.call("DELETE", f"/api/v1/faults/{fault['id']}", status=204)
        expect(banner(page)).to_be_hidden()
