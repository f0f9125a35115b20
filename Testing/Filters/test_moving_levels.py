# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet Path Tracer through AMR over time, in memory and from dumps, with levels that stay and that move."""
import os

import numpy as np
from filter_testing import Messages, array_of, points_of, simple, statistic
from levels_in_memory import ORIGIN, Reference, as_amr, random_levels, with_other_boxes
from plugin_testing import controller, dump, information, opened, run
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonDataModel import vtkDataObjectTypes

AMR = vtkDataObjectTypes.GetTypeIdFromClassName("vtkOverlappingAMR")
TIMES = [0.0, 0.5, 1.0, 1.5, 2.0]
# A rotation about z whose rate grows, on a coarse box over [-1, 1]^2 x [-0.5, 0.5] and boxes of a finer level.
# Names of numpy's would be overwritten by the sources' scripts, which run in this module.
SCRIPT = """
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkAMRBox, vtkUniformGrid
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
output = self.GetOutputDataObject(0)
info = self.GetOutputInformation(0)
time = info.Get(P.UPDATE_TIME_STEP()) if info.Has(P.UPDATE_TIME_STEP()) else 0.0
boxes, spacing, origin = {boxes}
counts = [len(level) for level in boxes]
amr = output.IsA("vtkOverlappingAMR")
if amr:
    try:
        output.Initialize(counts)  # VTK 9.6 and later
    except TypeError:
        output.Initialize(len(counts), counts)
    output.SetGridDescription(8)  # VTK_XYZ_GRID
    output.SetOrigin(origin)
for level, of_level in enumerate(boxes):
    side = spacing / 2**level
    if amr:
        output.SetSpacing(level, [side] * 3)
        output.SetRefinementRatio(level, 2)
    for number, (begin, end) in enumerate(of_level):
        grid = vtkUniformGrid()
        grid.SetOrigin([o + side * b for o, b in zip(origin, begin)])
        grid.SetSpacing([side] * 3)
        grid.SetDimensions([e - b + 1 for b, e in zip(begin, end)])
        axes = [o + side * np.arange(b, e + 1) for o, b, e in zip(origin, begin, end)]
        x, y, z = np.meshgrid(*axes, indexing="ij")
        rate = 1 + 0.5 * time
        velocity = np.stack([-rate * y, rate * x, 0 * z], axis=-1).transpose(2, 1, 0, 3).reshape(-1, 3)
        for name, values in (("velocity", velocity), ("height", (x + 2 * y + time).transpose(2, 1, 0).reshape(-1))):
            array = numpy_to_vtk(np.ascontiguousarray(values), deep=True)
            array.SetName(name)
            grid.GetPointData().AddArray(array)
        if amr:
            output.SetAMRBox(level, number, vtkAMRBox(list(begin), [e - 1 for e in end]))
            output.SetDataSet(level, number, grid)
        else:
            output.SetBlock(output.GetNumberOfBlocks(), grid)
output.GetInformation().Set(output.DATA_TIME_STEP(), time)
"""
INFORMATION = f"""
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
info.Set(P.TIME_STEPS(), {TIMES}, {len(TIMES)})
info.Set(P.TIME_RANGE(), [{TIMES[0]}, {TIMES[-1]}], 2)
"""
COARSE = "[((0, 0, 0), (6, 16, 8)), ((6, 0, 0), (16, 16, 8))]"
FIXED = f"([{COARSE}, [((8, 8, 4), (24, 24, 12))]], 0.125, [-1, -1, -0.5])"
# The finer box goes around; it is not there at the third time.
MOVING = f"([{COARSE}] + ([[((2 + int(8 * time), 14 - int(4 * time), 2), (16 + int(8 * time), 26 - int(4 * time), 12))]]" \
         " if time != 1.0 else []), 0.125, [-1, -1, -0.5])"
BOTH = (FIXED, MOVING) if controller().GetNumberOfProcesses() == 1 else (MOVING,)  # ranks are slow
POINTS = ((0.5, 0, 0), (0, 0.3, 0.1), (-0.7, 0.1, -0.2), (0.2, -0.6, 0.3))


