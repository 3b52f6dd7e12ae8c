"""Faults on the page: presets, the form, the order and the banner."""

from playwright.sync_api import expect

from devices import until
from glance import banner, detail, live, panel, row, toast, view
from report import expect as expect_equal


def fault_cases(scene):
    preset_cases(scene)
    form_cases(scene)
    order_cases(scene)


def names(scene):
    return [fault["name"] or fault["preset"] for fault in scene.api.get("/api/v1/faults")["faults"]]


def preset_cases(scene):
    with scene.test("with an active preset, every view has the banner and the next push fails; turned off, it succeeds") as visit:
        page = live(visit.open())
        expect(banner(page)).to_be_hidden()
        view(page, "Faults").click()
        page.get_by_role("link", name="Choose preset…").click()
        dialog = page.get_by_role("dialog", name="Add preset")
        dialog.get_by_role("button", name="Add expired-provider-token").click()
        expect(dialog).to_have_count(0)
        expect(toast(page, "Added expired-provider-token")).to_be_visible()
        expect(banner(page)).to_contain_text("1 fault active")
        answer = scene.send()
        expect_equal("answer", (403, "ExpiredProviderToken"), (answer.status, scene.reason(answer)))
        for name in ("Pushes", "Devices", "Keys"):
            view(page, name).click()
            expect(banner(page)).to_contain_text("1 fault active")
        view(page, "Pushes").click()
        expect(row(page, "ExpiredProviderToken")).to_contain_text("Fault:")
        row(page, "ExpiredProviderToken").click()
        expect(detail(page)).to_contain_text("The fault expired-provider-token responded 403")
        banner(page).get_by_role("button", name="Turn off").click()
        expect(banner(page)).to_be_hidden()
        expect_equal("answer", 200, scene.send().status)

    with scene.test("the banner shows a fault that another client adds, until it is deleted") as visit:
        page = live(visit.open("/devices"))
        fault = scene.api.call("POST", "/api/v1/faults", {"name": "from elsewhere", "do": {"lose": True}}, status=201)
        expect(banner(page)).to_contain_text("from elsewhere")
        scene.api.call("DELETE", f"/api/v1/faults/{fault['id']}", status=204)
        expect(banner(page)).to_be_hidden()


def form_cases(scene):
    with scene.test("a fault is added with the form and its dry run; it fires and counts") as visit:
        for number in range(3):
            scene.accepted(f"Before {number}")
        page = live(visit.open("/faults"))
        page.get_by_role("link", name="Add fault…").first.click()
        dialog = page.get_by_role("dialog", name="Add fault")
        dialog.get_by_role("textbox", name="Name").fill("too many")
        dialog.get_by_role("combobox", name="Reason").select_option("TooManyRequests")
        expect(dialog.get_by_role("status", name="Dry run")).to_contain_text("Would have hit 3 of the last 3 pushes")
        dialog.get_by_role("button", name="Add", exact=True).click()
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("switch", name="too many on")).to_be_checked()
        expect_equal("answer", 429, scene.send().status)
        expect(page.get_by_text("Fired once")).to_be_visible()
        page.get_by_role("switch", name="too many on").click()
        expect(page.get_by_role("switch", name="too many on")).not_to_be_checked()
        expect_equal("answer", 200, scene.send().status)

    with scene.test("a push that a fault answered links to the fault") as visit:
        fault = scene.api.call(
            "POST", "/api/v1/faults", {"name": "names itself", "do": {"respond": {"reason": "InternalServerError"}}}, status=201
        )
        record = scene.push()
        page = live(visit.open(f"/p/{record['id']}?tab=checks"))
        expect(panel(page, "Checks")).to_contain_text("A fault decided the response")
        detail(page).get_by_role("link", name="names itself").first.click()
        expect(page).to_have_url(f"{visit.base}/faults/{fault['id']}")

    with scene.test("a deleted fault can be restored with Undo") as visit:
        scene.api.call("POST", "/api/v1/faults", {"name": "by mistake", "do": {"duplicate": True}}, status=201)
        page = live(visit.open("/faults"))
        page.get_by_role("button", name="Delete by mistake").click()
        expect(page.get_by_role("heading", name="No faults active")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("switch", name="by mistake on")).to_be_checked()


def order_cases(scene):
    with scene.test("the order of faults is changed by keyboard and by mouse") as visit:
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
        handles = page.locator(".rule-handle")
        handles.nth(2).drag_to(rules.nth(0), target_position={"x": 60, "y": 3})
        expect(rules).to_contain_text(["two", "one", "three"])
        until("the order", lambda: names(scene) == ["two", "one", "three"])
