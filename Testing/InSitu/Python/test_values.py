#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Analytics get the values that a program in Python shows, bit by bit.

    test_values.py Packed|Strided MPIEXEC RANKS

Starts itself as the simulation, with the name of a case and a configuration. Fields fill one brick of a store, which is
read back from its file; particles are read back as text.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

CELLS = 9  # along each axis of the domain
ATOMS = 7  # of each rank
STEP, TIME = 3, 0.25
ORIGIN, SPACING = (1, -2, 3), (0.5, 0.25, 2)


# -------------------------------------------------------------------------------------------------------- values


def velocity_at_nodes():
    """[z, y, x, component] of the whole domain."""
    return np.random.default_rng(1).standard_normal((CELLS + 1,) * 3 + (3,)).astype(np.float32)


def pressure_of_cells():
    return np.random.default_rng(2).standard_normal((CELLS,) * 3)


def atoms(rank):
    """Positions and velocities of a rank, [n, component] each."""
    return np.random.default_rng(10 + rank).standard_normal((2, ATOMS, 3))


def slab(comm):
    """First layer of cells of this rank, and the one after the last."""
    return CELLS * comm.rank // comm.size, CELLS * (comm.rank + 1) // comm.size


def with_ghosts(comm, below, above):
    """This rank's pressure with layers around it that no analytics may take for cells."""
    first, end = slab(comm)
    own = pressure_of_cells()[first:end]
    return np.pad(own, [(low, high) for low, high in zip(below[::-1], above[::-1])], constant_values=np.nan)


# -------------------------------------------------------------------------------------------- the simulation's cases


def field(insitu, comm, values, centring, **more):
    insitu.publish_field("flow", values, origin=ORIGIN, spacing=SPACING, domain=(CELLS,) * 3, begin=(0, 0, slab(comm)[0]),
                         centring=centring, **more)


def nodes_of(comm):
    first, end = slab(comm)
    return velocity_at_nodes()[first : end + 1]


def nodes(insitu, comm):
    field(insitu, comm, {"velocity": nodes_of(comm)}, "nodes")


def nodes_in_separate_arrays(insitu, comm):
    field(insitu, comm, {"velocity": tuple(np.ascontiguousarray(nodes_of(comm)[..., c]) for c in range(3))}, "nodes")


def nodes_with_components_last(insitu, comm):
    components_first = np.ascontiguousarray(np.moveaxis(nodes_of(comm), -1, 0))
    field(insitu, comm, {"velocity": np.moveaxis(components_first, 0, -1)}, "nodes")


def nodes_in_structures(insitu, comm):
    values = nodes_of(comm)
    state = np.zeros(values.shape[:3], np.dtype([("density", "f8"), ("velocity", "f4", 3)], align=True))
    state["velocity"] = values
    field(insitu, comm, {"velocity": state["velocity"]}, "nodes")


def cells(insitu, comm):
    field(insitu, comm, {"pressure": with_ghosts(comm, (0, 1, 2), (0, 1, 2))}, "cells", ghosts=(0, 1, 2))


def cells_with_ghosts_below(insitu, comm):
    field(insitu, comm, {"pressure": with_ghosts(comm, (1, 0, 1), (0, 0, 2))}, "cells", ghosts=(1, 0, 1), ghosts_above=(0, 0, 2))


def cells_of_some_ranks(insitu, comm):
    """The last rank alone has cells; the others have arrays without layers."""
    whole = comm.rank + 1 == comm.size
    values = pressure_of_cells() if whole else np.zeros((0, CELLS, CELLS))
    insitu.publish_field("flow", {"pressure": values}, origin=ORIGIN, spacing=SPACING, domain=(CELLS,) * 3)


def particles(insitu, comm):
    positions, velocities = atoms(comm.rank)
    insitu.publish_particles("atoms", tuple(np.ascontiguousarray(positions.T)),
                             velocities=tuple(np.ascontiguousarray(velocities.T)), ids=np.arange(ATOMS) + 100 * comm.rank,
                             types=np.full(ATOMS, comm.rank, np.int32))


def particles_in_structures(insitu, comm):
    kind = np.dtype([("x", "f8", 3), ("v", "f8", 3), ("id", "i8"), ("type", "i4")], align=True)
    all_of_them = np.zeros(ATOMS, kind)
    all_of_them["x"], all_of_them["v"] = atoms(comm.rank)
    all_of_them["id"], all_of_them["type"] = np.arange(ATOMS) + 100 * comm.rank, comm.rank
    insitu.publish_particles("atoms", all_of_them["x"], velocities=all_of_them["v"], ids=all_of_them["id"],
                             types=all_of_them["type"])


