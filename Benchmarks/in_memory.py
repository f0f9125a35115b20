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
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import sides  # noqa: E402
import tracers  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import write_rows  # noqa: E402


def workload_of(arguments):
    return {"integrator": arguments.integrator, "defaults": arguments.defaults, "steps": 1000, "threads": sides.THREADS}


def load(vtk, numpy_support, folder):
    return tracers.load_image(vtk, numpy_support, folder / "field.npy")


def run_side(folder, arguments):
    if arguments.side == "vtk":
        sides.run_vtk(load, folder, workload_of(arguments), arguments.points)
    else:
        sides.run_paraview(load, folder, arguments.side, workload_of(arguments), arguments.points)


def workload_name(arguments):
    return arguments.integrator + "-defaults" * arguments.defaults


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
        run_side(folder, arguments)
        return
    folder.mkdir(parents=True, exist_ok=True)
    tracers.make_field(folder / "field.npy", arguments.nodes)
    tracers.make_seeds(folder / "seeds.npy", arguments.nodes, arguments.seeds)
    options = ["--integrator", arguments.integrator] + ["--defaults"] * arguments.defaults
    columns = {"workload": workload_name(arguments), "nodes": arguments.nodes, "seeds": arguments.seeds}
    adaptive = arguments.integrator == "rk45"
    rows = sides.run_rounds(__file__, folder, arguments.rounds, options, columns,
                            lambda *lines_and_side: tracers.compare_lines(*lines_and_side, arguments.nodes, adaptive))
    path = folder / f"rows-{workload_name(arguments)}.csv"
    write_rows(path, rows)
    draw_rows("in_memory", [path])
    sides.report_ratios(rows)


if __name__ == "__main__":
    main()
