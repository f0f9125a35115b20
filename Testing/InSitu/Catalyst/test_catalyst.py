# SPDX-License-Identifier: BSD-3-Clause
"""ParaView's scripts beside a simulation: the same pictures for all policies, and faults that the simulation survives.

    test_catalyst.py --amr PROGRAM --guarded PROGRAM --heat PROGRAM --legacy PROGRAM --plugins FOLDER --scratch FOLDER --script film.py --pvpython PROGRAM
                     [--mpiexec PROGRAM --ranks N]

Needs an X display, as ParaView does before version 6.
"""
import argparse
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import unittest

STEPS, EVERY = 13, 4
BAD_SCRIPTS = {
    "syntax.py": ("from paraview import (\n", "fails"),
    "at_once.py": ("from paraview import catalyst\nraise RuntimeError('not today')\n", "fails"),
    "channel.py": ("from paraview import catalyst\n"
                   "from paraview.simple import *\n"
                   "producer = TrivialProducer(registrationName='temprature')\n",
                   'asks for "temprature", which the simulation does not publish; it publishes "temperature"'),
    "later.py": ("from paraview import catalyst\n"
                 "from paraview.simple import *\n"
                 "producer = TrivialProducer(registrationName='temperature')\n"
                 "def catalyst_execute(info):\n    raise RuntimeError('not at this step')\n", "fails"),
}


