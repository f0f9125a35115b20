# SPDX-License-Identifier: BSD-3-Clause
"""How many integration steps a second does each stream tracer take through a mesh that is in memory?

Meshes: a curvilinear grid of 128^3 nodes, each moved by up to 0.32 of a cell, so that no face is a parallelogram; the same as
hexahedra; and tetrahedra, six to each cube of 61^3 nodes, with cells and points numbered along a curve or at random. Field: ABC
flow at the nodes, float vectors. Lines: 12 288 random seeds, forward, RK4, at most 1000 steps of half a cell, which for
tetrahedra is the cube root of their mean volume. Two threads each. Opponents: vtkStreamTracer of VTK 9.7.2 (the wheel) and the
Stream Tracer of the installed ParaView, both with the STDThread backend. Each round runs each of them once, in turn, in separate
processes. Each process runs the filter three times and reports the last run: meshes and locators are kept by then. The seconds
of the first run, which makes them, are reported, too: with --seeds 1 the time to the first line. The first 100 steps of the lines are
compared before any time is reported.

usage: meshes.py [--mesh MESH]... [--rounds 5] [--nodes N] [--seeds 12288] [--defaults] [--out FOLDER] [--quick]
The wheel comes from PyPI, once. Without it that side is left out. RIVULET_VTK_PYTHON names a Python with the wheel.
"""

import argparse
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import sides  # noqa: E402
import tracers  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402
from steps_in_memory import TETRAHEDRA, cells_of  # noqa: E402

BOX = 2 * np.pi
COMPARED_STEPS = 100


MESHES = {"curvilinear": 128, "hexahedra": 128, "tetrahedra": 61, "random-tetrahedra": 61}  # nodes along each axis
HEXAHEDRON = [(0, 1, 3, 2, 4, 5, 7, 6)]  # as VTK numbers them
VTK_TETRA, VTK_HEXAHEDRON = 10, 12


def make_mesh(folder, mesh, nodes):
    """Writes the places of the nodes and the velocities there, float32 [n, 3], and the nodes of each cell if there are any."""
    spacing = BOX / (nodes - 1)
    k, j, i = np.meshgrid(*[np.arange(nodes)] * 3, indexing="ij")
    moves = [np.sin(1.3 * j + 0.7 * k), np.sin(1.1 * k + 0.9 * i + 1), np.sin(1.7 * i + 0.6 * j + 2)]
    moved = 0.32 if "tetrahedra" not in mesh else 0.15  # more would turn some inside out
    points = np.stack([spacing * (index + moved * move) for index, move in zip((i, j, k), moves)], -1).astype(np.float32)
    points = points.reshape(-1, 3)
    cells = None
    if mesh != "curvilinear":
        cells = cells_of(nodes, HEXAHEDRON if mesh == "hexahedra" else TETRAHEDRA)
        points, cells = numbered(points, cells, mesh.startswith("random"))
        np.save(folder / "cells.npy", cells)
    x, y, z = points.T.astype(np.float64)
    a, b, c = np.sqrt(3), np.sqrt(2), 1.0
    field = np.stack([a * np.sin(z) + c * np.cos(y), b * np.sin(x) + a * np.cos(z), c * np.sin(y) + b * np.cos(x)], -1)
    np.save(folder / "points.npy", points)
    np.save(folder / "field.npy", field.astype(np.float32))


def morton(places):
    """Numbers along a curve through the places, which lie in the box."""
    index = np.clip(places / BOX * 1023, 0, 1023).astype(np.int64)
    return sum((index[:, axis] >> bit & 1) << (3 * bit + axis) for bit in range(10) for axis in range(3))


def numbered(points, cells, at_random):
    """Points and cells in another order: along a curve, or any."""
    random = np.random.default_rng(2)
    order = random.permutation(len(points)) if at_random else np.argsort(morton(points), kind="stable")
    number = np.empty_like(order)
    number[order] = np.arange(len(order))
    points, cells = points[order], number[cells]
    middles = points[cells].mean(axis=1)
    return points, cells[random.permutation(len(cells)) if at_random else np.argsort(morton(middles), kind="stable")]


def make_seeds(folder, count):
    np.save(folder / "seeds.npy", np.random.default_rng(1).uniform(0.05 * BOX, 0.95 * BOX, (count, 3)))


