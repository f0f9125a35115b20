# SPDX-License-Identifier: BSD-3-Clause
"""Curvilinear grids in field files: read without their coordinates until these are wanted, saved as they are."""
import os
import subprocess

import numpy as np
from plugin_testing import (Messages, controller, generate, information, program, run, scratch, servermanager, simple)
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints, vtkUnsignedCharArray
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkStructuredGrid

SIZE = (41, 30, 27)


def twisted(name="twisted.rvf", *options):
    return generate(name, "abc", "--size", "%d,%d,%d" % SIZE, "--twist", "0.15", *options)


def read(path, time=None):
    source = simple.OpenDataFile(path)
    source.UpdatePipeline(*([] if time is None else [time]))
    return source, source.GetClientSideObject().GetOutputDataObject(0)


def values(dataset):
    points = dataset.GetPointData()
    found = {points.GetArray(i).GetName(): vtk_to_numpy(points.GetArray(i)).copy() for i in range(points.GetNumberOfArrays())}
    found["the points"] = vtk_to_numpy(dataset.GetPoints().GetData()).copy()
    return found


def same(a, b):
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


def test_the_outline_reads_no_coordinates():
    path = twisted()
    source, grid = read(path)
    ranks = controller().GetNumberOfProcesses()
    assert grid.GetClassName() == "vtkStructuredGrid" and grid.GetPointData().GetNumberOfArrays() == 1
    bounds = grid.GetBounds()
    assert information(source, "BytesRead") == 0
    if ranks == 1:
        places = vtk_to_numpy(grid.GetPoints().GetData())
        found = [x for axis in range(3) for x in (places[:, axis].min(), places[:, axis].max())]
        assert np.array_equal(bounds, found), (bounds, found)
        assert information(source, "BytesRead") > 0
    else:  # those of its bricks hold a part
        places = np.array([grid.GetPoint(i) for i in range(grid.GetNumberOfPoints())])
        assert len(places) == 0 or all(bounds[2 * a] <= places[:, a].min() and places[:, a].max() <= bounds[2 * a + 1]
                                       for a in range(3))


def test_ranks_have_their_parts():
    _, grid = read(twisted())
    places = np.array([grid.GetPoint(i) for i in range(grid.GetNumberOfPoints())])
    extent = grid.GetExtent()
    expected = places_of_all()[extent[4]:extent[5] + 1, extent[2]:extent[3] + 1, extent[0]:extent[1] + 1]
    assert np.abs(places - expected.reshape(-1, 3)).max() < 1e-6


def places_of_all():
    """The nodes as the formula has them (Documentation/command-line.md)."""
    i, j, k = np.meshgrid(*[np.arange(n) for n in SIZE], indexing="ij")
    phase = 1.7 * i + 2.3 * j + 2.9 * k
    places = [2 * np.pi / (n - 1) * (x + 0.15 * np.sin(phase + 2 * axis)) for axis, (n, x) in enumerate(zip(SIZE, (i, j, k)))]
    return np.stack([each.transpose(2, 1, 0) for each in places], -1)


def test_what_is_saved_comes_back():
    for name in ("back.rvf", "back.rvs"):
        source, _ = read(twisted("steps.rvf", "--steps", "3"))
        simple.SaveData(scratch(name), proxy=source, WriteAllTimeSteps=1)
        program("verify", scratch(name), "-q")
        for time in (0.0, 1.0, 2.0):
            a, b = (servermanager.Fetch(read(path, time)[0]) for path in (twisted("steps.rvf", "--steps", "3"), scratch(name)))
            assert same(values(a), values(b)), (name, time)
    sizes = [os.path.getsize(os.path.join(scratch("back.rvs"), f"step-0000000{n}.rvf")) for n in range(3)]
    assert sizes[1] == sizes[2] < 0.6 * sizes[0], sizes


def test_a_grid_that_moves_is_saved_as_a_store_alone():
    path = twisted("moving.rvs", "--steps", "3", "--twist-rate", "1")
    source, _ = read(path)
    with Messages() as said:
        try:
            simple.SaveData(scratch("moved.rvf"), proxy=source, WriteAllTimeSteps=1)
        except RuntimeError:
            pass
    assert "move from step to step" in said.text() and "store (.rvs)" in said.text(), said.text()
    assert not os.path.exists(scratch("moved.rvf"))
    simple.SaveData(scratch("moved.rvs"), proxy=source, WriteAllTimeSteps=1)
    for time in (0.0, 1.0, 2.0):
        a, b = (servermanager.Fetch(read(each, time)[0]) for each in (path, scratch("moved.rvs")))
        assert same(values(a), values(b)), time
        assert np.allclose(a.GetBounds(), b.GetBounds(), atol=0)


