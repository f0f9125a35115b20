# SPDX-License-Identifier: BSD-3-Clause
"""Ghost layers of SAMRAI dumps, kept: values, marks, and filters that count nothing twice."""
import numpy as np
from patch_testing import cell_centres, dimensions_of, grids_of, linear, marks_of, output_of
from plugin_testing import Messages, controller, dump, information, opened, run, scratch, servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy

DUPLICATE, REFINED = 1, 8
DOMAIN = np.array([[-1.0, -1 + 24 * 0.125], [0.5, 0.5 + 16 * 0.25], [2.0, 2 + 12 * 0.5]])


def ghosted(**properties):
    folder = dump("ghosted", "--levels", "2", "--variable", "name=a,type=f8,ghosts=2", "--variable",
                  "name=b,type=f8,ghosts=1", "--variable", "name=n,type=f8,centre=node,ghosts=2",
                  "--variable", "name=none,type=f8")
    return opened(folder, **{"CellArrays": ["a", "b"], "PointArrays": ["n"], "KeepGhostLayers": 1, **properties})


def nodes_of(grid):
    return np.array([grid.GetPoint(i) for i in range(grid.GetNumberOfPoints())]).T


def own_part(marks, grid, cells, layers, domain):
    """Whether just the values `layers` from those sides that are not the domain's are not marked as duplicates."""
    size = dimensions_of(grid) - (1 if cells else 0)
    box = np.array(grid.GetBounds()).reshape(3, 2)
    inner = [[0 if abs(box[axis, side] - domain[axis, side]) < 1e-9 else layers for side in (0, 1)] for axis in range(3)]
    own = np.zeros(size[::-1], bool)
    own[tuple(slice(before, count - after) for count, (before, after) in zip(size[::-1], inner[::-1]))] = True
    return np.array_equal(marks & DUPLICATE == 0, own.ravel())


def check_grids(reader, layers, patches=8 + 6):
    """That values and marks are right in every grid, and none lies beyond the domain; the number of cells that count."""
    output = output_of(reader)
    assert output.GetClassName() == "vtkOverlappingAMR", output.GetClassName()
    assert np.array_equal(reader.GetDataInformation().GetBounds(), DOMAIN.ravel())
    seen = 0
    count = 0
    for _, grid in grids_of(output):
        cells = marks_of(grid.GetCellData(), grid.GetNumberOfCells())
        points = marks_of(grid.GetPointData(), grid.GetNumberOfPoints())
        assert own_part(cells, grid, True, layers, DOMAIN) and own_part(points, grid, False, layers, DOMAIN)
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
        more = dimensions_of(large) - dimensions_of(small)
        assert np.all(more >= 0) and np.all(more <= 2) and np.any(more > 0), more
        marks = marks_of(large.GetCellData(), large.GetNumberOfCells())
        own = vtk_to_numpy(large.GetCellData().GetArray("a"))[marks & DUPLICATE == 0]
        assert np.array_equal(own, vtk_to_numpy(small.GetCellData().GetArray("a")))
        own = vtk_to_numpy(large.GetPoints().GetData())[marks_of(large.GetPointData(), 0) & DUPLICATE == 0]
        assert np.array_equal(own, vtk_to_numpy(small.GetPoints().GetData()))


def test_in_the_plane_there_are_layers_along_two_axes():
    folder = dump("plane", "--dimensions", "2", "--cells", "32", "32", "--variable", "name=a,type=f8,ghosts=1")
    reader = opened(folder, KeepGhostLayers=1)
    domain = np.array(reader.GetDataInformation().GetBounds()).reshape(3, 2)
    assert np.allclose(domain[0], [-1, 3]) and np.allclose(domain[1], [0.5, 8.5]), domain
    for _, grid in grids_of(output_of(reader)):
        marks = marks_of(grid.GetCellData(), grid.GetNumberOfCells())
        size = dimensions_of(grid)
        box = np.array(grid.GetBounds()).reshape(3, 2)
        cut = [sum(abs(box[axis, side] - domain[axis, side]) > 1e-9 for side in (0, 1)) for axis in (0, 1)]
        assert np.count_nonzero(marks & DUPLICATE == 0) == (size[0] - 1 - cut[0]) * (size[1] - 1 - cut[1])
        assert np.allclose(vtk_to_numpy(grid.GetCellData().GetArray("a")), linear(*cell_centres(grid), 0.0))


