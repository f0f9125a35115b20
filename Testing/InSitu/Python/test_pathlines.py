#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files of pathlines have the same bytes for all policies and any number of ranks, and after a restart.

    test_pathlines.py MPIEXEC [RANKS...]

Starts itself as the simulation, with a configuration, a first step, and a step after which it is killed (-1: none).
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

CELLS = 12  # along each axis of the domain
STEPS = 6
POLICIES = ("synchronous", "asynchronous", "static", "dynamic", "task")


def simulate(config, begin, killed):
    """A flow that turns about an axis, which moves; each rank has a slab."""
    import rivulet_insitu
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    first, end = CELLS * comm.rank // comm.size, CELLS * (comm.rank + 1) // comm.size
    z, y, x = np.meshgrid(np.arange(first, end + 1.0), *[np.arange(CELLS + 1.0)] * 2, indexing="ij")
    with rivulet_insitu.Session(config, comm, strict=True) as insitu:
        for step in range(begin, STEPS):
            velocity = np.stack([5 - y, x - 6 + 0.2 * step, 0.3 * np.sin(x + z + step)], axis=-1)
            insitu.publish_field("flow", {"velocity": velocity}, origin=(0, 0, 0), spacing=(1, 1, 1), domain=(CELLS,) * 3,
                                 begin=(0, 0, first), centring="nodes")
            insitu.execute(step, 0.25 * step)
            if step == killed:
                os.kill(os.getpid(), signal.SIGKILL)


class Pathlines(unittest.TestCase):
    def run_in(self, folder, policy, ranks, begin=0, killed=-1):
        config = Path(folder, "insitu.json")
        seeds = {"line": [[3, 5, 2], [9, 5, 10]], "resolution": 7}
        analytics = [{"name": "pathlines", "options": seeds}]
        config.write_text(json.dumps({"policy": policy, "cores": 3, "analytics_threads": 1, "output": folder,
                                      "analytics": analytics}), encoding="ascii")
        done = subprocess.run([MPIEXEC, "-n", str(ranks), sys.executable, __file__, "simulate", str(config), str(begin),
                               str(killed)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100, check=False)
        self.assertEqual(done.returncode == 0, killed < 0, done.stdout)
        return {path.name: path.read_bytes() for path in sorted(Path(folder).glob("pathlines*"))}

    def files_of(self, policy, ranks):
        with tempfile.TemporaryDirectory() as folder:
            return self.run_in(folder, policy, ranks)

    def test_bytes(self):
        expected = self.files_of("synchronous", 1)
        self.assertEqual(len(expected), STEPS + 3)  # the list, and two states
        self.assertIn(b"NumberOfLines=\"7\"", expected[f"pathlines-{STEPS - 1:08d}.vtp"])
        for ranks in RANKS:
            for policy in POLICIES:
                with self.subTest(policy=policy, ranks=ranks):
                    self.assertEqual(self.files_of(policy, ranks), expected)

    def test_restart(self):
        expected = self.files_of("synchronous", 1)
        for ranks in RANKS:
            for policy, killed in (("synchronous", 3), ("dynamic", 4)):
                with self.subTest(policy=policy, ranks=ranks), tempfile.TemporaryDirectory() as folder:
                    left = self.run_in(folder, policy, ranks, killed=killed)
                    states = [int(name[10:18]) for name in left if name.endswith(".state")]
                    others = 1 if ranks > 1 else 2  # ranks of the run that goes on
                    self.assertEqual(self.run_in(folder, policy, others, begin=max(states, default=0)), expected)


if __name__ == "__main__":
    if sys.argv[1] == "simulate":
        simulate(sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
    else:
        MPIEXEC, RANKS = sys.argv[1], [int(ranks) for ranks in sys.argv[2:]]
        unittest.main(argv=sys.argv[:1])
