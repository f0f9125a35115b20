# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of ranks share: a tornado on disk, lines through it, and points all over it."""
from filter_testing import simple
from plugin_testing import controller, generate


def ranks():
    return controller().GetNumberOfProcesses()


def reader():
    source = simple.RivuletFieldReader(FileNames=[generate("storm.rvf", "tornado", "--size", "64", "--steps", "3", "--dt", "2")],
                                       MemoryBudget=64)
    source.UpdatePipeline()
    return source


def tracer_of(source, points, **properties):
    seeds = simple.PolyPointSource(Points=[c for point in points for c in point])
    tracer = simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=seeds, **properties)
    tracer.Vectors = ["POINTS", "velocity"]
    tracer.MaximumStreamlineLength = 40.0
    return tracer


def cloud(source, count=60):
    """Points all over the field, in an order that gives each rank points everywhere."""
    bounds = source.GetDataInformation().GetBounds()
    at = lambda axis, i, step: bounds[2 * axis] + (0.05 + 0.9 * (i * step % 1.0)) * (bounds[2 * axis + 1] - bounds[2 * axis])
    return [(at(0, i, 0.6180339887), at(1, i, 0.7548776662), at(2, i, 0.5698402910)) for i in range(count)]
