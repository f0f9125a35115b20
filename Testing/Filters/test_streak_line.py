# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet Streak Line: closed forms, streamlines in steady flow, ends of pathlines, gaps, frames in any order."""
import numpy as np
import programmed_flow
from filter_testing import Messages, array_of, points_of, simple
from plugin_testing import controller, generate, information, run
from vtkmodules.util.numpy_support import vtk_to_numpy

ALONE = controller().GetNumberOfProcesses() == 1
# Flows linear in space and time, so that interpolation adds no error.
STEPS = [0.25 * i for i in range(9)]
TURNING = "-(1 + 0.5 * time) * y, (1 + 0.5 * time) * x, 0"
POINTS = [(0.5, 0, 0), (0, 0.3, 0.1), (-0.7, 0.1, -0.2)]


def flow(formula, times=STEPS):
    return programmed_flow.flow(formula, times)


def gyre():
    return simple.RivuletFieldReader(FileNames=[generate(
        "gyre.rvf", "double-gyre", "--dims", "41,21,5", "--steps", "9", "--dt", "0.7")])


def streaks_of(source, points=POINTS, **properties):
    seeds = simple.PolyPointSource(Points=[c for point in points for c in point])
    return simple.RivuletStreakLineWithCustomSource(Input=source, SeedSource=seeds, Vectors=["POINTS", "velocity"],
                                                    **properties)


def at(streaks, time, port=0):
    streaks.UpdatePipeline(time)
    return streaks.GetClientSideObject().GetOutputDataObject(port)


def lines_of(output):
    """(seed, point ids) of each line."""
    offsets = vtk_to_numpy(output.GetLines().GetOffsetsArray())
    seeds = array_of(output.GetCellData(), "SeedIds") if output.GetNumberOfLines() else []
    return [(int(seed), slice(offsets[i], offsets[i + 1])) for i, seed in enumerate(seeds)]


def same(output):
    data = output.GetPointData()
    arrays = [data.GetArray(i) for i in range(data.GetNumberOfArrays())]
    return [points_of(output).tobytes()] + sorted((a.GetName(), vtk_to_numpy(a).tobytes()) for a in arrays)


def turned(point, by):
    c, s = np.cos(by), np.sin(by)
    return np.array([c * point[0] - s * point[1], s * point[0] + c * point[1], point[2]])


def angle_at(time):
    return time + 0.25 * time * time


def test_lines_go_along_a_uniform_flow():
    streaks = streaks_of(flow("0.5, 0, 0"), [(-0.9, -0.5, 0), (-0.9, 0, 0), (-0.9, 0.5, 0)])
    output = at(streaks, 2.0)
    found = lines_of(output)
    assert not ALONE or [seed for seed, _ in found] == [0, 1, 2]
    for seed, ids in found:
        points = points_of(output)[ids]
        assert np.allclose(points[:, 1], -0.5 + 0.5 * seed) and len(points) == 9
        assert np.allclose(points[:, 0], np.linspace(0.1, -0.9, 9), atol=1e-6)
        assert np.allclose(array_of(output.GetPointData(), "ParticleAge")[ids], np.linspace(2, 0, 9))


def test_each_point_is_where_its_particle_has_gone():
    streaks = streaks_of(flow(TURNING), Release="Repeatedly", ReleaseStart=0.1, ReleaseEnd=2.0, ReleaseInterval=0.15)
    for time in (0.3, 1.0, 1.77, 2.0, 0.5):
        output = at(streaks, time)
        releases = array_of(output.GetPointData(), "ReleaseTime") if output.GetNumberOfPoints() else []
        for seed, ids in lines_of(output):
            assert releases[ids][0] == 0.1 and releases[ids][-1] == time
            assert np.all(np.diff(releases[ids]) > 0) and np.abs(np.diff(releases[ids])).max() < 0.15 + 1e-9
            for point, release in zip(points_of(output)[ids], releases[ids]):
                assert np.abs(point - turned(POINTS[seed], angle_at(time) - angle_at(release))).max() < 2e-5


def test_in_steady_flow_they_are_streamlines():
    if not ALONE:
        return
    output = at(streaks_of(flow("-y, x, 0"), Release="Repeatedly", ReleaseEnd=2.0, ReleaseInterval=0.1), 2.0)
    for seed, ids in lines_of(output):
        points = points_of(output)[ids]
        radius = np.hypot(*POINTS[seed][:2])
        assert np.allclose(np.hypot(points[:, 0], points[:, 1]), radius, atol=1e-5)
        angles = np.unwrap(np.arctan2(points[::-1, 1], points[::-1, 0]))
        assert np.allclose(angles - angles[0], np.linspace(0, 2, 21), atol=1e-5)


