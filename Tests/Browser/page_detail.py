"""The open push: its verdict and each of its tabs."""

import json
import re

from playwright.sync_api import expect

from glance import detail, live, panel, row, rows, tab, toast
from page_frame import run_command
from pushes import alert
from report import expect as expect_equal, expect_that

RICH = {
    "aps": {
        "alert": {"title": "Order shipped", "subtitle": "No. 17", "body": "It is on its way."}, "badge": 3,
        "sound": "default", "thread-id": "orders", "category": "ORDER", "interruption-level": "time-sensitive",
        "unknown-key": 1,
    },
    "orderId": 17,
}


def detail_cases(scene):
    verdict_cases(scene)
    tab_cases(scene)
    live_cases(scene)
    preview_cases(scene)


def verdict_cases(scene):
    with scene.test("a rejected push is explained: the reason, what it means, how to fix it, which check") as visit:
        record = scene.push(apns_topic=None)
        page = visit.open(f"/p/{record['id']}")
        head = detail(page)
        expect(head).to_contain_text("400")
        expect(head).to_contain_text("MissingTopic")
        expect(head).to_contain_text(record["verdict"]["meaning"])
        expect(head).to_contain_text(f"Fix: {record['verdict']['hint']}")
        tab(page, "Checks").click()
        checks = panel(page, "Checks").get_by_role("row")
        failed = next(check["id"] for check in record["verdict"]["checks"] if check["ok"] is False)
        expect(checks.filter(has_text="Failed")).to_contain_text(failed)
        expect(checks.filter(has_text="Passed").first).to_be_visible()

    for name, headers, payload, reason in (
        ("a bad token", {}, None, "BadDeviceToken"),
        ("a bad priority", {"apns_priority": "7"}, None, "BadPriority"),
        ("an empty body", {}, "", "PayloadEmpty"),
        ("too long a body", {}, {"aps": {"alert": "x" * 5_000}}, "PayloadTooLarge"),
    ):
        with scene.test(f"{name} is explained") as visit:
            record = scene.push("zz" if reason == "BadDeviceToken" else None, payload, **headers)
            expect_equal("reason", reason, record["verdict"]["reason"])
            page = visit.open(f"/p/{record['id']}?tab=checks")
            expect(detail(page)).to_contain_text(reason)
            expect(detail(page)).to_contain_text("Fix: ")
            expect(panel(page, "Checks")).to_contain_text("failed")


