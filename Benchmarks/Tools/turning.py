# SPDX-License-Identifier: BSD-3-Clause
"""Pathlines in a rotation whose rate changes with time, on a field in memory, by several tracers. A process of unsteady.py.

Field: solid rotation about z on [-1, 1]^3, float32, rate 0.1 (1 + 0.5 sin 0.3 k) at dump k and linear in between: interpolation
adds no error but rounding, and the angle is the integral of the rate. Seeds: within a radius of 0.6. Runge-Kutta 4, two steps from
dump to dump; wanted are the positions at the last dump. Mesh: a lattice of points; a curvilinear grid, whose points lie up to
0.32 of a cell off the lattice's ("bent"), and in other directions at each dump ("moving"); or six tetrahedra to each of its cubes,
with points up to 0.15 of a cell off ("cells", "moving-cells"), numbered row by row.

usage: turning.py --side SIDE --folder FOLDER --dumps 20 --spacing 1 --threads 2 [--mesh MESH] [--streaks]
FOLDER holds lattice.npy, the places [k, j, i, 3], and seeds.npy. Writes the positions to ends-SIDE.npy, by seed and release.
"""

import argparse
import os
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from steps_in_memory import TetrahedraOf, grid_of, image_of, points_of, steps_in_memory  # noqa: E402
from turns import seconds_of, serve  # noqa: E402

STEPS_PER_DUMP = 2
RADIUS = 0.6


def rates(dumps):
    return 0.1 * (1 + 0.5 * np.sin(0.3 * np.arange(dumps)))


def angles(dumps, spacing):
    """Angle from dump 0 to each dump."""
    rate = rates(dumps)
    return np.concatenate([[0], np.cumsum(spacing * (rate[1:] + rate[:-1]) / 2)])


def make_input(folder, nodes, seeds):
    x = np.linspace(-1, 1, nodes)
    np.save(folder / "lattice.npy", np.stack(np.meshgrid(x, x, x, indexing="ij")[::-1], -1).astype(np.float32))
    cube = np.random.Generator(np.random.PCG64(1)).uniform(-RADIUS, RADIUS, (3 * seeds, 3))
    np.save(folder / "seeds.npy", cube[np.linalg.norm(cube, axis=1) < RADIUS][:seeds])


def exact_ends(seeds, dumps, spacing, streaks):
    """Positions at the last dump, of particles released at dump 0, or at each dump, [seed, release, 3]."""
    to = angles(dumps, spacing)
    turned = to[-1] - (to if streaks else to[:1])
    c, s = np.cos(turned), np.sin(turned)
    x, y, z = (seeds[:, None, axis] for axis in range(3))
    return np.stack([c * x - s * y, s * x + c * y, z + 0 * c], -1)


def steps_of(seeds, dumps, streaks):
    """Steps of all particles from their release to the last dump."""
    return seeds * STEPS_PER_DUMP * (sum(range(dumps)) if streaks else dumps - 1)


# ---------------------------------------------------------------------------------------------------------- VTK's filters


def velocities(places, rate):
    """Of the rotation, at places [k, j, i, 3]."""
    return np.float32(rate) * np.stack([-places[..., 1], places[..., 0], 0 * places[..., 0]], -1)


def bent(lattice, turn, most):
    """The places off the lattice's by up to so much of a cell. turn: radians, for the moment."""
    k, j, i = np.meshgrid(*map(np.arange, lattice.shape[:3]), indexing="ij")
    side = 2 / (lattice.shape[0] - 1)
    moves = [np.sin(1.3 * j + 0.7 * k + turn), np.sin(1.1 * k + 0.9 * i + 1 - turn), np.sin(1.7 * i + 0.6 * j + 2 + turn)]
    return (lattice + most * side * np.stack(moves, -1)).astype(np.float32)


