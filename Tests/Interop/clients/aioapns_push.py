"""Sends notifications with aioapns (PyPI) over one connection, signing its own provider tokens.

Job on stdin: {host, port, ca, keyFile, keyId, teamId, topic, notifications: [arguments of NotificationRequest],
parallel}, or with `certFile` in place of the key: PEM, with its private key. Answer on stdout: one JSON line
{answers: [{id, status, reason}], authorization}; authorization is null with a certificate.
"""

import asyncio
import json
import logging
import ssl
import sys

from aioapns import APNs, NotificationRequest, PushType
from aioapns.connection import APNsTLSClientProtocol
from aioapns.exceptions import MaxAttemptsExceeded


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

    if "certFile" in job:
        credentials = {"client_cert": job["certFile"]}
    else:
        with open(job["keyFile"], encoding="ascii") as file:
            credentials = {"key": file.read(), "key_id": job["keyId"], "team_id": job["teamId"]}
    client = APNs(
        **credentials, topic=job["topic"], max_connections=1, max_connection_attempts=1,
        # As the library makes it, without ALPN, but for the certificate authority.
        ssl_context=ssl.create_default_context(cafile=job["ca"]),
    )
    client.pool.protocol_class = Protocol

    async def send(arguments):
        if "push_type" in arguments:
            arguments["push_type"] = PushType(arguments["push_type"])
        try:
            result = await client.send_notification(NotificationRequest(**arguments))
        except MaxAttemptsExceeded:
            # The connection ended before an answer.
            return {"id": arguments["notification_id"], "status": None, "reason": None}
        return {"id": result.notification_id, "status": int(result.status), "reason": result.description}

    if job["parallel"]:
        answers = await asyncio.gather(*map(send, job["notifications"]))
    else:
        answers = [await send(arguments) for arguments in job["notifications"]]
    provider = connections[0].auth_provider
    authorization = provider.get_header() if provider else None
    client.pool.close()
    print(json.dumps({"answers": answers, "authorization": authorization, "connections": len(connections)}))


logging.disable(logging.ERROR)  # it logs each refusal, which are expected here
asyncio.run(main())
