"""The measurements of kept worlds for scripts/bench: rates, starts, pauses by deletion, and namespaces."""

import concurrent.futures
import contextlib
import json
import os
import statistics
import time

from bench_load import MockAPNs, cpu_seconds, fail, memory_mb, progress, spread
from cluster import temporary_postgres

# A snapshot is written after 100,000 changes, so a start has at most that many to read after it.
AFTER_SNAPSHOT = 99_000


def wait_until_idle(server):
    """Waits until a server has finished its work in the background: it would disturb the next measurement."""
    before = -1.0
    while (now := cpu_seconds(server.pid)) > before + 0.005:  # timers go on
        before = now
        time.sleep(0.2)


def kept_worlds(setting):
    """A server in memory and two with a data directory, in turn: pushes per second and CPU seconds per million."""
    kinds = ("memory", "normal", "full")
    # The writer has what the load leaves of both cores, as it would anywhere else.
    setting.load_core = ()
    token = os.path.join(setting.directory, "uri")
    with open(setting.uris, encoding="ascii") as uris, open(token, "w", encoding="ascii") as file:
        file.write(uris.readline())
    found = {kind: [] for kind in kinds}
    with contextlib.ExitStack() as stack:
        servers = {}
        for kind in kinds:
            data = os.path.join(setting.directory, f"data-{kind}")
            flags = () if kind == "memory" else ("--data", data, "--sync", kind)
            servers[kind] = stack.enter_context(MockAPNs(setting, *flags, pinned=False))
        for number in range(setting.rounds + 1):
            progress(f"data: round {number} of {setting.rounds}")
            for kind, server in servers.items():
                before = cpu_seconds(server.pid)
                rate = setting.load(server.url, setting.pushes, token, connections=4, streams=200)
                wait_until_idle(server)
                seconds = (cpu_seconds(server.pid) - before) / setting.pushes * 1e6
                if number > 0:  # the first round warms up
                    found[kind].append((rate, seconds))
    return found


def shared_worlds(setting):
    """A server in memory, one with a database, and three that share another: pushes per second and CPU of the servers."""
    setting.load_core = ()
    with contextlib.ExitStack() as stack:
        postgres = stack.enter_context(temporary_postgres(setting.directory))

        def replica(world):
            return stack.enter_context(MockAPNs(setting, "--data", postgres.create_database(world), pinned=False))

        memory = stack.enter_context(MockAPNs(setting, pinned=False))
        alone = replica("alone")
        three = [replica("three") for _ in range(3)]
        # Which servers there are, and which of them get pushes.
        kinds = {
            "memory": ([memory], [memory]), "alone": ([alone], [alone]),
            "one of three": (three, three[:1]), "all of three": (three, three),
        }
        found = {kind: [] for kind in kinds}
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor())
        for number in range(setting.rounds + 1):
            progress(f"database: round {number} of {setting.rounds}")
            for kind, (servers, loaded) in kinds.items():
                before = sum(cpu_seconds(server.pid) for server in servers)
                began = time.monotonic()
                share = setting.pushes // 4 // len(loaded)
                list(pool.map(lambda server: setting.load(server.url, share, connections=8, streams=200), loaded))
                rate = share * len(loaded) / (time.monotonic() - began)
                for server in servers:
                    wait_until_idle(server)
                seconds = (sum(cpu_seconds(server.pid) for server in servers) - before) / share / len(loaded) * 1e6
                if number > 0:  # the first round warms up
                    found[kind].append((rate, seconds))
        if len(digests := {server.digest() for server in three}) != 1:
            fail(f"expected one digest of three replicas, saw {digests}")
    return found


def show_kept(found, what):
    memory = found["memory"]
    print(f"{what} against memory, in turn: medians, with the ratio of neighbouring runs (median, lowest … highest)\n")
    print(f"{'':14}{'pushes per second':>20}{'CPU, s per million':>20}{'ratio of rates':>26}")
    for kind, rounds in found.items():
        rate, seconds = (statistics.median(column) for column in zip(*rounds))
        ratio = spread([mine[0] / other[0] for mine, other in zip(rounds, memory)])
        print(f"{kind:14}{rate:20,.0f}{seconds:20.2f}{ratio:>26}")


def show_data(setting):
    show_kept(kept_worlds(setting), "--data DIR")


def show_database(setting):
    show_kept(shared_worlds(setting), "--data postgresql://…")


# --- starts, pauses and namespaces -------------------------------------------------------------------------------


def one_uri(setting, name, server):
    """A file with one device token, for h2load."""
    path = os.path.join(setting.directory, name)
    with open(setting.uris, encoding="ascii") as uris, open(path, "w", encoding="ascii") as file:
        file.write(uris.readline().replace("https://127.0.0.1", server.url))
    return path


def milliseconds(use):
    began = time.monotonic()
    use()
    return (time.monotonic() - began) * 1e3


