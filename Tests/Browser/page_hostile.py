"""Untrusted content of pushes: in no view does a script run, a request leave the server, or the layout break."""

import base64
import json
from dataclasses import replace
from urllib.parse import quote

from playwright.sync_api import expect

from glance import detail, fits, live, panel, row, rows, tab
from hostile import BODIES, TEXTS
from mock_apns import ServerError
from page_access import TABS
from page_places import VIEWS
from page_send import EDIT, as_modules
from pushes import alert
from report import expect as expect_equal, expect_that
from stage import NARROW, WIDE

# The views of the preview picture, each a separate document.
DRAWINGS = ("lock-screen", "banner", "notification-center", "watch", "live-activity")
# What was sent by real clients once, as lines of an export.
SENT = []


def hostile_cases(scene):
    row_cases(scene)
    tab_cases(scene)
    view_cases(scene)
    form_cases(scene)
    drawing_cases(scene)


def check(page):
    """No script ran, and nothing is wider than the window."""
    fits(page)
    expect_equal("canary", None, page.evaluate("globalThis.canary ?? null"))
    expect_equal("pollution", None, page.evaluate("({}).polluted ?? null"))


def payload_of(text):
    """A payload with a text in each field that is shown."""
    return {
        "aps": {
            "alert": {"title": text, "subtitle": text, "body": text, "title-loc-key": text, "title-loc-args": [text]},
            "sound": text, "thread-id": text, "category": text, "interruption-level": text, "target-content-id": text,
            "badge": text, text: text,
        },
        text: [text],
    }


def in_header(text):
    """A text reduced to what a header field can contain; anything else ends the stream before it is a push."""
    return text.encode().decode("latin-1").encode("ascii", "replace").decode()[:200]


def send_all(scene):
    """Sends pushes with each text wherever it fits; returns the IDs of the records."""
    before = scene.api.get("/api/v1/seq")["seq"]
    for text in TEXTS.values():
        body = json.dumps(payload_of(text), ensure_ascii=False)
        if len(body.encode()) > 4_096:
            body = json.dumps({"aps": {"alert": {"title": text, "body": text}}}, ensure_ascii=False)
        push = replace(alert(scene.context.token), body=body)
        scene.client(scene.context.tls_url)(push.with_headers(apns_id=None, apns_collapse_id=None, apns_expiration=None))
        header = in_header(text)
        scene.client(scene.context.tls_url)(push.with_headers(
            apns_id=header, apns_topic=header, apns_push_type=header, apns_priority=header, apns_collapse_id=header,
            apns_expiration=header, user_agent=header, x_hostile=header,
        ))
        quoted = "".join(letter for letter in header if letter.isalnum() or letter in "<>\"'(){}=;:!*/.,-_")
        scene.client(scene.context.tls_url)(replace(push, path=f"/3/device/{quoted}").with_headers(apns_id=None))
    for body in BODIES.values():
        scene.send(payload=body)
    page = scene.api.get(f"/api/v1/pushes?after={before}&limit=1000&fields=summary")
    expect_equal("pushes", 3 * len(TEXTS) + len(BODIES), len(page["pushes"]))
    return [push["id"] for push in page["pushes"]]


def bring_all(scene):
    """Imports the same pushes from their export; returns the IDs of the records."""
    before = scene.api.get("/api/v1/seq")["seq"]
    scene.bring(SENT)
    page = scene.api.get(f"/api/v1/pushes?after={before}&limit=1000&fields=summary")
    return [push["id"] for push in page["pushes"]]


def row_cases(scene):
    with scene.test("hostile texts are texts in the list, live and loaded, wide and narrow") as visit:
        page = live(visit.open())
        identifiers = send_all(scene)
        SENT.extend(scene.exported())
        expect(page.get_by_role("status", name="Pushes shown")).to_contain_text(f"{len(identifiers)} pushes")
        for size in (WIDE, NARROW):
            page.set_viewport_size(size)
            check(page)
            scroller = page.locator(".push-scroller")
            for _ in range(4):
                scroller.evaluate("(element) => { element.scrollTop += 500 }")
                expect(rows(page).first).to_be_attached()
                check(page)
        page.reload()
        expect(rows(page).first).to_be_visible()
        check(page)

    with scene.test("a hostile title is shown in its row as it was sent") as visit:
        text = TEXTS["script tag"]
        scene.send(payload={"aps": {"alert": {"title": text}}})
        page = live(visit.open("/?q=" + "%22globalThis%22"))
        expect(row(page, text)).to_be_visible()
        expect(row(page, text).locator("strong")).to_have_text(text)

    with scene.test("right-to-left texts do not move other columns") as visit:
        scene.accepted("Plain")
        scene.accepted(TEXTS["right to left"])
        page = live(visit.open())
        expect(rows(page)).to_have_count(2)
        places = page.evaluate("""() => [...document.querySelectorAll("a.push")].map(
          (line) => [...line.children].slice(0, 4).map((cell) => Math.round(cell.getBoundingClientRect().left)))""")
        expect_equal("places of the columns", places[0], places[1])


