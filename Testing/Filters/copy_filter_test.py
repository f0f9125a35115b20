#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""copy_filter_test.py SOURCE BUILD SCRATCH: a filter that Filters/copy_filter.py begins compiles, and its proxy is sound XML."""

import json
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

source, build, scratch = (Path(argument).resolve() for argument in sys.argv[1:4])
shutil.rmtree(scratch, ignore_errors=True)
for folder in ("Filters", "Plugin/Icons", "Testing/Filters"):
    shutil.copytree(source / folder, scratch / folder)
shutil.copy(source / "Plugin/Filters.xml", scratch / "Plugin")
told = subprocess.run([sys.executable, source / "Filters/copy_filter.py", "MeanAge", "Mean Age", "--root", scratch],
                      check=True, capture_output=True, text=True).stdout
assert "Testing/Filters/test_mean_age.py" in told and "Left to do" in told, told

names = [proxy.get("name") for proxy in ElementTree.parse(scratch / "Plugin/Filters.xml").iter("RivuletSourceProxy")]
assert names.count("RivuletMeanAge") == 1 and names.count("RivuletResidenceTime") == 1, names
assert "simple.RivuletMeanAge(" in (scratch / "Testing/Filters/test_mean_age.py").read_text()
assert "Filters.MeanAge test_mean_age.py" in (scratch / "Testing/Filters/CMakeLists.txt").read_text()

again = subprocess.run([sys.executable, source / "Filters/copy_filter.py", "MeanAge", "Mean Age", "--root", scratch],
                       check=False, capture_output=True, text=True)
assert again.returncode != 0 and "is there already" in again.stderr, again

commands = {Path(entry["file"]).name: entry["command"] for entry in json.loads((build / "compile_commands.json").read_text())}
for old, new in (("vtkRivuletResidenceTime.cxx", "vtkRivuletMeanAge.cxx"), ("ResidenceTimeWork.cxx", "Work/MeanAgeWork.cxx")):
    words = shlex.split(commands[old])
    words = words[1:] if "ccache" in words[0] else words
    words = words[:words.index("-o")]
    words[1:1] = [f"-I{scratch}", f"-I{scratch / 'Filters'}", "-fsyntax-only"]
    subprocess.run([*words, scratch / "Filters" / new], check=True, cwd=build)
print("The copy compiles")
