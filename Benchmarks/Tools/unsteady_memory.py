# SPDX-License-Identifier: BSD-3-Clause
"""Parts of unsteady.py with fields in memory: their inputs, and the sides that take turns.

    with contextlib.ExitStack() as stack:
        sides = rotation(stack, arguments)   # {name: function that runs once and returns a row}
"""

import os
import pathlib
import subprocess

import built
import gyre as gyres
import numpy as np
import tracers
import turning
from peers import peer_python
from turns import Turns

TOOLS = pathlib.Path(__file__).parent
THREADS = 2
DUMPS = 20
CHECKED = 2000  # nodes of the lattice with a reference
REFERENCE_STEPS = 1000  # from sample to sample


def opponents(arguments, **pythons):
    """Pythons of the opponents that can be had; says which cannot."""
    found = {}
    for side, python_of in pythons.items():
        if arguments.quick:
            continue
        found[side], why_not = python_of()
        if not found[side]:
            print(f"left out: {side}: {why_not}")
            del found[side]
    return found


def parcels_python():
    return peer_python("parcels-3.1.4", "parcels==3.1.4")


def numbacs_python():
    return peer_python("numbacs-0.2.0", "numbacs==0.2.0", "packaging")


def pyftle_python():
    return peer_python("pyftle-1.0.3", "pyftle==1.0.3")


# --------------------------------------------------------------------------------------------------------------- rotation


def turning_sides(stack, arguments, others, spacing, nodes, seeds, streaks=False, mesh="lattice"):
    folder = arguments.out / ("streaks" if streaks else "rotation")
    folder.mkdir(exist_ok=True)
    turning.make_input(folder, nodes, seeds)
    environment = dict(os.environ, RIVULET_PLUGIN=built.plugin(), VTK_SMP_BACKEND_IN_USE="STDThread")
    pythons = {"rivulet": "pvpython"} | opponents(arguments, **others)
    sides = {}
    for side, python in pythons.items():
        command = [python, TOOLS / "turning.py", "--side", side, "--folder", folder, "--dumps", DUMPS, "--spacing", spacing]
        command += ["--threads", THREADS, "--mesh", mesh] + ["--streaks"] * streaks
        process = stack.enter_context(Turns(command, environment))
        paths = seeds * (DUMPS if streaks else 1)
        process.turn()  # memory of the results is touched, and code compiled
        sides[side] = lambda process=process, side=side: checked_turn(process, side, spacing, paths, mesh, nodes)
    return sides


def checked_turn(process, side, spacing, paths, mesh, nodes):
    """Runge-Kutta 4 with steps of half the spacing has this error or less; the opponents' is reported.

    Where nodes move, interpolation adds an error, in proportion to a cell: the rate and the nodes change together.
    """
    row = process.turn()
    most = 0.005 / nodes if mesh.startswith("moving") else 1e-6 if spacing <= 1 else 2e-4
    assert side != "rivulet" or row["error"] < most, f"{side}: an error of {row['error']}"
    return row | {"paths": paths}


def rotation(stack, arguments, spacing=1.0):
    others = {"vtk": tracers.wheel_python, "parcels": parcels_python}
    nodes, seeds = (32, 500) if arguments.quick else (96, 20000)
    return turning_sides(stack, arguments, others, spacing, nodes, seeds)


def rotation_apart(stack, arguments):
    return rotation(stack, arguments, spacing=4.0)


def rotation_on(mesh, moving):
    """A part with a mesh that stays and one that moves: the sides of the second are named after it."""
    def part(stack, arguments):
        nodes, seeds = (32, 500) if arguments.quick else (96 if mesh == "bent" else 61, 20000)
        others = {"vtk": tracers.wheel_python}
        sides = turning_sides(stack, arguments, others, 1.0, nodes, seeds, mesh=mesh)
        moved = turning_sides(stack, arguments, others, 1.0, nodes, seeds, mesh=moving)
        return sides | {f"{side}-moving": turn for side, turn in moved.items()}

    return part


def streaks(stack, arguments):
    nodes, seeds = (32, 50) if arguments.quick else (96, 2000)
    return turning_sides(stack, arguments, {"vtk": tracers.wheel_python}, 1.0, nodes, seeds, streaks=True)


