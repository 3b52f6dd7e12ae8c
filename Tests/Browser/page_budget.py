"""What a load of the page costs, and how long its tasks take while pushes arrive."""

import contextlib
import urllib.parse

from glance import live
from page_load import stream_of_pushes
from report import expect_that, say
from verifying import burst

JOURNAL = 1_000
# Those of a load: the files, the lists of the page that is shown, and what the header shows.
MOST_REQUESTS = 12
MOST_BYTES = 150_000
# In milliseconds, of a machine as fast as the calibration assumes: the goals of docs/benchmarks.md, for a task of the
# processor's time, which load hardly changes. With a debug build a quiet machine shows the first row after 213 ms.
FIRST_ROW = 300
LONG_TASK = 50
# The fastest of several loads counts: others may have been interrupted.
LOADS = 5
RATE = 400
WATCHED = 10_000
# The event of a trace for each task of a thread, and the name of a page's thread.
TASK, PAGE_THREAD = "ThreadControllerImpl::RunTask", "CrRendererMain"
# What CALIBRATE takes on a quiet machine, in milliseconds. A machine that takes longer gets as much more time.
QUIET = 25

# Watches for the first row in the document.
# What the page reads again every five seconds is no part of a load.
WATCH = """
const often = setInterval
globalThis.setInterval = (work, delay, ...more) => (delay === 5_000 ? 0 : often(work, delay, ...more))
globalThis.watched = { firstRow: null }
new MutationObserver((_, observer) => {
  if (!document.querySelector(".push-row a")) return
  observer.disconnect()
  requestAnimationFrame(() => { watched.firstRow = performance.now() })
}).observe(document, { childList: true, subtree: true })
"""

# Work like that of the page, without it: elements, styles and layout. Resolves to the longest time that it took.
CALIBRATE = """async (times) => {
  let worst = 0
  for (let time = 0; time < times; time += 1) {
    const began = performance.now()
    const list = document.createElement("div")
    for (let row = 0; row < 250; row += 1) {
      const element = list.appendChild(document.createElement("p"))
      for (let cell = 0; cell < 8; cell += 1) {
        element.appendChild(document.createElement("span")).textContent = `${time} ${row} ${cell}`
      }
    }
    document.body.append(list)
    list.getBoundingClientRect()
    list.remove()
    worst = Math.max(worst, performance.now() - began)
    await new Promise((done) => setTimeout(done, 30))
  }
  return worst
}"""


def slowness(visit, times):
    """How many times as long as a quiet machine this one takes, at least 1."""
    page = visit.context.new_page()
    took = page.evaluate(CALIBRATE, times)
    page.close()
    return max(1, took / QUIET)


class Traffic:
    """The requests of a page and their bytes, as they were sent."""

    def __init__(self, visit):
        self.paths = []
        self.bytes = 0
        self._session = visit.context.new_cdp_session(visit.page)
        self._session.send("Network.enable")
        self._session.on("Network.requestWillBeSent", self._began)
        self._session.on("Network.loadingFinished", self._ended)

    def _began(self, event):
        url = urllib.parse.urlsplit(event["request"]["url"])
        if url.scheme == "http":
            self.paths.append(url.path)

    def _ended(self, event):
        self.bytes += event["encodedDataLength"]


@contextlib.contextmanager
def traced_tasks(visit):
    """The processor's time of each task of the page's thread while the block runs, in milliseconds, filled in afterwards."""
    events, tasks = [], []
    session = visit.context.new_cdp_session(visit.page)
    session.on("Tracing.dataCollected", lambda event: events.extend(event["value"]))
    session.on("Tracing.tracingComplete", lambda _: events.append(None))
    session.send("Tracing.start", {"categories": "toplevel", "transferMode": "ReportEvents"})
    yield tasks
    session.send("Tracing.end")
    while None not in events[-1:]:
        visit.page.evaluate("0")
    events.pop()
    pages = {(event["pid"], event["tid"]) for event in events
             if event["name"] == "thread_name" and event["args"]["name"] == PAGE_THREAD}
    tasks += [event["tdur"] / 1_000 for event in events
              if event["name"] == TASK and "tdur" in event and (event["pid"], event["tid"]) in pages]


def budget_cases(scene):
    with scene.test("a load takes few requests and bytes, and shows its first row soon") as visit:
        burst(scene.server, scene.directory, "budget", JOURNAL, 4, 50)
        slow = slowness(visit, 20)
        traffic = Traffic(visit)
        visit.page.add_init_script(WATCH)
        page = live(visit.open())
        page.locator(".push-row a").first.wait_for()
        page.wait_for_function("() => watched.firstRow !== null")
        # The counts are the last that is read.
        page.wait_for_function("() => document.querySelector('nav.views .number')?.textContent")
        requests, size = list(traffic.paths), traffic.bytes
        first = page.evaluate("watched.firstRow")
        for _ in range(LOADS - 1):
            page.reload()
            page.wait_for_function("() => watched.firstRow !== null")
            first = min(first, page.evaluate("watched.firstRow"))
        slow = max(slow, slowness(visit, 20))
        say(f"a load of {JOURNAL:,} pushes: {len(requests)} requests, {size:,} bytes, first row after"
            f" {first:.0f} ms on a machine that is {slow:.1f} times as slow as a quiet one")
        expect_that(len(requests) <= MOST_REQUESTS, "requests", f"at most {MOST_REQUESTS}", requests)
        expect_that(size <= MOST_BYTES, "bytes", f"at most {MOST_BYTES}", size)
        expect_that(first <= FIRST_ROW * slow, "milliseconds to the first row", f"at most {FIRST_ROW * slow:.0f}", first)

    with scene.test(f"with {RATE} pushes per second, no task of the page is long") as visit:
        burst(scene.server, scene.directory, "tasks", JOURNAL, 4, 50)
        page = live(visit.open())
        page.locator(".push-row a").first.wait_for()
        slow = slowness(visit, 20)
        with stream_of_pushes(scene, RATE):
            page.get_by_role("status", name="Pushes shown").filter(has_text="/s, showing a sample").wait_for()
            with traced_tasks(visit) as tasks:
                page.wait_for_timeout(WATCHED)
        expect_that(len(tasks) > 100, "tasks", "more than 100", len(tasks))
        say(f"{RATE} pushes per second for {WATCHED // 1_000} s: the longest of {len(tasks):,} tasks took"
            f" {max(tasks):.0f} ms of the processor's time")
        most = LONG_TASK * slow
        expect_that(max(tasks) <= most, "milliseconds of the longest task", f"at most {most:.0f}", max(tasks))
