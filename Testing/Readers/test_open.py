# SPDX-License-Identifier: BSD-3-Clause
"""Opening a field: names, properties, geometry, times; and that nothing is read for all that."""
from plugin_testing import (Messages, assert_image, generate, information, program, run, scratch, servermanager,
                            simple)


def field():
    return generate("abc.rvf", "abc", "--size", "23,19,17", "--steps", "3", "--dt", "0.5", "--with-speed")


def test_names_are_what_scripts_expect():
    for name in ("RivuletFieldReader", "RivuletBOVReader"):
        assert hasattr(simple, name), name
    reader = simple.RivuletFieldReader(FileNames=[field()])
    assert reader.MemoryBudget == 0 and reader.AccessStrategy == "Automatic" and reader.VerifyChecksums == 1
    for name in ("PointArrays", "CellArrays"):
        assert name in reader.ListProperties(), name


def test_open_data_file_finds_the_reader_by_content():
    reader = simple.OpenDataFile(field())
    assert reader.SMProxy.GetXMLName() == "RivuletFieldReader"
    bov = generate("abc.bov", "abc", "--size", "23,19,17")
    other = simple.RivuletBOVReader()
    can = [servermanager.vtkSMReaderFactory.CanReadFile(path, proxy.SMProxy)
           for path, proxy in ((bov, other), (bov, reader), (field(), other), (field(), reader))]
    assert can == [True, False, False, True], can


def test_shows_extent_times_and_arrays():
    reader = simple.OpenDataFile(field())
    reader.UpdatePipeline()
    data = reader.GetDataInformation()
    assert data.GetExtent() == (0, 22, 0, 18, 0, 16), data.GetExtent()
    assert list(reader.TimestepValues) == [0.0, 0.5, 1.0], reader.TimestepValues
    assert sorted(reader.PointArrays) == ["speed", "velocity"], reader.PointArrays
    assert data.DataInformation.GetDataSetTypeAsString() == "vtkImageData"


def test_nothing_is_read_for_outline_information_ranges_and_times():
    reader = simple.OpenDataFile(field())
    view = simple.CreateRenderView()
    shown = simple.Show(reader, view)
    assert shown.Representation == "Outline", shown.Representation
    simple.Render(view)
    ranges = [reader.PointData["velocity"].GetRange(c) for c in (-1, 0, 1, 2)]
    assert all(low < high for low, high in ranges), ranges
    simple.ColorBy(shown, ("POINTS", "speed"))
    for time in reader.TimestepValues:
        view.ViewTime = time
        simple.Render(view)
    assert information(reader, "BytesRead") == 0
    assert information(reader, "PeakBytes") == 0


def test_says_what_it_reads_and_how():
    reader = simple.OpenDataFile(field())
    simple.ProbeLocation(Input=reader, ProbeType="Fixed Radius Point Source").UpdatePipeline()
    assert 0 < information(reader, "BytesRead") == information(reader, "PeakBytes")
    assert information(reader, "BricksRead") > 0
    assert information(reader, "StrategyInUse") in ("Memory Map", "Buffered Cache", "Direct Cache", "Asynchronous")
    assert len(information(reader, "StrategyReason")) > 10


def test_arrays_can_be_chosen_before_and_after_opening():
    reader = simple.OpenDataFile(field(), PointArrays=["speed"])
    reader.UpdatePipeline()
    assert reader.PointData.keys() == ["speed"]
    reader.PointArrays = ["velocity", "speed"]
    reader.UpdatePipeline()
    assert sorted(reader.PointData.keys()) == ["speed", "velocity"]


def test_budget_and_strategy_do_not_run_the_pipeline_again():
    reader = simple.OpenDataFile(field())
    reader.UpdatePipeline()
    made = reader.GetClientSideObject().GetOutputDataObject(0).GetMTime()
    reader.MemoryBudget = 3
    reader.AccessStrategy = "Buffered Cache"
    reader.UpdatePipeline()
    assert reader.GetClientSideObject().GetOutputDataObject(0).GetMTime() == made
    reader.PointArrays = ["speed"]
    reader.UpdatePipeline()
    assert information(reader, "StrategyInUse") == "Buffered Cache"


def test_the_time_that_is_asked_for_is_shown():
    path = generate("gyre.rvf", "double-gyre", "--size", "13,9,2", "--steps", "3", "--dt", "2.5")
    reader = simple.OpenDataFile(path)
    values = []
    for time in (0.0, 2.5, 2.6, 5.0, 99.0):
        reader.UpdatePipeline(time)
        values.append(servermanager.Fetch(reader).GetPointData().GetArray("velocity").GetTuple(40))
    assert values[1] == values[2] != values[0] and values[3] == values[4] != values[1], values


def test_several_files_are_one_series():
    names = []
    for number, start in enumerate((3, 1, 2)):
        names.append(generate(f"part{number}.rvf", "double-gyre", "--size", "13,9,2", "--start-time", start))
    reader = simple.RivuletFieldReader(FileNames=names)
    reader.UpdatePipelineInformation()
    assert list(reader.TimestepValues) == [1.0, 2.0, 3.0], reader.TimestepValues


def test_bov_is_read_in_place():
    bov = generate("abc2.bov", "abc", "--size", "23,19,17")
    program("convert", bov, scratch("abc2.rvf"), "-q")
    ours = simple.RivuletBOVReader(FileNames=[bov])
    other = simple.OpenDataFile(scratch("abc2.rvf"))
    ours.UpdatePipeline()
    assert information(ours, "BytesRead") < 1 << 20
    a, b = [servermanager.Fetch(r).GetPointData().GetArray("velocity") for r in (ours, other)]
    assert all(a.GetTuple(i) == b.GetTuple(i) for i in range(0, b.GetNumberOfTuples(), 17))


def test_outline_and_slice_look_as_they_should():
    reader = simple.OpenDataFile(field())
    view = simple.CreateRenderView(ViewSize=[300, 300], OrientationAxesVisibility=0, UseColorPaletteForBackground=0,
                                   Background=[0.2, 0.2, 0.25])
    simple.Show(reader, view)
    cut = simple.Slice(Input=reader)
    cut.SliceType.Normal = [0, 0, 1]
    shown = simple.Show(cut, view)
    simple.ColorBy(shown, ("POINTS", "speed"))
    view.ResetActiveCameraToPositiveZ()
    view.GetActiveCamera().Azimuth(30)
    view.GetActiveCamera().Elevation(30)
    simple.ResetCamera(view)
    with Messages() as said:
        assert_image(view, "OutlineAndSlice")
    assert not said.text(), said.text()


run(globals())
