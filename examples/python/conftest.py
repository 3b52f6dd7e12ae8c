"""A namespace of mock-apns for each test. Run `mock-apns exec -- pytest`: it sets the MOCK_APNS_ variables."""

import os
import uuid
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest_asyncio

from orders import TOPIC, Orders, connect

API = os.environ.get("MOCK_APNS_API_URL", "") + "/api/v1"


class MockAPNs:
    """A namespace: it has its own port, devices, faults, clock and journal, so tests do not affect each other."""

    async def __aenter__(self):
        async with httpx.AsyncClient() as client:
            answer = await client.post(f"{API}/namespaces", json={"name": uuid.uuid4().hex, "ttl": "10m"})
        namespace = answer.raise_for_status().json()
        self._address = urlsplit(namespace["apns"])
        self._api = httpx.AsyncClient(base_url=f"{API}/namespaces/{namespace['name']}", timeout=30)
        return self

    async def __aexit__(self, *_):
        await self._api.delete("")
        await self._api.aclose()

    async def call(self, method, path, body=None):
        """Calls the debug API. The report of a failed verification becomes the message of the failed test."""
        answer = await self._api.request(method, path, json=body)
        result = answer.json()
        assert answer.is_success, result.get("report") or result["detail"]
        return result

    async def add_phone(self, label="phone"):
        """Creates a phone with the app, and returns its device token."""
        phone = await self.call("POST", "/devices", {"label": label, "registrations": [{"topic": TOPIC}]})
        return phone["registrations"][0]["token"]

    async def add_fault(self, **fault):
        await self.call("POST", "/faults", fault)

    async def verify(self, count=1, **match):
        """Expects this number of matching pushes, and waits for them if they have not arrived."""
        await self.call("POST", "/pushes/verify", {"match": match, "count": count, "within": "5s"})

    def orders(self, token, topic=TOPIC):
        """The provider under test, for a customer "alice" with one phone. `orders.pauses` has its pauses."""
        key = Path(os.environ["MOCK_APNS_KEY_FILE"]).read_text(encoding="ascii")
        key_id, team_id = os.environ["MOCK_APNS_KEY_ID"], os.environ["MOCK_APNS_TEAM_ID"]
        host, port, ca = self._address.hostname, self._address.port, os.environ["MOCK_APNS_CA_FILE"]
        pauses = []

        async def pause(seconds):
            pauses.append(seconds)

        orders = Orders(lambda: connect(host, port, key, key_id, team_id, topic, ca), {"alice": [token]}, pause)
        orders.pauses = pauses
        return orders


@pytest_asyncio.fixture
async def mock():
    async with MockAPNs() as namespace:
        yield namespace
