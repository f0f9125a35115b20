# SPDX-License-Identifier: BSD-3-Clause
"""How many integration steps a second does each stream tracer take on a field that is in memory?

Field: ABC flow, 256^3 float vectors (201 MB), 12 288 random seeds, forward, at most 1000 steps of 0.2 cell lengths. Two
threads each. Opponents: vtkStreamTracer of VTK 9.7.2 (the wheel) and the Stream Tracer of the installed ParaView, both with
the STDThread backend. Each round runs each of them once, in turn, in separate processes. Each process runs the filter three times
and reports the last run: by then the memory of the results has been touched, and on a virtual machine the first touch can take
longer than the tracing. The lines are compared point by point before any time is reported.

usage: in_memory.py [--rounds 5] [--integrator rk4|rk45] [--defaults] [--nodes 256] [--seeds 12288] [--out FOLDER] [--quick]
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


def workload_of(arguments):
    return {"integrator": arguments.integrator, "defaults": arguments.defaults, "steps": 1000, "threads": THREADS}


def report(output, seconds, version, numpy_support, points_file):
    """Prints one side's counts and time as JSON, and writes its lines to a file."""
    lines = tracers.lines_of(output, numpy_support)
    np.savez(points_file, **lines)
    print(json.dumps({"steps": tracers.steps_of(lines), "seconds": seconds, "version": version}))


def run_vtk(folder, arguments):
    import vtk
    from vtk.util import numpy_support

    vtk.vtkSMPTools.SetBackend("STDThread")
    vtk.vtkSMPTools.Initialize(THREADS)
    image = tracers.load_image(vtk, numpy_support, folder / "field.npy")
    seeds = tracers.seeds_of(vtk, numpy_support, np.load(folder / "seeds.npy"))
    tracer = tracers.vtk_tracer(vtk, image, seeds, workload_of(arguments))
    for _ in range(3):
        tracer.Modified()
        start = time.perf_counter()
        tracer.Update()
        seconds = time.perf_counter() - start
    report(tracer.GetOutput(), seconds, vtk.vtkVersion.GetVTKVersion(), numpy_support, arguments.points)


def run_paraview(folder, arguments):
    from paraview import servermanager, simple, vtk
    from paraview.vtk.util import numpy_support

    image = tracers.producer_of(simple, tracers.load_image(vtk, numpy_support, folder / "field.npy"))
    seeds = tracers.producer_of(simple, tracers.seeds_of(vtk, numpy_support, np.load(folder / "seeds.npy")))
    tracer = tracers.paraview_tracer(simple, arguments.side, image, seeds, workload_of(arguments))
    for steps in (998, 999, 1000):
        tracer.MaximumSteps = steps
        start = time.perf_counter()
        tracer.UpdatePipeline()
        seconds = time.perf_counter() - start
    output = servermanager.Fetch(tracer)
    report(output, seconds, vtk.vtkVersion.GetVTKVersion(), numpy_support, arguments.points)


def compare(folder, side, arguments):
    lines = [dict(np.load(folder / f"points-{each}.npz")) for each in ("rivulet", side)]
    return tracers.compare_lines(*lines, side, arguments.nodes, arguments.integrator == "rk45")


def run_rounds(folder, pythons, arguments):
    environment = dict(os.environ, VTK_SMP_BACKEND_IN_USE="STDThread", VTK_SMP_MAX_THREADS=str(THREADS))
    environment["RIVULET_PLUGIN"] = built.plugin()
    common = ["--out", str(folder), "--integrator", arguments.integrator] + ["--defaults"] * arguments.defaults
    rows = []
    for number in range(arguments.rounds):
        for side, python in pythons.items():
            command = [python, __file__, "--side", side, "--points", str(folder / f"points-{side}.npz"), *common]
            answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
            row = {"round": number, "side": side, "workload": workload_name(arguments)}
            row |= {"nodes": arguments.nodes, "seeds": arguments.seeds} | json.loads(answer.strip().splitlines()[-1])
            row["steps_per_second"] = row["steps"] / row["seconds"]
            rows.append(row)
            print(f"  round {number}  {side:9} {row['steps_per_second'] / 1e6:7.2f} M steps/s", flush=True)
        if number == 0:
            for side in set(pythons) - {"rivulet"}:
                print(f"  {side}: {compare(folder, side, arguments)}", flush=True)
    return rows


def workload_name(arguments):
    return arguments.integrator + "-defaults" * arguments.defaults


def report_ratios(rows):
    rates = {}
    for row in rows:
        rates.setdefault(row["side"], []).append(row["steps_per_second"])
    for opponent in set(rates) - {"rivulet"}:
        ratios = [mine / theirs for mine, theirs in zip(rates["rivulet"], rates[opponent])]
        print(f"rivulet / {opponent}: {summary(ratios)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--integrator", choices=tracers.INTEGRATORS, default="rk4")
    parser.add_argument("--defaults", action="store_true", help="both directions, vorticity on")
    parser.add_argument("--nodes", type=int, default=256)
    parser.add_argument("--seeds", type=int, default=12288)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/in_memory"))
    parser.add_argument("--quick", action="store_true", help="a small field, once: to try the benchmark itself")
    parser.add_argument("--side", choices=["vtk", "paraview", "rivulet"], help=argparse.SUPPRESS)
    parser.add_argument("--points", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.nodes, arguments.seeds = 1, 64, 512
    folder = arguments.out.resolve()
    if arguments.side:
        (run_vtk if arguments.side == "vtk" else run_paraview)(folder, arguments)
        return
    folder.mkdir(parents=True, exist_ok=True)
    tracers.make_field(folder / "field.npy", arguments.nodes)
    tracers.make_seeds(folder / "seeds.npy", arguments.nodes, arguments.seeds)
    pythons = {"rivulet": "pvpython", "paraview": "pvpython"}
    wheel, why_not = tracers.wheel_python()
    if wheel:
        pythons["vtk"] = wheel
    else:
        print(f"left out: {why_not}")
    rows = run_rounds(folder, pythons, arguments)
    path = folder / f"rows-{workload_name(arguments)}.csv"
    write_rows(path, rows)
    draw_rows("in_memory", [path])
    report_ratios(rows)


if __name__ == "__main__":
    main()
