# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet Path Tracer: closed forms, both ways to the time steps, frames in any order, releases, and clear refusals."""
import builtins

import numpy as np
from filter_testing import Messages, array_of, fetch, points_of, simple, statistic
from plugin_testing import controller, generate, information, run
from vtkmodules.util.numpy_support import vtk_to_numpy

TIMES = [0.0, 0.5, 1.0, 1.5, 2.0]
# Names of numpy's would be overwritten by the sources' scripts, which run in this module.
# A rotation about z whose rate grows: linear in space and time, so that interpolation adds no error.
TURNING = """
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
output = self.GetOutputDataObject(0)
info = self.GetOutputInformation(0)
time = info.Get(info_key) if info.Has(info_key) else 0.0
output.SetExtent(0, 16, 0, 16, 0, 8)
output.SetOrigin(-1, -1, -0.5)
output.SetSpacing(0.125, 0.125, 0.125)
x, y, z = np.meshgrid(-1 + 0.125 * np.arange(17), -1 + 0.125 * np.arange(17), -0.5 + 0.125 * np.arange(9), indexing="ij")
rate = 1 + 0.5 * time
velocity = np.stack([-rate * y, rate * x, 0 * z], axis=-1).transpose(2, 1, 0, 3).reshape(-1, 3)
array = numpy_to_vtk(np.ascontiguousarray(velocity), deep=True)
array.SetName("velocity")
output.GetPointData().SetVectors(array)
output.GetInformation().Set(output.DATA_TIME_STEP(), time)
"""
HEADER = "from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P\ninfo_key = P.UPDATE_TIME_STEP()\n"
INFORMATION = HEADER + """
info = self.GetOutputInformation(0)
info.Set(P.WHOLE_EXTENT(), 0, 16, 0, 16, 0, 8)
times = {times}
info.Set(P.TIME_STEPS(), times, len(times))
info.Set(P.TIME_RANGE(), [min(times), max(times)], 2)
"""


def angle_at(time):
    return time + 0.25 * time * time


def turning(times=TIMES, rate="1 + 0.5 * time"):
    return simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=HEADER + TURNING.replace("1 + 0.5 * time", rate),
                                     ScriptRequestInformation=INFORMATION.format(times=times))


def tracer_of(source, points=((0.5, 0, 0), (0, 0.3, 0.1), (-0.7, 0.1, -0.2)), **properties):
    seeds = simple.PolyPointSource(Points=[c for point in points for c in point])
    return simple.RivuletPathTracerWithCustomSource(Input=source, SeedSource=seeds, Vectors=["POINTS", "velocity"],
                                                    **properties)


def at(tracer, time, port=0):
    """An output at a time, from all ranks on the first one."""
    tracer.UpdatePipeline(time)
    return tracer.GetClientSideObject().GetOutputDataObject(port)


def requested(tracer):
    return information(tracer, "StepsRequested")


def same(lines):
    """All values of an output but the statistics."""
    arrays = [lines.GetPointData().GetArray(i) for i in range(lines.GetPointData().GetNumberOfArrays())]
    arrays += [lines.GetCellData().GetArray(i) for i in range(lines.GetCellData().GetNumberOfArrays())]
    return [("points", points_of(lines).tobytes())] + sorted((a.GetName(), vtk_to_numpy(a).tobytes()) for a in arrays)


def turned_by(points, by):
    points = np.asarray(points, dtype=float)
    c, s = np.cos(by), np.sin(by)
    return np.stack([c * points[:, 0] - s * points[:, 1], s * points[:, 0] + c * points[:, 1], points[:, 2]], axis=-1)


def seeds_of(releases):
    return points_of(releases)


def test_particles_are_where_the_closed_form_says():
    tracer = tracer_of(turning())
    for time in (0.3, 1.0, 1.7, 2.0, 0.5, 0.3):
        particles = at(tracer, time, 1)
        seeds = seeds_of(at(tracer, time, 2))
        assert np.abs(points_of(particles) - turned_by(seeds, angle_at(time))).max(initial=0) < 2e-5, time
        assert np.all(array_of(particles.GetPointData(), "SimulationTime") == time)
        assert np.allclose(array_of(particles.GetPointData(), "ParticleAge"), time)
        lines = at(tracer, time)
        assert lines.GetNumberOfLines() == len(seeds)
        assert np.all(array_of(lines.GetCellData(), "ReasonForTermination") == 7)


def test_backward_comes_from_where_forward_goes():
    tracer = tracer_of(turning(), IntegrationDirection="BACKWARD")
    for time in (2.0, 1.2, 0.0):
        particles = at(tracer, time, 1)
        back = turned_by(seeds_of(at(tracer, time, 2)), angle_at(time) - angle_at(2.0))
        assert np.abs(points_of(particles) - back).max(initial=0) < 2e-5, time