def tab_cases(scene):
    with scene.test("the tabs are reached by arrow keys, and the address follows") as visit:
        record = scene.push(payload=RICH)
        page = visit.open(f"/p/{record['id']}")
        tab(page, "Preview").focus()
        for name in ("JSON", "Headers", "Checks", "Timeline", "Raw"):
            page.keyboard.press("ArrowRight")
            expect(tab(page, name)).to_be_focused()
            expect(panel(page, name)).to_be_visible()
            expect(page).to_have_url(re.compile(f"tab={name.lower()}$"))
        page.keyboard.press("Home")
        expect(page).to_have_url(f"{visit.base}/p/{record['id']}")

    with scene.test("JSON: a tree that collapses, warnings at their values, the text as sent") as visit:
        record = scene.push(payload=RICH)
        page = visit.open(f"/p/{record['id']}?tab=json")
        tree = panel(page, "JSON").get_by_role("tree", name="Payload")
        expect(tree.get_by_role("treeitem").filter(has_text="Order shipped")).to_be_visible()
        expect(tree.get_by_role("treeitem").filter(has_text="unknown-key")).to_contain_text(re.compile("unknown|known", re.I))
        tree.get_by_role("treeitem").first.focus()
        page.keyboard.press("ArrowLeft")
        expect(tree.get_by_role("treeitem")).to_have_count(1)
        page.keyboard.press("ArrowRight")
        expect(tree.get_by_role("treeitem").filter(has_text="orderId")).to_be_visible()
        panel(page, "JSON").get_by_role("radio", name="As sent").check()
        expect(panel(page, "JSON").get_by_role("region", name="JSON")).to_have_text(json.dumps(RICH))

    with scene.test("JSON: a value leads to a search for it") as visit:
        record = scene.push(payload=RICH)
        scene.accepted("Another")
        page = live(visit.open(f"/p/{record['id']}?tab=json"))
        panel(page, "JSON").get_by_role("treeitem").filter(has_text="orderId").click()
        panel(page, "JSON").get_by_role("link", name=re.compile("search", re.I)).first.click()
        expect(page).to_have_url(re.compile(r"q=payload%3A%2ForderId%3D17"))
        expect(rows(page)).to_have_count(1)

    with scene.test("JSON: an invalid body shows where the error is") as visit:
        record = scene.push(payload='{"aps":{"alert":')
        page = visit.open(f"/p/{record['id']}?tab=json")
        expect(panel(page, "JSON")).to_contain_text("This is not JSON.")
        expect(panel(page, "JSON")).to_contain_text("Line 1, column 17")

    with scene.test("Headers: what they mean, and the provider token's claims") as visit:
        record = scene.push(payload=RICH, apns_expiration="0", apns_priority="5", apns_collapse_id="c1")
        page = visit.open(f"/p/{record['id']}?tab=headers")
        fields = panel(page, "Headers").get_by_role("table", name="Header fields for APNs").get_by_role("row")
        expect(fields.filter(has_text="apns-expiration")).to_contain_text("Deliver once or drop")
        expect(fields.filter(has_text="apns-collapse-id")).to_contain_text("c1")
        token = panel(page, "Headers")
        expect(token).to_contain_text(f"{record['request']['headerBlockSize']} bytes on the wire")
        for claim in (record["auth"]["keyId"], record["auth"]["teamId"], "verified", "ES256"):
            expect(token).to_contain_text(claim)

    with scene.test("Headers and Timeline: a client certificate, the topic it implies, why another one is refused") as visit:
        own = scene.certificate("own", environment="sandbox")
        answer = scene.client_with(own)(alert(scene.context.token).with_headers(authorization=None, apns_topic=None, apns_id=None))
        expect_equal("answer", 200, answer.status)
        page = visit.open(f"/p/{scene.api.get('/api/v1/pushes/latest')['id']}?tab=headers")
        expect(detail(page)).to_contain_text("(from the certificate)")
        shown = panel(page, "Headers")
        for text in ("Valid It authenticates this push", "com.example.app.voip", "CN=mock-apns client CA"):
            expect(shown).to_contain_text(text)
        shown.get_by_text(re.compile("^Not sent")).click()
        expect(shown).to_contain_text("The only topic of the client certificate: com.example.app.")
        both = scene.client_with(own)(alert(scene.context.token))
        expect_equal("answer", 200, both.status)
        page = visit.open(f"/p/apns:{both.header('apns-id')}?tab=headers")
        expect(shown).to_contain_text("Ignored: the client certificate authenticates the push.")
        scene.refuses(scene.certificate("old", expires="-1d"))
        page = visit.open(f"/p/{scene.api.get('/api/v1/pushes/latest')['id']}?tab=timeline")
        expect(detail(page)).to_contain_text("GOAWAY BadCertificate")
        expect(panel(page, "Timeline")).to_contain_text("It has expired.")

    with scene.test("Timeline: from the receipt to the delivery, and the connection's other pushes") as visit:
        token = scene.phone("timeline", state="offline")
        record = scene.accepted("Stored first", token, apns_expiration="2000000000")
        page = live(visit.open(f"/p/{record['id']}?tab=timeline"))
        steps = panel(page, "Timeline")
        for step in ("received", "checked", "responded", "stored"):
            expect(steps).to_contain_text(re.compile(step, re.I))
        scene.api.change("timeline", state="online")
        expect(steps).to_contain_text(re.compile("delivered", re.I))
        expect(steps.get_by_role("link", name=record["connection"]["id"], exact=True)).to_be_visible()

    with scene.test("Raw: the bytes, and a command that resends the push") as visit:
        record = scene.push(payload=RICH)
        page = visit.open(f"/p/{record['id']}?tab=raw")
        raw = panel(page, "Raw")
        expect(raw).to_contain_text("mock-apns token")
        expect(raw).to_contain_text(f"/3/device/{record['apns']['token']}")
        raw.get_by_role("radio", name="Hex").check()
        expect(raw).to_contain_text("7b 22 61 70 73 22")

    with scene.test("Raw: a verification from a push passes, on the page and in a shell") as visit:
        record = scene.push(payload=RICH)
        page = live(visit.open(f"/p/{record['id']}?tab=raw"))
        panel(page, "Raw").get_by_role("button", name="Run", exact=True).click()
        expect(panel(page, "Raw")).to_contain_text("Passed: 1 push matches.")
        expect_equal("verifications", 1, len(scene.api.push(record["id"])["verifiedBy"]))
        panel(page, "Raw").get_by_role("checkbox", name="/orderId").check()
        texts = {}
        for name in ("mock-apns", "curl"):
            panel(page, "Raw").get_by_role("radio", name=name, exact=True).check()
            texts[name] = panel(page, "Raw").get_by_role("region", name="Verification", exact=True).inner_text()
            expect_that("orderId" in texts[name], "the verification", "the chosen value", texts[name])
        run_command(texts["curl"].replace("curl ", "curl -f ", 1))
        run_command(scene.with_program(texts["mock-apns"]))
        expect_equal("verifications", 3, len(scene.api.push(record["id"])["verifiedBy"]))

    with scene.test("Raw: the Swift test contains any text of the push, which never leaves its literal") as visit:
        title = 'a"""###, then \\###(exit(1)) \\(x) \n\u202e\u2028\u0000 `${1}` \\u{41} 日本'
        record = scene.push(payload={"aps": {"alert": {"title": title}}, "x\\##(y)\"\"\"##": "#" * 500})
        page = live(visit.open(f"/p/{record['id']}?tab=raw"))
        raw = panel(page, "Raw")
        raw.get_by_role("checkbox", name="/x").check()
        raw.get_by_role("radio", name="Swift", exact=True).check()
        text = raw.get_by_role("region", name="Verification", exact=True).locator("code").evaluate("(code) => code.textContent")
        parts = re.fullmatch(r'(.*)Data\((#+)"""\n(.*)\n    """\2\.utf8\)(.*)', text, re.S)
        expect_that(parts, "the test", "a literal of several lines", text)
        before, marks, body, behind = parts.groups()
        # The compiler's limit.
        expect_that(len(marks) < 256, "marks", "fewer than 256", marks)
        expect_that(marks not in body, "the literal", f"no {marks} in it", body)
        expect_that(f'"{visit.base}/api/v1/pushes/verify"' in before, "the test", "the address", before)
        expect_that("throw PushMissing" in behind, "the test", "the report to be thrown", behind)
        hidden = [one for one in text if not one.isprintable() and one != "\n"]
        expect_equal("invisible characters", [], hidden)
        expect_equal("verified", 1, scene.api.call("POST", "/api/v1/pushes/verify", json.loads(body))["count"])


