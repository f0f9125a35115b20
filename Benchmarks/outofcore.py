# SPDX-License-Identifier: BSD-3-Clause
"""How long does tracing through a field take that is eight times as large as memory, by strategy?

A turbulent mixing layer of 840^3 float vectors (7.1 GB, 10.2 GB as a field file) is traced from seeds on a lattice over the
whole grid, 4096 steps each, and from seeds of large vorticity. Each run is a separate process in a memory cgroup of an eighth of
the file, starts with the page cache dropped, and must trace the same lines as a run without limits. fio measures the device at
the size of a brick and at 512 KiB, on both cores. The lower bound of a run is the larger of bytes / bandwidth and bricks / requests
per second, for the bricks that the lines touch. A run that reads whole bricks, with fewer device bytes than those bricks have, was
not cold and is void; mappings read parts of bricks. native-user reads the values row by row from a plain file (BOV). Runs end
after a quarter of an hour.

With --slow-disk each run reads through a FUSE file system with a latency for each request, a largest number of requests at once,
and a bandwidth for all of them, like a remote parallel file system. The lower bound is then the larger of bytes / bandwidth and
requests * latency / depth, for the bricks that the lines touch. A strategy with fewer requests in flight than the device serves
at once is expected to take requests * latency / threads, for its own requests.

With --twist the places of the nodes are read, too: the bricks that the lines touch are those of velocities and of places.

usage: outofcore.py [--nodes 840] [--seeds 3072] [--steps 4096] [--rounds 3] [--only NAME...] [--twist SHARE] [--step 0.2] [--out FOLDER] [--quick]
                    [--slow-disk latency=5ms,bandwidth=1GB/s,depth=64]
Needs root (cgroup, page cache), and fio or, with --slow-disk, /dev/fuse.
"""

import argparse
import contextlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
from cold_runs import MemoryGroup, drop_caches, uniform_seeds  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import summary, write_rows  # noqa: E402
from slow_disk import SlowDevice, SlowDisk, Unavailable  # noqa: E402

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
SMALLEST_LIMIT = 32 << 20  # memory of the program without a field


def make_data(folder, nodes, kinds, twist=0.0):
    name = f"twisted-{nodes}" if twist else f"mixing-{nodes}"
    files = {kind: folder / f"{name}.{kind}" for kind in kinds}
    flow = ["abc", "--twist", str(twist)] if twist else ["mixing-layer"]
    for file in files.values():
        if not file.exists():
            size = f"{nodes},{nodes},{nodes}"
            subprocess.run([built.program("rivulet"), "generate", flow[0], str(file), "--size", size, *flow[1:]], check=True)
    return files


def device(path, request, depth=64, jobs=2, seconds=4):
    """Rate of random direct reads: requests and bytes per second."""
    command = ["fio", "--name=limit", f"--filename={path}", "--readonly", "--rw=randread", f"--bs={request}", "--direct=1"]
    command += ["--ioengine=io_uring", f"--iodepth={depth}", f"--numjobs={jobs}", "--group_reporting", "--time_based", f"--runtime={seconds}"]
    answer = subprocess.run(command + ["--output-format=json"], check=True, stdout=subprocess.PIPE, text=True).stdout
    read = json.loads(answer[answer.index("{") :])["jobs"][0]["read"]
    return read["iops"], read["bw_bytes"]


def spinning_seeds(path, field, spinning, count):
    command = [built.program("trace_field"), str(field), "--seeds", str(path), "--spinning", str(spinning)]
    subprocess.run(command + ["--count", str(count), "--budget", "4096"], check=True)


def trace(files, name, seeds, arguments, group=None):
    strategy, threads, kind = RUNS[name]
    budget = 8192 if group is None else arguments.budget  # a budget in which each brick is read once
    command = [built.program("trace_field"), str(files[kind]), "--strategy", str(strategy), "--threads", str(threads)]
    command += ["--budget", str(budget), "--seeds", str(seeds), "--steps", str(arguments.steps), "--step", str(arguments.step)]
    answer = subprocess.run(
        command, check=True, stdout=subprocess.PIPE, text=True, timeout=TIME_LIMIT, preexec_fn=group and group.enter
    )
    return json.loads(answer.stdout)


