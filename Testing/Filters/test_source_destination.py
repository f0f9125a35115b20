# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet Source Destination: exact arrivals, kinds of regions, tables, lines, both ways to the steps, refusals."""
import numpy as np
from filter_testing import Messages, array_of, points_of, simple, statistic
from plugin_testing import controller, generate, information, run, scratch
from programmed_flow import INFORMATION, STEPS, flow, set_sphere
from vtkmodules.util.numpy_support import vtk_to_numpy

ALONE = controller().GetNumberOfProcesses() == 1
FIRST = controller().GetLocalProcessId() == 0


def gyre():
    return simple.RivuletFieldReader(FileNames=[generate(
        "gyre.rvf", "double-gyre", "--dims", "41,21,5", "--steps", "9", "--dt", "0.7")])


def query(source, balls=((-0.6, 0, 0), (0.4, 0, 0)), radius=0.2, **properties):
    """From a ball to a ball, unless the properties say otherwise."""
    made = simple.RivuletSourceDestination(Input=source, Vectors=["POINTS", "velocity"])
    made.SourceFunction, made.DestinationFunction = "Sphere", "Sphere"
    set_sphere(made.SourceFunction, balls[0], radius)
    set_sphere(made.DestinationFunction, balls[1], radius)
    for name, value in properties.items():
        made.__setattr__(name, value)
    return made


def outputs(made, time=0.0):
    made.UpdatePipeline(time)
    return [made.GetClientSideObject().GetOutputDataObject(port) for port in range(4)]


def column(table, name):
    array = table.GetRowData().GetAbstractArray(name)
    return [array.GetVariantValue(i).ToString() if name in ("Source", "Destination") else array.GetVariantValue(i).ToDouble()
            for i in range(array.GetNumberOfTuples())]


def values_of(made):
    """All values of the outputs but the statistics."""
    found = []
    for output in outputs(made)[:2]:
        found.append(points_of(output).tobytes())
        for data in (output.GetPointData(), output.GetCellData()):
            arrays = [data.GetArray(i) for i in range(data.GetNumberOfArrays())]
            found += sorted((a.GetName(), vtk_to_numpy(a).tobytes()) for a in arrays if a.GetName() not in ("zone", "one"))
    return found


def test_arrivals_are_exact():
    lines, hits, counts, durations = outputs(query(flow(), NumberOfSeeds=2000))
    if FIRST:
        data = hits.GetPointData()
        starts, ends = array_of(data, "ReleasePoint"), points_of(hits)
        assert len(ends) > 500
        # Along x, on the sphere around (0.4, 0, 0).
        chord = 0.4 - np.sqrt(0.04 - starts[:, 1] ** 2 - starts[:, 2] ** 2)
        assert np.allclose(ends[:, 0], chord, atol=1e-6) and np.allclose(ends[:, 1:], starts[:, 1:], atol=1e-7)
        assert np.allclose(array_of(data, "ArrivalTime"), (chord - starts[:, 0]) / 0.5, atol=2e-6)
        assert np.allclose(array_of(data, "Length"), chord - starts[:, 0], atol=1e-6)
        assert column(counts, "Hits") == [len(ends)] == column(counts, "Released")  # all arrive
        assert column(counts, "Share") == [1.0]
        assert np.sum(column(durations, "source to destination")) == len(ends)
        assert abs(column(durations, "To")[-1] - array_of(data, "Duration").max()) < 1e-12
    assert not ALONE or lines.GetNumberOfLines() == hits.GetNumberOfPoints()


def test_lines_end_at_the_last_arrival():
    lines, hits, _, _ = outputs(query(flow(), NumberOfSeeds=300))
    if not ALONE:
        return
    arrival = dict(zip(array_of(hits.GetPointData(), "SeedId"), array_of(hits.GetPointData(), "ArrivalTime")))
    offsets = vtk_to_numpy(lines.GetLines().GetOffsetsArray())
    times, places = array_of(lines.GetPointData(), "SimulationTime"), dict(
        zip(array_of(hits.GetPointData(), "SeedId"), points_of(hits)))
    for i, seed in enumerate(array_of(lines.GetCellData(), "SeedId")):
        assert times[offsets[i + 1] - 1] == arrival[seed] and times[offsets[i]] == 0
        assert np.allclose(points_of(lines)[offsets[i + 1] - 1], places[seed], atol=1e-6)
    assert np.all(array_of(lines.GetCellData(), "Hits") == 1)
    assert outputs(query(flow(), NumberOfSeeds=300, ComputeLines=0))[0].GetNumberOfLines() == 0


