"""One line for every case, a count at the end."""

import contextlib
import os
import subprocess
import sys
import threading
import time

import mock_apns
from stacks import stacks

# A case that takes longer than this, in seconds, has the stacks of its servers printed. It goes on.
LONG = 120
# The same for a case that builds a client.
BUILDING = 1_800
# scripts/support/within.sh reads here what is running; every line is progress.
EVENTS = os.environ.get("TEST_EVENTS")


class Mismatch(Exception):
    """What was expected is not what was seen."""

    def __init__(self, what, expected, seen):
        super().__init__(f"expected {what} {expected!r}, saw {seen!r}")


def expect(what, expected, seen):
    """Both must be equal."""
    if expected != seen:
        raise Mismatch(what, expected, seen)


def expect_that(holds, what, expected, seen):
    """A condition that is not plain equality."""
    if not holds:
        raise Mismatch(what, expected, seen)


def say(line):
    """Prints a line in one piece: several processes print at a time."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def tell(event, text):
    """Adds a line to the events of the run, if somebody wants them."""
    if EVENTS:
        with open(EVENTS, "a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(f"{event}\t{text}\n")


def run_long(command, **options):
    """Runs a program that takes minutes, like a build: each line that it prints is progress of the tests.

    Returns the exit code and what it printed to stdout and stderr.
    """
    lines = []
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="backslashreplace", **options,
    ) as process:
        try:
            for line in process.stdout:
                lines.append(line)
                tell("output", line.rstrip("\n"))
        except BaseException:
            process.terminate()  # it may have processes of its own to end
            raise
    return process.returncode, "".join(lines)


class Report:
    """Prints and counts cases."""

    def __init__(self):
        self.passed = 0
        self.failed = 0
        self.seconds = []  # how long each case took, with its name

    @contextlib.contextmanager
    def case(self, name, long=LONG):
        """Everything expected within the block is one case; it ends at the first mismatch.

        `long` is how many seconds it may take before somebody should look at what the servers are doing.
        """
        tell("started", name)
        watchdog = threading.Timer(long, _show_servers, (f"{name} has not ended after {long} s",))
        watchdog.daemon = True
        watchdog.start()
        began = time.monotonic()
        try:
            yield
        except FileNotFoundError as error:
            self._fail(name, f"expected {error.filename} to be there, saw nothing; run scripts/setup test")
        except subprocess.TimeoutExpired as error:
            self._fail(name, f"expected {error.cmd[0]} to end within {error.timeout} s, saw it run on")
        except Exception as error:  # noqa: BLE001 - one broken case must not hide the others
            kind = "" if isinstance(error, Mismatch) else f"{type(error).__name__}: "
            self._fail(name, f"{kind}{error}")
        else:
            self.passed += 1
            say(f"ok   {name}")
        finally:
            watchdog.cancel()
            self.seconds.append((time.monotonic() - began, name))
            tell("ended", name)

    def _fail(self, name, why):
        self.failed += 1
        say(f"FAIL {name}: {why}")

    def add(self, passed, failed, seconds):
        """Counts the cases of another process."""
        self.passed += passed
        self.failed += failed
        self.seconds += seconds

    def print_times(self, count=20):
        """Prints the slowest cases."""
        for seconds, name in sorted(self.seconds, reverse=True)[:count]:
            print(f"{seconds:7.1f} s  {name}")

    def summary(self):
        """Prints the closing line; returns the exit code."""
        sys.stderr.flush()
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return 1 if self.failed else 0


def _show_servers(why):
    """Prints what the servers that run are doing, once for each."""
    for server in [server for server in mock_apns.RUNNING if not server.is_shown]:
        server.is_shown = True
        print(f"--- {why}; the server's threads ---\n{stacks(server.process_id)}---", file=sys.stderr, flush=True)