def test_step_by_step_asks_for_each_step_once():
    tracer = tracer_of(turning())
    at(tracer, 0.0)
    assert requested(tracer) == 2  # the first frame needs the interval that begins there
    asked = []
    for time in (0.5, 1.0, 1.5, 2.0):
        at(tracer, time)
        asked.append(requested(tracer))
    assert asked == [0, 1, 1, 1], asked
    for time in (1.5, 0.5, 2.0, 0.0):
        at(tracer, time)
        assert requested(tracer) == 0, time
    assert information(tracer, "TimeAccess").startswith("Step by step"), information(tracer, "TimeAccess")
    assert "LinesCut" in [tracer.GetClientSideObject().GetOutput().GetFieldData().GetArrayName(i) for i in range(
        tracer.GetClientSideObject().GetOutput().GetFieldData().GetNumberOfArrays())]


def lines_by_seed(lines):
    """Points and times of each line, by seed; the line before the release comes second."""
    found = {}
    times = array_of(lines.GetPointData(), "SimulationTime")
    seeds = array_of(lines.GetCellData(), "SeedIds")
    for i in range(lines.GetNumberOfCells()):
        ids = [lines.GetCell(i).GetPointId(k) for k in range(lines.GetCell(i).GetNumberOfPoints())]
        found.setdefault(int(seeds[i]), []).append((np.array([lines.GetPoint(id) for id in ids]), np.array([times[id] for id in ids])))
    return found


def test_both_directions_join_what_was_before_with_what_comes_after():
    points = [(0.5, 0, 0), (0, 0.3, 0.1), (-0.7, 0.1, -0.2)]
    common = {"Release": "At Times", "ReleaseTimes": [0.8]}
    both, forth, back = (tracer_of(turning(), points, IntegrationDirection=name, **common) for name in ("BOTH", "FORWARD", "BACKWARD"))
    before = lines_by_seed(at(back, 0.0))
    for time in (1.5, 2.0, 0.3, 1.9, 0.8):
        joined, after = lines_by_seed(at(both, time)), lines_by_seed(at(forth, time))
        assert joined.keys() == before.keys()
        for seed, lines in joined.items():
            assert len(lines) == (2 if time > 0.8 else 1), (time, len(lines))
            for (place, when), (other, then) in zip(lines, after.get(seed, []) + before[seed]):
                assert place.tobytes() == other.tobytes() and when.tobytes() == then.tobytes(), (time, seed)
            start = lines[-1][0][0]
            for place, when in lines:
                turned = np.array([turned_by([start], angle_at(t) - angle_at(0.8))[0] for t in when])
                assert np.abs(place - turned).max() < 2e-5, time
        releases = at(both, time, 2).GetPointData()
        assert set(array_of(releases, "ReasonBackwardTermination")) <= {7}
        assert np.all(np.asarray(array_of(releases, "BackwardTime")) == 0.0)
        assert same(at(both, time, 1)) == same(at(forth, time, 1)), time
    if controller().GetNumberOfProcesses() == 1:
        assert requested(both) == 0 and len(joined) == 3


def test_both_directions_show_the_window_of_a_tail():
    both = tracer_of(turning(), IntegrationDirection="BOTH", Release="At Times", ReleaseTimes=[1.2], TailDuration=0.7,
                     InitialStepLength=0.02, MaximumStepLength=0.02)
    for time in (0.9, 1.3, 1.6, 2.0):
        times = np.asarray(array_of(at(both, time).GetPointData(), "SimulationTime"))
        assert times.min() >= time - 0.7 and times.max() <= time, (time, times.min(), times.max())
        assert times.min() == time - 0.7 and times.max() == time, (time, times.min(), times.max())


MOVING_SEEDS = """
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData
output = self.GetOutputDataObject(0)
info = self.GetOutputInformation(0)
time = info.Get(info_key) if info.Has(info_key) else 0.0
points = vtkPoints()
points.SetDataTypeToDouble()
for k in range({count}):
    points.InsertNextPoint(0.1 + 0.2 * time, 0.1 * k, 0.05 * time)
output.SetPoints(points)
"""


def moving_seeds(count="4"):
    information = INFORMATION.replace("info.Set(P.WHOLE_EXTENT(), 0, 16, 0, 16, 0, 8)\n", "")
    return simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=HEADER + MOVING_SEEDS.format(count=count),
                                     ScriptRequestInformation=information.format(times=TIMES))


