"""The server under test for the load tests of the debug API in scripts/attacks. Loopback only."""

import http.client
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time

from mock_apns import LAST_RESORT, Server

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def binary():
    """Returns the path of the program: $MOCK_APNS, or else the release build or the debug build."""
    built = [os.path.join(ROOT, ".build", kind, "mock-apns") for kind in ("release", "debug")]
    for path in [os.environ.get("MOCK_APNS"), *built]:
        if path and os.access(path, os.X_OK):
            return path
    sys.exit("mock-apns not found: expected .build/release/mock-apns, or the path of the program in MOCK_APNS")


def percentile(values, part):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else float("nan")


def memory_mb(pid):
    """VmRSS, in MB of 10^6 bytes."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        for line in file:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1_024 / 1e6
    return float("nan")


def raise_limit(files):
    """Raises the limit of open files of this process and the server; returns what is allowed."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(files, soft), max(files, hard)))
    except (ValueError, PermissionError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    return resource.getrlimit(resource.RLIMIT_NOFILE)[0]


class Target:
    """A server on free ports, with its own certificates."""

    def __init__(self, *flags, prefix=()):
        """`prefix` is a command that starts the program, such as taskset."""
        self._directory = tempfile.TemporaryDirectory(prefix="mock-apns-attack-")
        certs = os.path.join(self._directory.name, "certs")
        self.server = Server(binary(), certs, "--apns-listen", "127.0.0.1:0", *flags, prefix=prefix)

    def __enter__(self):
        self.server.__enter__()
        host = self.server.api.removeprefix("http://")
        self.host, self.port = host.rsplit(":", 1)[0], int(host.rsplit(":", 1)[1])
        token = self.server.token()
        self._headers = [
            "-H", f"authorization: bearer {token}", "-H", "apns-topic: com.example.app", "-H", "apns-push-type: alert",
        ]
        return self

    def __exit__(self, *exception):
        self.server.__exit__(*exception)
        self._directory.cleanup()

    def payload(self, text):
        """Writes a payload whose alert has this text to a file; returns its path."""
        path = os.path.join(self._directory.name, "payload")
        with open(path, "w", encoding="ascii") as file:
            file.write('{"aps":{"alert":{"title":"Attack","body":"%s"}}}' % text)
        return path

    def push(self, count, text, connections=4, streams=50):
        """Sends pushes as fast as possible."""
        self._h2load("-n", str(count), "-c", str(connections), "-m", str(streams), text=text)

    def push_times(self, seconds, rate=200, text="hello"):
        """Sends pushes at a rate; returns the response time of each, in milliseconds."""
        log = os.path.join(self._directory.name, f"times-{time.monotonic_ns()}")
        connections = 4
        self._h2load(
            "-c", str(connections), "-m", "1", "--rps", str(rate / connections), "-n", str(int(rate * seconds)),
            f"--log-file={log}", text=text,
        )
        with open(log, encoding="ascii") as file:
            return [int(line.split("\t")[2]) / 1_000 for line in file]

    def push_to(self, tokens, count, rate, text="hello", connections=4):
        """Sends pushes to device tokens in turn at a rate, each connection beginning with the first."""
        path = os.path.join(self._directory.name, f"urls-{time.monotonic_ns()}")
        with open(path, "w", encoding="ascii") as file:
            file.writelines(f"{self.server.apns[0]}/3/device/{token}\n" for token in tokens)
        rates = ["--rps", str(rate / connections)] if rate else []
        self._h2load("-n", str(count), "-c", str(connections), "-m", "50", *rates, text=text, urls=path)

    def _h2load(self, *arguments, text, urls=None):
        url = f"{self.server.apns[0]}/3/device/{'ab' * 32}"
        command = ["h2load", *arguments, "-d", self.payload(text), *self._headers, *(["-i", urls] if urls else [url])]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True, timeout=LAST_RESORT)

    def ask(self, method, path, body=None, timeout=LAST_RESORT):
        """Sends one request on a new connection; returns the status and the length of the response."""
        connection = http.client.HTTPConnection(self.host, self.port, timeout=timeout)
        try:
            connection.request(method, path, body, {"Content-Type": "application/json"})
            answer = connection.getresponse()
            length = 0
            while piece := answer.read(1 << 20):
                length += len(piece)
            return answer.status, length
        finally:
            connection.close()


def after(seconds, read, most=None):
    """Reads a figure after so many seconds, or with `most` as soon as it is at most that, however long it takes.

    Returns the figure, and how many seconds it took.
    """
    began = time.monotonic()
    time.sleep(seconds if most is None else 0)
    figure = read()
    while most is not None and figure > most and time.monotonic() - began < LAST_RESORT:
        time.sleep(0.1)
        figure = read()
    return figure, time.monotonic() - began


class Probes:
    """Requests /livez every few milliseconds in the background; `milliseconds` has the response times."""

    def __init__(self, target, pause=0.01, timeout=LAST_RESORT):
        self._target, self._pause, self._timeout = target, pause, timeout
        self.milliseconds, self._is_over = [], threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._is_over.set()
        self._thread.join()

    def _run(self):
        while not self._is_over.is_set():
            started = time.perf_counter()
            try:
                status, _ = self._target.ask("GET", "/livez", timeout=self._timeout)
            except OSError:
                status = 0
            took = (time.perf_counter() - started) * 1_000
            self.milliseconds.append(took if status == 200 else self._timeout * 1_000)
            self._is_over.wait(self._pause)

    def text(self):
        times = self.milliseconds
        return (
            f"/livez of {len(times)}: p50 {percentile(times, 0.5):.1f} ms, p99 {percentile(times, 0.99):.1f} ms, "
            f"max {max(times, default=float('nan')):.1f} ms"
        )


class Background:
    """Calls a function once in each of several threads; `results` has what the calls returned."""

    def __init__(self, count, call):
        self.results = []
        self._threads = [threading.Thread(target=self._run, args=(call,), daemon=True) for _ in range(count)]
        for thread in self._threads:
            thread.start()

    def _run(self, call):
        try:
            self.results.append(call())
        except (OSError, http.client.HTTPException) as error:
            self.results.append(type(error).__name__)

    def wait(self, timeout=LAST_RESORT):
        deadline = time.monotonic() + timeout
        for thread in self._threads:
            thread.join(max(0, deadline - time.monotonic()))
        return not any(thread.is_alive() for thread in self._threads)
