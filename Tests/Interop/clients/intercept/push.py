"""Sends a push with aioapns as it is published: its own hosts and port, its own TLS context, its own tokens."""

import asyncio
import os

from aioapns import APNs, NotificationRequest


async def main():
    with open(os.environ["MOCK_APNS_KEY_FILE"], encoding="ascii") as file:
        key = file.read()
    client = APNs(
        key=key, key_id=os.environ["MOCK_APNS_KEY_ID"], team_id=os.environ["MOCK_APNS_TEAM_ID"], topic="com.example.app",
        use_sandbox="development" in os.environ["APNS_HOST"],
    )
    request = NotificationRequest(device_token=os.environ["DEVICE"], message={"aps": {"alert": "Python"}})
    result = await client.send_notification(request)
    print(result.status)
    client.pool.close()


asyncio.run(main())