def test_seeds_that_move_release_particles_where_they_are():
    common = {"SeedSource": moving_seeds(), "Vectors": ["POINTS", "velocity"]}
    moved = simple.RivuletPathTracerWithCustomSource(Input=turning(), ForceReinjectionEveryNSteps=1, **common)
    static = simple.RivuletPathTracerWithCustomSource(Input=turning(), ForceReinjectionEveryNSteps=1, StaticSeeds=1, **common)
    back = simple.RivuletPathTracerWithCustomSource(Input=turning(), ForceReinjectionEveryNSteps=1, IntegrationDirection="BACKWARD",
                                                    **common)
    for tracer, end in ((moved, 2.0), (static, 2.0), (back, 0.0)):
        for time in (end, 1.0, end):
            releases = at(tracer, time, 2)
            data = releases.GetPointData()
            starts, seeds = np.asarray(array_of(data, "ReleaseTime")), np.asarray(array_of(data, "SeedId"))
            at_time = 0 * starts if tracer is static else starts
            expected = np.stack([0.1 + 0.2 * at_time, 0.1 * seeds, 0.05 * at_time], axis=-1)
            assert np.abs(seeds_of(releases) - expected).max() < 1e-12, time
            particles = at(tracer, time, 1)
            ids = np.asarray(array_of(particles.GetPointData(), "InjectedPointId"))
            ages = np.asarray(array_of(particles.GetPointData(), "ParticleAge"))
            for i in range(particles.GetNumberOfPoints()):
                release = time - ages[i] if tracer is not back else time + ages[i]
                place = 0 if tracer is static else release
                start = (0.1 + 0.2 * place, 0.1 * ids[i], 0.05 * place)
                turned = turned_by([start], angle_at(time) - angle_at(release))[0]
                assert np.abs(np.array(particles.GetPoint(i)) - turned).max() < 3e-5, (time, i)
    if controller().GetNumberOfProcesses() == 1:
        at(moved, 2.0)
        assert at(moved, 2.0, 1).GetNumberOfPoints() == 20
        assert "4 points at time 0 and 5 at time 1" in refusal(simple.RivuletPathTracerWithCustomSource(
            Input=turning(), SeedSource=moving_seeds("4 + (time > 0.9)"), Vectors=["POINTS", "velocity"], ForceReinjectionEveryNSteps=2))


def gyre():
    return simple.RivuletFieldReader(FileNames=[generate(
        "gyre.rvf", "double-gyre", "--dims", "41,21,5", "--steps", "9", "--dt", "0.7")])


POINTS = [(0.3 + 0.15 * i, 0.2 + 0.06 * i, 0.5) for i in range(9)]


def test_files_are_read_as_bricks_and_give_the_same_bytes_as_steps():
    bricks = tracer_of(gyre(), POINTS)
    steps = tracer_of(simple.PassArrays(Input=simple.Calculator(Input=gyre(), Function="1", ResultArrayName="one"),
                                        PointDataArrays=["velocity", "one"]), POINTS)
    for time in (0.0, 2.1, 3.0, 5.6, 1.4):
        mine = at(bricks, time)
        other = at(steps, time)
        assert [v for v in same(other) if v[0] != "one"] == same(mine), time
        assert time == 0.0 or mine.GetNumberOfPoints() > len(POINTS) // controller().GetNumberOfProcesses()
    assert information(bricks, "TimeAccess").startswith("As bricks"), information(bricks, "TimeAccess")
    assert "one" in information(steps, "TimeAccess"), information(steps, "TimeAccess")
    assert requested(bricks) == 0 and requested(steps) == 0


def test_frames_do_not_depend_on_the_way_to_them():
    for source, rule in ((gyre, "Linear"), (turning, "Linear"), (gyre, "Cubic"), (turning, "Cubic")):
        last = 5.6 if source is gyre else 2.0
        times = [0.25 * last, 0.37 * last, last, 0.5 * last, 0.125 * last]
        wandering = tracer_of(source(), POINTS, TimeInterpolation=rule)
        for time in times:
            wandered = [same(at(wandering, time, port)) for port in range(3)]
            fresh = tracer_of(source(), POINTS, TimeInterpolation=rule)
            assert wandered == [same(at(fresh, time, port)) for port in range(3)], time


def test_locators_of_the_stock_filters_change_nothing():
    plain = same(at(tracer_of(turning()), 1.0))
    for locator in ({"InterpolatorType": "Interpolator with Point Locator"}, {"CellLocator": "Static Cell Locator"}):
        assert same(at(tracer_of(turning(), **locator), 1.0)) == plain


UNEVEN = [0.0, 0.3, 1.0, 1.4, 2.0]
QUADRATIC = "1 - 0.8 * time + 0.6 * time ** 2"


def test_ranks_without_work_borrow_particles_and_change_nothing():
    """All seeds but those of the last rank lie outside."""
    ranks, each = controller().GetNumberOfProcesses(), 1500
    points = [(9, 9, 9)] * (each * (ranks - 1)) + [(0.0006 * (i + 1), 0, 0.0003 * i) for i in range(each)]
    tracer = tracer_of(turning(), points, IntegratorType="Runge-Kutta 4", InitialStepLength=0.002,
                       IntegrationStepUnit="Time")
    tracer.UpdatePipeline(2.0)
    lines = fetch(tracer)
    assert statistic(lines, "SeedsOutside") == each * (ranks - 1)
    assert lines.GetNumberOfCells() == each
    lent = statistic(lines, "ParticlesLent")
    assert (lent > 0) == (ranks > 1), lent
    ends = vtk_to_numpy(lines.GetLines().GetOffsetsArray())[1:] - 1
    seeds = array_of(lines.GetCellData(), "SeedIds")
    assert sorted(seeds) == list(range(each * (ranks - 1), each * ranks))
    exact = turned_by(np.array(points)[seeds], angle_at(2.0))
    assert np.abs(points_of(lines)[ends] - exact).max() < 2e-5


