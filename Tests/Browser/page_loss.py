"""The page after connection loss and after a restart of the server."""

import contextlib
import os
import random
import socket
import threading
import urllib.parse

from playwright.sync_api import expect

from glance import live, retry, row, rows, toast
from mock_apns import Server
from report import expect as expect_equal
from scene import Scene

# Below the range of ephemeral ports, so that the port stays free between two runs.
PORTS = range(20_000, 28_000)


def loss_cases(scene):
    with Relay(scene.server.api) as relay, scene.test(
        "after a short connection loss the page continues by itself and misses nothing", base=relay.url
    ) as visit:
        visit.forgive("net::ERR_")
        scene.accepted("Before the loss")
        page = live(visit.open())
        expect(row(page, "Before the loss")).to_be_visible()
        page.evaluate("globalThis.isSamePage = true")
        relay.cut()
        expect(page.get_by_role("status", name="Connection to the server")).to_have_text("Down")
        for title in ("Lost and found", "Found as well"):
            scene.accepted(title)
        relay.mend()
        retry(page)
        expect(row(page, "Lost and found")).to_have_count(1)
        expect(row(page, "Found as well")).to_have_count(1)
        expect(rows(page)).to_have_count(3)
        expect_equal("the page", True, page.evaluate("globalThis.isSamePage"))

    loading_cases(scene)
    version_cases(scene)
    restart_cases(scene)


def loading_cases(scene):
    with scene.test("a page of which a file was not loaded is loaded again") as visit:
        visit.forgive("net::ERR_FAILED")
        visit.page.route("**/ui/joined.js", lambda route: route.abort(), times=1)
        live(visit.open())

    with scene.test("a page of which a file cannot be loaded says so") as visit:
        visit.forgive("net::ERR_FAILED")
        visit.page.route("**/ui/joined.js", lambda route: route.abort())
        page = visit.open()
        expect(page.get_by_role("alert")).to_contain_text("/ui/joined.js, or a file that it needs")
        visit.page.unroute_all()
        page.get_by_role("button", name="Load again").click()
        live(page)


def version_cases(scene):
    with Relay(scene.server.api) as relay, scene.test(
        "a reload is offered while the server has another version than the page", base=relay.url
    ) as visit:
        visit.forgive("net::ERR_")
        # The responses to a worker cannot be replaced.
        visit.context.add_init_script("delete globalThis.SharedWorker")
        page = live(visit.open())
        own = scene.api.get("/api/v1/info")
        offer = page.get_by_role("status", name="New version")
        expect(offer).to_be_hidden()
        for version in ("9.9.8", "9.9.9", own["version"]):
            answer = {**own, "version": version, "startedAt": f"a run of {version}"}
            page.unroute_all()
            page.route("**/api/v1/info", lambda route, _, answer=answer: route.fulfill(json=answer))
            relay.cut()
            expect(page.get_by_role("status", name="Connection to the server")).to_have_text("Down")
            relay.mend()
            retry(page)
            if version != own["version"]:
                expect(offer).to_contain_text(f"The server is now mock-apns {version}; this page is from {own['version']}.")
        expect(offer).to_be_hidden()


class Relay:
    """A relay between the browser and the server that can be cut: `with Relay(api) as relay`."""

    def __init__(self, api):
        address = urllib.parse.urlsplit(api)
        self._server = (address.hostname, address.port)
        self._ends = set()
        self._is_cut = False

    def __enter__(self):
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_):
        # Closing alone would not stop the accepting thread.
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def cut(self):
        """Closes all connections and accepts no more."""
        self._is_cut = True
        for end in list(self._ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self):
        self._is_cut = False

    def _accept(self):
        with contextlib.suppress(OSError):  # the listener is closed
            while True:
                near, _ = self._listener.accept()
                if self._is_cut:
                    near.close()
                    continue
                far = socket.create_connection(self._server)
                for source, sink in ((near, far), (far, near)):
                    threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()

    def _pump(self, source, sink):
        self._ends.add(source)
        with contextlib.suppress(OSError):  # either end may go away
            while data := source.recv(65_536):
                sink.sendall(data)
        with contextlib.suppress(OSError):
            sink.shutdown(socket.SHUT_RDWR)
        self._ends.discard(source)
        source.close()


def free_port():
    """A free port."""
    for port in random.sample(PORTS, len(PORTS)):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise RuntimeError(f"expected a free port in {PORTS}, saw none")


def restart_cases(scene):
    port = free_port()

    def server():
        binary, certs = scene.server.program[-1], os.path.join(scene.directory, "certs")
        return Server(binary, certs, "--apns-listen", "127.0.0.1:0", "--api-listen", f"127.0.0.1:{port}")

    with server() as first:
        before = Scene(scene.stage, first, scene.report, scene.directory)
        with before.test("after a restart every tab shows only the pushes of the new run, without a reload") as visit:
            visit.forgive("net::ERR_|status of 50")
            before.accepted("Of the first run")
            pages = [live(visit.open()), live(visit.another())]
            for page in pages:
                expect(row(page, "Of the first run")).to_be_visible()
                page.evaluate("globalThis.isSamePage = true")
            first.stop()
            for page in pages:
                expect(page.get_by_role("status", name="Connection to the server")).to_have_text("Down")
                expect(page.get_by_role("button", name="Retry now")).to_be_visible()
            with server() as second:
                after = Scene(scene.stage, second, scene.report, scene.directory)
                for page in pages:
                    live(page)
                    expect(toast(page, "The server restarted: 1 earlier push is gone.")).to_be_visible()
                after.accepted("Of the second run")
                for page in pages:
                    expect(row(page, "Of the second run")).to_be_visible()
                    expect(row(page, "Of the first run")).to_have_count(0)
                    expect_equal("the page", True, page.evaluate("globalThis.isSamePage"))
                visit.check()
