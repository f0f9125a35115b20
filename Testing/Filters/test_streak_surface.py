# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet Streak Surface: closed forms, ends of pathlines, time and stream surfaces, frames in any order, refusals."""
import numpy as np
import programmed_flow
from filter_testing import Messages, array_of, points_of, simple, statistic
from plugin_testing import controller, generate, information, run
from vtkmodules.util.numpy_support import vtk_to_numpy

ALONE = controller().GetNumberOfProcesses() == 1
FIRST = controller().GetLocalProcessId() == 0
# Flows linear in space and time, so that interpolation adds no error.
STEPS = [0.25 * i for i in range(9)]
TURNING = "-(1 + 0.5 * time) * y, (1 + 0.5 * time) * x, 0"


def flow(formula, times=STEPS):
    return programmed_flow.flow(formula, times)


def gyre():
    return simple.RivuletFieldReader(FileNames=[generate(
        "gyre.rvf", "double-gyre", "--dims", "41,21,5", "--steps", "9", "--dt", "0.7")])


def line(a, b, resolution=4):
    return simple.Line(Point1=a, Point2=b, Resolution=resolution)


def surface_of(source, seeds, **properties):
    return simple.RivuletStreakSurfaceWithCustomSource(Input=source, SeedSource=seeds, Vectors=["POINTS", "velocity"],
                                                       **properties)


def at(surface, time):
    surface.UpdatePipeline(time)
    return surface.GetClientSideObject().GetOutputDataObject(0)


def triangles_of(output):
    return vtk_to_numpy(output.GetPolys().GetConnectivityArray()).reshape(-1, 3)


def same(output):
    data = output.GetPointData()
    arrays = [data.GetArray(i) for i in range(data.GetNumberOfArrays())]
    return [points_of(output).tobytes(), triangles_of(output).tobytes() if output.GetNumberOfPolys() else b""] + sorted(
        (a.GetName(), vtk_to_numpy(a).tobytes()) for a in arrays)


def area_of(output):
    corners = points_of(output).astype(float)[triangles_of(output)]
    return 0.5 * np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1).sum()


