"""The fixture `mock_apns`."""

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
            apns.attach_pushes()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Starts the server in the process of xdist that runs the workers, so that they share it."""
    try:
        node.workerinput["mock_apns"] = Server.shared().api.url
    except MockAPNsError:
        pass  # the first test that needs a server says why there is none


def pytest_configure(config: pytest.Config) -> None:
    """Tells a worker of xdist where the server is."""
    url = getattr(config, "workerinput", {}).get("mock_apns")
    if url:
        os.environ.setdefault("MOCK_APNS_API_URL", url)
