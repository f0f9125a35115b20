# SPDX-License-Identifier: BSD-3-Clause
"""Curvilinear grids that are paged in from files: in every filter the same bytes as in memory, within any budget."""
import hashlib
import os

import numpy as np
from filter_testing import Messages, points_of, produce, seed_line, simple, statistic
from plugin_testing import controller, generate, program, run, scratch, servermanager
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkStructuredGrid

SIZE = "43,37,31"
STRATEGIES = ("Automatic", "Memory Map", "Buffered Cache", "Direct Cache", "Asynchronous")
LOW, HIGH = (0.4, 0.5, 0.6), (5.7, 5.6, 5.5)


def twisted(name, *options):
    return generate(name, "abc", "--size", SIZE, "--twist", "0.15", *options)


def steady():
    return twisted("twisted.rvf", "--with-speed")


def steps():
    return twisted("twisted.rvs", "--steps", "4", "--dt", "0.3")


def reader(path, **properties):
    source = simple.OpenDataFile(path)
    for name, value in properties.items():
        source.__setattr__(name, value)
    return source


def files_of(path, count):
    """The steps as files of VTK's, which ParaView holds in memory."""
    name = scratch(os.path.basename(path) + "_memory.vts")
    if not os.path.exists(name.replace(".vts", "_0.vts")):
        simple.SaveData(name, proxy=simple.OpenDataFile(path), Writetimestepsasfileseries=1)
    return simple.XMLStructuredGridReader(FileName=[name.replace(".vts", f"_{n}.vts") for n in range(count)])


def plain(grid):
    """The dataset with ordinary arrays."""
    copy = vtkStructuredGrid()
    copy.SetExtent(grid.GetExtent())
    points = vtkPoints()
    points.SetData(numpy_to_vtk(vtk_to_numpy(grid.GetPoints().GetData()).copy(), deep=True))
    copy.SetPoints(points)
    for to, data in ((copy.GetPointData(), grid.GetPointData()), (copy.GetCellData(), grid.GetCellData())):
        for number in range(data.GetNumberOfArrays()):
            array = numpy_to_vtk(vtk_to_numpy(data.GetArray(number)).copy(), deep=True)
            array.SetName(data.GetArray(number).GetName())
            to.AddArray(array)
    return copy


def in_memory(path):
    source = simple.OpenDataFile(path)
    source.UpdatePipeline()
    return produce(plain(source.GetClientSideObject().GetOutputDataObject(0)))


def streamlines(source, centering="POINTS", **properties):
    tracer = simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=seed_line(LOW, HIGH, 60))
    tracer.Vectors = [centering, "velocity"]
    tracer.MaximumStreamlineLength = 8.0
    for name, value in properties.items():
        tracer.__setattr__(name, value)
    return tracer


# Not "output": Programmable Filter puts a variable of that name into this module.
def made_by(proxy, time=None, port=0):
    proxy.UpdatePipeline(*([] if time is None else [time]))
    return proxy.GetClientSideObject().GetOutputDataObject(port)


def digest(dataset):
    """Of points and their arrays, in their order."""
    total = hashlib.sha256(points_of(dataset).tobytes())
    data = dataset.GetPointData()
    for name in sorted(data.GetArrayName(i) for i in range(data.GetNumberOfArrays())):
        total.update(name.encode() + vtk_to_numpy(data.GetArray(name)).tobytes())
    return total.hexdigest()


def alone():
    return controller().GetNumberOfProcesses() == 1


def test_streamlines_are_those_in_memory():
    if not alone():
        return
    for path, centering in ((steady(), "POINTS"), (twisted("cells.rvf", "--cell-centred", "--float64"), "CELLS")):
        expected = made_by(streamlines(in_memory(path), centering))
        assert expected.GetNumberOfPoints() > 3000, expected.GetNumberOfPoints()
        assert digest(made_by(streamlines(reader(path), centering))) == digest(expected), path


def test_budget_threads_and_strategy_change_no_byte():
    if not alone():
        return
    whole = made_by(streamlines(reader(steady())))
    expected = digest(whole)
    assert statistic(whole, "BytesRead") > 0
    for strategy in STRATEGIES:
        for budget, threads in ((1, 1), (1, 3), (64, 2)):
            lines = made_by(streamlines(reader(steady()), AccessStrategy=strategy, MemoryBudget=budget, NumberOfThreads=threads))
            assert digest(lines) == expected, (strategy, budget, threads)
            assert statistic(lines, "PeakBytes") <= budget * 2**20, (strategy, budget, statistic(lines, "PeakBytes"))


