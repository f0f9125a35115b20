# SPDX-License-Identifier: BSD-3-Clause
"""Parts of unsteady.py about streak surfaces: their inputs, the sides that take turns, and what their rows say.

    with contextlib.ExitStack() as stack:
        sides = surfaces(stack, arguments)   # {name: function that runs once and returns a row, or several}
    report_surfaces(rows)
"""

import os
import pathlib
import statistics

import built
import numpy as np
from rows import summary
from streaking import OF_A_FRAME, make_input
from turns import Turns

TOOLS = pathlib.Path(__file__).parent
THREADS = 2
EDGES = [0.4, 0.2, 0.1, 0.05, 0.025]  # largest, adaptive
LEVELS = [0, 1, 2, 3, 4]  # dense
FINER = 9  # times shorter are the reference's edges: it has 16 times as many triangles as any of these, or more
ANIMATED = 0.05  # largest edge of the animation
ANIMATED_LEVEL = 2  # of the dense one, which has as many triangles as the adaptive one to a factor of two
WAYS = ["bricks", "steps", "two steps"]  # to the time steps: as bricks, all held, two held


def input_of(arguments):
    """Folder with 51 x 51 points across, 101 along and 41 steps."""
    folder = arguments.out / "surfaces"
    folder.mkdir(exist_ok=True)
    nodes, steps = (11, 9) if arguments.quick else (51, 41)
    make_input(folder, built.program("rivulet"), nodes, steps)
    return folder


def process_of(folder, part, setting, *options):
    environment = dict(os.environ, RIVULET_PLUGIN=built.plugin())
    command = ["pvpython", TOOLS / "streaking.py", "--folder", folder, "--threads", THREADS, "--part", part, "--setting", setting]
    return Turns([*command, *options], environment)


def surfaces(stack, arguments):
    """Sides: adaptive by the largest edge, and dense by the level. Each is compared with the reference before it is timed."""
    folder = input_of(arguments)
    edges, levels = ([0.4, 0.2], [0, 1]) if arguments.quick else (EDGES, LEVELS)
    with process_of(folder, "reference", min(edges) / FINER) as process:
        reference = process.turn()
    print(f"  reference: {reference['triangles']} triangles, {reference['seconds']:.0f} s", flush=True)
    sides = {}
    for sampling, settings in (("Adaptive", edges), ("Dense", levels)):
        for setting in settings:
            process = stack.enter_context(process_of(folder, "surfaces", setting, "--sampling", sampling))
            first = process.turn()  # compares
            most = reference["triangles"] / 16
            assert first["triangles"] <= most, f"the reference has only {reference['triangles']} triangles, not 16 times {first['triangles']}"
            sides[f"{sampling.lower()} {setting:g}"] = lambda process=process, setting=setting: process.turn() | {"setting": setting}
    return sides


def frames(stack, arguments):
    """Sides: ways to the time steps, and a surface that is not refined. A turn is an animation, with rows of some of its frames."""
    folder = input_of(arguments)
    edge = 0.2 if arguments.quick else ANIMATED
    sides = {}
    for way in WAYS:
        process = stack.enter_context(process_of(folder, "frames", edge, "--way", way))
        sides[way] = lambda process=process: [row | {"setting": edge} for row in process.turn()["rows"]]
    level = 1 if arguments.quick else ANIMATED_LEVEL
    process = stack.enter_context(process_of(folder, "frames", level, "--way", "steps", "--sampling", "Dense"))
    sides["dense"] = lambda: [row | {"setting": level} for row in process.turn()["rows"]]
    return sides


# ---------------------------------------------------------------------------------------------------------------- reports


def by_side(rows):
    found = {}
    for row in rows:
        found.setdefault(row["side"], []).append(row)
    return found


def at_same(quantity, adaptive, dense, value):
    """Medians of a dense surface's `value` where it would have the `quantity` of an adaptive one, and the adaptive one's: between
    two levels both go as powers of each other. None outside the levels."""
    curve = sorted((np.log(row[quantity]), np.log(row[value])) for row in dense)
    at = np.log(adaptive[quantity])
    if not curve[0][0] <= at <= curve[-1][0]:
        return None
    return float(np.exp(np.interp(at, *zip(*curve)))) / adaptive[value]


def medians(rows):
    """A row with the median of each number."""
    numbers = [name for name, value in rows[0].items() if isinstance(value, (int, float)) and not isinstance(value, bool)]
    return rows[0] | {name: statistics.median(row[name] for row in rows) for name in numbers}


def report_surfaces(rows):
    """What dense sampling takes beside adaptive sampling where both have the same distance, or the same longest edge."""
    sides = {side: medians(its) for side, its in by_side(rows).items()}
    dense = [row for side, row in sides.items() if side.startswith("dense")]
    for side, row in sides.items():
        print(f"surfaces: {side}: {row['triangles']:.0f} triangles, {row['paths']:.0f} vertices, {row['steps']:.0f} steps, "
              f"{row['processor_seconds']:.3f} s of processors, edges up to {row['longest_edge']:.3g}, "
              f"distance {row['mean_distance']:.2g} and back {row['back_distance']:.2g}, largest {row['hausdorff']:.2g}")  # fmt: skip
        for quantity in ("longest_edge", "mean_distance", "hausdorff"):
            if side.startswith("adaptive"):
                ratios = {value: at_same(quantity, row, dense, value) for value in ("paths", "steps", "processor_seconds")}
                told = ", ".join(f"{value} {ratio:.3g}" for value, ratio in ratios.items() if ratio)
                print(f"surfaces: dense / {side} at the same {quantity}: {told or 'beyond the levels'}")


def report_frames(rows):
    """What the next frame takes of a frame that is begun anew."""
    for side, its in by_side(rows).items():
        for name in OF_A_FRAME:
            shares = {}
            for row in its:
                if row[f"anew_{name}"]:
                    shares.setdefault(row["frame"], []).append(row[name] / row[f"anew_{name}"])
            if shares:
                told = ", ".join(f"{frame}: {statistics.median(each):.3g}" for frame, each in shares.items())
                print(f"frames: {side}, {name} of the next frame / begun anew, by frame: {told}; last frame {summary(shares[max(shares)])}")
