"""The open push: its verdict and each of its tabs."""

import base64
import json
import os
import re
import tempfile

from playwright.sync_api import expect

from glance import detail, fits, live, panel, row, rows, tab, toast, tool
from page_frame import run_command
from page_snippets import snippet_cases
from pushes import alert
from report import expect as expect_equal, expect_that

# What the Swift tests compile and run.
SNIPPET = os.path.join(os.path.dirname(__file__), "..", "MockAPNsTestingTests", "Snippets", "PageTest.swift")
RICH = {
    "aps": {
        "alert": {"title": "Order shipped", "subtitle": "No. 17", "body": "It is on its way."}, "badge": 3,
        "sound": "default", "thread-id": "orders", "category": "ORDER", "interruption-level": "time-sensitive",
        "unknown-key": 1,
    },
    "orderId": 17,
}


def detail_cases(scene):
    for sized in scene.sizes():
        verdict_cases(sized)
        button_cases(sized)
        snippet_cases(sized)
        compare_cases(sized)
        live_cases(sized)
    other_page_cases(scene)
    tab_cases(scene)


def verdict_cases(scene):
    with scene.test("a rejected push is explained: the reason, the cause, how to fix it, which check") as visit:
        record = scene.push(apns_topic=None)
        page = visit.open(f"/p/{record['id']}")
        head = detail(page)
        expect(head).to_contain_text("400")
        expect(head).to_contain_text("MissingTopic")
        expect(head).to_contain_text(record["verdict"]["hint"])
        checks = panel(page, "Checks").get_by_role("row")
        failed = next(check["id"] for check in record["verdict"]["checks"] if check["ok"] is False)
        expect(checks.filter(has_text="Failed")).to_contain_text(failed)
        expect(checks.filter(has_text="Passed").first).to_be_visible()

    for name, headers, payload, reason, why in (
        ("a bad token", {}, None, "BadDeviceToken", ("ab" * 31 + "g", "63 characters, an odd number; character 63 is 'g'")),
        ("a bad priority", {"apns_priority": "7"}, None, "BadPriority", ("Expected10, 5 or 1", "Seen7")),
        ("an empty body", {}, "", "PayloadEmpty", ("at least 1 byte", "0 bytes")),
        ("too long a body", {}, {"aps": {"alert": "x" * 5_000}}, "PayloadTooLarge", ("at most 4,096 bytes", "5,022 bytes")),
    ):
        with scene.test(f"{name} is explained beside the reason, on the first look") as visit:
            record = scene.push("ab" * 31 + "g" if reason == "BadDeviceToken" else None, payload, **headers)
            expect_equal("reason", reason, record["verdict"]["reason"])
            page = visit.open(f"/p/{record['id']}")
            expect(detail(page)).to_contain_text(reason)
            banner = detail(page).get_by_role("group", name="Why")
            for text in (*why, record["verdict"]["hint"]):
                expect(banner).to_contain_text(text)
            expect(panel(page, "Checks")).to_contain_text("failed after")

    with scene.test("a rejected push opens on Checks, an accepted one on Preview; a chosen tab stays") as visit:
        scene.accepted("Fine")
        record = scene.push(apns_topic=None)
        page = live(visit.open(f"/p/{record['id']}"))
        expect(panel(page, "Checks")).to_be_visible()
        detail(page).get_by_role("button", name="Older push").click()
        expect(panel(page, "Preview")).to_be_visible()
        tab(page, "Headers").click()
        detail(page).get_by_role("button", name="Newer push").click()
        expect(detail(page)).to_contain_text("MissingTopic")
        expect(panel(page, "Headers")).to_be_visible()

    with scene.test("a fault that responded is named, without advice for its reason") as visit:
        fault = scene.api.call(
            "POST", "/api/v1/faults", {"name": "too many", "do": {"respond": {"reason": "TooManyRequests"}}}, status=201
        )
        record = scene.push()
        page = visit.open(f"/p/{record['id']}")
        head = detail(page).locator(".push-head")
        expect(head).to_contain_text("The fault too many responded 429 TooManyRequests. Without it, the push would have been accepted.")
        expect(head.get_by_role("group", name="Why")).to_have_count(0)
        expect(head.get_by_role("link", name="too many")).to_have_attribute("href", f"/faults/{fault['id']}")
        expect(head.locator(".verdict-word.bad")).to_contain_text("429 TooManyRequests")
        tab(page, "Timeline").click()
        expect(panel(page, "Timeline").get_by_role("link", name="too many")).to_be_visible()
        scene.api.call("DELETE", f"/api/v1/faults/{fault['id']}", status=204)
        page.reload()
        expect(head).to_contain_text(f"The fault {fault['id']}, since deleted, responded")

    with scene.test("the link of a failed verification shows the conditions that are not met, and where") as visit:
        scene.push(payload=RICH, apns_priority="5")
        match = {"topic": "com.example.app", "headers": {"apns-priority": "10"},
                 "payload": {"at": "/aps/alert/title", "equals": "Order paid"}}
        report = scene.api.call("POST", "/api/v1/pushes/verify", {"match": match}, status=409)["report"]
        page = live(visit.open(re.search("look: (.*)", report)[1].removeprefix(scene.server.api)))
        missed = detail(page).get_by_role("status", name="Verification").get_by_role("listitem")
        expect(missed).to_have_count(2)
        expect(missed.filter(has_text="headers.apns-priority")).to_contain_text("expected 10, seen 5")
        expect(missed.filter(has_text="/aps/alert/title")).to_contain_text("expected Order paid, seen Order shipped")
        missed.get_by_role("link", name="/aps/alert/title").click()
        expect(panel(page, "JSON").get_by_role("treeitem", selected=True)).to_contain_text("Order shipped")
        detail(page).get_by_role("link", name="Dismiss").click()
        expect(missed).to_have_count(0)

    with scene.test("Checks: what APNs would have answered to a provider token that was accepted, if that is known") as visit:
        scene.accepted("Let through")
        push = json.loads(scene.exported()[-1])
        expect_equal("the reason for a valid token", None, push["auth"]["reason"])
        for verification, reason in (("bad-signature", "InvalidProviderToken"), ("verified", None), ("too-many-updates", None)):
            push["auth"].update(verification=verification, reason=reason)
            scene.bring([json.dumps(push)])
            page = live(visit.open("/latest?tab=checks"))
            expect(panel(page, "Checks")).to_contain_text("Accepted: all")
            said = panel(page, "Checks").get_by_text("APNs would have answered")
            if reason:
                expect(said).to_contain_text(f"403 {reason}")
            else:
                expect(said).to_have_count(0)

    with scene.test("Checks: what they decided, and what became of the push") as visit:
        token = scene.phone("away", state="offline")
        record = scene.accepted("Waits", token, apns_expiration="2000000000")
        page = live(visit.open(f"/p/{record['id']}?tab=checks"))
        expect(panel(page, "Checks")).to_contain_text(f"Accepted: all {len(record['verdict']['checks'])} checks passed.")
        expect(panel(page, "Checks")).to_contain_text("Stored: the device is offline.")
        expect(detail(page).locator(".verdict")).to_contain_text("Stored: the device is offline")
        size = record["request"]["bodySize"]
        expect(detail(page)).to_contain_text(f"{size} of 4,096 bytes, {round(100 * size / 4096)} %")


