# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet Stream Tracer on overlapping AMR: lines across patches and levels."""

import numpy as np
from plugin_testing import Messages, dump, information, opened, run, scratch, servermanager, simple
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDoubleArray
from vtkmodules.vtkCommonDataModel import vtkAMRBox, vtkImageData, vtkMultiBlockDataSet, vtkOverlappingAMR, vtkUniformGrid

LEVELS = ("--cells", "24", "24", "12", "--spacing", "0.125", "0.125", "0.125", "--origin", "-1.5", "-1.5", "0", "--levels", "3",
          "--refine", "0.6", "--patches", "2", "2", "1", "--ratio", "2")


def vortex(name="vortex", centre="cell", *more):
    return opened(dump(name, *LEVELS, "--variable", f"name=v,shape=vector,function=rotation,type=f8,centre={centre}",
                       "--variable", "name=p,function=linear,type=f8", *more))


def fetch(proxy):
    proxy.UpdatePipeline()
    return servermanager.Fetch(proxy)


def tracer(reader, points, kind=simple.RivuletStreamTracerWithCustomSource, **properties):
    source = simple.PolyPointSource(Points=[c for point in points for c in point])
    return kind(Input=reader, SeedSource=source, **properties)


FIXED = {"IntegratorType": "Runge-Kutta 4", "IntegrationStepUnit": "Length", "InitialStepLength": 0.01,
         "MaximumStreamlineLength": 5.0, "MaximumSteps": 100000, "IntegrationDirection": "FORWARD"}


MANY = [(x, y, z) for x in np.linspace(-1.4, 1.4, 8) for y in (-0.7, 0.2) for z in (0.1, 0.6)]


def points_of(lines):
    return vtk_to_numpy(lines.GetPoints().GetData()).astype(float)


def helix_error(lines, radius):
    x, y, _ = points_of(lines).T
    return np.abs(np.hypot(x, y) - radius).max()


def test_helices_keep_their_radius_through_three_levels():
    for centre in ("cell", "node"):
        reader = vortex("vortex-" + centre, centre)
        field = ("POINTS" if centre == "node" else "CELLS", "v")
        lines = fetch(tracer(reader, [(1.1, 0, 0.1)], Vectors=list(field), **FIXED))
        assert lines.GetNumberOfCells() == 1, lines.GetNumberOfCells()
        assert helix_error(lines, 1.1) < 2e-6, helix_error(lines, 1.1)
        data = lines.GetPointData()
        time = vtk_to_numpy(data.GetArray("IntegrationTime"))
        assert np.allclose(points_of(lines)[:, 2], 0.1 + time, atol=1e-6)
        # Arrays of cells come along, interpolated; the velocity keeps its name.
        x, y, z = points_of(lines).T
        off = vtk_to_numpy(data.GetArray("p")) - (1 + 2 * x + 3 * y + 5 * z)
        inside = (z > 0.125) & (z < 1.5 - 0.125)
        assert np.abs(off[inside]).max() < 1e-5
        # In the cell at the boundary it is what it is half a cell inside.
        assert inside.sum() > 100 and 0.01 < np.abs(off[~inside]).max() < 5 * 0.0625
        assert np.allclose(vtk_to_numpy(data.GetArray("v")), np.stack([-y, x, 1 + 0 * x], -1), atol=1e-6)
        assert np.allclose(vtk_to_numpy(data.GetArray("Vorticity")), [0, 0, 2], atol=1e-9)


def test_stock_is_not_as_near():
    reader = vortex("vortex-cell")
    ours = fetch(tracer(reader, [(1.1, 0, 0.1)], Vectors=["CELLS", "v"], **FIXED))
    stock = fetch(tracer(reader, [(1.1, 0, 0.1)], simple.StreamTracerWithCustomSource, Vectors=["CELLS", "v"],
                         **FIXED))
    print(f"largest error of the radius: {helix_error(ours, 1.1):.2g}, stock {helix_error(stock, 1.1):.2g}")
    assert helix_error(ours, 1.1) < 0.01 * helix_error(stock, 1.1)