def dumps_of(arguments):
    """A source of all dumps, which are in memory."""
    lattice = np.load(arguments.folder / "lattice.npy")
    times = arguments.spacing * np.arange(arguments.dumps)
    rate = rates(arguments.dumps)
    if arguments.mesh == "lattice":
        spacing = [2 / (lattice.shape[0] - 1)] * 3
        return steps_in_memory((image_of(velocities(lattice, each), [-1, -1, -1], spacing) for each in rate), times)
    moves, cells = arguments.mesh.startswith("moving"), arguments.mesh.endswith("cells")
    places = [bent(lattice, 0.3 * k if moves else 0.0, 0.15 if cells else 0.32) for k in range(arguments.dumps)]
    points = list(map(points_of, places)) if moves else [points_of(places[0])] * arguments.dumps
    of_mesh = TetrahedraOf(lattice.shape[0]) if cells else grid_of
    return steps_in_memory((of_mesh(velocities(place, each), its) for place, each, its in zip(places, rate, points)), times)


def seed_points(positions):
    from vtkmodules.util.numpy_support import numpy_to_vtk
    from vtkmodules.vtkCommonCore import VTK_DOUBLE, vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkPolyData

    points = vtkPoints()
    points.SetDataType(VTK_DOUBLE)
    points.SetData(numpy_to_vtk(positions, deep=True))
    seeds = vtkPolyData()
    seeds.SetPoints(points)
    return seeds


def particles_of(output):
    """Positions of the particles of an output by seed and release."""
    from vtkmodules.util.numpy_support import vtk_to_numpy

    data = output.GetPointData()
    seed, release = (vtk_to_numpy(data.GetArray(name)) for name in ("InjectedPointId", "InjectionStepId"))
    ends = np.full((seed.max() + 1, release.max() + 1, 3), np.nan)
    ends[seed, release] = vtk_to_numpy(output.GetPoints().GetData())
    return ends


def time_filter(tracer, arguments, port=0):
    """Runs a filter from the first dump to the last one, once, and returns the particles and times."""
    def update():
        tracer.Modified()
        tracer.UpdateTimeStep(arguments.spacing * (arguments.dumps - 1))

    _, seconds = seconds_of(update)
    return tracer.GetOutputDataObject(port), seconds


def vtk_side(arguments, seeds):
    import vtk

    vtk.vtkSMPTools.SetBackend("STDThread")
    vtk.vtkSMPTools.Initialize(arguments.threads)
    tracer = vtk.vtkStreaklineFilter() if arguments.streaks else vtk.vtkParticleTracer()
    source = dumps_of(arguments)
    tracer.SetInputConnection(0, source.GetOutputPort())
    tracer.SetInputData(1, seed_points(seeds))
    tracer.SetInputArrayToProcess(0, 0, 0, 0, "velocity")
    tracer.SetStaticSeeds(True)
    tracer.SetMeshOverTimeToSameTopology() if arguments.mesh.startswith("moving") else tracer.SetMeshOverTimeToStatic()
    tracer.SetForceReinjectionEveryNSteps(1 if arguments.streaks else 0)
    tracer.SetComputeVorticity(False)
    tracer.SetTerminalSpeed(0.0)
    version = f"VTK {vtk.vtkVersion.GetVTKVersion()}"

    def run():
        output, seconds = time_filter(tracer, arguments)
        return particles_of(output), seconds | {"version": version}

    return run


