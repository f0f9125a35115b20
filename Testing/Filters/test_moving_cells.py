# SPDX-License-Identifier: BSD-3-Clause
"""Filters in time on unstructured cells whose points move, and on meshes with other cells at each step: flows that are linear in
space, which such meshes reproduce exactly, against formulas and against the same flow on a mesh that stays; and changes that
cannot be followed."""
import builtins

import numpy as np
from filter_testing import Messages, array_of, assert_near, points_of, seed_line, simple
from moving_meshes import DRIFT, DRIFTING, SADDLE, STEPS, TURNING, VECTORS, alone, assert_drift_is_exact, made_by, paths_of, turning
from plugin_testing import information, run, servermanager
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import VTK_DOUBLE, vtkPoints

# Cells over [-1, 1]^3 that shear and twist, or stay. "change" is what a test does to a step: `n` are the numbers of points,
# `cut` is whether the cubes are cut into tetrahedra.
MADE = f"""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkStructuredGrid
from vtkmodules.vtkFiltersCore import vtkAppendFilter
from vtkmodules.vtkFiltersGeneral import vtkDataSetTriangleFilter
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
time = info.Get(P.UPDATE_TIME_STEP()) if info.Has(P.UPDATE_TIME_STEP()) else 0.0
step = {STEPS}.index(time)
n = np.array([9, 8, 7])
moves, cut = MOVES, CUT
CHANGE
u = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, k) for k in n], indexing="ij"), axis=-1).transpose(2, 1, 0, 3).reshape(-1, 3)
angle = moves * (0.4 * time + 0.1 * time**2) * np.sin(1.5 * u[:, 2] + 1.0)
x = np.stack((u[:, 0] * np.cos(angle) - u[:, 1] * np.sin(angle) + 0.1 * moves * time * u[:, 2],
              u[:, 0] * np.sin(angle) + u[:, 1] * np.cos(angle), u[:, 2] + 0.05 * moves * np.sin(time + 2.0 * u[:, 0])), axis=-1)
hidden = np.zeros(np.prod(n - 1), np.uint8)
AFTER
lattice = vtkStructuredGrid()
lattice.SetDimensions([int(k) for k in n])
points = vtkPoints()
points.SetData(numpy_to_vtk(np.ascontiguousarray(x), deep=True))
lattice.SetPoints(points)
array = numpy_to_vtk(np.ascontiguousarray(FLOW), deep=True)
array.SetName("velocity")
lattice.GetPointData().AddArray(array)
if hidden.any():
    ghosts = numpy_to_vtk(hidden, deep=True)
    ghosts.SetName("vtkGhostType")
    lattice.GetCellData().AddArray(ghosts)
cells = vtkDataSetTriangleFilter() if cut else vtkAppendFilter()
cells.SetInputData(lattice)
cells.Update()
self.GetOutputDataObject(0).ShallowCopy(cells.GetOutput())
"""
TIMES = f"""
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
info.Set(P.TIME_STEPS(), {STEPS}, {len(STEPS)})
info.Set(P.TIME_RANGE(), [{STEPS[0]}, {STEPS[-1]}], 2)
"""
OTHERS = "n = n + step % 3; cut = step % 2 == 1"  # other cells at each step


def mesh(flow=TURNING, moves=True, cut=True, change="", after=""):
    script = MADE
    for name, text in (("MOVES", str(int(moves))), ("CUT", str(cut)), ("FLOW", flow), ("CHANGE", change), ("AFTER", after)):
        script = script.replace(name, text)
    return simple.ProgrammableSource(OutputDataSetType="vtkUnstructuredGrid", Script=script, ScriptRequestInformation=TIMES)


MESHES = {
    "tetrahedra": lambda flow=TURNING: mesh(flow),
    "hexahedra": lambda flow=TURNING: mesh(flow, cut=False),
    "other cells": lambda flow=TURNING: mesh(flow, moves=False, change=OTHERS),
    "other cells that move": lambda flow=TURNING: mesh(flow, change=OTHERS),
    "other cells at times": lambda flow=TURNING: mesh(flow, change="n = n + step // 2"),  # which move in between
    "two blocks": lambda flow=TURNING: simple.GroupDatasets(
        Input=[mesh(flow, moves=False, after=f"x = x + np.array([0.05 * time, 0.0, {z}])") for z in (-1.0, 1.0)]),
}


