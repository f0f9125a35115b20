# SPDX-License-Identifier: BSD-3-Clause
"""Ghost layers of SAMRAI dumps, kept: values, marks, and filters that count nothing twice."""
import numpy as np
from patch_testing import cell_centres, dimensions_of, grids_of, linear, marks_of, output_of
from plugin_testing import controller, dump, information, opened, run, servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

DUPLICATE, REFINED = 1, 8


def ghosted(**properties):
    folder = dump("ghosted", "--levels", "2", "--variable", "name=a,type=f8,ghosts=2", "--variable",
                  "name=b,type=f8,ghosts=1", "--variable", "name=n,type=f8,centre=node,ghosts=2",
                  "--variable", "name=none,type=f8")
    return opened(folder, **{"CellArrays": ["a", "b"], "PointArrays": ["n"], "KeepGhostLayers": 1, **properties})


def nodes_of(grid):
    return np.array([grid.GetPoint(i) for i in range(grid.GetNumberOfPoints())]).T


def own_part(marks, grid, cells, layers):
    """Whether just the values `layers` from the sides are not marked as duplicates."""
    size = dimensions_of(grid) - (1 if cells else 0)
    own = np.zeros(size[::-1], bool)
    own[tuple(slice(layers, n - layers) for n in size[::-1])] = True
    return np.array_equal(marks & DUPLICATE == 0, own.ravel())


def check_grids(reader, layers, patches=8 + 6):
    """That values and marks are right in every grid; the number of cells that count."""
    output = output_of(reader)
    assert output.GetClassName() == "vtkMultiBlockDataSet", output.GetClassName()
    seen = 0
    count = 0
    for _, grid in grids_of(output):
        cells = marks_of(grid.GetCellData(), grid.GetNumberOfCells())
        points = marks_of(grid.GetPointData(), grid.GetNumberOfPoints())
        assert own_part(cells, grid, True, layers) and own_part(points, grid, False, layers)
        assert not np.any((cells & DUPLICATE != 0) & (cells & REFINED != 0))
        for name in list(reader.CellArrays):
            values = vtk_to_numpy(grid.GetCellData().GetArray(name))
            assert np.allclose(values, linear(*cell_centres(grid), 0.0), rtol=1e-12), name
        for name in list(reader.PointArrays):
            assert np.allclose(vtk_to_numpy(grid.GetPointData().GetArray(name)), linear(*nodes_of(grid), 0.0), rtol=1e-12)
        seen += 1
        count += np.count_nonzero(cells == 0)
    assert seen == patches, seen
    return count


def test_layers_are_those_that_all_arrays_have():
    counts = {check_grids(ghosted(), 1), check_grids(ghosted(CellArrays=["a"]), 2),
              check_grids(ghosted(CellArrays=["a", "none"]), 0), check_grids(ghosted(CellArrays=["b"], PointArrays=[]), 1)}
    assert len(counts) == 1, counts  # own cells that no finer patch covers, whatever the layers


def test_on_demand_has_the_same():
    reader = ghosted(ReadOnDemand="Always")
    assert information(reader, "ThreadsInUse") == 0
    count = check_grids(reader, 1)
    assert count == check_grids(ghosted(ReadOnDemand="Never"), 1)
    reader.CellArrays = ["a"]  # one layer more
    reader.UpdatePipeline()
    assert check_grids(reader, 2) == count


def test_off_layers_are_left_out():
    output = output_of(ghosted(KeepGhostLayers=0))
    assert output.GetClassName() == "vtkOverlappingAMR"
    sizes = [grid.GetNumberOfCells() for _, grid in grids_of(output)]
    assert sum(sizes[:8]) == 24 * 16 * 12, sizes


def volume_of(reader):
    integral = simple.IntegrateVariables(Input=reader)
    integral.UpdatePipeline()
    made = servermanager.Fetch(integral)
    return made.GetCellData().GetArray("Volume").GetValue(0)


