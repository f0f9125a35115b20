# SPDX-License-Identifier: BSD-3-Clause
"""How fast are pathlines and flow maps of fields that change with time, in memory and out of core?

rotation    Rotation whose rate changes, 96^3 float32 x 20 dumps in memory, 20 000 particles, Runge-Kutta 4 with two steps from
            dump to dump, positions at the last dump: Rivulet Path Tracer, vtkParticleTracer of the VTK wheel, and Parcels.
            Interpolation adds no error, so that the error against the closed form is that of the integration.
rotation-4  The same with four times the time between dumps.
curvilinear The same as rotation on a curvilinear grid, whose points lie up to 0.32 of a cell off the lattice's: Rivulet Path Tracer
            and vtkParticleTracer, and both on a grid whose points move from dump to dump.
cells       The same as curvilinear with 1.3 million tetrahedra on 61^3 points.
streaks     The same as rotation with a tenth of the seeds, which release a particle at each dump: Rivulet Path Tracer and
            vtkStreaklineFilter. Compared are the particles, not the lines.
gyre        Flow map of the double gyre, 201 x 101 x 21 samples, from 401 x 201 nodes, for a time of 10: Rivulet, numbacs with linear
            interpolation and with splines, and pyFTLE. Errors are against the field that linear interpolation makes of the samples.
outofcore   Pathlines of 10 000 particles through 50 time steps of 8 GB together, cold, in a memory cgroup of a twentieth of that.
exponents   Lyapunov exponents on 256^3 nodes over 10 intervals in a memory cgroup of 512 MiB, beside end states alone. Rows of the
            side "filter" need Rivulet FTLE in the plugin; the others are the library's.
surfaces    Streak surface in the gyre that leans, 101 x 51 x 51 float32 x 41 steps, by Rivulet Streak Surface: adaptive
            by the largest edge, dense by the level, and how far each is from one of 16 times as many triangles.
frames      The same, adaptive, in an animation of 40 frames: the next frame, and the same one begun anew, with the steps as bricks,
            step by step, and step by step with room for two steps; and dense, step by step. The bytes of both are the same.

In a round the sides take turns, each in a process that stays. All have two threads, but Parcels and pyFTLE, which have one: compare
processor seconds. Results are compared with a closed form or a reference of high accuracy in every run.

usage: unsteady.py [--only PART...] [--rounds 7] [--out FOLDER] [--size 8e9] [--quick]
Opponents come from the package index into environments of their own, once; those that cannot be installed are left out. Parcels
needs gcc; numbacs needs gfortran. outofcore and exponents need root (cgroup), outofcore fio, too.
"""

import argparse
import contextlib
import pathlib
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Tools"))
import built  # noqa: E402
import unsteady_files  # noqa: E402
import unsteady_memory  # noqa: E402
import unsteady_surfaces  # noqa: E402
from pictures import draw_rows  # noqa: E402
from rows import summary, write_rows  # noqa: E402

PARTS = {
    "rotation": unsteady_memory.rotation,
    "rotation-4": unsteady_memory.rotation_apart,
    "curvilinear": unsteady_memory.rotation_on("bent", "moving"),
    "cells": unsteady_memory.rotation_on("cells", "moving-cells"),
    "streaks": unsteady_memory.streaks,
    "gyre": unsteady_memory.gyre,
    "outofcore": unsteady_files.out_of_core,
    "exponents": unsteady_files.exponents,
    "surfaces": unsteady_surfaces.surfaces,
    "frames": unsteady_surfaces.frames,
}
REPORTS = {"surfaces": unsteady_surfaces.report_surfaces, "frames": unsteady_surfaces.report_frames}
COLUMNS = ["part", "round", "side", "version", "threads", "paths", "steps", "seconds", "processor_seconds", "error",
           "median_error", "largest_error", "floor", "bricks", "bricks_read", "device_bytes", "peak_bytes", "stall_seconds",
           "largest_rss_mib", "void", "setting", "triangles", "started", "longest_edge", "mean_distance", "back_distance", "hausdorff",
           "frame", "requests", "anew_seconds", "anew_processor_seconds", "anew_steps", "anew_requests",
           "anew_bricks_read"]  # fmt: skip


def measure(part, arguments):
    """Rows of a part: its sides take turns in each round."""
    rows = []
    with contextlib.ExitStack() as stack:
        sides = PARTS[part](stack, arguments)
        for number in range(arguments.rounds):
            for name, turn in sides.items():
                answer = turn()
                for row in answer if isinstance(answer, list) else [answer]:
                    row = {"part": part, "round": number, "side": name} | row
                    row = dict.fromkeys(COLUMNS) | {key: value for key, value in row.items() if key in COLUMNS}
                    rows.append(row)
                    show(row)
    return rows


def show(row):
    text = f"  {row['part']:10} {row['round']:2} {row['side']:14} {row['seconds']:8.3f} s  {row['processor_seconds']:8.3f} s of processors"
    if row["steps"]:
        text += f"  {row['steps'] / row['processor_seconds'] / 1e6:6.2f} M steps/s"
    text += f"  {row['paths'] / row['processor_seconds'] / 1e3:8.1f} k paths/s"
    text += f"  error {row['error']:.2g}" if row["error"] is not None else ""
    text += f"  {row['seconds'] / row['floor']:.2f} of the limit" if row["floor"] else ""
    print(text + "  VOID" * bool(row["void"]), flush=True)


def report(rows):
    for part in dict.fromkeys(row["part"] for row in rows):
        mine = {}
        for row in rows:
            if row["part"] == part and not row["void"]:
                mine.setdefault(row["side"], []).append(row)
        if part in REPORTS:
            REPORTS[part]([row for its in mine.values() for row in its])
            continue
        first, *others = mine
        for side in others:
            for quantity in ("processor_seconds", "seconds"):
                ratios = [theirs[quantity] / theirs["paths"] / (own[quantity] / own["paths"])
                          for own, theirs in zip(mine[first], mine[side])]  # fmt: skip
                print(f"{part}: {side} / {first}, {quantity}: {summary(ratios)}")
        for side, its in mine.items():
            if its[0]["floor"]:
                read = statistics.median(row["bricks_read"] / row["bricks"] for row in its)
                print(f"{part}: {side}, {summary([row['seconds'] / row['floor'] for row in its])} of what the device needs, "
                      f"{read:.3f} reads of a brick")  # fmt: skip


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--size", type=float, default=8e9, help="bytes of the field of outofcore")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("out/bench/unsteady"))
    parser.add_argument("--quick", action="store_true", help="small fields, once, without opponents: to try the benchmark itself")
    arguments = parser.parse_args()
    if arguments.quick:
        arguments.rounds, arguments.size = 1, 2e7
    arguments.out = arguments.out.resolve()
    return arguments


def main():
    arguments = parsed_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    rows = []
    for part in arguments.only:
        try:
            rows += measure(part, arguments)
        except unsteady_files.Unavailable as error:
            print(f"left out: {part}: {error}")
    if not rows:
        built.skip("no part of unsteady can be run here")
    path = arguments.out / "rows.csv"
    write_rows(path, rows)
    report(rows)
    draw_rows("unsteady", [path])


if __name__ == "__main__":
    main()
