# SPDX-License-Identifier: BSD-3-Clause
"""Save Data as .rvf: what is read back is what was saved, whoever made it."""
import ast
import json
import os
import subprocess
import sys

import netcdf_file
from plugin_testing import Messages, controller, generate, information, program, run, scratch, servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import (vtkIdTypeArray, vtkIntArray, vtkShortArray, vtkSignedCharArray, vtkUnsignedCharArray,
                                      vtkUnsignedIntArray, vtkUnsignedLongLongArray, vtkUnsignedShortArray)


def arrays_of(proxy, time=None):
    proxy.UpdatePipeline(time) if time is not None else proxy.UpdatePipeline()
    kind = proxy.GetDataInformation().GetDataClassName()
    # ParaView 6.1 joins rectilinear grids to coordinates that are too long, and garbage at the end: one is taken as it is.
    data = servermanager.Fetch(proxy, 0) if kind == "vtkRectilinearGrid" else servermanager.Fetch(proxy)
    found = {}
    for attributes in (data.GetPointData(), data.GetCellData()):
        for number in range(attributes.GetNumberOfArrays()):
            array = attributes.GetArray(number)
            if array.GetName() != "vtkGhostType":
                found[array.GetName()] = repr([array.GetTuple(i) for i in range(array.GetNumberOfTuples())])
    return data, found


def assert_comes_back(source, name):
    simple.SaveData(scratch(name), proxy=source)
    program("verify", scratch(name), "-q")
    data, expected = arrays_of(source)
    back, found = arrays_of(simple.OpenDataFile(scratch(name)))
    assert back.GetBounds() == data.GetBounds(), (back.GetBounds(), data.GetBounds())
    assert back.GetExtent() == data.GetExtent(), (back.GetExtent(), data.GetExtent())
    assert back.GetClassName() == data.GetClassName(), back.GetClassName()
    assert found == expected, (found, expected)


def test_an_image_in_memory():
    assert_comes_back(simple.Wavelet(WholeExtent=[-7, 12, 0, 9, 3, 25]), "wavelet.rvf")


def test_a_lazily_paged_field_streams():
    source = simple.OpenDataFile(generate("all.rvf", "abc", "--size", "61,61,61"))
    source.MemoryBudget = 1
    simple.SaveData(scratch("streamed.rvf"), proxy=source)
    assert information(source, "PeakBytes") <= 1 << 20
    source.MemoryBudget = 0  # to fetch an array is to hold it
    assert arrays_of(simple.OpenDataFile(scratch("streamed.rvf")))[1] == arrays_of(source)[1]


def test_cell_arrays_and_doubles():
    path = generate("cells.rvf", "abc", "--size", "23,19,17", "--cell-centred", "--float64")
    assert_comes_back(simple.OpenDataFile(path), "cells_back.rvf")


def test_a_part_of_a_field():
    path = generate("cells.rvf", "abc", "--size", "23,19,17", "--cell-centred", "--float64")
    part = simple.ExtractSubset(Input=simple.OpenDataFile(path), VOI=[3, 14, 2, 9, 5, 16])
    assert_comes_back(part, "part.rvf")


def test_a_rectilinear_grid():
    if controller().GetNumberOfProcesses() > 1:
        return  # the script below knows no pieces
    warped = simple.ProgrammableSource(OutputDataSetType="vtkRectilinearGrid", Script="""
from vtkmodules.vtkCommonCore import vtkDoubleArray
output.SetExtent(0, 3, 0, 2, 0, 1)
for n, put in ((4, output.SetXCoordinates), (3, output.SetYCoordinates), (2, output.SetZCoordinates)):
    coordinates = vtkDoubleArray()
    for i in range(n):
        coordinates.InsertNextValue(i * i + 0.25)
    put(coordinates)
values = vtkDoubleArray()
values.SetName("numbers")
for i in range(24):
    values.InsertNextValue(i / 7)
output.GetPointData().AddArray(values)
""", ScriptRequestInformation="""
executive = self.GetExecutive()
executive.GetOutputInformation(0).Set(executive.WHOLE_EXTENT(), 0, 3, 0, 2, 0, 1)
""")
    assert_comes_back(warped, "rectilinear.rvf")