def button_cases(scene):
    with scene.test("a rejected push is resent, with the same payload and mended") as visit:
        token = scene.phone("mended")
        record = scene.push(token, RICH, apns_priority="7")
        page = live(visit.open(f"/p/{record['id']}"))
        tool(page, "Resend").click()
        resent = page.get_by_role("status", name="Resent")
        expect(resent).to_contain_text(": 400 BadPriority.")
        expect(resent).not_to_contain_text("signed")
        resent.get_by_role("link").click()
        expect(detail(page)).to_contain_text("BadPriority")
        again = scene.api.get("/api/v1/pushes/latest")
        expect(page).to_have_url(re.compile(f"/p/{again['id']}"))
        # The first push is shown until the second has arrived.
        expect(detail(page)).to_contain_text(f"Resent from #{record['seq']}: 400 BadPriority.")
        expect_equal("payload", RICH, again["request"]["payload"])
        tool(page, "Edit & resend…").click()
        dialog = page.get_by_role("dialog", name="Edit and resend")
        dialog.get_by_label("Priority").fill("10")
        dialog.get_by_role("button", name="Send", exact=True).click()
        expect(resent).to_contain_text(": 200 Accepted.")
        resent.get_by_role("link").click()
        expect(detail(page)).to_contain_text(f"Resent from #{again['seq']}: 400 BadPriority.")
        expect(detail(page)).to_contain_text("200 Accepted")
        expect_equal("pushes", 3, scene.api.get("/api/v1/pushes/count")["count"])

    with scene.test("a resent 403 says that the server signed the push anew, and links the two pushes") as visit:
        record = scene.push(authorization="bearer abc")
        page = live(visit.open(f"/p/{record['id']}"))
        tool(page, "Resend").click()
        resent = page.get_by_role("status", name="Resent")
        expect(resent).to_contain_text("200 Accepted")
        expect(resent).to_contain_text("signed it with its own provider token")
        expect(page).to_have_url(re.compile(f"/p/{record['id']}"))
        fits(page)
        resent.get_by_role("link").click()
        expect(detail(page).locator(".verdict")).to_contain_text("200 Accepted")
        detail(page).get_by_role("link", name=f"#{record['seq']}", exact=True).click()
        expect(resent).to_be_visible()
        # A reason that the push itself has stays, and says nothing about signing.
        record = scene.push(apns_topic=None)
        page.goto(f"{visit.base}/p/{record['id']}")
        tool(page, "Resend").click()
        expect(resent).to_contain_text("400 MissingTopic")
        expect(resent).not_to_contain_text("signed")

    with scene.test("while another push is loaded, the buttons of the one that is shown do nothing") as visit:
        first, second = scene.accepted("First"), scene.accepted("Second")
        page = live(visit.open(f"/p/{first['id']}"))
        expect(tool(page, "Resend")).to_be_visible()
        held = []
        page.route(f"**/pushes/{second['id']}", lambda route: held.append(route))
        page.evaluate("(path) => { history.pushState(null, '', path); dispatchEvent(new PopStateEvent('popstate')) }", f"/p/{second['id']}")
        inert = detail(page).locator("[inert]").get_by_role("button", name="Resend", exact=True, include_hidden=True)
        expect(inert).to_have_count(1)
        expect(detail(page)).to_contain_text("First")
        held[0].continue_()
        expect(detail(page)).to_contain_text("Second")
        expect(inert).to_have_count(0)
        tool(page, "Resend").click()
        expect(page.get_by_role("status", name="Resent")).to_contain_text("200 Accepted")
        expect_equal("resent", second["request"]["payload"], scene.api.get("/api/v1/pushes/latest")["request"]["payload"])

    with scene.test("with Alt held, the buttons show their commands") as visit:
        record = scene.accepted("Kept")
        page = live(visit.open(f"/p/{record['id']}"))
        for name, call in (("Resend", "/resend"), ("Delete…", "-X DELETE")):
            tool(page, name).click(modifiers=["Alt"])
            command = page.get_by_role("dialog", name="Command")
            expect(command).to_contain_text(call)
            command.get_by_role("button", name="Close").click()
        expect_equal("pushes", 1, scene.api.get("/api/v1/pushes/count")["count"])

    with scene.test("a push is pinned with a button and with a key") as visit:
        record = scene.accepted("Worth keeping")
        page = live(visit.open(f"/p/{record['id']}"))
        tool(page, "Pin").click()
        expect(detail(page).get_by_text("Pinned", exact=True)).to_be_visible()
        expect_equal("pinned", True, scene.api.push(record["id"])["pinned"])
        page.keyboard.press("p")
        expect(detail(page).get_by_text("Pinned", exact=True)).to_have_count(0)
        expect_equal("pinned", False, scene.api.push(record["id"])["pinned"])
        expect(tool(page, "Pin")).to_be_visible()

    with scene.test("every button of a push is reachable, and nothing is wider than the window") as visit:
        record = scene.push(payload=RICH, apns_priority="7")
        page = live(visit.open(f"/p/{record['id']}"))
        for name in ("Resend", "Edit & resend…", "Create test…", "Compare…", "Edit note…", "Pin", "Copy link", "Delete…"):
            expect(tool(page, name)).to_be_visible()
        fits(page)