def test_surfaces_and_boxes_are_regions_too():
    far = simple.Box(XLength=0.3, YLength=0.3, ZLength=0.3, Center=[0.4, 0, 0])
    near = simple.Sphere(Radius=0.2, Center=[-0.6, 0, 0], ThetaResolution=32, PhiResolution=32)
    miss = simple.Sphere(Radius=0.1, Center=[0.4, 0.8, 0])
    made = query(flow(), SourceKind="Surfaces", DestinationKind="Surfaces", NumberOfSeeds=1000)
    made.SourceSurfaces, made.DestinationSurfaces = [near], [far, miss]
    _, hits, counts, _ = outputs(made)
    if FIRST:
        assert column(counts, "Source") == ["source 0"] * 2 and column(counts, "Destination")[1] == "destination 1"
        assert column(counts, "Hits")[1] == 0 and 0 < column(counts, "Hits")[0] < column(counts, "Released")[0]
        starts = array_of(hits.GetPointData(), "ReleasePoint")
        assert np.abs(starts[:, 1:]).max() < 0.15 and np.allclose(points_of(hits)[:, 0], 0.25, atol=1e-6)
    boxed = query(flow(), NumberOfSeeds=1000)
    boxed.DestinationFunction = "Box"
    boxed.DestinationFunction.Position, boxed.DestinationFunction.Length = [0.25, -0.15, -0.15], [0.3, 0.3, 0.3]
    _, hits, _, _ = outputs(boxed)
    if FIRST:
        assert hits.GetNumberOfPoints() > 0 and np.allclose(points_of(hits)[:, 0], 0.25, atol=1e-6)


def test_labels_are_regions():
    made = query(flow(), SourceKind="Labels", SourceLabelArray="zone", SourceLabels=[1], DestinationKind="Labels",
                 DestinationLabelArray="zone", NumberOfSeeds=500)
    _, hits, counts, _ = outputs(made)
    if FIRST:
        assert column(counts, "Destination") == ["zone 1", "zone 2"]
        assert column(counts, "Hits")[0] == column(counts, "Released")[0]  # inside at the release
        data = hits.GetPointData()
        there = array_of(data, "Destination") == 1
        assert np.any(there) and np.allclose(points_of(hits)[there, 0], 0.4375, atol=1e-5)


def of_labels(source):
    return query(source, SourceKind="Labels", SourceLabelArray="zone", DestinationKind="Labels",
                 DestinationLabelArray="zone", NumberOfSeeds=500)


def test_labels_above_32_bits_are_different_ones():
    small = outputs(of_labels(flow()))[2]
    large = outputs(of_labels(flow(labels=(2**60 + 1, 2**60 + 2), number="int64")))[2]
    if FIRST:
        assert column(large, "Destination") == [f"zone {2**60 + 1}", f"zone {2**60 + 2}"] * 2
        assert column(large, "Hits") == column(small, "Hits") and np.max(column(small, "Hits")) > 0


def from_file(name, source):
    simple.SaveData(scratch(name), proxy=source, WriteAllTimeSteps=1)
    return simple.OpenDataFile(scratch(name))


def test_labels_of_files_are_regions():
    if not ALONE:
        return
    _, hits, counts, _ = outputs(of_labels(flow()))
    _, of_file, counts_of_file, _ = outputs(of_labels(from_file("zones.rvf", flow())))
    assert points_of(hits).tobytes() == points_of(of_file).tobytes() and hits.GetNumberOfPoints() > 0
    assert column(counts, "Destination") == column(counts_of_file, "Destination")
    moving = from_file("zones_move.rvs", flow(border="-0.45 + 0.5 * time"))
    assert 'the labels "zone" change with time: at time 0.5 they are others' in refusal(of_labels(moving))
    assert 'which is no label' in refusal(of_labels(from_file("halves.rvf", flow(labels=(0.5, 2), number="float32"))))


def test_regions_that_change_with_time_are_refused_by_name():
    assert 'the labels "zone" change with time: at time 0.5 they are others' in refusal(
        of_labels(flow(border="-0.45 + 0.5 * time")))
    ball = "from vtkmodules.vtkFiltersSources import vtkSphereSource\nball = vtkSphereSource()\nball.SetRadius(0.2)\n"
    moving = ("from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P\n"
              "info = self.GetOutputInformation(0)\ntime = info.Get(P.UPDATE_TIME_STEP())\n" + ball +
              "ball.SetCenter(0.4 + {speed} * time, 0, 0)\nball.Update()\nself.GetOutputDataObject(0).ShallowCopy(ball.GetOutput())")
    times = INFORMATION.replace("info.Set(P.WHOLE_EXTENT(), 0, 16, 0, 16, 0, 8)\n", "").format(times=STEPS)

    def surface(speed):
        return simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=moving.format(speed=speed),
                                         ScriptRequestInformation=times)
    moved = query(flow(), DestinationKind="Surfaces", NumberOfSeeds=200)
    moved.DestinationSurfaces = [surface(0.0), surface(0.1)]
    assert "destination surface 1 moves: at time 0.5 it is another than at time 0" in refusal(moved)
    still = query(flow(), DestinationKind="Surfaces", NumberOfSeeds=200)
    still.DestinationSurfaces = [surface(0.0)]
    _, hits, _, _ = outputs(still)
    assert not FIRST or hits.GetNumberOfPoints() > 0


