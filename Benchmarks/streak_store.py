# SPDX-License-Identifier: BSD-3-Clause
"""How much of a store does a streak surface read, and how much memory does it take, on a curvilinear grid?

A tornado whose axis wanders, on 100 steps of 237^3 nodes that are moved by waves (rivulet generate --twist), 22.9 GB as a store. A
streak surface of a line near the ground, adaptive, through all steps, in ParaView within a budget of 220 MiB for bricks and a cold
page cache; and the same with room for all bricks that it needs, which tells how many these are. Both must give the same bytes.
It is case I of H. Guo and others, "Advection-based sparse data management for visualizing unsteady flow" (2014), made small: there, 100 steps of 1024 x 1024 x 720 nodes, 0.82 TB.

usage: streak_store.py [--nodes 237] [--steps 100] [--budget 220] [--rounds 3] [--out FOLDER] [--quick]
Needs root (page cache), and 23 GB in FOLDER.
"""

import argparse
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
from cold_runs import drop_caches  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import summary, write_rows  # noqa: E402

THREADS = 2
AMPLE = 4096  # MiB
COUNTS = {"BytesRead": "bytes_read", "BricksRead": "bricks_read", "PeakBytes": "peak_bytes", "IntegrationSteps": "steps",
          "BricksPrefetched": "bricks_prefetched", "PrefetchedUsed": "prefetched_used"}  # fmt: skip


def make_store(folder, nodes, steps):
    store = folder / f"twisted-{nodes}x{steps}.rvs"
    if not store.exists():
        command = [built.program("rivulet"), "generate", "tornado", store, "--size", f"{nodes},{nodes},{nodes}", "--steps", steps, "--dt", 0.25]
        subprocess.run([str(word) for word in [*command, "--twist", 0.15, "--quiet"]], check=True)
    return store


def trace(store, budget):
    """In ParaView's Python: prints one row."""
    from paraview import simple
    from paraview.vtk.util.numpy_support import vtk_to_numpy

    rivulet = {"__name__": "rivulet"}  # ParaView treats an empty value as none
    simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=rivulet)
    reader = simple.OpenDataFile(store)
    reader.MemoryBudget = budget
    reader.UpdatePipelineInformation()
    seeds = simple.Line(Point1=[0.47, 0.5, 0.1], Point2=[0.53, 0.5, 0.1], Resolution=20)  # in the unit cube
    surface = rivulet["RivuletStreakSurfaceWithCustomSource"](Input=reader, SeedSource=seeds, Vectors=["POINTS", "velocity"])
    surface.NumberOfThreads, surface.MemoryBudget = THREADS, budget
    begin = time.perf_counter()
    surface.UpdatePipeline(reader.TimestepValues[-1])
    seconds = time.perf_counter() - begin
    made = surface.GetClientSideObject().GetOutputDataObject(0)
    digest = hashlib.sha256(vtk_to_numpy(made.GetPoints().GetData()).tobytes())
    digest.update(vtk_to_numpy(made.GetPolys().GetConnectivityArray()).tobytes())
    facts = made.GetFieldData()
    row = {name: int(facts.GetArray(array).GetValue(0)) for array, name in COUNTS.items()}
    print(json.dumps(row | {"seconds": seconds, "points": made.GetNumberOfPoints(), "digest": digest.hexdigest()}))


def run(store, budget):
    drop_caches()
    command = ["pvpython", __file__, "--trace", str(store), "--budget", str(budget)]
    environment = dict(os.environ, RIVULET_PLUGIN=built.plugin())
    answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
    return json.loads(answer.strip().splitlines()[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=237)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--budget", type=int, default=220, help="MiB for bricks")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/streak_store"))
    parser.add_argument("--quick", action="store_true", help="a small store, once: to try the benchmark itself")
    parser.add_argument("--trace", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.trace:
        trace(arguments.trace, arguments.budget)
        return
    if os.geteuid() != 0:
        built.skip("streak_store needs root")
    if arguments.quick:
        arguments.nodes, arguments.steps, arguments.rounds = 45, 10, 1
    folder = arguments.out.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    store = make_store(folder, arguments.nodes, arguments.steps)
    size = sum(file.stat().st_size for file in store.rglob("*") if file.is_file())
    ample = run(store, AMPLE)  # reads no brick twice; some that were read ahead are not used
    needed = ample["bricks_read"] - ample["bricks_prefetched"] + ample["prefetched_used"]
    rows = []
    for number in range(arguments.rounds):
        row = {"round": number, "nodes": arguments.nodes, "time_steps": arguments.steps, "store_bytes": size, "budget_mib": arguments.budget}
        row |= run(store, arguments.budget) | {"bricks_needed": needed}
        assert row["digest"] == ample["digest"], "the surface depends on the budget"
        assert row["points"] > 1000, f"the surface has {row['points']} points"
        rows.append(row)
        print(f"  round {number}  {row['seconds']:.2f} s, {row['points']} points, {row['bytes_read'] / 1e6:.0f} MB read", flush=True)
    write_rows(folder / "rows.csv", rows)
    draw_rows("streak_store", [folder / "rows.csv"])
    for name, ratios in {
        "peak of bricks / store": [row["peak_bytes"] / size for row in rows],
        "bytes read / store": [row["bytes_read"] / size for row in rows],
        "bricks read / needed": [row["bricks_read"] / row["bricks_needed"] for row in rows],
    }.items():  # fmt: skip
        print(f"{name}: {summary(ratios)}")


if __name__ == "__main__":
    main()