def test_filters_count_no_cell_twice():
    kept, cropped = ghosted(CellArrays=["a"], PointArrays=[]), ghosted(KeepGhostLayers=0, CellArrays=["a"], PointArrays=[])
    domain = 24 * 0.125 * 16 * 0.25 * 12 * 0.5
    assert abs(volume_of(kept) - domain) < 1e-9 * domain, volume_of(kept)
    both = []
    for reader in (kept, cropped):
        threshold = simple.Threshold(Input=reader, Scalars=["CELLS", "a"], LowerThreshold=-1e300, UpperThreshold=1e300)
        threshold.UpdatePipeline()
        cells = servermanager.Fetch(simple.MergeBlocks(Input=threshold, MergePoints=0))
        marks = marks_of(cells.GetCellData(), cells.GetNumberOfCells())
        both.append(np.sort(vtk_to_numpy(cells.GetCellData().GetArray("a"))[marks == 0]))
    assert len(both[0]) == len(both[1]) and np.array_equal(*both), [len(one) for one in both]


def test_a_contour_has_no_piece_twice():
    reader = ghosted(CellArrays=[], PointArrays=["n"], FinestLevel=0)
    contour = simple.Contour(Input=reader, ContourBy=["POINTS", "n"], Isosurfaces=[15.0])
    area = simple.IntegrateVariables(Input=contour)
    area.UpdatePipeline()
    kept = servermanager.Fetch(area).GetCellData().GetArray("Area").GetValue(0)
    plain = simple.Contour(Input=ghosted(CellArrays=[], PointArrays=["n"], FinestLevel=0, KeepGhostLayers=0),
                           ContourBy=["POINTS", "n"], Isosurfaces=[15.0])
    area = simple.IntegrateVariables(Input=plain)
    area.UpdatePipeline()
    cropped = servermanager.Fetch(area).GetCellData().GetArray("Area").GetValue(0)
    assert cropped > 1 and abs(kept - cropped) < 1e-5 * cropped, (kept, cropped)


def test_a_deformed_mesh_has_its_layers():
    folder = dump("deformed", "--deformed", "--levels", "1", "--blocks", "2", "--coords-ghosts", "1", "--coords-type", "f8",
                  "--variable", "name=a,type=f8,ghosts=2")
    kept, cropped = opened(folder, KeepGhostLayers=1), opened(folder)
    for (_, large), (_, small) in zip(grids_of(output_of(kept)), grids_of(output_of(cropped))):
        assert np.array_equal(dimensions_of(large), dimensions_of(small) + 2)
        marks = marks_of(large.GetCellData(), large.GetNumberOfCells())
        assert own_part(marks, large, True, 1)
        own = vtk_to_numpy(large.GetCellData().GetArray("a"))[marks & DUPLICATE == 0]
        assert np.array_equal(own, vtk_to_numpy(small.GetCellData().GetArray("a")))
        own = vtk_to_numpy(large.GetPoints().GetData())[marks_of(large.GetPointData(), 0) & DUPLICATE == 0]
        assert np.array_equal(own, vtk_to_numpy(small.GetPoints().GetData()))


def test_in_the_plane_there_are_layers_along_two_axes():
    folder = dump("plane", "--dimensions", "2", "--cells", "32", "32", "--variable", "name=a,type=f8,ghosts=1")
    for _, grid in grids_of(output_of(opened(folder, KeepGhostLayers=1))):
        marks = marks_of(grid.GetCellData(), grid.GetNumberOfCells())
        across, along = (n - 1 for n in grid.GetDimensions()[:2])
        assert np.count_nonzero(marks & DUPLICATE == 0) == (across - 2) * (along - 2)
        assert np.allclose(vtk_to_numpy(grid.GetCellData().GetArray("a")), linear(*cell_centres(grid), 0.0))


if controller().GetNumberOfProcesses() > 1:  # what filters make of the patches of all ranks
    run({function.__name__: function for function in (
        test_filters_count_no_cell_twice, test_a_contour_has_no_piece_twice)})
else:
    run(globals())
