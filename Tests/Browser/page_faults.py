"""Faults on the page: presets, the form, the order and the banner."""

import json

from playwright.sync_api import expect

from devices import until
from glance import banner, detail, fits, live, panel, row, tab, toast, view
from report import expect as expect_equal


def fault_cases(scene):
    for sized in scene.sizes():
        preset_cases(sized)
        form_cases(sized)
        order_cases(sized)
    banner_cases(scene)


def names(scene):
    return [fault["name"] or fault["preset"] for fault in scene.api.get("/api/v1/faults")["faults"]]


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
        expect(page.get_by_role("switch", name="too many on")).not_to_be_checked()
        expect_equal("answer", 200, scene.send().status)
        page.get_by_role("main").get_by_role("link", name="too many").click()
        page.get_by_role("button", name="Copy JSON").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        fits(page)
        copied = json.loads(page.evaluate("navigator.clipboard.readText()"))
        expect_equal("copied", "TooManyRequests", copied["do"]["respond"]["reason"])


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