def other_page_cases(scene):
    with scene.test("what another page changes is shown: a pin, a note, the name of an app, a saved push") as visit:
        record = scene.accepted("On two pages")
        path = f"/p/{record['id']}"
        page, other = live(visit.open(path)), live(visit.another("/"))
        tool(page, "Pin").click()
        expect(rows(other).get_by_title("Pinned")).to_have_count(1)
        tool(page, "Unpin").click()
        expect(rows(other).get_by_title("Pinned")).to_have_count(0)
        scene.api.call("PATCH", f"/api/v1/pushes/{record['id']}", {"note": "from elsewhere"})
        expect(detail(page)).to_contain_text("from elsewhere")
        app = f"/api/v1/apps/{record['apns']['topic']}"
        scene.api.call("PUT", app, {"name": "Shop"}, status=201)
        for one in (page, other):
            expect(rows(one).first).to_contain_text("Shop")
        scene.api.call("DELETE", app, status=204)
        for one in (page, other):
            expect(rows(one).first).not_to_contain_text("Shop")
        page.get_by_role("button", name="Send…").first.click()
        scene.api.call("PUT", "/api/v1/saved-pushes/Elsewhere", {}, status=201)
        saved = page.get_by_role("combobox", name="Saved pushes")
        saved.select_option("Elsewhere")
        scene.api.call("DELETE", "/api/v1/saved-pushes/Elsewhere", status=204)
        expect(saved).to_be_disabled()