def rivulet_side(arguments, seeds):
    from paraview import simple

    rivulet = {"__name__": "rivulet"}  # ParaView treats an empty value as none
    simple.LoadPlugin(os.environ["RIVULET_PLUGIN"], remote=False, ns=rivulet)
    inputs = []
    for data in (dumps_of(arguments).grids[0], seed_points(seeds)):
        inputs.append(simple.TrivialProducer())
        inputs[-1].GetClientSideObject().SetOutput(data)
        inputs[-1].UpdatePipeline()
    proxy = rivulet["RivuletPathTracerWithCustomSource"](Input=inputs[0], SeedSource=inputs[1])
    proxy.Vectors = ["POINTS", "velocity"]
    proxy.NumberOfThreads = arguments.threads
    proxy.IntegratorType = "Runge-Kutta 4"
    proxy.IntegrationStepUnit = "Time"
    proxy.InitialStepLength = arguments.spacing / STEPS_PER_DUMP
    proxy.ComputeVorticity = 0
    proxy.TerminalSpeed = 0.0
    proxy.ForceReinjectionEveryNSteps = 1 if arguments.streaks else 0
    if "ComputePaths" in proxy.ListProperties():
        proxy.ComputePaths = 0  # the opponents keep no paths
    proxy.UpdateVTKObjects()
    tracer = proxy.GetClientSideObject()
    source = dumps_of(arguments)
    tracer.SetInputConnection(0, source.GetOutputPort())  # a source of this process, as the opponents have
    release = simple.GetParaViewVersion()
    version = f"ParaView {release.major}.{release.minor}"

    def run():
        output, seconds = time_filter(tracer, arguments, port=1)
        steps = tracer.GetOutputDataObject(0).GetFieldData().GetArray("IntegrationSteps").GetValue(0)
        expected = steps_of(len(seeds), arguments.dumps, arguments.streaks)
        assert steps == expected, f"{steps} steps instead of {expected}"
        return particles_of(output), seconds | {"version": version}

    return run


# ---------------------------------------------------------------------------------------------------------------- Parcels


def parcels_side(arguments, seeds):
    """Compiled kernels, one thread. The kernel is compiled in the first step of each run, which is not timed."""
    import parcels

    lattice = np.load(arguments.folder / "lattice.npy")
    field = velocities(lattice, 1.0)
    x = np.linspace(-1, 1, lattice.shape[0])
    times = arguments.spacing * np.arange(arguments.dumps)
    of_time = rates(arguments.dumps).astype(np.float32)[:, None, None, None]
    data = {name: of_time * field[None, ..., axis] for axis, name in enumerate("UVW")}
    axes = {"lon": x, "lat": x, "depth": x, "time": times.astype(float)}
    fields = parcels.FieldSet.from_data(data, axes, mesh="flat")
    step = arguments.spacing / STEPS_PER_DUMP

    def run():
        particles = parcels.ParticleSet(fields, parcels.JITParticle, lon=seeds[:, 0], lat=seeds[:, 1], depth=seeds[:, 2],
                                        time=np.zeros(len(seeds)), lonlatdepth_dtype=np.float64)  # fmt: skip
        kernel = particles.Kernel(parcels.AdvectionRK4_3D)
        particles.execute(kernel, runtime=step, dt=step, verbose_progress=False)
        _, seconds = seconds_of(lambda: particles.execute(kernel, runtime=times[-1] - step, dt=step, verbose_progress=False))
        ends = np.stack([getattr(particles, f"{axis}_nextloop") for axis in ("lon", "lat", "depth")], -1)[:, None]
        steps = steps_of(len(seeds), arguments.dumps, False) - len(seeds)
        return ends, seconds | {"version": f"Parcels {parcels.__version__}", "steps": steps, "threads": 1}

    return run


SIDES = {"rivulet": rivulet_side, "vtk": vtk_side, "parcels": parcels_side}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", choices=SIDES, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--dumps", type=int, required=True)
    parser.add_argument("--spacing", type=float, required=True)
    parser.add_argument("--threads", type=int, required=True)
    parser.add_argument("--mesh", choices=["lattice", "bent", "moving", "cells", "moving-cells"], default="lattice")
    parser.add_argument("--streaks", action="store_true", help="particles are released at each dump")
    arguments = parser.parse_args()
    seeds = np.load(arguments.folder / "seeds.npy")
    run = SIDES[arguments.side](arguments, seeds)
    exact = exact_ends(seeds, arguments.dumps, arguments.spacing, arguments.streaks)

    def measured():
        ends, row = run()
        distance = np.linalg.norm(ends - exact[:, : ends.shape[1]], axis=-1)
        assert ends.shape == exact.shape and np.isfinite(distance).all(), f"{np.isnan(distance).sum()} particles are missing"
        row = {"steps": steps_of(len(seeds), arguments.dumps, arguments.streaks), "threads": arguments.threads} | row
        return row | {"error": float(np.sqrt(np.mean(distance**2))), "largest_error": float(distance.max())}

    serve(measured)


if __name__ == "__main__":
    main()
