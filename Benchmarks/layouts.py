# SPDX-License-Identifier: BSD-3-Clause
"""What should a brick of a field file hold: other edges, parts of bricks, 16-bit values, compressed values?

A turbulent mixing layer is traced from seeds on a lattice over the whole grid and from seeds of large vorticity. cell_paths
records the cells that each line reads. Then

  replay  replays those paths through bricks of each kind (replay_layout): bytes and requests of a source with the same cache as
          in the runs, and seconds of the device, by fio's rates for requests of each size (direct, 32 at once). brick_codecs
          measures compressed sizes and decoding times brick by brick.
  error   compares lines of 16-bit values with lines of plain values, and the latter with lines of half the step: distances of
          points of equal length along the line, in cells.
  runs    traces from files of some of those kinds, cold, in a memory cgroup of an eighth of the plain file, alternating.
  warm    the same without a limit, with all files in the page cache, by Automatic and Buffered Cache.

Each timed run must give the same lines as a run of the same file without limits. A run that reads whole bricks, with fewer
device bytes than the touched bricks have, was not cold and is void.

usage: layouts.py [--nodes 480] [--seeds 1536] [--steps 2048] [--spinning 40] [--parts replay error runs warm] [--rounds 5]
                  [--files KIND...] [--strategies 4 1] [--also FILE.rvf...] [--out FOLDER] [--quick]
Needs root (cgroup, page cache), fio, and a build with liblz4-dev and libzstd-dev.
"""

import argparse
import itertools
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
from cold_runs import MemoryGroup, drop_caches, uniform_seeds  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402

PAGE, TRAILER, HEAD = 4096, 32, 24  # bytes; HEAD for each component of a fixed16 record
EDGES = (6, 8, 10, 11, 12, 16)  # nodes along a brick's edge
FIXED_EDGES = (8, 10, 11, 12, 13)
COMPONENTS = 3
PARTS = ("replay", "error", "runs", "warm")


def call(name, *arguments):
    command = [built.program(name), *map(str, arguments)]
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def ask(name, *arguments):
    return json.loads(call(name, *arguments))


def budget_of(limit):
    """MiB for bricks. The rest of the limit is for the lines and the program."""
    return limit * 3 // 8 >> 20


