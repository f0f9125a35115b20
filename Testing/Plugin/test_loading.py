#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The plugin loads by PV_PLUGIN_PATH alone, and by its file's name, wherever a script runs, and gives the same lines.

test_loading.py PROGRAMS PLUGINS EXAMPLES, the latter being the folder of examples.py, which runs scripts.
"""

import os
import re
import subprocess
import sys
import tempfile
import unittest

PROGRAMS, PLUGINS, EXAMPLES = (os.path.abspath(folder) for folder in sys.argv[1:4])
sys.path.insert(0, EXAMPLES)

from examples import COMPLAINTS, run_example  # noqa: E402 only now can it be found

TRACE = """
field = OpenDataFile(FIELD)
field.UpdatePipeline()
lines = RivuletStreamTracer(Input=field, SeedType="Point Cloud")
lines.UpdatePipeline()
about = lines.GetDataInformation()
print("LINES", about.GetNumberOfCells(), about.GetNumberOfPoints(), about.GetBounds())
"""
IMPORT = "from paraview.simple import *\n"
CONNECT = 'Connect("localhost", 11111)\n'
LIBRARY = os.path.join(PLUGINS, "Rivulet", "Rivulet.so")


def load(remote):
    return f"LoadPlugin({LIBRARY!r}, remote={remote}, ns=globals())\n"


class Loading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.field = os.path.join(cls.folder.name, "flow.rvf")
        subprocess.run([os.path.join(PROGRAMS, "rivulet"), "generate", "abc", cls.field, "--size", "24", "-q"], check=True)
        cls.expected = cls.lines_of("pvpython", IMPORT, path=PLUGINS)

    @classmethod
    def lines_of(cls, way, beginning, path):
        environment = {**os.environ, "PV_PLUGIN_PATH": path}
        code = beginning + TRACE.replace("FIELD", repr(cls.field))
        status, said = run_example(way, code, cls.folder.name, environment)
        assert status == 0 and not any(word in said for word in COMPLAINTS), said
        found = set(re.findall("^LINES .*", said, re.MULTILINE))
        assert len(found) == 1, said
        return found.pop()

    def check(self, beginnings, path):
        for way, beginning in beginnings.items():
            with self.subTest(way=way):
                self.assertEqual(self.lines_of(way, beginning, path), self.expected)

    def test_by_the_variable_alone(self):
        self.check({"pvbatch": IMPORT, "mpirun": IMPORT, "pvserver": IMPORT + CONNECT}, path=PLUGINS)

    def test_by_the_name_of_the_file(self):
        local = IMPORT + load(remote=False)
        self.check({"pvpython": local, "pvbatch": local, "mpirun": local,
                    "pvserver": IMPORT + CONNECT + load(remote=True) + load(remote=False)}, path="")  # fmt: skip

    def test_lines_are_there(self):
        self.assertGreater(int(self.expected.split()[1]), 100)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