def test_lines_in_the_plane():
    reader = opened(dump("plane", "--dimensions", "2", "--cells", "24", "24", "--spacing", "0.125", "0.125", "--origin", "-1.5",
                         "-1.5", "--levels", "3", "--refine", "0.5",
                         "--variable", "name=v,shape=vector,function=rotation,type=f8"))
    lines = fetch(tracer(reader, [(0.9, 0, 0)], Vectors=["CELLS", "v"], **FIXED))
    assert lines.GetNumberOfCells() == 1
    assert helix_error(lines, 0.9) < 2e-6
    assert np.all(points_of(lines)[:, 2] == 0)


def test_what_a_filter_made_is_traced_too():
    made = simple.Calculator(Input=vortex("vortex-cell"), AttributeType="Cell Data", ResultArrayName="twice",
                             Function="2*v")
    lines = fetch(tracer(made, [(1.1, 0, 0.1)], Vectors=["CELLS", "twice"], **FIXED))
    assert helix_error(lines, 1.1) < 2e-6
    time = vtk_to_numpy(lines.GetPointData().GetArray("IntegrationTime"))
    assert np.allclose(points_of(lines)[:, 2], 0.1 + 2 * time, atol=1e-6)


def test_threads_change_nothing():
    digests = set()
    for threads in (1, 2, 5):
        lines = fetch(tracer(vortex("vortex-cell"), MANY, Vectors=["CELLS", "v"], NumberOfThreads=threads))
        digests.add(points_of(lines).tobytes())
        assert lines.GetNumberOfCells() >= len(MANY), lines.GetNumberOfCells()
    assert len(digests) == 1


def test_on_demand_lines_are_the_same_and_read_what_they_cross():
    digests = set()
    for when, budget in (("Never", 0), ("Always", 0), ("Always", 1)):
        reader = vortex("vortex-cell")
        reader.ReadOnDemand, reader.MemoryBudget = when, budget
        lines = fetch(tracer(reader, [(1.1, 0, 0.1), (0.2, 0.1, 0.3)], Vectors=["CELLS", "v"], **FIXED))
        digests.add(points_of(lines).tobytes() + vtk_to_numpy(lines.GetPointData().GetArray("p")).tobytes())
        read = lines.GetFieldData().GetArray("BytesRead").GetValue(0)
        assert (read > 0) == (when == "Always"), (when, read)
    assert len(digests) == 1


def statistic(lines, name):
    return lines.GetFieldData().GetArray(name).GetValue(0)


def bytes_of(lines):
    data = lines.GetPointData()
    arrays = [vtk_to_numpy(data.GetArray(i)).tobytes() for i in range(data.GetNumberOfArrays())]
    return points_of(lines).tobytes() + b"".join(arrays)


def test_patches_and_bricks_stay_within_the_budget_together():
    expected = bytes_of(fetch(tracer(vortex("vortex-cell"), MANY, Vectors=["CELLS", "v"])))
    for budget, threads in ((1, 0), (1, 2), (2, 1), (64, 2)):
        reader = vortex("vortex-cell")
        reader.ReadOnDemand = "Always"
        lines = fetch(tracer(reader, MANY, Vectors=["CELLS", "v"], MemoryBudget=budget, NumberOfThreads=threads))
        assert bytes_of(lines) == expected, (budget, threads)
        peak = statistic(lines, "PeakBytes")
        assert 0 < peak <= budget * 2**20, (budget, threads, peak)
        assert statistic(lines, "BytesRead") > 0 and statistic(lines, "CacheMisses") > 0
        assert budget == 64 or peak > budget * 2**19, (budget, threads, peak)  # there is more to hold than that


def test_bricks_of_data_in_memory_count_too():
    lines = fetch(tracer(vortex("vortex-cell"), MANY, Vectors=["CELLS", "v"], MemoryBudget=1))
    assert 0 < statistic(lines, "PeakBytes") <= 2**20, statistic(lines, "PeakBytes")
    assert statistic(lines, "BytesRead") == 0


