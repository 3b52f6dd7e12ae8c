"""Every state of the page has a URL, and everything comes from the server."""

import re
import urllib.error

from playwright.sync_api import expect

from glance import banner, detail, live, panel, row, rows, search, tab, view
from mock_apns import DIRECT, LAST_RESORT
from report import expect as expect_equal, expect_that

# The views: where each is, and its name in the header.
VIEWS = {
    "/": "Pushes", "/devices": "Devices", "/channels": "Channels", "/faults": "Faults", "/feedback": "Feedback", "/keys": "Keys",
    "/connections": "Connections", "/log": "Log",
}
# The required directives of the page's policy.
POLICY = (
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'",
    "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    "trusted-types event-stream",
)


def place_cases(scene):
    policy_cases(scene)
    view_cases(scene)
    push_cases(scene)
    thing_cases(scene)
    search_cases(scene)


def policy_cases(scene):
    with scene.report.case("the page's policy allows only its own scripts"):
        for path in ("/", "/p/psh_1", "/ui/app.js"):
            with DIRECT.open(scene.server.api + path, timeout=LAST_RESORT) as answer:
                policy = answer.getheader("content-security-policy") or ""
            for part in POLICY:
                expect_that(part in policy.split("; "), f"policy of {path}", part, policy)

    with scene.report.case("an unknown path is 404"):
        for path in ("/nothing", "/ui/nothing.js"):
            try:
                with DIRECT.open(scene.server.api + path, timeout=LAST_RESORT) as answer:
                    status = answer.status
            except urllib.error.HTTPError as error:
                status = error.code
            expect_equal(f"status of {path}", 404, status)

    with scene.test("scripts from strings and markup from strings are refused") as visit:
        page = live(visit.open())
        visit.forgive("policy: |TrustedHTML|TrustedScript|Content Security Policy")
        refused = page.evaluate("""() => [
          () => { document.body.innerHTML = "<b>x</b>" },
          () => { document.head.append(Object.assign(document.createElement("script"), {textContent: "canary = 1"})) },
          () => { document.body.setAttribute("onclick", "canary = 1"); document.body.click() },
        ].map((attempt) => { try { attempt(); return "done" } catch (error) { return error.name } })""")
        expect_equal("markup from a string", "TypeError", refused[0])
        expect_equal("what ran", None, page.evaluate("globalThis.canary ?? null"))


def view_cases(scene):
    for path, name in VIEWS.items():
        with scene.test(f"{path} is a link to {name}") as visit:
            page = visit.open(path)
            expect(view(page, name)).to_have_attribute("aria-current", "page")
            expect(page.get_by_role("heading", level=1, name=name)).to_be_attached()
            live(page)

    with scene.test("the navigation opens views, and Back returns") as visit:
        page = visit.open()
        for path, name in VIEWS.items():
            view(page, name).click()
            expect(page).to_have_url(visit.base + path)
            expect(page.get_by_role("heading", level=1, name=name)).to_be_attached()
        page.go_back()
        expect(page).to_have_url(f"{visit.base}/connections")
        expect(view(page, "Connections")).to_have_attribute("aria-current", "page")


def push_cases(scene):
    with scene.test("/p/{id} opens a push by each kind of ID") as visit:
        record = scene.accepted("A push with an address")
        for name in (record["id"], f"seq:{record['seq']}", f"apns:{record['apns']['id']}"):
            page = visit.open(f"/p/{name}")
            expect(detail(page).get_by_role("heading", name="A push with an address")).to_be_visible()
        expect(row(page, "A push with an address")).to_be_visible()

    with scene.test("?tab= opens the tab") as visit:
        record = scene.accepted("Tabs have addresses")
        for name in ("preview", "json", "headers", "checks", "timeline", "raw"):
            page = visit.open(f"/p/{record['id']}?tab={name}")
            label = "JSON" if name == "json" else name.capitalize()
            expect(tab(page, label)).to_have_attribute("aria-selected", "true")
            expect(panel(page, label)).to_be_visible()

    with scene.test("a missing push is reported, with links to others") as visit:
        visit.forgive("status of 404")
        scene.accepted("Still there")
        page = visit.open("/p/psh_0000000000000000")
        expect(detail(page).get_by_role("heading", name="Push not found")).to_be_visible()
        detail(page).get_by_role("link", name="All pushes").click()
        expect(page).to_have_url(f"{visit.base}/")
        expect(row(page, "Still there")).to_be_visible()

    with scene.test("/latest follows the newest push, and with q the newest match") as visit:
        visit.forgive("status of 404")
        page = live(visit.open("/latest"))
        expect(detail(page).get_by_role("heading", name="Waiting for a push")).to_be_visible()
        for title in ("First of all", "Then another"):
            scene.accepted(title)
            expect(detail(page).get_by_role("heading", name=title)).to_be_visible()
        scene.send(apns_topic=None)
        page = visit.open("/latest?q=is:accepted")
        expect(detail(page).get_by_role("heading", name="Then another")).to_be_visible()


def thing_cases(scene):
    with scene.test("/devices/{device} opens a device by its label, token or ID") as visit:
        token = scene.phone("deep-link")
        device = scene.api.device("deep-link")
        for name in ("@deep-link", token, device["id"]):
            page = visit.open(f"/devices/{name}")
            expect(page.get_by_role("heading", name="deep-link")).to_be_visible()

    with scene.test("/faults/{fault} opens the fault") as visit:
        fault = scene.api.call("POST", "/api/v1/faults", {"name": "leads here", "do": {"lose": True}}, status=201)
        page = visit.open(f"/faults/{fault['id']}")
        expect(view(page, "Faults")).to_have_attribute("aria-current", "page")
        expect(page.get_by_role("main").get_by_text("leads here").first).to_be_visible()
        expect(banner(page)).to_contain_text("leads here")

    with scene.test("?ns= shows a namespace, and links stay in it") as visit:
        scene.api.call("POST", "/api/v1/namespaces", {"name": "deep"}, status=201)
        try:
            scene.accepted("In the default one")
            page = visit.open("/?ns=deep")
            expect(page.get_by_role("button", name="Namespace deep")).to_be_visible()
            expect(page.get_by_role("heading", name="No pushes yet")).to_be_visible()
            view(page, "Devices").click()
            expect(page).to_have_url(f"{visit.base}/devices?ns=deep")
        finally:
            visit.forgive("status of 404|net::ERR_")  # the page may ask once more
            scene.api.call("DELETE", "/api/v1/namespaces/deep", status=204)

    with scene.test("an unknown ?ns= is reported, with a link to the default namespace") as visit:
        visit.forgive("status of 404")
        page = visit.open("/?ns=nowhere")
        expect(page.get_by_role("alert")).to_contain_text("nowhere")
        page.get_by_role("link", name="Open namespace default").click()
        live(page)


def search_cases(scene):
    with scene.test("?q= searches and fills the search field") as visit:
        scene.accepted("Wanted")
        scene.send(apns_topic=None)
        page = visit.open("/?q=is:accepted")
        expect(search(page)).to_have_value("is:accepted")
        expect(rows(page)).to_have_count(1)
        expect(row(page, "Wanted")).to_be_visible()
        row(page, "Wanted").click()
        expect(page).to_have_url(re.compile(r"/p/psh_[0-9A-Z]+\?q=is%3Aaccepted$"))

    with scene.test("?after= starts after a number") as visit:
        early = scene.accepted("Too early")
        scene.accepted("Late enough")
        page = visit.open(f"/?after={early['seq']}")
        expect(row(page, "Late enough")).to_be_visible()
        expect(row(page, "Too early")).to_have_count(0)
