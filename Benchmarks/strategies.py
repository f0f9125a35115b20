# SPDX-License-Identifier: BSD-3-Clause
"""Is the strategy that Automatic takes ever more than 5 % slower than the best of those that wait for their reads?

A turbulent mixing layer of 420^3 float vectors (1.3 GB as a field file) is traced in each situation that matters for the choice:
page cache warm or cold; many lines, a few, or one; a budget for all of the field or for a twentieth; a memory cgroup of an eighth
of the file; a slow disk (FUSE, 5 ms per request). Each run is a separate process. Cold runs start with the page cache dropped. All
runs must trace the same lines. Strategies alternate within a round. The ratio is Automatic's time over the smallest of Memory Map,
Buffered Cache and Direct Cache in the same round.

usage: strategies.py [--nodes 420] [--rounds 5] [--only SITUATION...] [--kind rvf] [--out FOLDER] [--quick]
Needs root (cgroup, page cache) and FUSE.
"""

import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
import outofcore  # noqa: E402
from cold_runs import MemoryGroup, drop_caches, uniform_seeds  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402
from slow_disk import SlowDevice, SlowDisk, Unavailable  # noqa: E402

WAYS = {"automatic": 0, "mapped": 1, "buffered": 2, "direct": 3, "asynchronous": 4}
WAITING = ("mapped", "buffered", "direct")
LARGE, SMALL = 2048, 64  # MiB

SITUATIONS = {  # cold, lines, steps, budget, where
    "warm many large": (False, 1000, 1024, LARGE, "disk"),
    "warm many small": (False, 1000, 1024, SMALL, "disk"),
    "warm one": (False, 1, 4096, LARGE, "disk"),
    "cold many large": (True, 1000, 1024, LARGE, "disk"),
    "cold many small": (True, 1000, 1024, SMALL, "disk"),
    "cold eight": (True, 8, 4096, LARGE, "disk"),
    "cold one": (True, 1, 4096, LARGE, "disk"),
    "cold many limited": (True, 1000, 1024, SMALL, "group"),
    "slow many": (True, 300, 24, LARGE, "slow"),
    "slow one": (True, 1, 300, LARGE, "slow"),
    "slow warm many": (False, 300, 24, LARGE, "slow"),
}


SLOW = SlowDevice(latency=0.005, depth=32)


def trace(file, seeds, strategy, steps, budget, group=None):
    command = [built.program("trace_field"), str(file), "--strategy", str(strategy), "--threads", "2"]
    command += ["--budget", str(budget), "--seeds", str(seeds), "--steps", str(steps)]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, preexec_fn=group and group.enter)
    return json.loads(answer.stdout)


def seeds_for(folder, file, lines):
    info = subprocess.run([built.program("rivulet"), "info", "--json", str(file)], check=True, stdout=subprocess.PIPE)
    grid = json.loads(info.stdout)["grid"]
    path = folder / f"{lines}.seeds"
    uniform_seeds(path, *(grid[key] for key in ("nodes", "spacing", "origin")), lines)
    return path


def measure(name, folder, file, arguments):
    cold, lines, steps, budget, where = SITUATIONS[name]
    seeds = seeds_for(folder, file, lines)
    rows = []
    with SlowDisk(folder, SLOW) if where == "slow" else contextlib.nullcontext() as disk:
        seen = disk.path / file.name if disk else file
        for number in range(arguments.rounds):
            for way in arguments.ways:
                if cold:
                    drop_caches()
                elif number == 0:
                    trace(seen, seeds, WAYS["buffered"], steps, LARGE)
                group = MemoryGroup(file.stat().st_size // 8) if where == "group" else None
                run = trace(seen, seeds, WAYS[way], steps, budget, group)
                if group:
                    group.close()
                rows.append({"situation": name, "round": number, "run": way} | run)
    assert len({row["hash"] for row in rows}) == 1, f"{name}: other lines"
    return rows


def show(name, rows, ways):
    def seconds(way):
        return [row["seconds"] for row in rows if row["run"] == way]

    text = f"{name:18}" + "".join(f"  {way} {statistics.median(seconds(way)):.3f}" for way in ways)
    waiting = [way for way in ways if way in WAITING]
    if waiting and "automatic" in ways:
        best = min(waiting, key=lambda way: statistics.median(seconds(way)))
        ratios = [ours / theirs for ours, theirs in zip(seconds("automatic"), seconds(best))]
        text += f"  | of {best}: {statistics.median(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})"
        text += "  " + ", ".join(sorted({row["strategy"] for row in rows if row["run"] == "automatic"}))
    print(text, flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=420)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--kind", choices=["rvf", "bov"], default="rvf")
    parser.add_argument("--only", nargs="+", choices=SITUATIONS, default=list(SITUATIONS))
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=list(WAYS))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/strategies"))
    parser.add_argument("--quick", action="store_true", help="a small field, once, in few situations: to try the benchmark itself")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.nodes, arguments.rounds, arguments.only = 96, 1, ["warm one", "cold eight", "slow one"]
    if os.geteuid() != 0:
        built.skip("strategies needs root, for the memory cgroup and the page cache")
    folder = arguments.out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    file = outofcore.make_data(folder, arguments.nodes, {arguments.kind})[arguments.kind]
    rows = []
    for name in arguments.only:
        try:
            mine = measure(name, folder, file, arguments)
        except Unavailable as error:
            built.skip(f"strategies needs the slow disk: {error}")
        show(name, mine, arguments.ways)
        rows += mine
    path = folder / f"rows-{time.strftime('%Y%m%d-%H%M%S')}.csv"
    write_rows(path, rows)
    draw_rows("strategies", [path])


if __name__ == "__main__":
    main()
