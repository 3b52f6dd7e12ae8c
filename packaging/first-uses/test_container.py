"""Testcontainers starts the image; the kit finds it by MOCK_APNS_API_URL. curl is the provider, outside of the container."""

import json
import os
import subprocess
import urllib.request

import pytest
from testcontainers.core.container import DockerContainer
from testcontainers.core.wait_strategies import LogMessageWaitStrategy


@pytest.fixture(scope="session", autouse=True)
def server():
    image = os.environ.get("MOCK_APNS_IMAGE", "mock-apns")
    ready = LogMessageWaitStrategy("mock-apns ready")
    with DockerContainer(image).with_exposed_ports(2197, 8197).waiting_for(ready) as container:
        api = f"http://127.0.0.1:{container.get_exposed_port(8197)}"
        os.environ["MOCK_APNS_API_URL"] = api
        os.environ["MOCK_APNS_APNS_PORT"] = str(container.get_exposed_port(2197))
        yield api


def test_ready(server):
    with urllib.request.urlopen(f"{server}/readyz") as answer:
        assert answer.status == 200


def test_shipped(mock_apns):
    phone = mock_apns.phone("com.example.app")
    subprocess.run(
        ["curl", "--silent", "--show-error", "--fail", "--http2", "--noproxy", "*", "--cacert", mock_apns.ca_file,
         "--header", f"authorization: bearer {mock_apns.key.token()}", "--header", "apns-topic: com.example.app",
         "--data", json.dumps({"aps": {"alert": {"title": "Order shipped"}}, "orderID": "17"}),
         f"{mock_apns.url}/3/device/{phone.token}"],
        check=True,
    )
    assert mock_apns.expect(to=phone, title="Order shipped").payload["orderID"] == "17"
