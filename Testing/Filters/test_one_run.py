# SPDX-License-Identifier: BSD-3-Clause
"""A request that would give the last result again gets it without a run, and never an old one. Runs are told apart by
how long they took."""
import os
import shutil

import numpy as np
from filter_testing import Messages, digest, fetch, fill, image, produce, simple, statistic
from plugin_testing import controller, generate, opened, dump, run, scratch
from vtkmodules.util.numpy_support import vtk_to_numpy

FIELD = ("late.rvf", "tornado", "--size", "32", "--steps", "3", "--start-time", "5", "--dt", "2")


def field(name="late.rvf"):
    path = generate(*FIELD)
    if name != "late.rvf":
        shutil.copy(path, scratch(name))
    reader = simple.RivuletFieldReader(FileNames=[scratch(name)])
    reader.UpdatePipeline()
    return reader


def line_of(source):
    low, high = (np.array(source.GetDataInformation().GetBounds()[i::2]) for i in (0, 1))
    middle, half = (low + high) / 2, (high - low) / 2
    return simple.Line(Point1=list(middle - 0.6 * half), Point2=list(middle + 0.5 * half), Resolution=15)


def tracer_of(source, seeds=None, vectors="velocity", **properties):
    tracer = simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=seeds or line_of(source), **properties)
    tracer.Vectors = ["POINTS", vectors]
    tracer.MaximumStreamlineLength = 2.0
    return tracer


def run_of(proxy):
    return statistic(proxy.GetClientSideObject().GetOutputDataObject(0), "TraceSeconds")


def updated(proxy, *time):
    proxy.UpdatePipeline(*time)
    return run_of(proxy)


def assert_new(tracer, before, *time):
    """Another run, with the lines of a filter that has no last result."""
    now = updated(tracer, *time)
    assert now != before
    fresh = tracer_of(tracer.Input, tracer.SeedSource, tracer.Vectors[1], MaximumSteps=tracer.MaximumSteps)
    fresh.UpdatePipeline(*time)
    mine, theirs = fetch(tracer), fetch(fresh)
    assert mine.GetNumberOfLines() > 10
    assert digest(mine) == digest(theirs)
    return now


def test_showing_what_was_updated():
    tracer = tracer_of(field())
    first = updated(tracer)
    expected = digest(fetch(tracer))
    view = simple.CreateView("RenderView")
    for port in (0, 1):
        simple.Show(simple.OutputPort(tracer, port), view)
        simple.Render(view)
        assert run_of(tracer) == first
    assert digest(fetch(tracer)) == expected
    assert statistic(tracer.GetClientSideObject().GetOutputDataObject(1), "LinesCut") == 0
    simple.Delete(view)


def test_times_of_the_same_step():
    tracer = tracer_of(field())
    first = updated(tracer, 5.0)
    assert updated(tracer, 6.9) == first
    assert updated(tracer, 0.0) == first
    second = assert_new(tracer, first, 7.0)
    assert updated(tracer, 8.0) == second
    assert_new(tracer, second, 5.0)


def test_pieces_and_ghost_layers():
    in_memory = simple.Calculator(Input=simple.Wavelet(), ResultArrayName="velocity",
                                  Function="coordsY*iHat-coordsX*jHat+kHat")
    in_memory.UpdatePipeline()
    for source in (field(), in_memory):
        tracer = tracer_of(source)
        first = updated(tracer)
        simple.Gradient(Input=tracer, ScalarArray=["POINTS", "IntegrationTime"]).UpdatePipeline()
        simple.Clean(Input=tracer).UpdatePipeline()
        if controller().GetNumberOfProcesses() == 1:
            tracer.GetClientSideObject().UpdatePiece(0, 1, 3)
            tracer.GetClientSideObject().UpdatePiece(1, 2, 0)
        assert run_of(tracer) == first


def test_blocks():
    if controller().GetNumberOfProcesses() > 1:
        return  # a view and lines ask each rank for other patches, which are other arrays then
    source = opened(dump("dumps"), CellArrays=["pressure", "velocity"])
    tracer = tracer_of(source)
    tracer.Vectors = ["CELLS", "velocity"]
    first = updated(tracer)
    simple.Gradient(Input=tracer, ScalarArray=["POINTS", "IntegrationTime"]).UpdatePipeline()
    assert run_of(tracer) == first
    source.CellArrays = ["velocity"]
    assert updated(tracer) != first
    assert not fetch(tracer).GetPointData().HasArray("pressure")


def test_patches_are_read_once_for_all():
    if controller().GetNumberOfProcesses() > 1:
        return  # as above
    source = simple.RivuletSAMRAIReader(FileNames=[os.path.join(dump("series", "--steps", "2"), "dumps.visit")],
                                        ReadOnDemand="Never")
    runs = []
    source.GetClientSideObject().AddObserver("StartEvent", lambda *_: runs.append(1))
    source.UpdatePipeline()
    tracer = simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=line_of(source))
    tracer.Vectors = ["CELLS", "velocity"]
    first = updated(tracer)
    view = simple.CreateView("RenderView")
    simple.Show(source, view)
    simple.Show(tracer, view)
    simple.Render(view)
    assert (len(runs), run_of(tracer)) == (1, first), runs
    assert updated(tracer, source.TimestepValues[1]) != first
    assert len(runs) == 2
    simple.Delete(view)


