# SPDX-License-Identifier: BSD-3-Clause
"""Traces a fixed scene and prints a hash of all ranks' lines; same_bytes.py compares it between runs.

Arguments: FIELD BUDGET THREADS STRATEGY
"""
import sys

from filter_testing import digest, simple
from paraview import servermanager

path, budget, threads, strategy = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
if path == "wavelet":
    field = simple.Calculator(Input=simple.Wavelet(), ResultArrayName="velocity",
                              Function="(2+coordsY/9)*iHat-coordsX/8*jHat+(0.3+RTData/500)*kHat")
    found = simple.PointSource(NumberOfPoints=101, Radius=9.0)
else:
    field = simple.RivuletFieldReader(FileNames=[path])
    found = simple.RivuletVortexSeeds(Input=field, MinimumVorticity=1.0, NumberOfSeeds=101, MemoryBudget=budget)
    found.Vectors = ["POINTS", "velocity"]
lines = simple.RivuletStreamTracerWithCustomSource(Input=field, SeedSource=found, MemoryBudget=budget,
                                                   NumberOfThreads=threads, AccessStrategy=strategy)
lines.Vectors = ["POINTS", "velocity"]
lines.MaximumStreamlineLength = 12.0
lines.UpdatePipeline()
output = servermanager.Fetch(lines)
if output is not None and output.GetNumberOfLines():
    fields = output.GetFieldData()
    outside = fields.GetArray("SeedsOutside").GetTuple1(0)
    steps = fields.GetArray("IntegrationSteps").GetTuple1(0)
    print("digest", output.GetNumberOfLines(), int(outside), int(steps), digest(output), flush=True)
