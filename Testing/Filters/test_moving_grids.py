# SPDX-License-Identifier: BSD-3-Clause
"""Filters in time on curvilinear grids whose points move: flows that are linear in space, which such grids reproduce exactly,
against formulas and against the same flow on a lattice; and grids that change in ways that cannot be followed."""
import numpy as np
from filter_testing import Messages, array_of, assert_near, points_of, seed_line, simple
from moving_meshes import DRIFT, DRIFTING, SADDLE, STEPS, TURNING, VECTORS, alone, assert_drift_is_exact, made_by, paths_of, turning
from plugin_testing import run, servermanager
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import VTK_DOUBLE

# A grid over [-1, 1]^3 that shears and twists, or stays. "change" is what a test does to a step.
MADE = """
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
time = info.Get(P.UPDATE_TIME_STEP()) if info.Has(P.UPDATE_TIME_STEP()) else 0.0
n = np.array(DIMS)
u = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, k) for k in n], indexing="ij"), axis=-1).transpose(2, 1, 0, 3).reshape(-1, 3)
angle = MOVES * (0.4 * time + 0.1 * time**2) * np.sin(1.5 * u[:, 2] + 1.0)
x = np.stack((u[:, 0] * np.cos(angle) - u[:, 1] * np.sin(angle) + 0.1 * MOVES * time * u[:, 2],
              u[:, 0] * np.sin(angle) + u[:, 1] * np.cos(angle), u[:, 2] + 0.05 * MOVES * np.sin(time + 2.0 * u[:, 0])), axis=-1)
velocity = FLOW
hidden = np.zeros(np.prod(n - 1), np.uint8)
CHANGE
made = self.GetOutputDataObject(0)
made.SetExtent(0, int(n[0]) - 1, 0, int(n[1]) - 1, 0, int(n[2]) - 1)
points = vtkPoints()
points.SetData(numpy_to_vtk(np.ascontiguousarray(x), deep=True))
made.SetPoints(points)
array = numpy_to_vtk(np.ascontiguousarray(velocity), deep=True)
array.SetName("velocity")
made.GetPointData().AddArray(array)
if hidden.any():
    ghosts = numpy_to_vtk(hidden, deep=True)
    ghosts.SetName("vtkGhostType")
    made.GetCellData().AddArray(ghosts)
"""
TIMES = f"""
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
info.Set(P.WHOLE_EXTENT(), [0, DIMS[0] - 1, 0, DIMS[1] - 1, 0, DIMS[2] - 1], 6)
info.Set(P.TIME_STEPS(), {STEPS}, {len(STEPS)})
info.Set(P.TIME_RANGE(), [{STEPS[0]}, {STEPS[-1]}], 2)
"""


def grid(flow, moves=True, dims=(13, 11, 9), change=""):
    def filled(script):
        return script.replace("DIMS", str(dims)).replace("MOVES", str(int(moves))).replace("FLOW", flow).replace("CHANGE", change)
    return simple.ProgrammableSource(OutputDataSetType="vtkStructuredGrid", Script=filled(MADE), ScriptRequestInformation=filled(TIMES))


def seeds():
    return seed_line((-0.5, -0.4, -0.5), (0.5, 0.45, 0.5), 19)


def tracer(source, kind="RivuletPathTracerWithCustomSource", **properties):
    return getattr(simple, kind)(Input=source, SeedSource=seeds(), Vectors=VECTORS, **properties)


def test_paths_are_those_of_the_formula():
    for rule in ("Linear", "Cubic"):
        paths = tracer(grid(TURNING), IntegratorType="Runge-Kutta 4-5", MaximumError=1e-9, TimeInterpolation=rule)
        lines = made_by(paths)
        lines = lines if alone() else servermanager.Fetch(paths)
        begins = np.linspace((-0.5, -0.4, -0.5), (0.5, 0.45, 0.5), 20)
        expected = paths_of(turning, begins, STEPS[-1])
        ends = points_of(lines)[np.isclose(array_of(lines.GetPointData(), "ParticleAge"), STEPS[-1])]
        assert len(ends) == len(begins), (len(ends), lines.GetNumberOfLines())
        apart = np.abs(ends[:, None] - expected[None]).max(axis=-1).min(axis=1)
        assert apart.max() < 2e-6, (rule, apart.max())


def test_a_grid_that_drifts_far_away_has_the_same_paths_in_any_frames():
    if alone():
        assert_drift_is_exact(lambda **options: tracer(grid(DRIFTING, moves=False, change=DRIFT), **options))


def both(make, port=0, time=STEPS[-1], flow=TURNING):
    return [made_by(make(grid(flow, moves)), time, port) for moves in (True, False)]