def test_the_readers_budget_is_back_after_a_run():
    reader = vortex("vortex-cell")
    reader.ReadOnDemand, reader.MemoryBudget = "Always", 32
    first = fetch(tracer(reader, MANY, Vectors=["CELLS", "v"], MemoryBudget=1))
    assert statistic(first, "PeakBytes") <= 2**20
    second = fetch(tracer(reader, MANY, Vectors=["CELLS", "v"]))
    assert statistic(second, "PeakBytes") > 2 * 2**20, statistic(second, "PeakBytes")


def test_a_budget_that_is_too_small_is_refused_with_the_number_that_would_do():
    large = dump("large", "--cells", "48", "48", "48", "--levels", "1", "--patches", "1", "1", "1",
                 "--variable", "name=v,shape=vector,function=rotation,type=f8")
    reader = opened(large, ReadOnDemand="Always")
    filter = tracer(reader, [(2, 2, 3)], Vectors=["CELLS", "v"], MemoryBudget=1)
    with Messages() as messages:
        lines = fetch(filter)
    assert messages.text().count("memory budget of 1 MiB is below") == 1, messages.text()
    assert "1 thread needs" in messages.text() and "summary" in messages.text(), messages.text()
    assert lines.GetNumberOfPoints() == 0
    filter.MemoryBudget = int(messages.text().split("et Memory Budget to ")[1].split()[0])
    with Messages() as messages:
        lines = fetch(filter)
    assert not messages.text(), messages.text()
    assert lines.GetNumberOfPoints() > 0 and statistic(lines, "PeakBytes") <= filter.MemoryBudget * 2**20


def test_levels_that_are_left_out_are_coarser_lines():
    reader = vortex("vortex-cell")
    reader.FinestLevel = 0
    lines = fetch(tracer(reader, [(1.1, 0, 0.1)], Vectors=["CELLS", "v"], **FIXED))
    assert helix_error(lines, 1.1) < 2e-6


UNEVEN = ("--cells", "24", "24", "12", "--spacing", "0.125", "0.125", "0.125", "--origin", "-1.5", "-1.5", "0", "--levels", "3",
          "--refine", "0.6", "--patches", "2", "2", "1", "--ratio", "2x3x1", "1x2x4", "--variable",
          "name=v,shape=vector,function=rotation,type=f8,ghosts=2", "--variable", "name=p,function=linear,type=f8,ghosts=2")


def test_lines_go_through_levels_whose_ratios_differ():
    digests = set()
    for when in ("Never", "Always"):
        reader = opened(dump("uneven", *UNEVEN), ReadOnDemand=when)
        assert reader.GetClientSideObject().GetOutputDataObject(0).IsA("vtkMultiBlockDataSet")
        lines = fetch(tracer(reader, [(1.1, 0, 0.1), (0.2, 0.1, 0.3)], Vectors=["CELLS", "v"], **FIXED))
        assert lines.GetNumberOfCells() == 2
        x, y, _ = points_of(lines).T
        first = lines.GetCell(0).GetNumberOfPoints()
        assert np.abs(np.hypot(x, y)[:first] - 1.1).max() < 2e-6
        digests.add(bytes_of(lines))
        assert (statistic(lines, "BytesRead") > 0) == (when == "Always")
    assert len(digests) == 1


def test_ghost_layers_that_are_kept_change_no_line():
    folder = dump("ghosted", *LEVELS, "--variable", "name=v,shape=vector,function=rotation,type=f8,ghosts=2", "--variable",
                  "name=p,function=linear,type=f8,ghosts=2")
    lines = {}
    for kept in (0, 1):
        for when in ("Never", "Always"):
            reader = opened(folder, KeepGhostLayers=kept, ReadOnDemand=when)
            # Bounds, and so lengths that are not given, include the layers.
            lines[kept, when] = fetch(tracer(reader, MANY, Vectors=["CELLS", "v"], MaximumStreamlineLength=3.0))
    assert bytes_of(lines[1, "Never"]) == bytes_of(lines[1, "Always"])
    plain, ghosted = lines[0, "Never"], lines[1, "Never"]
    assert plain.GetNumberOfPoints() == ghosted.GetNumberOfPoints() > 100
    assert np.allclose(points_of(plain), points_of(ghosted), atol=1e-6)
    p = [vtk_to_numpy(one.GetPointData().GetArray("p")) for one in (plain, ghosted)]
    assert np.allclose(*p, atol=1e-5)


