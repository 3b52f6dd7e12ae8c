"""The browser of the tests, and the files that a failed test leaves."""

import contextlib
import os
import re
import shutil
import sys
import urllib.parse

from playwright.sync_api import Error, expect, sync_playwright

from report import Mismatch

# The shell is the same Chromium without a user interface, and takes half the processor time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
OF_MACOS = ("/Applications/Google Chrome.app/Contents/MacOS/Google Chrome", "/Applications/Chromium.app/Contents/MacOS/Chromium")
WIDE = {"width": 1280, "height": 800}
LAPTOP = {"width": 1366, "height": 650}
NARROW = {"width": 375, "height": 667}
# Chromium gives up what it is loading when the computer's network changes, for instance because a container starts.
CHANGED = "net::ERR_NETWORK_CHANGED"
# After so many failed tests, a step has ten seconds at most.
FAILURES_AWAITED = 3

# Runs before the page's scripts: policy violations are logged to the console and so fail the test, and what the page shows for
# a moment only (SHOWN and COPIED in core/actions.js) stays, because a busy machine may look later.
WATCH = """
const usual = setTimeout
globalThis.setTimeout = (work, delay, ...more) => usual(work, [2_500, 6_000].includes(delay) ? 1e9 : delay, ...more)
addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} forbids ${event.blockedURI || event.sourceFile}: ${event.sample}`)
})
"""


def browser_path():
    """The path of the system's Chromium, or `None`."""
    found = [path for path in map(shutil.which, NAMES) if path]
    if sys.platform == "darwin":
        found += [path for path in OF_MACOS if os.path.exists(path)]
    return found[0] if found else None


class Visit:
    """A test's browser context, and all errors in it."""

    def __init__(self, context, base):
        self.context = context
        self.base = base
        self.lines = []
        self._faults = []
        self._forgiven = []
        context.add_init_script(WATCH)
        context.on("page", self._watch)
        context.on("requestfailed", self._failed)
        self.page = context.new_page()

    def open(self, path="/"):
        """Opens a path of the page."""
        return _opened(self.page, self.base + path)

    def another(self, path="/"):
        """Opens a second page in the same browser context."""
        return _opened(self.context.new_page(), self.base + path)

    def forgive(self, pattern):
        """Allows console errors that the test causes, such as `status of 400`."""
        self._forgiven.append(re.compile(pattern))

    def check(self):
        """Fails if there were errors."""
        for page in self.context.pages:
            # All earlier console messages have arrived when this returns.
            page.evaluate("0")
        faults = [fault for fault in self._faults if not any(pattern.search(fault) for pattern in self._forgiven)]
        if faults:
            raise Mismatch("console and network", "nothing wrong", faults)

    def _watch(self, page):
        page.on("console", lambda message: self._said(message.type, message.text, message.location.get("url", "")))
        page.on("pageerror", lambda error: self._fault(f"uncaught {error}"))
        page.on("crash", lambda _: self._fault("the page crashed"))
        page.on("dialog", self._asked)

    def _said(self, kind, text, url):
        self.lines.append(f"{kind}: {text} ({url})")
        if kind in ("error", "warning", "assert") and CHANGED not in text:
            self._faults.append(f"{kind}: {text} ({url})")

    def _fault(self, text):
        self.lines.append(text)
        self._faults.append(text)

    def _asked(self, dialog):
        self._fault(f"dialog {dialog.type}: {dialog.message}")
        dialog.dismiss()

    def _failed(self, request):
        # The page may send requests only to the server. Others fail: no other host is known, and the page's policy forbids
        # other ports. Hearing of every request would take a tenth of the time of all tests.
        if request.url.startswith(("data:", "blob:")) or _origin(request.url) == _origin(self.base):
            return
        self._fault(f"request to elsewhere: {request.method} {request.url}")


class Stage:
    """A browser for many tests: `with Stage(program, folder, timeout) as stage`.

    `timeout` is the timeout of each step in seconds.
    """

    def __init__(self, program, folder, timeout):
        self._program = program
        self._folder = folder
        self._timeout = timeout * 1_000
        self._failures = 0

    def __enter__(self):
        self._playwright = sync_playwright().start()
        try:
            self._browser = self._playwright.chromium.launch(
                executable_path=self._program,
                # Containers have no user namespaces and a small /dev/shm. Other host names must not resolve.
                args=["--no-sandbox", "--disable-dev-shm-usage", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"],
            )
        except BaseException:
            self._playwright.stop()
            raise
        return self

    def __exit__(self, *_):
        self._browser.close()
        self._playwright.stop()

    @property
    def version(self):
        return self._browser.version

    @contextlib.contextmanager
    def visit(self, name, base, **options):
        """One test. `options` are those of a browser context. A failed test leaves files."""
        options = {"viewport": WIDE, "color_scheme": "light", "reduced_motion": "reduce", "locale": "en-US", **options}
        context = self._browser.new_context(**options)
        # Where much is broken, nobody waits for all of it.
        timeout = self._timeout if self._failures < FAILURES_AWAITED else min(self._timeout, 10_000)
        expect.set_options(timeout=timeout)
        context.set_default_timeout(timeout)
        visit = Visit(context, base)
        try:
            yield visit
            visit.check()
        except Exception as error:
            self._failures += 1
            kept = self._keep(name, visit, error)
            raise Mismatch("the test to hold", "it to", f"{_short(error)}; see {kept}") from error
        finally:
            context.close()

    def _keep(self, name, visit, error):
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:80]
        os.makedirs(self._folder, exist_ok=True)
        path = os.path.join(self._folder, slug)
        with open(f"{path}.txt", "w", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{name}\n{visit.page.url}\n{error}\n\nconsole:\n")
            file.writelines(f"{line}\n" for line in visit.lines)
        for number, page in enumerate(visit.context.pages):
            with contextlib.suppress(Error):  # a crashed page has no screenshot
                page.screenshot(path=f"{path}{f'-{number + 1}' if number else ''}.png")
        return os.path.relpath(f"{path}.png")


def _opened(page, url):
    try:
        page.goto(url)
    except Error as error:
        if CHANGED not in str(error):
            raise
        page.goto(url)
    return page


def _origin(url):
    return urllib.parse.urlsplit(url)[:2]


def _short(error):
    """An error in one line. The file has the full text."""
    text = str(error) if isinstance(error, (Mismatch, Error, AssertionError)) else f"{type(error).__name__}: {error}"
    return re.sub(r"\s+", " ", re.sub(r"\x1b\[\d*m", "", text)).strip()[:600]