def hidden_grid():
    """Doubles, left-handed, an extent that does not begin at 0, points and cells that are hidden, cells' values."""
    dims = (7, 6, 5)
    z, y, x = (each.ravel() for each in np.meshgrid(*[np.arange(float(n)) for n in dims[::-1]], indexing="ij"))
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.stack((-x - 0.1 * y * z, y + 0.05 * x * x, z + 0.02 * x * y), -1), deep=True))
    grid = vtkStructuredGrid()
    grid.SetExtent(2, 8, -1, 4, 0, 4)
    grid.SetPoints(points)
    for data, count in ((grid.GetPointData(), grid.GetNumberOfPoints()), (grid.GetCellData(), grid.GetNumberOfCells())):
        array = numpy_to_vtk(np.sin(np.arange(3.0 * count)).reshape(-1, 3), deep=True)
        array.SetName("velocity" if data is grid.GetPointData() else "force")
        data.AddArray(array)
        ghosts = vtkUnsignedCharArray()
        ghosts.SetName(vtkDataSetAttributes.GhostArrayName())
        node = data is grid.GetPointData()
        for number in range(count):
            hides = number % (41 if node else 13) == 5
            ghosts.InsertNextValue((vtkDataSetAttributes.HIDDENPOINT if node else vtkDataSetAttributes.HIDDENCELL) if hides else 0)
        data.AddArray(ghosts)
    return grid


def test_hidden_points_and_cells_doubles_and_extents_are_kept():
    if controller().GetNumberOfProcesses() > 1:
        return
    grid = hidden_grid()
    producer = simple.TrivialProducer()
    producer.GetClientSideObject().SetOutput(grid)
    simple.SaveData(scratch("hidden.rvf"), proxy=producer)
    program("verify", scratch("hidden.rvf"), "-q")
    _, back = read(scratch("hidden.rvf"))
    assert back.GetExtent() == grid.GetExtent()
    assert vtk_to_numpy(back.GetPoints().GetData()).dtype == np.float64
    assert same(values(back), values(grid))
    for a, b in ((back.GetCellData(), grid.GetCellData()), (back.GetPointData(), grid.GetPointData())):
        for number in range(b.GetNumberOfArrays()):
            name = b.GetArray(number).GetName()
            assert np.array_equal(vtk_to_numpy(a.GetArray(name)), vtk_to_numpy(b.GetArray(name))), name
    assert back.HasAnyBlankCells() and back.HasAnyBlankPoints()


def test_files_of_vtk_are_converted():
    if controller().GetNumberOfProcesses() > 1:
        return
    source, _ = read(twisted())
    for name in ("grid.vts", "grid.vtk", "grid.pvts"):
        simple.SaveData(scratch(name), proxy=source)
        program("convert", scratch(name), scratch("of_" + name + ".rvf"), "-q")
        assert same(values(read(scratch("of_" + name + ".rvf"))[1]), values(source.GetClientSideObject().GetOutputDataObject(0))), name
    for name, options in (("still", []), ("shaken", ["--twist-rate", "1"])):
        moving = twisted(name + ".rvs", "--steps", "3", *options)
        simple.SaveData(scratch(name + ".vts"), proxy=read(moving)[0], Writetimestepsasfileseries=1)
        program("convert", *[scratch(f"{name}_{n}.vts") for n in range(3)], scratch(name + "_again.rvs"), "-q")
        for time in (0.0, 1.0, 2.0):
            assert same(values(read(moving, time)[1]), values(read(scratch(name + "_again.rvs"), time)[1])), (name, time)
        stored = program("info", scratch(name + "_again.rvs"))
        assert ("stored 3 times" in stored) == (name == "shaken"), stored


def test_points_of_long_whole_numbers_are_told():
    if controller().GetNumberOfProcesses() > 1:
        return
    z, y, x = (each.ravel() for each in np.meshgrid(np.arange(3), np.arange(4), np.arange(5), indexing="ij"))
    for kind, told in (("i8", True), ("i4", False)):
        points = vtkPoints()
        points.SetData(numpy_to_vtk(np.stack((x, y, z), -1).astype(kind), deep=True))
        grid = vtkStructuredGrid()
        grid.SetDimensions(5, 4, 3)
        grid.SetPoints(points)
        array = numpy_to_vtk(np.ones(60), deep=True)
        array.SetName("one")
        grid.GetPointData().AddArray(array)
        source = simple.TrivialProducer()
        source.GetClientSideObject().SetOutput(grid)
        with Messages() as said:
            simple.SaveData(scratch("whole.rvf"), proxy=source)
        assert ("points keep whole numbers below 2^53" in said.text()) == told, said.text()
        assert np.array_equal(values(read(scratch("whole.rvf"))[1])["the points"], np.stack((x, y, z), -1))


def write_plot3d(name, zones, values=None, time=0.0, order=">", kind="f4"):
    """Whole binary files: the grid, or with values a solution. A zone is [k, j, i, numbers]."""
    with open(scratch(name), "wb") as file:
        if len(zones) > 1:
            np.array([len(zones)], order + "i4").tofile(file)
        for zone in zones:
            np.array(zone.shape[2::-1], order + "i4").tofile(file)
        for number, zone in enumerate(zones):
            if values is not None:
                np.array([0.8, 2.0, 1e6, time], order + kind).tofile(file)
            for numbers in np.moveaxis(zone if values is None else values[number], -1, 0):
                numbers.astype(order + kind).tofile(file)
    return scratch(name)