def edges_of(output):
    """How many triangles have each edge."""
    all_edges = np.sort(triangles_of(output)[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    return np.unique(all_edges, axis=0, return_counts=True)


def check_manifold(output, euler):
    edges, counts = edges_of(output)
    assert counts.max() <= 2
    assert output.GetNumberOfPoints() - len(edges) + output.GetNumberOfPolys() == euler
    return counts


def stretched_to(time):
    return time + 0.25 * time * time


def test_a_uniform_flow_draws_a_rectangle():
    output = at(surface_of(flow("0.5, 0, 0"), line([-0.9, -0.5, 0.1], [-0.9, 0.5, 0.1])), 2.0)
    if not FIRST:
        assert output.GetNumberOfPoints() == 0
        return
    check_manifold(output, 1)
    data = output.GetPointData()
    assert abs(area_of(output) - 1.0) < 1e-6
    assert np.allclose(np.abs(vtk_to_numpy(data.GetNormals())), [0, 0, 1])
    assert np.allclose(points_of(output)[:, 0], -0.9 + 0.5 * array_of(data, "ParticleAge"), atol=1e-6)
    assert np.allclose(array_of(data, "CurveLength"), points_of(output)[:, 1] + 0.5, atol=1e-6)
    texture = vtk_to_numpy(data.GetTCoords())
    assert np.allclose(texture[:, 0], array_of(data, "CurveLength"), atol=1e-6)
    assert np.allclose(texture[:, 1], 1 - array_of(data, "ParticleAge") / 2, atol=1e-6)
    points = points_of(output)
    assert np.allclose(array_of(data, "slope"), points[:, 0] + 2 * points[:, 2], atol=1e-5)
    assert np.allclose(array_of(data, "velocity"), [0.5, 0, 0])


def test_points_are_where_their_particles_have_gone():
    surface = surface_of(flow(TURNING), line([0.1, 0, 0], [0.8, 0, 0.2]), LargestEdge=0.15)
    for time in (0.6, 2.0, 1.1):
        output = at(surface, time)
        if FIRST:
            data = output.GetPointData()
            starts, releases = array_of(data, "ReleasePoint"), array_of(data, "ReleaseTime")
            turned = stretched_to(time) - stretched_to(releases)
            c, s = np.cos(turned), np.sin(turned)
            expected = np.stack([c * starts[:, 0] - s * starts[:, 1], s * starts[:, 0] + c * starts[:, 1], starts[:, 2]], 1)
            assert np.abs(points_of(output) - expected).max() < 2e-5
            edges, _ = edges_of(output)
            lengths = np.linalg.norm(points_of(output)[edges[:, 0]] - points_of(output)[edges[:, 1]], axis=1)
            assert lengths.max() < 0.15 + 1e-6
            check_manifold(output, 1)


def test_points_are_the_ends_of_pathlines():
    surface = surface_of(gyre(), line([0.4, 0.3, 0.3], [0.6, 0.35, 0.7]), LargestEdge=0.03)
    for time in (2.1, 5.0):
        output = at(surface, time)
        points, data = points_of(output), output.GetPointData()
        if not ALONE:
            return
        assert len(points) > 100
        seeds = simple.TrivialProducer()
        table = simple.servermanager.vtk.vtkPolyData() if hasattr(simple.servermanager, "vtk") else type(output)()
        table.SetPoints(type(output.GetPoints())())
        table.GetPoints().SetDataTypeToDouble()
        for point in array_of(data, "ReleasePoint"):
            table.GetPoints().InsertNextPoint(point)
        table.GetPointData().AddArray(data.GetArray("ReleaseTime"))
        seeds.GetClientSideObject().SetOutput(table)
        paths = simple.RivuletPathTracerWithCustomSource(
            Input=gyre(), SeedSource=seeds, Vectors=["POINTS", "velocity"], Release="From Array",
            ReleaseArray="ReleaseTime", TerminalSpeed=0.0, ComputePaths=0)
        paths.UpdatePipeline(time)
        particles = paths.GetClientSideObject().GetOutputDataObject(1)
        assert points_of(particles).tobytes() == points.tobytes()


def test_frames_ways_threads_and_strategies_change_no_byte():
    seeds = line([0.4, 0.3, 0.3], [0.6, 0.35, 0.7])
    surface = surface_of(gyre(), seeds, LargestEdge=0.1)
    steps = surface_of(simple.Calculator(Input=gyre(), Function="1", ResultArrayName="one"), seeds, LargestEdge=0.1)
    for time in (1.0, 2.1, 0.3, 3.7, 0.0):
        here = same(at(surface, time))
        assert same(at(surface_of(gyre(), seeds, LargestEdge=0.1, NumberOfThreads=1), time)) == here, time
        assert [v for v in same(at(steps, time)) if isinstance(v, bytes) or v[0] != "one"] == here, time
    assert information(steps, "TimeAccess").startswith("Step by step")
    cubic = surface_of(gyre(), seeds, LargestEdge=0.1, TimeInterpolation="Cubic")
    steps.TimeInterpolation = "Cubic"
    for time in (2.1, 3.7, 0.3):
        here = same(at(cubic, time))
        assert [v for v in same(at(steps, time)) if isinstance(v, bytes) or v[0] != "one"] == here, time
        assert time < 1 or same(at(surface, time)) != here, time
    few = surface_of(gyre(), seeds, LargestEdge=0.1, AccessStrategy="Asynchronous", MemoryBudget=1)
    assert same(at(few, 3.7)) == same(at(surface, 3.7))


def test_the_next_frame_goes_on_from_the_last_one():
    surface = surface_of(flow(TURNING), line([0.1, 0, 0], [0.8, 0, 0.2]), LargestEdge=0.1)
    at(surface, 1.5)
    whole = statistic(at(surface, 1.75), "IntegrationSteps") if FIRST else 0
    asked = information(surface, "StepsRequested")
    assert asked == 1
    fresh = surface_of(flow(TURNING), line([0.1, 0, 0], [0.8, 0, 0.2]), LargestEdge=0.1)
    output = at(fresh, 1.75)
    if FIRST:
        assert whole < 0.6 * statistic(output, "IntegrationSteps")
    assert asked <= information(fresh, "StepsRequested")


def test_vertices_traced_ahead_save_steps_that_cannot_be_held():
    times = [0.05 * i for i in range(41)]  # a budget of 1 MiB holds some of them
    shear = "-(1.2 - 0.5 * (x * x + y * y)) * y, (1.2 - 0.5 * (x * x + y * y)) * x, 0"
    seeds = line([0.1, 0, 0], [0.8, 0, 0.2])
    little = surface_of(flow(shear, times), seeds, LargestEdge=0.1, MemoryBudget=1)
    asked = 0
    for time in times[1:]:
        last = same(at(little, time))
        asked += information(little, "StepsRequested")
    assert len(times) < asked < 200, asked
    assert same(at(surface_of(flow(shear, times), seeds, LargestEdge=0.1), times[-1])) == last


def test_a_base_does_not_make_thin_cells_where_the_surface_is_stretched():
    shear = "-(2 - 2 * x * x - 2 * y * y) * y, (2 - 2 * x * x - 2 * y * y) * x, 0"
    output = at(surface_of(flow(shear), line([0.1, 0, 0], [0.8, 0, 0.2]), LargestEdge=0.1), 2.0)
    if FIRST:
        assert 200 < output.GetNumberOfPoints() < 400, output.GetNumberOfPoints()


def test_a_time_surface_moves_as_a_body():
    ball = simple.Sphere(Radius=0.2, Center=[0.5, 0, 0], ThetaResolution=12, PhiResolution=9)
    output = at(surface_of(flow(TURNING), ball, SurfaceType="Time Surface", LargestEdge=0.2), 2.0)
    if FIRST:
        counts = check_manifold(output, 2)
        assert counts.min() == 2
        middle = points_of(output).mean(axis=0)
        angle_now = stretched_to(2.0)
        assert np.abs(middle - 0.5 * np.array([np.cos(angle_now), np.sin(angle_now), 0])).max() < 0.01
        assert np.all(array_of(output.GetPointData(), "ReleaseTime") == 0)


def test_a_stream_surface_lies_on_streamlines():
    steady = simple.RivuletFieldReader(FileNames=[generate(
        "turn.rvf", "rotation", "--dims", "17,17,9", "--lower=-1,-1,-1", "--upper", "1,1,1")])
    for source, time in ((steady, 0.0), (flow("-y, x, 0"), 0.6), (flow("-y, x, 0"), 2.0)):
        output = at(surface_of(source, line([0.2, 0, -0.3], [0.7, 0, 0.3]), SurfaceType="Stream Surface", StreamTime=1.5,
                               LargestEdge=0.1), time)
        if FIRST:
            data = output.GetPointData()
            starts, points = array_of(data, "ReleasePoint"), points_of(output)
            assert np.allclose(np.hypot(points[:, 0], points[:, 1]), starts[:, 0], atol=1e-5)
            assert np.allclose(points[:, 2], starts[:, 2], atol=1e-6)
            angles = np.arctan2(points[:, 1], points[:, 0])
            rate = 1.0 if source is not steady else angles.max() / 1.5
            assert np.allclose(angles, rate * array_of(data, "ParticleAge"), atol=1e-4)
            check_manifold(output, 1)


def test_a_surface_ends_where_particles_leave():
    output = at(surface_of(flow("0.7, 0, 0"), line([-0.9, -0.5, 0], [0.5, 0.5, 0]), LargestEdge=0.1), 2.0)
    if FIRST:
        points = points_of(output)
        assert points[:, 0].max() > 0.9 and points[:, 0].max() <= 1.0
        assert statistic(output, "LostVertices") > 0
        check_manifold(output, 1)


def test_shear_tears_the_surface_if_it_may():
    shear = flow("3 * np.tanh(40 * y), 0, 0.1", [0.1 * i for i in range(4)])
    seeds = line([0, -0.2, 0], [0, 0.2, 0])
    torn = at(surface_of(shear, seeds, LargestEdge=0.02, TearLength=0.04, MaximumLevel=2), 0.3)
    if FIRST:
        assert statistic(torn, "TornTriangles") > 0
        edges, _ = edges_of(torn)
        lengths = np.linalg.norm(points_of(torn)[edges[:, 0]] - points_of(torn)[edges[:, 1]], axis=1)
        assert lengths.max() <= 0.04 * (1 + 1e-6)


def test_dense_sampling_has_as_many_points_as_asked_for():
    output = at(surface_of(flow("0.5, 0, 0"), line([-0.9, -0.5, 0.1], [-0.9, 0.5, 0.1]), Sampling="Dense",
                           DenseLevel=1), 2.0)
    if FIRST:
        assert output.GetNumberOfPoints() == (4 * 2 + 1) * (8 * 2 + 1)
        check_manifold(output, 1)


def test_there_is_nothing_before_the_release_whatever_was_shown():
    seeds = {"Streak Surface": line((-0.9, -0.5, 0), (-0.9, 0.5, 0)), "Time Surface": simple.Plane(
        Origin=(-0.9, -0.5, 0), Point1=(-0.9, 0.5, 0), Point2=(-0.4, -0.5, 0), XResolution=4, YResolution=4)}
    for kind, source in seeds.items():
        surface = surface_of(flow("0.5, 0, 0"), source, SurfaceType=kind, ReleaseStart=0.8, LargestEdge=0.3)
        for time, there in ((0.25, False), (1.5, True), (0.25, False), (0.0, False), (2.0, True), (0.7, False)):
            output = at(surface, time)
            assert not FIRST or (output.GetNumberOfPolys() > 0) == there, (kind, time)
            assert not FIRST or (statistic(output, "Vertices") > 0) == there, (kind, time)


def test_releases_begin_with_the_input():
    source = flow("0.5, 0, 0", [t - 1.0 for t in STEPS])
    for properties in ({}, {"ReleaseStart": -1e299}):
        output = at(surface_of(source, line((-0.9, -0.5, 0), (-0.9, 0.5, 0)), **properties), 1.0)
        times = array_of(output.GetPointData(), "ReleaseTime") if output.GetNumberOfPoints() else [-1.0]
        assert np.min(times) == -1.0, properties


def test_seconds_end_the_refinement():
    surface = surface_of(flow(TURNING), line((0.1, 0, 0), (0.9, 0, 0)), MaximumSeconds=1e-9)
    with Messages() as said:
        at(surface, 2.0)
    assert not FIRST or "Maximum Seconds" in said.text(), said.text()
    surface.MaximumSeconds = 0.0
    assert same(at(surface, 2.0)) == same(at(surface_of(flow(TURNING), line((0.1, 0, 0), (0.9, 0, 0))), 2.0))


def refusal(surface, time=1.0):
    with Messages() as said:
        output = at(surface, time)
    assert output.GetNumberOfPoints() == 0
    return said.text()


def test_what_cannot_be_traced_is_refused():
    if not ALONE:
        return
    seeds = line([0.1, 0, 0], [0.8, 0, 0.2])
    steady = simple.RivuletFieldReader(FileNames=[generate("one.rvf", "abc", "--dims", "9,9,9")])
    assert "time step" in refusal(surface_of(steady, seeds))
    assert "no points" in refusal(surface_of(flow(TURNING), simple.PolyPointSource(Points=[])))
    assert "no curve" in refusal(surface_of(flow(TURNING), simple.PolyPointSource(Points=[0, 0, 0])))
    assert "two" in refusal(surface_of(flow(TURNING), simple.PolyPointSource(Points=[0, 0, 0, 0, 0, 0])))
    assert "no triangles or polygons" in refusal(surface_of(flow(TURNING), seeds, SurfaceType="Time Surface"))
    assert "Stream Time" in refusal(surface_of(flow(TURNING), seeds, SurfaceType="Stream Surface", StreamTime=-1))
    assert "Release Start is 9" in refusal(surface_of(flow(TURNING), seeds, ReleaseStart=9.0))
    assert "intervals between releases" in refusal(surface_of(flow(TURNING), seeds, ReleaseInterval=1e-9))
    assert refusal(surface_of(flow(TURNING), seeds, ReleaseStart=1.5)) == ""  # nothing is released yet
    with Messages() as said:
        at(surface_of(flow(TURNING), line([5, 5, 5], [6, 5, 5])), 1.0)
    assert "outside the grid" in said.text() and said.count() == 1, said.text()
    with Messages() as said:
        few = at(surface_of(flow(TURNING), seeds, LargestEdge=0.01, MaximumVertices=300), 1.0)
    assert "Maximum Vertices" in said.text() and 0 < few.GetNumberOfPoints() <= 300, said.text()


run(globals())