def tab_cases(scene):
    with scene.test("hostile texts are texts in every tab of their push") as visit:
        visit.forgive(r"status of 4\d\d .*/preview")
        identifiers = bring_all(scene)
        page = live(visit.open(f"/p/{identifiers[0]}"))
        for identifier in identifiers:
            page.evaluate("(path) => mockAPNs.router.go(path)", f"/p/{identifier}")
            for name in TABS:
                tab(page, name).click()
                expect(panel(page, name)).to_be_visible()
                if name == "Raw":
                    expect(panel(page, name)).to_contain_text("curl")
            check(page)
        page.set_viewport_size(NARROW)
        for name in TABS:
            tab(page, name).click()
            expect(panel(page, name)).to_be_visible()
            check(page)

    with scene.test("hostile titles of a category's buttons are texts, in the preview and in their form") as visit:
        titles = [text[:120] for text in TEXTS.values()]
        for number, name in enumerate((TEXTS["script tag"], TEXTS["right to left"])):
            actions = [{"title": title, "textInput": True} for title in titles[number * 8:][:10]]
            path = f"/api/v1/categories/com.example.app/{quote(name, safe='')}"
            scene.api.call("PUT", path, {"actions": actions}, status=201)
            record = scene.push(payload={"aps": {"alert": "Buttons", "category": name}})
            page = live(visit.open(f"/p/{record['id']}"))
            shown = panel(page, "Preview").get_by_role("definition").get_by_role("listitem")
            expect(shown).to_have_count(len(actions))
            for size in (WIDE, NARROW):
                page.set_viewport_size(size)
                check(page)
                panel(page, "Preview").get_by_role("button", name="Edit action buttons…").click()
                dialog = page.get_by_role("dialog", name="Action buttons")
                expect(dialog.get_by_label("Title").first).to_have_value(actions[0]["title"])
                check(page)
                dialog.get_by_role("button", name="Close").click()

    with scene.test("a payload of brackets is collapsed, and one with 1,800 values is shown in parts") as visit:
        scene.send(payload=BODIES["deep"])
        deep = scene.api.get("/api/v1/pushes/latest")["id"]
        scene.send(payload=BODIES["wide"])
        page = live(visit.open(f"/p/{deep}?tab=json"))
        items = panel(page, "JSON").get_by_role("treeitem")
        expect(items.first).to_be_visible()
        expect_that(items.count() < 300, "rows", "fewer than 300", items.count())
        page = visit.open("/latest?tab=json")
        expect(items.first).to_be_visible()
        expect_that(items.count() < 400, "rows", "fewer than 400", items.count())
        check(page)

    with scene.test("a large body of an imported push is shown as text") as visit:
        scene.send()
        push = json.loads(scene.exported()[-1])
        body = json.dumps([0] * 4_000).encode()
        push["request"] |= {"bodyBase64": base64.b64encode(body).decode(), "bodySize": len(body)}
        scene.bring([json.dumps(push)])
        page = visit.open("/latest?tab=json")
        expect(panel(page, "JSON")).to_contain_text("4,001 values are too many for a tree.")
        expect(panel(page, "JSON").get_by_role("region", name="JSON")).to_contain_text("[ 0, 0,")


