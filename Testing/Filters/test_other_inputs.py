# SPDX-License-Identifier: BSD-3-Clause
"""Seeds and surfaces of the filters in time: in blocks, made of the same reader as the field, and moving; and steps that
come in other bricks than those before."""
import numpy as np
from filter_testing import Messages, array_of, points_of, simple
from in_time import random_flow, source_of
from plugin_testing import controller, generate, information, run, scratch

VECTORS = ["POINTS", "velocity"]
ALONE = controller().GetNumberOfProcesses() == 1
TRACERS = ("RivuletPathTracerWithCustomSource", "RivuletStreakLineWithCustomSource", "RivuletStreakSurfaceWithCustomSource")


def gyre(name="gyre.rvf", *options):
    return simple.RivuletFieldReader(FileNames=[generate(
        name, "double-gyre", "--dims", "41,21,5", "--steps", "9", "--dt", "0.7", *options)])


def computed():
    """The same flow through the pipeline, step by step."""
    return simple.Calculator(Input=gyre(), Function="1", ResultArrayName="one")


def at(filter, time, port=0):
    filter.UpdatePipeline(time)
    return filter.GetClientSideObject().GetOutputDataObject(port)


def bytes_of(output):
    data = output.GetPointData()
    names = sorted(data.GetArrayName(i) for i in range(data.GetNumberOfArrays()))
    return points_of(output).tobytes(), [array_of(data, name).tobytes() for name in names if name != "one"]


def lines_at(x):
    return simple.Line(Point1=[x, 0.2, 0.5], Point2=[x, 0.8, 0.5], Resolution=7)


def test_seeds_in_blocks_are_taken_together():
    apart = [lines_at(0.3), lines_at(0.9)]
    together = simple.AppendGeometry(Input=[lines_at(0.3), lines_at(0.9)])
    for name in TRACERS:
        for source in (computed, gyre):
            blocks = getattr(simple, name)(Input=source(), SeedSource=simple.GroupDatasets(Input=apart), Vectors=VECTORS)
            one = getattr(simple, name)(Input=source(), SeedSource=together, Vectors=VECTORS)
            for time in (2.1, 3.0):
                found = at(blocks, time)
                assert found.IsA("vtkPolyData"), name
                assert bytes_of(found) == bytes_of(at(one, time)), (name, source.__name__, time)
                assert not ALONE or found.GetNumberOfPoints() > 0, (name, source.__name__, time)


def test_blocks_without_points_have_a_message():
    nothing = simple.GroupDatasets(Input=[simple.PolyPointSource(Points=[]), simple.PolyPointSource(Points=[])])
    for name in TRACERS:
        with Messages() as messages:
            at(getattr(simple, name)(Input=computed(), SeedSource=nothing, Vectors=VECTORS), 1.4)
        assert "the seed source has no points" in messages.text(), (name, messages.text())


def points_of_subset():
    """The points that the subset below has, as seeds that the reader does not make."""
    return simple.PolyPointSource(Points=[x for j in (6, 14) for i in (8, 16, 24, 32) for x in (0.05 * i, 0.05 * j, 0.5)])


def test_seeds_may_be_made_of_the_same_reader():
    for make in (lambda: computed(), lambda: gyre()):
        source = make()
        subset = simple.ExtractSubset(Input=source, VOI=[8, 32, 6, 14, 2, 2], SampleRateI=8, SampleRateJ=8)
        for name in TRACERS[:2]:
            properties = dict(Vectors=VECTORS, ForceReinjectionEveryNSteps=2)
            same = getattr(simple, name)(Input=source, SeedSource=subset, **properties)
            other = getattr(simple, name)(Input=make(), SeedSource=points_of_subset(), **properties)
            for time in (2.1, 0.0, 3.0, 5.6):
                with Messages() as messages:
                    found = at(same, time)
                assert not messages.text(), (name, time, messages.text())
                expected = points_of(at(other, time))
                assert points_of(found).shape == expected.shape, (name, time)
                assert np.abs(points_of(found) - expected).max(initial=0) < 1e-5, (name, time)


def test_seeds_in_vortices_are_those_of_the_first_time():
    source = computed()
    vortices = simple.RivuletVortexSeeds(Input=source, Vectors=VECTORS)
    tracer = simple.RivuletPathTracerWithCustomSource(Input=source, SeedSource=vortices, Vectors=VECTORS)
    with Messages() as messages:
        lines = at(tracer, 2.8)
    assert not messages.text(), messages.text()
    if not ALONE:
        return
    alone = at(simple.RivuletVortexSeeds(Input=computed(), Vectors=VECTORS), 0.0)
    seeds = simple.PolyPointSource(Points=[x for i in range(alone.GetNumberOfPoints()) for x in alone.GetPoint(i)])
    other = simple.RivuletPathTracerWithCustomSource(Input=computed(), SeedSource=seeds, Vectors=VECTORS)
    assert np.abs(points_of(lines) - points_of(at(other, 2.8))).max(initial=0) < 1e-5
    assert not ALONE or lines.GetNumberOfPoints() > 0


