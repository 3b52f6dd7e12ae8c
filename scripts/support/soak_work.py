"""What a soak does all the time: one row of WORK for each kind of work.

Each kind has its own thread and its own namespace or devices, so it knows the right answer of every call, and asserts it. A
round that fails is counted, its text is kept, and the next round starts afresh.
"""

import collections
import http.client
import json
import threading
import time

from acknowledged import TIMEOUT, TOPIC, Provider, Pusher, tls

DEVICES = 50
# How long a provider token is used, in seconds; APNs accepts one for an hour, and a new one after 20 minutes.
TOKEN_LIFE = 40 * 60
# How many times as fast everything is in the beginning, so that caches are full and memory is as scattered as it becomes.
HASTE = 10
# How many pushes a round sends to its namespace.
BATCH = 20


class Wrong(Exception):
    """A call had another answer than it should."""


def expect(what, expected, seen):
    if expected != seen:
        raise Wrong(f"{what}: expected {expected}, saw {seen}")


class API:
    """Calls the API on one connection, in one namespace; every call states the status that it expects."""

    def __init__(self, port, namespace=None):
        self._port, self._connection = port, None
        self._prefix = "/api/v1" + (f"/namespaces/{namespace}" if namespace else "")

    def close(self):
        if self._connection is not None:
            self._connection.close()
            self._connection = None

    def text(self, method, path, body=None, status=200):
        """Returns the text of the response."""
        if self._connection is None:
            self._connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT)
        data = body if body is None or isinstance(body, str) else json.dumps(body)
        self._connection.request(method, self._prefix + path, data, {"Content-Type": "application/json"})
        answer = self._connection.getresponse()
        text = answer.read().decode()
        if answer.status != status:
            raise Wrong(f"{method} {self._prefix}{path}: expected {status}, saw {answer.status} {text[:300]}")
        return text

    def call(self, method, path, body=None, status=200):
        """Returns the response as JSON."""
        text = self.text(method, path, body, status)
        return json.loads(text) if text else None


class Scene:
    """What all kinds of work share: the server, and how to reach it."""

    def __init__(self, server):
        self.server = server
        self.port = int(server.api.rsplit(":", 1)[1])
        self._token, self._signed, self._lock = server.token(), time.monotonic(), threading.Lock()
        self.context = tls(server.ca)
        self.address = self._address(server.apns[0])
        self.is_over, self.warm_until = threading.Event(), 0.0
        devices = [{"label": f"soak{n}", "registrations": [{"topic": TOPIC}]} for n in range(DEVICES)]
        self.api().call("PUT", "/devices", devices)
        listed = self.api().call("GET", f"/devices?limit={DEVICES}")["devices"]
        self.tokens = [device["registrations"][0]["token"] for device in listed]

    @staticmethod
    def _address(url):
        host, port = url.rsplit("/", 1)[-1].rsplit(":", 1)
        return host, int(port)

    def fill(self, count):
        """Pushes as fast as possible, so that the journal and the caches of the database are full."""
        pusher = Pusher(self.address, self.token(), self.tokens, self.context)
        pusher.start()
        while pusher.is_alive() and len(pusher.acknowledged) < count:
            time.sleep(0.1)
        pusher.stop()
        pusher.join(TIMEOUT)
        if pusher.problems or set(pusher.statuses) != {200} or len(pusher.acknowledged) < count:
            raise Wrong(f"{count} first pushes: saw {dict(pusher.statuses)} {pusher.problems}")

    def api(self, namespace=None):
        return API(self.port, namespace)

    def provider(self, url=None):
        return Provider(self._address(url) if url else self.address, self.token, self.context)

    def token(self):
        """The provider token for the next push, which is signed again before it has expired."""
        with self._lock:
            if time.monotonic() - self._signed > TOKEN_LIFE:
                self._token, self._signed = self.server.token(), time.monotonic()
            return self._token

    def token_for(self, api, label):
        """Creates a device, and returns its device token."""
        device = api.call("POST", "/devices", {"label": label, "registrations": [{"topic": TOPIC}]}, 201)
        return device["registrations"][0]["token"]


class Pushes:
    """Pushes on one connection, which is renewed every 500 pushes; the answer of each is 200."""

    pause = 0.0

    def __init__(self, scene, rate):
        self._scene, self.pause, self._sent, self._provider = scene, 1 / rate, 0, scene.provider()

    def round(self):
        self._sent += 1
        if self._sent % 500 == 0:
            self.close()
        token = self._scene.tokens[self._sent % DEVICES]
        status, _, body = self._provider.push(token, "Your order has been shipped " * 8)
        expect("push", (200, ""), (status, body))
        return 1

    def close(self):
        self._provider.close()


