"""A single server with --data that is killed again and again."""

import json
import os
import random
import sqlite3
import tempfile
import time
import urllib.request

from acknowledged import TIMEOUT, TOPIC, Changer, Pusher
from attack import binary
from mock_apns import DIRECT, LAST_RESORT, Server

DEVICES = 50


class Data:
    """The server's database and what was acknowledged in all rounds."""

    def __init__(self, sync, directory):
        self._sync, self._data = sync, os.path.join(directory, "data")
        self._certs = os.path.join(directory, "certs")
        self.pushes, self.marks, self.states = {}, [], {}
        self.problems = []

    def server(self):
        return Server(
            binary(), self._certs, "--apns-listen", "h2c://127.0.0.1:0", "--data", self._data, "--sync", self._sync,
            "--unknown-tokens", "accept",
        )

    def round(self, number):
        with self.server() as server:
            self._look(server, number)
            tokens = self._devices(server)
            address = server.apns[0].rsplit("/", 1)[-1].rsplit(":", 1)
            clients = [Pusher((address[0], int(address[1])), server.token(), tokens) for _ in range(3)]
            changer = Changer(server.api, DEVICES)
            for client in [*clients, changer]:
                client.start()
            time.sleep(random.uniform(0.02, 1.2))
        # Leaving the block kills the server with SIGKILL.
        for client in [*clients, changer]:
            client.stop()
            client.join(2 * TIMEOUT)
        for client in [*clients, changer]:
            self.problems += [f"round {number}: {problem}" for problem in client.problems]
        for client in clients:
            self.pushes.update(client.acknowledged)
        self.marks += changer.marks
        for label in changer.in_doubt:
            self.states.pop(label, None)
        self.states.update({label: state for label, state in changer.states.items() if label not in changer.in_doubt})
        self._check_rows(number)
        return sum(len(client.acknowledged) for client in clients), len(changer.marks)

    @staticmethod
    def _devices(server):
        """Returns the device tokens; creates the devices in the first round."""
        devices = [{"label": f"d{number}", "registrations": [{"topic": TOPIC}]} for number in range(DEVICES)]
        if not server.get_json("/api/v1/devices?limit=1")["devices"]:
            request = urllib.request.Request(
                server.api + "/api/v1/devices", json.dumps(devices).encode(), {"Content-Type": "application/json"},
                method="PUT",
            )
            DIRECT.open(request, timeout=LAST_RESORT).close()
        listed = server.get_json(f"/api/v1/devices?limit={DEVICES}")["devices"]
        return [device["registrations"][0]["token"] for device in listed]

    def _check_rows(self, number):
        """Checks the rows of all answered pushes in the database, without a server."""
        with sqlite3.connect(f"file:{self._data}/default.sqlite?mode=ro", uri=True) as database:
            rows = database.execute("select upper(id), status, count(*) from push group by 1").fetchall()
        kept = {identifier: (status, count) for identifier, status, count in rows}
        for identifier, status in self.pushes.items():
            if identifier not in kept:
                self.problems.append(f"round {number}: push {identifier} was answered {status} and is lost")
            elif kept[identifier] != (status, 1):
                self.problems.append(f"round {number}: push {identifier} was answered {status}, is {kept[identifier]}")

    def _look(self, server, number):
        """Checks that the server has the marks and device states that were acknowledged before the last kill."""
        marks = {mark["text"] for mark in server.get_json("/api/v1/marks")["marks"]}
        for text in self.marks[-500:]:
            if text not in marks:
                self.problems.append(f"round {number}: mark {text} is lost")
        for label, state in self.states.items():
            device = server.get_json(f"/api/v1/devices/@{label}")
            if device["state"] != state:
                self.problems.append(f"round {number}: device {label} is {device['state']}, was {state}")

    def check(self):
        """Starts and stops the server, then runs `mock-apns data check`, which replays the log and compares digests."""
        with self.server() as server:
            server.stop()
            code, out, problem = server.run("data", "check", self._data)
        if code != 0:
            self.problems.append(f"mock-apns data check ended with {code}: {out} {problem}")


def data(options):
    with tempfile.TemporaryDirectory(prefix="mock-apns-chaos-") as directory:
        chaos = Data(options.sync, directory)
        pushes = marks = 0
        for number in range(1, options.rounds + 1):
            more = chaos.round(number)
            pushes, marks = pushes + more[0], marks + more[1]
        chaos.check()
        for problem in chaos.problems[:20]:
            print(problem)
        print(
            f"chaos data, --sync {options.sync}: {options.rounds} kills, {pushes} answered pushes, {marks} acknowledged marks, "
            f"{len(chaos.problems)} problems"
        )
        return not chaos.problems and pushes > 0
