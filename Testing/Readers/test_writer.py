# SPDX-License-Identifier: BSD-3-Clause
"""Save Data as .rvf: what is read back is what was saved, whoever made it."""
import os

from plugin_testing import Messages, controller, generate, information, program, run, scratch, servermanager, simple


def arrays_of(proxy, time=None):
    proxy.UpdatePipeline(time) if time is not None else proxy.UpdatePipeline()
    data = servermanager.Fetch(proxy)
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


def test_other_types_are_converted_and_a_note_says_so():
    calculated = simple.Calculator(Input=simple.Wavelet(WholeExtent=[0, 4, 0, 4, 0, 4]), Function="RTData > 100",
                                   ResultArrayName="flags", ResultArrayType="Int")
    with Messages() as said:
        simple.SaveData(scratch("flags.rvf"), proxy=calculated)
    assert '"flags" is saved as double' in said.text(), said.text()


def test_nothing_is_left_where_saving_fails():
    with Messages() as said:
        simple.SaveData(scratch("no/such/folder.rvf"), proxy=simple.Wavelet())
    assert "folder.rvf" in said.text(), said.text()
    assert not os.path.exists(scratch("no"))


run(globals())
