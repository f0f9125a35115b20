#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The program lattice_boltzmann, from its command line to its files: test_program.py PROGRAM MPIEXEC"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

MPIEXEC = sys.argv.pop(2)
PROGRAM = sys.argv.pop(1)


def header(path):
    return dict(line.split(": ", 1) for line in path.read_text(encoding="ascii").splitlines())


class Program(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.out = Path(folder.name) / "wake"

    def run_program(self, *options, diameter=4, ranks=0):
        command = [MPIEXEC, "-n", str(ranks)] if ranks else []
        command += [PROGRAM, "--size", "32", "16", "16", "--diameter", str(diameter), "--reynolds", "20"]
        command += ["--out", str(self.out)]
        return subprocess.run(command + list(options), capture_output=True, text=True, check=False)

    def test_writes_each_output_and_the_last(self):
        done = self.run_program("--steps", "100", "--every", "40")
        self.assertEqual(done.returncode, 0, done.stderr)
        names = sorted(path.name for path in self.out.glob("*.bov"))
        self.assertEqual(names, [f"velocity_{step:08}.bov" for step in (40, 80, 100)])
        self.assertEqual(len(list((self.out / "density").glob("*.bov"))), 3)

    def test_header_describes_the_raw_file(self):
        self.run_program("--steps", "10")
        lines = header(self.out / "velocity_00000010.bov")
        self.assertEqual(lines["DATA_SIZE"], "32 16 16")
        self.assertEqual(lines["DATA_COMPONENTS"], "3")
        self.assertEqual((self.out / lines["DATA_FILE"]).stat().st_size, 32 * 16 * 16 * 12)

    def test_reports_rate_and_time_left(self):
        done = self.run_program("--steps", "10")
        self.assertIn("MLUPS", done.stderr)
        self.assertIn("s left", done.stderr)
        self.assertEqual(self.run_program("--steps", "10", "--quiet").stderr, "")

    def test_files_are_the_same_for_any_threads_and_ranks(self):
        def files(*options, ranks=0):
            done = self.run_program("--steps", "40", "--every", "20", *options, ranks=ranks)
            self.assertEqual(done.returncode, 0, done.stderr)
            return {path.name: path.read_bytes() for path in self.out.rglob("*") if path.is_file()}

        expected = files("--threads", "1")
        self.assertEqual(len(expected), 8)
        self.assertEqual(files("--threads", "2"), expected)
        self.assertEqual(files("--threads", "1", ranks=3), expected)

    def test_ranks_stop_together(self):
        self.out.parent.mkdir(exist_ok=True)
        self.out.mkdir()
        (self.out / "density").mkdir()
        (self.out / "velocity_00000010.raw").mkdir()  # where a file should be
        done = self.run_program("--steps", "10", ranks=2)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertEqual(done.stderr.count("cannot be written"), 1, done.stderr)
        done = self.run_program("--steps", "10", diameter=20, ranks=2)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("must hold the sphere"), 1, done.stderr)

    def test_stops_when_its_time_is_up(self):
        done = self.run_program("--steps", "1000000000", "--seconds", "0.2", "--every", "1000000000")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(list(self.out.glob("*.bov"))), 1)

    def test_refuses_a_box_that_cannot_hold_the_sphere(self):
        done = self.run_program(diameter=20)
        self.assertEqual(done.returncode, 1)
        self.assertIn("must hold the sphere", done.stderr)

    def test_says_when_it_cannot_write(self):
        self.out.parent.mkdir(exist_ok=True)
        self.out.write_text("a file in the way", encoding="ascii")
        done = self.run_program("--steps", "10")
        self.assertEqual(done.returncode, 3)
        self.assertIn(str(self.out), done.stderr)


if __name__ == "__main__":
    unittest.main()