def show_starts(setting):
    """How long a start takes with many pushes and devices, after a stop and after a kill."""
    pushes, devices = (100_000, 10_000) if setting.quick else (1_000_000, 100_000)
    flags = ("--data", os.path.join(setting.directory, "starts"))
    draft = [{"label": f"phone-{number}", "registrations": [{"topic": "com.example.app"}]} for number in range(devices)]
    with MockAPNs(setting, *flags, pinned=False) as server:
        server.api("PUT", "/api/v1/devices", json.dumps(draft))
        progress(f"starts: {pushes:,} pushes, {devices:,} devices")
        setting.load(server.url, pushes)
        wait_until_idle(server)
        server.stop()
    print(f"{pushes:,} pushes, {devices:,} devices; ready after, in seconds (median, lowest … highest)\n")
    stopped, killed = [], []
    for number in range(3 if setting.quick else 5):
        progress(f"starts: round {number + 1}")
        with MockAPNs(setting, *flags, pinned=False) as server:
            stopped.append(server.seconds_to_ready)
            setting.load(server.url, AFTER_SNAPSHOT)
            wait_until_idle(server)
        with MockAPNs(setting, *flags, pinned=False) as server:  # the block before ended with a kill
            killed.append(server.seconds_to_ready)
            memory = memory_mb(server.pid, "VmRSS")
            page = milliseconds(lambda: server.api("GET", "/api/v1/pushes?limit=50&order=asc", None))
            token = server.api("GET", "/api/v1/pushes?limit=1", None)["pushes"][0]["apns"]["token"]
            found = milliseconds(lambda: server.api("GET", f"/api/v1/pushes?limit=50&token={token}", None))
            server.stop()
    print(f"after a stop                        {spread(stopped)}")
    print(f"after a kill, {AFTER_SNAPSHOT:,} pushes later   {spread(killed)}")
    print(f"memory after the last start         {memory:.0f} MB")
    print(f"the oldest 50 pushes                {page:.0f} ms")
    print(f"the latest 50 of a device token     {found:.0f} ms\n")


def latencies(setting, server, uri, log):
    """Milliseconds of pushes that are sent one at a time, while other connections push at a fixed rate."""
    rate, seconds = 10_000, 10 if setting.quick else 60
    with concurrent.futures.ThreadPoolExecutor() as pool:
        load = pool.submit(
            setting.load, server.url, rate * seconds, uri, 4, 50, "--rps", str(rate // 4),
        )
        setting.load(server.url, 100 * seconds, uri, 1, 1, "--rps", "100", f"--log-file={log}")
        load.result()
    with open(log, encoding="ascii") as lines:
        return sorted(int(line.split()[2]) / 1e3 for line in lines)


def show_pauses(setting):
    """What deleting costs a push: latencies while the oldest pushes are deleted, and without a limit."""
    print("one push at a time beside 10,000 a second, in milliseconds\n")
    print(f"{'':28}{'median':>10}{'99 %':>10}{'99.9 %':>10}{'highest':>10}{'deleted':>12}")
    for name, flags in {"without a limit": (), "--keep-pushes 50000": ("--keep-pushes", "50000")}.items():
        progress(f"pauses: {name}")
        data = os.path.join(setting.directory, "pauses" + name.replace(" ", ""))
        with MockAPNs(setting, "--data", data, *flags, "--max-pushes", "1000", pinned=False) as server:
            uri = one_uri(setting, "one", server)
            setting.load(server.url, 200_000, uri)
            wait_until_idle(server)
            times = latencies(setting, server, uri, os.path.join(setting.directory, "latencies"))
            info = server.api("GET", "/api/v1/info", None)
            deleted = info["counters"]["pushesReceived"] - info["data"]["pushes"]
        cells = [times[int(len(times) * share)] for share in (0.5, 0.99, 0.999)] + [times[-1]]
        print(f"{name:28}" + "".join(f"{cell:10.2f}" for cell in cells) + f"{deleted:12,}")
    print()


def show_namespaces(setting):
    """The same pushes to one namespace and to eight, in memory, with a data directory and with a database."""
    setting.load_core = ()
    print("pushes per second, eight namespaces to one (median, lowest … highest)\n")
    with contextlib.ExitStack() as stack:
        postgres = stack.enter_context(temporary_postgres(setting.directory))
        kinds = {
            "memory": (), "--data DIR": ("--data", os.path.join(setting.directory, "namespaces")),
            "--data postgresql://…": ("--data", postgres.create_database("namespaces")),
        }
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor())
        for kind, flags in kinds.items():
            with MockAPNs(setting, "--threads", "2", *flags, pinned=False) as server:
                found = [namespace_rates(setting, server, pool, number) for number in range(setting.rounds + 1)][1:]
            one, eight = (statistics.median(column) for column in zip(*found))
            print(f"{kind:24}{one:12,.0f}{eight:12,.0f}   {spread([many / single for single, many in found])}")


def namespace_rates(setting, server, pool, number):
    """Pushes per second over eight connections: all to the default namespace, and one to each of eight."""
    progress(f"namespaces: round {number} of {setting.rounds}")
    share = setting.pushes // 32

    def rate(urls):
        began = time.monotonic()
        list(pool.map(lambda url: setting.load(url, share, connections=1, streams=200), urls))
        taken = time.monotonic() - began
        wait_until_idle(server)
        return 8 * share / taken

    names = [f"n{number}-{index}" for index in range(8)]
    urls = [
        server.api("POST", "/api/v1/namespaces", json.dumps({"name": name, "listener": True}))["apns"] for name in names
    ]
    rates = rate([server.url] * 8), rate(urls)
    for name in names:
        server.api("DELETE", f"/api/v1/namespaces/{name}", None)
    return rates


def show_lasting(setting):
    show_starts(setting)
    show_pauses(setting)
    show_namespaces(setting)
