"""What libraries for .NET send: provider tokens in standard Base64 with padding, and their header fields in their order.

The libraries themselves need .NET, which the tests do not install; this is read from their source: dotAPNS (ApnsClient.cs) and
CorePush (ApnSender.cs), which both use Convert.ToBase64String for each part of the token.
"""

import base64
import json
import time
import uuid
from dataclasses import replace

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, utils

from debug_api import DebugAPI
from library_clients import JobClient, node_command
from pushes import TOPIC, Push, device_token, signature_of
from report import expect

EXPIRATION = ("apns-expiration", "0")
PRIORITY = ("apns-priority", "10")
TYPE = ("apns-push-type", "alert")
TOPICS = ("apns-topic", TOPIC)


def library_pushes(token):
    """A push of each library, without its content-type, and that."""
    authorization = ("authorization", f"bearer {token}")
    fields = {
        "dotAPNS": ([PRIORITY, TYPE, TOPICS, authorization, EXPIRATION], "application/json; charset=utf-8"),
        "CorePush": (
            [authorization, TOPICS, EXPIRATION, PRIORITY, TYPE, ("apns-id", str(uuid.uuid4()))],
            "text/plain; charset=utf-8",
        ),
    }
    return {name: (Push(f"/3/device/{device_token()}", headers), content) for name, (headers, content) in fields.items()}


def standard_token(server):
    """A provider token as these libraries make it, signed with the server's own key."""
    info = server.get_json("/api/v1/info")["developmentKey"]
    with open(info["path"], "rb") as file:
        key = serialization.load_pem_private_key(file.read(), None)
    parts = {"alg": "ES256", "kid": info["keyId"]}, {"iss": info["teamId"], "iat": int(time.time())}
    text = ".".join(base64.b64encode(json.dumps(part, separators=(",", ":")).encode()).decode() for part in parts)
    numbers = utils.decode_dss_signature(key.sign(text.encode(), ec.ECDSA(hashes.SHA256())))
    signature = b"".join(number.to_bytes(32, "big") for number in numbers)
    return f"{text}.{base64.b64encode(signature).decode()}"


def dotnet_cases(context):
    node, api = JobClient(context, node_command()), DebugAPI(context.server)
    token = standard_token(context.server)
    for name, (push, content) in library_pushes(token).items():

        def send(push, content=content):
            return node(replace(push, headers=[*push.headers, ("content-type", content)]))

        context.check(f"{name} accepted", push, send, signatures=[signature_of(token)])
        with context.report.case(f"{name}: a warning about its token"):
            record = context.server.get_json("/api/v1/pushes?limit=1")["pushes"][0]
            expect("warnings", ["jwt-not-base64url"], [lint["id"] for lint in record["lints"]])
        api.call("PATCH", "/api/v1/settings", {"tokenBase64": "url"})
        refused = push.rejected(403, "InvalidProviderToken", "malformed")
        context.check(f"{name} refused, if only Base64URL is accepted", refused, send, signatures=[signature_of(token)])
        api.call("PATCH", "/api/v1/settings", {"tokenBase64": "any"})