class RealDevice:
    """The disk of the fields. Measured again in each round, because other users change its rate."""

    name = ""

    def __init__(self, files):
        self.files = self.paths = files

    def least_seconds(self, bricks, stride):
        (requests, _), (_, bandwidth) = device(self.files["rvf"], stride), device(self.files["rvf"], 512 * 1024)
        return max(bricks * stride / bandwidth, bricks / requests)

    def cold(self):
        drop_caches()

    def served(self, run):
        return {"device_bytes": run["device_bytes"], "requests": None}

    def expected(self, row):
        return None


class FuseDevice:
    """The slow disk. Its fields stay in the page cache, so that no other disk takes part."""

    def __init__(self, files, disk, name):
        self.files, self.disk, self.name = files, disk, name
        self.paths = {kind: disk.path / path.name for kind, path in files.items()}

    def least_seconds(self, bricks, stride):
        return self.disk.device.least_seconds(bricks, bricks * stride)

    def cold(self):
        drop_caches()
        for path in self.files.values():
            for part in path.parent.glob(path.stem + ".*"):  # a BOV field is two files
                with open(part, "rb") as file:
                    while file.read(1 << 24):
                        pass
        self.before = self.disk.served()

    def served(self, _):
        requests, size = (now - before for now, before in zip(self.disk.served(), self.before))
        return {"device_bytes": size, "requests": requests}

    def expected(self, row):
        at_once = self.disk.device.depth if row["run"] == "asynchronous" else row["threads"]
        return self.disk.device.least_seconds(row["requests"], row["device_bytes"], at_once)


def measure(device, seeding, seeds, arguments, stride):
    reference = trace(device.files, "buffered", seeds, arguments)
    print(
        f"{seeding} seeds: {reference['steps']} steps through {reference['bricks_read']} bricks, "
        f"{reference['bricks_read'] * stride / 1e9:.2f} GB",
        flush=True,
    )
    rows = []
    for number in range(arguments.rounds):
        floor = device.least_seconds(reference["bricks_read"], stride)
        print(f"  round {number}  the device needs {floor:.2f} s at least", flush=True)
        for name in arguments.only:
            row = {"round": number, "seeding": seeding, "run": name, "threads": RUNS[name][1], "floor": floor}
            row |= {"slow_disk": device.name} | run_limited(device, name, seeds, arguments, reference, stride)
            row["expected"] = device.expected(row) if row["ended"] else None
            rows.append(row)
            show(row)
    return rows


def run_limited(device, name, seeds, arguments, reference, stride):
    """One cold run in the memory group. Compares its lines with the reference."""
    device.cold()
    group = MemoryGroup(arguments.limit)
    try:
        run = trace(device.paths, name, seeds, arguments, group)
    except subprocess.TimeoutExpired:
        run = dict.fromkeys(reference) | {"seconds": TIME_LIMIT}
        return run | device.served(run) | {"void": False, "ended": False}
    except subprocess.CalledProcessError as error:
        if error.returncode != -signal.SIGKILL:
            raise
        sys.exit(f"outofcore: {name} got no more memory: {arguments.limit >> 20} MiB do not hold the lines besides "
                 f"{arguments.budget} MiB of bricks; take fewer --seeds or --steps, or more --nodes")  # fmt: skip
    finally:
        group.close()
    assert run["hash"] == reference["hash"], f"{name}: other lines"
    run |= device.served(run)
    whole_bricks = RUNS[name][2] == "rvf" and RUNS[name][0] != MEMORY_MAP
    void = whole_bricks and run["device_bytes"] < 0.98 * reference["bricks_read"] * stride
    return run | {"void": void, "ended": True}


def show(row):
    text = f"  round {row['round']}  {row['run']:13} {row['seconds']:7.2f} s  {row['seconds'] / row['floor']:5.2f} of the limit"
    if row["ended"]:
        text += f"  {row['device_bytes'] / 1e9:6.2f} GB read  {row['bricks_read']:8} bricks"
        text += f"  {row['requests']:7} requests, {row['expected']:.2f} s expected" if row["expected"] else ""
        text += "  VOID" * row["void"]
    print(text if row["ended"] else text + "  and did not end", flush=True)


def report(rows):
    for seeding, run in dict.fromkeys((row["seeding"], row["run"]) for row in rows):
        mine = [row for row in rows if (row["seeding"], row["run"]) == (seeding, run) and not row["void"]]
        if mine:
            print(
                f"{seeding:9} {run:13} {summary([row['seconds'] for row in mine])} s, "
                f"{summary([row['seconds'] / row['floor'] for row in mine])} of the device limit"
            )