class Faults:
    """A fault hits the next two pushes to its device token, and no others."""

    pause = 0.5

    def __init__(self, scene, _):
        self._scene, self._api, self._provider = scene, scene.api(), scene.provider()

    def round(self):
        token = self._scene.token_for(self._api, "faulty")
        try:
            fault = self._api.call(
                "POST", "/faults",
                {"match": {"token": token}, "when": {"times": 2}, "do": {"respond": {"status": 503}}}, 201,
            )
            seen = [self._provider.push(token)[0] for _ in range(3)]
            expect("pushes with a fault", [503, 503, 200], seen)
            expect("fault", 2, self._api.call("GET", f"/faults/{fault['id']}")["stats"]["fired"])
            self._api.text("DELETE", f"/faults/{fault['id']}", status=204)
        finally:
            self._api.text("DELETE", "/devices/@faulty", status=204)
        return 3

    def close(self):
        self._api.close()
        self._provider.close()


class Devices:
    """A device is offline, gets the newest of its pushes when it is online again, and is deleted."""

    pause = 0.5

    def __init__(self, scene, _):
        self._scene, self._api, self._provider = scene, scene.api(), scene.provider()

    def round(self):
        token = self._scene.token_for(self._api, "offline")
        try:
            self._api.call("PATCH", "/devices/@offline", {"state": "offline"})
            for number in range(3):
                expect("push", 200, self._provider.push(token, f"number {number}", apns_expiration="2000000000")[0])
            expect("stored", 1, len(self._api.call("GET", "/devices/@offline/stored")["stored"]))
            report = self._api.call("PATCH", "/devices/@offline", {"state": "online"})
            expect("delivered", 1, len(report["delivered"]))
            expect("stored", 0, len(self._api.call("GET", "/devices/@offline/stored")["stored"]))
        finally:
            self._api.text("DELETE", "/devices/@offline", status=204)
        return 3

    def close(self):
        self._api.close()
        self._provider.close()


class Namespaces:
    """A namespace gets pushes at its own port, is verified, exported, reset, filled by an import, and deleted."""

    pause = 1.0

    def __init__(self, scene, _):
        self._scene, self._api, self._round = scene, scene.api(), 0

    def round(self):
        self._round += 1
        name = f"soak-{self._round % 7}"
        made = self._api.call("POST", "/namespaces", {"name": name, "inherit": "default"}, 201)
        api = self._scene.api(name)
        try:
            self._use(api, made["apns"])
        finally:
            api.close()
            self._api.text("DELETE", f"/namespaces/{name}", status=204)
        self._api.text("GET", f"/namespaces/{name}", status=404)
        return BATCH

    def _use(self, api, url):
        token = self._scene.token_for(api, "phone")
        provider = self._scene.provider(url)
        try:
            for number in range(BATCH):
                expect("push", 200, provider.push(token, f"order {number}")[0])
        finally:
            provider.close()
        match = {"token": token, "pushType": "alert"}
        found = api.call("POST", "/pushes/verify", {"match": match, "count": {"exactly": BATCH}})
        expect("verified", BATCH, len(found["matched"]))
        api.call("POST", "/pushes/verify", {"match": match, "count": {"never": True}}, 409)
        steps = [{"body": "order 3"}, {"body": "order 4"}]
        api.call("POST", "/pushes/verify-sequence", {"steps": steps, "strict": True})
        api.call("POST", "/pushes/verify", {"match": {"body": "order 99"}, "within": "50ms"}, 409)
        expect("search", 1, api.call("GET", "/pushes?q=body:%22order+17%22")["matched"])
        exported = api.text("GET", "/pushes/export")
        expect("exported", BATCH, len(exported.splitlines()))
        expect("reset", BATCH, api.call("POST", "/reset", {"only": ["pushes"]})["cleared"]["pushes"])
        expect("count", 0, api.call("GET", "/pushes/count")["count"])
        expect("imported", BATCH, api.call("POST", "/pushes/import", exported, 201)["imported"])
        expect("count", BATCH, api.call("GET", "/pushes/count")["count"])