def parsed():
    parser = argparse.ArgumentParser()
    for name in ("amr", "guarded", "heat", "legacy", "plugins", "pvpython", "scratch", "script"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--mpiexec", default="")
    parser.add_argument("--ranks", type=int, default=1)
    return parser.parse_args()


def line_of(stream, begin):
    """The first line that begins so; ParaView writes others. Empty at the end."""
    return next((line for line in stream if line.startswith(begin)), "")


ONE_RANK = "--ranks" not in sys.argv or sys.argv[sys.argv.index("--ranks") + 1] == "1"
ONCE = unittest.skipUnless(ONE_RANK, "once is enough")
POLICIES = ("synchronous", "asynchronous", "static", "dynamic", "task") if ONE_RANK else ("synchronous", "dynamic")


class Catalyst(unittest.TestCase):
    def folder(self, name):
        path = os.path.join(ARGUMENTS.scratch, name)
        shutil.rmtree(path, ignore_errors=True)
        os.makedirs(path)
        return path

    def run_ranks(self, *command, environment=None):
        if ARGUMENTS.ranks > 1:
            command = (ARGUMENTS.mpiexec, "-n", str(ARGUMENTS.ranks), *command)
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=200, check=False,
                              env=dict(os.environ, **(environment or {})))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("hangs", done.stdout)
        return done.stdout

    def pictures(self, folder):
        found = {}
        for file in sorted(os.listdir(folder)):
            if file.endswith(".png"):
                with open(os.path.join(folder, file), "rb") as content:
                    found[file] = content.read()
        return found

    def run_heat(self, name, analytics=None, environment=None, **settings):
        """Output of the simulation, and the pictures that it left."""
        folder = self.folder(name)
        if analytics is None:
            analytics = [{"name": "catalyst", "every": EVERY, "options": {"scripts": [ARGUMENTS.script]}}]
        config = dict({"policy": "dynamic", "cores": 2, "plugins": [ARGUMENTS.plugins], "output": folder,
                       "analytics": analytics}, **settings)
        path = os.path.join(folder, "insitu.json")
        with open(path, "w", encoding="ascii") as file:
            json.dump(config, file)
        said = self.run_ranks(ARGUMENTS.heat, path, str(STEPS), environment=environment)
        return said, self.pictures(folder)

    def test_pictures_are_the_same_for_all_policies(self):
        _, expected = self.run_heat("synchronous", policy="synchronous")
        self.assertEqual(list(expected), [f"heat_{step:06d}.png" for step in range(0, STEPS, EVERY)])
        self.assertEqual(len(set(expected.values())), len(expected), "the heat spreads")
        for picture in expected.values():
            self.assertEqual(struct.unpack(">II", picture[16:24]), (320, 240))
        for policy, more in (("dynamic", {}), ("static", {"analytics_threads": 1}), ("asynchronous", {}),
                             ("dynamic", {"cores": 8, "analytics_threads": 3, "buffers": 3})):
            _, pictures = self.run_heat(policy, policy=policy, **more)
            self.assertEqual(pictures, expected, policy)

    def test_patches_that_come_and_go(self):
        """AMR whose patches follow a drop: the same pictures for all policies."""
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "drop.py")
        found = []
        for policy in ("synchronous", "dynamic", "task"):
            folder = self.folder(f"amr-{policy}")
            path = os.path.join(folder, "insitu.json")
            with open(path, "w", encoding="ascii") as file:
                json.dump({"policy": policy, "cores": 3, "plugins": [ARGUMENTS.plugins], "output": folder,
                           "analytics": [{"name": "catalyst", "options": {"scripts": [script]}}]}, file)
            self.run_ranks(ARGUMENTS.amr, path, "9")
            found.append(self.pictures(folder))
        self.assertEqual(list(found[0]), [f"drop_{step:06d}.png" for step in (0, 4, 8)])
        self.assertEqual(len(set(found[0].values())), 3, "the drop moves")
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])

    def test_a_client_of_paraview_watches_the_run(self):
        """The pictures are those of a run that nobody watches."""
        if ARGUMENTS.ranks > 1:
            self.skipTest("once is enough")
        _, expected = self.run_heat("unwatched")
        with socket.socket() as free:
            free.bind(("localhost", 0))
            port = free.getsockname()[1]
        with open(ARGUMENTS.script, encoding="ascii") as file:
            text = file.read()
        script = os.path.join(ARGUMENTS.scratch, "live.py")
        with open(script, "w", encoding="ascii") as file:
            file.write(f'{text}\noptions.EnableCatalystLive = 1\noptions.CatalystLiveURL = "localhost:{port}"\n')
        client = os.path.join(os.path.dirname(os.path.abspath(__file__)), "live_client.py")
        with subprocess.Popen([ARGUMENTS.pvpython, client, str(port), "120"], stdout=subprocess.PIPE, text=True) as watching:
            line_of(watching.stdout, "listening")
            analytics = [{"name": "catalyst", "every": EVERY, "options": {"scripts": [script]}}]
            _, pictures = self.run_heat("watched", analytics)
            seen = json.loads(line_of(watching.stdout, "{"))
        self.assertEqual(pictures, expected)
        self.assertIn("temperature", seen["sources"])
        self.assertLessEqual({EVERY, 2 * EVERY}, set(seen["steps"]))

    def test_an_adaptor_of_legacy_catalyst_makes_the_same_pictures_with_helper_cores(self):
        script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "wing.py")
        folder = self.folder("before")
        self.run_ranks(ARGUMENTS.legacy, "before", script, folder, "7")
        expected = self.pictures(folder)
        self.assertEqual(list(expected), [f"wing_{step:06d}.png" for step in (0, 3, 6)])
        self.assertEqual(len(set(expected.values())), 3)
        for policy in ("synchronous", "dynamic"):
            folder = self.folder("now")
            path = os.path.join(folder, "insitu.json")
            with open(path, "w", encoding="ascii") as file:
                json.dump({"policy": policy, "cores": 2, "plugins": [ARGUMENTS.plugins], "output": folder,
                           "analytics": [{"name": "catalyst", "options": {"scripts": [script]}}]}, file)
            self.run_ranks(ARGUMENTS.legacy, "now", path, "7")
            self.assertEqual(self.pictures(folder), expected, policy)

    def test_scripts_that_fail_are_named_and_the_simulation_goes_on(self):
        for name, (text, message) in BAD_SCRIPTS.items():
            script = os.path.join(ARGUMENTS.scratch, name)
            with open(script, "w", encoding="ascii") as file:
                file.write(text)
            said, pictures = self.run_heat("bad", [{"name": "catalyst", "options": {"scripts": [script]}}])
            self.assertIn(message, said, name)
            self.assertEqual(pictures, {})
            self.assertNotIn("succeeds again", said)
            with open(os.path.join(ARGUMENTS.scratch, "bad", "summary.json"), encoding="ascii") as file:
                self.assertEqual(json.load(file)["analytics"]["catalyst"]["failures"]["min"], STEPS, name)

    def run_guarded(self, name, policy, script, sessions=1, analytics=None):
        """Folder in which the guarded simulation has run, its output, and the lines about what has changed."""
        folder = self.folder(name)
        path = os.path.join(folder, "insitu.json")
        with open(path, "w", encoding="ascii") as file:
            json.dump({"policy": policy, "cores": 2, "plugins": [ARGUMENTS.plugins], "output": "results",
                       "analytics": analytics or [{"name": "catalyst", "every": 2, "options": {"scripts": [script]}}]}, file)
        said = self.run_ranks("sh", "-c", 'cd "$0" && exec "$@"', folder, ARGUMENTS.guarded, path, "5", str(sessions))
        return folder, said, [line for line in said.splitlines() if line.startswith("changed")]

    def test_nothing_of_the_simulation_changes(self):
        for policy in ("synchronous", "dynamic", "task"):
            folder, said, changed = self.run_guarded("guarded", policy, ARGUMENTS.script)
            self.assertEqual(changed, [], policy)
            written = sum(int(line.split()[-1]) for line in said.splitlines() if line.startswith("sessions"))
            own = [file for file in os.listdir(folder) if file.startswith("own-")]
            self.assertEqual((len(own), written > 20), (written, True), policy)
            self.assertEqual(sorted(self.pictures(os.path.join(folder, "results"))),
                             [f"heat_{step:06d}.png" for step in (0, 2, 4)], policy)

    def test_nothing_changes_by_other_analytics(self):
        seeds = {"line": [[2, 2, 2], [2, 20, 20]]}
        analytics = [{"name": "store"}, {"name": "streamlines", "options": seeds}, {"name": "pathlines", "options": seeds},
                     {"name": "histogram"}, {"name": "radial", "options": {"cutoff": 0.5}}, {"name": "write_dat"},
                     {"name": "statistics", "options": {"parallel": False}},
                     {"name": "moments", "plugin": "statistics", "options": {"global": True}}]
        for policy in POLICIES:
            folder, said, changed = self.run_guarded("guarded", policy, "", analytics=analytics)
            self.assertEqual(changed, [], policy)
            with open(os.path.join(folder, "results", "summary.json"), encoding="ascii") as file:
                summary = json.load(file)["analytics"]
            for each in analytics:
                self.assertEqual(summary[each["name"]]["executions"]["min"], 5, said)

    @ONCE
    def test_a_second_session_is_told_that_paraview_has_ended(self):
        folder, said, changed = self.run_guarded("again", "dynamic", ARGUMENTS.script, 2)
        self.assertIn("ParaView has ended with an earlier session", said)
        self.assertEqual(changed, [])
        self.assertEqual(len(self.pictures(os.path.join(folder, "results"))), 3)

    @ONCE
    def test_folders_of_extracts(self):
        """Relative ones begin at "output", absolute ones stay."""
        with open(ARGUMENTS.script, encoding="ascii") as file:
            text = file.read()
        elsewhere = self.folder("elsewhere")
        for name, written, expected in (("below", "some/folder", "below/results/some/folder"), ("away", elsewhere, "elsewhere")):
            script = os.path.join(ARGUMENTS.scratch, f"{name}.py")
            with open(script, "w", encoding="ascii") as file:
                file.write(f"{text}\noptions.ExtractsOutputDirectory = {written!r}\n")
            self.run_guarded(name, "dynamic", script)
            self.assertEqual(len(self.pictures(os.path.join(ARGUMENTS.scratch, expected))), 3)

    @ONCE
    def test_the_specification_of_cinema(self):
        """It is written when scripts end, with a package of Python that ParaView's packages do not bring."""
        with open(ARGUMENTS.script, encoding="ascii") as file:
            text = file.read()
        script = os.path.join(ARGUMENTS.scratch, "cinema.py")
        with open(script, "w", encoding="ascii") as file:
            file.write(f"{text}\noptions.GenerateCinemaSpecification = 1\n")
        for policy in ("synchronous", "dynamic"):
            said, pictures = self.run_heat("cinema", [{"name": "catalyst", "every": EVERY, "options": {"scripts": [script]}}],
                                           policy=policy)
            self.assertEqual(len(pictures), 4)
            there = os.path.exists(os.path.join(ARGUMENTS.scratch, "cinema", "data.csv"))
            self.assertTrue(there or "No module named 'pandas'" in said, said)

    @ONCE
    def test_a_script_that_exits_does_not_end_the_simulation(self):
        for name, place in (("at_once", "sys.exit(3)\n"), ("later", "def catalyst_execute(info):\n    sys.exit(3)\n")):
            script = os.path.join(ARGUMENTS.scratch, f"exit_{name}.py")
            with open(script, "w", encoding="ascii") as file:
                file.write("import sys\nfrom paraview import catalyst\nfrom paraview.simple import *\n"
                           "producer = TrivialProducer(registrationName='temperature')\noptions = catalyst.Options()\n" + place)
            _, said, changed = self.run_guarded("exit", "dynamic", script)
            self.assertIn("the script calls sys.exit(3): return instead", said)
            self.assertIn("error: catalyst", said)
            self.assertEqual(said.count("sessions 1"), ARGUMENTS.ranks)
            self.assertEqual(changed, [])

    def test_options_are_checked(self):
        for options, message in (({}, "there is no script"),
                                 ({"scripts": ["/nowhere/film.py"]}, "/nowhere/film.py does not exist"),
                                 ({"script": ["film.py"]}, '"script" is not'),
                                 ({"scripts": "film.py"}, '"scripts" is not')):
            said, _ = self.run_heat("options", [{"name": "catalyst", "options": options}])
            self.assertIn(message, said)

    @unittest.skipUnless("--ranks" in sys.argv and sys.argv[sys.argv.index("--ranks") + 1] != "1", "needs another rank")
    def test_a_script_that_one_rank_lacks_is_said_and_nothing_hangs(self):
        """The script is beside the first rank only."""
        folder = self.folder("lacking")
        os.makedirs(os.path.join(folder, "0"))
        shutil.copy(ARGUMENTS.script, os.path.join(folder, "0", "film.py"))
        path = os.path.join(folder, "insitu.json")
        with open(path, "w", encoding="ascii") as file:
            json.dump({"policy": "dynamic", "cores": 2, "plugins": [ARGUMENTS.plugins], "output": folder,
                       "analytics": [{"name": "catalyst", "every": EVERY, "options": {"scripts": ["film.py"]}}]}, file)
        in_own_folder = 'mkdir -p "$0/$OMPI_COMM_WORLD_RANK" && cd "$0/$OMPI_COMM_WORLD_RANK" && exec "$@" >said 2>&1'
        self.run_ranks("sh", "-c", in_own_folder, folder, ARGUMENTS.heat, path, str(STEPS))
        said = {}
        for rank in ("0", "1"):  # the launcher may put words of one between those of the other
            with open(os.path.join(folder, rank, "said"), encoding="utf-8") as file:
                said[rank] = file.read()
        self.assertIn("1/film.py does not exist", said["1"])
        self.assertIn("rank 0: error: catalyst: ParaView cannot be used on another rank", said["0"])
        self.assertEqual(self.pictures(folder), {})

    def test_paraview_is_used_once(self):
        both = [{"name": name, "plugin": "catalyst", "every": EVERY, "options": {"scripts": [ARGUMENTS.script]}}
                for name in ("one", "two")]
        said, pictures = self.run_heat("twice", both)
        self.assertIn("once in a process", said)
        self.assertEqual(len(pictures), 4)

    def test_without_a_display(self):
        said, pictures = self.run_heat("blind", environment={"DISPLAY": ":987"})
        if pictures:
            return  # ParaView 6 renders without one
        self.assertIn("X display :987 does not answer", said)
        said, _ = self.run_heat("blind", environment={"DISPLAY": ""})
        self.assertIn("no X display", said)


if __name__ == "__main__":
    ARGUMENTS = parsed()
    os.makedirs(ARGUMENTS.scratch, exist_ok=True)
    sys.exit(not unittest.main(argv=sys.argv[:1], exit=False).result.wasSuccessful())
