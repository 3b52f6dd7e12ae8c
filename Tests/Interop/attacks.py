"""Floods, and short forms of scripts/attacks, whose goals must hold for the server under test."""

import os
import sys

from floods import flood_cases
from report import Mismatch, run_long

ATTACKS = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "scripts", "attacks")

CASES = [
    ("a server out of descriptors waits, says so once, and serves afterwards", "descriptors", "--enforce"),
    (
        "300 idle TLS connections cost little, and give it back", "idle-connections",
        "--connections", "300", "--enforce", "--most-kib", "45", "--most-left", "1.5",
    ),
    ("200 namespaces that are kept need few open files", "namespaces", "--count", "200", "--files", "128"),
    (
        "300 event streams that nobody reads cost little, and give it back", "listeners",
        "--listeners", "300", "--enforce", "--most-kb", "150", "--most-left", "1.5",
    ),
    # The time of a push depends on what else the machine does.
    (
        "5,000 phones on one stream and 300 with a stream of their own cost little, and get every push", "phones",
        "--phones", "5000", "--streams", "300", "--rate", "500", "--seconds", "2", "--enforce", "--most-kb", "40",
        "--most-ms", "60000",
    ),
]
LONG = 300


def attack_cases(context):
    """Each starts a server of its own."""
    flood_cases(context, context.server.program[-1])
    for name, script, *flags in CASES:
        with context.report.case(name, long=LONG):
            command = [sys.executable, os.path.join(ATTACKS, script), "--binary", context.server.program[-1], *flags]
            status, output = run_long(command)
            if status != 0:
                raise Mismatch(f"exit code of {script}", 0, f"{status}: {output}")