def drawn(view):
    """Pixels of the view that are not background."""
    from vtkmodules.vtkIOImage import vtkPNGReader
    simple.SaveScreenshot(scratch("drawn.png"), view, ImageResolution=[200, 200])
    picture = vtkPNGReader()
    picture.SetFileName(scratch("drawn.png"))
    picture.Update()
    pixels = vtk_to_numpy(picture.GetOutput().GetPointData().GetScalars())[:, :3].astype(int)
    return np.count_nonzero(np.abs(pixels - pixels[0]).sum(axis=1) > 30)


def test_layers_do_not_hide_the_surface():
    view = simple.CreateRenderView(OrientationAxesVisibility=0)
    seen = []
    for keep in (0, 1):
        reader = ghosted(KeepGhostLayers=keep)
        shown = simple.Show(reader, view)
        shown.SetRepresentationType("Surface")
        simple.ResetCamera(view)
        seen.append(drawn(view))
        simple.Delete(reader)
    simple.Delete(view)
    assert seen[0] > 1000 and abs(seen[1] - seen[0]) < 0.02 * seen[0], seen


def test_a_pipeline_stays_sound_when_layers_come_and_go():
    view = simple.CreateRenderView(OrientationAxesVisibility=0)
    reader = ghosted(KeepGhostLayers=0, PointArrays=[])
    shown = simple.Show(reader, view)
    simple.ColorBy(shown, ("CELLS", "a"))
    shown.SetRepresentationType("Volume")
    simple.Render(view)
    state = scratch("state.pvsm")
    with Messages() as said:
        for keep in (1, 0, 1):
            reader.KeepGhostLayers = keep
            simple.Render(view)
            assert output_of(reader).GetClassName() == "vtkOverlappingAMR"
        simple.SaveState(state)
        simple.Delete(reader)
        simple.Delete(view)
        simple.LoadState(state)
        simple.RenderAllViews()
    assert not said.text(), said.text()
    (again,) = simple.GetSources().values()
    assert output_of(again).GetClassName() == "vtkOverlappingAMR" and again.KeepGhostLayers == 1


def test_what_is_opened_first_settles_the_type():
    import shutil
    even, uneven = (dump(name, "--dimensions", "2", "--cells", "16", "16", "--levels", "2", "--ratio", ratio,
                         "--variable", "name=a,type=f8") for name, ratio in (("even", "2"), ("uneven", "4x2")))
    folder = scratch("changed")
    shutil.copytree(even, folder)
    reader = opened(folder)
    assert output_of(reader).GetClassName() == "vtkOverlappingAMR"
    shutil.rmtree(folder)
    shutil.copytree(uneven, folder)
    with Messages() as said:
        simple.ReloadFiles(reader)
        reader.UpdatePipeline()
    assert output_of(reader).GetClassName() == "vtkOverlappingAMR"
    assert said.text().count("Open this dump anew") == 1, said.text()
    reader = opened(folder)
    assert output_of(reader).GetClassName() == "vtkMultiBlockDataSet"
    shutil.rmtree(folder)
    shutil.copytree(even, folder)
    simple.ReloadFiles(reader)
    reader.UpdatePipeline()
    assert output_of(reader).GetClassName() == "vtkMultiBlockDataSet"
    assert reader.GetDataInformation().GetNumberOfCells() > 16 * 16


if controller().GetNumberOfProcesses() > 1:  # what filters make of the patches of all ranks
    run({function.__name__: function for function in (
        test_filters_count_no_cell_twice, test_a_contour_has_no_piece_twice)})
else:
    run(globals())
