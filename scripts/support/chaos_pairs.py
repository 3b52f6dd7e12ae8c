"""Changes on one replica, then pushes to others: each push must be judged by all changes that returned before it."""

import http.client
import json
import random
import threading
import time
import uuid

from acknowledged import TIMEOUT, TOPIC, Caller, Provider, tls
from chaos_cluster import temporary_cluster

WORKERS = 4
LIMITED_FAULTS = 20
STORIES = 10
FUZZY_DEVICES = 20


class Replicas:
    """Two connections to each replica, for its API and for pushes; for use by one thread."""

    def __init__(self, cluster, seed=None):
        self.random = random.Random(seed)
        token, context = cluster.token(), tls(cluster.ca)
        self.apis = [Caller(replica.api_port) for replica in cluster.replicas]
        self.providers = [Provider(("127.0.0.1", replica.pushes), token, context) for replica in cluster.replicas]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for client in [*self.apis, *self.providers]:
            client.close()

    def different(self):
        """Returns the API of a random replica, and the provider of another one."""
        first, second = self.random.sample(range(len(self.apis)), 2)
        return self.apis[first], self.providers[second]

    def device(self, label=None):
        """Creates a device; returns its token."""
        body = {"registrations": [{"topic": TOPIC}], **({"label": label} if label else {})}
        return self.random.choice(self.apis).call("POST", "/api/v1/devices", body)["registrations"][0]["token"]


# Each makes changes, and after each change yields device tokens with the status and the reason that a push must get.


def uninstall(api, token):
    api.call("PATCH", f"/api/v1/registrations/{token}", {"state": "uninstalled"})
    yield token, 410, "Unregistered"


def rotate(api, token):
    new = api.call("POST", f"/api/v1/registrations/{token}/rotate", {})["token"]
    yield token, 410, None
    yield new, 200, None


def fault(api, token):
    added = api.call("POST", "/api/v1/faults", {"match": {"token": token}, "do": {"respond": {"status": 429}}})
    yield token, 429, "TooManyRequests"
    api.call("DELETE", f"/api/v1/faults/{added['id']}")
    yield token, 200, None


CHANGES = [uninstall, rotate, fault]


