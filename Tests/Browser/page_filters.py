"""Above the list of pushes: filters, several selected pushes, groups."""

import json
import re

from playwright.sync_api import expect

from glance import detail, fits, live, row, rows, search, toast, tool, wait_until
from report import expect as expect_equal, expect_that

# A laptop's window at 200 %.
ZOOMED = {"width": 683, "height": 325}


def filter_cases(scene):
    for sized in scene.sizes():
        chip_cases(sized)
        selection_cases(sized)
        pin_cases(sized)
        group_cases(sized)
        wrong_search_cases(sized)
        word_cases(sized)
        paper_cases(sized)
    zoom_cases(scene)


def filters(page):
    return page.get_by_role("group", name="Filters")


def chip(page, name):
    return filters(page).get_by_role("button", name=re.compile(f"^{name}"))


def chip_cases(scene):
    with scene.test("filters write the search, and take their term out again") as visit:
        scene.push(payload={"aps": {"alert": "With a warning", "badge": "3"}})
        scene.accepted("Fine")
        scene.send(apns_topic=None)
        page = live(visit.open())
        expect(chip(page, "Rejected")).to_have_text("Rejected 1")
        chip(page, "Rejected").click()
        expect(search(page)).to_have_value("is:rejected")
        expect(page).to_have_url(f"{visit.base}/?q=is%3Arejected")
        expect(rows(page)).to_have_count(1)
        expect(chip(page, "Rejected")).to_have_attribute("aria-pressed", "true")
        chip(page, "Rejected").click()
        expect(search(page)).to_have_value("")
        expect(rows(page)).to_have_count(3)
        chip(page, "Warnings").click()
        expect(rows(page)).to_have_count(1)
        expect(row(page, "With a warning")).to_be_visible()

    with scene.test("the menus of types and topics have the values of the journal; another choice replaces the first") as visit:
        scene.accepted("An alert")
        scene.accepted("Another alert")
        scene.send(payload={"aps": {"content-available": 1}}, apns_push_type="background", apns_priority="5")
        page = live(visit.open("/?q=alert%20OR%20background"))
        expect(rows(page)).to_have_count(3)
        chip(page, "Type").click()
        page.get_by_role("button", name="alert 2").click()
        expect(search(page)).to_have_value("(alert OR background) type:alert")
        expect(chip(page, "Type: alert")).to_have_attribute("aria-pressed", "true")
        expect(rows(page)).to_have_count(2)
        chip(page, "Type").click()
        page.get_by_role("button", name="background 1").click()
        expect(search(page)).to_have_value("(alert OR background) type:background")
        expect(row(page, "Background push")).to_be_visible()
        # A described app is shown by its name.
        scene.api.call("PUT", "/api/v1/apps/com.example.app", {"name": "Orders"}, 201)
        chip(page, "Topic").click()
        page.get_by_role("button", name="Orders 3").click()
        expect(search(page)).to_have_value("(alert OR background) type:background topic:com.example.app")
        expect(chip(page, "Topic")).to_have_text("Topic: Orders")
        # A second click on the value takes its term out.
        for name, value, left in (
            ("Topic", "Orders 3", "(alert OR background) type:background"), ("Type", "background 1", "(alert OR background)"),
        ):
            chip(page, name).click()
            page.get_by_role("button", name=value).click()
            expect(search(page)).to_have_value(left)

    with scene.test("the button in a cell filters by its value") as visit:
        scene.accepted("For alice", scene.phone("alice"))
        scene.accepted("For bob", scene.phone("bob"))
        scene.send(apns_topic=None)
        page = live(visit.open())
        cells = [("For bob", "type", "type:alert"), ("MissingTopic", "result", "reason:MissingTopic")]
        if not scene.is_narrow:
            cells += [("For alice", "device", "device:alice"), ("For bob", "topic", "topic:com.example.app")]
        for text, column, term in cells:
            row(page, text).locator(f".{column}").hover()
            page.get_by_role("button", name=f"Filter by {term}").click()
            expect(search(page)).to_have_value(term)
            row(page, text).locator(f".{column}").hover()
            page.get_by_role("button", name=f"Remove {term} from the search").click()
            expect(search(page)).to_have_value("")
            expect(rows(page)).to_have_count(3)

    with scene.test("a click in the middle of any cell opens the push") as visit:
        scene.api.call("POST", "/api/v1/faults", {"name": "late", "do": {"delay": {"for": "1ms"}}}, status=201)
        record = scene.push(scene.phone("alice"), {"aps": {"alert": "With a warning", "badge": "3"}})
        page = live(visit.open())
        expect(row(page, "With a warning")).to_be_visible()
        cells = row(page, "With a warning").locator("> span")
        shown = [at for at in range(1, cells.count()) if cells.nth(at).is_visible()]  # the first has the checkbox
        expect_that(len(shown) > 3, "visible cells", "more than 3", shown)
        for at in shown:
            box = cells.nth(at).bounding_box()
            page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
            page.mouse.down()
            page.mouse.up()
            expect(page).to_have_url(f"{visit.base}/p/{record['id']}")
            page.go_back()
            expect(detail(page)).to_be_hidden()


    with scene.test("the button of a cell is beside its text") as visit:
        scene.accepted("For a device", scene.phone("a-device-with-a-long-name"))
        page = live(visit.open())
        cell = row(page, "For a device").locator(".type" if scene.is_narrow else ".device")
        cell.hover()
        button = page.get_by_role("button", name=re.compile("^Filter by")).bounding_box()
        box = cell.bounding_box()
        expect_that(button["x"] >= box["x"] + box["width"] - 1, "the left of the button", f"right of {box}", button)
        if not scene.is_narrow:
            after = row(page, "For a device").locator(".about").bounding_box()
            expect_that(button["x"] + button["width"] <= after["x"] + 1, "the right of the button", f"left of {after}", button)