def test_short_lines_read_little():
    if not alone():
        return
    whole = os.path.getsize(steady())
    tracer = streamlines(reader(steady()))
    tracer.MaximumStreamlineLength = 0.2
    tracer.SeedSource = seed_line((3.0, 3.0, 3.0), (3.1, 3.1, 3.1), 3)
    read = statistic(made_by(tracer), "BytesRead")
    assert 0 < read < 0.1 * whole, (read, whole)


def test_ranks_have_all_lines():
    lines = [servermanager.Fetch(tracer).GetNumberOfLines()
             for tracer in (streamlines(reader(steady())), streamlines(reader(steady()), ShareBricks=1))]
    assert lines == [122, 122], lines
    paths = in_time(reader(steps()))
    assert paths.GetNumberOfPoints() > 100


def in_time(source, kind="RivuletPathTracerWithCustomSource", time=0.9, **properties):
    seeds = {} if "Surface" in kind else {"SeedSource": seed_line(LOW, HIGH, 30)}
    tracer = getattr(simple, kind)(Input=source, Vectors=["POINTS", "velocity"], **seeds)
    for name, value in properties.items():
        tracer.__setattr__(name, value)
    return made_by(tracer, time)


def test_lines_in_time_are_those_of_steps_in_memory():
    if not alone():
        return
    for kind in ("RivuletPathTracerWithCustomSource", "RivuletStreakLineWithCustomSource"):
        if not hasattr(simple, kind):
            continue
        expected = in_time(files_of(steps(), 4), kind)
        assert expected.GetNumberOfPoints() > 100, (kind, expected.GetNumberOfPoints())
        for strategy, budget in (("Memory Map", 64), ("Asynchronous", 1), ("Direct Cache", 2)):
            found = in_time(reader(steps()), kind, AccessStrategy=strategy, MemoryBudget=budget)
            assert digest(found) == digest(expected), (kind, strategy)


def moving():
    return twisted("moving.rvs", "--steps", "4", "--dt", "0.3", "--twist-rate", "1")


def test_a_grid_that_moves_is_traced_at_one_time():
    if not alone():
        return
    memory = files_of(moving(), 4)
    for time in (0.0, 0.6):
        assert digest(made_by(streamlines(reader(moving())), time)) == digest(made_by(streamlines(memory), time)), time


def test_lines_in_time_on_a_grid_that_moves_are_those_of_steps_in_memory():
    if not alone():
        return
    for kind in ("RivuletPathTracerWithCustomSource", "RivuletStreakLineWithCustomSource", "RivuletStreakSurface"):
        for rule in ("Linear", "Cubic"):
            with Messages() as said:
                expected = in_time(files_of(moving(), 4), kind, TimeInterpolation=rule)
            assert said.count() == 0, said.text()
            assert expected.GetNumberOfPoints() > 100, (kind, expected.GetNumberOfPoints())
            for strategy, budget, threads in (("Memory Map", 64, 2), ("Asynchronous", 4, 1), ("Direct Cache", 8, 3)):
                found = in_time(reader(moving()), kind, TimeInterpolation=rule, AccessStrategy=strategy, MemoryBudget=budget,
                                NumberOfThreads=threads)
                assert digest(found) == digest(expected), (kind, rule, strategy)
                assert statistic(found, "PeakBytes") <= budget * 2**20, (kind, strategy, statistic(found, "PeakBytes"))
    still = in_time(reader(steps()))
    assert digest(in_time(reader(moving()))) != digest(still)


def test_exponents_at_the_nodes_are_those_in_memory():
    if not alone():
        return
    for path, count in ((steps(), 4), (moving(), 4)):
        found = [made_by(simple.RivuletFTLE(Input=source, Vectors=["POINTS", "velocity"], Duration=0.3, MemoryBudget=budget), 0.3)
                 for source, budget in ((files_of(path, count), 64), (reader(path), 64), (reader(path), 12))]
        values = vtk_to_numpy(found[0].GetPointData().GetArray("FTLE"))
        assert np.isfinite(values).sum() > 1000, np.isfinite(values).sum()
        assert len({digest(each) for each in found}) == 1, path