def test_filters_give_what_they_give_on_a_grid_that_stays():
    if not alone():
        return
    assert_near(*both(lambda source: tracer(source, "RivuletStreakLineWithCustomSource", ReleaseInterval=0.1)), ["velocity"], 2e-6)

    def surface(source):
        return simple.RivuletStreakSurfaceWithCustomSource(Input=source, SeedSource=seeds(), Vectors=VECTORS, ReleaseInterval=0.2, LargestEdge=0.05)
    moved, still = both(surface)
    assert moved.GetPoints().GetDataType() == VTK_DOUBLE
    assert abs(moved.GetNumberOfPoints() - still.GetNumberOfPoints()) <= 0.02 * still.GetNumberOfPoints()
    assert np.abs(np.array(moved.GetBounds()) - np.array(still.GetBounds())).max() < 1e-4

    def arrivals(source):
        made = simple.RivuletSourceDestination(Input=source, Vectors=VECTORS, NumberOfSeeds=400)
        made.SourceFunction, made.DestinationFunction = "Sphere", "Sphere"
        made.SourceFunction.Center, made.SourceFunction.Radius = (0.4, 0.0, 0.0), 0.2
        made.DestinationFunction.Center, made.DestinationFunction.Radius = (0.3, 0.3, 0.1), 0.2
        return made
    assert_near(*both(arrivals, port=1, time=0.0), ["ArrivalTime"], 2e-6)


def test_stretching_of_a_saddle_is_exact():
    if not alone():
        return
    for rule in ("Linear", "Cubic"):
        field = made_by(simple.RivuletFTLE(Input=grid(SADDLE), Vectors=VECTORS, Lattice="Box", Bounds=[-0.2, 0.2, -0.2, 0.2, -0.2, 0.2],
                                           Dimensions=[9, 9, 9], Duration=1.3, TimeInterpolation=rule), 0.0)
        values = vtk_to_numpy(field.GetPointData().GetArray("FTLE"))
        assert len(values) == 729 and np.abs(values - 0.7).max() < 1e-5, (rule, values.min(), values.max())


def dimensions_of(structured):
    extent = structured.GetExtent()
    return [extent[2 * axis + 1] - extent[2 * axis] + 1 for axis in range(3)]


def exponents(source, time=0.0, **properties):
    return made_by(simple.RivuletFTLE(Input=source, Vectors=VECTORS, **properties), time)


def test_stretching_at_the_nodes_of_the_grid_is_exact():
    if not alone():
        return
    for moves in (False, True):
        for time, rule in ((0.0, "Linear"), (0.7, "Linear"), (0.7, "Cubic"), (1.0, "Linear")):
            field = exponents(grid(SADDLE, moves), time, Duration=0.3, TimeInterpolation=rule)
            assert field.IsA("vtkStructuredGrid") and dimensions_of(field) == [13, 11, 9]
            values = array_of(field.GetPointData(), "FTLE")
            known = np.isfinite(values)
            assert known.sum() > 400 and np.abs(values[known] - 0.7).max() < 1e-5, (moves, time, known.sum(), values[known])
            if time in STEPS:
                source = grid(SADDLE, moves)
                source.UpdatePipeline(time)
                assert np.array_equal(points_of(field), points_of(source.GetClientSideObject().GetOutputDataObject(0)))


def test_nodes_between_those_of_the_grid():
    if not alone():
        return
    coarse, fine = (exponents(grid(SADDLE), 1.0, Duration=0.3, Refinement=number) for number in (1, 3))
    assert dimensions_of(fine) == [37, 31, 25]
    places = points_of(fine).reshape(25, 31, 37, 3)
    assert np.array_equal(places[::3, ::3, ::3].reshape(-1, 3), points_of(coarse))
    between = (2 * places[::3, ::3, :-1:3] + places[::3, ::3, 3::3]) / 3
    assert np.abs(between - places[::3, ::3, 1::3]).max() < 1e-14
    values = array_of(fine.GetPointData(), "FTLE")
    assert np.abs(values[np.isfinite(values)] - 0.7).max() < 1e-5


def test_parts_of_the_nodes_have_the_bytes_of_all():
    if not alone():
        return
    whole = array_of(exponents(grid(TURNING), 0.4, Duration=0.9).GetPointData(), "FTLE")
    made = simple.RivuletFTLE(Input=grid(TURNING), Vectors=VECTORS, Duration=0.9)
    made.UpdatePipelineInformation()
    algorithm = made.GetClientSideObject()
    algorithm.GetOutputInformation(0).Set(algorithm.GetExecutive().UPDATE_TIME_STEP(), 0.4)
    algorithm.UpdateTimeStep(0.4, -1, 1, 0, [2, 9, 3, 7, 1, 6])
    part = algorithm.GetOutputDataObject(0)
    assert part.GetExtent() == (2, 9, 3, 7, 1, 6), part.GetExtent()
    expected = whole.reshape(9, 11, 13)[1:7, 3:8, 2:10]
    assert array_of(part.GetPointData(), "FTLE").tobytes() == np.ascontiguousarray(expected).tobytes()