def wrong_search_cases(scene):
    with scene.test("a misspelled key or value is offered as it was meant, without the list of all keys") as visit:
        visit.forgive("status of 400")
        scene.send(apns_topic=None)
        scene.accepted("Fine")
        page = live(visit.open())
        problem = page.get_by_role("search").get_by_role("alert")
        for text, meant in (("!(staus:4xx OR qqq)", "!(status:4xx OR qqq)"), ("-is:rejectd", "-is:rejected")):
            search(page).fill(text)
            search(page).press("Enter")
            expect(problem).not_to_contain_text("there are")
            expect(problem).to_contain_text(f"Did you mean {meant}?")
            fits(page)
            problem.get_by_role("link").click()
            expect(search(page)).to_have_value(meant)
            expect(problem).to_be_hidden()
            expect(rows(page)).to_have_count(1)
        # While something is offered, the error of the last search is not in the way.
        search(page).fill("staus:400")
        search(page).press("Enter")
        expect(problem).to_be_visible()
        search(page).fill("stat")
        expect(page.get_by_role("option", name="status:")).to_be_visible()
        expect(problem).to_be_hidden()


def word_cases(scene):
    with scene.test("the counts below the list say what they count") as visit:
        scene.accepted("One")
        scene.accepted("Two")
        scene.send(apns_topic=None)
        page = live(visit.open())
        shown = page.get_by_role("status", name="Pushes shown")
        expect(shown).to_have_text("3 pushes")
        for q, words in (("is:accepted", "2 of 3 pushes match"), ("4xx OR 2xx", "3 pushes, all match"), ("none", "0 of 3 pushes match")):
            search(page).fill(q)
            search(page).press("Enter")
            expect(shown).to_have_text(words)


def paper_cases(scene):
    with scene.test("the list and an open push are printed as a whole") as visit:
        record = scene.push(payload={"aps": {"alert": "On paper"}, "lines": list(range(200))})
        scene.multiply(120)
        page = live(visit.open())
        expect(page.get_by_role("status", name="Pushes shown")).to_have_text("121 pushes")
        pages = pages_of(page.pdf())
        expect_that(pages > 1, "pages of the list", "more than 1", pages)
        page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        page.emulate_media(media="print")
        expect(page.locator(".push-row:not(.probe)")).to_have_count(121)
        expect(page.get_by_role("navigation", name="Views")).to_be_hidden()
        page.evaluate("() => dispatchEvent(new Event('afterprint'))")
        page.emulate_media(media="null")
        wait_until(page, "() => document.querySelectorAll('.push-row:not(.probe)').length < 121")
        page = live(visit.open(f"/p/{record['id']}?tab=json&form=text"))
        expect(detail(page).get_by_role("region", name="JSON")).to_contain_text("199")
        pages = pages_of(page.pdf())
        expect_that(pages > 1, "pages of the push", "more than 1", pages)
        page.emulate_media(media="print")
        expect(page.get_by_role("list", name="Pushes")).to_be_hidden()
        expect(detail(page)).to_be_visible()


