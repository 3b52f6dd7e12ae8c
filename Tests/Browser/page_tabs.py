"""Several tabs in one browser share one event stream."""

import contextlib
import re
import time

from playwright.sync_api import expect

from glance import live, row, rows
from mock_apns import DIRECT
from page_loss import Relay
from report import Mismatch

# More than the six connections that a browser has to a host.
TABS = 8
HIDDEN = """(isHidden) => {
  Object.defineProperty(document, "hidden", {get: () => isHidden, configurable: true})
  document.dispatchEvent(new Event("visibilitychange"))
}"""


def tab_cases(scene):
    with scene.test("eight tabs share one stream; when its holder closes, another takes over and nothing is lost") as visit:
        tabs = Tabs(visit, TABS)
        pages = tabs.pages
        scene.accepted("For all of them")
        for page in pages:
            expect(row(page, "For all of them")).to_have_count(1)
        expect_streams(scene, pages[0], 1)
        # Twice, so that a tab that took over is replaced too.
        for round_number in range(2):
            scene.accepted(f"Before the change {round_number}")
            tabs.lose_holder().close()
            scene.accepted(f"In the change {round_number}")
            for page in pages:
                for when in ("Before", "In"):
                    expect(row(page, f"{when} the change {round_number}")).to_have_count(1)
            scene.accepted(f"After the change {round_number}")
            for page in pages:
                expect(row(page, f"After the change {round_number}")).to_have_count(1)
                live(page)
            expect_streams(scene, pages[0], 1)
        for page in pages:
            expect(rows(page)).to_have_count(7)

    with scene.test("a tab that crashes leaves the stream to the others") as visit:
        visit.forgive("the page crashed")
        tabs = Tabs(visit, 3)
        pages = tabs.pages
        leader = tabs.lose_holder()
        with contextlib.suppress(Exception):  # it never answers
            leader.goto("chrome://crash", timeout=2_000)
        scene.accepted("After the crash")
        for page in pages:
            expect(row(page, "After the crash")).to_have_count(1)
        leader.close()

    with scene.test("a visible tab holds the stream") as visit:
        tabs = Tabs(visit, 3)
        pages = tabs.pages
        leader = tabs.holder
        others = [page for page in pages if page is not leader]
        for page in (others[0], leader):
            page.evaluate(HIDDEN, True)
        within_patience(pages[0], lambda: tabs.holder is others[1], "the stream", "with the tab in view")
        expect_streams(scene, pages[0], 1)
        scene.accepted("After the switch")
        expect(row(others[1], "After the switch")).to_have_count(1)
        for page in (others[0], leader):
            page.evaluate(HIDDEN, False)
            expect(row(page, "After the switch")).to_have_count(1)

    with scene.test("a new tab takes over from a leader that no longer answers") as visit:
        page = live(visit.open())
        # Like a suspended tab: it keeps its lock but sends nothing.
        page.evaluate("() => { BroadcastChannel.prototype.postMessage = () => {} }")
        second = live(visit.another())
        scene.accepted("Heard by the second")
        expect(row(second, "Heard by the second")).to_have_count(1)

    with scene.test("each namespace has its own stream") as visit:
        apns = scene.api.call("POST", "/api/v1/namespaces", {"name": "apart", "listener": True}, status=201)["apns"]
        first, second = live(visit.open()), live(visit.another("/?ns=apart"))
        expect_streams(scene, first, 2)
        scene.send_to(apns, {"aps": {"alert": "Only in apart"}})
        scene.accepted("Only in default")
        expect(row(second, "Only in apart")).to_be_visible()
        expect(row(first, "Only in default")).to_be_visible()
        for page in (first, second):
            expect(rows(page)).to_have_count(1)
        scene.api.call("DELETE", "/api/v1/namespaces/apart", status=204)
        visit.forgive("status of 404|net::ERR_")

    with Relay(scene.server.api) as relay, scene.test(
        "a connection loss is shown on every tab, and Retry works on any of them", base=relay.url
    ) as visit:
        visit.forgive("net::ERR_")
        tabs = Tabs(visit, 3)
        pages = tabs.pages
        relay.cut()
        for page in pages:
            expect(page.get_by_role("status", name="Connection to the server")).to_have_text("Down")
        # From now on, the next automatic attempt is far away.
        expect(pages[0].get_by_text(re.compile(r"retrying in ([89]|\d\d) s"))).to_be_visible()
        scene.accepted("In the loss")
        relay.mend()
        follower = next(page for page in pages if page is not tabs.holder)
        follower.get_by_role("button", name="Retry now").click()
        for page in pages:
            live(page)
            expect(row(page, "In the loss")).to_have_count(1)


class Tabs:
    """A number of live tabs, and which of them holds the stream."""

    def __init__(self, visit, number):
        #: The one that asked for a stream last.
        self.holder = None
        visit.context.on("request", self._asked)
        visit.open()
        for _ in range(number - 1):
            visit.another()
        self.pages = [live(page) for page in visit.context.pages]

    def _asked(self, request):
        if "/events?" in request.url:
            self.holder = request.frame.page

    def lose_holder(self):
        """Removes the tab with the stream from the others and returns it."""
        self.pages.remove(self.holder)
        return self.holder


def expect_streams(scene, page, number):
    """Waits for the server's number of streams; a closed one is counted for a moment."""
    def seen():
        with DIRECT.open(f"{scene.server.api}/metrics", timeout=30) as answer:
            return re.search(r"^mock_apns_sse_clients (\d+)", answer.read().decode(), re.M)[1]
    within_patience(page, lambda: seen() == str(number), "streams", number)


def within_patience(page, holds, what, expected):
    deadline = time.monotonic() + 30
    while not holds():
        if time.monotonic() > deadline:
            raise Mismatch(what, expected, "something else for 30 s")
        page.wait_for_timeout(50)