# ------------------------------------------------------------------------------------------------------------------- gyre

LATTICE = [401, 201]
SAMPLES = {"dims": [201, 101], "times": 21, "time_step": 0.5}
RIVULET = {  # side: integrator and its steps, in time
    "rivulet": ["--integrator", 1, "--step", 1 / 6],
    "rivulet-rk45": ["--integrator", 2, "--step", 0.25, "--smallest-step", 1e-3, "--largest-step", 0.5, "--error", 1e-5],
}


def make_gyre(folder):
    """Samples as BOV files for Rivulet, and as arrays with the same values for the others."""
    folder.mkdir(exist_ok=True)
    x, y = SAMPLES["dims"]
    command = [built.program("rivulet"), "generate", "double-gyre", folder / "gyre.bov", "--dims", f"{x},{y},1", "--float64"]
    command += ["--steps", SAMPLES["times"], "--dt", SAMPLES["time_step"], "--force", "--quiet"]
    subprocess.run([str(word) for word in command], check=True)
    values = [np.fromfile(path).reshape(y, x, 3)[..., :2] for path in sorted(folder.glob("gyre_*.raw"))]
    given = {"times": SAMPLES["time_step"] * np.arange(SAMPLES["times"]), "x": np.linspace(0, 2, x), "y": np.linspace(0, 1, y)}
    given |= {"velocity": np.stack(values), "lattice": np.array(LATTICE)}
    np.savez(folder / "input.npz", **given)
    return given


class Reference:
    """Errors against the reference at some nodes of the lattice, which are the same in all runs."""

    def __init__(self, given, steps):
        nodes = np.stack(np.meshgrid(*gyres.lattice_axes(given)), -1).reshape(-1, 2)
        self.nodes = np.random.default_rng(3).choice(len(nodes), CHECKED, replace=False)
        halves, self.ends = (gyres.reference(given, nodes[self.nodes], each) for each in (steps // 2, steps))
        self.doubt = self.rms(self.ends - halves)

    @staticmethod
    def rms(difference):
        return float(np.sqrt(np.mean(np.sum(difference**2, axis=-1))))

    def errors(self, ends):
        difference = ends.reshape(-1, ends.shape[-1])[self.nodes, :2] - self.ends
        distance = np.linalg.norm(difference, axis=-1)
        return {"error": self.rms(difference), "median_error": float(np.median(distance)), "largest_error": float(distance.max())}


def rivulet_turn(process, ends, reference):
    row = process.turn() | {"threads": THREADS}
    row |= reference.errors(np.fromfile(ends)[-3 * LATTICE[0] * LATTICE[1] :].reshape(-1, 3))
    assert row["error"] < 3e-4 and row["median_error"] < 3e-5, f"errors of {row['error']}, {row['median_error']}"
    return row


def gyre(stack, arguments):
    folder = arguments.out / "gyre"
    given = make_gyre(folder)
    reference = Reference(given, 64 if arguments.quick else REFERENCE_STEPS)
    print(f"  reference: half the steps differ by {reference.doubt:.2g}", flush=True)
    sides = {}
    for side, integrator in RIVULET.items():
        ends = folder / f"ends-{side}.bin"
        command = [built.program("trace_in_time"), *sorted(folder.glob("gyre_*.bov")), "--threads", THREADS, "--turns"]
        command += ["--lattice", f"{LATTICE[0]},{LATTICE[1]},1", "--bounds", 0, 2, 0, 1, 0.5, 0.5, "--ends", ends, *integrator]
        process = stack.enter_context(Turns(command))
        process.turn()
        sides[side] = lambda process=process, ends=ends: rivulet_turn(process, ends, reference)
    others = {"numbacs": numbacs_python, "numbacs-cubic": numbacs_python, "pyftle": pyftle_python}
    for side, python in opponents(arguments, **others).items():
        command = [python, TOOLS / "gyre.py", "--side", side, "--folder", folder, "--threads", THREADS]
        process = stack.enter_context(Turns(command))
        ends = folder / f"ends-{side}.npy"
        sides[side] = lambda process=process, ends=ends: process.turn() | reference.errors(np.load(ends))
    return sides