def test_all_time_steps():
    path = generate("gyre.rvf", "double-gyre", "--size", "23,13,3", "--steps", "4", "--dt", "2.5")
    source = simple.OpenDataFile(path)
    source.UpdatePipeline(2.5)
    simple.SaveData(scratch("steps.rvf"), proxy=source, WriteAllTimeSteps=1)
    back = simple.OpenDataFile(scratch("steps.rvf"))
    back.UpdatePipelineInformation()
    assert list(back.TimestepValues) == [0, 2.5, 5, 7.5]
    for time in back.TimestepValues:
        assert arrays_of(back, time)[1] == arrays_of(source, time)[1], time


def test_the_current_step_only():
    path = generate("gyre.rvf", "double-gyre", "--size", "23,13,3", "--steps", "4", "--dt", "2.5")
    source = simple.OpenDataFile(path)
    simple.GetAnimationScene().AnimationTime = 5.0
    source.UpdatePipeline(5.0)
    simple.SaveData(scratch("step.rvf"), proxy=source)
    back = simple.OpenDataFile(scratch("step.rvf"))
    assert arrays_of(back)[1] == arrays_of(source, 5.0)[1]
    back.UpdatePipelineInformation()
    assert list(back.TimestepValues) == [5.0], back.TimestepValues


# Types of whole numbers, the largest number of each that is written, and the smallest. For a source's script, which sees the names of
# this module.
WHOLE = {"int8": (vtkSignedCharArray, 127, -128), "uint8": (vtkUnsignedCharArray, 255, 0), "int16": (vtkShortArray, 32767, -32768),
         "uint16": (vtkUnsignedShortArray, 65535, 0), "int32": (vtkIntArray, 2147483647, -2147483648),
         "uint32": (vtkUnsignedIntArray, 4294967295, 0), "int64": (vtkIdTypeArray, 2**53 - 1, 1 - 2**53),
         "uint64": (vtkUnsignedLongLongArray, 2**53 - 1, 0)}
WHOLE_NUMBERS = """
for name, (kind, largest, least) in WHOLE.items():
    add(output.GetPointData(), kind(), name, [largest - i if i % 2 else least + i for i in range(36)])
"""


def assert_same_numbers(mine, theirs):
    """Type and values, one by one and in one piece."""
    assert mine.GetDataTypeSize() == theirs.GetDataTypeSize() and mine.GetDataTypeMin() == theirs.GetDataTypeMin()
    assert [mine.GetTuple(i) for i in range(36)] == [theirs.GetTuple(i) for i in range(36)]
    assert mine.GetRange() == theirs.GetRange()
    assert (vtk_to_numpy(mine) == vtk_to_numpy(theirs)).all()


def test_whole_numbers_keep_their_types():
    if not alone():
        return
    source = scripted("vtkImageData", WHOLE_NUMBERS)
    with Messages() as said:
        simple.SaveData(scratch("whole.rvf"), proxy=source)
    told = [name for name in WHOLE if f'"{name}" keeps whole numbers below 2^53' in said.text()]
    assert told == ["int64", "uint64"] and "int32" not in said.text(), said.text()
    program("convert", scratch("whole.rvf"), scratch("whole.rvs"), "-q")
    expected = servermanager.Fetch(source).GetPointData()
    for path in ("whole.rvf", "whole.rvs"):
        back = simple.OpenDataFile(scratch(path))
        back.UpdatePipeline()
        found = back.GetClientSideObject().GetOutputDataObject(0).GetPointData()
        for name in WHOLE:
            assert_same_numbers(found.GetArray(name), expected.GetArray(name))
        said = json.loads(program("info", scratch(path), "--json"))["variables"]
        assert {each["name"]: each.get("whole_numbers", "float") for each in said} == {**{n: n for n in WHOLE}, "numbers": "float"}


def test_whole_numbers_that_no_double_holds_are_refused():
    for large in (2**53, 2**53 + 1, -2**60):
        source = scripted("vtkImageData", f'add(output.GetPointData(), vtkIdTypeArray(), "ids", [{large}] * 36)')
        with Messages() as said:
            simple.SaveData(scratch("large.rvf"), proxy=source)
        if controller().GetLocalProcessId() == 0:
            assert '"ids" has whole numbers from 2^53 on' in said.text(), said.text()
        assert not os.path.exists(scratch("large.rvf"))


