"""The list of pushes: updates, scroll position, search, marks, export and clearing."""

import concurrent.futures
import json
import re
import urllib.parse

from playwright.sync_api import expect

from glance import choose_file, detail, live, numbers, row, rows, search, tab, toast, wait_until
from report import expect as expect_equal, expect_that
from stage import NARROW


def list_cases(scene):
    live_cases(scene)
    place_cases(scene)
    search_cases(scene)
    for sized in scene.sizes():
        tool_cases(sized)
    keyboard_cases(scene)
    narrow_cases(scene)


def live_cases(scene):
    with scene.test("a push from aioapns appears without a reload, with all its parts") as visit:
        token = scene.phone("alice")
        page = live(visit.open())
        expect(page.get_by_role("heading", name="No pushes yet")).to_be_visible()
        page.evaluate("globalThis.isSamePage = true")
        answer = scene.aioapns(token, {"aps": {"alert": {"title": "Order shipped", "body": "No. 17"}, "badge": "3"}})
        expect_equal("answer", (200, None), answer)
        line = row(page, "Order shipped")
        expect(line).to_be_visible()
        for part in ("200", "alert", "p10", "com.example.app", "@alice", "No. 17"):
            expect(line).to_contain_text(part)
        expect(line).to_contain_text("Warning")
        expect(line.get_by_title("badge-not-integer")).to_be_visible()
        expect_equal("the page", True, page.evaluate("globalThis.isSamePage"))

    with scene.test("rows show the outcome of a push as text, not only by color") as visit:
        page = live(visit.open())
        scene.send(apns_topic=None)
        expect(row(page, "MissingTopic")).to_contain_text("Rejected:")
        offline = scene.phone("bob", state="offline")
        scene.send(offline, {"aps": {"alert": "Waits"}}, apns_expiration="2000000000")
        expect(row(page, "Waits")).to_contain_text("stored")
        scene.send(payload={"aps": {"content-available": 1}}, apns_push_type="background", apns_priority="5")
        expect(row(page, "Background push")).to_contain_text("background")
        scene.api.change("bob", state="online")
        expect(row(page, "Waits")).to_contain_text("from storage")
        scene.send(payload={"caller": "Ann"}, apns_push_type="voip", apns_topic="com.example.app.voip")
        expect(row(page, "voip")).to_contain_text("Call")

    with scene.test("actions on a second page appear on the first") as visit:
        scene.accepted("Seen by both")
        first, second = live(visit.open()), live(visit.another())
        expect(row(first, "Seen by both")).to_be_visible()
        expect(row(second, "Seen by both")).to_be_visible()
        second.get_by_role("button", name="Delete pushes…").click()
        second.get_by_role("dialog").get_by_role("button", name="Delete all").click()
        expect(rows(second)).to_have_count(0)
        scene.accepted("After the clearing")
        expect(row(first, "After the clearing")).to_be_visible()
        expect(row(second, "After the clearing")).to_be_visible()

    with scene.test("a test push from the empty state arrives") as visit:
        page = live(visit.open())
        page.get_by_role("button", name="Send test push").click()
        expect(rows(page)).to_have_count(1)
        expect(rows(page).first).to_contain_text("200")


    with scene.test("a test push with custom text arrives") as visit:
        scene.accepted("So that the list is there")
        page = live(visit.open())
        page.get_by_role("button", name="Send…").click()
        dialog = page.get_by_role("dialog", name="Send test push")
        dialog.get_by_role("textbox", name="Title", exact=True).fill("In my own words")
        dialog.get_by_role("button", name="Send", exact=True).click()
        expect(row(page, "In my own words")).to_contain_text("200")