def test_ranks_have_the_lines_of_a_grid_that_moves():
    paths = simple.RivuletPathTracerWithCustomSource(
        Input=reader(moving()), Vectors=["POINTS", "velocity"], SeedSource=seed_line(LOW, HIGH, 30))
    paths.UpdatePipeline(0.9)
    assert servermanager.Fetch(paths).GetNumberOfLines() == 31


def test_hidden_cells_are_those_in_memory():
    if not alone():
        return
    source = simple.OpenDataFile(steady())
    source.UpdatePipeline()
    grid = plain(source.GetClientSideObject().GetOutputDataObject(0))
    hides = np.zeros(grid.GetNumberOfCells(), np.uint8)
    hides[::17] = vtkDataSetAttributes.HIDDENCELL
    ghosts = numpy_to_vtk(hides, deep=True)
    ghosts.SetName(vtkDataSetAttributes.GhostArrayName())
    grid.GetCellData().AddArray(ghosts)
    simple.SaveData(scratch("hidden.rvf"), proxy=produce(grid))
    expected = made_by(streamlines(produce(grid)))
    assert digest(expected) != digest(made_by(streamlines(reader(steady()))))
    assert digest(made_by(streamlines(reader(scratch("hidden.rvf"))))) == digest(expected)


def test_components_of_vectors_are_put_together():
    if not alone():
        return
    split = simple.Calculator(Input=in_memory(steady()), ResultArrayName="u", Function="velocity_X")
    split = simple.Calculator(Input=split, ResultArrayName="v", Function="velocity_Y")
    split = simple.Calculator(Input=split, ResultArrayName="w", Function="velocity_Z")
    simple.SaveData(scratch("split.rvf"), proxy=split)
    tracer = streamlines(reader(scratch("split.rvf")))
    tracer.XArray, tracer.YArray, tracer.ZArray = "u", "v", "w"
    assert np.array_equal(points_of(made_by(tracer)), points_of(made_by(streamlines(in_memory(steady())))))


def test_other_filters_take_the_grid():
    if not alone():
        return
    for kind, time, sources in (("RivuletVortexSeeds", None, (reader(steady()), in_memory(steady()))),
                                ("RivuletSourceDestination", 0.0, (reader(steps()), files_of(steps(), 4)))):
        filters = [getattr(simple, kind)(Input=source, Vectors=["POINTS", "velocity"]) for source in sources]
        for each in filters if "Source" in kind else []:
            each.SourceFunction, each.DestinationFunction = "Sphere", "Sphere"
            for sphere, centre in ((each.SourceFunction, (2.5, 2.5, 2.5)), (each.DestinationFunction, (3.5, 3.0, 3.0))):
                sphere.Center, sphere.Radius = centre, 1.2
        found = [made_by(each, time, 1 if "Source" in kind else 0) for each in filters]
        assert digest(found[0]) == digest(found[1]), kind
        assert found[0].GetNumberOfPoints() > 0, kind
    surfaces = [simple.RivuletStreakSurface(Input=source, Vectors=["POINTS", "velocity"]) for source in (reader(steps()), files_of(steps(), 4))]
    assert digest(made_by(surfaces[0], 0.9)) == digest(made_by(surfaces[1], 0.9))
    assert made_by(surfaces[0], 0.9).GetNumberOfPoints() > 100


def test_points_that_a_filter_writes_to_are_refused():
    if not alone():
        return
    for what in ("GetPoints().GetData()", "GetPointData().GetArray('velocity')"):
        script = f"""
from vtkmodules.util.numpy_support import vtk_to_numpy as plain_values
made = self.GetOutputDataObject(0)
made.ShallowCopy(self.GetInputDataObject(0, 0))
plain_values(made.{what})[:] *= 0.5
"""
        changed = simple.ProgrammableFilter(Input=reader(steady()), Script=script, OutputDataSetType="Same as Input")
        tracer = streamlines(changed)
        with Messages() as said:
            lines = made_by(tracer)
        assert "wrote to the array" in said.text() and "copy" in said.text(), (what, said.text())
        assert lines.GetNumberOfPoints() == 0, what


def test_a_lost_step_says_so():
    if not alone():
        return
    path = scratch("lost.rvs")
    program("convert", steps(), path, "-q")
    os.remove(os.path.join(path, "step-00000002.rvf"))
    with Messages() as said:
        lines = in_time(reader(path))
    assert "step-00000002.rvf" in said.text(), said.text()
    assert lines.GetNumberOfPoints() > 0


run(globals())