def test_steps_of_another_reader_through_a_filter():
    netcdf_file.write(scratch("a.nc"), [0.0, 2.5, 5.0])
    source = simple.NetCDFReader(FileName=[scratch("a.nc")], Dimensions="(z, y, x)", SphericalCoordinates=0)
    twice = simple.Calculator(Input=source, Function="v*2", ResultArrayName="twice")
    simple.SaveData(scratch("netcdf.rvf"), proxy=twice, WriteAllTimeSteps=1)
    program("verify", scratch("netcdf.rvf"), "-q")
    said = json.loads(program("info", scratch("netcdf.rvf"), "--json"))
    assert said["times"] == [0.0, 2.5, 5.0], said["times"]
    assert [each["component_ranges"] for each in said["variables"]] == [[[0.0, 2119.0]], [[0.0, 4238.0]]]
    back = simple.OpenDataFile(scratch("netcdf.rvf"))
    for step, time in enumerate(said["times"]):
        _, found = arrays_of(back, time)
        known = back.GetDataInformation()  # to fetch coordinates spoils them in 5.11
        assert tuple(known.GetExtent()) == (0, 5, 0, 4, 0, 3), known.GetExtent()
        assert known.GetBounds() == (0, 2.5, 0, 4, 0, 3), known.GetBounds()
        expected = [netcdf_file.value(step, point) for point in range(120)]
        if alone():  # to fetch pieces of rectilinear grids from several ranks spoils values, too
            assert found["v"] == repr([(value,) for value in expected]), step
            assert found["twice"] == repr([(2 * value,) for value in expected]), step


def scripted(kind, setup, steps=None):
    """A source of image data or a rectilinear grid of 4 x 3 x 3 points that a script fills; the step is `step`."""
    asked = ("" if steps is None else
             f"info = executive.GetOutputInformation(0)\n"
             f"info.Set(executive.TIME_STEPS(), {list(range(steps))}, {steps})\n"
             f"info.Set(executive.TIME_RANGE(), [0, {steps - 1}], 2)\n")
    source = simple.ProgrammableSource(OutputDataSetType=kind, Script="""
from vtkmodules.vtkCommonCore import vtkDoubleArray, vtkIdTypeArray, vtkIntArray, vtkStringArray, vtkUnsignedCharArray
executive = self.GetExecutive()
info = executive.GetOutputInformation(0)
step = int(info.Get(executive.UPDATE_TIME_STEP())) if info.Has(executive.UPDATE_TIME_STEP()) else 0
output.SetExtent(0, 3, 0, 2, 0, 2)
def add(attributes, array, name, values, components=1):
    array.SetName(name)
    array.SetNumberOfComponents(components)
    for value in values:
        array.InsertNextValue(value)
    attributes.AddArray(array)
    return array
numbers = add(output.GetPointData(), vtkDoubleArray(), "numbers", [i / 7 for i in range(36)])
""" + setup, ScriptRequestInformation="""
executive = self.GetExecutive()
executive.GetOutputInformation(0).Set(executive.WHOLE_EXTENT(), [0, 3, 0, 2, 0, 2], 6)
""" + asked)
    return source


def ghosts_of(data):
    """Bytes of the ghost arrays of points and cells."""
    found = []
    for attributes in (data.GetPointData(), data.GetCellData()):
        array = attributes.GetArray("vtkGhostType")
        found.append(None if array is None else [array.GetValue(i) for i in range(array.GetNumberOfTuples())])
    return found


def alone():
    return controller().GetNumberOfProcesses() == 1  # the scripts know no pieces


HIDING = """
add(output.GetPointData(), vtkUnsignedCharArray(), "vtkGhostType", [(2 if i % 5 == 0 else 0) | (i % 2) for i in range(36)])
add(output.GetCellData(), vtkUnsignedCharArray(), "vtkGhostType", [(0, 32, 8, 1)[i % 4] for i in range(12)])
"""