def test_cubic_in_time_follows_what_is_quadratic():
    for backward in (False, True):
        tracer = tracer_of(turning(UNEVEN, QUADRATIC), TimeInterpolation="Cubic", ComputeVorticity=1,
                           IntegrationDirection="BACKWARD" if backward else "FORWARD")
        linear = tracer_of(turning(UNEVEN, QUADRATIC), IntegrationDirection=tracer.IntegrationDirection)
        for time in (0.3, 1.2, 2.0, 0.7, 0.1):
            angle = [t - 0.4 * t**2 + 0.2 * t**3 for t in (time, 2.0 if backward else 0.0)]
            exact = turned_by(seeds_of(at(tracer, time, 2)), angle[0] - angle[1])
            assert np.abs(points_of(at(tracer, time, 1)) - exact).max(initial=0) < 2e-5, time
            off = np.abs(points_of(at(linear, time, 1)) - exact).max(initial=0)
            assert time != 0.7 or len(exact) == 0 or off > 2e-3, off
            curl = array_of(at(tracer, time).GetPointData(), "Vorticity")
            when = array_of(at(tracer, time).GetPointData(), "SimulationTime")
            assert np.abs(curl[:, 2] - 2 * (1 - 0.8 * when + 0.6 * when**2)).max(initial=0) < 1e-5


def test_cubic_in_time_asks_for_each_step_once():
    source = turning()
    source.Script += "\nimport builtins\nbuiltins.executed = getattr(builtins, 'executed', []) + [time]\n"
    tracer = tracer_of(source, TimeInterpolation="Cubic")
    asked = []
    for time in (*TIMES, *TIMES):
        at(tracer, time)
        asked.append(requested(tracer))
    assert asked == [3, 0, 1, 1, 0, 0, 0, 0, 0, 0], asked  # the first interval needs the step after it
    assert builtins.executed == TIMES, builtins.executed
    back = tracer_of(turning(), TimeInterpolation="Cubic", IntegrationDirection="BACKWARD")
    asked = []
    for time in reversed(TIMES):
        at(back, time)
        asked.append(requested(back))
    assert asked == [3, 0, 1, 1, 0], asked
    two = tracer_of(turning([0.0, 2.0]), TimeInterpolation="Cubic")
    assert same(at(two, 1.3)) == same(at(tracer_of(turning([0.0, 2.0])), 1.3))
    assert requested(two) == 2


def test_cubic_in_time_has_the_same_bytes_as_bricks_step_by_step_and_in_little_memory():
    expected = None
    for source, settings in ((gyre(), {}), (gyre(), {"NumberOfThreads": 1}),
                             (gyre(), {"MemoryBudget": 1, "AccessStrategy": "Asynchronous"}),
                             (simple.Calculator(Input=gyre(), Function="1", ResultArrayName="one"), {}),
                             (simple.Calculator(Input=gyre(), Function="1", ResultArrayName="one"), {"MemoryBudget": 1})):
        tracer = tracer_of(source, POINTS, TimeInterpolation="Cubic", **settings)
        here = [[v for v in same(at(tracer, time)) if v[0] != "one"] for time in (2.1, 5.6, 3.0)]
        expected = expected or here
        assert here == expected, settings
    linear = tracer_of(gyre(), POINTS)
    assert controller().GetLocalProcessId() > 0 or same(at(linear, 5.6)) != expected[1]


def test_cubic_in_time_takes_four_bricks_for_each_thread():
    if controller().GetNumberOfProcesses() > 1:
        return
    needed = []
    for rule in ("Linear", "Cubic"):
        text = refusal(tracer_of(gyre(), POINTS, TimeInterpolation=rule, MemoryBudget=1, NumberOfThreads=200))
        assert "below the" in text and "200 threads need" in text, text
        needed.append(int(text.split("et Memory Budget to ")[1].split()[0]))
    assert abs(needed[1] - 2 * needed[0]) <= 1, needed


def test_releases():
    count = controller().GetNumberOfProcesses()
    if count > 1:
        return
    often = tracer_of(turning(), Release="Repeatedly", ReleaseStart=0.25, ReleaseEnd=1.25, ReleaseInterval=0.5)
    assert at(often, 0.2, 1).GetNumberOfPoints() == 0
    assert at(often, 0.25, 1).GetNumberOfPoints() == 3
    assert at(often, 1.0, 1).GetNumberOfPoints() == 6
    particles = at(often, 2.0, 1)
    data = particles.GetPointData()
    assert particles.GetNumberOfPoints() == 9
    assert list(array_of(data, "InjectedPointId")) == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    assert list(array_of(data, "InjectionStepId")) == [0, 1, 2] * 3
    assert list(array_of(data, "ParticleId")) == list(range(9))
    assert np.allclose(array_of(data, "ParticleAge"), [1.75, 1.25, 0.75] * 3)
    seeds = seeds_of(at(often, 2.0, 2))
    starts = np.array([0.25, 0.75, 1.25] * 3)
    for particle, seed, start in zip(points_of(particles), seeds, starts):
        assert np.abs(particle - turned_by([seed], angle_at(2.0) - angle_at(start))[0]).max() < 2e-5

    every = tracer_of(turning(), ForceReinjectionEveryNSteps=2)
    assert list(array_of(at(every, 2.0, 2).GetPointData(), "ReleaseTime")) == [0.0, 1.0, 2.0] * 3
    listed = tracer_of(turning(), Release="At Times", ReleaseTimes=[1.1, 0.3, 7.0])
    releases = at(listed, 2.0, 2).GetPointData()
    assert list(array_of(releases, "ReasonForTermination")) == [7, 7, 10] * 3
    assert list(array_of(at(listed, 1.0, 2).GetPointData(), "ReasonForTermination")) == [0, 7, 10] * 3

    seeds = simple.Calculator(Input=simple.PolyPointSource(Points=[0.5, 0, 0, 0.1, 0.3, 0]), Function="coordsX",
                              ResultArrayName="when")
    each = simple.RivuletPathTracerWithCustomSource(Input=turning(), SeedSource=seeds, Vectors=["POINTS", "velocity"],
                                                    Release="From Array", ReleaseArray="when")
    assert np.allclose(array_of(at(each, 1.0, 1).GetPointData(), "ParticleAge"), [0.5, 0.9])


