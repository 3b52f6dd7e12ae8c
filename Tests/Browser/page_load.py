"""The page with a full journal and thousands of pushes per second."""

import contextlib
import os
import subprocess

from playwright.sync_api import expect

from glance import detail, live, row, rows, view
from pushes import PAYLOAD, TOPIC, device_token
from report import expect_that, say
from verifying import burst

JOURNAL = 10_000
# The most rows in the document, however long the list is.
MOST_ROWS = 300
# More rows in one frame than this would make it late.
MOST_ADDED = 15


@contextlib.contextmanager
def stream_of_pushes(scene, rate=1_000):
    """So many pushes per second while the block runs."""
    uris, payload = os.path.join(scene.directory, "stream.uris"), os.path.join(scene.directory, "stream.payload")
    with open(uris, "w", encoding="ascii") as file:
        file.writelines(f"{scene.server.apns[0]}/3/device/{device_token()}\n" for _ in range(100))
    with open(payload, "w", encoding="utf-8") as file:
        file.write(PAYLOAD)
    headers = [f"authorization: bearer {scene.context.token}", f"apns-topic: {TOPIC}", "apns-push-type: alert"]
    load = subprocess.Popen(
        ["h2load", "-c", "1", "-m", "100", "-D", "600", "--rps", str(rate), "-i", uris, "-d", payload,
         *[part for header in headers for part in ("-H", header)]],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        load.kill()
        load.wait()


def check_rows(page):
    count = page.locator(".push-row").count()
    expect_that(0 < count < MOST_ROWS, "rows in the document", f"1 to {MOST_ROWS}", count)


def open_one(page):
    """Opens a push of the list. On a slow machine it may already be evicted, which the page reports."""
    tab, missing = detail(page).get_by_role("tab", name="JSON"), detail(page).get_by_text("Push not found")
    for _ in range(5):
        rows(page).nth(3).click()
        expect(tab.or_(missing)).to_be_visible()
        if tab.is_visible():
            return
        page.keyboard.press("Escape")
    expect(tab).to_be_visible()


# Drags the scrollbar from the newest to the oldest push, one step per frame, then waits there. Resolves to the most rows
# that one frame added to the document, and the durations of the long tasks.
DRAG = """(steps) => new Promise((done) => {
  const scroller = document.querySelector(".push-scroller")
  const long = []
  new PerformanceObserver((list) => long.push(...list.getEntries().map((one) => one.duration))).observe({type: "longtask"})
  let [step, added, most] = [0, 0, 0]
  new MutationObserver((records) => {
    for (const {addedNodes} of records) added += [...addedNodes].filter((one) => one.matches?.(".push-row")).length
  }).observe(scroller, {childList: true, subtree: true})
  const frame = () => {
    most = Math.max(most, added)
    added = 0
    step += 1
    scroller.scrollTop = scroller.scrollHeight * step / steps
    if (step < steps || !scroller.textContent.includes("The very first")) requestAnimationFrame(frame)
    else done({most, long})
  }
  requestAnimationFrame(frame)
})"""


def drag_cases(scene):
    with scene.test("dragging through 10,000 pushes gets to the oldest one and back") as visit:
        scene.accepted("The very first")
        burst(scene.server, scene.directory, "drag", JOURNAL - 2, 4, 50)
        scene.accepted("The newest of all")
        page = live(visit.open())
        expect(page.locator(f".push-row[aria-setsize='{JOURNAL}']").first).to_be_visible()
        work = page.evaluate(DRAG, 200)
        expect(row(page, "The very first")).to_be_in_viewport()
        say(f"long tasks while dragging through {JOURNAL:,} pushes: {[round(one) for one in work['long']]} ms")
        expect_that(work["most"] < MOST_ADDED, "rows added by one frame", f"fewer than {MOST_ADDED}", work["most"])
        check_rows(page)
        page.evaluate("() => document.querySelector('.push-scroller').scrollTop = 0")
        expect(row(page, "The newest of all")).to_be_in_viewport()
        scene.accepted("Newer than all")
        expect(row(page, "Newer than all")).to_be_in_viewport()


def load_cases(scene):
    drag_cases(scene)
    with scene.test("with 10,000 pushes in the journal and 1,000 more per second, the page stays responsive") as visit:
        burst(scene.server, scene.directory, "full", JOURNAL, 4, 50)
        page = live(visit.open())
        shown = page.get_by_role("status", name="Pushes shown")
        expect(rows(page).first).to_be_visible()
        check_rows(page)
        with stream_of_pushes(scene):
            expect(shown).to_contain_text("/s, showing a sample")
            check_rows(page)
            for name in ("Devices", "Connections", "Log", "Pushes"):
                view(page, name).click()
                expect(page.get_by_role("heading", level=1, name=name)).to_be_attached()
            page.keyboard.press("?")
            expect(page.get_by_role("dialog", name="Help")).to_be_visible()
            page.keyboard.press("Escape")
            visit.forgive("status of 404")
            open_one(page)
            check_rows(page)
            # It is evicted after 10,000 newer ones.
            expect(detail(page).get_by_text("no longer in the journal")).to_be_visible()
            expect(detail(page).get_by_role("tab", name="JSON")).to_be_visible()
            page.keyboard.press("Escape")
        expect(shown).not_to_contain_text("sample")
        scene.accepted("The newest of all")
        expect(row(page, "The newest of all")).to_be_visible()
        expect(shown).to_contain_text("evicted")
        check_rows(page)