def seeds():
    return seed_line((-0.4, -0.3, -0.5), (0.4, 0.35, 0.5), 19)


def tracer(source, kind="RivuletPathTracerWithCustomSource", **properties):
    return getattr(simple, kind)(Input=source, SeedSource=seeds(), Vectors=VECTORS, **properties)


def test_paths_are_those_of_the_formula():
    for name, made in MESHES.items():
        for rule in ("Linear", "Cubic"):
            paths = tracer(made(), IntegratorType="Runge-Kutta 4-5", MaximumError=1e-9, TimeInterpolation=rule)
            lines = made_by(paths)
            reason = information(paths, "StrategyReason")
            assert ("Points move" if name in ("tetrahedra", "hexahedra") else "Cells change") in reason or "at times" in name, (name, reason)
            lines = lines if alone() else servermanager.Fetch(paths)
            begins = np.linspace((-0.4, -0.3, -0.5), (0.4, 0.35, 0.5), 20)
            expected = paths_of(turning, begins, STEPS[-1])
            ends = points_of(lines)[np.isclose(array_of(lines.GetPointData(), "ParticleAge"), STEPS[-1])]
            assert len(ends) == len(begins), (name, len(ends), lines.GetNumberOfLines())
            apart = np.abs(ends[:, None] - expected[None]).max(axis=-1).min(axis=1)
            assert apart.max() < 2e-6, (name, rule, apart.max())


def moved_by_script(dataset):
    """A mesh of any cells over [-1, 1]^3, squeezed a little more at each step, with the turning flow."""
    builtins.CELLS_OF_ALL_TIMES = dataset
    script = f"""
import builtins
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
time = info.Get(P.UPDATE_TIME_STEP()) if info.Has(P.UPDATE_TIME_STEP()) else 0.0
made = self.GetOutputDataObject(0)
made.CopyStructure(builtins.CELLS_OF_ALL_TIMES)
x = vtk_to_numpy(made.GetPoints().GetData()).astype(float) * np.array([1.0, 1.0, 1.0 - 0.05 * time])
points = vtkPoints()
points.SetData(numpy_to_vtk(x, deep=True))
made.SetPoints(points)
array = numpy_to_vtk({TURNING}, deep=True)
array.SetName("velocity")
made.GetPointData().AddArray(array)
"""
    return simple.ProgrammableSource(OutputDataSetType="vtkUnstructuredGrid", Script=script, ScriptRequestInformation=TIMES)


def test_cells_that_vtk_finds_may_move():
    if not alone():
        return
    from test_foreign_cells import polyhedra, quadratic_tetrahedra
    for name, dataset in (("vtkPolyhedron", polyhedra()), ("vtkQuadraticTetra", quadratic_tetrahedra())):
        low, high = (np.array(dataset.GetBounds()).reshape(3, 2)[:, side] for side in (0, 1))
        size = (high - low).max() / 2  # over [-1, 1]^3, whatever it was
        places = (points_of(dataset) - (low + high) / 2) / size
        points = vtkPoints()
        points.SetData(numpy_to_vtk(places, deep=True))
        dataset.SetPoints(points)
        paths = tracer(moved_by_script(dataset), IntegratorType="Runge-Kutta 4-5", MaximumError=1e-9)
        lines = made_by(paths)
        reason = information(paths, "StrategyReason")
        assert "Cells change" in reason and name in reason, reason
        expected = paths_of(turning, np.linspace((-0.4, -0.3, -0.5), (0.4, 0.35, 0.5), 20), STEPS[-1])
        ends = points_of(lines)[np.isclose(array_of(lines.GetPointData(), "ParticleAge"), STEPS[-1])]
        apart = np.abs(ends[:, None] - expected[None]).max(axis=-1).min(axis=0)
        assert len(ends) >= 15 and apart.max() < 2e-5, (name, len(ends), apart)