def test_adaptive_sampling_at_the_nodes_of_the_grid():
    if not alone():
        return
    common = {"Duration": 0.5, "Refinement": 4}
    all_nodes = exponents(grid(TURNING), **common)
    some = exponents(grid(TURNING), AdaptiveSampling=1, SamplingTolerance=0.05, **common)
    a, b = (array_of(each.GetPointData(), "FTLE") for each in (all_nodes, some))
    traced = array_of(some.GetPointData(), "Traced")
    assert (np.isfinite(a) != np.isfinite(b)).mean() < 0.01
    both = np.isfinite(a) & np.isfinite(b)
    assert traced.mean() < 0.9 and np.abs(a[both] - b[both]).max() < 0.01, (traced.mean(), np.abs(a[both] - b[both]).max())
    exact = both & (array_of(some.GetPointData(), "Estimated") == 0)
    assert np.array_equal(a[exact], b[exact])


def test_exponents_at_points_without_volume_are_refused():
    if not alone():
        return
    with Messages() as said:
        proxy = simple.RivuletFTLE(Input=grid(SADDLE, False, dims=(13, 11, 1)), Vectors=VECTORS)
        proxy.UpdatePipeline(0.0)
    assert "no cells with a volume" in said.text() and "Lattice to Box" in said.text(), said.text()


def test_residence_times_are_those_on_a_grid_that_stays():
    if not alone():
        return
    found = []
    for moves in (True, False):
        made = simple.RivuletResidenceTime(Input=grid(TURNING, moves), SeedSource=seeds(), Vectors=VECTORS)
        made.RegionFunction = "Sphere"
        made.RegionFunction.Center, made.RegionFunction.Radius = (0.0, 0.0, 0.0), 0.4
        found.append(made_by(made, 0.0))
    times = [array_of(each.GetPointData(), "ResidenceTime") for each in found]
    assert len(times[0]) == 20 and np.nanmax(times[0]) > 0.5 and np.allclose(*times, atol=1e-5, equal_nan=True), times


def test_no_time_left_gives_the_nodes_without_exponents():
    if not alone():
        return
    source = simple.RivuletFTLE(Input=grid(SADDLE), Vectors=VECTORS)
    source.UpdatePipeline(STEPS[-1])
    field = source.GetClientSideObject().GetOutputDataObject(0)
    assert np.isnan(array_of(field.GetPointData(), "FTLE")).all() and np.isfinite(points_of(field)).all()


def test_cells_hidden_at_all_steps_end_paths():
    if not alone():
        return
    hide = "hidden[np.abs(np.arange(hidden.size) % (n[0] - 1) - 8) < 1] = 32"
    whole, cut = (made_by(tracer(grid(TURNING, change=change))) for change in ("", hide))
    assert 10 < cut.GetNumberOfPoints() < whole.GetNumberOfPoints()
    # Steps that are not held any more take their arrays with them.
    hide = hide.replace("- 8", "- 26")
    large, small = (made_by(tracer(grid(TURNING, dims=(41, 33, 25), change=hide), MemoryBudget=budget)) for budget in (512, 2))
    assert 10 < small.GetNumberOfPoints() and np.array_equal(points_of(small), points_of(large))


def test_changes_that_cannot_be_followed_are_refused():
    if not alone():
        return
    changes = {
        "number of points": "n = n + (1 if time == 1.0 else 0); u = np.zeros((np.prod(n), 3)); x = np.resize(x, u.shape); velocity = x; "
                            "hidden = np.zeros(np.prod(n - 1), np.uint8)",
        "hidden cells changed": "hidden[3] = 32 if time == 1.0 else 0; hidden[4] = 32",
        "mirror images": "x = x * (-1.0 if time == 1.0 else 1.0)",
        "not a finite number": "x[5, 1] = np.nan if time == 1.0 else x[5, 1]",
    }
    for words, change in changes.items():
        with Messages() as said:
            proxy = tracer(grid(TURNING, change=change))
            proxy.UpdatePipeline(STEPS[-1])
        assert words in said.text(), (words, said.text())
        assert "time 1 " in said.text() or words == "not a finite number", said.text()


IN_PLACE = """
import __main__
from vtkmodules.util.numpy_support import vtk_to_numpy as plain_values
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
made = self.GetOutputDataObject(0)
made.ShallowCopy(self.GetInputDataObject(0, 0))
kept = __main__.__dict__.setdefault("points_of_all_times", made.GetPoints())
plain_values(kept.GetData())[:] = plain_values(made.GetPoints().GetData())
kept.GetData().Modified()
kept.Modified()
made.SetPoints(kept)
"""


def test_points_moved_in_place_are_refused():
    if not alone():
        return
    moved = simple.ProgrammableFilter(Input=grid(TURNING), Script=IN_PLACE, OutputDataSetType="Same as Input")
    with Messages() as said:
        tracer(moved).UpdatePipeline(STEPS[-1])
    assert "to which a filter wrote" in said.text() and "new points" in said.text(), said.text()


run(globals())