def place_cases(scene):
    with scene.test("rows do not move while the list is scrolled, and a button shows new ones") as visit:
        for number in range(3):
            scene.accepted(f"Number {number}")
        scene.multiply(80)
        page = live(visit.open())
        expect(rows(page).first).to_be_visible()
        page.get_by_role("list", name="Pushes").hover()
        page.mouse.wheel(0, 900)
        # The row at a fixed position of the window.
        wait_until(page, "() => document.querySelector('.push-scroller').scrollTop >= 800")
        seen = "() => document.elementFromPoint(300, 500)?.closest('li')?.innerText ?? ''"
        wait_until(page, f"() => ({seen})() !== ''")
        before = page.evaluate(seen)
        for number in range(2):
            scene.accepted(f"Came while reading {number}")
        fresh = page.get_by_role("button", name="2 new")
        expect(fresh).to_be_visible()
        expect_equal("the line under the reader", before, page.evaluate(seen))
        fresh.click()
        expect(row(page, "Came while reading 1")).to_be_visible()
        expect(fresh).to_be_hidden()

    with scene.test("a paused list shows no new pushes until it is resumed") as visit:
        scene.accepted("Before the pause")
        page = live(visit.open())
        expect(row(page, "Before the pause")).to_be_visible()
        page.get_by_role("button", name="Pause").click()
        scene.accepted("In the pause")
        expect(page.get_by_role("button", name="1 new")).to_be_visible()
        expect(row(page, "In the pause")).to_have_count(0)
        page.get_by_role("button", name="Resume").click()
        expect(row(page, "In the pause")).to_be_visible()


def search_cases(scene):
    with scene.test("a search is live: only new pushes that match are added") as visit:
        scene.accepted("There before")
        page = live(visit.open())
        expect(row(page, "There before")).to_be_visible()
        search(page).fill("is:rejected")
        expect(page).to_have_url(re.compile(r"\?q=is%3Arejected"))
        expect(page.get_by_role("heading", name="No matching pushes")).to_be_visible()
        expect(page.get_by_text("1 push without the search.")).to_be_visible()
        scene.accepted("Does not fit")
        scene.send(apns_topic=None)
        expect(row(page, "MissingTopic")).to_be_visible()
        expect(rows(page)).to_have_count(1)
        page.get_by_role("button", name="Clear search").click()
        expect(rows(page)).to_have_count(3)

    with scene.test("an invalid search shows the error, with a caret below the position") as visit:
        visit.forgive("status of 400")
        page = live(visit.open())
        search(page).fill("quux:x")
        search(page).press("Enter")
        problem = page.get_by_role("search").get_by_role("alert")
        expect(problem).to_contain_text("quux")
        expect(problem).to_contain_text("^")
        expect(problem).to_contain_text("there are: token, device, topic")
        expect(search(page)).to_have_attribute("aria-invalid", "true")
        search(page).fill("")
        expect(problem).to_be_hidden()

    with scene.test("search terms are completed with the keyboard") as visit:
        scene.send(apns_topic=None)
        page = live(visit.open())
        search(page).press_sequentially("is:rej")
        expect(page.get_by_role("option", name="is:rejected")).to_be_visible()
        search(page).press("ArrowDown")
        search(page).press("Enter")
        expect(search(page)).to_have_value("is:rejected ")
        expect(row(page, "MissingTopic")).to_be_visible()
        search(page).fill("is:")
        expect(page.get_by_role("option", name="is:accepted")).to_be_visible()
        for key, chosen in (("ArrowDown", "is:accepted"), ("ArrowDown", "is:rejected"), ("ArrowUp", "is:accepted")):
            search(page).press(key)
            expect(page.get_by_role("option", selected=True)).to_have_text(chosen)

    with scene.test("values of recorded pushes are completed, with quotes where they are needed") as visit:
        scene.accepted("Collapses", apns_collapse_id="order (17)")
        scene.send(apns_topic=None)
        page = live(visit.open())
        search(page).press_sequentially("(!reason:miss")
        expect(page.get_by_role("option", name="(!reason:MissingTopic 1 push")).to_be_visible()
        search(page).fill("collapse:")
        expect(page.get_by_role("option")).to_have_count(1)
        search(page).press("ArrowDown")
        search(page).press("Enter")
        expect(search(page)).to_have_value('collapse:"order (17)" ')
        expect(rows(page)).to_have_count(1)
        expect(page.get_by_role("status", name="Pushes shown")).to_contain_text("1 of 2 pushes")

    with scene.test("a search without matches suggests similar ones that match") as visit:
        scene.accepted("Stays")
        scene.send(apns_topic=None)
        page = live(visit.open())
        search(page).fill("MisingTopic")
        similar = page.get_by_role("list", name="Similar searches that match").get_by_role("link")
        expect(similar).to_have_text(["reason:MissingTopic1 push"])
        expect(page.get_by_text("2 pushes without the search.")).to_be_visible()
        similar.click()
        expect(page).to_have_url(re.compile(r"\?q=reason%3AMissingTopic"))
        expect(row(page, "MissingTopic")).to_be_visible()
        expect(search(page)).to_have_value("reason:MissingTopic")

    with scene.test("an operator or a parenthesis that is being typed is not an error") as visit:
        visit.forgive("status of 400")
        scene.accepted("Stays")
        scene.send(apns_topic=None)
        page = live(visit.open())
        problem = page.get_by_role("search").get_by_role("alert")
        search(page).press_sequentially("NOT (4xx OR ")
        expect(rows(page)).to_have_count(2)
        expect(problem).to_be_hidden()
        search(page).press_sequentially("device:nobody)")
        expect(rows(page)).to_have_count(1)
        expect(row(page, "Stays")).to_be_visible()
        search(page).fill("4xx OR (")
        search(page).press("Enter")
        expect(problem).to_contain_text("is invalid at character 8: this '(' is not closed")


