# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet's stream tracer and the stock ones on the same field in memory, and comparisons of their lines.

A side is "rivulet", "paraview" (the Stream Tracer of the installed ParaView) or "vtk" (vtkStreamTracer of the wheel, in a Python
of its own). A workload is the same for all sides: {"integrator": "rk4" or "rk45", "defaults": both directions and vorticity,
"steps": largest number of steps, "length": of a step in world units; if it is left out, a step is 0.2 cell lengths}.
"""

import os

import numpy as np
from peers import peer_python

VTK_VERSION = "9.7.2"
INTEGRATORS = {"rk4": ("Runge-Kutta 4", 1), "rk45": ("Runge-Kutta 4-5", 2)}
NAMES = {"rivulet": "Rivulet", "vtk": f"VTK {VTK_VERSION}", "paraview": "ParaView"}


# ------------------------------------------------------------------------------------------------------------ the field


def make_field(path, nodes):
    """Writes the ABC flow on nodes^3 points, float32 [k, j, i, 3]."""
    x = np.linspace(0, 2 * np.pi, nodes)
    k, j, i = np.meshgrid(x, x, x, indexing="ij")
    a, b, c = np.sqrt(3), np.sqrt(2), 1.0
    field = np.stack(
        [a * np.sin(k) + c * np.cos(j), b * np.sin(i) + a * np.cos(k), c * np.sin(j) + b * np.cos(i)], -1
    )
    np.save(path, field.astype(np.float32))


def make_seeds(path, nodes, count):
    """Writes random positions in index units, float64 [n, 3]."""
    np.save(path, np.random.default_rng(1).random((count, 3)) * (nodes - 1))


def load_image(vtk, numpy_support, path):
    field = np.load(path)
    image = vtk.vtkImageData()
    image.SetDimensions(*field.shape[2::-1])
    array = numpy_support.numpy_to_vtk(field.reshape(-1, 3), deep=True)
    array.SetName("velocity")
    image.GetPointData().SetVectors(array)
    return image


def seeds_of(vtk, numpy_support, positions):
    points = vtk.vtkPoints()
    points.SetDataType(vtk.VTK_DOUBLE)
    points.SetData(numpy_support.numpy_to_vtk(positions, deep=True))
    seeds = vtk.vtkPolyData()
    seeds.SetPoints(points)
    return seeds


# ----------------------------------------------------------------------------------------------------------- the tracers


def vtk_tracer(vtk, image, seeds, workload):
    """A vtkStreamTracer with ParaView's settings."""
    tracer = vtk.vtkStreamTracer()
    tracer.SetInputData(image)
    tracer.SetSourceData(seeds)
    tracer.SetInputArrayToProcess(0, 0, 0, 0, "velocity")
    tracer.SetIntegratorType(INTEGRATORS[workload["integrator"]][1])
    tracer.SetIntegrationDirection(2 if workload["defaults"] else 0)
    tracer.SetIntegrationStepUnit(1 if "length" in workload else 2)
    tracer.SetInitialIntegrationStep(workload.get("length", 0.2))
    tracer.SetMinimumIntegrationStep(0.01)
    tracer.SetMaximumIntegrationStep(0.5)
    tracer.SetMaximumError(1e-6)
    tracer.SetMaximumPropagation(1e6)
    tracer.SetMaximumNumberOfSteps(workload["steps"])
    tracer.SetComputeVorticity(bool(workload["defaults"]))
    return tracer


def producer_of(simple, data):
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(data)
    producer.UpdatePipeline()
    return producer


def paraview_tracer(simple, side, image, seeds, workload):
    """Proxy of Rivulet's tracer or of the stock one. image and seeds are proxies, too."""
    if side == "rivulet":
        rivulet = {"__name__": "rivulet"}  # ParaView treats an empty value as none
        simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=rivulet)
        tracer = rivulet["RivuletStreamTracerWithCustomSource"](Input=image, SeedSource=seeds)
        tracer.NumberOfThreads = workload["threads"]
    else:
        tracer = simple.StreamTracerWithCustomSource(Input=image, SeedSource=seeds)
    tracer.Vectors = ["POINTS", "velocity"]
    tracer.IntegratorType = INTEGRATORS[workload["integrator"]][0]
    tracer.IntegrationDirection = "BOTH" if workload["defaults"] else "FORWARD"
    tracer.MaximumStreamlineLength = 1e6
    tracer.MaximumSteps = workload["steps"]
    tracer.ComputeVorticity = int(workload["defaults"])
    if "length" in workload:
        tracer.IntegrationStepUnit = "Length"
        tracer.InitialStepLength = workload["length"]
    return tracer


