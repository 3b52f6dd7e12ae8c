"""Runs mock-apns as a process and calls its API; shared by the interop tests, the bench and scripts/chaos."""

import json
import os
import queue
import re
import signal
import subprocess
import tempfile
import threading
import time
import urllib.error
import urllib.request

READY = re.compile(
    r"^mock-apns ready apns=(?P<apns>\S+) api=(?P<api>\S+) ca=(?P<ca>\S+) "
    r"pid=(?P<pid>\d+) version=(?P<version>\S+)(?: gateway=\S+)?(?: feedback=\S+)?$"
)

# How long a client waits for an answer, in seconds. It decides nothing: it only ends what hangs, also on a machine that is
# busy with other things.
LAST_RESORT = 240
# The servers that run now, for whoever wants to know what they are doing.
RUNNING = []

# The server is local, so proxies are ignored.
DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class ServerError(Exception):
    """The server did not behave as documented."""


class Server:
    """A server that runs within a block: `with Server(binary, certs_dir, "--strict") as server`."""

    def __init__(self, binary, certs_dir, *flags, prefix=(), environment=None, timeout=LAST_RESORT):
        """`prefix` is a command that starts the program, such as taskset or chroot."""
        self.program = [*prefix, binary]
        self.certs_dir = certs_dir
        self.timeout = timeout
        self._command = [*self.program, "serve", "--certs-dir", certs_dir, "--api-listen", "127.0.0.1:0", *flags]
        # Settings in the caller's environment must not affect the server under test.
        inherited = {k: v for k, v in os.environ.items() if not k.startswith("MOCK_APNS_")}
        self._environment = {**inherited, **(environment or {})}
        self._lines = queue.Queue()
        self._process = None
        self.is_ready = False
        self.is_shown = False  # whether a failure has shown what its threads do
        self.stdout_lines = []

    def __enter__(self):
        self._log = tempfile.TemporaryFile(mode="w+", encoding="utf-8", errors="replace")
        started = time.perf_counter()
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=self._log,
            env=self._environment, text=True, errors="replace",
        )
        RUNNING.append(self)
        self._reader = threading.Thread(target=self._read_stdout, daemon=True)
        self._reader.start()
        try:
            self._wait_until_ready(started)
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, *_):
        RUNNING.remove(self)
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._reader.join()
        self._process.stdout.close()
        self._log.close()

    def _read_stdout(self):
        for line in self._process.stdout:
            self._lines.put((time.perf_counter(), line.rstrip("\n")))
        self._lines.put((time.perf_counter(), None))

    def _wait_until_ready(self, started):
        try:
            arrived, line = self._lines.get(timeout=self.timeout)
        except queue.Empty:
            raise ServerError(f"expected the ready line within {self.timeout} s, saw none\n{self.log()}") from None
        ready = READY.match(line or "")
        if not ready:
            if line is None:  # stdout is closed, so the process has ended or is about to
                line = f"the end, exit code {self._process.wait(self.timeout)}"
            raise ServerError(f"expected a ready line, saw {line}\n{self.log()}")
        self.is_ready = True
        self.stdout_lines.append(line)
        self.seconds_to_ready = arrived - started
        self.apns = ready["apns"].split(",")
        self.api = ready["api"]
        self.ca = ready["ca"]
        self.pid = int(ready["pid"])
        self.version = ready["version"]

    @property
    def process_id(self):
        """The process that was started; `pid` is what it calls itself."""
        return self._process.pid

    def log(self):
        """Returns what the server has written to stderr."""
        self._log.seek(0)
        return self._log.read()

    def stop(self, timeout=LAST_RESORT):
        """Sends SIGTERM; returns the exit code and how many seconds the server took to end."""
        started = time.perf_counter()
        self._process.send_signal(signal.SIGTERM)
        try:
            code = self._process.wait(timeout=timeout)
        except subprocess.TimeoutExpired:
            raise ServerError(f"expected an end within {timeout} s of SIGTERM, saw it run on\n{self.log()}") from None
        seconds = time.perf_counter() - started
        self._reader.join()
        while not self._lines.empty():
            _, line = self._lines.get()
            if line is not None:
                self.stdout_lines.append(line)
        return code, seconds

    def get(self, path):
        """Returns the text of an API response; raises an error if the status is not 200."""
        try:
            with DIRECT.open(self.api + path, timeout=LAST_RESORT) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as error:
            raise ServerError(f"expected 200 from GET {path}, saw {error.code}: {error.read().decode()}") from None

    def get_json(self, path):
        return json.loads(self.get(path))

    def token(self, *flags):
        """Returns a provider token signed with the development key."""
        code, out, problems = self.run("token", "--certs-dir", self.certs_dir, *flags)
        if code != 0:
            raise ServerError(f"expected exit code 0 of mock-apns token, saw {code}: {problems}")
        return out.strip()

    def run(self, *arguments):
        """Runs another command of the same program; returns the exit code, stdout and stderr."""
        ended = subprocess.run(
            [*self.program, *arguments], capture_output=True, text=True, env=self._environment, timeout=LAST_RESORT, check=False
        )
        return ended.returncode, ended.stdout, ended.stderr