def test_other_settings_and_seeds():
    tracer = tracer_of(field())
    before = updated(tracer)
    tracer.MaximumSteps = 15
    before = assert_new(tracer, before)
    tracer.SeedSource.Resolution = 21
    before = assert_new(tracer, before)
    tracer.SeedSource.Point1 = [value * 0.9 for value in tracer.SeedSource.Point1]
    before = assert_new(tracer, before)
    tracer.NumberOfThreads = 1
    assert updated(tracer) == before


def test_another_part_of_the_field():
    part = simple.ExtractSubset(Input=field(), VOI=[0, 31, 0, 31, 0, 31])
    part.UpdatePipeline()
    tracer = tracer_of(part)
    before = updated(tracer)
    part.VOI = [0, 25, 0, 31, 0, 31]
    assert_new(tracer, before)


def test_values_that_change_in_place():
    if controller().GetNumberOfProcesses() > 1:
        return  # the other ranks have no such source
    dataset = fill(image())
    source = produce(dataset)
    tracer = tracer_of(source)
    before = updated(tracer)
    array = dataset.GetPointData().GetArray("velocity")
    vtk_to_numpy(array)[:, 0] *= 2
    array.Modified()
    source.GetClientSideObject().Modified()
    tracer.GetClientSideObject().Update()  # ParaView looks at proxies only
    before = assert_new(tracer, before)
    dataset.SetOrigin(-0.9, -1, -1)
    source.GetClientSideObject().Modified()
    tracer.GetClientSideObject().Update()  # ParaView looks at proxies only
    assert_new(tracer, before)


def test_a_file_that_is_another_now():
    reader = field("changed.rvf")
    tracer = tracer_of(reader)
    before = updated(tracer)
    if controller().GetLocalProcessId() == 0:
        shutil.copy(generate("other.rvf", "tornado", *FIELD[2:], "--lower", "-9,-9,0", "--upper", "9,9,20"),
                    scratch("changed.rvf.new"))
        os.rename(scratch("changed.rvf.new"), scratch("changed.rvf"))
    simple.ReloadFiles(reader)
    assert updated(tracer) != before


def test_what_is_incomplete_is_given_again_and_says_so():
    source = field()
    middle = list(np.array(source.GetDataInformation().GetBounds()).reshape(3, 2).mean(1))
    tracer = tracer_of(source, simple.PointSource(Center=middle, NumberOfPoints=400000, Radius=0.05), MaximumSeconds=0.01)
    with Messages() as said:
        first = updated(tracer)
    assert said.text().count("stopped after Maximum Seconds") == 1, said.text()
    with Messages() as said:
        assert updated(tracer, 0.0) == first
    assert said.text() == "", said.text()
    assert statistic(tracer.GetClientSideObject().GetOutputDataObject(0), "LinesCut") > 0
    tracer.MaximumSteps = 1
    tracer.MaximumSeconds = 0
    assert updated(tracer) != first
    assert statistic(tracer.GetClientSideObject().GetOutputDataObject(0), "LinesCut") == 0


def test_what_is_cut_is_traced_again_with_more_seconds():
    source = field()
    middle = list(np.array(source.GetDataInformation().GetBounds()).reshape(3, 2).mean(1))
    tracer = tracer_of(source, simple.PointSource(Center=middle, NumberOfPoints=400000, Radius=0.05), MaximumSeconds=0.01)
    with Messages():
        first = updated(tracer)
        updated(tracer, 0.0)
        tracer.MaximumSeconds = 0.02
        assert updated(tracer) != first


def test_what_met_an_error_is_not_given_again():
    path = scratch("bad.rvf")
    shutil.copy(generate(*FIELD), path)
    with open(path, "r+b") as file:
        file.seek(os.path.getsize(path) // 8)
        file.write(b"\xff" * (os.path.getsize(path) // 8))
    reader = simple.RivuletFieldReader(FileNames=[path])
    reader.UpdatePipeline()
    tracer = tracer_of(reader)
    with Messages() as said:
        first = updated(tracer)
        assert updated(tracer, 0.0) != first
    assert said.text().count("bad.rvf") == 2, said.text()


def test_vortex_seeds():
    source = field()
    seeds = simple.RivuletVortexSeeds(Input=source, MinimumVorticity=0.01, NumberOfSeeds=40)
    seeds.Vectors = ["POINTS", "velocity"]
    first = updated(seeds)
    updated(tracer_of(source, seeds))  # asks for all of them on every rank
    assert updated(seeds) == first
    assert fetch(seeds).GetNumberOfPoints() == 40
    assert updated(seeds, 7.0) != first
    first = updated(seeds)
    seeds.NumberOfSeeds = 30
    assert updated(seeds) != first
    assert fetch(seeds).GetNumberOfPoints() == 30


run(globals())
