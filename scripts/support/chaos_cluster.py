"""Several servers that share one world, with failures under load, one after the other.

The responses that clients got are compared with the rows in the database, which psql reads, and with the state of each server.
"""

import collections
import os
import random
import signal
import tempfile
import time

from acknowledged import PATIENCE, TOPIC, Changer, Pusher, tls
from attack import binary
from cluster import Cluster
from processes import ProcessError, until

DEVICES = 50  # for each changer
PUSHERS, CHANGERS = 4, 2
# How many of the latest marks are checked; the API keeps 1,000.
MARKS = 800


class Failure(Exception):
    """The servers did not do what they must."""


def kill_replica(chaos):
    replica = chaos.random.choice(chaos.cluster.replicas)
    chaos.say(f"{replica.name} killed")
    replica.process.end(signal.SIGKILL)
    chaos.pause(0.5, 2)
    chaos.cluster.start_replica(replica)


def stop_replica(chaos):
    replica = chaos.random.choice(chaos.cluster.replicas)
    chaos.say(f"{replica.name} stopped for 10 s")
    replica.process.send(signal.SIGSTOP)
    try:
        time.sleep(10)
    finally:
        replica.process.send(signal.SIGCONT)


def cut_database(chaos):
    count = 0
    for _ in range(5):
        count += chaos.cluster.cut_database()
        chaos.pause(0.05, 0.8)
    chaos.say(f"{count} connections to PostgreSQL cut")


def cut_sessions(chaos):
    for _ in range(5):
        chaos.cluster.cut_sessions()
        chaos.pause(0.05, 0.8)
    chaos.say("HAProxy's connections cut 5 times")


def fail_over(chaos):
    failed, heir = chaos.cluster.database.fail_over()
    chaos.pause(0.5, 3)
    way = chaos.cluster.database.rebuild(failed, heir)
    chaos.say(f"{failed.name} killed, {heir.name} promoted, the other rebuilt with {way}")


def restart_primary(chaos):
    number = chaos.random.choice([signal.SIGINT, signal.SIGQUIT])
    chaos.say(f"the primary restarted after {number.name}")
    chaos.cluster.database.restart_primary(number)


DISTURBANCES = [kill_replica, stop_replica, cut_database, cut_sessions, fail_over, restart_primary]