def test_filters_give_what_they_give_on_a_mesh_that_stays():
    if not alone():
        return

    def surface(source):
        return simple.RivuletStreakSurfaceWithCustomSource(Input=source, SeedSource=seeds(), Vectors=VECTORS, ReleaseInterval=0.2, LargestEdge=0.05)

    def arrivals(source):
        made = simple.RivuletSourceDestination(Input=source, Vectors=VECTORS, NumberOfSeeds=400)
        made.SourceFunction, made.DestinationFunction = "Sphere", "Sphere"
        made.SourceFunction.Center, made.SourceFunction.Radius = (0.4, 0.0, 0.0), 0.2
        made.DestinationFunction.Center, made.DestinationFunction.Radius = (0.3, 0.3, 0.1), 0.2
        return made

    def stays(source):
        made = simple.RivuletResidenceTime(Input=source, SeedSource=seeds(), Vectors=VECTORS)
        made.RegionFunction = "Sphere"
        made.RegionFunction.Center, made.RegionFunction.Radius = (0.0, 0.0, 0.0), 0.4
        return made
    for name in ("tetrahedra", "hexahedra", "other cells"):
        def both(make, port=0, time=STEPS[-1]):
            return [made_by(make(source), time, port) for source in (MESHES[name](), mesh(moves=False))]
        assert_near(*both(lambda source: tracer(source, "RivuletStreakLineWithCustomSource", ReleaseInterval=0.1)), ["velocity"], 2e-6)
        moved, still = both(surface)
        assert moved.GetPoints().GetDataType() == VTK_DOUBLE
        assert abs(moved.GetNumberOfPoints() - still.GetNumberOfPoints()) <= 0.02 * still.GetNumberOfPoints(), name
        assert np.abs(np.array(moved.GetBounds()) - np.array(still.GetBounds())).max() < 1e-4, name
        assert_near(*both(arrivals, port=1, time=0.0), ["ArrivalTime"], 2e-6)
        times = [array_of(each.GetPointData(), "ResidenceTime") for each in both(stays, time=0.0)]
        assert len(times[0]) == 20 and np.nanmax(times[0]) > 0.5 and np.allclose(*times, atol=1e-5, equal_nan=True), (name, times)


def test_stretching_of_a_saddle_is_exact():
    if not alone():
        return
    for name, made in MESHES.items():
        field = made_by(simple.RivuletFTLE(Input=made(SADDLE), Vectors=VECTORS, Lattice="Box", Bounds=[-0.2, 0.2, -0.2, 0.2, -0.2, 0.2],
                                           Dimensions=[5, 5, 5], Duration=1.3), 0.0)
        values = vtk_to_numpy(field.GetPointData().GetArray("FTLE"))
        assert len(values) == 125 and np.abs(values - 0.7).max() < 1e-5, (name, values.min(), values.max())


def exponents(source, time=0.0, **properties):
    return made_by(simple.RivuletFTLE(Input=source, Vectors=VECTORS, **properties), time)


def points_at(source, time):
    source.UpdatePipeline(time)
    return points_of(source.GetClientSideObject().GetOutputDataObject(0))


def test_stretching_at_the_points_of_the_cells_is_exact():
    for moves in (False, True):
        for cut in (False, True):
            for time, rule in ((0.0, "Linear"), (0.7, "Linear"), (0.7, "Cubic"), (1.0, "Linear")):
                field = exponents(mesh(SADDLE, moves, cut), time, Duration=0.3, TimeInterpolation=rule, ComputeFlowMap=1)
                assert field.IsA("vtkUnstructuredGrid"), field.GetClassName()
                if not field.GetNumberOfPoints():
                    assert not alone()  # the first rank has all
                    continue
                assert field.GetNumberOfPoints() == 504 and field.GetNumberOfCells() == (336 * 5 if cut else 336), field.GetNumberOfCells()
                values = array_of(field.GetPointData(), "FTLE")
                known = np.isfinite(values)
                assert known.sum() > 150 and np.abs(values[known] - 0.7).max() < 1e-5, (moves, cut, time, known.sum(), values[known])
                steps = (0.4, 1.0) if time == 0.7 else (time, time)
                if alone() and (not moves or rule == "Linear"):
                    places = np.mean([points_at(mesh(SADDLE, moves, cut), step) for step in steps], axis=0)
                    assert np.abs(points_of(field) - places).max() < 1e-6, (moves, time)
                    went = array_of(field.GetPointData(), "FlowMap")[known]
                    expected = points_of(field)[known] * np.exp(0.3 * np.array([0.7, -0.7, 0.0]))
                    assert np.abs(went - expected).max() < 1e-5


