"""The fixture `mock_apns`."""

import contextlib
import os
from typing import Any, Iterator

import pytest

from ._mock import MockAPNs
from ._server import MockAPNsError, Server


@pytest.fixture
def mock_apns(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[MockAPNs]:
    """A mock APNs for this test, which is gone afterwards. The variables MOCK_APNS_… lead to it during the test."""
    __tracebackhide__ = True
    with MockAPNs(request.node.name) as apns:
        for name, value in apns.environment.items():
            monkeypatch.setenv(name, value)
        yield apns


def pytest_runtest_makereport(item: pytest.Item, call: "pytest.CallInfo[None]") -> None:
    """Saves the pushes of a test that failed, where MOCK_APNS_ATTACHMENTS says."""
    apns = getattr(item, "funcargs", {}).get("mock_apns")
    if isinstance(apns, MockAPNs) and call.when == "call" and call.excinfo:
        if not call.excinfo.errisinstance(pytest.skip.Exception):
            item.add_report_section(call.when, "mock-apns", apns._saved())


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Starts the server in the process of xdist that runs the workers, so that they share it."""
    with contextlib.suppress(MockAPNsError):  # the first test that needs a server says why there is none
        node.workerinput["mock_apns"] = Server.shared().api.url


def pytest_configure(config: pytest.Config) -> None:
    """Tells a worker of xdist where the server is."""
    if url := getattr(config, "workerinput", {}).get("mock_apns"):
        os.environ.setdefault("MOCK_APNS_API_URL", url)
