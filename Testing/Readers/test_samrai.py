# SPDX-License-Identifier: BSD-3-Clause
"""SAMRAI dumps: found, shown as AMR or multiblock with their values, and what is damaged says so."""
import os
import subprocess
import sys

import numpy as np
from plugin_testing import Messages, SOURCE, information, run, scratch, servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy


def dump(name, *options):
    """A folder of dumps, made once. The script runs on the first rank only."""
    folder = scratch(name)
    if not os.path.exists(folder):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("OMPI_", "PMIX_", "PMI_", "PYTHON"))}
        python = "/usr/bin/python3" if os.path.exists("/usr/bin/python3") else "python3"
        subprocess.run([python, os.path.join(SOURCE, "Data", "make_samrai.py"), folder, *options],
                       check=True, env=environment, stdout=subprocess.DEVNULL)
    return folder


def opened(folder, **properties):
    reader = simple.RivuletSAMRAIReader(FileNames=[os.path.join(folder, "dumps.visit")], **properties)
    reader.UpdatePipeline()
    return reader


def output_of(reader):
    """Fetch would make a multiblock of an AMR."""
    return reader.GetClientSideObject().GetOutputDataObject(0)


def linear(x, y, z, t, c=0):
    return 1 + 2 * x + 3 * y + 5 * z + 7 * t + c * (11 + x - y + 2 * z)


def cell_centres(grid):
    axes = []
    for axis in range(3):
        cells = max(grid.GetDimensions()[axis] - 1, 1)
        at = grid.GetOrigin()[axis] + grid.GetSpacing()[axis] * (np.arange(cells) + 0.5)
        axes.append(at if grid.GetDimensions()[axis] > 1 else np.zeros(1))
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    return x.ravel(), y.ravel(), z.ravel()


def grids_of(amr):
    for level in range(amr.GetNumberOfLevels()):
        for index in range(amr.GetNumberOfDataSets(level)):
            yield level, amr.GetDataSet(level, index)


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
    some = information(reader, "BytesRead")
    everything = opened(dump("plain"))
    assert information(everything, "BytesRead") >= some > 0
    assert information(everything, "ThreadsInUse") >= 1


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


def arrays_of(grid):
    for attributes in (grid.GetCellData(), grid.GetPointData()):
        for index in range(attributes.GetNumberOfArrays()):
            yield attributes.GetArray(index)


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


if len(sys.argv) > 1 and sys.argv[1] == "--parallel":
    def total(reader):
        return reader.GetDataInformation().GetNumberOfCells()

    def test_ranks_share_the_patches():
        reader = opened(dump("shared", "--levels", "3", "--cells", "32", "32", "32", "--variable", "name=a"))
        cells = total(reader)
        integral = simple.IntegrateVariables(Input=reader)
        integral.UpdatePipeline()
        assert cells > 30000, cells

    run({"test_ranks_share_the_patches": test_ranks_share_the_patches})
else:
    run(globals())
