# SPDX-License-Identifier: BSD-3-Clause
"""Lines of Rivulet's filters in a Catalyst script are those of the store that the same session writes, and on a mesh that moves
those of the files of its steps.

    test_lines.py --flow PROGRAM --legacy PROGRAM --pvbatch PROGRAM --plugins FOLDER --script lines.py --mpiexec PROGRAM --ranks N

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
INTERVAL = 0.25 # time between the steps shown
NOT_THE_SAME = {"ParticleId"}  # which counts the releases that are known


def parsed():
    parser = argparse.ArgumentParser()
    for name in ("flow", "legacy", "pvbatch", "plugins", "script", "mpiexec"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--ranks", type=int, default=1)
    return parser.parse_args()


def rows_of(path):
    """Values of the points, sorted: their order depends on the ranks."""
    with open(path, encoding="ascii") as file:
        rows = list(csv.DictReader(file))
    return sorted(tuple((name, value) for name, value in row.items() if name not in NOT_THE_SAME) for row in rows)


class Ranks(unittest.TestCase):
    def run_ranks(self, folder, *command, **environment):
        done = subprocess.run([ARGUMENTS.mpiexec, "-n", str(ARGUMENTS.ranks), *command], cwd=folder, text=True, timeout=300,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                              env=dict(os.environ, PV_PLUGIN_PATH=ARGUMENTS.plugins, **environment))
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout


class Lines(Ranks):
    def simulate(self, folder, analytics, **environment):
        config = {"policy": "dynamic", "cores": 2, "output": "results", "analytics": analytics}
        (folder / "insitu.json").write_text(json.dumps(config), encoding="ascii")
        return self.run_ranks(folder, ARGUMENTS.flow, "--size", "48", "24", "24", "--diameter", "8", "--steps", str(STEPS), "--quiet",
                              "--insitu", "insitu.json", **environment)

    def test_refused(self):
        with tempfile.TemporaryDirectory() as scratch:
            script = str(Path(ARGUMENTS.script).with_name("refused.py"))
            said = self.simulate(Path(scratch), [{"name": "catalyst", "every": 2 * EVERY, "options": {"scripts": [script], "renders": False}}])
        for message in ("ParaView's ParticlePath asks", "ParaView's ParticleTracer asks", "ParaView's StreakLine asks",
                        "an adaptive surface traces new particles", "particles cannot go back in the time", "adaptive sampling goes through",
                        "cubic interpolation in time takes", "cannot follow the steps", "go on from step to step, which takes"):
            self.assertRegex(said, message)

    def test_lines(self):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            for name in ("live", "after"):
                (folder / name).mkdir()
            analytics = [{"name": "store", "every": EVERY, "options": {"path": "flow.rvs"}},
                         {"name": "catalyst", "every": EVERY, "options": {"scripts": [ARGUMENTS.script], "renders": False}}]
            said = self.simulate(folder, analytics, LIVE_FOLDER="live", INTERVAL=str(INTERVAL))
            self.assertIn("catalyst: failures                                    0",
                          (folder / "results" / "summary.txt").read_text(encoding="ascii"), said)
            self.run_ranks(folder, ARGUMENTS.pvbatch, ARGUMENTS.script, "results/flow.rvs", "after", STORE_IS_GIVEN="1",
                           LIVE_FOLDER="live")
            windows = json.loads((folder / "live" / "windows.json").read_text(encoding="ascii"))
            self.assertEqual([round(start / INTERVAL) for start, _ in windows], [1, 1, 1, 3, 3])
            self.assertEqual([round(2 * time / INTERVAL) for _, time in windows], [0, 2, 3, 2, 3])
            for name, least in (("stream", 100), ("path", 40), ("streak", 18), ("surface", 50), ("stream_surface", 200),
                                ("exponents", 900)):
                for step in range(STEPS // EVERY):
                    with self.subTest(filter=name, step=step):
                        live = rows_of(folder / "live" / f"{name}-{step:04d}.csv")
                        if step == 0 and name not in ("stream", "stream_surface"):
                            self.assertTrue(all(dict(row)["FTLE"] == "nan" for row in live) if name == "exponents" else live == [],
                                            "particles need two steps")
                            continue
                        self.assertGreaterEqual(len(live), least)
                        self.assertEqual(live, rows_of(folder / "after" / f"{name}-{step:04d}.csv"))


class LinesOnMeshes(Ranks):
    """Whose points the simulation moves in place, in a mesh with a part for each rank."""

    def check(self, kind, policy):
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            for name in ("live", "after"):
                (folder / name).mkdir()
            script = str(Path(ARGUMENTS.script).with_name("mesh_lines.py"))
            config = {"policy": policy, "cores": 2, "output": "results",
                      "analytics": [{"name": "catalyst", "options": {"scripts": [script], "renders": False}}]}
            (folder / "insitu.json").write_text(json.dumps(config), encoding="ascii")
            said = self.run_ranks(folder, ARGUMENTS.legacy, "now", "insitu.json", "5", kind, LIVE_FOLDER="live")
            self.assertIn("catalyst: failures                                    0",
                          (folder / "results" / "summary.txt").read_text(encoding="ascii"), said)
            self.run_ranks(folder, ARGUMENTS.pvbatch, script, "live/steps.pvd", "after", SERIES_IS_GIVEN="1", LIVE_FOLDER="live")
            checked = {"stream": 100, "path": 18, "streak": 18, "surface": 50, "box": 120, "points": 13**3, "windows": 13**3}
            if kind == "tetrahedra" and ARGUMENTS.ranks > 1:
                del checked["points"], checked["windows"]  # VTK's reader has those of two files twice
            for name, least in checked.items():
                for step in range(1, 5):
                    with self.subTest(filter=name, step=step):
                        live = rows_of(folder / "live" / f"{name}-{step:04d}.csv")
                        self.assertGreaterEqual(len(live), least)
                        self.assertEqual(live, rows_of(folder / "after" / f"{name}-{step:04d}.csv"))

    def test_tetrahedra(self):
        self.check("tetrahedra", "synchronous" if ARGUMENTS.ranks == 1 else "dynamic")

    def test_curvilinear_grid(self):
        self.check("curvilinear", "dynamic" if ARGUMENTS.ranks == 1 else "synchronous")


if __name__ == "__main__":
    ARGUMENTS = parsed()
    unittest.main(argv=sys.argv[:1])