def wheel_python():
    """A Python with VTK's wheel, or None and the reason.

    RIVULET_VTK_PYTHON names one. Otherwise the first call makes a virtual environment under build/tools.
    """
    if "RIVULET_VTK_PYTHON" in os.environ:
        return os.environ["RIVULET_VTK_PYTHON"], ""
    return peer_python(f"vtk-{VTK_VERSION}", f"vtk=={VTK_VERSION}", "numpy")


# ------------------------------------------------------------------------------------------------------------- the lines


def lines_of(output, numpy_support):
    """A tracer's output as arrays: offsets, points and seeds of lines."""
    offsets = numpy_support.vtk_to_numpy(output.GetLines().GetOffsetsArray())
    points = numpy_support.vtk_to_numpy(output.GetPoints().GetData())
    used = numpy_support.vtk_to_numpy(output.GetLines().GetConnectivityArray())
    seeds = numpy_support.vtk_to_numpy(output.GetCellData().GetArray("SeedIds"))
    return {"offsets": offsets, "points": points[used], "seeds": seeds}


def steps_of(lines):
    return int(lines["offsets"][-1]) - (len(lines["offsets"]) - 1)


def rows_of(starts, counts):
    """Joined ranges: counts[0] numbers from starts[0] on, then counts[1] numbers from starts[1] on, and so on."""
    return np.repeat(starts - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())


def tasks_of(lines, seed_count):
    """Number of each line's seed and direction: first all lines forward, then all lines backward, each by seed."""
    seeds = lines["seeds"].astype(np.int64)
    return seeds + seed_count * np.concatenate([[0], np.cumsum(np.diff(seeds) <= 0)])


def compare_lines(mine, theirs, side, nodes, adaptive):
    """Requires the same lines on both sides. Returns text about their agreement.

    ParaView 5.11 may add points next to the boundary or beyond it, and may come back. Later releases and Rivulet do not. So
    its lines, and lines of seeds that leave in the first step, may be longer only with a point outside. With error control
    the last bit of a step may differ, because powers in its rule are rounded differently, and this flow separates neighbours:
    one line in a thousand may have a few more or fewer steps, and one point in a hundred may differ by less than five cells.
    """
    seed_count = int(max(mine["seeds"].max(), theirs["seeds"].max())) + 1
    _, a, b = np.intersect1d(tasks_of(mine, seed_count), tasks_of(theirs, seed_count), return_indices=True)
    assert len(a) == len(mine["seeds"]), f"{side}: seeds without a line"
    lengths = np.diff(theirs["offsets"])
    shared = np.ones_like(lengths)  # the seed itself
    shared[b] = np.diff(mine["offsets"])[a]
    shorter = np.flatnonzero(lengths < shared)
    longer = np.flatnonzero(lengths > shared)
    beyond = theirs["points"][(theirs["offsets"][:-1] + shared)[longer]]
    inside = longer[((beyond > 0.5) & (beyond < nodes - 1.5)).all(axis=1)] if side == "paraview" else longer
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


def distance_from_line(points, line):
    """Distance of each point from a polyline."""
    begin, along = line[:-1], np.diff(line, axis=0)
    if len(along) == 0:
        return np.linalg.norm(points - line[0], axis=1)
    offset = points[:, None, :] - begin[None]
    part = np.clip((offset * along).sum(2) / np.maximum((along * along).sum(1), 1e-300), 0, 1)
    return np.linalg.norm(offset - part[..., None] * along, axis=2).min(1)


def compare_curves(mine, theirs, side):
    """Requires the same curves on both sides, with any points on them. Returns text about their agreement.

    Few lines with error control on a coarse grid allow no closer comparison: the estimated error jumps where a step meets a
    cell's face, so a difference in the last bit of a step becomes a visible part of it within ten steps.
    """
    assert len(mine["seeds"]) == len(theirs["seeds"]), f"{side}: seeds without a line"
    distances = []
    for line in range(len(mine["seeds"])):
        here, there = (each["points"][slice(*each["offsets"][line : line + 2])] for each in (mine, theirs))
        distances.append(distance_from_line(here, there))
    distances = np.concatenate(distances)
    most, worst = float(np.quantile(distances, 0.99)), float(distances.max())
    steps = steps_of(mine) / steps_of(theirs)
    assert most < 0.1 and worst < 2.0, f"{side}: points are {most} to {worst} cells off the lines"
    assert 0.98 < steps < 1.02, f"{side}: {steps:.3f} times the steps"
    return f"99% of points within {most:.2g} cells of the lines, all within {worst:.2g}; {steps:.4f} times the steps"