def particles_in_single_precision(insitu, comm):
    positions, velocities = atoms(comm.rank).astype(np.float32)
    insitu.publish_particles("atoms", positions, velocities=velocities)


def mesh_beside_a_field(insitu, comm):
    tetrahedron = np.array([10], np.uint8), np.array([0, 4]), np.arange(4)
    assert insitu.wants(STEP, "flow", "velocity") and insitu.wants(STEP, "flow") and not insitu.wants(STEP + 1, "flow")
    insitu.publish_mesh("wing", np.eye(4, 3), tetrahedron, at_points={"p": np.arange(4.0)})
    nodes(insitu, comm)


def simulate(case, config):
    import rivulet_insitu
    from mpi4py import MPI

    with rivulet_insitu.Session(config, MPI.COMM_WORLD, strict=True) as insitu:
        assert insitu.active and not insitu.wants(STEP + 1) and insitu.wants(STEP)
        globals()[case](insitu, MPI.COMM_WORLD)
        insitu.execute(STEP, TIME)
    assert not insitu.active


# ------------------------------------------------------------------------------------------------------- the checks


class Values(unittest.TestCase):
    def run_case(self, case, analytics):
        """The output folder where the ranks have run."""
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        for policy in ("synchronous", "dynamic"):
            folder = Path(scratch.name, policy)
            folder.mkdir()
            config = folder / "insitu.json"
            config.write_text(json.dumps({"policy": policy, "cores": 2, "output": str(folder),
                                          "analytics": [{"every": 10, "first": STEP, **analytics}]}), encoding="ascii")
            done = subprocess.run([MPIEXEC, "-n", str(RANKS), sys.executable, __file__, "simulate", case, str(config)],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100, check=False)
            self.assertEqual(done.returncode, 0, f"{case}: {done.stdout}")
            yield folder

    def check_field(self, case, variable, expected):
        import h5py

        for folder in self.run_case(case, {"name": "store", "options": {"path": "flow.rvs", "variables": [variable]}}):
            with h5py.File(folder / "flow.rvs" / "step-00000000.rvf") as file:
                self.assertEqual(file["times"][()].tolist(), [TIME])
                grid, stored = file["grid"].attrs, file[f"variables/{variable}"]
                self.assertEqual([grid["origin"].tolist(), grid["spacing"].tolist()], [list(ORIGIN), list(SPACING)])
                record = stored["bricks/0"][0][: stored.attrs["payload_bytes"]]
            self.assertEqual(record.tobytes(), expected.tobytes(), case)

    def check_particles(self, case, precision=np.float64, tags=True):
        for folder in self.run_case(case, {"name": "write_dat", "options": {"velocities": True}}):
            for rank in range(RANKS):
                (file,) = folder.glob(f"write_dat.*{rank}-*.dat")
                rows = np.loadtxt(file, ndmin=2)
                numbers = np.concatenate(atoms(rank).astype(precision), axis=1).astype(np.float64)
                if tags:
                    numbers = np.column_stack([np.arange(ATOMS) + 100 * rank, np.full(ATOMS, rank), numbers])
                self.assertEqual(rows.tolist(), numbers.tolist(), case)


class Packed(Values):
    def test_nodes(self):
        self.check_field("nodes", "velocity", velocity_at_nodes())

    def test_cells(self):
        self.check_field("cells", "pressure", pressure_of_cells())
        self.check_field("cells_of_some_ranks", "pressure", pressure_of_cells())

    def test_particles(self):
        self.check_particles("particles")


class Strided(Values):
    def test_nodes(self):
        for case in ("nodes_in_separate_arrays", "nodes_with_components_last", "nodes_in_structures"):
            self.check_field(case, "velocity", velocity_at_nodes())

    def test_cells(self):
        self.check_field("cells_with_ghosts_below", "pressure", pressure_of_cells())

    def test_particles(self):
        self.check_particles("particles_in_structures")
        self.check_particles("particles_in_single_precision", np.float32, tags=False)

    def test_mesh(self):
        self.check_field("mesh_beside_a_field", "velocity", velocity_at_nodes())


if __name__ == "__main__":
    if sys.argv[1] == "simulate":
        simulate(*sys.argv[2:])
    else:
        MPIEXEC, RANKS = sys.argv[2], int(sys.argv[3])
        unittest.main(argv=sys.argv[:2])
