"""Several servers with one world, parts of which fail; a checker that is not the servers compares what clients were told."""

import os

from report import expect_that, run_long

HERE = os.path.dirname(os.path.abspath(__file__))
CHAOS = os.path.join(HERE, "..", "..", "scripts", "chaos")
RUNS = [
    # One round for each kind of failure.
    ("cluster: what fails under load loses nothing that was acknowledged", ["cluster", "--rounds", "6"]),
    ("cluster: a change on one replica counts for pushes on the others", ["pairs", "--count", "500"]),
    ("cluster: a device offline here and online there; faults with a limit", ["stories"]),
]
LONG = 600


def cluster_cases(context):
    binary = context.server.program[-1]
    for name, arguments in RUNS:
        with context.report.case(name, long=LONG):
            status, output = run_long([CHAOS, *arguments], env={**os.environ, "MOCK_APNS": binary})
            expect_that(status == 0, f"scripts/chaos {' '.join(arguments)}", "no problems", output)
