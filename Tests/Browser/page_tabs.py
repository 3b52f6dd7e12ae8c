"""Several tabs in one browser share one event stream per namespace."""

import contextlib
import re
import time

from playwright.sync_api import Error, expect

from glance import live, retry, row, rows
from mock_apns import DIRECT, LAST_RESORT
from page_loss import Relay
from report import Mismatch

# More than the six connections that a browser has to a host.
TABS = 8
# The page does nothing until the response.
HOLD = """() => setTimeout(() => {
  const request = new XMLHttpRequest()
  request.open("GET", "/hold", false)
  request.send()
}) && null"""
# The page goes to the browser's back/forward cache and returns.
HIDE = "() => dispatchEvent(new PageTransitionEvent('pagehide', {persisted: true}))"
SHOW = "() => dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"


def tab_cases(scene):
    sharing_cases(scene)
    leaving_cases(scene)
    namespace_cases(scene)
    fallback_cases(scene)


def sharing_cases(scene):
    with scene.test("eight tabs share one stream; closing some changes nothing for the others") as visit:
        pages = tabs(visit, TABS)
        scene.accepted("For all of them")
        expect_everywhere(pages, "For all of them")
        expect_streams(scene, pages[0], 1)
        # The first tab has opened the stream.
        for page in (pages[0], pages[4]):
            page.close()
            pages.remove(page)
            scene.accepted(f"For the {len(pages)} others")
            expect_everywhere(pages, f"For the {len(pages)} others")
            expect_streams(scene, pages[0], 1)
        for page in pages:
            live(page)
            expect(rows(page)).to_have_count(3)

    with Relay(scene.server.api) as relay, scene.test(
        "a connection loss is shown on every tab, and Retry works on any of them", base=relay.url
    ) as visit:
        visit.forgive("net::ERR_")
        pages = tabs(visit, 3)
        relay.cut()
        for page in pages:
            expect(page.get_by_role("status", name="Connection to the server")).to_have_text("Down")
        scene.accepted("In the loss")
        relay.mend()
        retry(pages[2])
        expect_everywhere(pages, "In the loss")
        for page in pages:
            live(page)


def leaving_cases(scene):
    with scene.test("a tab that crashes changes nothing for the others") as visit:
        visit.forgive("the page crashed")
        pages = tabs(visit, 4)
        # Twice, as one of the tabs may have the worker in its process.
        for number in range(2):
            crashed = pages.pop(0)
            with crashed.expect_event("crash"), contextlib.suppress(Error):  # the navigation does not end
                crashed.goto("chrome://crash", timeout=200)
            scene.accepted(f"After crash {number}")
            expect_everywhere(pages, f"After crash {number}")
            expect_streams(scene, pages[0], 1)
            crashed.close()

    with scene.test("a tab that the browser suspends holds no stream, and misses nothing once it continues") as visit:
        with apart(scene, visit) as apns:
            suspended, other = live(visit.open("/?ns=apart")), live(visit.another())
            expect_streams(scene, other, 2)
            visit.forgive("Synchronous")
            held = []
            suspended.route("**/hold", lambda route: held.append(route))
            suspended.evaluate(HOLD)
            expect_streams(scene, other, 1)
            scene.send_to(apns, {"aps": {"alert": "Meanwhile"}})
            held[0].fulfill()
            expect(row(suspended, "Meanwhile")).to_have_count(1)
            expect_streams(scene, other, 2)

    with scene.test("a page in the back/forward cache holds no stream, and misses nothing when it returns") as visit:
        page = live(visit.open())
        page.evaluate(HIDE)
        expect_streams(scene, page, 0)
        scene.accepted("Meanwhile")
        page.evaluate(SHOW)
        live(page)
        expect(row(page, "Meanwhile")).to_have_count(1)
        other = live(visit.another())
        page.evaluate(HIDE)
        scene.accepted("With another tab")
        expect(row(other, "With another tab")).to_have_count(1)
        expect(row(page, "With another tab")).to_have_count(0)
        page.evaluate(SHOW)
        expect(row(page, "With another tab")).to_have_count(1)
        expect_streams(scene, page, 1)


def namespace_cases(scene):
    with scene.test("each namespace has its own stream, which ends with its last tab") as visit:
        with apart(scene, visit) as apns:
            first, second = live(visit.open()), live(visit.another("/?ns=apart"))
            expect_streams(scene, first, 2)
            scene.send_to(apns, {"aps": {"alert": "Only in apart"}})
            scene.accepted("Only in default")
            expect(row(second, "Only in apart")).to_be_visible()
            expect(row(first, "Only in default")).to_be_visible()
            for page in (first, second):
                expect(rows(page)).to_have_count(1)
            second.get_by_role("button", name="Namespace apart").click()
            second.get_by_role("link", name="default").click()
            expect(row(second, "Only in default")).to_be_visible()
            expect_streams(scene, first, 1)


def fallback_cases(scene):
    lacks = {
        "has no shared workers": "delete globalThis.SharedWorker",
        "cannot load the worker": """
          const create = trustedTypes.createPolicy.bind(trustedTypes)
          trustedTypes.createPolicy = (name) => create(name, {createScriptURL: () => "/ui/none.js"})
        """,
    }
    for name, script in lacks.items():
        with scene.test(f"in a browser that {name}, each tab has its own stream") as visit:
            visit.forgive("status of 404")
            visit.context.add_init_script(script)
            pages = tabs(visit, 2)
            scene.accepted("For both")
            expect_everywhere(pages, "For both")
            expect_streams(scene, pages[0], 2)
            pages[1].close()
            expect_streams(scene, pages[0], 1)


def tabs(visit, number):
    """A number of live tabs."""
    return [live(visit.open()), *(live(visit.another()) for _ in range(number - 1))]


@contextlib.contextmanager
def apart(scene, visit):
    """The URL of a namespace `apart`, which is deleted at the end."""
    try:
        yield scene.api.call("POST", "/api/v1/namespaces", {"name": "apart", "listener": True}, status=201)["apns"]
    finally:
        visit.forgive("status of 404|net::ERR_")
        scene.api.call("DELETE", "/api/v1/namespaces/apart", status=204)


def expect_everywhere(pages, title):
    for page in pages:
        expect(row(page, title)).to_have_count(1)


def expect_streams(scene, page, number):
    """Waits for the server's number of streams; a closed one is counted for a moment."""
    def seen():
        with DIRECT.open(f"{scene.server.api}/metrics", timeout=LAST_RESORT) as answer:
            return re.search(r"^mock_apns_sse_clients (\d+)", answer.read().decode(), re.M)[1]

    deadline = time.monotonic() + LAST_RESORT
    while seen() != str(number):
        if time.monotonic() > deadline:
            raise Mismatch("streams", number, f"{seen()} for {LAST_RESORT} s")
        page.wait_for_timeout(50)