def tool_cases(scene):
    with scene.test("a mark is shown between the pushes around it") as visit:
        scene.accepted("Before the mark")
        page = live(visit.open())
        page.get_by_role("button", name="Mark…").click()
        page.get_by_role("dialog").get_by_role("textbox", name="Text").fill("test “shipsOrder” starts")
        page.get_by_role("dialog").get_by_role("button", name="Add mark").click()
        lines = page.get_by_role("list", name="Pushes").get_by_role("listitem")
        expect(lines.filter(has_text="test “shipsOrder” starts")).to_be_visible()
        scene.accepted("Behind the mark")
        expect(lines).to_contain_text(["Behind the mark", "test “shipsOrder” starts", "Before the mark"])
        texts = [mark["text"] for mark in scene.api.get("/api/v1/marks")["marks"]]
        expect_equal("marks of the API", ["test “shipsOrder” starts"], texts)

    with scene.test("exported pushes can be deleted and imported") as visit:
        scene.accepted("Comes back")
        page = live(visit.open())
        page.get_by_role("button", name="Export").click()
        with page.expect_download() as download:
            page.get_by_role("link", name="NDJSON").click()
        exported = download.value.path()
        with open(exported, encoding="utf-8") as file:
            expect_equal("exported lines", 1, len([json.loads(line) for line in file]))
        page.keyboard.press("Escape")
        page.get_by_role("button", name="Delete pushes…").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete all").click()
        expect(toast(page, "Deleted 1 push")).to_be_visible()
        expect(rows(page)).to_have_count(0)
        page.get_by_role("button", name="Export").click()
        choose_file(page, "Import NDJSON…", exported)
        expect(row(page, "Comes back")).to_contain_text("imported")

    with scene.test("only matching pushes are deleted, or only rejected ones") as visit:
        scene.accepted("Stays")
        scene.send(apns_topic=None)
        page = live(visit.open("/?q=is:rejected"))
        expect(rows(page)).to_have_count(1)
        page.get_by_role("button", name="Delete pushes…").click()
        page.get_by_role("dialog").get_by_role("button", name="matching").click()
        expect(page.get_by_role("heading", name="No matching pushes")).to_be_visible()
        expect_equal("pushes left", 1, scene.api.get("/api/v1/pushes/count")["count"])
        scene.send(apns_topic=None)
        page.get_by_role("button", name="Clear search").click()
        expect(rows(page)).to_have_count(2)
        page.get_by_role("button", name="Delete pushes…").click()
        page.get_by_role("dialog").get_by_role("button", name="Delete rejected").click()
        expect(rows(page)).to_have_count(1)
        expect(row(page, "Stays")).to_be_visible()