def turning(boxes, amr=True):
    """Overlapping AMR or, on several ranks in any case, a multiblock of uniform grids."""
    source = simple.ProgrammableSource(OutputDataSetType="vtkMultiblockDataSet", Script=SCRIPT.format(boxes=boxes),
                                       ScriptRequestInformation=INFORMATION)
    if amr and controller().GetNumberOfProcesses() == 1:
        source.UpdatePipelineInformation()
        source.GetClientSideObject().SetOutputDataSetType(AMR)  # the menu of the property does not have it
    return source


def tracer_of(source, points=POINTS, vectors=("POINTS", "velocity"), **properties):
    seeds = simple.PolyPointSource(Points=[c for point in points for c in point])
    return simple.RivuletPathTracerWithCustomSource(Input=source, SeedSource=seeds, Vectors=list(vectors), **properties)


def at(tracer, time, port=0):
    """An output at a time, from all ranks on the first one."""
    tracer.UpdatePipeline(time)
    return tracer.GetClientSideObject().GetOutputDataObject(port)


def same(lines):
    """All values of an output but the statistics."""
    arrays = [data.GetArray(i) for data in (lines.GetPointData(), lines.GetCellData()) for i in range(data.GetNumberOfArrays())]
    return [("points", points_of(lines).tobytes())] + sorted((a.GetName(), vtk_to_numpy(a).tobytes()) for a in arrays)


def turned_by(points, by):
    points = np.asarray(points, dtype=float)
    c, s = np.cos(by), np.sin(by)
    return np.stack([c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1], points[:, 2]], axis=-1)


def angle_at(time):
    return time + 0.25 * time * time


def test_particles_are_where_the_closed_form_says():
    for boxes, amr in [(boxes, True) for boxes in BOTH] + [(MOVING, False)] * (len(BOTH) - 1):
        for direction, start in (("FORWARD", 0.0), ("BACKWARD", 2.0)):
            tracer = tracer_of(turning(boxes, amr), IntegrationDirection=direction)
            for time in (0.3, 1.0, 1.7, 2.0, 0.5, 0.0):
                particles = at(tracer, time, 1)
                exact = turned_by(points_of(at(tracer, time, 2)), angle_at(time) - angle_at(start))
                assert np.abs(points_of(particles) - exact).max(initial=0) < 2e-5, (boxes, direction, time)
                x, y, _ = points_of(particles).astype(float).T
                height = array_of(particles.GetPointData(), "height")
                assert np.abs(height - (x + 2 * y + time)).max(initial=0) < 1e-5
            assert information(tracer, "TimeAccess").startswith("Step by step"), information(tracer, "TimeAccess")
            assert "uniform grids" in information(tracer, "InputLayout"), information(tracer, "InputLayout")


def test_flow_maps_and_streak_lines_are_those_of_the_closed_form():
    ftle = simple.RivuletFTLE(Input=turning(MOVING), Vectors=["POINTS", "velocity"], Lattice="Box", ComputeFlowMap=1,
                              Bounds=[-0.6, 0.6, -0.6, 0.6, -0.2, 0.2], Dimensions=[13, 11, 3])
    ftle.UpdatePipeline(0.0)
    map = ftle.GetClientSideObject().GetOutputDataObject(0)
    places = np.array([map.GetPoint(i) for i in range(map.GetNumberOfPoints())])
    ends = array_of(map.GetPointData(), "FlowMap")
    assert len(places) > 200 and np.abs(ends - turned_by(places, angle_at(2.0))).max() < 2e-5
    assert np.abs(array_of(map.GetPointData(), "FTLE")).max() < 1e-4  # nothing is stretched

    seeds = simple.PolyPointSource(Points=[c for point in POINTS for c in point])
    streaks = simple.RivuletStreakLineWithCustomSource(Input=turning(MOVING), SeedSource=seeds, Vectors=["POINTS", "velocity"])
    lines = at(streaks, 1.7)
    for point, release in zip(points_of(lines), array_of(lines.GetPointData(), "ReleaseTime")):
        off = np.abs(point - turned_by(POINTS, angle_at(1.7) - angle_at(release))).max(axis=1)
        assert off.min() < 2e-5, (point, release, off)
    assert lines.GetNumberOfPoints() >= len(POINTS) // controller().GetNumberOfProcesses() * 4


