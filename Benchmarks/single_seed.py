# SPDX-License-Identifier: BSD-3-Clause
"""Is a line from one seed as fast as the stock tracer's, on a field that is in memory?

Fields: ABC flow on 64^3 and 256^3 points. Workloads: Runge-Kutta 4 forward without vorticity, and the defaults (Runge-Kutta
4-5, both directions, vorticity), each with at most 2000 steps, from 1, 8 and 64 seeds. Rivulet and the Stream Tracer of the
installed ParaView take turns in one process. vtkStreamTracer of the VTK wheel runs in a separate process, in turn with the first.
All get two threads. The time is that of the filter's Update() with its input up to date, after a first one that does not count.
The lines are compared point by point before any time is reported.

With few seeds the fixed cost of a filter dominates. This benchmark measures that cost.

usage: single_seed.py [--rounds 3] [--pairs 7] [--nodes 64 256] [--seeds 1 8 64] [--out FOLDER] [--quick]
The wheel comes from PyPI, once. Without it that side is left out. RIVULET_VTK_PYTHON names a Python with the wheel.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
import tracers  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import summary, write_rows  # noqa: E402

THREADS = 2
WORKLOADS = {
    "rk4": {"integrator": "rk4", "defaults": False, "steps": 2000, "threads": THREADS},
    "rk45-defaults": {"integrator": "rk45", "defaults": True, "steps": 2000, "threads": THREADS},
}


def seeds_for(nodes, count):
    """The first positions of a fixed random sequence, well inside the grid, so that lines are long."""
    return (0.25 + 0.5 * np.random.default_rng(2).random((count, 3))) * (nodes - 1)


def timed(tracer):
    tracer.Modified()
    start = time.perf_counter()
    tracer.Update()
    return time.perf_counter() - start


def measure(tracers_by_side, case, arguments, numpy_support):
    """Rows of one case. Each tracer runs once without counting, then they take turns."""
    rows = []
    for number in range(-1, arguments.pairs):
        for side, (tracer, version) in tracers_by_side.items():
            seconds = timed(tracer)
            output = tracer.GetOutputDataObject(0)
            lines = tracers.lines_of(output, numpy_support)
            if number < 0:
                np.savez(lines_file(arguments.out, side, case), **lines)
            else:
                rows.append({"pair": number, "side": side, "version": version} | case)
                rows[-1] |= {"steps": tracers.steps_of(lines), "seconds": seconds}
    return rows


def lines_file(folder, side, case):
    return folder / f"lines-{side}-{case['nodes']}-{case['workload']}-{case['seeds']}.npz"


def cases(arguments):
    for nodes in arguments.nodes:
        for workload in WORKLOADS:
            for count in arguments.seeds:
                yield {"nodes": nodes, "workload": workload, "seeds": count}


def run_vtk(arguments):
    import vtk
    from vtk.util import numpy_support

    vtk.vtkSMPTools.SetBackend("STDThread")
    vtk.vtkSMPTools.Initialize(THREADS)
    rows, images = [], {}
    for case in cases(arguments):
        nodes = case["nodes"]
        if nodes not in images:
            images[nodes] = tracers.load_image(vtk, numpy_support, arguments.out / f"field-{nodes}.npy")
        seeds = tracers.seeds_of(vtk, numpy_support, seeds_for(nodes, case["seeds"]))
        tracer = tracers.vtk_tracer(vtk, images[nodes], seeds, WORKLOADS[case["workload"]])
        rows += measure({"vtk": (tracer, vtk.vtkVersion.GetVTKVersion())}, case, arguments, numpy_support)
    print(json.dumps(rows))


def run_paraview(arguments):
    from paraview import simple, vtk
    from paraview.vtk.util import numpy_support

    release = simple.GetParaViewVersion()
    version = f"ParaView {release.major}.{release.minor}"
    rows, images = [], {}
    for case in cases(arguments):
        nodes = case["nodes"]
        if nodes not in images:
            image = tracers.load_image(vtk, numpy_support, arguments.out / f"field-{nodes}.npy")
            images[nodes] = tracers.producer_of(simple, image)
        positions = tracers.seeds_of(vtk, numpy_support, seeds_for(nodes, case["seeds"]))
        seeds = tracers.producer_of(simple, positions)
        sides = {}
        for side in ("rivulet", "paraview"):
            proxy = tracers.paraview_tracer(simple, side, images[nodes], seeds, WORKLOADS[case["workload"]])
            proxy.UpdatePipeline()
            sides[side] = proxy.GetClientSideObject(), version
        rows += measure(sides, case, arguments, numpy_support)
    print(json.dumps(rows))


def compare(arguments, opponents):
    """Compares the lines of all sides in each case."""
    for case in cases(arguments):
        mine = dict(np.load(lines_file(arguments.out, "rivulet", case)))
        for side in opponents:
            theirs = dict(np.load(lines_file(arguments.out, side, case)))
            if WORKLOADS[case["workload"]]["integrator"] == "rk4":
                agreement = tracers.compare_lines(mine, theirs, side, case["nodes"], adaptive=False)
            else:
                agreement = tracers.compare_curves(mine, theirs, side)
            print(f"  {side}, {' '.join(map(str, case.values()))}: {agreement}", flush=True)


def run_rounds(arguments, pythons):
    environment = dict(os.environ, VTK_SMP_BACKEND_IN_USE="STDThread", VTK_SMP_MAX_THREADS=str(THREADS))
    environment["RIVULET_PLUGIN"] = built.plugin()
    common = ["--out", str(arguments.out), "--pairs", str(arguments.pairs)]
    common += ["--nodes", *map(str, arguments.nodes), "--seeds", *map(str, arguments.seeds)]
    rows = []
    for number in range(arguments.rounds):
        for side, python in pythons.items():
            command = [python, __file__, "--side", side, *common]
            answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
            rows += [{"round": number} | row for row in json.loads(answer.strip().splitlines()[-1])]
        if number == 0:
            compare(arguments, [side for side in tracers.NAMES if side in {row["side"] for row in rows} - {"rivulet"}])
        print(f"  round {number + 1} of {arguments.rounds}", flush=True)
    return rows


def report(rows):
    for nodes, workload, seeds in dict.fromkeys((row["nodes"], row["workload"], row["seeds"]) for row in rows):
        mine = [row for row in rows if (row["nodes"], row["workload"], row["seeds"]) == (nodes, workload, seeds)]
        times = {side: [row["seconds"] for row in mine if row["side"] == side] for side in tracers.NAMES}
        text = f"{nodes:4}^3 {workload:13} {seeds:3} seeds: rivulet {summary([1e3 * each for each in times['rivulet']])} ms"
        for side in ("paraview", "vtk"):
            if times[side]:
                text += f"; {side} / rivulet {summary([theirs / own for own, theirs in zip(times['rivulet'], times[side])])}"
        print(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pairs", type=int, default=7)
    parser.add_argument("--nodes", type=int, nargs="+", default=[64, 256])
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/single_seed"))
    parser.add_argument("--quick", action="store_true", help="a small field, once: to try the benchmark itself")
    parser.add_argument("--side", choices=["paraview", "vtk"], help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.pairs, arguments.nodes = 1, 2, [32]
    arguments.out = arguments.out.resolve()
    if arguments.side:
        (run_vtk if arguments.side == "vtk" else run_paraview)(arguments)
        return
    arguments.out.mkdir(parents=True, exist_ok=True)
    for nodes in arguments.nodes:
        tracers.make_field(arguments.out / f"field-{nodes}.npy", nodes)
    pythons = {"paraview": "pvpython"}
    wheel, why_not = tracers.wheel_python()
    if wheel:
        pythons["vtk"] = wheel
    else:
        print(f"left out: {why_not}")
    rows = run_rounds(arguments, pythons)
    write_rows(arguments.out / "rows.csv", rows)
    report(rows)
    draw_rows("single_seed", [arguments.out / "rows.csv"])


if __name__ == "__main__":
    main()