def test_hidden_points_and_cells_stay_hidden():
    if not alone():
        return
    source = scripted("vtkImageData", HIDING)
    assert_comes_back(source, "hiding.rvf")
    expected = [[2 if i % 5 == 0 else 0 for i in range(36)],  # duplicates of other pieces are points like all others
                [32 if i % 4 in (1, 2) else 0 for i in range(12)]]  # cells that others refine are not to be seen
    assert ghosts_of(arrays_of(simple.OpenDataFile(scratch("hiding.rvf")))[0]) == expected
    said = json.loads(program("info", scratch("hiding.rvf"), "--json"))
    assert said["hidden"] == {"points": [0], "cells": [0]}, said["hidden"]
    program("convert", scratch("hiding.rvf"), scratch("again.rvf"), "-q", "--force", "--brick", "2")
    program("verify", scratch("again.rvf"), "-q")
    assert ghosts_of(arrays_of(simple.OpenDataFile(scratch("again.rvf")))[0]) == expected


def test_what_is_hidden_changes_with_time():
    if not alone():
        return
    source = scripted("vtkImageData", """
if step > 0:
    add(output.GetPointData(), vtkUnsignedCharArray(), "vtkGhostType", [2 if i == step else 0 for i in range(36)])
""", steps=3)
    simple.SaveData(scratch("moving.rvf"), proxy=source, WriteAllTimeSteps=1)
    back = simple.OpenDataFile(scratch("moving.rvf"))
    for step in range(3):
        points, cells = ghosts_of(arrays_of(back, step)[0])
        assert cells is None
        assert points == (None if step == 0 else [2 if i == step else 0 for i in range(36)]), step


def save_blanked():
    """A flow with a hole, as Resample To Image makes it of PLOT3D data with a blanked region; and what is seen of it in memory."""
    rest = simple.Clip(Input=simple.OpenDataFile(scratch("blank.rvf")), ClipType="Sphere", Invert=0)
    rest.ClipType.Center = [3.0, 3.0, 3.0]
    rest.ClipType.Radius = 1.5
    image = simple.ResampleToImage(Input=rest, SamplingDimensions=[22, 21, 20])
    image.UpdatePipeline()
    simple.SaveData(scratch("blanked.rvf"), proxy=image)
    with open(scratch("blanked.txt"), "w", encoding="utf-8") as facts:
        facts.write(repr({"lines": traced(image), "part": ghosts_of_part(image), "whole": ghosts_of(servermanager.Fetch(image)),
                          "visible": visible_cells(image)}))


def blanked():
    """The reader of that file, and those facts. Made by one process: Resample To Image cannot be asked for by one rank only."""
    if not os.path.exists(scratch("blanked.txt")):
        generate("blank.rvf", "abc", "--size", "25,25,25")
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PMI_"))}
        subprocess.run(["pvbatch", os.path.abspath(__file__), "--blanked"], env=environment, check=True)
    with open(scratch("blanked.txt"), encoding="utf-8") as facts:
        return simple.OpenDataFile(scratch("blanked.rvf")), ast.literal_eval(facts.read())


def traced(source):
    source.UpdatePipeline()  # default lengths come from its bounds
    tracer = simple.RivuletStreamTracer(Input=source, Vectors=["POINTS", "velocity"], SeedType="Line")
    tracer.SeedType.Point1 = [0.3, 0.4, 0.5]
    tracer.SeedType.Point2 = [6.0, 5.9, 5.8]
    tracer.SeedType.Resolution = 60
    tracer.UpdatePipeline()
    lines = servermanager.Fetch(tracer)
    reasons = lines.GetCellData().GetArray("ReasonForTermination")
    return (sorted(int(reasons.GetValue(i)) for i in range(reasons.GetNumberOfTuples())),  # ranks have lines of their own
            sorted(lines.GetPoint(i) for i in range(lines.GetNumberOfPoints())))


def ghosts_of_part(source):
    part = simple.ExtractSubset(Input=source, VOI=[3, 14, 2, 9, 5, 16])
    part.UpdatePipeline()
    return ghosts_of(servermanager.Fetch(part))


def visible_cells(source):
    data = servermanager.Fetch(source)
    return sum([data.IsCellVisible(i) for i in range(data.GetNumberOfCells())]), data.GetNumberOfCells()


def test_lines_end_at_what_is_hidden_as_they_did_in_memory():
    back, facts = blanked()
    lines = traced(back)
    assert lines == facts["lines"], (lines[0], facts["lines"][0])
    assert 6 not in lines[0] and len(lines[0]) > 60, lines[0]  # 6: the flow stands still, as it seems to where nothing is


