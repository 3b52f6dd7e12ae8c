#!/usr/bin/env python3
"""What the threads of a process are doing, for the report of a test that got no answer.

    scripts/support/stacks.py PID...      prints the stacks of these processes
    scripts/support/stacks.py --below PID the same for the servers and Swift tests among its descendants
"""

import collections
import os
import re
import shutil
import subprocess
import sys

# How long one look may take, in seconds: it must not hang like what it looks at.
TIMEOUT = 60
FRAME = re.compile(r"^#\d+ +(?:0x[0-9a-f]+ )?(?:in )?(.*)$")
THREAD = re.compile(r"^TID (\d+):|^Thread \d+ \(.*?LWP (\d+)\)?")
# The programs that --below looks at, by the beginnings of their names.
PROGRAMS = ("mock-apns", "swiftpm-testing", "swift-testing", "MockAPNs", "xctest")


def _output(command, text=None):
    try:
        return subprocess.run(
            command, input=text, capture_output=True, text=True, errors="replace", timeout=TIMEOUT, check=False
        ).stdout
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]}: {error}\n"


def _traced(pid):
    """The output of a program that reads stacks; empty without one, or if it may not look."""
    commands = {
        "eu-stack": ["eu-stack", "-p", str(pid)],
        "gdb": ["gdb", "-batch", "-nx", "-p", str(pid), "-ex", "thread apply all bt"],
    }
    for name, command in commands.items():
        if shutil.which(name) and "#0" in (text := _output(command)):
            return text
    return ""


def _read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read().strip("\0\n")
    except OSError as error:
        return f"({error.strerror})"


def _threads(pid):
    """The threads of a process: {thread: the names of its frames}."""
    threads, frames = {}, []
    for line in _traced(pid).splitlines():
        if found := THREAD.match(line):
            frames = threads.setdefault(int(found[1] or found[2]), [])
        elif found := FRAME.match(line):
            frames.append(found[1])
    return threads


def _asked_of_the_kernel(pid):
    """What the kernel says where no program can read stacks: the system call of each thread."""
    tasks = sorted(map(int, os.listdir(f"/proc/{pid}/task")))
    return {
        task: [f"{name}: {_read(f'/proc/{pid}/task/{task}/{name}')}" for name in ("wchan", "syscall", "stack")]
        for task in tasks
    }


def stacks(pid):
    """The stacks of all threads of a process as text; threads with the same stack are shown once."""
    try:
        threads = _threads(pid) or _asked_of_the_kernel(pid)
    except OSError as error:
        return f"no stacks of process {pid}: {error.strerror}\n"
    alike = collections.defaultdict(list)
    for thread, frames in threads.items():
        alike[tuple(frames)].append(f"{thread} ({_read(f'/proc/{pid}/task/{thread}/comm')})")
    lines = [f"process {pid}: {_read(f'/proc/{pid}/cmdline').replace(chr(0), ' ')}"]
    for frames, names in alike.items():
        lines += [f"  {', '.join(names)}", *(f"    {frame}" for frame in frames)]
    text = "\n".join(lines) + "\n"
    if shutil.which("swift"):
        text = _output(["swift", "demangle", "--simplified"], text) or text
    return text


def _below(pid):
    """The descendants of a process that are worth a look."""
    for child in _output(["pgrep", "-P", str(pid)]).split():
        yield from _below(child)
        if _read(f"/proc/{child}/comm").startswith(PROGRAMS):
            yield child


def main(arguments):
    pids = _below(arguments[1]) if arguments[0] == "--below" else arguments
    for pid in pids:
        print(stacks(int(pid)), end="", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