def test_backward_finds_where_particles_came_from():
    there = query(flow(), NumberOfSeeds=1000)
    back = query(flow(), ((0.4, 0, 0), (-0.6, 0, 0)), IntegrationDirection="BACKWARD", ReleaseStart=4.0,
                 NumberOfSeeds=1000)
    _, hits, _, _ = outputs(there)
    _, origins, _, _ = outputs(back)
    if FIRST:
        assert np.all(array_of(origins.GetPointData(), "ArrivalTime") < 4.0)
        assert origins.GetNumberOfPoints() > 0 and hits.GetNumberOfPoints() > 0
        assert np.allclose(array_of(origins.GetPointData(), "Duration").max(), array_of(hits.GetPointData(), "Duration").max(),
                           atol=0.1)


def test_releases_and_durations():
    made = query(flow(), ReleaseStart=0.5, ReleaseEnd=2.0, ReleaseInterval=0.5, NumberOfSeeds=200)
    _, hits, counts, _ = outputs(made)
    if FIRST:
        assert sorted(set(array_of(hits.GetPointData(), "ReleaseTime"))) == [0.5, 1.0, 1.5, 2.0]
        assert column(counts, "Hits") == column(counts, "Released")
    short = query(flow(), NumberOfSeeds=1000, Duration=1.8)
    _, hits, _, _ = outputs(short)
    if FIRST:
        assert 0 < hits.GetNumberOfPoints() < 500
        assert array_of(hits.GetPointData(), "Duration").max() <= 1.8


def test_ways_threads_and_budgets_change_no_byte():
    there = {"balls": ((0.3, 0.5, 0.5), (0.75, 0.4, 0.5)), "radius": 0.2, "NumberOfSeeds": 800, "ReleaseEnd": 2.0,
             "ReleaseInterval": 0.5}
    bricks = query(gyre(), **there)
    here = values_of(bricks)
    assert not FIRST or len(here[0]) > 0
    assert values_of(query(gyre(), NumberOfThreads=1, **there)) == here
    assert values_of(query(gyre(), AccessStrategy="Asynchronous", MemoryBudget=1, **there)) == here
    steps = query(simple.Calculator(Input=gyre(), Function="1", ResultArrayName="one"), **there)
    assert values_of(steps) == here
    assert information(steps, "TimeAccess").startswith("Step by step")
    asked = information(steps, "StepsRequested")
    assert values_of(steps) == here and asked == 9
    cubic = values_of(query(gyre(), TimeInterpolation="Cubic", **there))
    assert not FIRST or cubic != here
    stepwise = query(simple.Calculator(Input=gyre(), Function="1", ResultArrayName="one"), TimeInterpolation="Cubic", **there)
    assert values_of(stepwise) == cubic and information(stepwise, "StepsRequested") == 9
    steps.UpdatePipeline(2.8)  # the result is that of all times
    assert information(steps, "StepsRequested") == 0
    assert values_of(steps) == here


def refusal(made):
    with Messages() as said:
        found = outputs(made)
    assert [output.GetNumberOfPoints() for output in found[:2]] == [0, 0]
    return said.text()


def test_what_cannot_be_asked_is_refused():
    if not ALONE:
        return
    open_surface = query(flow(), SourceKind="Surfaces")
    open_surface.SourceSurfaces = [simple.Plane(Origin=[-0.6, 0, 0], Point1=[-0.5, 0, 0], Point2=[-0.6, 0.1, 0])]
    assert "source surface 0" in refusal(open_surface)
    assert "no source surface" in refusal(query(flow(), SourceKind="Surfaces"))
    assert '"colour"' in refusal(query(flow(), SourceKind="Labels", SourceLabelArray="colour"))
    assert "no time left" in refusal(query(flow(), ReleaseStart=4.0))
    assert "no particle is released" in refusal(query(flow(), ((7, 7, 7), (0.4, 0, 0))))
    nothing = query(flow(), ((-0.6, 0, 0), (0.4, 0.8, 0)), 0.05)
    with Messages() as said:
        found = outputs(nothing)
    assert found[1].GetNumberOfPoints() == 0 and column(found[2], "Hits") == [0] and said.count() == 0, said.text()


run(globals())