def test_steps_between_those_of_a_file_are_joined_with_them():
    """Temporal Interpolator passes the file's steps on, and makes those between in memory."""
    for options in ((), ("--brick", "16")):
        reader = gyre("joined.rvf" if options else "gyre.rvf", *options)
        between = simple.TemporalInterpolator(Input=reader, DiscreteTimeStepInterval=0.35)
        seeds = lines_at(0.7)
        tracer = simple.RivuletPathTracerWithCustomSource(Input=between, SeedSource=seeds, Vectors=VECTORS)
        linear = simple.RivuletPathTracerWithCustomSource(Input=reader, SeedSource=seeds, Vectors=VECTORS)
        with Messages() as messages:
            found = at(tracer, 5.6, 1)
        assert not messages.text(), messages.text()
        # Linear between the steps of the file, and so is what is between: paths are the same but for their steps.
        expected = at(linear, 5.6, 1)
        assert np.abs(points_of(found) - points_of(expected)).max(initial=0) < 1e-4
        assert not ALONE or found.GetNumberOfPoints() == 8


MOVING = """
import builtins
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData, vtkCellArray
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
information, key = self.GetOutputInformation(0), vtkStreamingDemandDrivenPipeline.UPDATE_TIME_STEP()
time = information.Get(key) if information.Has(key) else 0.0
points, lines = vtkPoints(), vtkCellArray()
points.SetDataTypeToDouble()
lines.InsertNextCell(6)
for k in range(6):
    lines.InsertCellPoint(points.InsertNextPoint(0.5 + {speed} * time, 0.2 + 0.1 * k, 0.5))
output = self.GetOutputDataObject(0)
output.SetPoints(points)
output.SetLines(lines)
"""
TIMES = """
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
times = [0.7 * k for k in range(9)]
information = self.GetOutputInformation(0)
information.Set(vtkStreamingDemandDrivenPipeline.TIME_STEPS(), times, len(times))
information.Set(vtkStreamingDemandDrivenPipeline.TIME_RANGE(), [times[0], times[-1]], 2)
"""


def curve(speed):
    return simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=MOVING.format(speed=speed),
                                     ScriptRequestInformation=TIMES)


def test_streak_lines_begin_at_their_seeds_where_these_were():
    streaks = simple.RivuletStreakLineWithCustomSource(Input=computed(), SeedSource=curve(0.1), Vectors=VECTORS,
                                                       ForceReinjectionEveryNSteps=1)
    releases = at(streaks, 2.8, 1)
    data = releases.GetPointData()
    starts = np.asarray(array_of(data, "ReleaseTime"))
    assert np.allclose(points_of(releases)[:, 0], 0.5 + 0.1 * starts, atol=1e-12)
    assert not ALONE or len(set(starts)) > 3
    lines = at(streaks, 2.8)
    ages = np.asarray(array_of(lines.GetPointData(), "ParticleAge"))
    assert np.allclose(points_of(lines)[ages == 0][:, 0], 0.5 + 0.1 * 2.8, atol=1e-6)


def test_streak_surfaces_refuse_curves_that_move():
    common = dict(Input=computed(), Vectors=VECTORS)
    with Messages() as messages:
        moved = at(simple.RivuletStreakSurfaceWithCustomSource(SeedSource=curve(0.1), **common), 2.8)
    assert moved.GetNumberOfPoints() == 0
    assert "seed curve 0 moves: at time 0.7 it is another than at time 0" in messages.text(), messages.text()
    with Messages() as messages:
        still = at(simple.RivuletStreakSurfaceWithCustomSource(SeedSource=curve(0.0), **common), 2.8)
    assert not messages.text(), messages.text()
    assert not ALONE or still.GetNumberOfPoints() > 0


def test_other_surfaces_have_the_seeds_of_their_time():
    common = dict(Input=computed(), Vectors=VECTORS, SurfaceType="Stream Surface", StreamTime=0.5)
    moved = simple.RivuletStreakSurfaceWithCustomSource(SeedSource=curve(0.1), **common)
    for time in (2.8, 0.7):
        there = simple.Line(Point1=[0.5 + 0.1 * time, 0.2, 0.5], Point2=[0.5 + 0.1 * time, 0.7, 0.5], Resolution=5)
        still = simple.RivuletStreakSurfaceWithCustomSource(SeedSource=there, **common)
        one, other = points_of(at(moved, time)), points_of(at(still, time))
        assert one.shape[0] > 0 or not ALONE
        for bound in (np.min, np.max):  # adaptive, so that rounding of a seed may change where points are
            assert np.abs(bound(one, axis=0) - bound(other, axis=0)).max() < 1e-3 if len(one) else True, time


run(globals())