def test_frames_do_not_depend_on_the_way_to_them():
    for boxes, rule in [(boxes, rule) for boxes in BOTH for rule in ("Linear", "Cubic")]:
        wandering = tracer_of(turning(boxes), TimeInterpolation=rule)
        for time in (0.7, 2.0, 0.2, 1.5, 1.8, 0.5):
            wandered = [same(at(wandering, time, port)) for port in range(3)]
            fresh = tracer_of(turning(boxes), NumberOfThreads=1, TimeInterpolation=rule)
            assert wandered == [same(at(fresh, time, port)) for port in range(3)], (boxes, time)


def last_released(lines):
    """Values at the points of the lines of the last release."""
    release = array_of(lines.GetCellData(), "InjectionStepId")
    data = lines.GetPointData()
    values = []
    for cell in np.flatnonzero(np.asarray(release) == np.max(release)):
        ids = [lines.GetCell(int(cell)).GetPointId(i) for i in range(lines.GetCell(int(cell)).GetNumberOfPoints())]
        values += [vtk_to_numpy(data.GetArray(name))[ids].tobytes() for name in ("velocity", "height", "Vorticity")]
    return values


# The bricks of the last intervals are made of three or four steps, whichever of these were held before.
def test_lines_do_not_depend_on_the_intervals_before_their_release():
    if controller().GetNumberOfProcesses() > 1:
        return
    points = [(-0.6 + 0.05 * i, 0.02 * i - 0.2, 0.1 - 0.011 * i) for i in range(12)]
    for rule in ("Linear", "Cubic"):
        for backward, times in ((False, [0.0, 1.5]), (True, [2.0, 0.5])):
            settings = {"TimeInterpolation": rule, "IntegrationDirection": "BACKWARD" if backward else "FORWARD",
                        "ComputeVorticity": 1, "Release": "At Times"}
            alone, after = (last_released(at(tracer_of(turning(MOVING), points, ReleaseTimes=release, **settings),
                                             0.0 if backward else 2.0)) for release in (times[1:], times))
            assert len(alone) == 3 * len(points) and alone == after, (rule, backward)


def test_each_step_is_asked_for_once():
    for rule, expected in (("Linear", [2, 0, 1, 1, 1]), ("Cubic", [3, 0, 1, 1, 0])):
        tracer = tracer_of(turning(MOVING), TimeInterpolation=rule)
        asked = []
        for time in (*TIMES, *TIMES):
            at(tracer, time)
            asked.append(information(tracer, "StepsRequested"))
        assert asked == expected + [0] * len(TIMES), (rule, asked)


def test_cubic_in_time_follows_what_is_quadratic_through_levels_that_move():
    quadratic = SCRIPT.replace("1 + 0.5 * time", "1 + 0.5 * time ** 2")
    assert quadratic != SCRIPT
    for boxes in BOTH:
        source = turning(boxes)
        source.Script = quadratic.format(boxes=boxes)
        for direction, start in (("FORWARD", 0.0), ("BACKWARD", 2.0)):
            tracer = tracer_of(source, IntegrationDirection=direction, TimeInterpolation="Cubic")
            for time in (0.3, 1.7, 2.0, 0.0):
                exact = turned_by(points_of(at(tracer, time, 2)), time + time**3 / 6 - start - start**3 / 6)
                assert np.abs(points_of(at(tracer, time, 1)) - exact).max(initial=0) < 2e-5, (boxes, direction, time)


def test_levels_that_do_not_go_together_are_refused_with_their_time():
    cases = ((f"([{COARSE}], 0.125, [-1 + 0.05 * (time > 0.9), -1, -0.5])", "at time 1 level 0 has other cells"),
             (f"([{COARSE}[:1 + (time < 1.4)]], 0.125, [-1, -1, -0.5])", "at time 1.5 level 0 has other cells"),
             ("([[((0, 0, 0), (8, 16, 8)), ((8, 0, 0), (16, 16 - 4 * (time > 0.9), 8))]], 0.125, [-1, -1, -0.5])",
              "at time 1 the coarsest level covers another part of the domain"))
    for boxes, why in cases:
        tracer = tracer_of(turning(boxes))
        with Messages() as said:
            lines = at(tracer, 2.0)
        assert lines.GetNumberOfPoints() == 0 and why in said.text(), said.text()