def compare_cases(scene):
    with scene.test("two pushes are compared: their differences first") as visit:
        token = scene.phone("compared")
        before = scene.push(token, RICH, apns_priority="10")
        body = {**RICH, "aps": {**RICH["aps"], "alert": {"title": "Order paid"}}}
        record = scene.push(token, body, apns_priority="5")
        page = live(visit.open(f"/p/{record['id']}"))
        tool(page, "Compare…").click()
        dialog = page.get_by_role("dialog", name=re.compile("^Compare"))
        expect(dialog.get_by_label("Compare with")).to_have_value(re.compile(r"^#\d+$"))
        dialog.get_by_role("button", name="Compare", exact=True).click()
        expect(page).to_have_url(re.compile(f"/compare/{record['id']}/{before['id']}"))
        differences = detail(page).get_by_role("row")
        expect(differences.filter(has_text="apns-priority")).to_contain_text(re.compile("5.*10", re.S))
        expect(differences.filter(has_text="aps/alert/title")).to_contain_text(re.compile("Order paid.*Order shipped", re.S))
        detail(page).get_by_text(re.compile("^Same in both: ")).click()
        expect(detail(page).get_by_text("/orderId", exact=True)).to_be_visible()
        detail(page).get_by_role("link", name="Swap").click()
        expect(differences.filter(has_text="apns-priority")).to_contain_text(re.compile("10.*5", re.S))
        fits(page)

    with scene.test("a push is compared with itself, with one whose body is no JSON, and with an unknown one") as visit:
        record = scene.push(payload=RICH)
        other = scene.push(payload="{not <b>JSON</b>", apns_topic=None)
        page = live(visit.open(f"/compare/{record['id']}/{record['id']}"))
        expect(detail(page)).to_contain_text("No differences.")
        page.goto(f"{visit.base}/compare/{record['id']}/{other['id']}")
        differences = detail(page).get_by_role("row")
        expect(differences.filter(has_text="whole body")).to_contain_text("{not <b>JSON</b>")
        expect(differences.filter(has_text="failedCheck")).to_contain_text("absent")
        expect(detail(page).locator(".compared-push").nth(1)).to_contain_text("400 MissingTopic")
        visit.forgive("status of 404")
        page.goto(f"{visit.base}/compare/{record['id']}/seq:999999")
        expect(detail(page).get_by_role("alert")).to_contain_text("There is no 'seq:999999'")


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
        expect(raw.get_by_role("region", name="Body")).to_contain_text("7b 22 61 70 73 22")
        command = raw.get_by_role("region", name="Resend command").inner_text()
        with tempfile.TemporaryDirectory() as elsewhere:
            run_command(scene.with_program(f"cd '{elsewhere}' && {command.replace('curl ', 'curl -fsS ', 1)}"))
        expect_equal("pushes", 2, scene.api.get("/api/v1/pushes/count")["count"])

    with scene.test("Raw and JSON: a body that is not JSON, not UTF-8, empty, or too large to keep") as visit:
        visit.forgive("status of 422 .*/curl")
        for body, dumped, shown in (
            ("{not JSON", "7b 6e 6f 74", "This is not JSON."), ("", "The body is empty.", "The body is empty."),
            ("x" * 16_000, "too large to keep", "too large to keep"), (None, "22 ff 22 7d", "not UTF-8"),
        ):
            if body is None:
                push = json.loads(scene.exported()[-1])
                push["request"].update(bodyBase64=base64.b64encode(b'{"a":"\xff"}').decode(), bodySize=9, bodyKept=True)
                scene.bring([json.dumps(push)])
            else:
                scene.send(payload=body)
            page = live(visit.open("/latest?tab=raw"))
            expect(panel(page, "Raw")).to_contain_text(dumped)
            expect(panel(page, "Raw").get_by_role("link", name="Record as JSON")).to_be_visible()
            tab(page, "JSON").click()
            for form in ("Tree", "Formatted", "As sent"):
                panel(page, "JSON").get_by_role("radio", name=form).check()
                expect(panel(page, "JSON")).to_contain_text(shown)

    with scene.test("JSON: the form is chosen with the keyboard, and the focus stays on it") as visit:
        record = scene.push(payload=RICH)
        page = live(visit.open(f"/p/{record['id']}?tab=json"))
        panel(page, "JSON").get_by_role("radio", name="Tree").focus()
        for name in ("Formatted", "As sent"):
            page.keyboard.press("ArrowRight")
            expect(panel(page, "JSON").get_by_role("radio", name=name)).to_be_focused()
        expect(panel(page, "JSON").get_by_role("region", name="JSON")).to_have_text(json.dumps(RICH))

    with scene.test("Create test: a verification passes, on the page and in a shell") as visit:
        record = scene.push(payload=RICH)
        page = live(visit.open(f"/p/{record['id']}"))
        tool(page, "Create test…").click()
        test = page.get_by_role("dialog", name="Create test")
        test.get_by_role("button", name="Run", exact=True).click()
        expect(test).to_contain_text("Passed: 1 push matches.")
        expect_equal("verifications", 1, len(scene.api.push(record["id"])["verifiedBy"]))
        test.get_by_role("checkbox", name="/orderId").check()
        texts = {}
        for name in ("mock-apns", "curl"):
            test.get_by_role("radio", name=name, exact=True).check()
            texts[name] = test.get_by_role("region", name="Verification", exact=True).inner_text()
            expect_that("orderId" in texts[name], "the verification", "the chosen value", texts[name])
        run_command(texts["curl"].replace("curl ", "curl -f ", 1))
        run_command(scene.with_program(texts["mock-apns"]))
        expect_equal("verifications", 3, len(scene.api.push(record["id"])["verifiedBy"]))

    with scene.test("Create test: the Swift test is the one that is compiled and run by the Swift tests") as visit:
        title = '"Now" \\(title) \u202e日本'
        payload = {"aps": {"alert": {"title": title}}, "badge": -1, "list": [1.5, None, False]}
        record = scene.push(scene.phone("swift"), payload, apns_priority="10")
        lines = swift_test(live(visit.open(f"/p/{record['id']}")), ("priority", "environment", "delivery", "badge", "list"))
        frame = ["import MockAPNsTesting", "import Testing", "", "@Test func pushArrives() async throws {"]
        expect_equal("the frame", frame, lines[:4])
        with open(SNIPPET, encoding="utf-8") as file:
            compiled = file.read().splitlines()
        compiled = compiled[next(at for at, line in enumerate(compiled) if line.startswith("func ")) + 1:]
        written = "\n".join(lines[4:]).replace(f'(api: "{visit.base}")', "(api: api)")
        written = written.replace("// Run the code that sends the push here.", "try await send(apns)")
        expect_equal("the test", compiled, written.splitlines())

    with scene.test("Create test: the Swift test contains any text of the push, which never leaves its literal") as visit:
        title = 'a"""###, then \\###(exit(1)) \\(x) \n\u202e\u2028\u0000\u00a0 `${1}` \\u{41} 日本'
        name = 'x\\##(y)"""##'
        record = scene.push(payload={"aps": {"alert": {"title": title}}, name: "#" * 500})
        lines = swift_test(live(visit.open(f"/p/{record['id']}")), (name,))
        literals = [match for line in lines for match in re.findall(r'\.payload\("((?:[^"\\]|\\.)*)", "((?:[^"\\]|\\.)*)"\),$', line)]
        expect_equal("the values", [("/aps/alert/title", title), (f"/{name}", "#" * 500)], [
            tuple(re.sub(r"\\(?:u\{(\w+)\}|(.))", lambda part: part[2] or chr(int(part[1], 16)), text) for text in pair)
            for pair in literals
        ])
        expect_equal("invisible characters", [], [one for line in lines for one in line if not one.isprintable()])


def swift_test(page, names):
    """The lines of the Swift test, with the conditions that have one of these names in theirs."""
    tool(page, "Create test…").click()
    test = page.get_by_role("dialog", name="Create test")
    expect(test.get_by_role("radio", name="Swift", exact=True)).to_be_visible()
    for name in names:
        for box in test.get_by_role("checkbox", name=name).all():
            box.check()
    test.get_by_role("radio", name="Swift", exact=True).check()
    region = test.get_by_role("region", name="Verification", exact=True)
    return region.locator("code").evaluate("(code) => code.textContent").split("\n")


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
        tool(page, "Delete…").click()
        page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        tool(page, "Delete…").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete push").click()
        expect(page).to_have_url(f"{visit.base}/")
        expect(row(page, "Goes away")).to_have_count(0)
        expect_equal("pushes", 0, scene.api.get("/api/v1/pushes/count")["count"])

    with scene.test("a note of a push is added, edited and removed") as visit:
        record = scene.accepted("Noted")
        page = live(visit.open(f"/p/{record['id']}"))
        for text in ("It <b>began</b> here", "And ended there", ""):
            tool(page, "Edit note…").click()
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