def test_tails_move_with_the_time():
    tracer = tracer_of(turning(), TailDuration=0.4)
    for time in (0.5, 1.3, 2.0):
        times = array_of(at(tracer, time).GetPointData(), "SimulationTime")
        assert times.min(initial=time) >= time - 0.4 and times.max(initial=time) == time
        if len(times) and time > 0.4:
            assert times.min() == time - 0.4, (time, times.min())
    assert at(tracer, 2.0).GetNumberOfPoints() < at(tracer_of(turning()), 2.0).GetNumberOfPoints()


def test_particles_that_leave_end():
    rotation = simple.RivuletFieldReader(FileNames=[generate("turn.rvf", "rotation", "--dims", "17,17,9", "--steps", "4",
                                                             "--lower=-1,0,-1", "--upper", "1,1,1")])
    tracer = tracer_of(rotation, [(0.5, 0.1, 0), (0.9, 0.4, 0), (5, 5, 5)])
    releases = at(tracer, 3.0, 2)
    if controller().GetNumberOfProcesses() == 1:
        reasons = list(array_of(releases.GetPointData(), "ReasonForTermination"))
        assert reasons == [1, 1, 10], reasons
        assert at(tracer, 3.0, 1).GetNumberOfPoints() == 0
        assert statistic(at(tracer, 3.0), "SeedsOutside") == 1
        lengths = array_of(releases.GetPointData(), "Length")
        assert lengths[2] == 0 and lengths[0] > 1.0


# Along x at the same rate: x grows by angle_at(time).
PUSHING = TURNING.replace("[-rate * y, rate * x, 0 * z]", "[rate + 0 * x, 0 * y, 0 * z]")


def pushing():
    return simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=HEADER + PUSHING,
                                     ScriptRequestInformation=INFORMATION.format(times=TIMES))


def time_after(angle):
    """When angle_at() has this value."""
    return 2 * (np.sqrt(1 + angle) - 1)


def ending(source, points, function, settings, **properties):
    tracer = tracer_of(source, points, **properties)
    tracer.EndSurface, tracer.EndFunction = "Function", function
    for name, value in settings.items():
        tracer.EndFunction.__setattr__(name, value)
    return tracer


def last_points(lines):
    """Last point, its time, and the reason, of each line."""
    times = array_of(lines.GetPointData(), "SimulationTime")
    reasons = array_of(lines.GetCellData(), "ReasonForTermination")
    found = []
    for i in range(lines.GetNumberOfCells()):
        last = lines.GetCell(i).GetPointId(lines.GetCell(i).GetNumberOfPoints() - 1)
        found.append((np.array(lines.GetPoint(last)), times[last], reasons[i]))
    return found


def test_particles_end_at_a_plane_and_at_a_box_in_uniform_flow():
    start = [(-0.8, 0, 0), (-0.7, 0.6, 0), (-0.8, 0.05, 0.1)]
    for normal in (1, -1):
        tracer = ending(pushing(), start, "Plane", {"Origin": [0.35, 0, 0], "Normal": [normal, 0, 0]})
        lines = at(tracer, 2.0)
        assert at(tracer, 2.0, 1).GetNumberOfPoints() == 0
        for (point, time, reason), seed in zip(last_points(lines), seeds_of(at(tracer, 2.0, 2))):
            assert reason == 12 and abs(point[0] - 0.35) < 1e-7, (point, reason)
            assert abs(time - time_after(0.35 - float(seed[0]))) < 1e-6, time
        assert lines.GetNumberOfCells() == at(tracer, 2.0, 2).GetNumberOfPoints()
        assert at(tracer, 0.8, 1).GetNumberOfPoints() == lines.GetNumberOfCells()
    boxed = ending(pushing(), start, "Box", {"Position": [0.1, -0.2, -0.2], "Length": [0.3, 0.4, 0.4]})
    ends = last_points(at(boxed, 2.0))
    for (point, time, reason), seed in zip(ends, seeds_of(at(boxed, 2.0, 2))):
        assert reason == (1 if seed[1] > 0.5 else 12)
        assert reason == 1 or (abs(point[0] - 0.1) < 1e-7 and abs(time - time_after(0.9)) < 1e-6), (point, time)
    boxed.EndFunction.Position = [0.2, -0.2, -0.2]  # the function's own change is noticed
    assert [end[2] for end in last_points(at(boxed, 2.0))] == [end[2] for end in ends]
    assert np.all([abs(end[0][0] - 0.2) < 1e-7 for end in last_points(at(boxed, 2.0)) if end[2] == 12])
    boxed.EndSurface = "None"
    assert np.all([end[2] == 1 for end in last_points(at(boxed, 2.0))])