class Chaos:
    """A cluster, its clients, and the responses that they got."""

    def __init__(self, cluster, seed):
        self.cluster, self.random = cluster, random.Random(seed)
        self.pushes = {}  # the status of each response, by apns-id
        self.unanswered, self.marks, self.states = set(), [], {}
        self.statuses = collections.Counter()
        self.problems, self.longest_gap = [], 0
        self.unavailable = self.closed = 0
        self._said = []

    def say(self, text):
        self._said.append(text)

    def pause(self, shortest, longest):
        time.sleep(self.random.uniform(shortest, longest))

    def prepare(self):
        devices = [
            {"label": f"{prefix}{number}", "registrations": [{"topic": TOPIC}]}
            for prefix in self._prefixes() for number in range(DEVICES)
        ]
        status, answer = self.cluster.replicas[0].ask("PUT", "/api/v1/devices", devices)
        if status != 200:
            raise Failure(f"expected 200 for new devices, saw {status}: {answer}")
        listed = self.cluster.replicas[-1].get(f"/api/v1/devices?limit={len(devices)}")["devices"]
        self._tokens = [device["registrations"][0]["token"] for device in listed]
        if len(self._tokens) != len(devices):
            raise Failure(f"expected {len(devices)} devices of another replica, saw {len(self._tokens)}")
        self._token, self._context = self.cluster.token(), tls(self.cluster.ca)

    @staticmethod
    def _prefixes():
        return [f"d{number}-" for number in range(CHANGERS)]

    def round(self, number, disturb):
        self._said, before = [], len(self.problems)
        pushers = [
            Pusher(("127.0.0.1", self.cluster.pushes), self._token, self._tokens, self._context, reconnects=True)
            for _ in range(PUSHERS)
        ]
        changers = [
            Changer(f"127.0.0.1:{self.cluster.api_port}", DEVICES, reconnects=True, prefix=prefix)
            for prefix in self._prefixes()
        ]
        started = time.monotonic()
        for client in [*pushers, *changers]:
            client.start()
        try:
            self.pause(0.5, 1.5)
            disturb(self)
            self._wait_for_recovery(pushers)
        except (ProcessError, Failure) as error:
            self.problems.append(str(error))
        finally:
            for client in [*pushers, *changers]:
                client.stop()
            for client in [*pushers, *changers]:
                client.join(2 * PATIENCE)
        gap = self._collect(pushers, changers, started)
        try:
            self._check(changers)
        except (ProcessError, OSError) as error:
            self.problems.append(str(error))
        for index in range(before, len(self.problems)):
            self.problems[index] = f"round {number}: {self.problems[index]}"
        statuses = sum((pusher.statuses for pusher in pushers), collections.Counter())
        print(
            f"round {number}: {', '.join(self._said)}: {statuses[200]} pushes 200, {statuses[503]} 503; "
            f"{sum(len(changer.marks) for changer in changers)} marks; without a 200 for {gap:.1f} s at most; "
            f"{len(self.problems) - before} problems", flush=True,
        )

    def _wait_for_recovery(self, pushers):
        """Waits until all replicas are ready again by themselves, and each client has got another 200."""
        self.cluster.wait_until_ready()
        counts = [pusher.statuses[200] for pusher in pushers]
        until(
            lambda: all(pusher.statuses[200] > count for pusher, count in zip(pushers, counts)), "a 200 for each client",
        )
        self.pause(0.3, 1)

    def _collect(self, pushers, changers, started):
        """Collects the results of the clients; returns the longest time in which none of them got a 200."""
        for pusher in pushers:
            if pusher.is_alive():
                self.problems.append("a client did not end")
            self.pushes.update(pusher.acknowledged)
            self.unanswered |= pusher.unanswered
            self.statuses += pusher.statuses
        for changer in changers:
            self.marks += changer.marks
            for label in changer.unsure:
                self.states.pop(label, None)
            self.states.update({label: state for label, state in changer.states.items() if label not in changer.unsure})
            self.unavailable += changer.unavailable
        for client in [*pushers, *changers]:
            self.problems += client.problems
            self.closed += client.closed
        for status, count in sum((pusher.statuses for pusher in pushers), collections.Counter()).items():
            if status not in (200, 503):
                self.problems.append(f"{count} pushes were answered {status}")
        times = sorted([started, *(moment for pusher in pushers for moment in pusher.accepted_at)])
        gap = max(later - earlier for earlier, later in zip(times, times[1:])) if len(times) > 1 else float("inf")
        self.longest_gap = max(self.longest_gap, gap)
        return gap

    # ---- checks after the clients have stopped

    def _check(self, changers):
        self.check_rows()
        self._check_digests()
        for replica in self.cluster.replicas:
            self._check_replica(replica, changers)

    def rows(self):
        """The status and the number of rows of each push in PostgreSQL, by apns-id."""
        rows = self.cluster.database.primary.sql(
            "select upper(id::text), min(status), count(*) from mock_apns.push group by 1", "mock_apns"
        )
        return {identifier: (int(status), int(count)) for identifier, status, count in rows}

    def check_rows(self):
        kept = self.rows()
        for identifier, status in self.pushes.items():
            if status == 200 and identifier not in kept:
                self.problems.append(f"push {identifier} was answered 200 and is lost")
            elif status == 200 and kept[identifier] != (200, 1):
                self.problems.append(f"push {identifier} was answered 200, and its rows (status, number) are {kept[identifier]}")
            elif kept.get(identifier, (0, 1))[1] != 1:
                self.problems.append(f"push {identifier}, answered {status}, has {kept[identifier][1]} rows")
        doubled = [identifier for identifier in self.unanswered if kept.get(identifier, (0, 1))[1] != 1]
        if doubled:
            self.problems.append(f"{len(doubled)} pushes without an answer have several rows, such as {doubled[0]}")
        return kept

    def _check_digests(self):
        """Checks that all replicas have the same state and list each other."""
        digests = {}

        def are_equal():
            digests.clear()
            for replica in self.cluster.replicas:
                status, answer = replica.ask("GET", "/api/v1/state/digest")
                # A replica that was not given enough processor time may refuse changes once more, until it recovers.
                digests[replica.name] = answer["digest"] if status == 200 else f"{status}: {answer}"
            return len(set(digests.values())) == 1 and all(replica.is_ready() for replica in self.cluster.replicas)

        try:
            until(are_equal, "equal digests")
        except ProcessError:
            self.problems.append(f"the replicas have different states: {digests}")
        for replica in self.cluster.replicas:
            listed = {other["name"] for other in replica.get("/api/v1/info")["data"]["replicas"]}
            missing = {other.name for other in self.cluster.replicas} - listed
            if missing:
                self.problems.append(f"{replica.name} does not list {', '.join(sorted(missing))}")

    def _check_replica(self, replica, changers):
        texts = collections.Counter(mark["text"] for mark in replica.get("/api/v1/marks")["marks"])
        for changer in changers:
            for text in changer.marks[-MARKS // CHANGERS:]:
                if texts[text] != 1:
                    self.problems.append(f"{replica.name} has mark {text} {texts[text]} times, expected once")
        listed = replica.get(f"/api/v1/devices?limit={CHANGERS * DEVICES}")["devices"]
        states = {device["label"]: device["state"] for device in listed}
        for label, state in self.states.items():
            if states.get(label) != state:
                self.problems.append(f"{replica.name} has device {label} {states.get(label)}, was {state}")

    def summary(self, rounds):
        kept = self.rows()
        unavailable = {identifier for identifier, status in self.pushes.items() if status == 503}
        return (
            f"chaos cluster: {rounds} rounds, {len(self.pushes)} answered pushes ({self.statuses[200]} 200, "
            f"{self.statuses[503]} 503), {len(self.marks)} acknowledged marks, {self.unavailable} changes with 503, "
            f"{self.closed} connections ended; {len(self.unanswered)} pushes without an answer, of which "
            f"{len(self.unanswered & kept.keys())} are kept; {len(unavailable & kept.keys())} of the 503 are kept; "
            f"without a 200 for {self.longest_gap:.1f} s at most; {len(self.problems)} problems"
        )


def temporary_cluster(work, replicas=3):
    """Starts a cluster in a temporary directory, calls `work` with it, and removes everything."""
    directory = tempfile.mkdtemp(prefix="mock-apns-cluster-")
    cluster = Cluster(directory)
    try:
        cluster.up(binary(), os.path.join(directory, "certs"), replicas)
        return work(cluster)
    finally:
        cluster.down()
        if os.environ.get("MOCK_APNS_KEEP"):
            print(f"kept {directory}")
        else:
            cluster.delete()


def rounds(options):
    seed = random.randrange(1 << 32) if options.seed is None else options.seed
    print(f"chaos cluster: seed {seed}", flush=True)

    def work(cluster):
        chaos = Chaos(cluster, seed)
        chaos.prepare()
        for number in range(1, options.rounds + 1):
            if (number - 1) % len(DISTURBANCES) == 0:
                order = chaos.random.sample(DISTURBANCES, len(DISTURBANCES))
            chaos.round(number, order[(number - 1) % len(DISTURBANCES)])
        for problem in chaos.problems[:20]:
            print(problem)
        print(chaos.summary(options.rounds))
        return not chaos.problems and chaos.statuses[200] > 0

    return temporary_cluster(work)
