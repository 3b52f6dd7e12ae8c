"""The code of the README is run."""

import asyncio
import os
import re
import unittest
from pathlib import Path

from mock_apns import MockAPNs
from provider import post

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


class Provider:
    """Finds the server by variables."""

    def __init__(self, environment):
        self.environment, self.clock = environment, None


def order_shipped(order, token, environment=os.environ):
    """The provider of the README."""
    payload = {"aps": {"alert": {"title": "Order shipped"}}, "orderID": str(order)}
    post(Provider(environment), f"/3/device/{token}", payload, None, {"apns-topic": "com.example.app", "apns-push-type": "alert"})


for block in re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE):
    exec(block)  # defines tests in this module


async def waiting(mock_apns, phone):
    sending = asyncio.to_thread(order_shipped, 17, phone.token)
    await asyncio.gather(sending, asyncio.to_thread(mock_apns.expect, to=phone, within=30))


def test_async(mock_apns):
    asyncio.run(waiting(mock_apns, mock_apns.phone("com.example.app")))