def furnish(scene):
    """Hostile names wherever the API accepts them; names that it rejects cannot be shown."""
    taken = 0
    for number, text in enumerate(TEXTS.values()):
        attempts = [
            ("POST", "/api/v1/devices", {"label": text[:60], "registrations": [{"topic": "com.example.app"}]}),
            ("POST", "/api/v1/devices", {"label": f"host-{number}", "registrations": [{"topic": text[:200]}]}),
            ("POST", "/api/v1/faults", {"name": text[:100], "match": {"topic": text[:200], "q": f'"{number}"'},
                                        "do": {"goaway": {"debug": text[:200]}}}),
            ("POST", "/api/v1/marks", {"text": text[:200]}),
            ("PUT", "/api/v1/devices", [{"label": f"list {text[:40]}", "registrations": [{"topic": "com.example.app"}]}]),
            ("POST", "/api/v1/namespaces", {"name": text[:30], "listener": False}),
            ("POST", "/api/v1/keys/generate", {"keyId": text[:10], "teamId": text[:10], "topics": [text[:100]]}),
        ]
        for method, path, body in attempts:
            try:
                scene.api.call(method, path, body, status=201 if method == "POST" else 200)
                taken += 1
            except ServerError:
                continue
    expect_that(taken > 2 * len(TEXTS), "names that the API takes", f"more than {2 * len(TEXTS)}", taken)


def view_cases(scene):
    with scene.test("hostile names are texts in every view") as visit:
        page = live(visit.open("/log"))
        furnish(scene)
        bring_all(scene)
        for token in [one["token"] for device in scene.api.get("/api/v1/devices?limit=1000")["devices"]
                      for one in device["registrations"]][:12]:
            scene.api.change_app(token, state="uninstalled")
        for path, name in VIEWS.items():
            page = live(visit.open(path))
            expect(page.get_by_role("heading", level=1, name=name)).to_be_attached()
            expect(page.get_by_text("Loading…")).to_have_count(0)
            for size in (WIDE, NARROW):
                page.set_viewport_size(size)
                check(page)
            page.set_viewport_size(WIDE)
        for device in scene.api.get("/api/v1/devices?limit=1000")["devices"][::4]:
            page = visit.open(f"/devices/{device['id']}")
            expect(page.get_by_role("link", name="All devices")).to_be_visible()
            check(page)
        page = visit.open("/")
        page.get_by_role("button", name="Namespace default").click()
        expect(page.get_by_role("link", name="default")).to_be_visible()
        check(page)

    with scene.test("a hostile search and a hostile address are texts too") as visit:
        visit.forgive("status of 4")
        page = live(visit.open())
        for text in ("script tag", "end of an attribute", "entity", "right to left"):
            page.evaluate("(q) => mockAPNs.router.go('/?q=' + encodeURIComponent(q))", f'"{TEXTS[text]}"')
            check(page)
        for path in ("/?q=%3Cscript%3EglobalThis.canary=1%3C/script%3E", "/p/%3Cimg%20src=x%20onerror=globalThis.canary=1%3E",
                     "/devices/javascript:globalThis.canary=1", "/faults/%22%3E%3Cb%3E", "/?ns=%3Cscript%3E",
                     "/?after=javascript:1", "/?tab=__proto__", "/latest?tab=constructor"):
            page = visit.open(path)
            expect(page.get_by_role("navigation", name="Views")).to_be_visible()
            check(page)


def form_cases(scene):
    with scene.test("hostile texts are texts in the form that sends a push again") as visit:
        visit.forgive("status of 4.*/pushes/check")  # what could not be sent
        identifiers = bring_all(scene)
        as_modules(visit)
        page = live(visit.open())
        for identifier in identifiers[::4]:
            page.evaluate(EDIT, scene.api.push(identifier))
            dialog = page.get_by_role("dialog", name="Edit and resend")
            expect(dialog.get_by_label("Payload", exact=True)).to_be_visible()
            check(page)
            dialog.get_by_role("button", name="Cancel").click()
            expect(dialog).to_have_count(0)


def drawing_cases(scene):
    with scene.test("hostile texts are texts in preview pictures that are opened directly") as visit:
        identifiers = bring_all(scene)
        for identifier in identifiers:
            page = visit.open(f"/api/v1/pushes/{identifier}/preview.svg")
            seen = page.evaluate("""() => ({
              root: document.documentElement.localName,
              wrong: document.querySelectorAll("script, foreignObject, a, image, use, iframe, parsererror").length,
              attributes: [...document.querySelectorAll("*")].flatMap((one) => [...one.attributes])
                .filter((one) => /^on|href/i.test(one.name)).map((one) => one.name),
              canary: globalThis.canary ?? null,
            })""")
            expect_equal(f"drawing of {identifier}", {"root": "svg", "wrong": 0, "attributes": [], "canary": None}, seen)
        for view in DRAWINGS:
            page = visit.open(f"/api/v1/pushes/{identifiers[0]}/preview.svg?view={view}")
            expect_equal(f"canary in {view}", None, page.evaluate("globalThis.canary ?? null"))
