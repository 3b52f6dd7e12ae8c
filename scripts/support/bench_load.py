"""What the measurements of scripts/bench share: the two servers, the load and figures of a process."""

import contextlib
import http.client
import json
import os
import re
import secrets
import socket
import statistics
import subprocess
import sys
import time

from mock_apns import Server

DEVICES = 1_000
PAYLOAD_BYTES = 150
CONNECTIONS, STREAMS = 8, 100


def fail(message):
    sys.exit(f"bench: {message}")


def progress(text):
    print(f"bench: {text}", file=sys.stderr, flush=True)


def spread(values):
    return f"{statistics.median(values):.2f} ({min(values):.2f} … {max(values):.2f})"


# --- measurements of a process -------------------------------------------------------------------------------


def cpu_seconds(pid):
    """User and system time of a process so far, in nanoseconds' precision, also of threads that have ended."""
    # The clock of a process, as clock_getcpuclockid(3) composes its number.
    return time.clock_gettime((~pid << 3) | 2)


def memory_mb(pid, kind):
    """VmRSS (now) or VmHWM (peak), in MB of 10^6 bytes."""
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        found = re.search(rf"^{kind}:\s+(\d+) kB", file.read(), re.MULTILINE)
    return int(found[1]) * 1_024 / 1e6


# --- the two servers ---------------------------------------------------------------------------------------------


class NgHTTPD:
    """nghttpd with a file for every device and the same certificate."""

    def __init__(self, setting, environment=None, timeout=10):
        self._setting = setting
        self._timeout = timeout
        self._environment = {**os.environ, **(environment or {})}

    def __enter__(self):
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        certs = self._setting.certs
        self._process = subprocess.Popen(
            [
                *self._setting.server_core, "nghttpd", "-n", "1", "-a", "127.0.0.1", "-d", self._setting.docroot,
                str(port), os.path.join(certs, "server-key.pem"), os.path.join(certs, "server.pem"),
            ],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=self._environment,
        )
        self.pid = self._process.pid
        self.url = f"https://127.0.0.1:{port}"
        self._wait_until_it_listens(port)
        return self

    def _wait_until_it_listens(self, port):
        """nghttpd prints nothing when it is ready, so this waits until a connection succeeds."""
        deadline = time.monotonic() + self._timeout
        while time.monotonic() < deadline and self._process.poll() is None:
            with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                return
            time.sleep(0.01)
        self._process.kill()
        fail(f"expected nghttpd to listen, saw: {self._process.communicate()[1].decode()}")

    def __exit__(self, *_):
        self._process.kill()
        self._process.communicate()


class MockAPNs:
    """mock-apns with all features, on one thread."""

    def __init__(self, setting, *flags, environment=None, pinned=True, timeout=30):
        prefix = setting.server_core if pinned else ()
        self._api, self._asked = None, 0
        self._server = Server(
            setting.binary, setting.certs, "--apns-listen", "127.0.0.1:0", "--threads", "1", *flags,
            prefix=prefix, environment=environment, timeout=timeout,
        )

    def __enter__(self):
        server = self._server.__enter__()
        self.pid, self.url, self.version = server.pid, server.apns[0], server.version
        self.seconds_to_ready = server.seconds_to_ready
        return self

    def __exit__(self, *exception):
        self._server.__exit__(*exception)

    def token(self):
        return self._server.token()

    def api(self, method, path, body):
        """Sends a request to the debug API on a persistent connection."""
        if time.monotonic() - self._asked > 20:  # the server closes idle connections
            self._api = None
        self._asked = time.monotonic()
        if self._api is None:
            self._api = http.client.HTTPConnection(self._server.api.removeprefix("http://"), timeout=60)
        self._api.request(method, path, body, {"Content-Type": "application/json"})
        answer = self._api.getresponse()
        text = answer.read()
        if answer.status // 100 != 2:
            fail(f"expected success of {method} {path}, saw {answer.status} {text[:500]}")
        return json.loads(text) if text else None

    def stop(self):
        self._server.stop()

    def digest(self):
        return self._server.get_json("/api/v1/state/digest")["digest"]

    def check_counters(self, pushes):
        """Checks that every measured push was accepted and recorded."""
        counters = self._server.get_json("/api/v1/info")["counters"]
        seen = tuple(counters[name] for name in ("pushesReceived", "pushesAccepted", "pushesRejected"))
        if seen != (pushes, pushes, 0):
            fail(f"expected {(pushes, pushes, 0)} pushes received, accepted, rejected, saw {seen}")


# --- the load ----------------------------------------------------------------------------------------------------


class Setting:
    """The files, cores and sizes that all measurements share."""

    def __init__(self, directory, binary, quick):
        self.directory = directory
        self.binary = binary
        self.certs = os.path.join(directory, "certs")
        self.docroot = os.path.join(directory, "docroot")
        self.quick = quick
        self.rounds, self.pushes = (3, 60_000) if quick else (7, 400_000)
        self.warm_up = self.pushes // 10
        self.flat = (50_000, 150_000) if quick else (200_000, 600_000)
        self.many = 100_000 if quick else 1_000_000
        self.cores = sorted(os.sched_getaffinity(0))
        apart = len(self.cores) > 1
        self.load_core = ("taskset", "-c", str(self.cores[0])) if apart else ()
        self.server_core = ("taskset", "-c", str(self.cores[1])) if apart else ()
        self._write_files()

    def _write_files(self):
        devices = [secrets.token_hex(32) for _ in range(DEVICES)]
        folder = os.path.join(self.docroot, "3", "device")
        os.makedirs(folder)
        for device in devices:
            open(os.path.join(folder, device), "w", encoding="ascii").close()
        self.uris = os.path.join(self.directory, "uris")
        with open(self.uris, "w", encoding="ascii") as file:
            file.writelines(f"https://127.0.0.1/3/device/{device}\n" for device in devices)
        self.payload = os.path.join(self.directory, "payload")
        frame = '{"aps":{"alert":{"title":"Bench","body":"%s"},"badge":3,"sound":"default"}}'
        with open(self.payload, "w", encoding="ascii") as file:
            file.write(frame % ("x" * (PAYLOAD_BYTES - len(frame) + 2)))

    def use_token(self, token):
        self.headers = (
            f"authorization: bearer {token}", "apns-topic: com.example.app", "apns-push-type: alert",
            "apns-priority: 10", f"apns-expiration: {int(time.time()) + 3_600}", "apns-collapse-id: match-42",
        )

    def load(
        self, url, pushes, uris=None, connections=CONNECTIONS, streams=STREAMS, *options, headers=None, payload=None,
    ):
        """Sends pushes, which must all get 200, and returns the pushes per second.

        `headers` replaces those of a typical push, and `payload` is the path of another body.
        """
        headers = [part for header in headers or self.headers for part in ("-H", header)]
        ended = subprocess.run(
            [
                *self.load_core, "h2load", "-c", str(connections), "-m", str(streams), "-n", str(pushes),
                "-B", url, "-i", uris or self.uris, "-d", payload or self.payload, *headers, *options,
            ],
            capture_output=True, text=True, check=False,
        )
        text = ended.stdout
        rate = re.search(r"^finished in \S+, ([\d.]+) req/s", text, re.MULTILINE)
        codes = re.search(r"^status codes: (\d+) 2xx", text, re.MULTILINE)
        if ended.returncode != 0 or not rate or not codes or int(codes[1]) != pushes:
            fail(f"expected {pushes} answers 200 of {url}, saw: {text}{ended.stderr}")
        return float(rate[1])
