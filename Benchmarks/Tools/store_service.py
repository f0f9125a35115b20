# SPDX-License-Identifier: BSD-3-Clause
"""Part of store.py: a service that keeps bricks from run to run, against a slow disk, a fast one, and a copy.

    rows = service(arguments)     # dictionaries, one for each run

Sides: `alone` reads from the slow disk; `empty` has a service that knows nothing, which it fills; `filled` has one that knows
all that the run reads; `local` reads from the local disk; `copy` maps a copy in memory, with the seconds that the copy took.
All but `copy` begin with an empty page cache.
"""

import contextlib
import json
import pathlib
import shutil
import statistics
import subprocess
import tempfile
import time

import built
from cold_runs import drop_caches
from slow_disk import SlowDevice, SlowDisk
from store_ranks import seeds_of
from unsteady_files import needs

DEVICES = {"5 ms": "latency=5ms,bandwidth=1GB/s,depth=64", "0.1 ms": "latency=100us,bandwidth=1GB/s,depth=64"}
NODES, STEPS = 129, 12
CASES = {"cloud": 2000, "line": 2000, "few": 16}
BUDGET = 64  # MiB
THREADS = 1
COPIERS = 12
COUNTS = ("bricks_read", "bytes_read", "bytes_from_service", "peak_bytes")


class Redis:
    """A server on a Unix socket and on a port of this machine."""

    def __init__(self, folder, port=7391):
        self.socket = folder / "redis.sock"
        self.port = port
        words = ["redis-server", "--port", port, "--unixsocket", self.socket, "--save", "", "--maxmemory", "2gb", "--loglevel", "warning"]
        self.process = subprocess.Popen([str(word) for word in words], stdout=subprocess.DEVNULL)
        while subprocess.run(["redis-cli", "-s", self.socket, "ping"], capture_output=True).stdout.strip() != b"PONG":
            time.sleep(0.02)

    def forget(self):
        subprocess.run(["redis-cli", "-s", self.socket, "flushall"], check=True, capture_output=True)

    def close(self):
        self.process.terminate()
        self.process.wait()


def trace(path, seeds, strategy, *words):
    command = [built.program("trace_in_time"), path, "--seeds", seeds, "--strategy", strategy, "--budget", BUDGET, "--threads", THREADS, *words]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def cold(*words):
    drop_caches()
    return trace(*words)


def copy_to_memory(store, to):
    """Seconds for a copy of a store by several processes."""
    shutil.rmtree(to, ignore_errors=True)
    drop_caches()
    start = time.perf_counter()
    copies = []
    for path in sorted(store.rglob("*")):
        target = to / path.relative_to(store)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            copies.append(subprocess.Popen(["cp", path, target]))
            if len(copies) == COPIERS:
                copies.pop(0).wait()
    for each in copies:
        assert each.wait() == 0
    return time.perf_counter() - start


def rounds_of(case, device, slow, local, copy, seeds, redis, rounds):
    sockets = {"unix": f"unix:{redis.socket}", "tcp": f"redis://localhost:{redis.port}"}
    reference = trace(local, seeds, 4)

    def empty():
        redis.forget()
        return cold(slow, seeds, 4, "--service", sockets["unix"])

    def filled(kind):
        return lambda: cold(slow, seeds, 4, "--service", sockets[kind])

    sides = {"alone": lambda: cold(slow, seeds, 4), "empty": empty, "filled unix": filled("unix"), "filled tcp": filled("tcp"),
             "local": lambda: cold(local, seeds, 4), "copy": lambda: trace(copy, seeds, 1)}  # fmt: skip
    for _ in range(3):  # so that the service knows all, also what came too fast at first
        trace(slow, seeds, 4, "--service", sockets["unix"])
    rows = []
    for number in range(rounds):
        for side, run in sides.items():
            answer = run()
            assert answer["hash"] == reference["hash"], f"{case}, {side}: other lines"
            rows.append({"part": "service", "case": case, "device": device, "round": number, "side": side, "bricks": reference["bricks_read"]} |
                        {key: answer[key] for key in ("seconds", *COUNTS)})  # fmt: skip
            if side == "empty":
                for _ in range(2):
                    trace(slow, seeds, 4, "--service", sockets["unix"])
    return rows


def service(arguments):
    """Pathlines with and without a service. Lines are the same before anything is timed."""
    needs("redis-server", "redis-cli")
    rows = []
    folder = arguments.folder / "service"
    folder.mkdir(parents=True, exist_ok=True)
    local = folder / "tornado.rvs"
    nodes, steps = (40, 4) if arguments.quick else (NODES, STEPS)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, folder, ignore_errors=True)
        words = [built.program("rivulet"), "generate", "tornado", local, "--dims", f"{nodes},{nodes},{nodes}", "--steps", steps, "--force", "-q"]
        subprocess.run([str(word) for word in words], check=True)
        grid = json.loads(subprocess.run([built.program("rivulet"), "info", local, "--json"], capture_output=True, check=True).stdout)["grid"]
        memory = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(dir="/dev/shm")))
        redis = Redis(memory)
        stack.callback(redis.close)
        for device, text in DEVICES.items():
            with SlowDisk(folder, SlowDevice.parse(text)) as disk:
                slow = disk.path / local.name
                copy = memory / local.name
                for number in range(arguments.rounds):
                    rows.append({"part": "service", "case": "copy", "device": device, "round": number, "side": "copy", "bricks": 0,
                                 "seconds": copy_to_memory(slow, copy), **dict.fromkeys(COUNTS, 0)})  # fmt: skip
                for case, count in CASES.items():
                    seeds = folder / "seeds"
                    seeds_of("cloud" if case == "few" else case, grid, count if not arguments.quick else 20).tofile(seeds)
                    redis.forget()
                    rows += rounds_of(case, device, slow, local, copy, seeds, redis, arguments.rounds)
    say(rows)
    return rows


def say(rows):
    def median(case, device, side):
        return statistics.median(row["seconds"] for row in rows if (row["case"], row["device"], row["side"]) == (case, device, side))

    for device in DEVICES:
        print(f"service: disk of {device}: a copy to memory takes {median('copy', device, 'copy'):.2f} s")
        for case in CASES:
            alone = median(case, device, "alone")
            sides = {row["side"]: None for row in rows if (row["case"], row["device"]) == (case, device)}
            told = ", ".join(f"{side} {alone / median(case, device, side):.2f}" for side in sides if side != "alone")
            print(f"service: disk of {device}, {case}: alone {alone:.3f} s; times as fast: {told}")