def field_facts(path):
    info = subprocess.run([built.program("rivulet"), "info", "--json", str(path)], check=True, stdout=subprocess.PIPE)
    described = json.loads(info.stdout)
    grid = described["grid"]
    if grid["kind"] == "curvilinear":  # seeds lie in its bounds
        bounds = described["variables"][-1]["component_ranges"]
        grid["origin"] = [low for low, _ in bounds]
        grid["spacing"] = [(high - low) / (nodes - 1) for (low, high), nodes in zip(bounds, grid["nodes"])]
    return grid, described["variables"][0]["stride_bytes"]


@contextlib.contextmanager
def device_of(files, arguments):
    if not arguments.slow_disk:
        yield RealDevice(files)
        return
    with SlowDisk(arguments.out, SlowDevice.parse(arguments.slow_disk)) as disk:
        yield FuseDevice(files, disk, arguments.slow_disk)


def measure_all(files, arguments):
    grid, stride = field_facts(files["rvf"])
    uniform = arguments.out / "uniform.seeds"
    uniform_seeds(uniform, *(grid[key] for key in ("nodes", "spacing", "origin")), arguments.seeds)
    with device_of(files, arguments) as device:
        rows = measure(device, "uniform", uniform, arguments, stride)
        if arguments.spinning > 0:
            seeds = arguments.out / f"spinning-{arguments.spinning:g}-{arguments.seeds}.seeds"
            if not seeds.exists():  # the search takes minutes
                spinning_seeds(seeds, files["rvf"], arguments.spinning, arguments.seeds)
            rows += measure(device, "spinning", seeds, arguments, stride)
    return rows


def needs(arguments):
    """Ends the program if the machine cannot run it."""
    if os.geteuid() != 0:
        built.skip("outofcore needs root, for the memory cgroup and the page cache")
    if not arguments.slow_disk and not shutil.which("fio"):
        built.skip("outofcore needs fio (apt-get install fio), or --slow-disk")
    try:
        MemoryGroup(1 << 30).close()
        drop_caches()
    except OSError as error:
        built.skip(f"outofcore needs a memory cgroup and to drop the page cache: {error}")


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=840)
    parser.add_argument("--seeds", type=int, default=3072)
    parser.add_argument("--steps", type=int, default=4096)
    parser.add_argument("--step", type=float, default=0.2, help="diagonals of a cell")
    parser.add_argument("--twist", type=float, default=0.0, help="ABC flow on a curvilinear grid, whose nodes are moved by so many spacings")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--spinning", type=float, default=0.0, help="also from seeds with more vorticity than this")
    parser.add_argument("--only", nargs="+", choices=RUNS, default=[name for name in RUNS if RUNS[name][2] == "rvf"])
    parser.add_argument("--slow-disk", default="", metavar="latency=5ms,bandwidth=1GB/s,depth=64")
    parser.add_argument("--quick", action="store_true", help="a small field, once: to try the benchmark itself")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/outofcore"))
    arguments = parser.parse_args()
    if arguments.slow_disk:
        try:
            SlowDevice.parse(arguments.slow_disk)
        except ValueError as error:
            parser.error(f"--slow-disk {error}")
    if arguments.quick:
        arguments.nodes, arguments.seeds, arguments.steps, arguments.rounds = 96, 64, 200, 1
    arguments.out = arguments.out.resolve()
    return arguments


def main():
    arguments = parsed_arguments()
    needs(arguments)
    arguments.out.mkdir(parents=True, exist_ok=True)
    files = make_data(arguments.out, arguments.nodes, {"rvf"} | {RUNS[name][2] for name in arguments.only}, arguments.twist)
    size = files["rvf"].stat().st_size
    arguments.limit = max(SMALLEST_LIMIT, size // 8)
    arguments.budget = max(4, size // 16 >> 20)  # the rest is for the lines and the program
    print(f"{size / 1e9:.2f} GB, memory limit {arguments.limit / 1e9:.2f} GB, budget {arguments.budget} MiB", flush=True)
    try:
        rows = measure_all(files, arguments)
    except Unavailable as error:
        built.skip(f"--slow-disk: {error}")
    path = arguments.out / f"rows-{time.strftime('%Y%m%d-%H%M%S')}.csv"
    write_rows(path, rows)
    report(rows)
    draw_rows("outofcore", [path])


if __name__ == "__main__":
    main()
