#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""However a simulation ends, all that was accepted is analysed, nothing crashes, and no rank waits for ever.

    test_ending.py PROGRAM PLUGINS MPIEXEC RANKS
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM, PLUGINS, MPIEXEC, RANKS = sys.argv[1:5]
STEPS = 6
MESSAGE = "the simulation ends without rivulet_insitu_finalize"


class Ending(unittest.TestCase):
    def run_way(self, way, policy="dynamic", limit=60):
        """Exit code, output, and the summary; None: there is none."""
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "insitu.json")
            analytics = [{"name": "slow", "plugin": "faulty", "options": {"milliseconds": 40}},
                         {"name": "with_mpi", "plugin": "recorder_mpi"}]
            path.write_text(json.dumps({"policy": policy, "cores": 2, "buffers": 4, "plugins": [PLUGINS], "output": f"{folder}/out",
                                        "finalize_limit": limit, "analytics": analytics}), encoding="ascii")
            command = [PROGRAM, str(path), str(STEPS), way]
            command = command if RANKS == "1" else [MPIEXEC, "-n", RANKS, *command]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=100, check=False)
            summary = Path(folder, "out", "summary.json")
            found = json.loads(summary.read_text(encoding="ascii")) if summary.exists() else None
        return done.returncode, done.stdout, found

    def expect_whole(self, way, told):
        for policy in ("synchronous", "dynamic", "static", "task"):
            code, said, summary = self.run_way(way, policy)
            self.assertEqual(code, 0, f"{way}, {policy}: {said}")
            self.assertEqual(MESSAGE in said, told, f"{way}, {policy}: {said}")
            for name in ("slow", "with_mpi"):
                self.assertEqual(summary["analytics"][name]["executions"]["min"], STEPS, f"{way}, {policy}")

    def test_as_it_should(self):
        self.expect_whole("finalize", False)

    def test_by_mpi(self):
        self.expect_whole("mpi", True)

    def test_by_mpi_before(self):
        self.expect_whole("order", True)

    def test_a_child_ends_nothing(self):
        self.expect_whole("child", False)

    @unittest.skipIf(RANKS != "1", "MPI ends the other ranks")
    def test_by_a_return_of_main(self):
        self.expect_whole("return", True)

    @unittest.skipIf(RANKS != "1", "MPI ends the other ranks")
    def test_by_exit(self):
        self.expect_whole("exit", True)

    @unittest.skipIf(RANKS == "1", "needs another rank")
    def test_one_rank_as_it_should(self):
        self.expect_whole("one", True)

    @unittest.skipIf(RANKS == "1", "needs another rank")
    def test_a_rank_that_never_ends_is_told(self):
        _, said, summary = self.run_way("never", "dynamic", 0.5)
        self.assertIn("finalize -6", said)
        self.assertIsNone(summary)


unittest.main(argv=sys.argv[:1])
