#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The template of an analytics builds against an installed tree, exports one symbol, and works.

    test_template.py BUILD HOST LAUNCHER...

BUILD's development files are installed into an empty folder, and the template that lies there is built as its comment
says. HOST (TestTemplate) runs it with two ranks, which LAUNCHER starts.
"""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD, HOST, *LAUNCHER = sys.argv[1:]


def run(*command, **environment):
    done = subprocess.run(command, env={**os.environ, "GTEST_COLOR": "no", **environment}, text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise AssertionError(f"{command}:\n{done.stdout}")
    return done.stdout


class Template(unittest.TestCase):
    def test_builds_and_works(self):
        with tempfile.TemporaryDirectory() as folder:
            prefix, made = Path(folder) / "prefix", Path(folder) / "made"
            for component in ("development", "runtime"):
                run("cmake", "--install", BUILD, "--prefix", prefix, "--component", component)
            run("cmake", "-S", prefix / "share" / "rivulet" / "analytics-template", "-B", made, "-G", "Ninja",
                f"-DCMAKE_PREFIX_PATH={prefix}")
            run("cmake", "--build", made)
            symbols = run("nm", "-D", "--defined-only", made / "mean_speed.so").split()
            self.assertEqual([name for name in symbols if "rivulet" in name], ["rivulet_analytics_entry"])
            said = run(*LAUNCHER, HOST, RIVULET_TEMPLATE=str(made))
            self.assertEqual(said.count("[  PASSED  ] 2 tests."), 2, said)

    def test_installed_analytics_find_their_libraries(self):
        with tempfile.TemporaryDirectory() as folder:
            run("cmake", "--install", BUILD, "--prefix", folder)
            plugins = sorted(Path(folder).rglob("analytics/*.so"))
            self.assertIn("histogram.so", [plugin.name for plugin in plugins])
            for plugin in plugins:
                needed = run("ldd", plugin)
                self.assertFalse("not found" in needed, needed)
                if plugin.name != "catalyst.so":  # which needs ParaView only
                    self.assertTrue(f"{folder}/lib" in needed, needed)  # librivulet of the installed tree
                symbols = run("nm", "-D", "--defined-only", "--format=just-symbols", plugin).split()
                self.assertEqual([name for name in symbols if not name.startswith("_")], ["rivulet_analytics_entry"])


if __name__ == "__main__":
    unittest.main(argv=["test_template.py"])