def flow_of_plot3d(zone, time):
    """Density, momentum and energy of a velocity (y, -x, 1 + time)."""
    velocity = np.stack((zone[..., 1], -zone[..., 0], np.full(zone.shape[:3], 1 + time)), -1)
    density = 1.2 + 0.1 * zone[..., 2]
    return np.concatenate((density[..., None], density[..., None] * velocity, 2.5 + 0 * density[..., None]), -1), velocity


def plot3d_zones():
    zones = []
    for shift in (0.0, 3.0):
        k, j, i = np.meshgrid(np.arange(5.0), np.arange(6.0), np.arange(7.0 + shift), indexing="ij")
        zones.append(np.stack((i + shift + 0.1 * np.sin(j), j + 0.1 * np.cos(k), k + 0.05 * i), -1))
    return zones


def test_plot3d_is_converted():
    if controller().GetNumberOfProcesses() > 1:
        return
    zones = plot3d_zones()
    for order in (">", "<"):
        grid = write_plot3d("wing.xyz", zones[:1], order=order)
        solutions = [write_plot3d(f"wing_{n}.q", zones[:1], [flow_of_plot3d(zones[0], n)[0]], time, order)
                     for n, time in ((0, 0.5), (1, 0.75))]
        program("convert", "--plot3d-grid", grid, *solutions, scratch("wing.rvf"), "-f", "-q")
        for number, time in ((0, 0.5), (1, 0.75)):
            _, back = read(scratch("wing.rvf"), time)
            assert back.GetDimensions() == (7, 6, 5)
            places = vtk_to_numpy(back.GetPoints().GetData())
            assert np.array_equal(places, zones[0].reshape(-1, 3).astype(np.float32))
            velocity = vtk_to_numpy(back.GetPointData().GetArray("Velocity"))
            expected = flow_of_plot3d(zones[0], number)[1].reshape(-1, 3)
            assert np.abs(velocity - expected).max() < 1e-5, np.abs(velocity - expected).max()
            assert {"Density", "Momentum", "Pressure", "StagnationEnergy"} <= set(values(back)), values(back).keys()
        assert "places of the nodes" in program("info", scratch("wing.rvf")) and "stored 2" not in program("info", scratch("wing.rvf"))


def test_zones_of_plot3d_are_chosen_and_other_files_refused():
    if controller().GetNumberOfProcesses() > 1:
        return
    zones = plot3d_zones()
    grid = write_plot3d("zones.xyz", zones)
    flow = write_plot3d("zones.q", zones, [flow_of_plot3d(zone, 0)[0] for zone in zones])
    assert "2 zones" in refusal("--plot3d-grid", grid, flow, scratch("zone.rvf"))
    assert "no zone 3" in refusal("--plot3d-grid", grid, flow, scratch("zone.rvf"), "--zone", "3")
    said = refusal("--plot3d-grid", grid, flow, scratch("zone.rvf"), "--zone", "0")
    assert '"0" is not a number above 0' in said and "e-" not in said, said
    assert "--dims says" in refusal("--plot3d-grid", grid, flow, scratch("zone.rvf"), "--dims", "10,6,5")
    program("convert", "--plot3d-grid", grid, flow, scratch("zone.rvf"), "--zone", "2", "-q")
    assert read(scratch("zone.rvf"))[1].GetDimensions() == (10, 6, 5)
    with open(scratch("text.xyz"), "w", encoding="utf-8") as file:
        file.write("2 2 2\n" + "0 1 " * 12)
    assert "no binary grid file" in refusal("--plot3d-grid", scratch("text.xyz"), flow, scratch("text.rvf"))
    assert "absent.xyz" in refusal("--plot3d-grid", scratch("absent.xyz"), flow, scratch("text.rvf"))
    doubles = write_plot3d("doubles.q", zones, [flow_of_plot3d(zone, 0)[0] for zone in zones], kind="f8")
    other = write_plot3d("other.q", zones, [flow_of_plot3d(zone, 0)[0] for zone in zones], order="<")
    for solution, why in ((doubles, "same precision"), (other, "byte order"), (write_plot3d("one.q", zones[:1], [flow_of_plot3d(zones[0], 0)[0]]), "no solution on this grid")):
        said = refusal("--plot3d-grid", grid, solution, scratch("text.rvf"), "--zone", "1")
        assert why in said and os.path.basename(solution) in said, said
    program("generate", "abc", scratch("no_grid.rvf"), "--size", "9,9,9", "-q", "-f")
    assert "no binary grid file" in refusal("--plot3d-grid", scratch("no_grid.rvf"), flow, scratch("text.rvf"))
    with open(scratch("short.q"), "wb") as file, open(flow, "rb") as whole:
        file.write(whole.read()[:400])
    assert "short.q" in refusal("--plot3d-grid", grid, scratch("short.q"), scratch("text.rvf"), "--zone", "1")


def refusal(*arguments):
    """What `rivulet convert` says when it fails."""
    done = subprocess.run([os.environ["RIVULET_PROGRAM"], "convert", *arguments], text=True, capture_output=True, check=False)
    assert done.returncode != 0, done.stdout
    return done.stderr


run(globals())