def keyboard_cases(scene):
    with scene.test("j and k move, Enter goes into the push, Esc returns to its row and then closes it") as visit:
        for title in ("Oldest", "Middle", "Newest"):
            scene.accepted(title)
        page = live(visit.open())
        expect(rows(page)).to_have_count(3)
        for key, title in (("j", "Newest"), ("j", "Middle"), ("j", "Oldest"), ("k", "Middle")):
            page.keyboard.press(key)
            expect(row(page, title)).to_be_focused()
        expect(page).to_have_url(f"{visit.base}/")
        page.keyboard.press("Enter")
        expect(detail(page).get_by_role("heading", name="Middle")).to_be_visible()
        expect(detail(page)).to_be_focused()
        tab(page, "JSON").click()
        page.keyboard.press("Escape")
        expect(row(page, "Middle")).to_be_focused()
        expect(tab(page, "JSON")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page).to_have_url(f"{visit.base}/")
        expect(row(page, "Middle")).to_be_focused()

    with scene.test("the push beside the list follows j, k and the arrow keys") as visit:
        for title in ("Oldest", "Middle", "Newest"):
            scene.accepted(title)
        page = live(visit.open())
        row(page, "Newest").click()
        expect(detail(page).get_by_role("heading", name="Newest")).to_be_visible()
        for key, title in (("j", "Middle"), ("ArrowDown", "Oldest"), ("ArrowUp", "Middle"), ("k", "Newest")):
            page.keyboard.press(key)
            expect(row(page, title)).to_be_focused()
            expect(detail(page).get_by_role("heading", name=title)).to_be_visible()
            expect(row(page, title)).to_have_attribute("aria-current", "true")
        # Moving through pushes is one step of the browser's history.
        page.go_back()
        expect(page).to_have_url(f"{visit.base}/")
        # Where the list has no focus, the arrows scroll.
        row(page, "Newest").click()
        tab(page, "JSON").click()
        page.keyboard.press("ArrowDown")
        expect(row(page, "Newest")).to_have_attribute("aria-current", "true")

    with scene.test("at 375 px, j opens the next push instead of the open one", viewport=NARROW) as visit:
        for title in ("Older", "Newer"):
            scene.accepted(title)
        page = live(visit.open())
        row(page, "Newer").click()
        expect(detail(page).get_by_role("heading", name="Newer")).to_be_visible()
        page.keyboard.press("j")
        expect(detail(page).get_by_role("heading", name="Older")).to_be_visible()
        page.keyboard.press("Escape")
        expect(row(page, "Older")).to_be_focused()

    with scene.test("the other keys: / searches, ? shows help, e exports, o toggles the device, g opens views") as visit:
        token = scene.phone("keys")
        scene.accepted("For keys", token)
        page = live(visit.open())
        expect(row(page, "For keys")).to_be_visible()
        page.keyboard.press("?")
        expect(page.get_by_role("dialog", name="Help")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog", name="Help")).to_have_count(0)
        page.keyboard.press("e")
        expect(page.get_by_role("dialog", name="Export and import")).to_be_visible()
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        page.keyboard.press("o")
        expect(toast(page, "@keys is offline")).to_be_visible()
        expect_equal("state", "offline", scene.api.device("keys")["state"])
        page.keyboard.press("o")
        expect(toast(page, "@keys is online")).to_be_visible()
        for keys, path in (("gd", "/devices"), ("gf", "/faults"), ("gp", "/")):
            for key in keys:
                page.keyboard.press(key)
            expect(page).to_have_url(visit.base + path)
        page.keyboard.press("/")
        expect(search(page)).to_be_focused()
        page.keyboard.type("jk?e")
        expect(search(page)).to_have_value("jk?e")
        expect(page.get_by_role("dialog")).to_have_count(0)


def narrow_cases(scene):
    with scene.test("at 375 px there is one pane, and Back returns to the list", viewport=NARROW) as visit:
        scene.accepted("On a phone")
        page = live(visit.open())
        row(page, "On a phone").click()
        expect(detail(page).get_by_role("heading", name="On a phone")).to_be_visible()
        expect(row(page, "On a phone")).to_be_hidden()
        page.get_by_role("link", name="Back to list").click()
        expect(row(page, "On a phone")).to_be_visible()

    with scene.test("older pushes that could not be loaded are loaded after more scrolling") as visit:
        visit.forgive("net::ERR_")
        scene.accepted("The very first")
        scene.accepted("One of many")
        scene.multiply(299)
        page = live(visit.open())
        expect(rows(page).first).to_be_visible()
        older = re.compile(r"/api/v1/pushes\?.*before=")
        page.route(older, lambda route: route.abort())
        page.get_by_role("list", name="Pushes").hover()
        page.mouse.wheel(0, 100_000)
        expect(page.locator(".toast.problem")).to_be_visible()
        expect(page.get_by_role("status", name="Pushes shown")).to_have_text("301 pushes")
        page.unroute(older)
        to_end = """() => {
          const scroller = document.querySelector(".push-scroller")
          const end = scroller.scrollHeight - scroller.clientHeight
          scroller.scrollTop = scroller.scrollTop < end - 1 ? end : end - 2
          return [...scroller.querySelectorAll("a")].some((line) => line.innerText.includes("The very first"))
        }"""
        wait_until(page, to_end)

    with scene.test("in a long list the visible rows do not move while another client deletes pushes") as visit:
        for number in range(3):
            scene.accepted(f"Kind {number}")
        lines = scene.exported()
        scene.bring(lines * 400)
        page = live(visit.open())
        shown = page.get_by_role("status", name="Pushes shown")
        expect(page.locator(".push-row[aria-setsize='1203']").first).to_be_visible()
        # Further down than one page of the API, with enough rows below.
        wait_until(page, """() => {
          const scroller = document.querySelector(".push-scroller")
          scroller.scrollTop = scroller.scrollHeight * 0.88
          const middle = scroller.getBoundingClientRect().top + scroller.clientHeight / 2
          return document.elementFromPoint(300, middle).closest(".push-row") !== null
        }""")
        # The first visible row that will stay, and its position.
        seen = """(known) => {
          const top = document.querySelector(".push-scroller").getBoundingClientRect().top
          const lines = [...document.querySelectorAll(".push-row")].map((line) => [line.getBoundingClientRect(), line.innerText])
          const inView = lines.filter(([box, text]) => box.bottom > top + 1 && text.includes(known))
          const [box, text] = inView.sort(([a], [b]) => a.top - b.top)[0]
          return [text, Math.round(box.top)]
        }"""
        before = page.evaluate(seen, "Kind 1")
        for other in (0, 2):
            title = urllib.parse.quote(f'payload:/aps/alert/title="Kind {other}"')
            scene.api.call("DELETE", f"/api/v1/pushes?q={title}")
        # The next push makes the page notice that some are gone.
        scene.accepted("The next")
        expect(shown).to_have_text("402 pushes")
        expect_equal("the line under the reader", before, page.evaluate(seen, before[0]))

    with scene.test("the newest 1,000 marks are shown") as visit:
        scene.accepted("Before the marks")
        page = live(visit.open())
        expect(rows(page)).to_have_count(1)

        def mark(number):
            scene.api.call("POST", "/api/v1/marks", {"text": f"mark {number}"}, status=201)

        # Faster than the page reads events, so it misses some.
        with concurrent.futures.ThreadPoolExecutor(4) as posting:
            list(posting.map(mark, range(1_001)))
        mark(1_001)
        expect(page.get_by_role("list", name="Pushes").get_by_role("listitem").first).to_contain_text("mark 1001")
        expect(page.get_by_role("list", name="Pushes").get_by_role("listitem").first).to_have_attribute("aria-setsize", "1001")

    with scene.test("older pushes are loaded while scrolling, down to the first") as visit:
        first = scene.accepted("The very first")
        scene.accepted("One of many")
        scene.multiply(449)
        page = live(visit.open())
        expect(rows(page).first).to_be_visible()
        page.get_by_role("list", name="Pushes").hover()
        wait_until(page, """() => {
          const scroller = document.querySelector(".push-scroller")
          scroller.scrollTop = scroller.scrollHeight
          return [...scroller.querySelectorAll("a")].some((line) => line.innerText.includes("The very first"))
        }""")
        shown = numbers(page)
        expect_equal("the last line", first["seq"], shown[-1])
        expect_that(shown == sorted(shown, reverse=True), "numbers", "the newest first", shown)
        expect(page.get_by_role("status", name="Pushes shown")).to_have_text("451 pushes")
