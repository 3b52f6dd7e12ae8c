"""What the debug API promises, while clients that nobody here wrote push as fast as they can."""

import os
import threading

from command_clients import run
from debug_api import DebugAPI
from load import CODES
from pushes import PAYLOAD, TOPIC, device_token
from report import Mismatch, expect, expect_that


def burst(server, directory, name, pushes, connections, streams):
    """Sends so many pushes; returns when h2load has every answer."""
    uris, payload = os.path.join(directory, f"{name}.uris"), os.path.join(directory, f"{name}.payload")
    with open(uris, "w", encoding="ascii") as file:
        file.writelines(f"{server.apns[0]}/3/device/{device_token()}\n" for _ in range(100))
    with open(payload, "w", encoding="utf-8") as file:
        file.write(PAYLOAD)
    headers = [f"authorization: bearer {server.token()}", f"apns-topic: {TOPIC}.{name}", "apns-push-type: alert"]
    ended = run([
        "h2load", "-c", str(connections), "-m", str(streams), "-n", str(pushes), "-i", uris, "-d", payload,
        *[part for header in headers for part in ("-H", header)],
    ])
    codes = CODES.search(ended.stdout.decode())
    if ended.returncode != 0 or not codes or int(codes.group(1)) != pushes:
        raise Mismatch("h2load", f"{pushes} answers 200", f"{ended.returncode}: {ended.stdout.decode()}")


def verifying_cases(context):
    """Needs a server that keeps 100,000 pushes."""
    server, report, directory = context.server, context.report, context.directory
    api = DebugAPI(server)

    with report.case("10,000 pushes over 64 streams are all verified the moment they are answered"):
        for number in range(3):
            seq = api.get("/api/v1/seq")["seq"]
            burst(server, directory, f"visible{number}", 10_000, 1, 64)
            answer = api.call(
                "POST", "/api/v1/pushes/verify",
                {"match": {"topic": f"{TOPIC}.visible{number}"}, "count": {"exactly": 10_000}, "after": seq},
            )
            expect("count", 10_000, answer["count"])

    with report.case("100 connections of 100 streams lose no push and double none"):
        seq = api.get("/api/v1/seq")["seq"]
        burst(server, directory, "many", 50_000, 100, 100)
        seen, after = set(), seq
        while True:
            page = api.get(f"/api/v1/pushes?after={after}&limit=1000&fields=summary&topic={TOPIC}.many")
            expect("evictedInWindow", 0, page["evictedInWindow"])
            if not page["pushes"]:
                break
            seen.update(push["seq"] for push in page["pushes"])
            after = page["nextAfter"]
        expect("different pushes", 50_000, len(seen))

    with report.case("a hundred clients wait for pushes under load, and each hears of its own"):
        answers, seq = {}, api.get("/api/v1/seq")["seq"]

        def wait(number):
            path = f"/api/v1/pushes/count?wait=60s&count=200&after={seq}&topic={TOPIC}.waited{number % 2}"
            # On a busy machine the pushes may come later than the longest wait.
            answers[number] = any(DebugAPI(server).get(path)["satisfied"] for _ in range(4))

        waits = [threading.Thread(target=wait, args=(number,)) for number in range(100)]
        for thread in waits:
            thread.start()
        for number in range(2):
            burst(server, directory, f"waited{number}", 200, 4, 10)
        for thread in waits:
            thread.join()
        expect("satisfied waits", 100, sum(answers.values()))

    with report.case("a reset while pushes fly is a barrier: nothing from before appears after it"):
        pushing = threading.Thread(target=burst, args=(server, directory, "before", 20_000, 4, 50))
        pushing.start()
        api.get(f"/api/v1/pushes?wait=30s&count=1000&limit=1&topic={TOPIC}.before")
        epoch = api.call("POST", "/api/v1/reset", {"only": ["pushes"]})["epoch"]
        pushing.join()
        page = api.get("/api/v1/pushes?limit=1000&order=asc&fields=summary")
        expect("epoch", epoch, page["journal"]["epoch"])
        expect_that(page["matched"] < 20_000, "pushes after the reset", "fewer than 20,000", page["matched"])
        expect("evicted", 0, page["journal"]["evicted"])
