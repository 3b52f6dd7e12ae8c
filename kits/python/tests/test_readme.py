"""The code of the README is run."""

import asyncio
import json
import os
import re
import time
import unittest
from pathlib import Path

import pytest

from mock_apns import MockAPNs
from provider import START, post

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
RIDE = (Path(__file__).parents[3] / "docs" / "live-activities.md").read_text(encoding="utf-8")


class Provider:
    """Finds the server by variables."""

    def __init__(self, environment):
        self.environment, self.clock = environment, None


def order_shipped(order, token, environment=os.environ):
    """The provider of the README."""
    payload = {"aps": {"alert": {"title": "Order shipped"}}, "orderID": str(order)}
    post(Provider(environment), f"/3/device/{token}", payload, None, {"apns-topic": "com.example.app", "apns-push-type": "alert"})


def push_ride(event, token, minutes):
    """The provider of the ride in the README."""
    aps = {"event": event, "timestamp": int(time.time()), "content-state": {"minutes": minutes}}
    if event == "start":
        aps.update(START)
    post(Provider(os.environ), f"/3/device/{token}", {"aps": aps}, None, {
        "apns-topic": "com.example.rides.push-type.liveactivity", "apns-push-type": "liveactivity", "apns-priority": 10})


for block in re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE):
    exec(block)  # defines tests in this module


def test_ride_is_that_of_the_documentation():
    block, = re.findall(r"^```python\n(.*?)^```", RIDE, re.DOTALL | re.MULTILINE)
    assert block in README


async def waiting(mock_apns, phone):
    sending = asyncio.to_thread(order_shipped, 17, phone.token)
    await asyncio.gather(sending, asyncio.to_thread(mock_apns.expect, to=phone, within=30))


def test_async(mock_apns):
    asyncio.run(waiting(mock_apns, mock_apns.phone("com.example.app")))


def test_workers_of_xdist_share_one_server(pytester):
    pytest.importorskip("xdist")
    pytester.makepyfile("""
        import json, os, pathlib, pytest

        @pytest.mark.parametrize("number", range(4))
        def test_url(mock_apns, number):
            worker = os.environ["PYTEST_XDIST_WORKER"]
            pathlib.Path(f"{worker}-{number}.json").write_text(json.dumps([worker, os.environ["MOCK_APNS_API_URL"], mock_apns.port]))
    """)
    result = pytester.runpytest_subprocess("-p", "mock_apns.pytest_plugin", "-n", "2", "--dist", "each")
    result.assert_outcomes(passed=8)
    seen = [json.loads(file.read_text()) for file in Path(pytester.path).glob("*.json")]
    assert len({url for _, url, _ in seen}) == 1
    assert len({port for *_, port in seen}) == 8


def test_attachments_that_cannot_be_saved(pytester, monkeypatch):
    pytester.makepyfile("def test_shipped(mock_apns): assert False")
    monkeypatch.setenv("MOCK_APNS_ATTACHMENTS", "/proc/nowhere")
    result = pytester.runpytest_subprocess("-p", "mock_apns.pytest_plugin")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["its pushes could not be saved: *"])
