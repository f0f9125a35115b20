# SPDX-License-Identifier: BSD-3-Clause
"""Steps of particles in time: from rest, at times and places far from 0, with axes of unlike units, up to the border."""
import numpy as np
from filter_testing import Messages, array_of, image, points_of, produce, simple
from plugin_testing import controller, run
from vtkmodules.util.numpy_support import numpy_to_vtk

SINCE_1970 = 1.7e9
HEADER = "from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P\nimport numpy as np\n"
# Names of numpy's would be overwritten by the sources' scripts, which run in this module.
FLOW = """
from vtkmodules.util.numpy_support import numpy_to_vtk
times, origin, spacing, dims = {times}, {origin}, {spacing}, {dims}
output = self.GetOutputDataObject(0)
info = self.GetOutputInformation(0)
time = info.Get(P.UPDATE_TIME_STEP()) if info.Has(P.UPDATE_TIME_STEP()) else times[0]
output.SetDimensions(dims)
output.SetOrigin(origin)
output.SetSpacing(spacing)
count = dims[0] * dims[1] * dims[2]
velocity = np.tile(np.array({velocity}, dtype=float), (count, 1))
array = numpy_to_vtk(velocity, deep=True)
array.SetName("velocity")
output.GetPointData().SetVectors(array)
output.GetInformation().Set(output.DATA_TIME_STEP(), time)
"""
INFORMATION = """
info = self.GetOutputInformation(0)
info.Set(P.WHOLE_EXTENT(), 0, {dims}[0] - 1, 0, {dims}[1] - 1, 0, {dims}[2] - 1)
info.Set(self.GetOutputDataObject(0).ORIGIN(), {origin}, 3)
info.Set(self.GetOutputDataObject(0).SPACING(), {spacing}, 3)
info.Set(P.TIME_STEPS(), {times}, len({times}))
info.Set(P.TIME_RANGE(), [min({times}), max({times})], 2)
"""


def flow(times, velocity, origin=(0.0, 0.0, 0.0), spacing=(1.0, 1.0, 1.0), dims=(9, 5, 5)):
    """A velocity that is the same everywhere: an expression of the time and of `times`."""
    facts = {"times": list(times), "velocity": velocity, "origin": list(origin), "spacing": list(spacing), "dims": list(dims)}
    return simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=HEADER + FLOW.format(**facts),
                                     ScriptRequestInformation=HEADER + INFORMATION.format(**facts))


def seeds(*points):
    return simple.PolyPointSource(Points=[float(c) for point in points for c in point])


def tracer_of(source, *points, **properties):
    return simple.RivuletPathTracerWithCustomSource(Input=source, SeedSource=seeds(*points), Vectors=["POINTS", "velocity"],
                                                    **properties)


def at(proxy, time, port=0):
    proxy.UpdatePipeline(time)
    return proxy.GetClientSideObject().GetOutputDataObject(port)


def test_a_flow_that_starts_from_rest_takes_particles_on():
    source = flow((0.0, 1.0, 2.0), "[time, 0, 0]")
    for integrator in ("Runge-Kutta 4", "Runge-Kutta 4-5"):
        tracer = tracer_of(source, (1.5, 2, 2), (1.5, 1, 1), IntegratorType=integrator)
        particles = points_of(at(tracer, 2.0, 1))
        assert np.allclose(particles[:, 0], 3.5, atol=1e-5), particles


def test_a_particle_that_leaves_ends_on_the_border():
    source = flow((0.0, 4.0, 10.0), "[1.0, 0.25, 0]")
    tracer = tracer_of(source, (7.9, 0.5, 2), (3.3, 0.5, 2), (7.9, 0.6, 2), (3.3, 0.6, 2))
    ends = {}
    releases = at(tracer, 10.0, 2)
    for place, time, reason in zip(points_of(releases), array_of(releases.GetPointData(), "Time"),
                                   array_of(releases.GetPointData(), "ReasonForTermination")):
        assert reason == 1 and abs(time - (8 - place[0])) < 1e-9
        ends[round(place[0], 1)] = time
    lines = at(tracer, 10.0)
    assert lines.GetNumberOfLines() == releases.GetNumberOfPoints()
    assert np.isclose(points_of(lines)[:, 0].max(initial=8), 8)


def test_times_of_seconds_since_1970_change_no_path():
    ends = []
    for begin in (0.0, SINCE_1970, 1e12):
        times = [begin + 0.01 * i for i in range(5)]
        source = flow(times, "[6 / (times[-1] - times[0]), 0, 0]")
        for steps in ({}, {"IntegratorType": "Runge-Kutta 4", "IntegrationStepUnit": "Time", "InitialStepLength": 0.0001}):
            tracer = tracer_of(source, (0.5, 2, 2), (0.5, 1, 1), **steps)
            particles = at(tracer, times[-1], 1)
            assert np.allclose(points_of(particles)[:, 0], 6.5, atol=1e-4), (begin, points_of(particles))
            assert particles.GetPointData().GetArray("ParticleAge").GetDataTypeAsString() == "double"