def test_stock_filters_see_what_is_hidden():
    if not alone():
        return
    back, facts = blanked()
    assert visible_cells(back) == facts["visible"], facts["visible"]
    assert 0 < facts["visible"][0] < facts["visible"][1]
    assert ghosts_of(servermanager.Fetch(back)) == facts["whole"]
    assert ghosts_of_part(back) == facts["part"]


def test_ghost_layers_of_pieces_keep_what_is_hidden():
    if not alone():
        return
    back, facts = blanked()
    back.UpdatePipeline()
    whole = servermanager.Fetch(back)
    hidden = facts["whole"][0]
    reader = back.GetClientSideObject()
    reader.UpdatePiece(0, 2, 1)
    piece = reader.GetOutputDataObject(0)
    ghosts = piece.GetPointData().GetArray("vtkGhostType")
    duplicates = 0
    for i in range(piece.GetNumberOfPoints()):
        assert (ghosts.GetValue(i) & 2) == hidden[whole.FindPoint(piece.GetPoint(i))], i
        duplicates += ghosts.GetValue(i) & 1
    assert duplicates > 0


def test_a_turned_image_comes_back_turned():
    if not alone():
        return
    source = scripted("vtkImageData", """
output.SetOrigin(1, 2, 3)
output.SetSpacing(0.5, 2, 0.25)
output.SetDirectionMatrix(0, 1, 0, -1, 0, 0, 0, 0, 1)
""")
    assert_comes_back(source, "turned.rvf")
    back = servermanager.Fetch(simple.OpenDataFile(scratch("turned.rvf")))
    matrix = back.GetDirectionMatrix()
    assert [matrix.GetElement(i, j) for i in range(3) for j in range(3)] == [0, 1, 0, -1, 0, 0, 0, 0, 1]


def test_what_a_field_file_does_not_keep_is_named():
    if not alone():
        return
    source = scripted("vtkImageData", """
add(output.GetPointData(), vtkStringArray(), "labels", ["x"] * 36)
add(output.GetCellData(), vtkDoubleArray(), "moments", [0.0] * 120, 10)
add(output.GetPointData(), vtkIntArray(), "ids", range(36))
add(output.GetFieldData(), vtkStringArray(), "title", ["a run"])
numbers.SetComponentName(0, "first")
if step == 1:
    add(output.GetCellData(), vtkDoubleArray(), "late", range(12))
""", steps=2)
    with Messages() as said:
        simple.SaveData(scratch("named.rvf"), proxy=source, WriteAllTimeSteps=1)
    for words in ('"labels" (it is not numeric)', '"moments" (it has 10 components',
                  'field data "title"', 'the names of the components of "numbers"', '"late" (the first step has no'):
        assert words in said.text(), (words, said.text())
    found = arrays_of(simple.OpenDataFile(scratch("named.rvf")))[1]
    assert sorted(found) == ["ids", "numbers"], sorted(found)


def test_a_grid_that_moves_is_refused():
    if not alone():
        return
    with Messages() as said:
        simple.SaveData(scratch("moved.rvf"), proxy=scripted("vtkImageData", "output.SetOrigin(step, 0, 0)", steps=2),
                        WriteAllTimeSteps=1)
    assert "the grid changes from step to step" in said.text(), said.text()
    assert not os.path.exists(scratch("moved.rvf"))


def test_what_cannot_be_saved_is_named_with_a_remedy():
    """AMR comes by Save Data; a grid of another kind, where a script asks for it."""
    if not alone():
        return
    levels = simple.HierarchicalFractal(TwoDimensional=0, Asymetric=0)
    levels.UpdatePipeline()
    with Messages() as said:
        try:
            simple.SaveData(scratch("levels.rvf"), proxy=levels)
        except RuntimeError as error:
            print("ParaView says:", error)
    text = said.text()
    for words in ("levels.rvf", "the input is a vtk", "vtkImageData, vtkRectilinearGrid", "Resample To Image"):
        assert words in text, (words, text)
    assert not os.path.exists(scratch("levels.rvf"))


def test_nothing_is_left_where_saving_fails():
    with Messages() as said:
        simple.SaveData(scratch("no/such/folder.rvf"), proxy=simple.Wavelet())
    assert "folder.rvf" in said.text(), said.text()
    assert not os.path.exists(scratch("no"))


if "--blanked" in sys.argv:
    save_blanked()
else:
    run(globals())
