"""Orders: tells a customer's phones that an order was shipped, with aioapns."""

import asyncio
import ssl

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsTLSClientProtocol
from aioapns.exceptions import MaxAttemptsExceeded
from h2.exceptions import ProtocolError

TOPIC = "com.example.shop"


class PushRefused(Exception):
    """APNs refused the push, and sending it again would not help."""


class Orders:
    """Sends pushes. `connect` makes a client of APNs; `tokens` maps a customer to the device tokens of their phones."""

    ATTEMPTS = 4
    TIMEOUT = 10  # seconds; without it, aioapns waits forever when APNs resets the stream of a push

    def __init__(self, connect, tokens, pause=asyncio.sleep):
        self._connect = connect
        self._apns = connect()
        self._tokens = tokens
        self._pause = pause

    async def shipped(self, order, customer):
        message = {
            "aps": {"alert": {"title": "Order shipped", "body": f"Order {order} is on its way."}, "sound": "default"},
            "orderId": order,
        }
        for token in list(self._tokens[customer]):
            result = await self._send(token, message, f"order-{order}")
            if result.status == "410":  # the app was uninstalled
                self._tokens[customer].remove(token)
            elif not result.is_successful:
                raise PushRefused(f"{result.status} {result.description}")

    async def _send(self, token, message, collapse_id):
        for attempt in range(1, self.ATTEMPTS + 1):
            # If an answer was lost, the push is sent twice. With a collapse ID, the phone still shows it once.
            request = NotificationRequest(token, message, collapse_key=collapse_id, push_type=PushType.ALERT)
            try:
                result = await asyncio.wait_for(self._apns.send_notification(request), self.TIMEOUT)
            except (asyncio.TimeoutError, MaxAttemptsExceeded, ProtocolError):
                # aioapns raises ProtocolError for a connection that is closing because of a GOAWAY.
                if attempt == self.ATTEMPTS:
                    raise
                self._reconnect()
                continue
            if attempt == self.ATTEMPTS:
                break
            if result.description == "ExpiredProviderToken":
                self._reconnect()  # aioapns signs a provider token for each connection
            elif result.status in ("429", "503"):
                await self._pause(2 ** (attempt - 1))
            else:
                break
        return result

    def _reconnect(self):
        self._apns.pool.close()
        self._apns = self._connect()


def connect(host, port, key, key_id, team_id, topic=TOPIC, cafile=None):
    """A client of APNs at this address. aioapns knows only Apple's hosts: another one needs another protocol class."""

    class Protocol(APNsTLSClientProtocol):
        APNS_SERVER = host
        APNS_PORT = port

    trust = ssl.create_default_context(cafile=cafile)
    apns = APNs(
        key=key, key_id=key_id, team_id=team_id, topic=topic, ssl_context=trust,
        max_connections=1, max_connection_attempts=1,  # Orders sends again
    )
    apns.pool.protocol_class = Protocol
    return apns