class Pairs:
    """Workers that change and push until the count is reached."""

    def __init__(self, cluster, count, seed):
        self._cluster, self._left, self._seed = cluster, count, seed
        self._lock = threading.Lock()
        self.done, self.problems = 0, []

    def run(self):
        threads = [threading.Thread(target=self._work, args=(number,), daemon=True) for number in range(WORKERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def _work(self, number):
        with Replicas(self._cluster, f"{self._seed} {number}") as replicas:
            try:
                while self._left > 0 and len(self.problems) < 20:
                    change = replicas.random.choice(CHANGES)
                    api, provider = replicas.different()
                    for token, status, reason in change(api, replicas.device()):
                        self._compare(change.__name__, provider.push(token), status, reason)
                        _, provider = replicas.different()
            except (OSError, http.client.HTTPException, KeyError) as error:
                self.problems.append(f"{type(error).__name__}: {error}")

    def _compare(self, what, answer, status, reason):
        seen_reason = json.loads(answer[2]).get("reason") if answer[2] else None
        with self._lock:
            self._left -= 1
            self.done += 1
            if answer[0] != status or (reason and seen_reason != reason):
                self.problems.append(f"{what}: expected {status} {reason or ''}, saw {answer[0]} {seen_reason or ''}")


def pairs(options):
    def work(cluster):
        started = time.monotonic()
        run = Pairs(cluster, options.count, options.seed)
        run.run()
        for problem in run.problems[:20]:
            print(problem)
        seconds = time.monotonic() - started
        print(f"chaos pairs: {run.done} pairs in {seconds:.0f} s, {len(run.problems)} judged by an old state or not at all")
        return not run.problems and run.done >= options.count

    return temporary_cluster(work)


# ---- a fault that fires a limited number of times


def limited_fault(cluster, number, times):
    """Pushes to all replicas at once; the fault must hit exactly `times` pushes. Returns a problem or None."""
    with Replicas(cluster, number) as replicas:
        token = replicas.device()
        body = {"match": {"token": token}, "when": {"times": times}, "do": {"respond": {"status": 429}}}
        added = replicas.random.choice(replicas.apis).call("POST", "/api/v1/faults", body)
        statuses, gate = [], threading.Barrier(len(replicas.providers))

        def push(provider):
            gate.wait(TIMEOUT)
            statuses.extend([provider.push(token)[0] for _ in range(4)])

        threads = [threading.Thread(target=push, args=(provider,), daemon=True) for provider in replicas.providers]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(TIMEOUT)
        fired = [api.call("GET", f"/api/v1/faults/{added['id']}")["stats"]["fired"] for api in replicas.apis]
        replicas.random.choice(replicas.apis).call("DELETE", f"/api/v1/faults/{added['id']}")
        expected = sorted([429] * times + [200] * (4 * len(threads) - times))
        if sorted(statuses) != expected or set(fired) != {times}:
            return f"a fault with times: {times} answered {sorted(statuses)}, and the replicas count {fired}"
        return None


# ---- a device that goes offline and online


def story(cluster, number):
    """Takes a device offline on one replica, pushes three times, takes it online on another one; returns problems."""
    problems = []
    with Replicas(cluster, number) as replicas:
        label = f"story-{uuid.uuid4()}"
        token = replicas.device(label)
        first, last = replicas.random.sample(replicas.apis, 2)
        first.call("PATCH", f"/api/v1/devices/@{label}", {"state": "offline"})
        identifiers = []
        for text in ("one", "two", "three"):
            provider = Provider(("127.0.0.1", cluster.pushes), cluster.token(), tls(cluster.ca))
            status, identifier, _ = provider.push(token, text)
            provider.close()
            identifiers.append(identifier)
            if status != 200:
                problems.append(f"push {text} was answered {status}")
        delivered = last.call("PATCH", f"/api/v1/devices/@{label}", {"state": "online"})["delivered"]
        if len(delivered) != 1:
            problems.append(f"expected one delivered push, saw {delivered}")
        for text, identifier in zip(("one", "two", "three"), identifiers):
            records = [shared(api.call("GET", f"/api/v1/pushes/apns:{identifier}")) for api in replicas.apis]
            if any(record != records[0] for record in records):
                problems.append(f"the replicas have different records of push {text}: {differences(records)}")
            state = records[0]["delivery"]["state"]
            if state != ("delivered-from-storage" if text == "three" else "discarded-collapsed"):
                problems.append(f"push {text} is {state}")
    return problems


def shared(record):
    """The parts of a record that all replicas know: only one with the connection knows its address and TLS."""
    connection = {name: value for name, value in record["connection"].items() if name not in ("remote", "tls")}
    return {**record, "connection": connection}


def differences(records):
    """The names of the members that differ between the replicas."""
    return [name for name in records[0] if any(record.get(name) != records[0][name] for record in records)]


# ---- the limit on token updates


def token_updates(cluster):
    """Sends new provider tokens of one key to all replicas at once; exactly one must become the key's token.

    Returns a problem or None.
    """
    now = int(time.time())
    tokens = [cluster.token("--issued-at", str(now - second)) for second in range(len(cluster.replicas))]
    with Replicas(cluster, 0) as replicas:
        device = replicas.device()
        replicas.apis[0].call("PATCH", "/api/v1/settings", {"tokenUpdateScope": "key"})
        statuses = {}
        try:
            gate = threading.Barrier(len(tokens))

            def push(replica, token):
                provider = Provider(("127.0.0.1", replica.pushes), token, tls(cluster.ca))
                gate.wait(TIMEOUT)
                statuses[token] = [provider.push(device)[0] for _ in range(4)]
                provider.close()

            threads = [
                threading.Thread(target=push, args=pair, daemon=True) for pair in zip(cluster.replicas, tokens)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(TIMEOUT)
            good = [token for token in tokens if statuses.get(token) == [200] * 4]
            refused = [token for token in tokens if statuses.get(token) == [429] * 4]
            if len(good) != 1 or len(refused) != len(tokens) - 1:
                return f"of {len(tokens)} new tokens of a key at once, expected 200 for one, saw {list(statuses.values())}"
            for replica in cluster.replicas:
                for token, status in [(good[0], 200), (refused[0], 429)]:
                    provider = Provider(("127.0.0.1", replica.pushes), token, tls(cluster.ca))
                    seen = provider.push(device)[0]
                    provider.close()
                    if seen != status:
                        return f"{replica.name}: expected {status} for a token of the key, saw {seen}"
        finally:
            replicas.apis[0].call("PATCH", "/api/v1/settings", {"tokenUpdateScope": "connection"})
    return None


# ---- uninstalled apps that the service learns of after a random time


def fuzzy_uninstalls(cluster):
    """Uninstalls apps on one replica and pushes to them on all; all must answer 410 for the same ones from the same time.

    Moves the clock. Returns problems.
    """
    problems, deaths = [], {}
    with Replicas(cluster, 0) as replicas:
        settings = {"uninstallDetection": "fuzzy", "uninstallDelay": "1m..20m", "uninstallSeed": 7}
        replicas.apis[0].call("PATCH", "/api/v1/settings", settings)
        tokens = [replicas.device() for _ in range(FUZZY_DEVICES)]
        for token in tokens:
            api, provider = replicas.different()
            api.call("PATCH", f"/api/v1/registrations/{token}", {"state": "uninstalled"})
            if (status := provider.push(token)[0]) != 200:
                problems.append(f"the first push after a deletion got {status}")
        replicas.apis[0].call("PUT", "/api/v1/clock", {"mode": "frozen"})
        for minute in range(21):
            for token in tokens:
                answers = {provider.push(token)[::2] for provider in replicas.providers}
                if len(answers) != 1:
                    problems.append(f"after {minute} minutes, the replicas answer {sorted(answers)} for the same token")
                elif (status := min(answers)[0]) == 410:
                    deaths.setdefault(token, minute)
                elif status != 200 or token in deaths:
                    problems.append(f"after {minute} minutes, the replicas answer {status}")
            replicas.random.choice(replicas.apis).call("POST", "/api/v1/clock/advance", {"by": "1m"})
    if len(deaths) != len(tokens) or len(set(deaths.values())) < 2:
        problems.append(f"expected {len(tokens)} tokens to become invalid at various times, saw {sorted(deaths.values())}")
    return problems


def stories(options):
    def work(cluster):
        problems = []
        for number in range(STORIES):
            problems += story(cluster, number)
        for number in range(LIMITED_FAULTS):
            problem = limited_fault(cluster, number, number % 6 + 1)
            problems += [problem] if problem else []
        problem = token_updates(cluster)
        problems += [problem] if problem else []
        problems += fuzzy_uninstalls(cluster)
        for problem in problems[:20]:
            print(problem)
        print(
            f"chaos stories: {STORIES} devices offline and online, {LIMITED_FAULTS} faults with a limit, tokens of a key, "
            f"{FUZZY_DEVICES} apps uninstalled with fuzzy detection, {len(problems)} problems"
        )
        return not problems

    return temporary_cluster(work)
