"""Servers with --data that are killed under load; a checker that is not the server compares what clients were told."""

import os
import subprocess

from report import expect_that

HERE = os.path.dirname(os.path.abspath(__file__))
CHAOS = os.path.join(HERE, "..", "..", "scripts", "chaos")
ROUNDS = "5"
PATIENCE = 150


def keeping_cases(context):
    binary = context.server.program[-1]
    for sync in ("normal", "full"):
        with context.report.case(f"keeping: {ROUNDS} kills with --sync {sync} lose nothing that was acknowledged"):
            ended = subprocess.run(
                [CHAOS, "data", "--rounds", ROUNDS, "--sync", sync], env={**os.environ, "MOCK_APNS": binary},
                capture_output=True, text=True, timeout=PATIENCE, check=False,
            )
            expect_that(ended.returncode == 0, "scripts/chaos", "nothing lost", ended.stdout + ended.stderr)
