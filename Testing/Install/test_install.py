#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What `cmake --install` leaves works by itself, in whatever folder.

    test_install.py BUILD [--plugin-folder FOLDER] [--python-folder FOLDER] [--example SOURCE]

BUILD is installed into an empty folder, which is moved once. Then its program runs, ParaView loads its plugin from
FOLDER (below the prefix), the package for Python finds its library, and the example is built against it. Nothing may come
from the build tree.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PARTS = argparse.Namespace()
TRACE = """
from paraview.simple import *
field = RivuletFieldReader(FileNames=["flow.rvf"])
field.UpdatePipeline()
lines = RivuletStreamTracer(Input=field, SeedType="Point Cloud", MaximumStreamlineLength=1)
lines.UpdatePipeline()
assert lines.GetDataInformation().GetNumberOfCells() > 0
print({line.split()[-1] for line in open("/proc/self/maps") if "ivulet" in line and line.rstrip().endswith(".so")})
"""
CONSUMER = """
cmake_minimum_required(VERSION 3.25)
project(Consumer LANGUAGES CXX)
find_package(rivulet 1.0 REQUIRED)
add_executable(consumer {example})
target_link_libraries(consumer PRIVATE rivulet::rivulet)
"""


def clean_environment(**more):
    """Without what leads to libraries or plugins elsewhere."""
    kept = {name: value for name, value in os.environ.items() if name not in ("LD_LIBRARY_PATH", "PV_PLUGIN_PATH")}
    return {**kept, **more}


class InstalledTree(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.folder = Path(scratch.name)
        cls.prefix = cls.folder / "moved"
        first = cls.folder / "first"
        subprocess.run(["cmake", "--install", PARTS.build, "--prefix", first], check=True, stdout=subprocess.DEVNULL)
        first.rename(cls.prefix)

    def run_here(self, *command, **environment):
        done = subprocess.run(command, cwd=self.folder, env=clean_environment(**environment), text=True, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def generate(self):
        self.run_here(self.prefix / "bin" / "rivulet", "generate", "abc", "flow.rvf", "--size", "24", "--quiet", "--force")

    def test_program_runs(self):
        self.generate()
        self.assertIn("24 x 24 x 24", self.run_here(self.prefix / "bin" / "rivulet", "info", "flow.rvf"))

    def test_library_is_without_parts_of_programs(self):
        headers = self.prefix / "include" / "rivulet"
        self.assertTrue((headers / "Store").is_dir())
        self.assertEqual([part for part in ("Generate", "CommandLine", "Command") if (headers / part).exists()], [])
        (library,) = self.prefix.rglob("librivulet.so")
        self.assertNotIn(b"AnalyticField", library.read_bytes())

    def test_plugin_loads(self):
        if not PARTS.plugin_folder:
            self.skipTest("this build has no plugin")
        if not shutil.which("pvpython"):
            self.skipTest("pvpython is not installed")
        self.generate()
        (self.folder / "trace.py").write_text(TRACE)
        said = self.run_here("pvpython", "trace.py", PV_PLUGIN_PATH=str(self.prefix / PARTS.plugin_folder))
        loaded = eval(said.splitlines()[-1])  # noqa: S307 the script's own set
        self.assertIn(str(self.prefix / PARTS.plugin_folder / "Rivulet" / "Rivulet.so"), loaded)
        self.assertEqual([path for path in loaded if not path.startswith(str(self.prefix))], [])

    def test_python_package_finds_its_library(self):
        if not PARTS.python_folder:
            self.skipTest("built without the runtime beside simulations")
        folder = self.prefix / PARTS.python_folder
        self.assertTrue((folder / "rivulet_insitu" / "__init__.py").is_file())
        program = "import runpy, sys; print(runpy.run_path(sys.argv[1])['library_path']())"
        found = self.run_here(sys.executable, "-c", program, folder / "rivulet_insitu" / "_library.py", RIVULET_INSITU_LIBRARY="")
        self.assertTrue(found.startswith(f"{self.prefix}/lib"), found)

    def test_library_serves_other_programs(self):
        if not PARTS.example:
            self.skipTest("built with sanitizers, or without examples")
        (self.folder / "CMakeLists.txt").write_text(CONSUMER.format(example=PARTS.example))
        self.run_here("cmake", "-S", ".", "-B", "consumer", f"-DCMAKE_PREFIX_PATH={self.prefix}", "-G", "Ninja")
        self.run_here("cmake", "--build", "consumer")
        self.assertIn(str(self.prefix), self.run_here("ldd", self.folder / "consumer" / "consumer"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=os.path.abspath)
    parser.add_argument("--plugin-folder")
    parser.add_argument("--python-folder")
    parser.add_argument("--example", type=os.path.abspath)
    parser.parse_args(namespace=PARTS)
    unittest.main(argv=["test_install.py"])


if __name__ == "__main__":
    main()