def load(vtk, numpy_support, folder):
    places = np.load(folder / "points.npy")
    points = vtk.vtkPoints()
    points.SetData(numpy_support.numpy_to_vtk(places, deep=True))
    if (folder / "cells.npy").exists():
        cells = np.load(folder / "cells.npy")
        offsets = np.arange(0, cells.size + 1, cells.shape[1])
        array = vtk.vtkCellArray()
        array.SetData(*(numpy_support.numpy_to_vtk(each, deep=True, array_type=vtk.VTK_ID_TYPE) for each in (offsets, cells.ravel())))
        grid = vtk.vtkUnstructuredGrid()
        grid.SetPoints(points)
        grid.SetCells(VTK_TETRA if cells.shape[1] == 4 else VTK_HEXAHEDRON, array)
    else:
        grid = vtk.vtkStructuredGrid()
        grid.SetDimensions(*[round(len(places) ** (1 / 3))] * 3)
        grid.SetPoints(points)
    velocity = numpy_support.numpy_to_vtk(np.load(folder / "field.npy"), deep=True)
    velocity.SetName("velocity")
    grid.GetPointData().SetVectors(velocity)
    return grid


def workload_of(arguments):
    half_a_cell = 0.5 * BOX / (arguments.nodes - 1) * (6 ** (-1 / 3) if "tetrahedra" in arguments.mesh[0] else 1.0)
    return {"integrator": "rk4", "defaults": arguments.defaults, "steps": 1000, "threads": sides.THREADS, "length": half_a_cell}


def run_side(folder, arguments):
    if arguments.side == "vtk":
        sides.run_vtk(load, folder, workload_of(arguments), arguments.points)
    else:
        sides.run_paraview(load, folder, arguments.side, workload_of(arguments), arguments.points)


def compare(mine, theirs, side):
    """Requires the same first steps on both sides, within a millionth of the box. Returns text about the agreement.

    A stock filter may lose a line where it does not find the next cell.
    """
    count = int(max(mine["seeds"].max(), theirs["seeds"].max())) + 1
    tasks = [tracers.tasks_of(each, count) for each in (mine, theirs)]
    _, a, b = np.intersect1d(*tasks, return_indices=True)
    assert len(a) > 0.99 * len(tasks[0]), f"{side}: {len(a)} of {len(tasks[0])} lines"
    lengths = np.diff(mine["offsets"])[a], np.diff(theirs["offsets"])[b]
    common = np.minimum(np.minimum(*lengths), COMPARED_STEPS + 1)
    here = mine["points"][tracers.rows_of(mine["offsets"][:-1][a], common)]
    there = theirs["points"][tracers.rows_of(theirs["offsets"][:-1][b], common)]
    off = np.abs(here - there).max(axis=1) / BOX
    others = int((lengths[0] != lengths[1]).sum())
    # VTK takes a place that is a thousandth of a tetrahedron outside of it as in it.
    assert off.max() < 5e-6, f"{side}: points differ by {off.max():.2g} of the box"
    assert others < 0.02 * len(a), f"{side}: {others} of {len(a)} lines of another length"
    return f"{len(off)} points within {off.max():.2g} of the box, {others} of {len(a)} lines of another length"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--defaults", action="store_true", help="both directions, vorticity on")
    parser.add_argument("--mesh", choices=list(MESHES), action="append", help="may be given several times; all if it is not")
    parser.add_argument("--nodes", type=int, help="along each axis of the lattice that a mesh is made of")
    parser.add_argument("--seeds", type=int, default=12288)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/meshes"))
    parser.add_argument("--quick", action="store_true", help="a small mesh, once: to try the benchmark itself")
    parser.add_argument("--side", choices=["vtk", "paraview", "rivulet"], help=argparse.SUPPRESS)
    parser.add_argument("--points", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    folder = arguments.out.resolve()
    if arguments.side:
        run_side(folder, arguments)
        return
    if arguments.quick:
        arguments.rounds, arguments.nodes, arguments.seeds = 1, 24, 256
    rows = []
    for mesh in arguments.mesh or MESHES:
        rows += rows_of(mesh, folder / mesh, arguments)
    path = folder / "rows-meshes.csv"
    write_rows(path, rows)
    draw_rows("meshes", [path])
    for workload in dict.fromkeys(row["workload"] for row in rows):
        print(workload)
        for column in ("steps_per_second", "steps_per_cpu_second", "first_seconds"):
            sides.report_ratios([row for row in rows if row["workload"] == workload], column)


def rows_of(mesh, folder, arguments):
    nodes = arguments.nodes or MESHES[mesh]
    folder.mkdir(parents=True, exist_ok=True)
    make_mesh(folder, mesh, nodes)
    make_seeds(folder, arguments.seeds)
    options = ["--mesh", mesh, "--nodes", str(nodes)] + ["--defaults"] * arguments.defaults
    workload = mesh + "-defaults" * arguments.defaults
    print(workload)
    columns = {"workload": workload, "nodes": nodes, "seeds": arguments.seeds}
    return sides.run_rounds(__file__, folder, arguments.rounds, options, columns, compare)


if __name__ == "__main__":
    main()
