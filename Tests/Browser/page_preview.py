"""The preview of a push: its picture, and what the page adds to it."""

import re
import struct
import zlib

from playwright.sync_api import expect

from glance import choose_file, detail, fits, live, panel, toast, wait_until
from page_detail import RICH
from report import expect as expect_equal, expect_that


def png(width, height):
    """A gray image."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    lines = zlib.compress((b"\0" + b"\x80" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


def preview_cases(scene):
    for sized in scene.sizes():
        picture_cases(sized)
        app_cases(sized)
        schema_cases(sized)
        edit_cases(sized)
        attachment_cases(sized)
        activity_cases(sized)
    content_cases(scene)


def svg_link(page):
    """The link that saves the picture."""
    return panel(page, "Preview").get_by_role("link", name="SVG", exact=True)


def picture_cases(scene):
    with scene.test("Preview: the picture in each view, light and dark, and saved as PNG and SVG") as visit:
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
        expect(svg_link(page)).to_have_attribute("href", re.compile("appearance=dark"))
        for name, magic in (("PNG", b"\x89PNG"), ("SVG", b"<")):
            with page.expect_download() as download:
                panel(page, "Preview").get_by_text(name, exact=True).click()
            with open(download.value.path(), "rb") as file:
                seen = file.read(4)
            expect_that(seen.startswith(magic), f"the {name}", magic, seen)
        fits(page)

    with scene.test("Preview: the notification and its facts are there without scrolling") as visit:
        record = scene.push(payload=RICH)
        page = live(visit.open(f"/p/{record['id']}"))
        picture = panel(page, "Preview").get_by_role("img", name=re.compile("^Lock screen"))
        expect(picture).to_be_in_viewport(ratio=1)
        for fact in ("time-sensitive", "sound: default", "badge: 3", "thread: orders", "category: ORDER"):
            expect(panel(page, "Preview").get_by_text(fact, exact=True)).to_be_in_viewport(ratio=1)
        height = picture.bounding_box()["height"]
        whole = panel(page, "Preview").get_by_role("button", name="Whole screen")
        whole.click()
        expect(page).to_have_url(re.compile("crop=device"))
        expect(whole).to_have_attribute("aria-pressed", "true")
        expect(svg_link(page)).to_have_attribute("href", re.compile("crop=device"))
        wait_until(page, "(height) => document.querySelector('.picture-frame img').height > height", height)
        taller = picture.bounding_box()["height"]
        expect_that(taller > 2 * height, "the height of the whole screen", f"more than {2 * height}", taller)
        picture.click()
        expect(svg_link(page)).to_have_attribute("href", re.compile("crop=notification"))

    with scene.test("Preview: the app's state at delivery is shown; the others and the inbox after a click") as visit:
        token = scene.phone("alice")
        record = scene.push(token, RICH)
        page = live(visit.open(f"/p/{record['id']}"))
        states = panel(page, "Preview").get_by_role("table").get_by_role("rowheader")
        expect(states).to_have_count(1)
        expect(states).to_contain_text("at delivery")
        others = panel(page, "Preview").get_by_text("Other app states")
        others.click()
        expect(states).to_have_count(4)
        others.click()
        expect(states).to_have_count(1)
        panel(page, "Preview").get_by_role("button", name="Open Notification Center…").click()
        inbox = page.get_by_role("dialog", name="Notification Center")
        expect(inbox.get_by_role("listitem").filter(has_text="this push")).to_contain_text("Order shipped")
        scene.accepted("While it is open", token)
        expect(inbox.get_by_role("listitem")).to_have_count(2)
        expect(inbox).to_contain_text("While it is open")
        fits(page)
        inbox.get_by_role("button", name="Close").click()
        expect(inbox).to_have_count(0)


def schema_cases(scene):
    with scene.test("Preview: the schemas of an app are listed, and one is made from pushes") as visit:
        record = scene.push(payload={"aps": {"alert": "Hi"}, "order": 7})
        page = live(visit.open(f"/p/{record['id']}"))
        panel(page, "Preview").get_by_role("button", name="Edit app…").click()
        dialog = page.get_by_role("dialog", name="App name and icon")
        dialog.get_by_text("Schemas", exact=True).click()
        expect(dialog.get_by_text("No schemas: pushes are not checked")).to_be_visible()
        dialog.get_by_role("button", name="Infer from pushes").click()
        expect(dialog.get_by_text('"order"').first).to_be_visible()
        fits(page)
        dialog.get_by_role("button", name="Store as payload").click()
        expect(dialog.get_by_role("link", name="payload")).to_be_visible()
        [seen] = scene.api.get("/api/v1/apps/com.example.app/schemas")["schemas"]
        expect_equal("schema", "payload", seen["name"])
        dialog.get_by_role("button", name="Delete schema payload").click()
        expect(dialog.get_by_text("No schemas: pushes are not checked")).to_be_visible()


def app_cases(scene):
    with scene.test("Preview: an app gets a name and an icon") as visit:
        record = scene.push(payload=RICH)
        page = live(visit.open(f"/p/{record['id']}"))
        preview, path = panel(page, "Preview"), "/api/v1/apps"
        row = page.locator(".push-rows > li").first  # in a narrow window, it is behind the open push
        expect(row).to_contain_text("com.example.app")
        preview.get_by_role("button", name="Edit app…").click()
        dialog = page.get_by_role("dialog", name="App name and icon")
        dialog.get_by_label("Name").fill("Shop <b>")
        choose_file(page, "Choose icon…", {"name": "a.txt", "mimeType": "text/plain", "buffer": b"no image"})
        expect(dialog.get_by_role("status")).to_contain_text("cannot read this file")
        choose_file(page, "Choose icon…", {"name": "a.png", "mimeType": "image/png", "buffer": png(500, 300)})
        expect(dialog.get_by_role("status")).to_have_text("Save to use this icon.")
        dialog.get_by_role("button", name="Save", exact=True).click()
        expect(toast(page, "Saved the app's name and icon.")).to_be_visible()
        [seen] = scene.api.get(path)["apps"]
        expect_equal("app", ("com.example.app", "Shop <b>"), (seen["topic"], seen["name"]))
        address = svg_link(page).get_attribute("href")
        expect_that(seen["icon"] in page.request.get(visit.base + address).text(), "the picture", "the icon", address)

        # The list and the head show it, and the search finds it.
        expect(row).to_contain_text("Shop <b>")
        expect(row).not_to_contain_text("com.example.app")
        expect(row.get_by_title("com.example.app")).to_have_count(1)
        icon = row.locator("img.app-icon")
        page.wait_for_function("image => image.complete && image.naturalWidth === 120", arg=icon.element_handle())
        expect(page.locator(".push-head").get_by_text("Shop <b>")).to_be_visible()
        found = scene.api.get("/api/v1/pushes?q=shop")["matched"]
        expect_that(found > 0, "pushes found by the name", "some", found)

        # The icon is kept if only the name is changed.
        preview.get_by_role("button", name="Edit app…").click()
        fits(page)
        dialog.get_by_role("button", name="Remove icon").click()
        expect(dialog.get_by_role("status")).to_have_text("No icon.")
        dialog.get_by_role("button", name="Cancel").click()
        preview.get_by_role("button", name="Edit app…").click()
        expect(dialog.get_by_role("button", name="Remove icon")).to_be_visible()
        dialog.get_by_label("Name").fill("Store")
        dialog.get_by_role("button", name="Save", exact=True).click()
        expect(dialog).to_have_count(0)
        expect(row).to_contain_text("Store")
        expect_equal("apps", [{**seen, "name": "Store"}], scene.api.get(path)["apps"])

        # Other clients' changes are shown when the window gets the focus.
        scene.api.call("PUT", f"{path}/com.example.app", {"name": "Elsewhere"})
        page.evaluate("() => window.dispatchEvent(new Event('focus'))")
        expect(row).to_contain_text("Elsewhere")
        expect(icon).to_have_count(0)

        # The view of devices shows it, too, and leads to the dialog.
        page.get_by_role("link", name=re.compile("^Devices")).click()
        app_row = page.get_by_role("row").filter(has_text="Elsewhere").first
        app_row.get_by_role("button", name="Edit name and icon of com.example.app").click()
        dialog.get_by_role("button", name="Delete description").click()
        expect(toast(page, "Deleted the app's name and icon.")).to_be_visible()
        expect(page.get_by_role("row").filter(has_text="com.example.app").first).to_be_visible()
        expect_equal("apps", [], scene.api.get(path)["apps"])


def edit_cases(scene):
    with scene.test("Preview: localized texts use strings that are uploaded on the page") as visit:
        record = scene.push(payload={"aps": {"alert": {"loc-key": "ORDER_SHIPPED", "loc-args": ["17", "Ann"]}}})
        page = live(visit.open(f"/p/{record['id']}"))
        picture = panel(page, "Preview").get_by_role("img")
        expect(picture).to_have_attribute("alt", re.compile("ORDER_SHIPPED"))
        panel(page, "Preview").get_by_role("button", name="Edit strings…").click()
        dialog = page.get_by_role("dialog", name="Strings tables")
        dialog.get_by_label("Strings", exact=True).fill('"ORDER_SHIPPED" = "Order %1$@ is on its way, %2$@.";')
        dialog.get_by_role("button", name="Upload").click()
        expect(toast(page, "Uploaded 1 string for com.example.app (en).")).to_be_visible()
        expect(dialog).to_have_count(0)
        expect(picture).to_have_attribute("alt", re.compile("Order 17 is on its way, Ann."))
        expect(picture).to_have_attribute("src", re.compile("Order%2017%20is%20on%20its%20way"))
        # Those of another client are shown when the window gets the focus.
        scene.api.call("PUT", "/api/v1/strings/com.example.app/en", {"ORDER_SHIPPED": "Sent: %1$@"})
        page.evaluate("() => window.dispatchEvent(new Event('focus'))")
        expect(picture).to_have_attribute("src", re.compile("Sent%3A%2017"))
        expect(panel(page, "Preview").get_by_text("Sent: 17")).to_be_visible()
        if not scene.is_narrow:
            controls = panel(page, "Preview").locator(".preview-controls").get_by_role("button").or_(
                panel(page, "Preview").locator(".preview-controls :is(a, label, select)"))
            lines = {round(one.bounding_box()["y"] / 20) for one in controls.all() if one.is_visible()}
            expect_that(len(lines) <= 3, "lines of controls", "at most 3", lines)
        fits(page)

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
        fits(page)
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


def attachment_cases(scene):
    with scene.test("Preview: the picture of a push is loaded after a click, and not before") as visit:
        host = "https://pictures.example"
        visit.context.route(f"{host}/a.png*", lambda route: route.fulfill(body=png(20, 10), content_type="image/png"))
        visit.context.route(f"{host}/none.png", lambda route: route.fulfill(status=404))
        visit.forgive(f"{host}|status of 404")
        for path, is_there in (("/a.png?b=1&c", True), ("/none.png", False)):
            address = host + path
            record = scene.push(payload={"aps": {"alert": "Hi", "mutable-content": 1}, "image": address})
            loaded = []
            visit.page.on("request", lambda request: loaded.append((request.url, request.headers.get("referer") or None)))
            page = live(visit.open(f"/p/{record['id']}"))
            show = panel(page, "Preview").get_by_role("button", name="Show picture")
            expect(show).to_be_visible()
            expect_equal("what is loaded before the click", [], [url for url, _ in loaded if url == address])
            show.click()
            shown = panel(page, "Preview").frame_locator("iframe").get_by_role("img", name="The picture at this address")
            expect(shown).to_be_visible()
            expect_equal("loaded", is_there, shown.evaluate("(image) => image.decode().then(() => true, () => false)"))
            expect_that((address, None) in loaded, "what is loaded after the click, without a referrer", address, loaded)

    with scene.test("Preview: what a push asks for is explained, and a missing string leads to the strings tables") as visit:
        record = scene.push(payload={"aps": {"alert": {"loc-key": "NO_SUCH_KEY"}, "sound": "default", "badge": 3}})
        page = live(visit.open(f"/p/{record['id']}"))
        preview = panel(page, "Preview")
        if scene.is_narrow:
            expect(preview.get_by_text("The badge shows 3.")).to_be_hidden()
            preview.get_by_text("Explain").click()
        expect(preview.get_by_text("The badge shows 3.")).to_be_visible()
        preview.get_by_role("button", name="Add strings table…").click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_be_visible()
        fits(page)
        dialog.get_by_role("button", name="Close").click()
        expect(dialog).to_have_count(0)


def activity_cases(scene):
    with scene.test("Preview: a Live Activity is called by its event, and its dates are dates", timezone_id="UTC") as visit:
        for event, words in (("start", "started"), ("update", "updated"), ("end", "ended")):
            aps = {"timestamp": 1_767_607_873, "event": event, "content-state": {}, "stale-date": 1_767_611_473, "dismissal-date": "x"}
            record = scene.push(payload={"aps": aps}, apns_push_type="liveactivity",
                                apns_topic="com.example.app.push-type.liveactivity")
            page = live(visit.open(f"/p/{record['id']}?tab=preview"))
            expect(detail(page).get_by_role("heading", name=f"Live Activity {words}", exact=True)).to_be_visible()
            expect(detail(page).locator(".head-facts")).to_contain_text(f"liveactivity {event}")
        facts = panel(page, "Preview").locator(".preview-facts")
        expect(facts.get_by_title("2026-01-05 10:11:13.000 UTC")).to_be_visible()
        expect(facts.get_by_title("2026-01-05 11:11:13.000 UTC")).to_be_visible()
        expect(facts.get_by_text("1767611473", exact=True)).to_be_visible()
        expect(facts.get_by_text('"x"')).to_be_visible()
        fits(page)


def content_cases(scene):
    with scene.test("Preview: a lock screen has the reader's time", timezone_id="Asia/Kolkata") as visit:
        record = scene.push(payload=RICH)
        page = live(visit.open(f"/p/{record['id']}?crop=device"))
        picture = panel(page, "Preview").get_by_role("img", name=re.compile("^Lock screen"))
        expect(picture).to_be_visible()
        expect(svg_link(page)).to_have_attribute("href", re.compile("timeZone=%2B05%3A30"))
        svg = page.request.get(visit.base + svg_link(page).get_attribute("href")).text()
        hours, minutes = page.evaluate("(time) => [new Date(time).getHours(), new Date(time).getMinutes()]", record["receivedAt"])
        expect_that(f">{hours}:{minutes:02}</text>" in svg, "the clock", f"{hours}:{minutes:02}", svg[:400])

    with scene.test("Preview: a VoIP push is a call") as visit:
        record = scene.push(payload={"callerName": "Ann <b>"}, apns_push_type="voip", apns_topic="com.example.app.voip")
        page = live(visit.open(f"/p/{record['id']}"))
        expect(panel(page, "Preview").get_by_role("heading", name="Incoming call")).to_be_visible()
        expect(panel(page, "Preview").get_by_role("img", name=re.compile("^Lock screen, approximately: Incoming call"))).to_be_visible()
        expect(panel(page, "Preview")).to_contain_text("caller: Ann <b>")

    with scene.test("Preview: a background push has no notification, and says why") as visit:
        record = scene.push(payload={"aps": {"content-available": 1}}, apns_push_type="background", apns_priority="5")
        page = live(visit.open(f"/p/{record['id']}"))
        expect(panel(page, "Preview")).to_contain_text("No UI")
