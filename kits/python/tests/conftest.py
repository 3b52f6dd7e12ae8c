"""Reports each story of kits/stories.json in a line, and leaves out those that are for another way to have a server."""

import json
import os
from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

STORIES = json.loads((Path(__file__).parents[2] / "stories.json").read_text(encoding="utf-8"))["stories"]
MODE = os.environ.get("KIT_MODE", "own")
outcomes = {}


def story(name):
    """The identifier of a test's story."""
    return name.removeprefix("test_").replace("_", "-")


def pytest_collection_modifyitems(items):
    modes = {story["id"]: story["mode"] for story in STORIES if "mode" in story}
    for item in items:
        if modes.get(story(item.name), MODE) != MODE:
            item.add_marker(pytest.mark.skip(reason=f"is not for the mode {MODE}"))


def pytest_runtest_logreport(report):
    name = story(report.nodeid.rpartition("::")[2])
    if report.failed:
        outcomes[name] = "FAIL"
    elif report.when == "call" and report.passed:
        outcomes[name] = "ok  "


def pytest_terminal_summary(terminalreporter):
    for name, outcome in outcomes.items():
        terminalreporter.write_line(f"{outcome} kit python {MODE}: {name}")
