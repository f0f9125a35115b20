# SPDX-License-Identifier: BSD-3-Clause
"""Lines of Rivulet's filters in a Catalyst script are those of the store that the same session writes.

    test_lines.py --flow PROGRAM --pvbatch PROGRAM --plugins FOLDER --script lines.py --mpiexec PROGRAM --ranks N

Needs an X display, as ParaView does before version 6.
"""
import argparse
import csv
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

STEPS, EVERY = 101, 20
NOT_THE_SAME = {"ParticleId"}  # which counts the releases that are known


def parsed():
    parser = argparse.ArgumentParser()
    for name in ("flow", "pvbatch", "plugins", "script", "mpiexec"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--ranks", type=int, default=1)
    return parser.parse_args()


def rows_of(path):
    """Values of the points, sorted: their order depends on the ranks."""
    with open(path, encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    return sorted(tuple((name, value) for name, value in row.items() if name not in NOT_THE_SAME) for row in rows)


class Lines(unittest.TestCase):
    def run_ranks(self, folder, *command, **environment):
        done = subprocess.run([ARGUMENTS.mpiexec, "-n", str(ARGUMENTS.ranks), *command], cwd=folder, text=True, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              env=dict(os.environ, PV_PLUGIN_PATH=ARGUMENTS.plugins, **environment))
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_lines(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            for name in ("live", "after"):
                (folder / name).mkdir()
            analytics = [{"name": "store", "every": EVERY, "options": {"path": "flow.rvs"}},
                         {"name": "catalyst", "every": EVERY, "options": {"scripts": [ARGUMENTS.script], "renders": False}}]
            config = {"policy": "dynamic", "cores": 2, "output": "results", "analytics": analytics}
            (folder / "insitu.json").write_text(json.dumps(config), encoding="ascii")
            said = self.run_ranks(folder, ARGUMENTS.flow, "--size", "48", "24", "24", "--diameter", "8", "--steps", str(STEPS),
                                  "--quiet", "--insitu", "insitu.json", LIVE_FOLDER="live")
            self.assertIn("catalyst: failures                                    0",
                          (folder / "results" / "summary.txt").read_text(encoding="ascii"), said)
            self.run_ranks(folder, ARGUMENTS.pvbatch, ARGUMENTS.script, "results/flow.rvs", "after", STORE_IS_GIVEN="1")
            for name, least in (("stream", 100), ("path", 40), ("streak", 18)):
                for step in range(STEPS // EVERY):
                    with self.subTest(filter=name, step=step):
                        live = rows_of(folder / "live" / f"{name}-{step:04d}.csv")
                        if step == 0 and name != "stream":
                            self.assertEqual(live, [], "a path needs two steps")
                            continue
                        self.assertGreaterEqual(len(live), least)
                        self.assertEqual(live, rows_of(folder / "after" / f"{name}-{step:04d}.csv"))


if __name__ == "__main__":
    ARGUMENTS = parsed()
    unittest.main(argv=sys.argv[:1])
