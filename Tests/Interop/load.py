"""h2load: many pushes, every one of them counted."""

import os
import re

from command_clients import run
from pushes import PAYLOAD, TOPIC, device_token
from report import Mismatch, expect

PUSHES = 100_000
CONNECTIONS = 8
STREAMS = 100
DEVICES = 1_000
REQUESTS = re.compile(r"^requests: (\d+) total, \d+ started, (\d+) done, (\d+) succeeded, (\d+) failed", re.MULTILINE)
CODES = re.compile(r"^status codes: (\d+) 2xx, (\d+) 3xx, (\d+) 4xx, (\d+) 5xx", re.MULTILINE)


def load_cases(context):
    """Needs a server of its own: its counters start at zero."""
    load_case(context.server, context.report, context.directory, PUSHES)
    with context.report.case("a server that was loaded stops with exit code 0"):
        expect("exit code", 0, context.server.stop()[0])


def load_case(server, report, directory, pushes):
    with report.case(f"h2load {pushes:,} pushes over {CONNECTIONS} connections, counted exactly"):
        uris, payload = os.path.join(directory, "uris"), os.path.join(directory, "payload")
        with open(uris, "w", encoding="ascii") as file:
            file.writelines(f"{server.apns[0]}/3/device/{device_token()}\n" for _ in range(DEVICES))
        with open(payload, "w", encoding="utf-8") as file:
            file.write(PAYLOAD)
        headers = [
            f"authorization: bearer {server.token()}", f"apns-topic: {TOPIC}", "apns-push-type: alert",
            "apns-priority: 10", "apns-expiration: 0", "apns-collapse-id: interop",
        ]
        ended = run([
            "h2load", "-c", str(CONNECTIONS), "-m", str(STREAMS), "-n", str(pushes), "-i", uris, "-d", payload,
            *[part for header in headers for part in ("-H", header)],
        ])
        text = ended.stdout.decode()
        requests, codes = REQUESTS.search(text), CODES.search(text)
        if ended.returncode != 0 or not requests or not codes:
            raise Mismatch("h2load's summary", "exit code 0 and counts", f"{ended.returncode}: {text}{ended.stderr}")
        total, done, succeeded, failed = map(int, requests.groups())
        expect("total, done, succeeded, failed", (pushes, pushes, pushes, 0), (total, done, succeeded, failed))
        expect("2xx, 3xx, 4xx, 5xx", (pushes, 0, 0, 0), tuple(map(int, codes.groups())))

        counters = server.get_json("/api/v1/info")["counters"]
        names = ("pushesReceived", "pushesAccepted", "pushesRejected")
        expect(", ".join(names), (succeeded, succeeded, 0), tuple(counters[name] for name in names))
        listing = server.get_json("/api/v1/pushes?limit=1")
        expect("pushes kept and evicted", pushes, listing["matched"] + listing["journal"]["evicted"])
