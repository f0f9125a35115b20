# SPDX-License-Identifier: BSD-3-Clause
"""Traces a fixed scene and prints a hash of all ranks' results; same_bytes.py compares it between runs.

Arguments: FIELD BUDGET THREADS STRATEGY   the strategy Ranks: they read bricks for each other
"""
import hashlib
import sys

from filter_testing import array_of, digest, simple
from paraview import servermanager
from plugin_testing import scratch
from vtkmodules.vtkIOXML import vtkXMLPImageDataReader

path, budget, threads, strategy = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
RUN = {"MemoryBudget": budget, "NumberOfThreads": threads}
RUN.update({"ShareBricks": 1} if strategy == "Ranks" else {"AccessStrategy": strategy})


def lines():
    if path == "wavelet":
        field = simple.Calculator(Input=simple.Wavelet(), ResultArrayName="velocity",
                                  Function="(2+coordsY/9)*iHat-coordsX/8*jHat+(0.3+RTData/500)*kHat")
        found = simple.PointSource(NumberOfPoints=101, Radius=9.0)
    else:
        field = simple.RivuletFieldReader(FileNames=[path])
        found = simple.RivuletVortexSeeds(Input=field, MinimumVorticity=1.0, NumberOfSeeds=101, MemoryBudget=budget)
        found.Vectors = ["POINTS", "velocity"]
    traced = simple.RivuletStreamTracerWithCustomSource(Input=field, SeedSource=found, **RUN)
    traced.Vectors = ["POINTS", "velocity"]
    traced.MaximumStreamlineLength = 12.0
    traced.UpdatePipeline()
    output = servermanager.Fetch(traced)
    if output is not None and output.GetNumberOfLines():
        fields = output.GetFieldData()
        outside = fields.GetArray("SeedsOutside").GetTuple1(0)
        steps = fields.GetArray("IntegrationSteps").GetTuple1(0)
        print("digest", output.GetNumberOfLines(), int(outside), int(steps), digest(output), flush=True)


def exponents():
    ftle = simple.RivuletFTLE(Input=simple.RivuletFieldReader(FileNames=[path]), Lattice="Box", Bounds=[0, 2, 0, 1, 0.5, 0.5],
                              Dimensions=[203, 101, 1], AdaptiveSampling=True, SamplingLevels=2, **RUN)
    ftle.Vectors = ["POINTS", "velocity"]
    ftle.UpdatePipeline(0.0)
    # Fetch() has the piece of one rank: an image is put together by the reader of pieces.
    pieces = scratch("exponents.pvti")
    simple.SaveData(pieces, proxy=ftle, DataMode="Binary")  # see Documentation/known-faults.md
    reader = vtkXMLPImageDataReader()
    reader.SetFileName(pieces)
    reader.Update()
    output = reader.GetOutput()
    arrays = [array_of(output.GetPointData(), name).tobytes() for name in ("FTLE", "Traced", "Estimated")]
    print("digest", output.GetNumberOfPoints(), hashlib.sha256(b"".join(arrays)).hexdigest(), flush=True)


if path.endswith("gyre.rvf"):
    exponents()
else:
    lines()
