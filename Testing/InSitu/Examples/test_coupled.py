#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The bundled simulations with analytics beside them: what these saw is what the simulations computed.

    test_coupled.py LATTICE_BOLTZMANN MOLECULAR_DYNAMICS RIVULET MPIEXEC
"""

import csv
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import h5py
import numpy as np

FLOW, PARTICLES, RIVULET, MPIEXEC = (sys.argv.pop(1) for _ in range(4))
UUID = "00112233-4455-6677-8899-aabbccddeeff"


class Coupled(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = Path(scratch.name)

    def run_here(self, folder, *command):
        done = subprocess.run([str(word) for word in command], cwd=folder, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def run_ranks(self, ranks, name, analytics, *command):
        """The folder where so many ranks have run."""
        folder = self.scratch / f"{name}{ranks}"
        folder.mkdir()
        (folder / "insitu.json").write_text(json.dumps({"output": ".", "cores": 2, "analytics": analytics}), encoding="ascii")
        self.run_here(folder, MPIEXEC, "-n", ranks, *command, "--insitu", "insitu.json")
        return folder

    def flow(self, ranks):
        store = {"name": "store", "every": 20, "first": 20, "options": {"path": "flow.rvs", "uuid": UUID}}
        return self.run_ranks(ranks, "flow", [store], FLOW, "--size", 32, 16, 16, "--diameter", 4, "--reynolds", 20,
                              "--steps", 60, "--every", 20, "--quiet")

    def values(self, folder, *sources):
        """Values of all records: without the trailers, which name the file's identity."""
        self.run_here(folder, RIVULET, "convert", *sources, "values.rvf", "--force", "--quiet")
        with h5py.File(folder / "values.rvf") as file:
            bricks = file["variables/velocity/bricks"]
            records = np.stack([np.asarray(bricks[step]).view(np.uint8).reshape(-1, 12288) for step in sorted(bricks)])
            return file["times"][()].tolist(), records[:, :, :12000]

    def test_store_has_the_values_of_the_files_for_any_number_of_ranks(self):
        one = self.flow(1)
        times, stored = self.values(one, "flow.rvs")
        expected_times, expected = self.values(one, *sorted(path for path in (one / "wake").glob("velocity_*.bov")))
        self.assertEqual(times, expected_times)
        self.assertEqual(len(times), 3)
        self.assertTrue(np.array_equal(stored, expected))
        bytes_of = lambda folder: {path.name: path.read_bytes() for path in (folder / "flow.rvs").iterdir()}
        for ranks in (2, 16):  # with 16 the last rank has one plane, and no cells of its own
            self.assertEqual(bytes_of(self.flow(ranks)), bytes_of(one), ranks)

    def particles(self, ranks):
        analytics = [{"name": "histogram", "every": 20}, {"name": "statistics", "every": 20, "options": {"global": True}}]
        folder = self.run_ranks(ranks, "particles", analytics, PARTICLES, "--size", 8, 8, 8, "--steps", 20, "--every", 0)
        with open(folder / "statistics.csv", encoding="ascii") as file:
            return (folder / "histogram-00000020.csv").read_text(encoding="ascii"), list(csv.reader(file))

    def test_analytics_of_particles_agree_for_any_number_of_ranks(self):
        histogram, rows = self.particles(1)
        counts = [int(line.split(",")[2]) for line in histogram.splitlines()[2:]]
        self.assertEqual(sum(counts), 4 * 8**3)
        for ranks in (2, 4):
            other_histogram, other_rows = self.particles(ranks)
            self.assertEqual(other_histogram, histogram)
            self.assertEqual(len(other_rows), len(rows))
            for mine, theirs in zip(rows[1:], other_rows[1:]):
                self.assertEqual(mine[2], theirs[2])
                numbers = [np.array(row[:2] + row[3:], dtype=float) for row in (mine, theirs)]
                self.assertLess(np.abs(numbers[0] - numbers[1]).max(), 1e-9, mine[2])


if __name__ == "__main__":
    unittest.main()
