# SPDX-License-Identifier: BSD-3-Clause
"""Stream tracers side by side: each in a process of its own, in turn, with lines that are compared before any time is told."""

import json
import os
import subprocess
import time

import built
import numpy as np
import tracers
from rows import summary

THREADS = 2


def report(output, runs, version, numpy_support, points_file):
    """Prints one side's counts and times as JSON, and writes its lines to a file. runs: seconds of each run, of the clock and of
    processors; the first makes locators.
    """
    lines = tracers.lines_of(output, numpy_support)
    np.savez(points_file, **lines)
    clock, processors = runs[-1]
    print(json.dumps({"steps": tracers.steps_of(lines), "seconds": clock, "cpu_seconds": processors,
                      "first_seconds": runs[0][0], "version": version}))


def timed(run):
    """Seconds of a call, of the clock and of processors."""
    clock, processors = time.perf_counter(), time.process_time()
    run()
    return time.perf_counter() - clock, time.process_time() - processors


def run_vtk(load, folder, workload, points_file):
    """One side: VTK's wheel. load(vtk, numpy_support, folder) gives the dataset."""
    import vtk
    from vtk.util import numpy_support

    vtk.vtkSMPTools.SetBackend("STDThread")
    vtk.vtkSMPTools.Initialize(THREADS)
    seeds = tracers.seeds_of(vtk, numpy_support, np.load(folder / "seeds.npy"))
    tracer = tracers.vtk_tracer(vtk, load(vtk, numpy_support, folder), seeds, workload)
    runs = []
    for _ in range(3):
        tracer.Modified()
        runs.append(timed(tracer.Update))
    report(tracer.GetOutput(), runs, vtk.vtkVersion.GetVTKVersion(), numpy_support, points_file)


def run_paraview(load, folder, side, workload, points_file):
    """One side: a filter of ParaView, ours or the stock one."""
    from paraview import servermanager, simple, vtk
    from paraview.vtk.util import numpy_support

    dataset = tracers.producer_of(simple, load(vtk, numpy_support, folder))
    seeds = tracers.producer_of(simple, tracers.seeds_of(vtk, numpy_support, np.load(folder / "seeds.npy")))
    tracer = tracers.paraview_tracer(simple, side, dataset, seeds, workload)
    runs = []
    for steps in (workload["steps"] - 2, workload["steps"] - 1, workload["steps"]):
        tracer.MaximumSteps = steps
        runs.append(timed(tracer.UpdatePipeline))
    output = servermanager.Fetch(tracer)
    report(output, runs, vtk.vtkVersion.GetVTKVersion(), numpy_support, points_file)


def pythons_of_sides():
    """The Python of each side; VTK's is left out, with the reason printed, where there is no wheel."""
    pythons = {"rivulet": "pvpython", "paraview": "pvpython"}
    wheel, why_not = tracers.wheel_python()
    if wheel:
        pythons["vtk"] = wheel
    else:
        print(f"left out: {why_not}")
    return pythons


def run_rounds(script, folder, rounds, options, columns, compare):
    """Rows of all sides, `script` being run for each. compare(lines, other lines, side) tells how the lines differ, or fails."""
    environment = dict(os.environ, VTK_SMP_BACKEND_IN_USE="STDThread", VTK_SMP_MAX_THREADS=str(THREADS))
    environment["RIVULET_PLUGIN"] = built.plugin()
    pythons = pythons_of_sides()
    points = {side: folder / f"points-{side}.npz" for side in pythons}
    rows = []
    for number in range(rounds):
        for side, python in pythons.items():
            command = [python, script, "--side", side, "--points", str(points[side]), "--out", str(folder), *options]
            answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
            row = {"round": number, "side": side} | columns | json.loads(answer.strip().splitlines()[-1])
            row["steps_per_second"] = row["steps"] / row["seconds"]
            row["steps_per_cpu_second"] = row["steps"] / row["cpu_seconds"]
            rows.append(row)
            print(f"  round {number}  {side:9} {row['steps_per_second'] / 1e6:7.2f} M steps/s", flush=True)
        if number == 0:
            for side in set(pythons) - {"rivulet"}:
                lines, others = (dict(np.load(points[each])) for each in ("rivulet", side))
                print(f"  {side}: {compare(lines, others, side)}", flush=True)
    return rows


def report_ratios(rows, column="steps_per_second"):
    rates = {}
    for row in rows:
        rates.setdefault(row["side"], []).append(row[column])
    for opponent in set(rates) - {"rivulet"}:
        ratios = [mine / theirs for mine, theirs in zip(rates["rivulet"], rates[opponent])]
        print(f"rivulet / {opponent}, {column.replace('_', ' ')}: {summary(ratios)}")