def test_particles_that_turn_end_at_a_plane_forward_and_backward():
    for sign, direction in ((-1, "FORWARD"), (1, "BACKWARD")):
        start = [(0.5, 0.2 * sign, 0), (0.3, 0.4 * sign, 0.1), (0.7, 0.1 * sign, -0.2)]
        tracer = ending(turning(), start, "Plane", {"Origin": [0, 0, 0], "Normal": [0, 1, 0]}, IntegrationDirection=direction)
        for (point, time, reason), seed in zip(last_points(at(tracer, 2.0 if sign < 0 else 0.0)), seeds_of(at(tracer, 1.0, 2))):
            turn = np.arctan2(abs(float(seed[1])), float(seed[0]))
            expected = time_after(turn) if sign < 0 else time_after(angle_at(2.0) - turn)
            assert reason == 12 and abs(time - expected) < 2e-5, (time, expected)
            assert np.abs(point - [np.hypot(seed[0], seed[1]), 0, seed[2]]).max() < 2e-5, point
            assert abs(point[1]) < 1e-7


def test_crossings_are_counted_for_poincare_maps():
    """The flow turns by 3 in all; particles cross the plane y = 0 at each half turn."""
    start = [(0.5, -0.1, 0), (-0.3, 0.4, 0.1), (0.7, -0.2, -0.2)]
    tracer = ending(turning(), start, "Plane", {"Origin": [0, 0, 0], "Normal": [0, 1, 0]}, AtSurface="Go On")
    for time in (2.0, 1.0, 1.5):
        crossings, seeds = at(tracer, time, 3), seeds_of(at(tracer, time, 2))
        data = {name: array_of(crossings.GetPointData(), name) for name in (
            "SeedIds", "ParticleId", "Crossing", "Return", "Direction", "SimulationTime", "ParticleAge", "Length", "InjectionStepId")}
        expected = []
        for number, seed in enumerate(np.array(seeds, dtype=float)):
            angle, count, returns = np.arctan2(seed[1], seed[0]), 0, {1: 0, -1: 0}
            for half in range(-3, 4):
                turn = half * np.pi - angle
                if 0 < turn <= angle_at(time):
                    direction = 1 if half % 2 == 0 else -1
                    count, returns[direction] = count + 1, returns[direction] + 1
                    expected.append((number, count, returns[direction], direction, time_after(turn), turn * np.hypot(seed[0], seed[1])))
        assert crossings.GetNumberOfVerts() == crossings.GetNumberOfPoints() == len(expected), (time, len(expected))
        for i, (number, count, same_way, direction, when, length) in enumerate(expected):
            assert (data["SeedIds"][i], data["Crossing"][i], data["Return"][i], data["Direction"][i]) == (number, count, same_way, direction)
            assert abs(data["SimulationTime"][i] - when) < 2e-5 and abs(data["ParticleAge"][i] - when) < 2e-5
            assert abs(data["Length"][i] - length) < 1e-3 and data["InjectionStepId"][i] == 0
            assert data["ParticleId"][i] == number
        points = points_of(crossings)
        assert np.abs(points[:, 1]).max(initial=0) < 1e-12
        assert at(tracer, time, 1).GetNumberOfPoints() == len(seeds)  # all go on
    if controller().GetNumberOfProcesses() > 1:
        return  # the rest has a seed on one rank
    both = ending(turning(), [(0.5, -0.1, 0)], "Plane", {"Origin": [0, 0, 0], "Normal": [0, 1, 0]}, AtSurface="Go On",
                  IntegrationDirection="BOTH", Release="At Times", ReleaseTimes=[1.5])
    numbers = array_of(at(both, 2.0, 3).GetPointData(), "Crossing")
    assert list(numbers) == [1] and list(array_of(at(both, 2.0, 3).GetPointData(), "Direction")) == [1], list(numbers)
    far = ending(turning(), [(0.5, 0.1, 0)], "Plane", {"Origin": [0, 0, 0], "Normal": [0, 1, 0]}, AtSurface="Go On",
                 IntegrationDirection="BOTH", Release="At Times", ReleaseTimes=[1.5])
    assert list(array_of(at(far, 2.0, 3).GetPointData(), "Crossing")) == [-1]
    ended = ending(turning(), start, "Plane", {"Origin": [0, 0, 0], "Normal": [0, 1, 0]})
    assert list(array_of(at(ended, 2.0, 3).GetPointData(), "Crossing")) == [1, 1, 1]
    ended.EndSurface = "None"
    assert at(ended, 2.0, 3).GetNumberOfPoints() == 0


