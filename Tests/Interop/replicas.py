"""Several servers with one world, parts of which fail; a checker that is not the servers compares what clients were told."""

import os
import subprocess

from report import expect_that

HERE = os.path.dirname(os.path.abspath(__file__))
CHAOS = os.path.join(HERE, "..", "..", "scripts", "chaos")
RUNS = [
    # One round for each kind of failure.
    ("cluster: what fails under load loses nothing that was acknowledged", ["cluster", "--rounds", "6"]),
    ("cluster: a change on one replica counts for pushes on the others", ["pairs", "--count", "500"]),
    ("cluster: a device offline here and online there; faults with a limit", ["stories"]),
]
PATIENCE = 150


def cluster_cases(context):
    binary = context.server.program[-1]
    for name, arguments in RUNS:
        with context.report.case(name):
            # Its own clean-up needs a moment more than PATIENCE if it is terminated.
            process = subprocess.Popen(
                [CHAOS, *arguments], env={**os.environ, "MOCK_APNS": binary}, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
            )
            try:
                out, _ = process.communicate(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                process.terminate()
                out, _ = process.communicate(timeout=60)
            expect_that(process.returncode == 0, f"scripts/chaos {' '.join(arguments)}", "no problems", out)
