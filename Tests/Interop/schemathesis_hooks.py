"""Loaded by schemathesis: shows what the server's threads do while a request has no answer.

The server's process is $SERVER_PID. schemathesis itself gives up after its --request-timeout.
"""

import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "scripts", "support"))

import schemathesis  # noqa: E402
from stacks import stacks  # noqa: E402

# After so many seconds without an answer; the slowest request takes a second or two.
LONG = 30

_waiting = {}  # the timer of each thread that waits for an answer
_shown = []


def _show(request):
    if not _shown:
        _shown.append(request)
        print(f"--- {request} has no answer after {LONG} s; the server's threads ---", file=sys.stderr)
        print(f"{stacks(int(os.environ['SERVER_PID']))}---", file=sys.stderr, flush=True)


def _end():
    if timer := _waiting.pop(threading.get_ident(), None):
        timer.cancel()


@schemathesis.hook
def before_call(context, case, kwargs):
    _end()  # of a call that ended without an answer
    timer = threading.Timer(LONG, _show, (f"{case.method} {case.formatted_path}",))
    timer.daemon = True
    _waiting[threading.get_ident()] = timer
    timer.start()


@schemathesis.hook
def after_call(context, case, response):
    _end()