def test_particles_of_each_release_end_at_their_own_time():
    starts = np.array([0.25, 0.75, 1.25])
    tracer = ending(pushing(), [(-0.5, 0, 0), (-0.5, 0.3, 0)], "Plane", {"Origin": [0.3, 0, 0]}, Release="Repeatedly",
                    ReleaseStart=0.25, ReleaseEnd=1.25, ReleaseInterval=0.5)
    ends = time_after(angle_at(starts) + 0.8)
    for time in (0.3, 1.0, 0.9, 1.4, 1.5, 2.0, 1.1):
        releases = at(tracer, time, 2).GetPointData()
        expected = np.where(starts > time, 0, np.where(ends > time, 7, 12))
        reasons = array_of(releases, "ReasonForTermination")
        assert list(reasons) == list(expected) * (len(reasons) // 3), (time, list(reasons))
        assert at(tracer, time, 1).GetNumberOfPoints() == np.count_nonzero(reasons == 7)


def test_ends_do_not_depend_on_the_way_to_the_steps_nor_on_paths_or_the_order_of_frames():
    ball = {"Center": [1.0, 0.5, 0.5], "Radius": 0.35}
    bricks = ending(gyre(), POINTS, "Sphere", ball)
    steps = ending(simple.Calculator(Input=gyre(), Function="1", ResultArrayName="one"), POINTS, "Sphere", ball)
    particles = ending(gyre(), POINTS, "Sphere", ball, ComputePaths=False)
    crossed = 0
    for time in (1.4, 3.0, 5.6, 2.1, 0.7, 5.0):
        mine = [same(at(bricks, time, port)) for port in range(4)]
        other = [same(at(steps, time, port)) for port in range(4)]
        assert [[v for v in of if v[0] != "one"] for of in other] == mine, time
        fresh = ending(gyre(), POINTS, "Sphere", ball)
        assert [same(at(fresh, time, port)) for port in range(4)] == mine, time
        assert at(particles, time).GetNumberOfPoints() == 0
        assert same(at(particles, time, 1)) == mine[1], time
        reasons = [list(array_of(at(made, time, 2).GetPointData(), "ReasonForTermination")) for made in (particles, bricks)]
        assert reasons[0] == reasons[1], time
        crossed = np.maximum(crossed, reasons[0].count(12))
    assert 0 < crossed < len(POINTS) or controller().GetNumberOfProcesses() > 1


def test_a_particle_released_on_a_surface_ends_at_once_on_its_way_out():
    for normal, reason in ((1, 12), (-1, 7)):
        tracer = ending(pushing(), [(-0.5, 0, 0)], "Plane", {"Origin": [-0.5, 0, 0], "Normal": [normal, 0, 0]})
        reasons = array_of(at(tracer, 0.5, 2).GetPointData(), "ReasonForTermination")
        assert np.all(np.asarray(reasons) == reason), reasons


def refusal(tracer, time=1.0):
    with Messages() as said:
        lines = at(tracer, time)
    assert lines.GetNumberOfPoints() == 0
    return said.text()


def test_what_cannot_be_traced_is_refused():
    if controller().GetNumberOfProcesses() > 1:
        return
    steady = simple.RivuletFieldReader(FileNames=[generate("one.rvf", "abc", "--dims", "9,9,9")])
    assert "time step" in refusal(tracer_of(steady))
    assert "do not increase" in refusal(tracer_of(turning([0.0, 1.0, 1.0])))
    assert "do not increase" in refusal(tracer_of(turning([0.0, 2.0, 1.0])))
    assert "no points" in refusal(tracer_of(turning(), []))
    assert "no particle is released between" in refusal(tracer_of(turning(), Release="At Times", ReleaseTimes=[9.0]))
    without = tracer_of(turning(), EndSurface="Function")
    without.EndFunction = None
    assert "no function" in refusal(without)
    assert "paths of both directions" in refusal(tracer_of(turning(), IntegrationDirection="BOTH", ComputePaths=0))
    assert "no Release Times" in refusal(tracer_of(turning(), Release="At Times"))
    assert "Release Interval" in refusal(tracer_of(turning(), Release="Repeatedly", ReleaseInterval=-1.0))
    assert 'no point array "when"' in refusal(tracer_of(turning(), Release="From Array", ReleaseArray="when"))
    with Messages() as said:
        tracer = tracer_of(turning(), [(9, 9, 9)])
        at(tracer, 1.0)
    assert "outside the grid" in said.text(), said.text()


def test_a_grid_that_changes_is_refused_with_its_time():
    script = TURNING.replace("output.SetOrigin(-1, -1, -0.5)", "output.SetOrigin(-1 - (time > 0.9), -1, -0.5)")
    source = simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=HEADER + script,
                                       ScriptRequestInformation=INFORMATION.format(times=TIMES))
    tracer = tracer_of(source)
    with Messages() as said:
        at(tracer, 2.0)
    if controller().GetLocalProcessId() == 0:
        assert "the grid at time 1 is not" in said.text(), said.text()


