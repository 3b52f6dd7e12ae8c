"""Servers with --data that are killed under load; a checker that is not the server compares what clients were told."""

import os

from report import expect_that, run_long

HERE = os.path.dirname(os.path.abspath(__file__))
CHAOS = os.path.join(HERE, "..", "..", "scripts", "chaos")
ROUNDS = "5"
LONG = 300


def keeping_cases(context):
    binary = context.server.program[-1]
    for sync in ("normal", "full"):
        with context.report.case(f"keeping: {ROUNDS} kills with --sync {sync} lose nothing that was acknowledged", long=LONG):
            status, output = run_long(
                [CHAOS, "data", "--rounds", ROUNDS, "--sync", sync], env={**os.environ, "MOCK_APNS": binary},
            )
            expect_that(status == 0, "scripts/chaos", "nothing lost", output)