def test_points_are_the_ends_of_pathlines():
    release = {"ReleaseStart": 0.2, "ReleaseEnd": 5.0, "ReleaseInterval": 0.3}
    points = [(0.3 + 0.15 * i, 0.2 + 0.06 * i, 0.5) for i in range(9)]
    streaks = streaks_of(gyre(), points, Release="Repeatedly", **release)
    seeds = simple.PolyPointSource(Points=[c for point in points for c in point])
    for paths_kept in (1, 0):
        paths = simple.RivuletPathTracerWithCustomSource(
            Input=gyre(), SeedSource=seeds, Vectors=["POINTS", "velocity"], Release="Repeatedly", TerminalSpeed=0.0,
            ComputePaths=paths_kept, **release)
        for time in (1.0, 2.1, 3.3, 5.6):
            lines = at(streaks, time)
            paths.UpdatePipeline(time)
            particles = paths.GetClientSideObject().GetOutputDataObject(1)
            assert (paths.GetClientSideObject().GetOutputDataObject(0).GetNumberOfPoints() > 0) == bool(paths_kept)
            of_streaks = array_of(lines.GetPointData(), "ParticleId")
            moved = of_streaks >= 0
            assert list(of_streaks[moved]) == list(array_of(particles.GetPointData(), "ParticleId"))
            assert points_of(lines)[moved].tobytes() == points_of(particles).tobytes(), time
            for name in ("velocity", "Vorticity", "ParticleAge"):
                mine = array_of(lines.GetPointData(), name)[moved]
                assert np.ascontiguousarray(mine).tobytes() == array_of(particles.GetPointData(), name).tobytes(), name


def test_lines_leave_their_seeds_after_the_last_release():
    streaks = streaks_of(flow(TURNING), Release="Repeatedly", ReleaseEnd=0.5, ReleaseInterval=0.1)
    output = at(streaks, 1.0)
    ages = array_of(output.GetPointData(), "ParticleAge")
    assert np.allclose([ages.min(), ages.max()], [0.5, 1.0])
    young = at(streaks_of(flow(TURNING), Release="Repeatedly", ReleaseEnd=2.0, ReleaseInterval=0.1, MaximumTime=0.35), 2.0)
    assert array_of(young.GetPointData(), "ParticleAge").max() < 0.35 + 1e-6


def test_lines_are_interrupted_where_particles_have_left():
    # x = 0.9 + (sin(6 t) - sin(6 t0)) / 6 passes 1 unless t0 is right.
    fine = [0.02 * i for i in range(101)]
    streaks = streaks_of(flow("np.cos(6 * time), 0.05, 0", fine), [(0.9, 0, 0), (0, 0, 0)])
    output = at(streaks, 2.0)
    releases = at(streaks, 2.0, 1).GetPointData()
    reasons = array_of(releases, "ReasonForTermination")
    if not ALONE:
        return
    ids = array_of(output.GetPointData(), "InjectionStepId")
    found = lines_of(output)
    assert len(found) > 2 and [seed for seed, _ in found].count(1) == 1
    for seed, points in found:
        assert np.all(np.diff(ids[points]) == 1)
        assert np.all(reasons[101 * seed + ids[points]] == 7)
    assert np.any(reasons[:101] == 1) and np.any(reasons[:101] == 7)


def test_frames_do_not_depend_on_the_way_to_them():
    for source, points, last in ((gyre, [(0.3 + 0.15 * i, 0.2 + 0.06 * i, 0.5) for i in range(9)], 5.6),
                                 (lambda: flow(TURNING), POINTS, 2.0)):
        wandering = streaks_of(source(), points)
        for time in (0.25 * last, 0.37 * last, last, 0.5 * last, 0.93 * last, 0.0):
            assert same(at(wandering, time)) == same(at(streaks_of(source(), points), time)), time


def test_locators_of_the_stock_filters_change_nothing():
    plain = same(at(streaks_of(gyre()), 2.0))
    for locator in ({"InterpolatorType": "Interpolator with Point Locator"}, {"CellLocator": "Static Cell Locator"}):
        assert same(at(streaks_of(gyre(), **locator), 2.0)) == plain


def test_the_next_frame_asks_for_one_step():
    streaks = streaks_of(flow(TURNING))
    asked = []
    for time in STEPS:
        at(streaks, time)
        asked.append(information(streaks, "StepsRequested"))
    assert asked == [2, 0] + 7 * [1], asked
    at(streaks, 1.9)
    assert information(streaks, "StepsRequested") == 0
    at(streaks, 0.5)
    assert information(streaks, "StepsRequested") == 0  # begun anew, through steps that are held


def refusal(streaks, time=1.0):
    with Messages() as said:
        lines = at(streaks, time)
    assert lines.GetNumberOfPoints() == 0
    return said.text()


def test_what_cannot_be_traced_is_refused():
    if not ALONE:
        return
    steady = simple.RivuletFieldReader(FileNames=[generate("one.rvf", "abc", "--dims", "9,9,9")])
    assert "time step" in refusal(streaks_of(steady))
    assert "no points" in refusal(streaks_of(flow(TURNING), []))
    assert "Release Interval" in refusal(
        streaks_of(flow(TURNING), Release="Repeatedly", ReleaseInterval=-1.0))
    assert "no particle is released between" in refusal(
        streaks_of(flow(TURNING), Release="Repeatedly", ReleaseStart=5.0, ReleaseEnd=6.0, ReleaseInterval=0.5))
    with Messages() as said:
        before = at(streaks_of(flow(TURNING), Release="Repeatedly", ReleaseStart=1.0, ReleaseEnd=2.0,
                               ReleaseInterval=0.5), 0.5)
    assert before.GetNumberOfPoints() == 0 and said.count() == 0, said.text()


run(globals())
