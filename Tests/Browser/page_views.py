"""The other views: connections, keys, certificates and the log."""

import os
import re
import subprocess
from dataclasses import replace

from playwright.sync_api import expect

from debug_api import Events
from devices import until
from glance import fits, live, row, rows as pushes_shown, toast, view
from mock_apns import LAST_RESORT
from pushes import alert
from report import expect as expect_equal, expect_that
from stage import NARROW


# As many numbers of events as a new log looks back.
HISTORY = 600


def view_cases(scene):
    for sized in scene.sizes():
        failure_cases(sized)
        key_cases(sized)
        certificate_cases(sized)
        log_cases(sized)
    connection_cases(scene)
    password_cases(scene)


def failure_cases(scene):
    with scene.test("a failed handshake is listed first, with how to fix it") as visit:
        visit.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page = live(visit.open("/connections"))
        # A client that does not trust the authority.
        refused = subprocess.run(
            ["curl", "--silent", "--noproxy", "*", "--max-time", str(LAST_RESORT), f"{scene.context.tls_url}/3/device/00"],
            capture_output=True, timeout=LAST_RESORT, check=False,
        )
        expect_that(refused.returncode != 0, "exit code of curl", "a failure", refused.returncode)
        failure = page.get_by_role("article").filter(has_text="TLS handshake failed")
        expect(failure).to_contain_text("Hint:")
        expect(failure).to_contain_text("ca.pem")
        with page.expect_download() as waiting:
            failure.get_by_role("link", name="Download ca.pem").click()
        expect_equal("file name", "ca.pem", waiting.value.suggested_filename)
        failure.get_by_role("button", name="Copy the path of ca.pem").click()
        expect(toast(page, "Copied the path of ca.pem")).to_be_visible()
        expect_equal("copied", scene.server.ca, page.evaluate("navigator.clipboard.readText()"))
        fits(page)


def connection_cases(scene):
    with scene.test("connections are updated and link to their pushes") as visit:
        page = live(visit.open("/connections"))
        record = scene.accepted("Over this one")
        line = page.get_by_role("row").filter(has=page.get_by_role("link", name=record["connection"]["id"], exact=True))
        expect(line).to_contain_text("Closed")
        expect(line).to_contain_text("h2")
        line.get_by_role("link", name=f"1 push on {record['connection']['id']}").click()
        expect(row(page, "Over this one")).to_be_visible()
        view(page, "Connections").click()
        scene.api.call("POST", "/api/v1/faults/presets/shutdown-keep-open", {}, status=201)
        scene.send()
        newest = page.get_by_role("table", name="Connections, newest first").get_by_role("row").nth(1)
        expect(newest).to_contain_text("NO_ERROR")

    with scene.test("the table of connections does not move while it is in use") as visit:
        first = scene.accepted("First")["connection"]["id"]
        page = live(visit.open("/connections"))
        lines = page.get_by_role("table", name="Connections, newest first").get_by_role("rowheader")
        expect(lines.first).to_have_text(first)
        second = scene.accepted("Second")["connection"]["id"]
        expect(lines.first).to_have_text(second)
        lines.get_by_role("link", name=first, exact=True).focus()
        third = scene.accepted("Third")["connection"]["id"]
        newer = page.get_by_role("button", name="1 new")
        expect(newer).to_be_visible()
        expect(lines.first).to_have_text(second)
        newer.click()
        expect(lines.first).to_have_text(third)
        expect(newer).to_be_hidden()

    with scene.test("a warning about connections is shown once, with how to fix it") as visit:
        for _ in range(25):
            scene.send()
        page = live(visit.open("/connections"))
        warning = page.get_by_role("article").filter(has_text="connection-per-push")
        expect(warning).to_have_count(1)
        expect(warning).to_contain_text("Hint:")
        expect(warning.get_by_role("link", name="Why this matters")).to_have_attribute("href", re.compile("connection-per-push"))


