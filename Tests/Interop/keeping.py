"""Servers with --data that are killed under load, or whose files go; a checker that is not the server compares what clients
were told."""

import contextlib
import os
import tempfile

from acknowledged import Provider, tls
from mock_apns import DIRECT, LAST_RESORT, Server
from processes import until
from report import expect, expect_that, run_long

HERE = os.path.dirname(os.path.abspath(__file__))
SCRIPTS = os.path.join(HERE, "..", "..", "scripts")
ROUNDS = "5"
LONG = 300
SOAK_MINUTES = 3
DEVICE = "ab" * 32
LOSSES = ["default.sqlite", "default.sqlite-wal", "lock"]


def is_ready(server):
    with contextlib.suppress(OSError):  # 503 is an error of urllib
        with DIRECT.open(server.api + "/readyz", timeout=LAST_RESORT):
            return True
    return False


def loss_case(binary, directory, name):
    """A file goes, and comes back: the server says so, refuses pushes meanwhile, and goes on."""
    data = os.path.join(directory, f"data-{name}")
    server = Server(
        binary, os.path.join(directory, "certs"), "--apns-listen", "127.0.0.1:0", "--data", data,
        "--unknown-tokens", "accept",
    )
    with server:
        host, port = server.apns[0].rsplit("/", 1)[-1].rsplit(":", 1)
        provider = Provider((host, int(port)), server.token(), tls(server.ca))
        expect("push", 200, provider.push(DEVICE)[0])
        lost = os.path.join(data, name)
        os.rename(lost, f"{lost}.away")
        until(lambda: not is_ready(server), f"/readyz to say that {name} is gone")
        status, _, body = provider.push(DEVICE)
        expect("push without the file", (503, True), (status, "ServiceUnavailable" in body))
        lines = [line for line in server.log().splitlines() if lost in line]
        expect("lines on stderr", 1, len(lines))
        expect_that("restart mock-apns" in lines[0], "the line", "how to go on", lines[0])
        os.rename(f"{lost}.away", lost)
        until(lambda: is_ready(server), "a server that goes on with its file")
        expect("push with the file", 200, provider.push(DEVICE)[0])
        provider.close()
        expect("exit code", 0, server.stop()[0])
        code, out, problem = server.run("data", "check", data)
        expect_that(code == 0, "mock-apns data check", "no damage", f"{out} {problem}")


def keeping_cases(context):
    binary = context.server.program[-1]
    for sync in ("normal", "full"):
        with context.report.case(f"keeping: {ROUNDS} kills with --sync {sync} lose nothing that was acknowledged", long=LONG):
            status, output = run_long(
                [os.path.join(SCRIPTS, "chaos"), "data", "--rounds", ROUNDS, "--sync", sync], env={**os.environ, "MOCK_APNS": binary},
            )
            expect_that(status == 0, "scripts/chaos", "nothing lost", output)
    with tempfile.TemporaryDirectory(prefix="mock-apns-keeping-") as directory:
        for name in LOSSES:
            with context.report.case(f"keeping: a server whose {name} is gone refuses pushes until it is back", long=LONG):
                loss_case(binary, directory, name)


def soak_cases(context):
    binary = context.server.program[-1]
    with context.report.case(f"soak: {SOAK_MINUTES} minutes of everything, with right answers and flat memory", long=2 * LONG):
        status, output = run_long([os.path.join(SCRIPTS, "soak"), "--minutes", str(SOAK_MINUTES), "--binary", binary])
        expect_that(status == 0, "scripts/soak", "flat memory, no problems", output)
