"""What the provider has to do, tested against mock-apns."""

import asyncio

import pytest

from conftest import MockAPNs
from orders import PushRefused


async def test_a_shipped_order_reaches_the_phone(mock):
    phone = await mock.add_phone()
    await mock.orders(phone).shipped("17", "alice")
    await mock.verify(
        token=phone, pushType="alert", title="Order shipped", delivery="delivered", lint={"absent": True},
        payload={"at": "/orderId", "equals": "17"},
    )


async def test_a_refused_push_is_an_error(mock):
    phone = await mock.add_phone()
    with pytest.raises(PushRefused, match="400 BadTopic"):
        await mock.orders(phone, topic="com example shop").shipped("17", "alice")


async def test_a_phone_without_the_app_gets_no_more_pushes(mock):
    phone = await mock.add_phone()
    await mock.call("PATCH", f"/registrations/{phone}", {"state": "uninstalled"})
    orders = mock.orders(phone)
    await orders.shipped("17", "alice")
    await orders.shipped("18", "alice")
    await mock.verify(token=phone, verdict={"status": 410}, count=1)
    assert (await mock.call("GET", "/pushes/count"))["count"] == 1


@pytest.mark.parametrize("status", [429, 503])
async def test_a_push_is_sent_again_later(mock, status):
    phone = await mock.add_phone()
    await mock.add_fault(do={"respond": {"status": status}}, when={"times": 2})
    orders = mock.orders(phone)
    await orders.shipped("17", "alice")
    await mock.verify(token=phone, verdict={"status": status}, count=2)
    await mock.verify(token=phone, count=1)
    assert orders.pauses == [1, 2]


async def test_an_expired_provider_token_is_renewed(mock):
    phone = await mock.add_phone()
    orders = mock.orders(phone)
    await orders.shipped("17", "alice")
    # aioapns signs one provider token for each connection, so this is the expiry of the first one.
    connection = (await mock.call("GET", "/pushes/latest"))["connection"]["id"]
    await mock.add_fault(do={"respond": {"status": 403, "reason": "ExpiredProviderToken"}}, match={"connection": connection})
    await orders.shipped("18", "alice")
    await mock.verify(token=phone, count=2)


async def test_a_phone_that_was_offline_shows_the_last_push(mock):
    phone = await mock.add_phone()
    await mock.call("PATCH", "/devices/@phone", {"state": "offline"})
    orders = mock.orders(phone)
    for order in ("17", "18", "19"):
        await orders.shipped(order, "alice")
    await mock.call("PATCH", "/devices/@phone", {"state": "online"})
    inbox = await mock.call("GET", "/devices/@phone/inbox")
    assert [shown["body"] for shown in inbox["notifications"]] == ["Order 19 is on its way."]


@pytest.mark.parametrize("action", [{"goaway": {"lastStream": "zero", "close": "now"}}, {"connection": "rst"}])
async def test_a_push_survives_the_end_of_its_connection(mock, action):
    phone = await mock.add_phone()
    orders = mock.orders(phone)
    await orders.shipped("17", "alice")
    await mock.add_fault(do=action, when={"times": 1})
    await orders.shipped("18", "alice")
    await orders.shipped("19", "alice")
    for order in ("17", "18", "19"):
        await mock.verify(payload={"at": "/orderId", "equals": order}, count={"atLeast": 1})


async def test_namespaces_do_not_affect_each_other():
    async def ship(order, failures):
        async with MockAPNs() as mock:
            phone = await mock.add_phone()
            if failures:
                await mock.add_fault(do={"respond": {"status": 503}}, when={"times": failures})
            orders = mock.orders(phone)
            await orders.shipped(order, "alice")
            await mock.verify(count=1)
            await mock.verify(payload={"at": "/orderId", "equals": order})
            return len(orders.pauses)

    assert await asyncio.gather(ship("17", 0), ship("18", 1), ship("19", 2)) == [0, 1, 2]
