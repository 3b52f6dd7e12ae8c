"""What the provider has to do, tested against mock-apns."""

import asyncio

import pytest
from mock_apns import MockAPNs

from orders import TOPIC, Orders, PushRefused, connect


def orders_of(mock_apns, phone, topic=TOPIC):
    """The provider under test, for a customer "alice" with one phone. `pauses` has its pauses, which take no time."""
    key, pauses = mock_apns.key, []

    async def pause(seconds):
        pauses.append(seconds)

    def connected():
        return connect(mock_apns.host, mock_apns.port, key.pem, key.id, key.team_id, topic, mock_apns.ca_file)

    orders = Orders(connected, {"alice": [phone.token]}, pause)
    orders.pauses = pauses
    return orders


async def test_a_shipped_order_reaches_the_phone(mock_apns):
    phone = mock_apns.phone(TOPIC)
    await orders_of(mock_apns, phone).shipped("17", "alice")
    push = mock_apns.expect(to=phone, type="alert", title="Order shipped", delivery="delivered")
    assert push.payload["orderId"] == "17"
    assert push.warnings == []


async def test_a_refused_push_is_an_error(mock_apns):
    with pytest.raises(PushRefused, match="400 BadTopic"):
        await orders_of(mock_apns, mock_apns.phone(TOPIC), topic="com example shop").shipped("17", "alice")


async def test_a_phone_without_the_app_gets_no_more_pushes(mock_apns):
    phone = mock_apns.phone(TOPIC)
    phone.uninstall_app()
    orders = orders_of(mock_apns, phone)
    await orders.shipped("17", "alice")
    await orders.shipped("18", "alice")
    mock_apns.expect_exactly(1, to=phone, status=410)


@pytest.mark.parametrize("status", [429, 503])
async def test_a_push_is_sent_again_later(mock_apns, status):
    phone = mock_apns.phone(TOPIC)
    mock_apns.add_fault({"respond": {"status": status}}, times=2)
    orders = orders_of(mock_apns, phone)
    await orders.shipped("17", "alice")
    mock_apns.expect_exactly(2, to=phone, status=status)
    mock_apns.expect_exactly(1, to=phone)
    assert orders.pauses == [1, 2]


async def test_an_expired_provider_token_is_renewed(mock_apns):
    phone = mock_apns.phone(TOPIC)
    orders = orders_of(mock_apns, phone)
    await orders.shipped("17", "alice")
    # aioapns signs one provider token for each connection, so this is the expiry of the first one.
    connection = mock_apns.expect(to=phone).json["connection"]["id"]
    mock_apns.add_fault({"respond": {"reason": "ExpiredProviderToken"}}, query=f"connection:{connection}")
    await orders.shipped("18", "alice")
    mock_apns.expect_exactly(2, to=phone)


async def test_a_phone_that_was_offline_shows_the_last_push(mock_apns):
    phone = mock_apns.phone(TOPIC, offline=True)
    orders = orders_of(mock_apns, phone)
    for order in ("17", "18", "19"):
        await orders.shipped(order, "alice")
    phone.go_online()
    assert [shown.body for shown in phone.inbox()] == ["Order 19 is on its way."]


@pytest.mark.parametrize("action", [{"goaway": {"lastStream": "zero", "close": "now"}}, {"connection": "rst"}])
async def test_a_push_survives_the_end_of_its_connection(mock_apns, action):
    phone = mock_apns.phone(TOPIC)
    orders = orders_of(mock_apns, phone)
    await orders.shipped("17", "alice")
    mock_apns.add_fault(action, times=1)
    await orders.shipped("18", "alice")
    await orders.shipped("19", "alice")
    for order in ("17", "18", "19"):
        mock_apns.expect(payload={"/orderId": order})


async def test_namespaces_do_not_affect_each_other():
    async def ship(order, failures):
        with MockAPNs(f"order {order}") as apns:
            phone = apns.phone(TOPIC)
            if failures:
                apns.add_fault({"respond": {"status": 503}}, times=failures)
            orders = orders_of(apns, phone)
            await orders.shipped(order, "alice")
            push, = apns.pushes()
            assert push.payload["orderId"] == order
            return len(orders.pauses)

    assert await asyncio.gather(ship("17", 0), ship("18", 1), ship("19", 2)) == [0, 1, 2]
