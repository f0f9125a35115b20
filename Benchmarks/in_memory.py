# SPDX-License-Identifier: BSD-3-Clause
"""How many integration steps a second does each stream tracer take on a field that is in memory?

Field: ABC flow, 256^3 float vectors (201 MB), 12 288 random seeds, forward, at most 1000 steps of 0.2 cell lengths. Two
threads each. Opponents: vtkStreamTracer of VTK 9.7.2 (the wheel, in a virtual environment that this script makes) and
the Stream Tracer of the ParaView at hand, both with the STDThread backend. Every round runs each of them once, in turn, in
processes of their own; each process runs the filter three times and reports the last run, when the memory that the results
go to has been touched before (on a virtual machine the first touch can take longer than the tracing). Before any time is
reported the lines are compared, point by point.

usage: in_memory.py [--rounds 5] [--integrator rk4|rk45] [--defaults] [--out FOLDER]
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
from rows import write_rows  # noqa: E402

NODES = 256
SEEDS = 12288
THREADS = 2
VTK_VERSION = "9.7.2"
INTEGRATORS = {"rk4": 1, "rk45": 2}


def make_data(folder):
    """Writes field.npy, float32 [k, j, i, 3], and seeds.npy, float64 [n, 3], in index units."""
    x = np.linspace(0, 2 * np.pi, NODES)
    k, j, i = np.meshgrid(x, x, x, indexing="ij")
    a, b, c = np.sqrt(3), np.sqrt(2), 1.0
    field = np.stack(
        [a * np.sin(k) + c * np.cos(j), b * np.sin(i) + a * np.cos(k), c * np.sin(j) + b * np.cos(i)], -1
    )
    np.save(folder / "field.npy", field.astype(np.float32))
    np.save(folder / "seeds.npy", np.random.default_rng(1).random((SEEDS, 3)) * (NODES - 1))


def load_vtk_data(vtk, numpy_support, folder):
    field = np.load(folder / "field.npy").reshape(-1, 3)
    image = vtk.vtkImageData()
    image.SetDimensions(NODES, NODES, NODES)
    array = numpy_support.numpy_to_vtk(field, deep=True)
    array.SetName("velocity")
    image.GetPointData().SetVectors(array)
    points = vtk.vtkPoints()
    points.SetDataType(vtk.VTK_DOUBLE)
    points.SetData(numpy_support.numpy_to_vtk(np.load(folder / "seeds.npy"), deep=True))
    seeds = vtk.vtkPolyData()
    seeds.SetPoints(points)
    return image, seeds


def report(output, seconds, version, numpy_support, points_file):
    """What one side says: counts and time as JSON; its points go to a file."""
    offsets = numpy_support.vtk_to_numpy(output.GetLines().GetOffsetsArray())
    points = numpy_support.vtk_to_numpy(output.GetPoints().GetData())
    seeds = numpy_support.vtk_to_numpy(output.GetCellData().GetArray("SeedIds"))
    used = numpy_support.vtk_to_numpy(output.GetLines().GetConnectivityArray())
    np.savez(points_file, offsets=offsets, points=points[used], seeds=seeds)
    steps = int(offsets[-1]) - (len(offsets) - 1)
    print(json.dumps({"steps": steps, "seconds": seconds, "version": version}))


def options(arguments):
    return {
        "integrator": INTEGRATORS[arguments.integrator],
        "vorticity": arguments.defaults,
        "direction": 2 if arguments.defaults else 0,
    }


def run_vtk(folder, arguments):
    import vtk
    from vtk.util import numpy_support

    vtk.vtkSMPTools.SetBackend("STDThread")
    vtk.vtkSMPTools.Initialize(THREADS)
    image, seeds = load_vtk_data(vtk, numpy_support, folder)
    chosen = options(arguments)
    tracer = vtk.vtkStreamTracer()
    tracer.SetInputData(image)
    tracer.SetSourceData(seeds)
    tracer.SetInputArrayToProcess(0, 0, 0, 0, "velocity")
    tracer.SetIntegratorType(chosen["integrator"])
    tracer.SetIntegrationDirection(chosen["direction"])
    tracer.SetIntegrationStepUnit(2)
    tracer.SetInitialIntegrationStep(0.2)
    tracer.SetMinimumIntegrationStep(0.01)
    tracer.SetMaximumIntegrationStep(0.5)
    tracer.SetMaximumError(1e-6)
    tracer.SetMaximumPropagation(1e6)
    tracer.SetMaximumNumberOfSteps(1000)
    tracer.SetComputeVorticity(chosen["vorticity"])
    for _ in range(3):
        tracer.Modified()
        start = time.perf_counter()
        tracer.Update()
        seconds = time.perf_counter() - start
    report(tracer.GetOutput(), seconds, vtk.vtkVersion.GetVTKVersion(), numpy_support, arguments.points)


def run_paraview(folder, arguments):
    from paraview import servermanager, simple, vtk
    from paraview.vtk.util import numpy_support

    image, seeds = load_vtk_data(vtk, numpy_support, folder)
    sources = []
    for data in (image, seeds):
        producer = simple.TrivialProducer()
        producer.GetClientSideObject().SetOutput(data)
        sources.append(producer)
    if arguments.side == "rivulet":
        rivulet = {"__name__": "rivulet"}  # ParaView takes an empty one for none
        simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=rivulet)
        tracer = rivulet["RivuletStreamTracerWithCustomSource"](Input=sources[0], SeedSource=sources[1])
        tracer.NumberOfThreads = THREADS
    else:
        tracer = simple.StreamTracerWithCustomSource(Input=sources[0], SeedSource=sources[1])
    chosen = options(arguments)
    tracer.Vectors = ["POINTS", "velocity"]
    tracer.IntegratorType = {1: "Runge-Kutta 4", 2: "Runge-Kutta 4-5"}[chosen["integrator"]]
    tracer.IntegrationDirection = {0: "FORWARD", 2: "BOTH"}[chosen["direction"]]
    tracer.MaximumStreamlineLength = 1e6
    tracer.ComputeVorticity = int(chosen["vorticity"])
    for producer in sources:
        producer.UpdatePipeline()
    for steps in (998, 999, 1000):
        tracer.MaximumSteps = steps
        start = time.perf_counter()
        tracer.UpdatePipeline()
        seconds = time.perf_counter() - start
    output = servermanager.Fetch(tracer)
    report(output, seconds, vtk.vtkVersion.GetVTKVersion(), numpy_support, arguments.points)


def wheel_python(folder):
    """A virtual environment with the opponent in it."""
    python = folder / "vtk" / "bin" / "python"
    if not python.exists():
        print(f"Installing VTK {VTK_VERSION} into {folder / 'vtk'} ...", flush=True)
        subprocess.run([sys.executable, "-m", "venv", str(folder / "vtk")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", f"vtk=={VTK_VERSION}", "numpy"], check=True)
    return str(python)


def rows_of(starts, counts):
    """starts[0], starts[0] + 1, ... counts[0] of them, then those from starts[1], and so on."""
    return np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())


def tasks_of(lines):
    """A number for each line's seed and direction: all lines forward come first, then all lines backward, each by seed."""
    seeds = lines["seeds"].astype(np.int64)
    return seeds + SEEDS * np.concatenate([[0], np.cumsum(np.diff(seeds) < 0)])