def test_stretching_at_the_points_of_a_step_whose_cells_change():
    if not alone():
        return
    for name in ("other cells", "other cells at times"):
        for time in (0.0, 1.0):
            field = exponents(MESHES[name](SADDLE), time, Duration=0.9)
            assert np.array_equal(points_of(field), points_at(MESHES[name](SADDLE), time)), (name, time)
            values = array_of(field.GetPointData(), "FTLE")
            known = np.isfinite(values)
            assert known.sum() > 80 and np.abs(values[known] - 0.7).max() < 1e-5, (name, time, known.sum(), values[known])


def test_exponents_that_cells_cannot_have_are_refused():
    if not alone():
        return
    for source, properties, words in (
            (MESHES["other cells"](SADDLE), {"time": 0.7}, "the cells change between two steps"),
            (mesh(SADDLE), {"Refinement": 2}, "Set Refinement to 1"),
            (mesh(SADDLE), {"AdaptiveSampling": 1}, "Switch Adaptive Sampling off"),
            (mesh(SADDLE, cut=False, change="n = np.array([31, 31, 31])"), {"MemoryBudget": 1}, "the flow map of all points of the cells takes"),
            (MESHES["two blocks"](SADDLE), {}, "Set Lattice to Box")):
        with Messages() as said:
            time = properties.pop("time", 0.0)
            simple.RivuletFTLE(Input=source, Vectors=VECTORS, **properties).UpdatePipeline(time)
        assert words in said.text(), (words, said.text())


def test_steps_that_are_dropped_and_asked_for_again_make_the_same_paths():
    if not alone():
        return
    for name in ("tetrahedra", "other cells that move", "other cells at times"):
        large, small = (made_by(tracer(MESHES[name](), MemoryBudget=budget)) for budget in (512, 2))
        assert large.GetNumberOfPoints() > 100 and np.array_equal(points_of(small), points_of(large)), name


def test_cells_that_drift_far_away_have_the_same_paths_in_any_frames():
    if alone():
        for cut in (True, False):
            assert_drift_is_exact(lambda **options: tracer(mesh(DRIFTING, moves=False, cut=cut, after=DRIFT), **options))


def test_cells_hidden_at_some_steps_end_paths():
    if not alone():
        return
    middle = mesh(moves=False, cut=False, after="hidden[:] = 32 * (step >= 2) * (np.arange(hidden.size) % 8 == 5)")
    lines = made_by(tracer(middle, IntegratorType="Runge-Kutta 4", InitialStepLength=0.05))
    x = points_of(lines)
    times = array_of(lines.GetPointData(), "IntegrationTime") if lines.GetPointData().HasArray("IntegrationTime") else array_of(
        lines.GetPointData(), "ParticleAge")
    inside = (x[:, 0] > 0.251) & (x[:, 0] < 0.499)
    assert (inside & (times < 0.4)).any() and not (inside & (times > 0.4001)).any(), times[inside]


def test_cells_turned_inside_out_are_other_cells():
    if not alone():
        return
    paths = tracer(mesh(moves=False, after="x = x * np.array([-1.0 if step % 2 else 1.0, 1.0, 1.0])"))
    lines = made_by(paths)
    assert "Cells change" in information(paths, "StrategyReason")
    assert np.isclose(array_of(lines.GetPointData(), "ParticleAge"), STEPS[-1]).sum() == 20


def test_changes_that_cannot_be_followed_are_refused():
    if not alone():
        return
    with Messages() as said:
        tracer(mesh(after="x[5, 1] = np.nan if time == 1.0 else x[5, 1]")).UpdatePipeline(STEPS[-1])
    assert "point 5 of the input has a coordinate that is not a finite number" in said.text(), said.text()


def test_cells_written_in_place_are_refused():
    if not alone():
        return
    kept = """
import __main__
from vtkmodules.util.numpy_support import vtk_to_numpy as plain_values
made = self.GetOutputDataObject(0)
made.ShallowCopy(self.GetInputDataObject(0, 0))
kept = __main__.__dict__.setdefault("cells_of_all_times", made.GetCells())
kept.GetConnectivityArray().Modified()
made.SetCells(made.GetCellType(0), kept)
"""
    source = simple.ProgrammableFilter(Input=mesh(), Script=kept, OutputDataSetType="Same as Input")
    with Messages() as said:
        tracer(source).UpdatePipeline(STEPS[-1])
    assert "to which a filter wrote" in said.text() and "new points and cells" in said.text(), said.text()


run(globals())
