"""Sends notifications with aioapns (PyPI) over one connection, signing its own provider tokens.

Job on stdin: {host, port, ca, keyFile, keyId, teamId, topic, notifications: [arguments of NotificationRequest],
parallel}. Answer on stdout: one JSON line {answers: [{id, status, reason}], authorization}.
"""

import asyncio
import json
import logging
import ssl
import sys

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsTLSClientProtocol


async def main():
    job = json.load(sys.stdin)
    connections = []

    class Protocol(APNsTLSClientProtocol):
        """The library knows Apple's hosts only; this is its seam for others."""

        APNS_SERVER = job["host"]
        APNS_PORT = job["port"]

        def connection_made(self, transport):
            connections.append(self)
            super().connection_made(transport)

    with open(job["keyFile"], encoding="ascii") as file:
        key = file.read()
    client = APNs(
        key=key, key_id=job["keyId"], team_id=job["teamId"], topic=job["topic"], max_connections=1,
        max_connection_attempts=1,
        # As the library makes it, without ALPN, but for the certificate authority.
        ssl_context=ssl.create_default_context(cafile=job["ca"]),
    )
    client.pool.protocol_class = Protocol

    async def send(arguments):
        if "push_type" in arguments:
            arguments["push_type"] = PushType(arguments["push_type"])
        result = await client.send_notification(NotificationRequest(**arguments))
        return {"id": result.notification_id, "status": int(result.status), "reason": result.description}

    if job["parallel"]:
        answers = await asyncio.gather(*map(send, job["notifications"]))
    else:
        answers = [await send(arguments) for arguments in job["notifications"]]
    authorization = connections[0].auth_provider.get_header()
    client.pool.close()
    print(json.dumps({"answers": answers, "authorization": authorization, "connections": len(connections)}))


logging.disable(logging.ERROR)  # it logs each refusal, which are expected here
asyncio.run(main())
