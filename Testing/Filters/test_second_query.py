# SPDX-License-Identifier: BSD-3-Clause
"""A second query of the same AMR uses the bricks of the first, and never values that are old."""
import os
import shutil

import numpy as np
from filter_testing import Messages, digest, fetch, points_of, simple, statistic
from plugin_testing import dump, opened, run
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkAMRBox, vtkOverlappingAMR, vtkUniformGrid

LEVELS = ("--cells", "24", "24", "12", "--spacing", "0.125", "0.125", "0.125", "--origin", "-1.5", "-1.5", "0", "--levels", "3",
          "--refine", "0.6", "--patches", "2", "2", "1", "--ratio", "2", "--variable",
          "name=v,shape=vector,function=rotation,type=f8", "--variable", "name=p,function=linear,type=f8")
FIRST = [(1.1, 0, 0.1), (0.2, 0.1, 0.3)]


def vortex(name="vortex", *more, **properties):
    return opened(dump(name, *LEVELS, *more), **properties)


def tracer_of(source, points, **properties):
    seeds = simple.PolyPointSource(Points=[c for point in points for c in point])
    return simple.RivuletStreamTracerWithCustomSource(
        Input=source, SeedSource=seeds, Vectors=["CELLS", "v"], MaximumStreamlineLength=4.0,
        IntegrationDirection="FORWARD", **properties)


def move(tracer, points):
    tracer.SeedSource.Points = [c for point in points for c in point]