def refusal(data):
    with Messages() as messages:
        lines = fetch(tracer(data, [(0.5, 0.5, 0.5)], Vectors=["CELLS", "v"]))
    assert lines.GetNumberOfPoints() == 0 and messages.text().count("ERR") == 1, messages.text()
    return messages.text()


def test_cells_that_are_not_uniform_are_one_mesh():
    data = opened(dump("deformed", "--deformed", "--levels", "1", "--variable", "name=v,shape=vector"))
    with Messages() as messages:
        ours = tracer(data, [(0.5, 2.5, 5.0)], Vectors=["CELLS", "v"])
        lines = fetch(ours)
    assert lines.GetNumberOfPoints() > 10 and not messages.text(), messages.text()
    assert "cells" in information(ours, "InputLayout") and "curvilinear hexahedra" in information(ours, "StrategyReason"), (
        information(ours, "InputLayout"), information(ours, "StrategyReason"))


def test_blocks_that_do_not_fit_together_are_no_levels():
    def blocks(*grids):
        data = vtkMultiBlockDataSet()
        for number, (origin, spacing) in enumerate(grids):
            grid = vtkImageData()
            grid.SetDimensions(5, 5, 5)
            grid.SetOrigin(origin, 0, 0)
            grid.SetSpacing(spacing, 0.25, 0.25)
            vectors = vtkDoubleArray()
            vectors.SetName("v")
            vectors.SetNumberOfComponents(3)
            vectors.SetNumberOfTuples(64)
            vectors.Fill(1.0)
            grid.GetCellData().AddArray(vectors)
            data.SetBlock(number, grid)
        source = simple.TrivialProducer()
        source.GetClientSideObject().SetOutput(data)
        source.UpdatePipeline()
        return source

    assert fetch(tracer(blocks((0, 0.25), (1, 0.25), (0, 0.125)), [(0.5, 0.5, 0.5)], Vectors=["CELLS", "v"],
                        MaximumStreamlineLength=9.0)).GetNumberOfPoints() > 3
    for grids, why in ((((0, 0.25), (1.1, 0.25)), "block 2 of the input does not lie on the lattice"),
                       (((0, 0.25), (0.5, 0.25)), "box 1 of level 0 overlaps box 0"),
                       (((0, 0.25), (0, 0.2)), "divided by whole numbers")):
        with Messages() as messages:
            lines = fetch(tracer(blocks(*grids), [(0.5, 0.5, 0.5)], Vectors=["CELLS", "v"], MaximumStreamlineLength=9.0))
        assert messages.text().count("Warning") == 1 and why in messages.text(), messages.text()
        ends = points_of(lines)[:, 0]
        assert ends.min() >= 0 and ends.max() <= 1 + 1e-6, "through the first block and no other"
    assert "no blocks with cells" in refusal(blocks())


def test_bounds_that_are_known_late_make_lines_of_their_length():
    reader = simple.RivuletSAMRAIReader(FileNames=[dump("vortex-cell", *LEVELS) + "/dumps.visit"])
    filter = tracer(reader, [(1.1, 0, 0.1)], simple.RivuletStreamTracerWithCustomSource)
    filter.MaximumStreamlineLength = -2e299  # what ParaView 5 makes of bounds that it does not know
    filter.Vectors = ["CELLS", "v"]
    late = fetch(filter)
    assert late.GetNumberOfPoints() > 10
    filter.MaximumStreamlineLength = 3.0
    assert bytes_of(late) == bytes_of(fetch(filter))


