"""Processes that outlive the script that started them, and that a later run can find and stop."""

import os
import pwd
import signal
import subprocess
import time

from mock_apns import LAST_RESORT


class ProcessError(Exception):
    """A program failed or did not do what was expected."""


def account():
    """Returns the user for programs that refuse to run as root; None unless this script runs as root."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise ProcessError("expected the user postgres or nobody: PostgreSQL does not run as root")


def as_user(user):
    """Returns the arguments for subprocess that run a program as a user."""
    return {} if user is None else {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


def run(command, user=None, timeout=LAST_RESORT):
    """Runs a program, waits for its end, and returns its output."""
    try:
        ended = subprocess.run(
            command, capture_output=True, text=True, cwd="/", timeout=timeout, check=False, **as_user(user)
        )
    except subprocess.TimeoutExpired:
        raise ProcessError(f"{command[0]} took longer than {timeout} s") from None
    if ended.returncode != 0:
        raise ProcessError(f"{command[0]} ended with {ended.returncode}: {ended.stderr.strip() or ended.stdout.strip()}")
    return ended.stdout


def until(holds, what, timeout=LAST_RESORT, pause=0.02):
    """Waits until `holds` returns a true value, and returns that value."""
    deadline = time.monotonic() + timeout
    while not (value := holds()):
        if time.monotonic() > deadline:
            raise ProcessError(f"expected {what} within {timeout} s")
        time.sleep(pause)
    return value


def started_at(pid):
    """When a process was started, or None if it has ended; tells it from a later process with the same ID."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return None if fields[0] == "Z" else fields[19]
    except FileNotFoundError:
        if os.path.exists("/proc/self/stat"):
            return None
    shown = subprocess.run(
        ["ps", "-o", "stat=,lstart=", "-p", str(pid)], capture_output=True, text=True, check=False,
        env={**os.environ, "LC_ALL": "C"},
    ).stdout.split(None, 1)
    return shown[1].strip() if len(shown) == 2 and not shown[0].startswith("Z") else None


class Detached:
    """A process whose ID is in DIRECTORY/NAME.pid, and whose output is in DIRECTORY/NAME.log."""

    def __init__(self, directory, name):
        self.name, self.log = name, os.path.join(directory, f"{name}.log")
        self._pid_file = os.path.join(directory, f"{name}.pid")
        self._child = None  # only if this script started it

    def start(self, command, user=None, environment=None):
        if self.pid():
            raise ProcessError(f"{self.name} is already running, with the process ID {self.pid()}")
        with open(self.log, "ab") as log:
            self._child = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", env=environment,
                start_new_session=True, **as_user(user),
            )
        with open(self._pid_file, "w", encoding="ascii") as file:
            file.write(f"{self._child.pid} {started_at(self._child.pid)}\n")

    def pid(self):
        """Returns the process ID; None if it is not running."""
        if self._child is not None:
            self._child.poll()  # so that it does not stay a zombie
        try:
            with open(self._pid_file, encoding="ascii") as file:
                pid, started = file.read().split(None, 1)
        except (FileNotFoundError, ValueError):
            return None
        return int(pid) if started_at(pid) == started.strip() else None

    def send(self, number):
        if pid := self.pid():
            os.kill(pid, number)

    def end(self, number=signal.SIGTERM, timeout=LAST_RESORT):
        """Sends a signal, waits for the end, and kills the process if it takes too long. Returns whether it was killed."""
        self.send(number)
        try:
            until(lambda: not self.pid(), f"the end of {self.name}", timeout)
            is_killed = number == signal.SIGKILL
        except ProcessError:
            is_killed = True
            self.send(signal.SIGKILL)
            until(lambda: not self.pid(), f"the end of {self.name}", timeout)
        if os.path.exists(self._pid_file):
            os.remove(self._pid_file)
        return is_killed

    def expect_running(self):
        """Returns True if the process runs, or else raises an error with the end of its log."""
        if not self.pid():
            raise ProcessError(f"{self.name} has ended; last lines of {self.log}:\n{self.last_lines()}")
        return True

    def last_lines(self, count=15):
        try:
            with open(self.log, encoding="utf-8", errors="replace") as file:
                return "".join(file.readlines()[-count:]).rstrip()
        except FileNotFoundError:
            return ""
