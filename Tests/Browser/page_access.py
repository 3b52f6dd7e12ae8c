"""Accessibility checks with axe: every view and tab, light and dark, wide and narrow. Nothing is wider than the window."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from glance import fits, live, panel, rows, tab, view
from page_detail import RICH
from page_places import VIEWS
from pushes import TOPIC
from report import expect as expect_equal, expect_that
from stage import NARROW, WIDE

TABS = ("Preview", "JSON", "Headers", "Checks", "Timeline", "Raw")
# A window of 1280 × 800 at 200 %.
ZOOMED = {"width": 640, "height": 400}
# The impacts that fail a test.
GRAVE = ("serious", "critical")


def furnish(scene):
    """Creates content for every view; returns the push with the most content."""
    token = scene.phone("alice")
    scene.phone("bob", state="offline")
    scene.send(apns_topic=None)
    scene.send(token, {"aps": {"content-available": 1}}, apns_push_type="background", apns_priority="5")
    gone = scene.phone("gone")
    scene.api.change_app(gone, state="uninstalled")
    scene.send(gone)
    record = scene.push(token, RICH, apns_collapse_id="c1", apns_expiration="0")
    scene.api.call("POST", "/api/v1/faults", {"name": "answers 503", "do": {"respond": {"status": 503}}}, status=201)
    scene.send(token)
    scene.api.call("POST", "/api/v1/faults", {"name": "off", "enabled": False, "do": {"lose": True}}, status=201)
    channel = scene.api.call("POST", "/api/v1/channels", {"topic": TOPIC}, status=201)["id"]
    for label in ("alice", "bob"):
        body = {"topic": TOPIC, "channel": channel}
        scene.api.call("POST", f"/api/v1/devices/@{label}/subscriptions", body, status=201)
    return record


def faults_of(page, axe, where):
    """The violations on the current page, light and dark, wide and narrow."""
    found = []
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        fits(page)
        for appearance in ("light", "dark"):
            page.emulate_media(color_scheme=appearance)
            for violation in axe.run(page).response["violations"]:
                if violation["impact"] in GRAVE:
                    nodes = [" ".join(map(str, node["target"])) for node in violation["nodes"]][:3]
                    found.append(f"{where}, {size['width']} px, {appearance}: {violation['id']} at {nodes}")
    page.set_viewport_size(WIDE)
    return found


def access_cases(scene):
    axe = Axe()
    for path, name in VIEWS.items():
        with scene.test(f"axe finds no serious violation on {name}, and it fits into 375 px") as visit:
            furnish(scene)
            page = live(visit.open(path))
            expect(page.get_by_role("heading", level=1, name=name)).to_be_attached()
            expect(page.get_by_text("Loading…")).to_have_count(0)
            expect_equal("violations", [], faults_of(page, axe, name))

    with scene.test("axe finds no serious violation on the empty state") as visit:
        page = live(visit.open())
        expect(page.get_by_role("heading", name="No pushes yet")).to_be_visible()
        expect_equal("violations", [], faults_of(page, axe, "the empty state"))

    with scene.test("axe finds no serious violation on a push, in any tab") as visit:
        record = furnish(scene)
        page = live(visit.open(f"/p/{record['id']}"))
        found = []
        for name in TABS:
            tab(page, name).click()
            expect(panel(page, name)).to_be_visible()
            found += faults_of(page, axe, name)
        expect_equal("violations", [], found)

    with scene.test("axe finds no serious violation on a channel, and on a device that is subscribed") as visit:
        furnish(scene)
        [channel] = scene.api.get("/api/v1/channels")["channels"]
        page = live(visit.open(f"/channels/{channel['id'].replace('+', '-').replace('/', '_').rstrip('=')}"))
        expect(page.get_by_role("table", name="Subscribers of the channel")).to_be_visible()
        found = faults_of(page, axe, "a channel")
        page.get_by_role("link", name="@alice", exact=True).click()
        expect(page.get_by_role("heading", name="Broadcasts")).to_be_visible()
        found += faults_of(page, axe, "a subscribed device")
        expect_equal("violations", [], found)

    with scene.test("axe finds no serious violation on dialogs and menus") as visit:
        furnish(scene)
        page = live(visit.open("/faults"))
        page.get_by_role("button", name="Add fault…").click()
        dialog = page.get_by_role("dialog", name="Add fault")
        dialog.get_by_text("More limits").click()
        found = faults_of(page, axe, "the form of a fault")
        for action in ("goaway", "connection", "settings", "handshake"):
            dialog.get_by_role("combobox", name="Type", exact=True).select_option(action)
            found += faults_of(page, axe, f"the form of a fault: {action}")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Add preset…").click()
        page.get_by_role("dialog", name="Add preset").get_by_text("Parameters").first.click()
        found += faults_of(page, axe, "the presets")
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Settings and more").click()
        found += faults_of(page, axe, "the menu")
        page.get_by_role("button", name="Server settings…").click()
        expect(page.get_by_role("dialog", name="Settings").get_by_role("button", name="Save")).to_be_visible()
        found += faults_of(page, axe, "the settings")
        page.keyboard.press("Escape")
        page.goto(visit.base)
        live(page).get_by_role("button", name="Send…").click()
        expect(page.get_by_role("dialog", name="Send test push")).to_be_visible()
        found += faults_of(page, axe, "the send form")
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Help")).to_be_visible()
        found += faults_of(page, axe, "the help")
        expect_equal("violations", [], found)

    with scene.test("every view fits into a window of 1280 px at 200 % zoom", viewport=ZOOMED) as visit:
        record = furnish(scene)
        for path in (*VIEWS, f"/p/{record['id']}", "/devices/@alice"):
            fits(live(visit.open(path)))

    with scene.test("with forced colors, switches and the current view can be told from the others", forced_colors="active") as visit:
        furnish(scene)
        page = live(visit.open("/devices"))
        color = "(one, property) => getComputedStyle(one)[property]"
        for on, off, property in (
            (page.get_by_role("switch", name="alice online"), page.get_by_role("switch", name="bob online"), "backgroundColor"),
            (view(page, "Devices"), view(page, "Faults"), "borderBottomColor"),
        ):
            expect(on).to_be_visible()
            colors = [one.evaluate(color, property) for one in (on, off)]
            expect_that(colors[0] != colors[1], property, "two colors", colors)

    with scene.test("with forced colors, the open push can be told from the others", forced_colors="active") as visit:
        record = furnish(scene)
        page = live(visit.open(f"/p/{record['id']}"))
        # By its mark, because any text of a push can also be part of a time.
        opened = [rows(page).and_(page.locator(which)).first for which in ("[aria-current]", ":not([aria-current])")]
        outlines = [one.evaluate("(row) => getComputedStyle(row).outlineStyle") for one in opened]
        expect_equal("outlines", ["solid", "none"], outlines)

    with scene.test("with forced colors, the reason of a rejection has a frame", forced_colors="active") as visit:
        record = scene.push(apns_topic=None)
        page = live(visit.open(f"/p/{record['id']}"))
        why = page.get_by_role("group", name="Why")
        expect_equal("frame", "solid", why.evaluate("(note) => getComputedStyle(note).borderTopStyle"))

    with scene.test("at 320 px, dialogs fit, and the header has two lines", viewport={"width": 320, "height": 640}) as visit:
        furnish(scene)
        page = live(visit.open())
        height = page.get_by_role("banner").bounding_box()["height"]
        expect_that(height < 110, "the header's height", "less than 110", height)
        page.get_by_role("button", name="Send…").click()
        expect(page.get_by_role("dialog", name="Send test push")).to_be_visible()
        fits(page)
        page.goto(f"{visit.base}/faults")
        live(page).get_by_role("button", name="Add preset…").click()
        expect(page.get_by_role("dialog", name="Add preset").get_by_role("button", name="Add lossy-5pct")).to_be_visible()
        fits(page)

    with scene.test("axe finds no serious violation on the differences from APNs, and they fit into 375 px") as visit:
        page = visit.open("/docs/differences")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect_equal("violations", [], faults_of(page, axe, "differences"))

    with scene.test("every view fits into 375 px with text of twice the size", viewport=NARROW) as visit:
        record = furnish(scene)
        for path in (*VIEWS, f"/p/{record['id']}"):
            page = live(visit.open(path))
            page.evaluate("document.body.style.fontSize = '28px'")
            fits(page)
