"""What forwarding to a slow service costs a push, for scripts/bench."""

import contextlib
import json
import os
import re
import statistics
import time

from bench_load import MockAPNs, cpu_seconds, fail, memory_mb, progress, spread

TOPIC = "com.example.app"
DELAY = "50ms"
PUSHES = 100_000
# What waits at most, of documented sizes, and what the records of the latest 10,000 need.
MOST_MB = 120


def forward_flags(setting, service):
    info = json.loads(service.get_text("/api/v1/info"))
    key = info["developmentKey"]
    return (
        "--forward", service.url.replace("127.0.0.1", "localhost"), "--forward-topic", TOPIC,
        "--forward-key", f"{key['path']},{key['keyId']},{key['teamId']}",
        "--forward-ca", os.path.join(setting.certs, "ca.pem"),
    )


class Service(MockAPNs):
    """A push service that answers after a delay."""

    def get_text(self, path):
        return self._server.get(path)


def counts_of(server):
    pattern = r'^mock_apns_forward(?:ed_total\{outcome="(\w+)"\}|_(queue)) (\S+)$'
    found = re.findall(pattern, server.get_text("/metrics"), re.MULTILINE)
    return {outcome or queue: int(float(value)) for outcome, queue, value in found}


def show_forward(setting):
    """Two servers in turn, one of which forwards: requests per second as h2load sees them, and memory."""
    pushes = 20_000 if setting.quick else PUSHES
    rates, cpu = {"off": [], "on": []}, {"off": [], "on": []}
    with contextlib.ExitStack() as stack:
        service = stack.enter_context(Service(setting, "--fault", f"slow-1s:delay={DELAY}", pinned=False))
        servers = {
            "off": stack.enter_context(Service(setting)),
            "on": stack.enter_context(Service(setting, *forward_flags(setting, service))),
        }
        for number in range(setting.rounds + 1):
            progress(f"forward: round {number} of {setting.rounds}")
            for kind, server in servers.items():
                before = cpu_seconds(server.pid)
                rate = setting.load(server.url, pushes)
                if number > 0:  # the first round warms up
                    rates[kind].append(rate)
                    cpu[kind].append((cpu_seconds(server.pid) - before) / pushes * 1e6)
                # What waits must not disturb the next round.
                while counts_of(server)["queue"] > 0:
                    time.sleep(0.2)
        peak = {kind: memory_mb(server.pid, "VmHWM") for kind, server in servers.items()}
        counts = counts_of(servers["on"])
        servers["on"].check_counters((setting.rounds + 1) * pushes)
    if counts["failed"] or sum(counts.values()) > (setting.rounds + 1) * pushes:
        fail(f"expected answered and dropped pushes only, saw {counts}")
    print(f"{setting.rounds} rounds of {pushes:,} pushes; a service with {DELAY} for each answer")
    for kind in rates:
        print(f"  forwarding {kind:4} {statistics.median(rates[kind]):10,.0f} pushes/s"
              f" {statistics.median(cpu[kind]):8.2f} CPU s per million  peak {peak[kind]:.1f} MB")
    ratios = [on / off for on, off in zip(rates["on"], rates["off"])]
    print(f"  pushes/s on to off {spread(ratios)}; goal ≥ 0.98")
    print(f"  more memory {peak['on'] - peak['off']:.1f} MB; goal ≤ {MOST_MB}")
    print(f"  forwarded {counts}")
