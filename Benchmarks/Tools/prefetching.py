# SPDX-License-Identifier: BSD-3-Clause
"""Part of store.py: what prefetch of bricks brings, for few lines and for many, through the slow disk.

    rows = measure(arguments)   # arguments: out, rounds, quick
    report(rows)

Sides take turns, in the reverse order in every other round. Each run is a process of its own, and all must trace the same lines:

without     nobody prefetches
path        bricks on the straight path ahead of each particle
same        the same, after hints of an earlier run with the same seeds
near        the same, after hints of a run with seeds two cells beside; not with thousands
automatic   path, with the strategy that Automatic takes
"""

import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import statistics
import subprocess

import built
import numpy as np
import outofcore
from rows import summary
from slow_disk import SlowDevice, SlowDisk

DEVICE = "latency=5ms,bandwidth=1GB/s,depth=64"
COUNTS = (1, 4, 16, 10000)
FEW = 16
BESIDE = 2.0  # cells
SEEDINGS = 3  # of few particles: sets of seeds, traced one after the other
MIB = 1 << 20


@dataclasses.dataclass(frozen=True)
class Flow:
    name: str
    generate: tuple
    program: str
    options: tuple
    low: tuple  # seeds lie between these parts of the domain
    high: tuple


def flows(quick):
    size = 64 if quick else 400
    steps, gyre = (6, "48,24,24") if quick else (50, "160,80,80")
    steady = ["mixing-layer", "--size", f"{size},{size},{size}"]
    unsteady = ["double-gyre", "--dims", gyre, "--steps", steps, "--dt", 10.0 / (50 - 1)]
    return [
        Flow("streamlines", tuple(steady), "trace_field", (), (0.2, 0.2, 0.35), (0.8, 0.8, 0.65)),
        Flow("pathlines", tuple(unsteady), "trace_in_time", ("--integrator", 1, "--step", 0.05), (0.2,) * 3, (0.8,) * 3),
    ]


def run(flow, field, seeds, strategy, budget, extra=()):
    command = [built.program(flow.program), field, "--seeds", seeds, "--strategy", strategy, "--budget", budget, "--threads", 2]
    if flow.program == "trace_field":
        command += ["--steps", 2000 if seeds.stat().st_size <= FEW * 24 else 400]
    command += [*flow.options, *extra]
    done = subprocess.run([str(word) for word in command], check=True, stdout=subprocess.PIPE, text=True)
    return json.loads(done.stdout)


def write_seeds(folder, flow, grid, count, number):
    """Seeds, and seeds beside them."""
    random = np.random.default_rng(1000 * number + count)
    low, high, spacing = np.array(flow.low), np.array(flow.high), np.array(grid["spacing"])
    at = np.array(grid["origin"]) + (low + (high - low) * random.random((count, 3))) * (np.array(grid["nodes"]) - 1) * spacing
    aside = random.normal(size=at.shape)
    aside *= BESIDE / np.linalg.norm(aside, axis=1)[:, None]
    paths = folder / f"{flow.name}-{count}-{number}.seeds", folder / f"{flow.name}-{count}-{number}-beside.seeds"
    at.tofile(paths[0])
    (at + aside * spacing).tofile(paths[1])
    return paths


def learn(flow, field, seeds, budget, folder):
    shutil.rmtree(folder, ignore_errors=True)
    run(flow, field, seeds, outofcore.ASYNCHRONOUS, budget, ["--hints", folder])
    return folder


