#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""ParaView opens what the analytics streamlines wrote, as a series with the simulation's times.

    test_paraview_lines.py TEST_ANALYTICS PVPYTHON
"""

import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PVPYTHON = sys.argv[1:]
OPEN = """
from paraview.simple import *
lines = OpenDataFile("streamlines.vtp.series")
for time in lines.TimestepValues:
    lines.UpdatePipeline(time)
    data = lines.GetDataInformation()
    points = [lines.PointData.GetArray(i).Name for i in range(lines.PointData.GetNumberOfArrays())]
    cells = [lines.CellData.GetArray(i).Name for i in range(lines.CellData.GetNumberOfArrays())]
    print("FOUND", (time, data.GetNumberOfCells(), data.GetNumberOfPoints() > 20, sorted(points), sorted(cells)))
"""


class Lines(unittest.TestCase):
    def test_paraview_opens_them(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "--gtest_filter=Streamlines.MakeASeriesThatGoesOn"], check=True,
                           env={**os.environ, "RIVULET_LINES": folder}, stdout=subprocess.DEVNULL)
            done = subprocess.run([PVPYTHON, "-c", OPEN], cwd=folder, text=True, check=False,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            found = [eval(line[6:]) for line in done.stdout.splitlines() if line.startswith("FOUND ")]  # noqa: S307
            arrays = (["IntegrationTime", "velocity"], ["ReasonForTermination", "SeedIds"])
            self.assertEqual(found, [(time, 4, True, *arrays) for time in (0.0, 0.25, 1.5)], done.stdout)


if __name__ == "__main__":
    unittest.main(argv=["test_paraview_lines.py"])