def live_cases(scene):
    with scene.test("an open push is updated, and its tab stays") as visit:
        token = scene.phone("open", state="offline")
        record = scene.accepted("Open while it changes", token, apns_expiration="2000000000")
        page = live(visit.open(f"/p/{record['id']}?tab=headers"))
        expect(detail(page)).to_contain_text("Stored")
        scene.api.change("open", state="online")
        expect(detail(page)).to_contain_text(re.compile("from storage", re.I))
        expect(tab(page, "Headers")).to_have_attribute("aria-selected", "true")

    with scene.test("a push is deleted after a confirmation") as visit:
        record = scene.accepted("Goes away")
        page = live(visit.open(f"/p/{record['id']}"))
        detail(page).get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        detail(page).get_by_role("button", name="Delete").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete push").click()
        expect(page).to_have_url(f"{visit.base}/")
        expect(row(page, "Goes away")).to_have_count(0)
        expect_equal("pushes", 0, scene.api.get("/api/v1/pushes/count")["count"])

    with scene.test("a note of a push is added, edited and removed") as visit:
        record = scene.accepted("Noted")
        page = live(visit.open(f"/p/{record['id']}"))
        for text in ("It <b>began</b> here", "And ended there", ""):
            detail(page).get_by_role("button", name="Edit note…").click()
            page.get_by_role("dialog").get_by_label("Note", exact=True).fill(text)
            page.get_by_role("dialog").get_by_role("button", name="Save").click()
            expect(page.get_by_role("dialog")).to_have_count(0)
            expect_equal("note", text or None, scene.api.push(record["id"])["note"])
            if text:
                expect(detail(page).locator(".push-head")).to_contain_text(text)
        expect(detail(page).locator(".push-head")).not_to_contain_text("And ended there")

    with scene.test("the buttons for newer and older pushes follow the list") as visit:
        scene.accepted("Older one")
        newer = scene.accepted("Newer one")
        page = live(visit.open(f"/p/{newer['id']}"))
        detail(page).get_by_role("button", name="Older push").click()
        expect(detail(page).get_by_role("heading", name="Older one")).to_be_visible()
        detail(page).get_by_role("button", name="Newer push").click()
        expect(detail(page).get_by_role("heading", name="Newer one")).to_be_visible()


