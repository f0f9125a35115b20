#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files of pathlines have the same bytes for all policies and any number of ranks.

    test_pathlines.py MPIEXEC [RANKS...]

Starts itself as the simulation, with a configuration.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

CELLS = 12  # along each axis of the domain
STEPS = 6
POLICIES = ("synchronous", "asynchronous", "static", "dynamic", "task")


def simulate(config):
    """A flow that turns about an axis, which moves; each rank has a slab."""
    import rivulet_insitu
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    first, end = CELLS * comm.rank // comm.size, CELLS * (comm.rank + 1) // comm.size
    z, y, x = np.meshgrid(np.arange(first, end + 1.0), *[np.arange(CELLS + 1.0)] * 2, indexing="ij")
    with rivulet_insitu.Session(config, comm, strict=True) as insitu:
        for step in range(STEPS):
            velocity = np.stack([5 - y, x - 6 + 0.2 * step, 0.3 * np.sin(x + z + step)], axis=-1)
            insitu.publish_field("flow", {"velocity": velocity}, origin=(0, 0, 0), spacing=(1, 1, 1), domain=(CELLS,) * 3,
                                 begin=(0, 0, first), centring="nodes")
            insitu.execute(step, 0.25 * step)


class Pathlines(unittest.TestCase):
    def files_of(self, policy, ranks):
        with tempfile.TemporaryDirectory() as folder:
            config = Path(folder, "insitu.json")
            seeds = {"line": [[3, 5, 2], [9, 5, 10]], "resolution": 7}
            analytics = [{"name": "pathlines", "options": seeds}]
            config.write_text(json.dumps({"policy": policy, "cores": 3, "analytics_threads": 1, "output": folder,
                                          "analytics": analytics}), encoding="ascii")
            done = subprocess.run([MPIEXEC, "-n", str(ranks), sys.executable, __file__, "simulate", str(config)],
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
            return {path.name: path.read_bytes() for path in sorted(Path(folder).glob("pathlines*"))}

    def test_bytes(self):
        expected = self.files_of("synchronous", 1)
        self.assertEqual(len(expected), STEPS + 1)
        self.assertIn(b"NumberOfLines=\"7\"", expected[f"pathlines-{STEPS - 1:08d}.vtp"])
        for ranks in RANKS:
            for policy in POLICIES:
                with self.subTest(policy=policy, ranks=ranks):
                    self.assertEqual(self.files_of(policy, ranks), expected)


if __name__ == "__main__":
    if sys.argv[1] == "simulate":
        simulate(sys.argv[2])
    else:
        MPIEXEC, RANKS = sys.argv[1], [int(ranks) for ranks in sys.argv[2:]]
        unittest.main(argv=sys.argv[:1])
