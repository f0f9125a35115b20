# SPDX-License-Identifier: BSD-3-Clause
"""Traces lines that do not end by themselves, for test_stopping.py. Prints "begun" when there is progress to report, the
results, and that the script goes on.

Arguments: FIELD [unfetched] [NAME=VALUE of the tracer ...]. With the word "unfetched" the lines stay where they are and
no results are printed: ParaView takes four times as long to copy and describe them as the tracer takes to make them.
"""
import json
import os
import sys
from collections import Counter

from filter_testing import array_of, fetch, simple, statistic

field = simple.RivuletFieldReader(FileNames=[sys.argv[1]])
field.UpdatePipeline()
seeds = simple.Line(Point1=(0.05, 0, -0.9), Point2=(0.9, 0, 0.9), Resolution=59)
# The lines would fill the memory: the run ends by itself, later than any test waits.
tracer = simple.RivuletStreamTracerWithCustomSource(
    Input=field, SeedSource=seeds, AccessStrategy="Direct Cache", MemoryBudget=1, NumberOfThreads=1, ComputeVorticity=0,
    IntegrationDirection="FORWARD", IntegratorType="Runge-Kutta 4", IntegrationStepUnit="Length", InitialStepLength=0.05,
    MaximumSteps=10**9, MaximumStreamlineLength=1e9, MaximumSeconds=30)
tracer.Vectors = ["POINTS", "velocity"]
fetched = "unfetched" not in sys.argv
for argument in sys.argv[2 if fetched else 3:]:
    name, value = argument.split("=")
    tracer.__setattr__(name, json.loads(value))


def begun(algorithm, _):
    if algorithm.GetProgress() < 1.0 and begun.calls == 1:  # the first is the pipeline's own
        os.write(1, b"begun\n")  # ParaView's sys.stdout keeps what print() flushes
    begun.calls += 1


begun.calls = 0
tracer.GetClientSideObject().AddObserver("ProgressEvent", begun)
tracer.UpdatePipeline()
if fetched:
    lines = fetch(tracer)
    reasons = array_of(lines.GetCellData(), "ReasonForTermination").tolist() if lines.GetNumberOfLines() else []
    print("result", json.dumps({"reasons": Counter(reasons), "cut": statistic(lines, "LinesCut"),
                                "points": lines.GetNumberOfPoints()}), flush=True)
print("the script goes on", flush=True)