def forget_pages(path):
    """Takes a file out of the page cache."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)


def sides_of(flow, field, local, seeds, beside, budget, scratch):
    """{name: function that runs once}. Hints are read from a copy, so that each round finds the same."""
    taught = {"same": seeds} | ({"near": beside} if beside else {})
    kept = {name: learn(flow, local, places, budget, scratch / name) for name, places in taught.items()}

    def with_hints(name):
        copy = scratch / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        if kept[name].exists():
            shutil.copytree(kept[name], copy)
        return run(flow, field, seeds, outofcore.ASYNCHRONOUS, budget, ["--hints", copy])

    def automatic():
        forget_pages(field)
        return run(flow, field, seeds, 0, budget)

    sides = {
        "without": lambda: run(flow, field, seeds, outofcore.ASYNCHRONOUS, budget, ["--without-prefetch"]),
        "path": lambda: run(flow, field, seeds, outofcore.ASYNCHRONOUS, budget),
        "same": lambda: with_hints("same"),
        "near": lambda: with_hints("near"),
        "automatic": automatic,
    }
    return sides if beside else {name: side for name, side in sides.items() if name != "near"}


def measure_seeds(flow, field, local, budget, disk, scratch, number, arguments, count):
    grid, _ = outofcore.field_facts(local)
    seeds, beside = write_seeds(scratch, flow, grid, count, number)
    reference = run(flow, local, seeds, outofcore.BUFFERED, 2048)
    sides = sides_of(flow, field, local, seeds, beside if count <= FEW else None, budget, scratch)
    rows = []
    for turn in range(arguments.rounds):
        for name, trace in list(sides.items())[:: -1 if turn % 2 else 1]:
            before = disk.served()
            answer = trace()
            assert answer["hash"] == reference["hash"], f"{flow.name}, {name}: other lines"
            requests, size = (now - then for now, then in zip(disk.served(), before))
            row = {"part": "prefetch", "flow": flow.name, "particles": count, "seeding": number, "round": turn, "side": name}
            row |= {key: answer[key] for key in ("seconds", "steps", "bricks_read", "prefetched", "prefetched_used", "asked")}
            row |= {"parked": answer["parked"], "stall_seconds": answer["stall_seconds"], "strategy": answer["strategy"]}
            rows.append(row | {"requests": requests, "device_bytes": size, "bricks": reference["bricks_read"], "slow_disk": DEVICE})
    return rows


def measure(arguments):
    rows = []
    with contextlib.ExitStack() as stack:
        fields = {}
        for flow in flows(arguments.quick):
            path = fields[flow] = arguments.out / f"{flow.name}{'-small' if arguments.quick else ''}.rvf"
            words = [built.program("rivulet"), "generate", flow.generate[0], path, *flow.generate[1:], "--quiet"]
            if not path.exists():
                subprocess.run([str(word) for word in words], check=True)
        disk = stack.enter_context(SlowDisk(arguments.out, SlowDevice.parse(DEVICE)))
        scratch = arguments.out / "prefetch"
        scratch.mkdir(exist_ok=True)
        stack.callback(shutil.rmtree, scratch, ignore_errors=True)
        for flow, local in fields.items():
            budget = max(8, local.stat().st_size // 20 // MIB)
            for count in (1, 4) if arguments.quick else arguments.particles or COUNTS:
                for number in range(SEEDINGS if count <= FEW and not arguments.quick else 1):
                    field = disk.path / local.name
                    rows += measure_seeds(flow, field, local, budget, disk, scratch, number, arguments, count)
                show([row for row in rows if row["flow"] == flow.name and row["particles"] == count])
    return rows


def ratio(rows, side, key="seconds"):
    """Of a side to `without`, one for each pair of a round and a seeding."""
    place = lambda row: (row["seeding"], row["round"])  # noqa: E731
    base = {place(row): row[key] for row in rows if row["side"] == "without"}
    return [row[key] / max(base[place(row)], 1e-9) for row in rows if row["side"] == side]


def show(rows):
    first = rows[0]
    for side in dict.fromkeys(row["side"] for row in rows):
        mine = [row for row in rows if row["side"] == side]
        total = {key: sum(row[key] for row in mine) for key in ("prefetched", "prefetched_used", "asked", "parked")}
        text = f"  {first['flow']:11} {first['particles']:6} {side:9} {summary([row['seconds'] for row in mine])} s"
        text += f"  {statistics.median(ratio(rows, side)):5.2f} of without"
        text += f"  precision {total['prefetched_used'] / max(total['prefetched'], 1):.2f}"
        print(f"{text}  recall {total['prefetched_used'] / max(total['asked'], 1):.2f}  parked {total['parked']}", flush=True)


def report(rows):
    for flow in dict.fromkeys(row["flow"] for row in rows):
        for count in dict.fromkeys(row["particles"] for row in rows if row["flow"] == flow):
            mine = [row for row in rows if (row["flow"], row["particles"]) == (flow, count)]
            for side in dict.fromkeys(row["side"] for row in mine):
                print(f"{flow}, {count}: {side} / without: {summary(ratio(mine, side))}")