SCALARS = """
for name, wanted in (("scale", {scale}), ("always", True)):
    if wanted:
        values = numpy_to_vtk(np.ascontiguousarray((x + time).transpose(2, 1, 0).reshape(-1)), deep=True)
        values.SetName(name)
        output.GetPointData().AddArray(values)
"""


def with_scalars(scale, **changes):
    script = HEADER + TURNING + SCALARS.format(scale=scale)
    for before, after in changes.items():
        script = script.replace(before, after)
    return simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=script,
                                     ScriptRequestInformation=INFORMATION.format(times=TIMES))


def test_an_array_that_a_step_lacks_is_left_out_and_told_once():
    plain = tracer_of(with_scalars("False"))
    for condition, first in (("time != 1.0", 1.0), ("time < 1.2", 1.5)):
        for paths in (True, False):
            tracer = tracer_of(with_scalars(condition), ComputePaths=paths)
            said = []
            for time in (0.7, 2.0, 0.7, 1.2, 1.7):
                with Messages() as messages:
                    lines, particles = at(tracer, time), at(tracer, time, 1)
                said.append(messages.text())
                plain.ComputePaths = paths
                assert same(lines) == same(at(plain, time)) or time == 0.7, (condition, paths, time)
                assert particles.GetPointData().HasArray("always") or not particles.GetNumberOfPoints()
            if controller().GetLocalProcessId() == 0:
                text = "".join(said)
                assert text.count("Warning:") == 1 and "ERROR:" not in text, said
                assert f'"scale", which the input does not have at time {first:g}' in text, text


def test_a_step_without_the_vectors_and_an_empty_one_are_named_with_their_time():
    without = with_scalars("False", **{'array.SetName("velocity")': 'array.SetName("velocity" if time != 1.0 else "v")'})
    empty = with_scalars("False", **{"output.GetInformation()": "output.Initialize() if time == 1.0 else None\noutput.GetInformation()"})
    for source, words in ((without, 'at time 1 the input has no array "velocity"'), (empty, "at time 1 the input is empty")):
        with Messages() as said:
            at(tracer_of(source), 2.0)
        if controller().GetLocalProcessId() == 0:
            assert words in said.text(), said.text()


def test_releases_are_repeated_over_the_time_of_the_input():
    for times in (TIMES, [t - 1.0 for t in TIMES], [1.6e9 + t for t in TIMES]):
        source = turning(times, "1.0")
        source.UpdatePipelineInformation()
        for tracer in (tracer_of(source, Release="Repeatedly"),
                       tracer_of(source, Release="Repeatedly", ReleaseStart=-1e299, ReleaseEnd=1e299)):
            released = array_of(at(tracer, times[-1], 2).GetPointData(), "ReleaseTime")
            assert sorted(set(released)) == times or not len(released), (times, set(released))


def test_seconds_end_what_is_under_way():
    tracer = tracer_of(turning(), MaximumSeconds=1e-9)
    with Messages() as said:
        lines, releases = at(tracer, 2.0), at(tracer, 2.0, 2)
    assert np.all(array_of(releases.GetPointData(), "ReasonForTermination") == 11)
    assert lines.GetFieldData().GetArray("LinesCut").GetTuple1(0) == 3
    if controller().GetLocalProcessId() == 0:
        assert said.text().count("stopped after Maximum Seconds") >= 1, said.text()
    tracer.MaximumSeconds = 0.0  # what was cut is run again
    assert same(at(tracer, 2.0)) == same(at(tracer_of(turning()), 2.0))
    enough = tracer_of(turning(), MaximumSeconds=1000.0)
    assert same(at(enough, 2.0)) == same(at(tracer_of(turning()), 2.0))


def test_the_panel_goes_on_to_tell_of_the_last_run():
    tracer = tracer_of(turning())
    at(tracer, 0.0)
    assert information(tracer, "PathsShown").startswith("none yet"), information(tracer, "PathsShown")
    at(tracer, 2.0)
    known = [information(tracer, name) for name in ("StrategyInUse", "ValuesRead", "PeakMemory")]
    assert known[0] == "In Memory" and "" not in known, known
    at(tracer, 1.0)  # kept
    assert [information(tracer, name) for name in ("StrategyInUse", "ValuesRead", "PeakMemory")] == known
    assert information(tracer, "StepsRequested") == 0
    assert information(tracer, "PathsShown") == "3 paths at time 1", information(tracer, "PathsShown")


def test_fates_before_the_release_do_not_depend_on_the_frames_shown():
    for paths in (True, False):
        for direction in ("FORWARD", "BACKWARD"):
            properties = {"Release": "At Times", "ReleaseTimes": [0.6, 1.1], "ComputePaths": paths, "IntegrationDirection": direction}
            tracer = tracer_of(turning(), **properties)
            order = (2.0, 0.3, 1.0, 0.6, 1.9, 0.0, 1.3)
            for time in order if direction == "FORWARD" else [2.0 - t for t in order]:
                fresh = tracer_of(turning(), **properties)
                assert same(at(tracer, time, 2)) == same(at(fresh, time, 2)), (paths, direction, time)


run(globals())
