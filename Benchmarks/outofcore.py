# SPDX-License-Identifier: BSD-3-Clause
"""How long does tracing through a field take that is eight times as large as memory, by strategy?

A turbulent mixing layer of 840^3 float vectors (7.1 GB, 9.0 GB as a field file) is traced from seeds on a lattice over the whole
grid, 4096 steps each, and from seeds where it spins. Every run is a process of its own in a memory cgroup of an eighth of the
file, begins with the page cache dropped, and must trace the lines of a run without limits. What the device can do at most is
measured by fio at the size of a brick and at 512 KiB, on both cores: no run can be faster than the larger of
bytes / bandwidth and bricks / requests per second, for the bricks that the lines touch. A run that reads bricks as a whole and has fewer device
bytes than those was not cold, and is void; mappings read parts of bricks. native-user reads the values row by row from a
plain file (BOV); a run that takes longer than a quarter of an hour ends there.

usage: outofcore.py [--nodes 840] [--seeds 3072] [--steps 4096] [--rounds 3] [--only NAME...] [--out FOLDER]
Needs root (cgroup, page cache) and fio.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
from cold_runs import MemoryGroup, drop_caches, uniform_seeds  # noqa: E402
from rows import write_rows  # noqa: E402

MEMORY_MAP, BUFFERED, DIRECT, ASYNCHRONOUS = 1, 2, 3, 4
RUNS = {  # name: strategy, threads, file
    "asynchronous": (ASYNCHRONOUS, 2, "rvf"),
    "mapped": (MEMORY_MAP, 2, "rvf"),
    "mapped-16": (MEMORY_MAP, 16, "rvf"),
    "buffered": (BUFFERED, 2, "rvf"),
    "direct": (DIRECT, 2, "rvf"),
    "direct-16": (DIRECT, 16, "rvf"),
    "native-user": (DIRECT, 2, "bov"),
}
TIME_LIMIT = 900


def make_data(folder, nodes, kinds):
    files = {kind: folder / f"mixing-{nodes}.{kind}" for kind in kinds}
    for file in files.values():
        if not file.exists():
            size = f"{nodes},{nodes},{nodes}"
            subprocess.run([built.program("rivulet"), "generate", "mixing-layer", str(file), "--size", size], check=True)
    return files


def device(path, request):
    """Requests and bytes per second of random direct reads."""
    command = ["fio", "--name=limit", f"--filename={path}", "--readonly", "--rw=randread", f"--bs={request}", "--direct=1"]
    command += ["--ioengine=io_uring", "--iodepth=64", "--numjobs=2", "--group_reporting", "--time_based", "--runtime=4"]
    answer = subprocess.run(command + ["--output-format=json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    read = json.loads(answer[answer.index("{") :])["jobs"][0]["read"]
    return read["iops"], read["bw_bytes"]


def spinning_seeds(path, field, spinning, count):
    command = [built.program("trace_field"), str(field), "--seeds", str(path), "--spinning", str(spinning)]
    subprocess.run(command + ["--count", str(count), "--budget", "4096"], check=True)


def trace(files, name, seeds, arguments, group=None):
    strategy, threads, kind = RUNS[name]
    budget = 8192 if group is None else arguments.budget  # enough to read each brick once
    command = [built.program("trace_field"), str(files[kind]), "--strategy", str(strategy), "--threads", str(threads)]
    command += ["--budget", str(budget), "--seeds", str(seeds), "--steps", str(arguments.steps)]
    answer = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, timeout=TIME_LIMIT, preexec_fn=group and group.enter
    )
    return json.loads(answer.stdout)


def best_case(reference, stride, limits):
    """Seconds that the device needs at least for the bricks that the lines touch."""
    (requests, _), (_, bandwidth) = limits
    return max(reference["bricks_read"] * stride / bandwidth, reference["bricks_read"] / requests)


def measure(files, seeding, seeds, arguments, stride):
    reference = trace(files, "buffered", seeds, arguments)
    print(
        f"{seeding} seeds: {reference['steps']} steps through {reference['bricks_read']} bricks, "
        f"{reference['bricks_read'] * stride / 1e9:.2f} GB",
        flush=True,
    )
    rows = []
    for number in range(arguments.rounds):
        limits = device(files["rvf"], stride), device(files["rvf"], 512 * 1024)  # it may change, where others use it too
        floor = best_case(reference, stride, limits)
        print(f"  round {number}  the device needs {floor:.1f} s: {limits[0][0]:.0f} requests of a brick a second", flush=True)
        for name in arguments.only:
            row = {"round": number, "seeding": seeding, "run": name, "threads": RUNS[name][1], "floor": floor}
            rows.append(row | run_limited(files, name, seeds, arguments, reference, stride))
            show(rows[-1])
    return rows


def run_limited(files, name, seeds, arguments, reference, stride):
    """One cold run in the memory group, its lines compared with the reference."""
    drop_caches()
    group = MemoryGroup(arguments.limit)
    try:
        run = trace(files, name, seeds, arguments, group)
    except subprocess.TimeoutExpired:
        return dict.fromkeys(reference) | {"seconds": TIME_LIMIT, "void": False, "ended": False}
    finally:
        group.close()
    assert run["hash"] == reference["hash"], f"{name}: other lines"
    whole_bricks = RUNS[name][2] == "rvf" and RUNS[name][0] != MEMORY_MAP
    void = whole_bricks and run["device_bytes"] < 0.98 * reference["bricks_read"] * stride
    return run | {"void": void, "ended": True}


def show(row):
    text = f"  round {row['round']}  {row['run']:13} {row['seconds']:7.1f} s  {row['seconds'] / row['floor']:5.2f} of the limit"
    if row["ended"]:
        text += f"  {row['device_bytes'] / 1e9:6.2f} GB read  {row['bricks_read']:8} bricks{'  VOID' * row['void']}"
    print(text if row["ended"] else text + "  and did not end", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=840)
    parser.add_argument("--seeds", type=int, default=3072)
    parser.add_argument("--steps", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--spinning", type=float, default=0.0, help="also from seeds with more vorticity than this")
    parser.add_argument("--only", nargs="+", choices=RUNS, default=[name for name in RUNS if RUNS[name][2] == "rvf"])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/outofcore"))
    arguments = parser.parse_args()
    if os.geteuid() != 0 or not shutil.which("fio"):
        sys.exit("outofcore.py: needs root, for the memory cgroup and the page cache, and fio (apt-get install fio)")
    folder = arguments.out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    files = make_data(folder, arguments.nodes, {"rvf"} | {RUNS[name][2] for name in arguments.only})
    size = files["rvf"].stat().st_size
    arguments.limit = size // 8
    arguments.budget = arguments.limit // 2 >> 20  # the rest is for the lines and the program
    info = subprocess.run([built.program("rivulet"), "info", "--json", str(files["rvf"])], check=True, stdout=subprocess.PIPE)
    described = json.loads(info.stdout)
    grid, stride = described["grid"], described["variables"][0]["stride_bytes"]
    print(f"{size / 1e9:.2f} GB, memory limit {arguments.limit / 1e9:.2f} GB, budget {arguments.budget} MiB", flush=True)
    rows = []
    uniform_seeds(folder / "uniform.seeds", *(grid[key] for key in ("nodes", "spacing", "origin")), arguments.seeds)
    rows += measure(files, "uniform", folder / "uniform.seeds", arguments, stride)
    if arguments.spinning > 0:
        seeds = folder / f"spinning-{arguments.spinning:g}-{arguments.seeds}.seeds"
        if not seeds.exists():  # looking for them takes minutes
            spinning_seeds(seeds, files["rvf"], arguments.spinning, arguments.seeds)
        rows += measure(files, "spinning", seeds, arguments, stride)
    name = folder / f"rows-{time.strftime('%Y%m%d-%H%M%S')}.csv"
    write_rows(name, rows)
    for seeding in dict.fromkeys(row["seeding"] for row in rows):
        for run in arguments.only:
            mine = [row for row in rows if row["seeding"] == seeding and row["run"] == run and not row["void"]]
            if mine:
                times = [row["seconds"] for row in mine]
                print(
                    f"{seeding:9} {run:13} median {statistics.median(times):7.1f} s ({min(times):.1f}-{max(times):.1f}), "
                    f"{statistics.median(row['seconds'] / row['floor'] for row in mine):.2f} of the device limit"
                )


if __name__ == "__main__":
    main()
