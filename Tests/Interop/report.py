"""One line for every case, a count at the end."""

import contextlib
import subprocess
import sys


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


class Report:
    """Prints and counts cases."""

    def __init__(self):
        self.passed = 0
        self.failed = 0

    @contextlib.contextmanager
    def case(self, name):
        """Everything expected within the block is one case; it ends at the first mismatch."""
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
            print(f"ok   {name}", flush=True)

    def _fail(self, name, why):
        self.failed += 1
        print(f"FAIL {name}: {why}", flush=True)

    def summary(self):
        """Prints the closing line; returns the exit code."""
        sys.stderr.flush()
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        return 1 if self.failed else 0