def pages(size):
    return -(-size // PAGE) * PAGE


# -------------------------------------------------------------------------------------------------------------- data


def field_of(folder, nodes, kind):
    """A field file: "10" has plain bricks of 10 nodes, "11-fixed16" 16-bit ones. All but the first are converted from the first."""
    plain = folder / f"mixing-{nodes}.rvf"
    if not plain.exists():
        call("rivulet", "generate", "mixing-layer", plain, "--size", ",".join([str(nodes)] * 3))
    if kind == "10":
        return plain
    edge, *encoding = kind.split("-")
    file = folder / f"mixing-{nodes}-{kind}.rvf"
    if not file.exists():
        options = ["--brick", int(edge) - 1] + (["--encoding", encoding[0]] if encoding else [])
        call("rivulet", "convert", plain, file, *options, "--quiet")
    return file


def make_seeds(folder, field, arguments):
    grid = ask("rivulet", "info", "--json", field)["grid"]
    seeds = {"uniform": folder / f"uniform-{arguments.seeds}.seeds"}
    uniform_seeds(seeds["uniform"], *(grid[key] for key in ("nodes", "spacing", "origin")), arguments.seeds)
    if arguments.spinning > 0:
        seeds["spinning"] = folder / f"spinning-{arguments.spinning:g}-{arguments.seeds}.seeds"
        if not seeds["spinning"].exists():
            found = ["--spinning", arguments.spinning, "--count", arguments.seeds, "--budget", 4096]
            print("spinning:", call("trace_field", field, "--seeds", seeds["spinning"], *found).strip())
    return seeds


def device_costs(folder, field):
    """Seconds for a request of each size, from random direct reads of the field file, 32 at once."""
    costs = []
    for kib in (4, 8, 12, 16, 24, 32, 48, 64, 128, 256, 512):
        command = ["fio", "--name=request", f"--filename={field}", "--readonly", "--rw=randread", f"--bs={kib}k"]
        command += ["--direct=1", "--ioengine=io_uring", "--iodepth=32", "--time_based", "--runtime=3"]
        answer = subprocess.run(command + ["--output-format=json"], check=True, stdout=subprocess.PIPE, text=True).stdout
        read = json.loads(answer[answer.index("{") :])["jobs"][0]["read"]
        costs.append((kib * 1024, 1.0 / read["iops"]))
        print(f"  requests of {kib:3} KiB: {read['iops']:8.0f} a second, {read['bw_bytes'] / 1e6:6.0f} MB/s", flush=True)
    np.array(costs, "f8").tofile(folder / "costs")
    return [{"request_bytes": size, "requests_per_second": 1 / cost} for size, cost in costs]


# ------------------------------------------------------------------------------------------------------------ replay


def variants(folder, sizes):
    """Names, and options of replay_layout."""
    for edge in EDGES:
        stride = pages(12 * edge**3 + TRAILER)
        yield f"plain {edge}", edge, ["--stride", stride, "--slot", stride]
    yield "pages of plain 10", 10, ["--stride", 3 * PAGE, "--slot", 3 * PAGE, "--page", PAGE, "--tuple", 12]
    yield "pages of plain 16", 16, ["--stride", 13 * PAGE, "--slot", 13 * PAGE, "--page", PAGE, "--tuple", 12]
    for edge in FIXED_EDGES:
        record = COMPONENTS * (HEAD + 2 * edge**3) + TRAILER
        slot = pages(pages(record) + 2 * COMPONENTS * edge**3)
        yield f"fixed16 {edge}", edge, ["--stride", pages(record), "--slot", slot]
        if edge == 11:
            yield "fixed16 11 kept encoded", edge, ["--stride", pages(record), "--slot", pages(record)]
        if edge == 10:
            yield f"fixed16 {edge} packed by 512", edge, ["--stride", -(-record // 512) * 512, "--slot", slot]
    for codec in sizes:
        for align in (PAGE, 512, 1):
            options = ["--sizes", f"{folder}/sizes.{codec}", "--align", align, "--stride", PAGE, "--slot", 3 * PAGE]
            yield f"{codec} 10 by {align}", 10, options


def replay(folder, field, seeds, arguments):
    rows = []
    costs = device_costs(folder, field)
    write_rows(arguments.out / "rows-requests.csv", costs)
    codecs = []
    for file in [field, *arguments.also]:
        for row in ask("brick_codecs", file, "--sizes", folder / ("sizes" if file == field else "other")):
            codecs.append({"file": pathlib.Path(file).name} | row)
            print(
                f"  {codecs[-1]['file']:24} {row['codec']:13} {row['ratio']:5.2f} of {row['bricks']} bricks, "
                f"{row['pages_per_brick']:.2f} pages, {row['decode_ns']:6.0f} ns a brick, {row['decode_gb_s']:.2f} GB/s",
                flush=True,
            )
    write_rows(arguments.out / "rows-codecs.csv", codecs)
    nodes = ",".join([str(arguments.nodes)] * 3)
    cache = budget_of(field.stat().st_size // 8)
    for seeding, at in seeds.items():
        paths = folder / f"{seeding}.paths"
        found = ask("cell_paths", field, "--seeds", at, "--steps", arguments.steps, "--out", paths)
        print(f"{seeding}: {found['lines']} lines, {found['steps']} steps, {found['cells']} cells", flush=True)
        touched = trace(field, 2, 2, 8192, at, arguments.steps)["bricks_read"]
        options = ["--nodes", nodes, "--cache", cache, "--costs", folder / "costs"]
        for name, edge, layout in variants(folder, dict.fromkeys(row["codec"] for row in codecs)):
            row = ask("replay_layout", paths, *options, "--cells", ",".join([str(edge - 1)] * 3), *layout)
            rows.append({"seeding": seeding, "layout": name} | row)
            assert name != "plain 10" or row["bricks"] == touched, "the paths are not those of the lines"
            print(
                f"  {name:24} {row['file_bytes'] / 1e9:5.2f} GB file  {row['bricks']:7} bricks  {row['units']:7} units  "
                f"{row['units_read']:7} read  {row['bytes_read'] / 1e6:6.0f} MB  {row['requests']:7} requests  "
                f"{row['device_seconds']:6.2f} s",
                flush=True,
            )
    write_rows(arguments.out / "rows-replay.csv", rows)
    draw_rows("layouts", [arguments.out / "rows-replay.csv"])


# ------------------------------------------------------------------------------------------------------------- error


def points_of(folder, file, seeds, steps, step):
    """Points of each seed's line, [points, 3]."""
    at = folder / "points"
    options = ["--strategy", 2, "--budget", 8192, "--seeds", seeds, "--steps", steps, "--step", step, "--points", at]
    call("trace_field", file, *options)
    words = np.fromfile(at, "i4")
    at.unlink()
    lines, begin = [], 0
    while begin < len(words):
        count = int(words[begin : begin + 2].view("i8")[0])
        lines.append(words[begin + 2 : begin + 2 + 3 * count].view("f4").reshape(-1, 3))
        begin += 2 + 3 * count
    return lines


def line_errors(folder, field, seeds, arguments):
    other = field_of(folder, arguments.nodes, "11-fixed16")
    described = ask("rivulet", "info", "--json", other)
    spacing = np.array(described["grid"]["spacing"])
    speed = described["variables"][0]["magnitude_range"][1]
    print(f"16-bit values: at most {described['variables'][0]['largest_error']:.3g} of speeds up to {speed:.3g}")
    rows = []
    for seeding, at in seeds.items():
        plain = points_of(folder, field, at, arguments.steps, 0.2)
        sides = {"fixed16": (points_of(folder, other, at, arguments.steps, 0.2), 1)}
        sides["half the step"] = points_of(folder, field, at, 2 * arguments.steps, 0.1), 2
        for (side, (lines, every)), step in itertools.product(sides.items(), (10, 100, 500, 1000, 2000)):
            pairs = [(a[step], b[every * step]) for a, b in zip(plain, lines) if len(a) > step and len(b) > every * step]
            if pairs:
                away = np.array([np.linalg.norm((a.astype("f8") - b) / spacing) for a, b in pairs])
                row = {"seeding": seeding, "side": side, "steps": step, "lines": len(away)}
                row |= {"median_cells": np.median(away), "p95_cells": np.quantile(away, 0.95), "largest_cells": away.max()}
                rows.append(row)
                print("  {seeding:9} {side:14} {steps:5} steps: {median_cells:.2e} cells, 95 % below {p95_cells:.2e}, "
                      "largest {largest_cells:.2e}, of {lines} lines".format(**row), flush=True)
    write_rows(arguments.out / "rows-error.csv", rows)


# -------------------------------------------------------------------------------------------------------------- runs


def trace(file, strategy, threads, budget, seeds, steps, group=None):
    command = [built.program("trace_field"), file, "--strategy", strategy, "--threads", threads, "--budget", budget]
    command = [*map(str, command), "--seeds", str(seeds), "--steps", str(steps)]
    answer = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, preexec_fn=group and group.enter)
    return json.loads(answer.stdout)


def timed_run(files, kind, strategy, at, reference, arguments):
    drop_caches()
    group = MemoryGroup(arguments.limit)
    try:
        threads = 16 if strategy == 1 else 2
        run = trace(files[kind], strategy, threads, budget_of(arguments.limit), at, arguments.steps, group)
    finally:
        group.close()
    assert run["hash"] == reference["hash"], f"{kind}: other lines than without limits"
    return run | {"void": strategy != 1 and run["device_bytes"] < 0.98 * reference["bytes_read"]}


def runs(folder, field, seeds, arguments):
    arguments.limit = field.stat().st_size // 8
    files = {kind: field_of(folder, arguments.nodes, kind) for kind in arguments.files}
    rows = []
    for seeding, at in seeds.items():
        references = {kind: trace(files[kind], 2, 2, 8192, at, arguments.steps) for kind in files}
        for number, strategy, kind in itertools.product(range(arguments.rounds), arguments.strategies, files):
            row = {"round": number, "seeding": seeding, "kind": kind, "file_bytes": files[kind].stat().st_size}
            rows.append(row | timed_run(files, kind, strategy, at, references[kind], arguments))
    rows = [row for row in rows if not row["void"]]
    path = arguments.out / f"rows-runs-{time.strftime('%H%M%S')}.csv"
    write_rows(path, rows)
    draw_rows("layouts", [path])
    first = arguments.files[0]
    for seeding, strategy, kind in itertools.product(seeds, dict.fromkeys(row["strategy"] for row in rows), files):
        mine = {row["round"]: row for row in rows if (row["seeding"], row["strategy"], row["kind"]) == (seeding, strategy, kind)}
        base = {row["round"]: row for row in rows if (row["seeding"], row["strategy"], row["kind"]) == (seeding, strategy, first)}
        ratios = [mine[number]["seconds"] / base[number]["seconds"] for number in mine if number in base]
        if ratios:
            print(
                f"{seeding:9} {strategy:14} {kind:12} {statistics.median(row['seconds'] for row in mine.values()):6.2f} s, "
                f"{statistics.median(ratios):.3f} ({min(ratios):.3f}-{max(ratios):.3f}, {len(ratios)}) of {first}; "
                f"{statistics.median(row['bricks_read'] for row in mine.values()):7.0f} bricks, "
                f"{statistics.median(row['device_bytes'] for row in mine.values()) / 1e6:6.0f} MB"
            )


def warm_runs(folder, seeds, arguments):
    files = {kind: field_of(folder, arguments.nodes, kind) for kind in arguments.files}
    rows = []
    for seeding, at in seeds.items():
        for number, strategy, kind in itertools.product(range(arguments.rounds + 1), (0, 2), files):
            row = {"round": number, "seeding": seeding, "kind": kind, "chosen": strategy}
            row |= trace(files[kind], strategy, 2, 8192, at, arguments.steps)
            if number > 0 and row["device_bytes"] == 0:  # the first run fills the page cache
                rows.append(row)
    write_rows(arguments.out / "rows-warm.csv", rows)
    for seeding, strategy, kind in itertools.product(seeds, (0, 2), files):
        times = [row["seconds"] for row in rows if (row["seeding"], row["chosen"], row["kind"]) == (seeding, strategy, kind)]
        print(f"warm {seeding:9} strategy {strategy}  {kind:12} {statistics.median(times):6.2f} s ({min(times):.2f}-{max(times):.2f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=480)
    parser.add_argument("--seeds", type=int, default=1536)
    parser.add_argument("--steps", type=int, default=2048)
    parser.add_argument("--spinning", type=float, default=40.0, help="also from seeds with more vorticity than this")
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--files", nargs="+", default=["10", "8", "11", "12", "16", "11-fixed16"], help="kinds to run; the first is compared with")
    parser.add_argument("--strategies", nargs="+", type=int, default=[4, 1])
    parser.add_argument("--also", nargs="*", default=[], help="field files to compress besides")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/layouts"))
    parser.add_argument("--quick", action="store_true", help="a small field, runs alone, once: to try the benchmark itself")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.nodes, arguments.seeds, arguments.steps, arguments.spinning = 240, 64, 100, 0
        arguments.parts, arguments.rounds, arguments.files = ["runs"], 1, ["10", "11-fixed16"]
    if os.geteuid() != 0:
        built.skip("layouts needs root, for the memory cgroup and the page cache")
    if "replay" in arguments.parts and not shutil.which("fio"):
        built.skip("layouts needs fio (apt-get install fio)")
    if "replay" in arguments.parts and not any(built.build_folder().rglob("bin/brick_codecs")):
        built.skip("layouts needs a build with liblz4-dev and libzstd-dev (apt-get install liblz4-dev libzstd-dev)")
    arguments.out = arguments.out.resolve()
    arguments.out.mkdir(parents=True, exist_ok=True)
    field = field_of(arguments.out, arguments.nodes, "10")
    seeds = make_seeds(arguments.out, field, arguments)
    if "replay" in arguments.parts:
        replay(arguments.out, field, seeds, arguments)
    if "error" in arguments.parts:
        line_errors(arguments.out, field, seeds, arguments)
    if "runs" in arguments.parts:
        runs(arguments.out, field, seeds, arguments)
    if "warm" in arguments.parts:
        warm_runs(arguments.out, seeds, arguments)


if __name__ == "__main__":
    main()
