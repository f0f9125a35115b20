#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The program molecular_dynamics, from its command line to its report: test_program.py PROGRAM MPIEXEC in-situ|alone"""

import subprocess
import sys
import unittest

HAS_RUNTIME = sys.argv.pop(3) == "in-situ"
MPIEXEC = sys.argv.pop(2)
PROGRAM = sys.argv.pop(1)


def run_program(*options, ranks=1):
    command = [MPIEXEC, "-n", str(ranks), PROGRAM] + list(options)
    return subprocess.run(command, capture_output=True, text=True, check=False)


def table(report):
    """Rows of numbers: step, time, temperature, potential, total, pressure."""
    rows = [line.split() for line in report.splitlines()]
    return [row for row in rows if len(row) == 6 and row[0].isdigit()]


class Program(unittest.TestCase):
    def test_reports_at_intervals_and_at_the_end(self):
        done = run_program("--size", "4", "4", "4", "--steps", "25", "--every", "10")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("256 particles on 1 x 1 x 1 ranks", done.stdout)
        rows = table(done.stdout)
        self.assertEqual([row[0] for row in rows], ["0", "10", "20", "25"])
        self.assertEqual(float(rows[3][1]), 0.125)
        self.assertEqual(float(rows[0][2]), 1.44)

    def test_says_where_time_goes(self):
        done = run_program("--size", "6", "6", "6", "--steps", "50")
        self.assertRegex(done.stdout, r"million particle steps per second")
        shares = done.stdout.split("forces ")[1].split("\n")[0].replace("%", "").replace(",", "").split()
        numbers = [float(word) for word in shares if word[0].isdigit()]
        self.assertEqual(len(numbers), 5)
        self.assertAlmostEqual(sum(numbers), 100, delta=0.3)
        self.assertIn("outside parallel regions", done.stdout)

    def test_report_is_the_same_for_any_threads_and_ranks(self):
        options = ["--size", "8", "8", "8", "--steps", "40", "--every", "20"]
        expected = table(run_program(*options, "--threads", "1").stdout)
        self.assertEqual(len(expected), 3)
        self.assertEqual(table(run_program(*options, "--threads", "2").stdout), expected)
        self.assertEqual(table(run_program(*options, "--threads", "1", ranks=2).stdout), expected)

    def test_refuses_a_box_that_is_too_small(self):
        done = run_program("--size", "2", "4", "4", ranks=2)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr.count("two cut-offs"), 1, done.stderr)

    def test_refuses_ranks_that_do_not_fit(self):
        done = run_program("--size", "4", "4", "4", "--ranks", "3", "1", "1", ranks=2)
        self.assertEqual(done.returncode, 3)
        self.assertIn("2 ranks as 3 x 1 x 1 do not fit", done.stderr)

    def test_stops_where_the_time_step_is_too_long(self):
        done = run_program("--size", "4", "4", "4", "--time-step", "0.2", ranks=2)
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stderr.count("the time step is too long"), 1, done.stderr)

    def test_refuses_wrong_options_once_for_all_ranks(self):
        done = run_program("--cut", "sharp", ranks=2)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.count("--cut"), 1, done.stderr)
        self.assertEqual(run_program("--help").returncode, 0)

    @unittest.skipIf(HAS_RUNTIME, "this build has the in situ runtime")
    def test_says_that_there_is_no_runtime(self):
        done = run_program("--insitu", "insitu.json")
        self.assertEqual(done.returncode, 3)
        self.assertIn("no in situ runtime", done.stderr)

    @unittest.skipUnless(HAS_RUNTIME, "this build has no in situ runtime")
    def test_names_the_configuration_that_cannot_be_read(self):
        done = run_program("--insitu", "not-there.json")
        self.assertEqual(done.returncode, 3)
        self.assertIn("not-there.json", done.stderr)


if __name__ == "__main__":
    unittest.main()