def compare(folder, side, adaptive):
    """The lines of both sides must be the same lines; answers how well they agree.

    ParaView 5.11 goes on for a point or more next to the boundary or beyond it (and may come back), later releases and Rivulet
    do not: its lines, and those of seeds that leave in the first step, may only go on with a point out there. With error control a last
    bit of a step may differ (the powers in its rule are rounded differently), and this flow pulls neighbours apart: one line
    in a thousand may take a few more or fewer steps, one point in a hundred may lie elsewhere, by less than five cells.
    """
    mine, theirs = dict(np.load(folder / "points-rivulet.npz")), dict(np.load(folder / f"points-{side}.npz"))
    _, a, b = np.intersect1d(tasks_of(mine), tasks_of(theirs), return_indices=True)
    assert len(a) == len(mine["seeds"]), f"{side}: seeds without a line"
    lengths = np.diff(theirs["offsets"])
    shared = np.ones_like(lengths)  # the seed itself
    shared[b] = np.diff(mine["offsets"])[a]
    shorter = np.flatnonzero(lengths < shared)
    longer = np.flatnonzero(lengths > shared)
    beyond = theirs["points"][(theirs["offsets"][:-1] + shared)[longer]]
    inside = longer[((beyond > 0.5) & (beyond < NODES - 1.5)).all(axis=1)] if side == "paraview" else longer
    others = len(shorter) + len(inside)
    assert others <= (len(lengths) / 1000 if adaptive else 0), f"{side}: {others} lines of another length"
    common = np.minimum(shared, lengths)[b]
    here = mine["points"][rows_of(mine["offsets"][:-1][a], common)]
    there = theirs["points"][rows_of(theirs["offsets"][:-1][b], common)]
    distance = np.abs(here - there).max(axis=1)
    worst, most = float(distance.max()), float(np.quantile(distance, 0.99))
    assert most < 1e-4 and worst < (5.0 if adaptive else 1e-2), f"{side}: points differ by {most} to {worst} cells"
    same = f"{np.mean(distance == 0):.2%} of {len(distance)} points the same bits, largest distance {worst:.2g} cells"
    return f"{same}, {others} of {len(lengths)} lines of another length"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--integrator", choices=INTEGRATORS, default="rk4")
    parser.add_argument("--defaults", action="store_true", help="both directions, vorticity on")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/in_memory"))
    parser.add_argument("--side", choices=["vtk", "paraview", "rivulet"], help=argparse.SUPPRESS)
    parser.add_argument("--points", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    folder = arguments.out.resolve()
    if arguments.side:
        (run_vtk if arguments.side == "vtk" else run_paraview)(folder, arguments)
        return
    folder.mkdir(parents=True, exist_ok=True)
    make_data(folder)
    pythons = {"rivulet": ["pvpython"], "vtk": [wheel_python(folder)], "paraview": ["pvpython"]}
    environment = dict(os.environ, VTK_SMP_BACKEND_IN_USE="STDThread", VTK_SMP_MAX_THREADS=str(THREADS))
    environment["RIVULET_PLUGIN"] = built.plugin()
    common = ["--out", str(folder), "--integrator", arguments.integrator] + ["--defaults"] * arguments.defaults
    rows = []
    for number in range(arguments.rounds):
        for side, python in pythons.items():
            command = python + [__file__, "--side", side, "--points", str(folder / f"points-{side}.npz")] + common
            answer = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True).stdout
            row = {"round": number, "side": side} | json.loads(answer.strip().splitlines()[-1])
            row["steps_per_second"] = row["steps"] / row["seconds"]
            rows.append(row)
            print(f"  round {number}  {side:9} {row['steps_per_second'] / 1e6:7.2f} M steps/s", flush=True)
        if number == 0:
            for side in ("vtk", "paraview"):
                print(f"  {side}: {compare(folder, side, arguments.integrator == 'rk45')}", flush=True)
    name = f"rows-{arguments.integrator}{'-defaults' * arguments.defaults}.csv"
    write_rows(folder / name, rows)
    rates = {side: [row["steps_per_second"] for row in rows if row["side"] == side] for side in pythons}
    for opponent in ("vtk", "paraview"):
        ratios = [mine / theirs for mine, theirs in zip(rates["rivulet"], rates[opponent])]
        print(
            f"rivulet / {opponent}: median {statistics.median(ratios):.2f}, {min(ratios):.2f} to {max(ratios):.2f}, "
            f"{len(ratios)} pairs"
        )


if __name__ == "__main__":
    main()
