# SPDX-License-Identifier: BSD-3-Clause
"""SAMRAI dumps: found, shown as AMR or multiblock with their values, and what is damaged says so."""
import os
import sys

import numpy as np
from patch_testing import arrays_of, cell_centres, grids_of, linear, output_of
from plugin_testing import (Messages, controller, dump, forget_ranges, information, opened, run, scratch,
                            servermanager, simple)
from vtkmodules.util.numpy_support import vtk_to_numpy


def test_the_reader_is_found_by_content():
    folder = dump("plain", "--steps", "3", "--variable", "name=a", "--variable", "name=b::c,shape=vector,centre=node")
    reader = simple.OpenDataFile(os.path.join(folder, "dumps.visit"))
    assert reader.SMProxy.GetXMLName() == "RivuletSAMRAIReader"
    assert len(reader.TimestepValues) == 3, reader.TimestepValues
    assert list(reader.CellArrays) == ["a"], reader.CellArrays
    assert list(reader.PointArrays) == ["b::c"], reader.PointArrays


def test_every_cell_has_its_value_at_every_time():
    reader = opened(dump("plain"))
    for time in list(reader.TimestepValues):
        reader.UpdatePipeline(time)
        amr = output_of(reader)
        assert amr.GetClassName() == "vtkOverlappingAMR", amr.GetClassName()
        assert amr.GetNumberOfLevels() == 2
        cells = 0
        for _, grid in grids_of(amr):
            assert grid is not None
            values = vtk_to_numpy(grid.GetCellData().GetArray("a"))
            expected = linear(*cell_centres(grid), time)
            assert np.allclose(values, expected, rtol=1e-6), (values[:3], expected[:3])
            cells += len(values)
            nodes = grid.GetPointData().GetArray("b::c")
            point = grid.GetPoint(7)
            assert np.allclose(nodes.GetTuple(7), [linear(*point, time, c) for c in range(3)], rtol=1e-6)
        assert cells > 1000


def test_coarse_cells_under_finer_ones_are_blanked():
    reader = opened(dump("plain"))
    amr = output_of(reader)
    visible = 0.0
    for level, grid in grids_of(amr):
        ghosts = grid.GetCellGhostArray()
        hidden = np.zeros(grid.GetNumberOfCells(), bool) if ghosts is None else vtk_to_numpy(ghosts) & 8 != 0
        assert ghosts is not None, "a filter that appends what it made of the grids would drop the marks of all"
        assert level == 0 or not hidden.any()
        visible += np.count_nonzero(~hidden) * np.prod(grid.GetSpacing())
    bounds = [0.0] * 6
    amr.GetBounds(bounds)
    assert abs(visible - np.prod(np.diff(bounds)[::2])) < 1e-9, visible


def test_levels_and_variables_can_be_left_out():
    reader = opened(dump("plain"), FinestLevel=0, CellArrays=["a"], PointArrays=[])
    amr = output_of(reader)
    assert amr.GetNumberOfLevels() == 1
    assert amr.GetDataSet(0, 0).GetPointData().GetNumberOfArrays() == 0
    assert all(grid.GetCellGhostArray() is None for _, grid in grids_of(amr)), "nothing is hidden, and marks take memory"
    some = information(reader, "BytesRead")
    everything = opened(dump("plain"))
    assert information(everything, "BytesRead") >= some > 0
    assert information(everything, "ThreadsInUse") >= 1
    assert information(everything, "ThreadsBecause")


def test_planes_and_vectors_in_them():
    folder = dump("plane", "--dimensions", "2", "--cells", "32", "32", "--levels", "3", "--variable", "name=v,shape=vector")
    amr = output_of(opened(folder))
    assert amr.GetNumberOfLevels() == 3
    for _, grid in grids_of(amr):
        values = vtk_to_numpy(grid.GetCellData().GetArray("v"))
        x, y, z = cell_centres(grid)
        assert values.shape[1] == 3 and np.all(values[:, 2] == 0)
        assert np.allclose(values[:, 1], linear(x, y, z, 0.0, 1), rtol=1e-6)


