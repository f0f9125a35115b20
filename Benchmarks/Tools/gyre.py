# SPDX-License-Identifier: BSD-3-Clause
"""Flow maps of the double gyre by other programs. A process of unsteady.py.

Field: samples of the double gyre on a plane, linear in space and time between them, except for numbacs with cubic splines. Seeds:
the nodes of a lattice over the field's domain. The reference is this field's flow map, by Runge-Kutta 4 with steps so small that
halving them changes nothing that matters; the cells' faces and the samples' times, where the field has kinks, are the reason for
so many.

usage: gyre.py --side SIDE --folder FOLDER --threads 2
FOLDER holds input.npz: times, x, y, velocity [t, j, i, 2], lattice. Writes the positions to ends-SIDE.npy [j, i, 2].
"""

import argparse
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from turns import seconds_of, serve  # noqa: E402

TOLERANCE = 1e-6


def sampled(values, x, y, points):
    """Bilinear values [j, i, 2] at points [n, 2]."""
    along = [np.clip((points[:, axis] - at[0]) / (at[1] - at[0]), 0, len(at) - 1) for axis, at in enumerate((x, y))]
    (i, j) = (np.minimum(each.astype(int), len(at) - 2) for each, at in zip(along, (x, y)))
    a, b = (along[0] - i)[:, None], (along[1] - j)[:, None]
    below = values[j, i] * (1 - a) + values[j, i + 1] * a
    above = values[j + 1, i] * (1 - a) + values[j + 1, i + 1] * a
    return below * (1 - b) + above * b


def reference(given, points, steps):
    """Ends of paths, with so many steps between two samples in time."""
    x, y, velocity, times = (given[name] for name in ("x", "y", "velocity", "times"))
    step = (times[1] - times[0]) / steps
    for first, more in zip(velocity[:-1], np.diff(velocity, axis=0)):
        for number in range(steps):
            at = [first + share * more for share in np.array([number, number + 0.5, number + 1]) / steps]
            one = sampled(at[0], x, y, points)
            two = sampled(at[1], x, y, points + step / 2 * one)
            three = sampled(at[1], x, y, points + step / 2 * two)
            four = sampled(at[2], x, y, points + step * three)
            points = points + step / 6 * (one + 2 * two + 2 * three + four)
    return points


def lattice_axes(given):
    return [np.linspace(at[0], at[-1], count) for at, count in zip((given["x"], given["y"]), given["lattice"])]


def numbacs_side(given, threads, cubic):
    import importlib.metadata

    import numba
    from numbacs.flows import get_flow_2D, get_flow_linear_2D, get_interp_arrays_2D
    from numbacs.integration import flowmap_grid_2D

    numba.set_num_threads(threads)
    times, x, y = (np.ascontiguousarray(given[name]) for name in ("times", "x", "y"))
    u, v = (np.ascontiguousarray(given["velocity"][..., axis].transpose(0, 2, 1)) for axis in range(2))
    grid, *coefficients = get_interp_arrays_2D(times, x, y, u, v)
    used = coefficients if cubic else [u, v]
    flow = get_flow_2D(grid, *used) if cubic else get_flow_linear_2D(grid, *used)
    axes, duration = lattice_axes(given), times[-1] - times[0]

    def run():
        assert used  # the compiled flow holds addresses within these arrays
        forward = np.array([1.0])
        ends, seconds = seconds_of(lambda: flowmap_grid_2D(flow, times[0], duration, *axes, forward, rtol=TOLERANCE))
        return ends.transpose(1, 0, 2), seconds | {"version": f"numbacs {importlib.metadata.version('numbacs')}"}

    run()  # compiles
    return run


def pyftle_side(given, _):
    """Holds each sample's field until the next sample, with one step of Runge-Kutta 4 for each."""
    import importlib.metadata

    from pyftle.integrate import create_integrator
    from pyftle.interpolate import create_interpolator
    from pyftle.particles import NeighboringParticles

    x, y, times = (given[name] for name in ("x", "y", "times"))
    places = np.stack(np.meshgrid(x, y, indexing="ij"))
    flat = [np.ascontiguousarray(each.reshape(-1, 2).T) for each in given["velocity"]]
    nodes = np.stack(np.meshgrid(*lattice_axes(given)), -1).reshape(-1, 2)
    padded = np.concatenate([nodes, nodes[: -len(nodes) % 4]])  # it takes particles by four

    def trace():
        interpolator = create_interpolator("grid", grid_shape=(len(x), len(y)))
        integrator = create_integrator("rk4", interpolator)
        particles = NeighboringParticles(positions=padded.copy())
        for values, duration in zip(flat, np.diff(times)):
            interpolator.update(values, places.reshape(2, -1))
            integrator.integrate(duration, particles)
        return particles.positions[: len(nodes)]

    def run():
        ends, seconds = seconds_of(trace)
        facts = {"version": f"pyFTLE {importlib.metadata.version('pyftle')}", "threads": 1}
        return ends.reshape(*given["lattice"][::-1], 2), seconds | facts

    run()  # compiles
    return run


SIDES = {
    "numbacs": lambda given, threads: numbacs_side(given, threads, cubic=False),
    "numbacs-cubic": lambda given, threads: numbacs_side(given, threads, cubic=True),
    "pyftle": pyftle_side,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--side", choices=SIDES, required=True)
    parser.add_argument("--folder", type=pathlib.Path, required=True)
    parser.add_argument("--threads", type=int, required=True)
    arguments = parser.parse_args()
    given = dict(np.load(arguments.folder / "input.npz"))
    run = SIDES[arguments.side](given, arguments.threads)

    def measured():
        ends, row = run()
        np.save(arguments.folder / f"ends-{arguments.side}.npy", ends)
        return {"threads": arguments.threads, "paths": ends.shape[0] * ends.shape[1]} | row

    serve(measured)


if __name__ == "__main__":
    main()