def along(lines):
    """A point on the way of a line: a line from there needs nothing that this one did not need."""
    first = lines.GetCell(0).GetNumberOfPoints()
    return [tuple(float(x) for x in points_of(lines)[first // 2])]


def assert_same_as_fresh(tracer, points):
    mine = fetch(tracer)
    fresh = fetch(tracer_of(tracer.Input, points))
    assert mine.GetNumberOfPoints() > 1
    assert digest(mine) == digest(fresh)
    return mine, fresh


def read(lines):
    return [statistic(lines, name) for name in ("BytesRead", "BricksRead", "CacheMisses")]


def test_a_seed_that_moves_reads_nothing_twice():
    for when in ("Never", "Always"):
        tracer = tracer_of(vortex(ReadOnDemand=when), FIRST)
        first = fetch(tracer)
        assert statistic(first, "CacheMisses") > 0
        second = along(first)
        move(tracer, second)
        mine, fresh = assert_same_as_fresh(tracer, second)
        assert read(mine) == [0, 0, 0] and statistic(mine, "CacheHits") > 0, (when, read(mine))
        assert statistic(fresh, "CacheMisses") > 0, when


def test_other_settings_use_the_bricks_too():
    tracer = tracer_of(vortex(ReadOnDemand="Always"), FIRST)
    before = digest(fetch(tracer))
    tracer.MaximumSteps = 25
    short = fetch(tracer)
    assert digest(short) != before and read(short) == [0, 0, 0], read(short)


def test_parts_that_were_not_there_are_read():
    tracer = tracer_of(vortex(ReadOnDemand="Always"), FIRST)
    first = fetch(tracer)
    far = [(-1.2, -1.2, 0.7)]
    move(tracer, along(first) + far)
    mine, fresh = assert_same_as_fresh(tracer, along(first) + far)
    assert 0 < statistic(mine, "CacheMisses") < statistic(fresh, "CacheMisses")


def test_bricks_that_are_kept_count_in_the_next_budget():
    many = FIRST + [(x, y, z) for x in (-1.2, -0.6, 0.5, 1.3) for y in (-1.1, -0.3, 0.4, 1.2) for z in (0.1, 0.7, 1.3)]
    tracer = tracer_of(vortex(ReadOnDemand="Always"), many, MemoryBudget=64)
    first = fetch(tracer)
    assert statistic(first, "PeakBytes") > 2 * 2**20, statistic(first, "PeakBytes")
    tracer.MemoryBudget = 2
    second = along(first)
    move(tracer, second)
    mine, _ = assert_same_as_fresh(tracer, second)
    assert 0 < statistic(mine, "PeakBytes") <= 2 * 2**20


def test_another_time_step_or_level_is_read_anew():
    reader = vortex("series", "--steps", "2", "--variable", "name=w,shape=vector,function=smooth,type=f8",
                    ReadOnDemand="Always")
    tracer = tracer_of(reader, FIRST)
    tracer.Vectors = ["CELLS", "w"]

    def assert_fresh():
        fresh = tracer_of(reader, FIRST)
        fresh.Vectors = ["CELLS", "w"]
        fresh.UpdatePipeline(time)
        assert digest(fetch_at(tracer)) == digest(fetch_at(fresh))

    def fetch_at(proxy):
        return proxy.GetClientSideObject().GetOutputDataObject(0)

    seen = set()
    for time in (*reader.TimestepValues, reader.TimestepValues[0]):
        tracer.UpdatePipeline(time)
        assert statistic(fetch_at(tracer), "BricksRead") > 0
        assert_fresh()
        seen.add(digest(fetch_at(tracer)))
    reader.FinestLevel = 0
    tracer.UpdatePipeline(time)
    assert_fresh()
    seen.add(digest(fetch_at(tracer)))
    assert len(seen) == 3, len(seen)


def source_of_ones():
    amr = vtkOverlappingAMR()
    amr.Initialize(1, [1])
    amr.SetGridDescription(8)  # VTK_XYZ_GRID
    amr.SetOrigin([0, 0, 0])
    amr.SetSpacing(0, [0.25] * 3)
    amr.SetAMRBox(0, 0, vtkAMRBox([0] * 3, [3] * 3))
    grid = vtkUniformGrid()
    grid.SetDimensions([5] * 3)
    grid.SetSpacing([0.25] * 3)
    values = numpy_to_vtk(np.ones((64, 3)), deep=1)
    values.SetName("v")
    grid.GetCellData().AddArray(values)
    amr.SetDataSet(0, 0, grid)
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(amr)
    source.UpdatePipeline()
    return source, amr


def test_a_value_that_changes_in_memory_is_seen():
    source, amr = source_of_ones()
    points = [(0.3, 0.3, 0.3)]
    tracer = tracer_of(source, points)
    before = digest(fetch(tracer))
    move(tracer, [(0.31, 0.3, 0.3)])
    assert statistic(fetch(tracer), "CacheMisses") == 0
    array = amr.GetDataSet(0, 0).GetCellData().GetArray("v")
    vtk_to_numpy(array)[21] = (1, -0.5, 0.25)
    array.Modified()
    source.GetClientSideObject().Modified()
    move(tracer, points)
    mine, _ = assert_same_as_fresh(tracer, points)
    assert digest(mine) != before
    assert statistic(mine, "CacheMisses") > 0


def test_a_block_that_is_replaced_is_seen():
    source, amr = source_of_ones()
    points = [(0.3, 0.3, 0.3)]
    tracer = tracer_of(source, points)
    before = digest(fetch(tracer))
    other = vtkUniformGrid()
    other.DeepCopy(amr.GetDataSet(0, 0))
    vtk_to_numpy(other.GetCellData().GetArray("v"))[:, 1] = 0.5
    amr.SetDataSet(0, 0, other)
    source.GetClientSideObject().Modified()
    move(tracer, [(0.3, 0.3, 0.31)])
    mine, _ = assert_same_as_fresh(tracer, [(0.3, 0.3, 0.31)])
    assert digest(mine) != before


def test_bricks_that_could_not_be_read_are_tried_again():
    folder = dump("broken", *LEVELS)
    reader = opened(folder, ReadOnDemand="Always")
    files = [os.path.join(at, name) for at, _, names in os.walk(folder) for name in names if name.startswith("processor")]
    assert files, os.listdir(folder)
    for path in files:
        os.rename(path, path + ".away")
    tracer = tracer_of(reader, FIRST)
    with Messages() as messages:
        fetch(tracer)
    assert messages.count() > 0
    for path in files:
        shutil.move(path + ".away", path)
    second = [(1.0, 0.1, 0.1)]
    move(tracer, second)
    with Messages() as messages:
        assert_same_as_fresh(tracer, second)
    assert messages.count() == 0, messages.text()


run(globals())