def test_stock_filters_work_on_it():
    reader = opened(dump("plain"), PointArrays=[])
    contour = simple.Contour(Input=simple.CellDatatoPointData(Input=reader), ContourBy=["POINTS", "a"], Isosurfaces=[15.0])
    contour.UpdatePipeline()
    points = servermanager.Fetch(simple.MergeBlocks(Input=contour)).GetPoints()
    assert points.GetNumberOfPoints() > 10
    bounds = reader.GetDataInformation().GetBounds()
    middle = [(bounds[2 * a] + bounds[2 * a + 1]) / 2 for a in range(3)]
    cut = simple.Slice(Input=reader)
    cut.SliceType.Origin = middle
    cut.UpdatePipeline()
    assert cut.GetDataInformation().GetNumberOfCells() > 10


def test_a_deformed_mesh_is_a_multiblock_of_structured_grids():
    blocks = output_of(opened(dump("deformed", "--deformed", "--levels", "1", "--blocks", "2")))
    assert blocks.GetClassName() == "vtkMultiBlockDataSet"
    grid = blocks.GetBlock(0).GetBlock(0)
    assert grid.GetClassName() == "vtkStructuredGrid" and grid.GetPoints().GetNumberOfPoints() > 8
    assert grid.GetCellData().GetNumberOfArrays() > 0


def test_ratios_that_differ_make_a_multiblock_with_marked_cells():
    folder = dump("uneven", "--dimensions", "2", "--cells", "32", "32", "--levels", "2", "--ratio", "4x2")
    blocks = output_of(opened(folder))
    assert blocks.GetClassName() == "vtkMultiBlockDataSet"
    marked = sum(np.count_nonzero(vtk_to_numpy(grid.GetCellGhostArray()))
                 for grid in (blocks.GetBlock(0).GetBlock(i) for i in range(blocks.GetBlock(0).GetNumberOfBlocks()))
                 if grid.GetCellGhostArray())
    assert marked > 0


def test_an_unreadable_patch_is_one_error_or_left_out():
    folder = dump("short", "--damage", "short-dataset")
    with Messages() as said:
        reader = opened(folder)
        assert reader.GetDataInformation().GetNumberOfCells() == 0
    assert said.text().count("patch takes") == 1, said.text()
    assert "Skip Unreadable Patches" in said.text()
    with Messages() as said:
        reader = opened(folder, SkipUnreadablePatches=1)
        assert reader.GetDataInformation().GetNumberOfCells() > 1000
    assert said.text().count("patch takes") == 1, said.text()


def test_damaged_summaries_are_one_error_and_nothing_falls_over():
    kinds = (("overlapping-boxes", "overlap"), ("zero-patches", "0 patches"), ("garbage-summary", "opened as HDF5"))
    for number, (kind, text) in enumerate(kinds):
        with Messages() as said:
            reader = opened(dump(f"damaged-{number}", "--damage", kind))
            assert reader.GetDataInformation().GetNumberOfCells() == 0
        assert said.text().count(text) == 1, (kind, said.text())


def on_demand(*options, **properties):
    name = "on-demand" + "".join(options).replace("=", "").replace(",", "").replace(" ", "")
    folder = dump(name, "--cells", "32", "32", "32", "--levels", "2", "--patches", "4",
                  "--variable", "name=a,type=f8", "--variable", "name=b,centre=node", "--variable", "name=i,type=i4",
                  "--variable", "name=v,shape=vector,function=rotation", *options)
    return opened(folder, **{"ReadOnDemand": "Always", **properties})


def test_on_demand_nothing_is_read_to_show_the_outline():
    reader = on_demand()
    view = simple.CreateRenderView()
    simple.Show(reader, view).SetRepresentationType("Outline")
    simple.Render(view)
    assert information(reader, "BytesRead") == 0, information(reader, "BytesRead")
    # Ranges come from the summary, which has those of the ghost-free data.
    low, high = reader.CellData["a"].GetRange()
    assert information(reader, "BytesRead") == 0
    simple.Delete(view)
    eager = on_demand(ReadOnDemand="Never")
    assert np.allclose((low, high), eager.CellData["a"].GetRange()), (low, high)