def test_the_last_of_repeated_releases_is_not_lost():
    for begin in (0.0, SINCE_1970):
        times = [begin + 0.1 * i for i in range(9)]
        source = flow(times, "[1, 0, 0]")
        when = {"ReleaseStart": begin, "ReleaseEnd": begin + 0.3, "ReleaseInterval": 0.1}
        common = {"Input": source, "Vectors": ["POINTS", "velocity"], "Release": "Repeatedly", **when}
        paths = simple.RivuletPathTracerWithCustomSource(SeedSource=seeds((0.5, 2, 2), (0.5, 1, 1)), **common)
        releases = array_of(at(paths, times[-1], 2).GetPointData(), "InjectionStepId")
        assert sorted(set(releases)) in ([], [0, 1, 2, 3]), releases
        hits = simple.RivuletSourceDestination(Input=source, Vectors=["POINTS", "velocity"], NumberOfSeeds=1, **when)
        hits.SourceFunction = "Sphere"
        hits.SourceFunction.Center = [1, 2, 2]
        hits.SourceFunction.Radius = 0.3
        hits.DestinationFunction = "Box"
        table = at(hits, begin, 2)
        assert table.GetNumberOfRows() == 0 or table.GetColumnByName("Released").GetValue(0) == 4


def test_flow_maps_go_for_their_duration():
    for begin in (0.0, SINCE_1970):
        times = [begin + 0.001 * i for i in range(9)]
        source = flow(times, "[100, 0, 0]")
        ftle = simple.RivuletFTLE(Input=source, Vectors=["POINTS", "velocity"], Duration=0.002, ComputeFlowMap=1)
        output = at(ftle, times[1])
        arrived = array_of(output.GetPointData(), "ReasonForTermination") == 7
        places = np.array([output.GetPoint(i) for i in range(output.GetNumberOfPoints())])
        moved = (array_of(output.GetPointData(), "FlowMap") - places)[arrived][:, 0]
        assert np.allclose(moved, 0.2, atol=2e-4), moved


def test_points_far_from_zero_are_doubles():
    origin, spacing = (615850.0, 5846925.0, 758.0), (5.0, 5.0, 5.0)
    source = flow((0.0, 1.0, 2.0), "[4.0, 1.0, 0]", origin, spacing)
    start = np.array(origin) + (2.5, 3.25, 10)
    tracer = tracer_of(source, start, start + (0, 1, 0))
    for port in (0, 1):
        output = at(tracer, 1.5, port)
        if output.GetNumberOfPoints() > 0:
            assert output.GetPoints().GetData().GetDataTypeAsString() == "double"
            points = points_of(output)
            ages = array_of(output.GetPointData(), "ParticleAge")
            assert np.abs(points[:, 0] - start[0] - 4.0 * ages).max() < 1e-6
    still = image((9, 5, 5), origin, spacing)
    array = numpy_to_vtk(np.tile([4.0, 1.0, 0.0], (225, 1)), deep=True)
    array.SetName("velocity")
    still.GetPointData().SetVectors(array)
    lines = simple.RivuletStreamTracerWithCustomSource(Input=produce(still), SeedSource=seeds(start), Vectors=["POINTS", "velocity"])
    lines.MaximumStreamlineLength = 30
    output = at(lines, 0.0)
    points = points_of(output)
    if len(points) > 0:
        assert points.dtype == np.float64
        slope = (points[:, 1] - start[1]) - 0.25 * (points[:, 0] - start[0])
        assert np.abs(slope).max() < 1e-6


def test_axes_of_unlike_units_have_lines_or_a_warning():
    if controller().GetNumberOfProcesses() > 1:
        return  # the image is in the memory of one rank
    dataset = image((61, 31, 11), (0, 0, -2000), (1, 0.5, 200))
    array = numpy_to_vtk(np.tile([1e-6, 2e-7, 0.0], (61 * 31 * 11, 1)), deep=True)
    array.SetName("velocity")
    dataset.GetPointData().SetVectors(array)
    source = produce(dataset)
    tracer = simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=seeds((10, 5, -900), (20, 7, -900)),
                                                        Vectors=["POINTS", "velocity"], IntegrationDirection="FORWARD")
    tracer.TerminalSpeed = 0
    with Messages() as messages:
        assert at(tracer, 0.0).GetNumberOfLines() == 0
    assert "no line has a step" in messages.text() and "Cell Crossing" in messages.text()
    tracer.IntegrationStepUnit = "Cell Crossing"
    tracer.MaximumStreamlineLength = 1000
    tracer.EndOnBoundary = 1
    with Messages() as messages:
        lines = at(tracer, 0.0)
    assert messages.text() == ""
    assert lines.GetNumberOfLines() == 2
    assert np.isclose(points_of(lines)[:, 0].max(), 60)


run(globals())