def key_cases(scene):
    with scene.test("an invalid key is rejected at its field; a generated one signs pushes until it is deleted") as visit:
        visit.forgive("status of 4")
        page = live(visit.open("/keys"))
        development = scene.api.get("/api/v1/info")["developmentKey"]
        expect(page.get_by_role("row").filter(has_text=development["keyId"])).to_be_visible()
        page.get_by_role("button", name="Register key…").click()
        dialog = page.get_by_role("dialog", name="Register key")
        dialog.get_by_role("textbox", name="Key ID").fill("ABC123DEFG")
        dialog.get_by_role("textbox", name="Team ID").fill("DEF123GHIJ")
        dialog.get_by_role("textbox", name="Public key or .p8 file").fill("no key at all")
        dialog.get_by_role("button", name="Register").click()
        expect(dialog.get_by_role("textbox", name="Public key or .p8 file")).to_have_attribute("aria-invalid", "true")
        fits(page)
        dialog.get_by_role("button", name="Cancel").click()
        keys = [key["keyId"] for key in scene.api.get("/api/v1/keys")["keys"]]
        expect_that("ABC123DEFG" not in keys, "keys", "without ABC123DEFG", keys)
        page.get_by_role("button", name="Generate key…").click()
        dialog = page.get_by_role("dialog", name="Generate key")
        dialog.get_by_role("textbox", name="Key ID").fill("BROWSER001")
        dialog.get_by_role("textbox", name="Team ID").fill("BROWSERTEA")
        fits(page)
        dialog.get_by_role("button", name="Generate").click()
        made = page.get_by_role("dialog", name="Key BROWSER001")
        fits(page)
        with page.expect_download() as waiting:
            made.get_by_role("link", name="Download AuthKey_BROWSER001.p8").click()
        path = os.path.join(scene.directory, waiting.value.suggested_filename)
        waiting.value.save_as(path)
        made.get_by_role("button", name="Close").click()
        expect(page.get_by_role("row").filter(has_text="BROWSER001")).to_be_visible()
        code, token, problems = scene.server.run("token", "--key", f"{path},BROWSER001,BROWSERTEA")
        expect_equal("mock-apns token", (0, ""), (code, problems))
        expect_equal("answer", 200, scene.send(authorization=f"bearer {token.strip()}").status)
        page.get_by_role("link", name="Pushes signed by BROWSER001").click()
        expect(pushes_shown(page)).to_have_count(1)
        view(page, "Keys").click()
        page.get_by_role("button", name="Delete key BROWSER001").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete key").click()
        expect(page.get_by_role("row").filter(has_text="BROWSER001")).to_have_count(0)
        expect_equal("answer", 403, scene.send(authorization=f"bearer {token.strip()}").status)


def certificate_cases(scene):
    with scene.test("an issued certificate authenticates until it is revoked") as visit:
        visit.forgive("status of 4")
        page = live(visit.open("/keys"))
        page.get_by_role("button", name="Issue certificate…").click()
        dialog = page.get_by_role("dialog", name="Issue certificate")
        dialog.get_by_role("textbox", name="App").fill("com.example.app.voip")
        dialog.get_by_role("button", name="Issue").click()
        expect(dialog.get_by_role("textbox", name="App")).to_have_attribute("aria-invalid", "true")
        expect(dialog).to_contain_text("com.example.app")
        fits(page)
        dialog.get_by_role("button", name="Cancel").click()
        topic = "com.example.narrow" if scene.is_narrow else "com.example.wide"  # a reset keeps certificates
        path = issued_on_page(scene, page, topic, "PEM", environment="Sandbox")
        rows = page.get_by_role("table", name="Issued client certificates").get_by_role("row")
        line = rows.filter(has_text=topic)
        for text in (f"{topic}.voip", "Sandbox", "Valid"):
            expect(line).to_contain_text(text)
        page.get_by_text("Trusted authorities: 1").click()
        expect(page.get_by_text("Issues this server's certificates")).to_be_visible()
        fits(page)
        expect_equal("answer", 200, scene.client_with(path)(by_certificate(scene)).status)
        line.get_by_role("link", name=f"Pushes with a certificate for {topic}").click()
        expect(pushes_shown(page)).to_have_count(1)
        view(page, "Keys").click()
        line.get_by_role("button", name=re.compile("Revoke")).click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("New connections with it are refused with BadCertificate")
        dialog.get_by_role("button", name="Revoke certificate").click()
        expect(line).to_contain_text("Revoked")
        expect(line.get_by_role("button", name=re.compile("Revoke"))).to_have_count(0)
        scene.refuses(path)
        view(page, "Connections").click()
        failure = page.get_by_role("article").filter(has_text="Client certificate refused").filter(has_text=topic)
        expect(failure).to_contain_text("It was revoked.")
        newest = page.get_by_role("table", name="Connections, newest first").get_by_role("row").nth(1)
        expect(newest).to_contain_text("Revoked")


def password_cases(scene):
    with scene.test("a PKCS#12 file is issued with its password, in a narrow window", viewport=NARROW) as visit:
        page = live(visit.open("/keys"))
        path = issued_on_page(scene, page, "com.example.password", "PKCS#12")
        fits(page)
        client = scene.client_with(path, "--cert-type", "P12")
        expect_equal("answer", 400, client(by_certificate(scene)).status)
        expect_equal("reason", "MissingTopic", scene.api.get("/api/v1/pushes/latest")["verdict"]["reason"])


