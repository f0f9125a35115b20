#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Lines through the dumps of the analytics store, traced by Rivulet Stream Tracer, are those of the analytics streamlines.

    test_paraview_dumps.py TEST_ANALYTICS PVPYTHON PLUGINS
"""

import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM, PVPYTHON, PLUGINS = sys.argv[1:]
TRACE = """
from paraview.simple import *
from paraview import servermanager
from vtk.util.numpy_support import vtk_to_numpy


def values_of(data):
    \"\"\"Bytes of the points and arrays of each line.\"\"\"
    seeds = vtk_to_numpy(data.GetCellData().GetArray("SeedIds"))
    lines = []
    for cell, seed in enumerate(seeds):
        ids = data.GetCell(cell).GetPointIds()
        points = [ids.GetId(i) for i in range(ids.GetNumberOfIds())]
        arrays = [data.GetPointData().GetArray(name) for name in ("velocity", "height", "IntegrationTime")]
        lines.append((int(seed), *(vtk_to_numpy(array)[points].tobytes() for array in (data.GetPoints().GetData(), *arrays))))
    return sorted(lines)


written = OpenDataFile("streamlines.vtp.series")
for on_demand in ("Never", "Always"):
    dumps = RivuletSAMRAIReader(FileNames=["store.samrai/dumps.visit"], ReadOnDemand=on_demand)
    dumps.UpdatePipelineInformation()
    tracer = RivuletStreamTracer(dumps, Vectors=["CELLS", "velocity"], SeedType="Line")
    tracer.SeedType.Point1, tracer.SeedType.Point2, tracer.SeedType.Resolution = [-0.875, 0.75, 0.5], [0.875, -0.75, -0.5], 8
    tracer.MaximumStreamlineLength = 4
    for time in dumps.TimestepValues:
        lines = []
        for source in (tracer, written):
            source.UpdatePipeline(time)
            lines.append(values_of(servermanager.Fetch(source)))
        print("FOUND", (on_demand, time, len(lines[0]), lines[0] == lines[1]))
"""


class Dumps(unittest.TestCase):
    def test_lines_are_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([PROGRAM, "--gtest_filter=LevelDumps.AreWrittenBesideTheLinesThroughThem"], check=True,
                           env={**os.environ, "RIVULET_DUMPS": folder}, stdout=subprocess.DEVNULL)
            done = subprocess.run([PVPYTHON, "-c", TRACE], cwd=folder, text=True, check=False,
                                  env={**os.environ, "PV_PLUGIN_PATH": PLUGINS}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            found = [eval(line[6:]) for line in done.stdout.splitlines() if line.startswith("FOUND ")]  # noqa: S307
            self.assertEqual(found, [(how, time, 18, True) for how in ("Never", "Always") for time in (0.0, 0.5, 1.0)], done.stdout)


if __name__ == "__main__":
    unittest.main(argv=["test_paraview_dumps.py"])