class Streams:
    """An event stream shows each push of its round once, and in order; then its client leaves."""

    pause = 0.5
    # Not the default namespace, whose resets delete events that a stream has not read. It is replaced by a new one after
    # so many rounds, before its journal is full.
    NAME, ROUNDS = "streams", 50

    def __init__(self, scene, _):
        self._scene, self._round, self._api, self._provider, self._token = scene, 0, None, None, None

    def round(self):
        if self._round % self.ROUNDS == 0:
            self.close()
            self._open()
        self._round += 1
        after = self._api.call("GET", "/seq")["seq"]
        with Events(self._scene.port, f"after={after}&types=push.responded&fields=full", self.NAME) as events:
            sent = [self._provider.push(self._token)[1] for _ in range(5)]
            seen = [events.next()["apns"]["id"] for _ in sent]
        expect("events", sent, seen)
        return 5

    def _open(self):
        server = self._scene.api()
        made = server.call("POST", "/namespaces", {"name": self.NAME, "inherit": "default"}, 201)
        server.close()
        self._api, self._provider = self._scene.api(self.NAME), self._scene.provider(made["apns"])
        self._token = self._scene.token_for(self._api, "watched")

    def close(self):
        if self._api is not None:
            self._provider.close()
            self._api.close()
            self._api = None
            server = self._scene.api()
            server.text("DELETE", f"/namespaces/{self.NAME}", status=204)
            server.close()


class Follower:
    """One stream of everything, for all of the soak; every event is read."""

    pause = 0.0

    def __init__(self, scene, _):
        self._events = Events(scene.port, "fields=summary")

    def round(self):
        self._events.next()
        return 0

    def close(self):
        self._events.close()


class Resets:
    """Lists pages, then deletes all pushes of the default namespace, which goes on getting some."""

    pause = 20.0

    def __init__(self, scene, _):
        self._api, self._last = scene.api(), 0

    def round(self):
        page = self._api.call("GET", "/pushes?limit=100&fields=summary")
        numbers = [push["seq"] for push in page["pushes"]]
        expect("order of a list", sorted(numbers, reverse=True), numbers)
        self._api.call("GET", "/pushes/groups")
        self._api.call("POST", "/marks", {"text": "reset"}, 201)
        self._api.call("POST", "/reset", {"only": ["pushes", "feedback"]})
        seq = self._api.call("GET", "/seq")["seq"]
        if seq < self._last:
            raise Wrong(f"seq after a reset: expected at least {self._last}, saw {seq}")
        self._last = seq
        return 0

    def close(self):
        self._api.close()


class Events:
    """An event stream over HTTP/1.1."""

    def __init__(self, port, query, namespace="default"):
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT)
        self._connection.request("GET", f"/api/v1/namespaces/{namespace}/events?{query}")
        self._answer = self._connection.getresponse()
        expect("status of an event stream", 200, self._answer.status)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self._answer.close()
        self._connection.close()

    def next(self):
        """Returns the data of the next event."""
        while line := self._answer.readline():
            if line.startswith(b"data:"):
                return json.loads(line[5:])
        raise Wrong("an event stream ended")


# All kinds of work, and how many of each run at the same time.
WORK = [(Pushes, 2), (Faults, 1), (Devices, 1), (Namespaces, 1), (Streams, 1), (Follower, 1), (Resets, 1)]


class Worker(threading.Thread):
    """Repeats one kind of work until the soak is over."""

    def __init__(self, kind, scene, rate):
        super().__init__(daemon=True)
        self.name, self.rounds, self.pushes, self.problems = kind.__name__, 0, 0, []
        self._kind, self._scene, self._rate = kind, scene, rate

    def run(self):
        while not self._scene.is_over.is_set():
            try:
                self._work(self._kind(self._scene, self._rate))
            except (Wrong, OSError, http.client.HTTPException, KeyError, ValueError) as error:
                self.problems.append(f"{self.name}, round {self.rounds + 1}: {type(error).__name__}: {error}")
                self._scene.is_over.wait(1)

    def _work(self, work):
        try:
            while not self._scene.is_over.is_set():
                started = time.monotonic()
                self.pushes += work.round()
                self.rounds += 1
                pause = work.pause if started > self._scene.warm_until else work.pause / HASTE
                self._scene.is_over.wait(max(0, pause - (time.monotonic() - started)))
        finally:
            if close := getattr(work, "close", None):
                close()


def start(scene, rate):
    """Starts all work; each of the threads that push alone does so at half of this rate."""
    workers = [Worker(kind, scene, rate / 2) for kind, count in WORK for _ in range(count)]
    for worker in workers:
        worker.start()
    return workers


def summary(workers):
    """Returns the number of rounds of each kind, and of all pushes."""
    rounds = collections.Counter()
    for worker in workers:
        rounds[worker.name] += worker.rounds
    text = ", ".join(f"{count} {name}" for name, count in rounds.items())
    return text, sum(worker.pushes for worker in workers), rounds
