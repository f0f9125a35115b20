# SPDX-License-Identifier: BSD-3-Clause
"""Ranks that read bricks for each other: the same lines, fewer reads, and what became of messages in the field data."""
from filter_testing import Messages, digest, fetch, points_of, simple, statistic
from plugin_testing import run
from storm_testing import cloud, ranks, reader, tracer_of
from vtkmodules.util.numpy_support import vtk_to_numpy

COUNTS = ("BricksFromRanks", "BricksLate", "BricksRefused", "RankMessages", "RankMessageBytes", "RankLatency")


def values(lines):
    """All values of an output but the statistics."""
    arrays = [data.GetArray(i) for data in (lines.GetPointData(), lines.GetCellData()) for i in range(data.GetNumberOfArrays())]
    return points_of(lines).tobytes(), sorted((a.GetName(), vtk_to_numpy(a).tobytes()) for a in arrays)


def test_lines_are_the_same_and_bricks_are_read_once():
    source = reader()
    points = cloud(source)
    alone = fetch(tracer_of(source, points, AccessStrategy="Asynchronous"))
    source = reader()
    shared = fetch(tracer_of(source, points, ShareBricks=1))
    assert shared.GetNumberOfPoints() > 1000
    assert digest(shared) == digest(alone)
    fields = shared.GetFieldData()
    assert [fields.HasArray(name) for name in COUNTS] == [int(ranks() > 1)] * len(COUNTS)
    assert not alone.GetFieldData().HasArray("BricksFromRanks")
    if ranks() > 1:
        assert statistic(shared, "BricksFromRanks") > 20
        assert statistic(shared, "RankMessages") >= 2 * statistic(shared, "BricksFromRanks")
        assert statistic(shared, "RankMessageBytes") > 10000 * statistic(shared, "BricksFromRanks")
        latency = fields.GetArray("RankLatency")
        assert sum(latency.GetTuple(0)) == statistic(shared, "BricksFromRanks")
        assert statistic(shared, "BricksRead") < statistic(alone, "BricksRead")


def test_settings_of_the_reader_return():
    source = reader()
    source.AccessStrategy = "Memory Map"
    tracer = tracer_of(source, cloud(source, 8), ShareBricks=1)
    shared = digest(fetch(tracer))
    if ranks() > 1:
        assert tracer.GetPropertyValue("StrategyReason") == "Ranks read bricks for each other."
        assert tracer.GetPropertyValue("StrategyInUse") == "Asynchronous"
    alone = tracer_of(source, cloud(source, 8))
    assert digest(fetch(alone)) == shared
    assert alone.GetPropertyValue("StrategyInUse") == "Memory Map"


def test_all_filters_share_bricks():
    results = []
    for share in (0, 1):
        source = reader()
        shared = {"Input": source, "ShareBricks": share}
        line = simple.Line(Point1=[0.3, 0.3, 0.3], Point2=[0.7, 0.7, 0.7], Resolution=6)
        surface = simple.RivuletStreakSurfaceWithCustomSource(SeedSource=line, **shared)
        paths = simple.RivuletPathTracerWithCustomSource(SeedSource=line, **shared)
        streaks = simple.RivuletStreakLineWithCustomSource(SeedSource=line, **shared)
        found = []
        arrivals = simple.RivuletSourceDestination(SourceFunction="Sphere", DestinationFunction="Sphere", ComputeLines=1, **shared)
        for function, center, radius in ((arrivals.SourceFunction, [0.5, 0.5, 0.3], 0.1), (arrivals.DestinationFunction, [0.5, 0.5, 0.5], 0.1)):
            function.Center, function.Radius = center, radius
        for tracer in (surface, paths, streaks, arrivals):
            tracer.Vectors = ["POINTS", "velocity"]
            tracer.UpdatePipeline(4.0)
            found.append(values(fetch(tracer)))
        results.append(found)
        assert all(len(points) > 30 for points, _ in found), [len(points) for points, _ in found]
    assert results[0] == results[1]


def test_store_ranks_are_no_more():
    """The property of earlier scripts warns, and changes nothing."""
    source = reader()
    alone = digest(fetch(tracer_of(source, cloud(source))))
    with Messages() as messages:
        shared = fetch(tracer_of(source, cloud(source), ShareBricks=1, StoreRanks=1))
    assert digest(shared) == alone
    assert "Store Ranks has no effect any more" in messages.text()


def test_a_budget_for_both_kinds_of_bricks():
    source = reader()
    with Messages() as messages:
        refused = fetch(tracer_of(source, cloud(source), ShareBricks=1, MemoryBudget=1, NumberOfThreads=512))
    assert refused.GetNumberOfPoints() == 0 and "memory budget" in messages.text()
    small = fetch(tracer_of(source, cloud(source), ShareBricks=1, MemoryBudget=3, NumberOfThreads=1))
    assert digest(small) == digest(fetch(tracer_of(source, cloud(source))))
    assert statistic(small, "PeakBytes") <= 3 * 2**20


def test_paths_through_all_steps():
    source = reader()
    paths = []
    for share in (0, 1):
        seeds = simple.PolyPointSource(Points=[c for point in cloud(source, 24) for c in point])
        tracer = simple.RivuletPathTracerWithCustomSource(Input=source, SeedSource=seeds, ShareBricks=share)
        tracer.Vectors = ["POINTS", "velocity"]
        tracer.UpdatePipeline(4.0)
        paths.append(fetch(tracer))
    assert paths[0].GetNumberOfPoints() > 100
    assert values(paths[0]) == values(paths[1])
    assert ranks() == 1 or statistic(paths[1], "BricksFromRanks") > 0


def test_inputs_that_are_not_one_field_do_without():
    memory = simple.Calculator(Input=simple.Wavelet(), ResultArrayName="velocity",
                               Function="coordsY*iHat-coordsX*jHat+kHat")
    memory.UpdatePipeline()
    lines = fetch(tracer_of(memory, cloud(memory, 8), ShareBricks=1))
    assert lines.GetNumberOfPoints() > 100
    assert not lines.GetFieldData().HasArray("BricksFromRanks")


run(globals())