def issued_on_page(scene, page, topic, form, environment=None):
    """Issues a certificate with the form and downloads it; returns what curl needs: the path, with the password."""
    page.get_by_role("button", name="Issue certificate…").click()
    dialog = page.get_by_role("dialog", name="Issue certificate")
    dialog.get_by_role("textbox", name="App").fill(topic)
    dialog.get_by_role("combobox", name="Format").select_option(label=form)
    if environment:
        dialog.get_by_role("combobox", name="Environment").select_option(label=environment)
    dialog.get_by_role("button", name="Issue").click()
    made = page.get_by_role("dialog", name=f"Certificate for {topic}")
    with page.expect_download() as waiting:
        made.get_by_role("link", name=re.compile("^Download")).click()
    path = os.path.join(scene.directory, waiting.value.suggested_filename)
    waiting.value.save_as(path)
    password = None if form == "PEM" else made.get_by_role("region", name="Password").inner_text()
    page.keyboard.press("Escape")
    expect(made).to_have_count(0)
    return path if password is None else f"{path}:{password}"


def by_certificate(scene):
    """A push whose provider has only a certificate."""
    return alert(scene.context.token).with_headers(authorization=None, apns_topic=None)


def past_events(scene):
    """The names of the events that a new log shows."""
    seq = scene.api.get("/api/v1/seq")["seq"]
    with Events(scene.server.api, f"/api/v1/events?after={max(0, seq - HISTORY)}&fields=summary&past=true") as events:
        *names, last = iter(lambda: (events.next() or [None])[0], None)
    expect_equal("the last event", "closed", last)
    return names


def log_cases(scene):
    with scene.test("the log says why a push has no device, and every line has a time") as visit:
        scene.accepted("Arrives", scene.phone("logged", state="offline"))
        scene.send("zz", {"aps": {"alert": "hi"}})
        scene.client(scene.context.tls_url)(replace(alert(scene.context.token), path="/3/device/"))
        scene.api.change("logged", state="online")
        page = live(visit.open("/log"))
        lines = page.get_by_role("main").get_by_role("listitem")
        expect(lines.filter(has_text="Responded: “hi” with an invalid token, 400 BadDeviceToken")).to_be_visible()
        expect(lines.filter(has_text="Responded: “Interop” with no token, ")).to_be_visible()
        # A change of a device has no time: it was at that of the event before, or later.
        change = lines.filter(has_text="device.changed").first.locator(".line-time")
        expect(change).to_have_text(re.compile(r"^≥\d\d:\d\d:\d\d\.\d{3}$"))
        # Everything that happened before the page was opened is there.
        expect(lines).to_have_count(len(past_events(scene)))
        for text in lines.locator(".line-time").all_text_contents():
            expect_that(re.search(r"\d\d:\d\d:\d\d", text) is not None, "the time of a line", "a time", text)
        fits(page)

    with scene.test("the log describes events, and can be paused") as visit:
        token = scene.phone("logged")
        page = live(visit.open("/log"))
        record = scene.accepted("In the log", token)
        lines = page.get_by_role("main").get_by_role("listitem")
        expect(lines.filter(has_text="Received: “In the log” for @logged")).to_be_visible()
        expect(lines.filter(has_text="Responded: “In the log” for @logged, 200")).to_be_visible()
        scene.api.change("logged", state="offline")
        expect(lines.filter(has_text="@logged, offline").first).to_be_visible()
        page.get_by_role("button", name="Pause").click()
        scene.accepted("While it rests", token)
        until("both pushes", lambda: scene.api.get("/api/v1/pushes/count")["count"] == 2)
        page.get_by_role("button", name=re.compile("Resume|Paused")).click()
        expect(lines.filter(has_text="While it rests").first).to_be_visible()
        lines.filter(has_text="Received: “In the log” for @logged").get_by_role("link").first.click()
        expect(page).to_have_url(f"{visit.base}/p/{record['id']}")
        view(page, "Log").click()
        expect(lines.filter(has_text="Received: “In the log” for @logged")).to_be_visible()
        page.get_by_role("button", name="Mark…").click()
        dialog = page.get_by_role("dialog", name="Add mark")
        dialog.get_by_role("textbox", name="Text").fill("Here it begins")
        dialog.get_by_role("button", name="Add mark").click()
        expect(lines.filter(has_text="Here it begins")).to_be_visible()
        page.get_by_role("button", name="Pause").click()
        scene.accepted("Waits for a click", token)
        page.get_by_role("button", name=re.compile(" new$")).click()
        expect(lines.filter(has_text="Waits for a click").first).to_be_visible()
        for name, is_there in (("Faults", False), ("Other", True)):
            page.get_by_role("button", name=name, exact=True).click()
            expect(lines.filter(has_text="Here it begins")).to_be_visible(visible=is_there)
        fits(page)
