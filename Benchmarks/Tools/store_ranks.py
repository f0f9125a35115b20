# SPDX-License-Identifier: BSD-3-Clause
"""Part of store.py: ranks that read bricks for each other, against ranks that each read what they need.

    rows = ranks(arguments)     # dictionaries, one for each run
    rows = owners(arguments)    # how evenly the hash shares out bricks over more ranks than can be run
"""

import contextlib
import json
import shutil
import statistics
import subprocess

import built
import numpy as np
from cold_runs import drop_caches
from slow_disk import SlowDevice, SlowDisk
from unsteady_files import needs

DEVICE = "latency=5ms,bandwidth=100MB/s,depth=64"  # one for all ranks, as a server of files is
NODES, STEPS, PARTICLES = 129, 12, 2000
BUDGET = 64  # MiB of each rank
RANKS = (1, 2, 4, 8)
OWNERS = (2, 4, 8, 64, 1024)
OWNERS_BUDGET = 1024  # MiB, for all bricks that one process reads
COUNTS = ["asked", "received", "late", "refused", "served", "messages", "message_bytes", "bricks_read", "bytes_read",
          "owned", "questions", "polls", "poll_processor_seconds"]  # fmt: skip


def seeds_of(case, grid, count):
    """A cloud, of which each rank has a share everywhere, or a line, of which each rank has a piece."""
    lower, spacing, nodes = (np.array(grid[key]) for key in ("origin", "spacing", "nodes"))
    size = spacing * (nodes - 1)
    if case == "cloud":
        return lower + size * (0.3 + 0.4 * np.random.default_rng(1).random((count, 3)))
    along = 0.2 + 0.6 * np.linspace(0, 1, count)
    return lower + size * np.column_stack([along, np.full(count, 0.5), np.full(count, 0.3)])


def run(path, seeds, count, share):
    drop_caches()
    command = [built.program("trace_ranks"), path, "--seeds", seeds, "--ranks", count, "--budget", BUDGET, *(["--share"] if share else [])]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
    return sorted((json.loads(line) for line in done.stdout.splitlines()), key=lambda rank: rank["rank"])


def hash_of(told):
    """The same however the lines are shared out among ranks."""
    return sum(int(rank["hash"], 16) for rank in told) % 2**64


def steps_of(told):
    return sum(rank["steps"] for rank in told)


def row_of(told):
    """One row for the run of all ranks."""
    served = [rank["served"] for rank in told]
    return {"seconds": max(rank["seconds"] for rank in told), "steps": steps_of(told),
            **{name: sum(rank[name] for rank in told) for name in COUNTS},
            "most_served": max(served),
            "balance_owned": balance([rank["owned"] for rank in told]),
            "balance_questions": balance([rank["questions"] for rank in told]),
            "latency": " ".join(map(str, np.sum([rank["latency"] for rank in told], axis=0)))}  # fmt: skip


def balance(numbers):
    """Largest over mean; 1 if there is none."""
    return max(numbers) * len(numbers) / sum(numbers) if sum(numbers) else 1.0


@contextlib.contextmanager
def tornado(arguments):
    """Store, description of its grid, and the number of particles. The folder is removed at the end."""
    folder = arguments.folder / "ranks"
    folder.mkdir(parents=True, exist_ok=True)
    store = folder / "tornado.rvs"
    nodes, steps, particles = (40, 4, 100) if arguments.quick else (NODES, STEPS, PARTICLES)
    try:
        command = [built.program("rivulet"), "generate", "tornado", store, "--dims", f"{nodes},{nodes},{nodes}", "--steps", steps, "--force", "-q"]
        subprocess.run([str(word) for word in command], check=True)
        info = json.loads(subprocess.run([built.program("rivulet"), "info", store, "--json"], capture_output=True, check=True).stdout)
        yield store, info["grid"], particles
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def owners(arguments):
    """All bricks of the field, and those that one process reads for all particles, by the rank that would own them."""
    rows = []
    with tornado(arguments) as (store, grid, particles):
        seeds = store.parent / "seeds"
        for case in ("cloud", "line"):
            seeds_of(case, grid, particles).tofile(seeds)
            command = [built.program("trace_ranks"), store, "--seeds", seeds, "--budget", OWNERS_BUDGET, "--owners", ",".join(map(str, OWNERS))]
            done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True)
            for found in map(json.loads, done.stdout.splitlines()):
                assert found["bricks"] >= found["bricks_used"] > 0, found
                rows.append({"part": "owners", "case": case} | found |
                            {"balance": found["most_bricks"] * found["ranks"] / found["bricks"],
                             "balance_used": found["most_bricks_used"] * found["ranks"] / found["bricks_used"]})  # fmt: skip
    for row in rows:
        print(f"owners: {row['case']}, {row['ranks']} ranks: most over mean {row['balance']:.2f} of all bricks, {row['balance_used']:.2f} of those that are read")
    return rows


def ranks(arguments):
    """Pathlines by 1 to 8 processes on a slow disk. Lines are the same before anything is timed."""
    needs()
    rows = []
    with tornado(arguments) as (store, grid, particles):
        seeds = store.parent / "seeds"
        with SlowDisk(store.parent, SlowDevice.parse(DEVICE)) as disk:
            for case in ("cloud", "line"):
                seeds_of(case, grid, particles).tofile(seeds)
                hashes = set()
                for number in range(arguments.rounds):
                    for count in RANKS:
                        ways = (False, True) if count > 1 else (False,)
                        lines = [run(disk.path / store.name, seeds, count, share) for share in ways]
                        for share, told in zip(ways, lines):
                            rows.append({"part": "ranks", "round": number, "case": case, "ranks": count, "share": int(share),
                                         "device": DEVICE} | row_of(told))  # fmt: skip
                        hashes.update(map(hash_of, lines))
                        assert len(hashes) == 1, "other lines than those of another number of ranks"
    say_ratios(rows)
    return rows


def say_ratios(rows):
    for case, count in ((case, count) for case in ("cloud", "line") for count in RANKS[1:]):
        alone, shared = ([row for row in rows if (row["case"], row["ranks"], row["share"]) == (case, count, share)] for share in (0, 1))
        ratio = statistics.median(a["seconds"] for a in alone) / statistics.median(s["seconds"] for s in shared)
        reads = sum(a["bricks_read"] for a in alone) / sum(s["bricks_read"] for s in shared)
        uneven = ", ".join(f"{name} {statistics.median(s[f'balance_{name}'] for s in shared):.2f}" for name in ("owned", "questions"))
        print(f"ranks: {case}, {count} ranks: {ratio:.2f} times as fast with shared bricks, {reads:.2f} times fewer read; "
              f"most over mean: {uneven}", flush=True)  # fmt: skip