def pages_of(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def zoom_cases(scene):
    with scene.test("at 200 % of a laptop's window, header and views take three lines", viewport=ZOOMED) as visit:
        scene.accepted("Seen")
        scene.api.advance("26h")
        page = live(visit.open())
        expect(page.get_by_role("button", name="Clock")).to_contain_text("+26 h")
        top = page.locator("header.top").bounding_box()
        expect_that(top["height"] < 50, "the height of the header", "one line", top)
        first = row(page, "Seen").bounding_box()
        expect_that(first["y"] < 140, "the top of the first row", "less than 140", first)
        search(page).fill("is:")
        offers = page.get_by_role("listbox", name="Completions").bounding_box()
        expect_that(offers["width"] > 500, "the width of the completions", "that of the window", offers)
        fits(page)


def selection_cases(scene):
    with scene.test("several pushes are selected with x and Shift, compared, exported and deleted") as visit:
        for title in ("One", "Two", "Three", "Four"):
            scene.accepted(title)
        page = live(visit.open())
        expect(rows(page)).to_have_count(4)
        bar = page.get_by_role("toolbar", name="Selected pushes")
        page.keyboard.press("j")
        page.keyboard.press("x")
        expect(bar).to_contain_text("1 selected")
        row(page, "Three").click(modifiers=["Shift"])
        expect(bar).to_contain_text("2 selected")
        expect(page).to_have_url(f"{visit.base}/")
        with page.expect_download() as download:
            bar.get_by_role("link", name="Export").click()
        with open(download.value.path(), encoding="utf-8") as file:
            titles = [json.loads(line)["request"]["payload"]["aps"]["alert"]["title"] for line in file]
        expect_equal("exported", ["Three", "Four"], titles)
        row(page, "Two").click(modifiers=["Shift"])
        expect(bar).to_contain_text("3 selected")
        expect(bar.get_by_role("link", name="Compare")).to_have_count(0)
        bar.get_by_role("button", name="Deselect").click()
        expect(bar).to_be_hidden()
        for title in ("One", "Three"):
            row(page, title).hover()
            page.get_by_role("listitem").filter(has_text=title).get_by_role("checkbox").check()
        expect(bar.get_by_role("link", name="Compare")).to_have_attribute("href", re.compile("^/compare/"))
        bar.get_by_role("button", name="Delete…").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete 2 pushes").click()
        expect(toast(page, "Deleted 2 pushes.")).to_be_visible()
        expect(bar).to_be_hidden()
        expect(rows(page)).to_have_count(2)
        expect_equal("pushes left", 2, scene.api.get("/api/v1/pushes/count")["count"])


def pin_cases(scene):
    with scene.test("selected pushes are pinned, marked and found") as visit:
        for title in ("One", "Two", "Three"):
            scene.accepted(title)
        page = live(visit.open())
        expect(rows(page)).to_have_count(3)
        page.keyboard.press("j")
        page.keyboard.press("x")
        row(page, "Two").click(modifiers=["Shift"])
        page.get_by_role("toolbar", name="Selected pushes").get_by_role("button", name="Pin").click()
        expect(rows(page).get_by_title("Pinned")).to_have_count(2)
        page.keyboard.press("Escape")
        search(page).fill("is:pinned")
        search(page).press("Enter")
        expect(rows(page)).to_have_count(2)
        row(page, "Three").click()
        tool(page, "Unpin").click()
        expect(detail(page).get_by_text("Pinned", exact=True)).to_have_count(0)
        page.goto(f"{visit.base}/?q=is%3Apinned")
        expect(rows(page)).to_have_count(1)
        expect(rows(page)).to_contain_text("Two")


def group_cases(scene):
    with scene.test("pushes with the same outcome are one group, which opens to them") as visit:
        scene.accepted("The only one")
        scene.api.call("PUT", "/api/v1/apps/com.example.app", {"name": "Orders"}, 201)
        scene.send(apns_topic=None)
        scene.multiply(23)
        page = live(visit.open())
        expect(rows(page).first).to_be_visible()
        filters(page).get_by_role("button", name="Group").click()
        groups = page.get_by_role("list", name="Groups of pushes").locator("> li")
        expect(groups).to_have_count(2)
        expect(groups.filter(has_text="Accepted")).to_contain_text("Orders")
        failed = groups.filter(has_text="MissingTopic")
        expect(failed).to_contain_text("× 24")
        failed.locator("summary").click()
        expect(failed.locator("a.push")).to_have_count(20)
        scene.send(apns_topic=None)
        expect(failed).to_contain_text("× 25")
        failed.get_by_role("link", name="Show all 25").click()
        expect(search(page)).to_have_value("is:rejected type:alert status:400 reason:MissingTopic")
        expect(page.get_by_role("status", name="Pushes shown")).to_contain_text("25 of 26")