def preview_cases(scene):
    with scene.test("Preview: the picture in each view, light and dark") as visit:
        record = scene.push(payload=RICH)
        page = live(visit.open(f"/p/{record['id']}"))
        picture = panel(page, "Preview").get_by_role("img", name=re.compile("^Lock screen, approximately: Order shipped"))
        expect(picture).to_be_visible()
        expect_that(picture.evaluate("(image) => image.complete && image.naturalWidth > 100"), "the picture", "drawn", "nothing")
        for name in ("Banner", "Notification Center", "Watch"):
            panel(page, "Preview").get_by_role("radio", name=name, exact=True).check()
            expect(panel(page, "Preview").get_by_role("img", name=re.compile(f"^{name}, approximately"))).to_be_visible()
        panel(page, "Preview").get_by_role("radio", name="Dark").check()
        expect(page).to_have_url(re.compile("look=dark"))
        expect(panel(page, "Preview").get_by_role("img")).to_have_attribute("src", re.compile("appearance=dark"))

    with scene.test("Preview: a background push has no notification, and says why") as visit:
        record = scene.push(payload={"aps": {"content-available": 1}}, apns_push_type="background", apns_priority="5")
        page = live(visit.open(f"/p/{record['id']}"))
        expect(panel(page, "Preview")).to_contain_text("No UI")

    with scene.test("Preview: localized texts use strings that are uploaded on the page") as visit:
        record = scene.push(payload={"aps": {"alert": {"loc-key": "ORDER_SHIPPED", "loc-args": ["17", "Ann"]}}})
        page = live(visit.open(f"/p/{record['id']}"))
        picture = panel(page, "Preview").get_by_role("img")
        expect(picture).to_have_attribute("alt", re.compile("ORDER_SHIPPED"))
        panel(page, "Preview").get_by_role("button", name="Edit strings…").click()
        dialog = page.get_by_role("dialog", name="Strings tables")
        dialog.get_by_label("Or paste its content").fill('"ORDER_SHIPPED" = "Order %1$@ is on its way, %2$@.";')
        dialog.get_by_role("button", name="Upload").click()
        expect(toast(page, "Uploaded 1 string for com.example.app (en).")).to_be_visible()
        dialog.get_by_role("button", name="Close").click()
        expect(picture).to_have_attribute("alt", re.compile("Order 17 is on its way, Ann."))

    with scene.test("Preview: action buttons of a category are added, edited and deleted") as visit:
        record = scene.push(payload=RICH)
        page = live(visit.open(f"/p/{record['id']}"))
        preview = panel(page, "Preview")
        path = "/api/v1/categories/com.example.app/ORDER"
        preview.get_by_role("button", name="Add action buttons…").click()
        dialog = page.get_by_role("dialog", name="Action buttons")
        visit.forgive("status of 400")
        dialog.get_by_role("button", name="Save", exact=True).click()
        expect(dialog.get_by_role("group", name="Button 1").get_by_role("alert")).to_contain_text("is missing")
        dialog.get_by_label("Title").fill("Accept <b>")
        dialog.get_by_role("button", name="Add button").click()
        second = dialog.get_by_role("group", name="Button 2")
        second.get_by_label("Title").fill("Decline")
        second.get_by_label("Destructive").check()
        second.get_by_label("Text input").check()
        dialog.get_by_role("button", name="Save", exact=True).click()
        expect(toast(page, "Saved 2 buttons.")).to_be_visible()
        expect(dialog).to_have_count(0)
        expect(preview.get_by_role("listitem").filter(has_text="Accept <b>")).to_be_visible()
        seen = scene.api.get(path)["actions"]
        expect_equal("titles", ["Accept <b>", "Decline"], [one["title"] for one in seen])
        expect_equal("what the second is", (True, True), (seen[1]["destructive"], seen[1]["textInput"]))

        # Members without a field are kept.
        scene.api.call("PUT", path, {"actions": [{"title": "Track", "identifier": "T", "foreground": True}, {"title": "No"}]})
        page.reload()
        preview.get_by_role("button", name="Edit action buttons…").click()
        dialog.get_by_role("button", name="Remove button 2").click()
        dialog.get_by_label("Title").fill("Track it")
        dialog.get_by_role("button", name="Save", exact=True).click()
        expect(toast(page, "Saved 1 button.")).to_be_visible()
        seen = scene.api.get(path)["actions"]
        expect_equal("actions", [("T", "Track it", True)], [(one["identifier"], one["title"], one["foreground"]) for one in seen])

        preview.get_by_role("button", name="Edit action buttons…").click()
        dialog.get_by_role("button", name="Delete buttons").click()
        expect(preview.get_by_role("button", name="Add action buttons…")).to_be_visible()
        expect_equal("categories", [], scene.api.get("/api/v1/categories")["categories"])

    with scene.test("Preview: the picture is saved as PNG and SVG") as visit:
        record = scene.push(payload=RICH)
        page = live(visit.open(f"/p/{record['id']}"))
        expect(panel(page, "Preview").get_by_role("img")).to_be_visible()
        for name, magic in (("PNG", b"\x89PNG"), ("SVG", b"<")):
            with page.expect_download() as download:
                panel(page, "Preview").get_by_text(name, exact=True).click()
            with open(download.value.path(), "rb") as file:
                seen = file.read(4)
            expect_that(seen.startswith(magic), f"the {name}", magic, seen)