def test_levels_that_the_reader_did_not_load_are_named_with_the_remedy():
    whole = opened(dump("vortex-cell", *LEVELS))
    simple.SaveData(scratch("levels.vthb"), proxy=whole, DataMode="Binary")  # see Documentation/known-faults.md
    part = simple.XMLUniformGridAMRReader(FileName=[scratch("levels.vthb")])
    part.DefaultNumberOfLevels = 1  # the default of some releases: the coarsest level only
    part.UpdatePipeline()
    with Messages() as messages:
        simple.RivuletStreamTracer(part, SeedType="Point Cloud", Vectors=["CELLS", "v"]).UpdatePipeline()
    assert messages.text().count("ERR") == 1 and "Default Number Of Levels" in messages.text(), messages.text()
    part.DefaultNumberOfLevels = 0
    part.UpdatePipeline()
    lines = simple.RivuletStreamTracer(part, SeedType="Point Cloud", Vectors=["CELLS", "v"])
    assert fetch(lines).GetNumberOfPoints() > 100


def one_box(cells, spacing):
    """AMR whose only box has 4 x 4 x 4 cells of side 0.25, and a block that may have others."""
    amr = vtkOverlappingAMR()
    amr.Initialize(1, [1])
    amr.SetGridDescription(8)  # VTK_XYZ_GRID
    amr.SetOrigin([0, 0, 0])
    amr.SetSpacing(0, [0.25] * 3)
    amr.SetAMRBox(0, 0, vtkAMRBox([0] * 3, [3] * 3))
    grid = vtkUniformGrid()
    grid.SetDimensions([cells + 1] * 3)
    grid.SetSpacing([spacing] * 3)
    values = numpy_to_vtk(np.ones((cells**3, 3)), deep=1)
    values.SetName("v")
    grid.GetCellData().AddArray(values)
    amr.SetDataSet(0, 0, grid)
    return amr


def test_a_block_of_another_grid_than_its_box_is_refused():
    for cells, spacing, wrong in ((4, 0.25, None), (5, 0.2, "box 0 of level 0 has cells of 0.2 along axis 0, its level of 0.25"), (3, 0.25, "does not cover")):
        source = simple.TrivialProducer()
        source.GetClientSideObject().SetOutput(one_box(cells, spacing))
        source.UpdatePipeline()
        with Messages() as messages:
            lines = fetch(tracer(source, [(0.5, 0.5, 0.5)], Vectors=["CELLS", "v"]))
        assert messages.text().count("ERR") == (1 if wrong else 0) and (wrong or "") in messages.text(), messages.text()
        assert (lines.GetNumberOfPoints() == 0) == bool(wrong)


def test_seeds_that_were_placed_before_the_bounds_were_known_are_refused():
    reader = simple.RivuletSAMRAIReader(FileNames=[dump("vortex-cell", *LEVELS) + "/dumps.visit"])
    with Messages() as messages:
        filter = simple.RivuletStreamTracer(Input=reader, SeedType="Line", Vectors=["CELLS", "v"])
        filter.SeedType.Point1, filter.SeedType.Point2 = [1e299] * 3, [-1e299] * 3  # as ParaView 5 places them
        filter.UpdatePipeline()
    assert messages.text().count("ERR") == 1 and "seeds were placed before" in messages.text(), messages.text()


def test_settings_that_cannot_be_are_named():
    for name, label, value in (("MaximumStreamlineLength", "Maximum Streamline Length", -3.0),
                               ("MaximumSteps", "Maximum Steps", -1)):
        with Messages() as messages:
            fetch(tracer(vortex("vortex-cell"), [(1.1, 0, 0.1)], Vectors=["CELLS", "v"], **{name: value}))
        assert f"{label} is {value:g}. Set {label} to a" in messages.text(), messages.text()


def test_a_scalar_is_no_vector():
    with Messages() as messages:
        fetch(tracer(vortex("vortex-cell"), [(1.1, 0, 0.1)], Vectors=["CELLS", "p"]))
    assert "has 1 component, vectors have 3" in messages.text(), messages.text()


run(globals())