def test_on_demand_values_are_those_read_at_once():
    lazy, eager = output_of(on_demand()), output_of(on_demand(ReadOnDemand="Never"))
    compared = 0
    for (_, one), (_, other) in zip(grids_of(lazy), grids_of(eager)):
        for left in arrays_of(one):
            right = next(array for array in arrays_of(other) if array.GetName() == left.GetName())
            assert left.GetDataType() == right.GetDataType(), left.GetName()
            assert left.GetNumberOfTuples() == right.GetNumberOfTuples(), left.GetName()
            assert [left.GetTuple(i) for i in (0, 5, 63)] == [right.GetTuple(i) for i in (0, 5, 63)]
            assert left.GetRange(0)[0] <= right.GetTuple(17)[0] <= left.GetRange(0)[1]
            compared += 1
    assert compared > 4 * 10, compared


def test_on_demand_a_slice_reads_what_it_crosses():
    reader = opened(dump("crossed", "--cells", "64", "64", "64", "--levels", "2", "--patches", "4",
                         "--variable", "name=a,type=f8", "--variable", "name=b,type=f8"),
                    ReadOnDemand="Always", CellArrays=["a"])
    slice_of = simple.Slice(Input=reader, SliceType="Plane")
    slice_of.SliceType.Origin, slice_of.SliceType.Normal = [-0.9, 0.6, 2.1], [1, 0, 0]
    slice_of.UpdatePipeline()
    touched = information(reader, "BytesRead")
    everything = sum(grid.GetNumberOfCells() * 8 for _, grid in grids_of(output_of(reader)))
    print(f"read {touched} of {everything} bytes")
    assert slice_of.GetDataInformation().GetNumberOfCells() > 100
    assert 0 < touched < 0.5 * everything


def test_on_demand_the_budget_holds_and_says_so_once():
    reader = on_demand("--variable", "name=w,shape=vector,type=f8", CellArrays=["w"], PointArrays=[], MemoryBudget=1)
    with Messages() as said:
        made = simple.Calculator(Input=reader, AttributeType="Cell Data", ResultArrayName="twice", Function="2*w")
        made.UpdatePipeline()
    assert said.text().count("memory budget of") == 1, said.text()
    assert "Memory Budget" in said.text()


def test_on_demand_a_damaged_patch_says_so_when_it_is_touched():
    reader = on_demand("--damage", "short-dataset")
    with Messages() as said:
        simple.Calculator(Input=reader, AttributeType="Cell Data", ResultArrayName="twice", Function="2*a").UpdatePipeline()
    assert said.text().count("patch takes") == 1, said.text()


def test_on_demand_what_only_the_library_reads_is_read_at_once():
    reader = on_demand("--variable", "name=half,type=f2")
    _, grid = next(grids_of(output_of(reader)))
    assert grid.GetCellData().GetArray("a").GetClassName() in ("vtkDoubleArray", "vtkTypeFloat64Array")


def test_dumps_that_the_index_lacks_can_be_taken_in():
    folder = dump("restarted", "--steps", "3")
    index = os.path.join(folder, "dumps.visit")
    with open(index, encoding="ascii") as file:
        last = file.read().split()[-1]
    with open(index, "w", encoding="ascii") as file:
        file.write(last + "\n")
    assert len(opened(folder).TimestepValues or [0]) == 1
    assert len(opened(folder, AllDumpsBesideIndex=1).TimestepValues) == 3