STEPS = []  # of the source of the next test, whose script sees the names of this module


def test_values_on_lines_are_those_worked_out_slowly():
    if controller().GetNumberOfProcesses() > 1:
        return
    points = 0
    for seed in range(6):
        random = np.random.default_rng(seed)
        levels = random_levels(seed, 3)
        steps = [with_other_boxes(levels, random) for _ in range(3)]
        STEPS[:] = [as_amr(step) for step in steps]
        source = simple.ProgrammableSource(Script="""
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
time = self.GetOutputInformation(0).Get(P.UPDATE_TIME_STEP())
self.GetOutputDataObject(0).ShallowCopy(STEPS[int(2 * time + 0.5)])
self.GetOutputDataObject(0).GetInformation().Set(self.GetOutputDataObject(0).DATA_TIME_STEP(), time)
""", ScriptRequestInformation=INFORMATION.replace(str(TIMES), str(TIMES[:3])).replace(f", {len(TIMES)})", ", 3)"))
        source.UpdatePipelineInformation()
        source.GetClientSideObject().SetOutputDataSetType(AMR)
        size = levels[0].cells * levels[0].spacing
        lines = at(tracer_of(source, ORIGIN + size * random.random((6, 3)), ("CELLS", "v")), 1.0)
        known = [{name: Reference(step, name) for name in "av"} for step in steps]
        time = array_of(lines.GetPointData(), "SimulationTime")
        a_and_v = [array_of(lines.GetPointData(), name)[::3] for name in "av"]
        for place, t, a, v in zip(points_of(lines)[::3].astype(float), time[::3], *a_and_v):
            before, share = (0, 2 * t) if t < 0.5 else (1, 2 * t - 1)
            for name, value, most in (("a", a, 100.0), ("v", v, 1.5)):
                exact = (1 - share) * known[before][name].value(place) + share * known[before + 1][name].value(place)
                assert np.abs(value - exact).max() < 2e-5 * most, (seed, place, t, name, value, exact)
        points += len(time)
    assert points > 200, points


MESH = ("--cells", "24", "24", "12", "--spacing", "0.125", "0.125", "0.125", "--origin", "-1.5", "-1.5", "0", "--levels", "3",
        "--refine", "0.6", "--patches", "2", "2", "1", "--ratio", "2", "--steps", "4", "--first-cycle", "0", "--stride", "1",
        "--dt", "0.25")
VELOCITY = ("--variable", "name=v,shape=vector,function=rotation,type=f8", "--variable", "name=p,function=linear,type=f8")


def series(name, *more, **properties):
    return opened(dump(name, *MESH, *VELOCITY, *more), **properties)


RING = [(0.3 + 0.1 * i, 0.05 * i, 0.15 + 0.03 * i) for i in range(8)]


def test_helices_through_dumps_that_regrid():
    for name, more in (("fixed", ()), ("moving", ("--regrid",)), ("shuffled", ("--regrid", "--shuffle", "3"))):
        tracer = tracer_of(series(name, *more, ReadOnDemand="Always"), RING, ("CELLS", "v"))
        for time in (0.75, 0.3):
            particles = at(tracer, time, 1)
            seeds = points_of(at(tracer, time, 2))
            exact = turned_by(seeds, time) + [0, 0, time]
            assert np.abs(points_of(particles) - exact).max(initial=0) < 2e-5, (name, time)
            x, y, z = exact.T
            p = array_of(particles.GetPointData(), "p")
            assert np.abs(p - (1 + 2 * x + 3 * y + 5 * z + 7 * time)).max(initial=0) < 2e-4, (name, time)
            assert np.all(array_of(at(tracer, time).GetCellData(), "ReasonForTermination") == 7)


def test_the_same_bytes_for_budgets_threads_and_ways_to_read():
    for name, more, rule in (("fixed", (), "Linear"), ("moving", ("--regrid",), "Linear"), ("moving", ("--regrid",), "Cubic")):
        expected = None
        for when, budget, threads in (("Always", 64, 1), ("Always", 3, 2), ("Always", 2, 1), ("Never", 0, 2)):
            if when == "Never" and controller().GetNumberOfProcesses() > 1:
                continue  # then each rank has a share of the patches
            budget *= 4 if rule == "Cubic" else 1
            tracer = tracer_of(series(name, *more, ReadOnDemand=when), RING, ("CELLS", "v"), MemoryBudget=budget,
                               NumberOfThreads=threads, TimeInterpolation=rule)
            lines = at(tracer, 0.75)
            bytes_of = [same(lines), same(at(tracer, 0.4))]
            expected = expected or bytes_of
            assert bytes_of == expected, (name, rule, when, budget, threads)
            if when == "Always" and points_of(lines).size > 0:
                lines = at(tracer_of(series(name, *more, ReadOnDemand=when), RING, ("CELLS", "v"), MemoryBudget=budget,
                                     NumberOfThreads=threads, TimeInterpolation=rule), 0.75)
                assert 0 < statistic(lines, "PeakBytes") <= budget * 2**20, (name, rule, budget, statistic(lines, "PeakBytes"))
                assert statistic(lines, "BytesRead") > 0


def test_vectors_of_components_and_kept_ghost_layers():
    plain = tracer_of(series("layers", "--regrid", *("--variable", "name=q,function=smooth,type=f8,ghosts=1")), RING,
                      ("CELLS", "v"))
    kept = tracer_of(series("layers", "--regrid", *("--variable", "name=q,function=smooth,type=f8,ghosts=1"),
                            KeepGhostLayers=1), RING, ("CELLS", "v"))
    if controller().GetNumberOfProcesses() == 1:
        assert np.abs(points_of(at(plain, 0.75)) - points_of(at(kept, 0.75))).max() < 1e-6
    source = simple.Calculator(Input=simple.Calculator(Input=turning(MOVING), ResultArrayName="u", Function="velocity_X"),
                               ResultArrayName="w", Function="velocity_Y")
    joined = tracer_of(source, XArray="u", YArray="w")
    exact = turned_by(points_of(at(joined, 2.0, 2)), angle_at(2.0))
    assert np.abs(points_of(at(joined, 2.0, 1)) - exact).max(initial=0) < 2e-5


def test_a_budget_that_is_too_small_is_refused_with_the_number_that_would_do():
    if controller().GetNumberOfProcesses() > 1:
        return
    for rule in ("Linear", "Cubic"):
        tracer = tracer_of(series("moving", "--regrid", ReadOnDemand="Always"), RING, ("CELLS", "v"), MemoryBudget=1,
                           NumberOfThreads=8, TimeInterpolation=rule)
        with Messages() as said:
            lines = at(tracer, 0.75)
        assert "memory budget of 1 MiB is below" in said.text() and lines.GetNumberOfPoints() == 0, said.text()
        tracer.MemoryBudget = int(said.text().split("et Memory Budget to ")[1].split()[0])
        with Messages() as said:
            lines = at(tracer, 0.75)
        assert not said.text() and statistic(lines, "PeakBytes") <= tracer.MemoryBudget * 2**20, (rule, said.text())


def test_a_dump_that_goes_bad_ends_the_lines_that_come_to_it():
    """The lines up to the step before it are kept."""
    ways = ("Always",) if controller().GetNumberOfProcesses() > 1 else ("Always", "Never")
    for when in ways:
        name = "goes-bad-" + when
        expected = at(tracer_of(series(name, ReadOnDemand=when), RING, ("CELLS", "v")), 0.25)
        source = series(name, ReadOnDemand=when)
        path = os.path.join(dump(name), "visit_dump.00002", "summary.samrai")
        os.truncate(path, 1000)
        back = {"Release": "At Times", "ReleaseTimes": [0.1, 0.75], "IntegrationDirection": "BACKWARD"}
        for settings, time in (({}, 0.75), (back, 0.6)):
            with Messages() as said:
                lines = at(tracer_of(source, RING, ("CELLS", "v"), **settings), time)
            if controller().GetLocalProcessId() == 0:
                assert "at time 0.5 the input is empty, so that particles end" in said.text(), said.text()
                assert settings or path in said.text(), said.text()  # the reader says it once
            assert set(array_of(lines.GetCellData(), "ReasonForTermination")) <= {8}
            assert settings or np.array_equal(points_of(lines), points_of(expected)), name


run(globals())