def test_a_folder_or_a_pattern_is_opened_as_the_index_is():
    folder = dump("folders", "--steps", "3", "--first-cycle", "99990", "--variable", "name=a")
    index = opened(folder)
    times = list(index.TimestepValues)
    assert len(times) == 3 and times == sorted(times)
    for what in (folder, folder + os.sep, os.path.join(folder, "visit_dump.*"),
                 os.path.join(folder, "visit_dump.*", "summary.samrai"), os.path.join(folder, "dumps.*")):
        reader = simple.RivuletSAMRAIReader(FileNames=[what])
        reader.UpdatePipeline()
        assert list(reader.TimestepValues) == times, (what, reader.TimestepValues)
    os.remove(os.path.join(folder, "dumps.visit"))
    reader = simple.RivuletSAMRAIReader(FileNames=[folder])
    assert list(reader.TimestepValues) == times, reader.TimestepValues
    reader = simple.OpenDataFile(os.path.join(folder, "visit_dump.99990"))
    assert reader.SMProxy.GetXMLName() == "RivuletSAMRAIReader"
    reader.UpdatePipeline()
    assert output_of(reader).GetNumberOfLevels() == 2
    with Messages() as said:
        simple.RivuletSAMRAIReader(FileNames=[scratch("nothing/*.samrai")]).UpdatePipeline()
    assert "nothing/*.samrai" in said.text(), said.text()


if len(sys.argv) > 1 and sys.argv[1] == "--parallel":
    def test_ranks_share_the_patches():
        reader = opened(dump("shared", "--levels", "3", "--cells", "32", "32", "32", "--variable", "name=a"))
        cells = reader.GetDataInformation().GetNumberOfCells()
        integral = simple.IntegrateVariables(Input=reader)
        integral.UpdatePipeline()
        assert cells > 30000, cells

    def in_folders(of_first, of_others):
        """Takes the ranks into working folders."""
        simple.ProgrammableSource(Script=f"""
import os
from paraview.modules.vtkRemotingCore import vtkProcessModule
first = vtkProcessModule.GetProcessModule().GetPartitionId() == 0
os.chdir({of_first!r} if first else {of_others!r})
""").UpdatePipeline()

    def classes_of_arrays(reader, name):
        """On every rank, the classes of arrays called so."""
        said = scratch("classes")
        simple.ProgrammableFilter(Input=reader, Script=f"""
from paraview.modules.vtkRemotingCore import vtkProcessModule
rank = vtkProcessModule.GetProcessModule().GetPartitionId()
leaves = self.GetInputDataObject(0, 0).NewIterator()
classes = set()
while not leaves.IsDoneWithTraversal():
    classes.add(leaves.GetCurrentDataObject().GetCellData().GetArray({name!r}).GetClassName())
    leaves.GoToNextItem()
with open({said!r} + str(rank), "w") as file:
    file.write(" ".join(sorted(classes)))
""").UpdatePipeline()
        return {open(said + str(rank), encoding="ascii").read() for rank in range(controller().GetNumberOfProcesses())}

    def test_what_one_rank_cannot_offer_on_demand_all_read_at_once():
        mesh = ("--cells", "16", "16", "16", "--levels", "2", "--variable", "name=a,type=f8", "--variable")
        here = dump("here", *mesh, "name=b,type=f8")
        there = dump("there", *mesh, "name=b,type=f2")  # which only the HDF5 library can read
        forget_ranges(here, "a", "b")  # so that ranks go on to ask for them
        in_folders(here, there)
        try:
            reader = simple.RivuletSAMRAIReader(FileNames=["dumps.visit"], ReadOnDemand="Always")
            reader.UpdatePipeline()
            classes = classes_of_arrays(reader, "a")
        finally:
            in_folders(scratch(""), scratch(""))
        classes.discard("")  # of a rank without patches
        assert classes and classes <= {"vtkDoubleArray", "vtkTypeFloat64Array"}, classes

    def test_an_unreadable_patch_of_one_rank_is_an_error_of_all():
        folder = dump("short", "--damage", "short-dataset")
        with Messages() as said:
            assert opened(folder).GetDataInformation().GetNumberOfCells() == 0
        assert said.text().count("patch takes") == 1, said.text()

    run({function.__name__: function for function in (
        test_ranks_share_the_patches, test_what_one_rank_cannot_offer_on_demand_all_read_at_once,
        test_an_unreadable_patch_of_one_rank_is_an_error_of_all)})
else:
    run(globals())
