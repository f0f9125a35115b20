# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet FTLE: closed forms, chunks within a budget, both ways to the time steps, pieces, and clear refusals."""
import builtins

import numpy as np
from filter_testing import Messages, array_of, image, produce, simple, statistic
from plugin_testing import controller, generate, information, run
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

# Names of numpy would be overwritten by the scripts of sources, which run in this module.
TIMES = [0.0, 0.25, 0.5, 0.75, 1.0]
ALONE = controller().GetNumberOfProcesses() == 1
# A saddle whose rate grows: x(t) = x exp(stretched(0, t)), y(t) = y exp(-stretched(0, t)). Linear in space and time.
SADDLE = """
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
output = self.GetOutputDataObject(0)
info = self.GetOutputInformation(0)
time = info.Get(P.UPDATE_TIME_STEP()) if info.Has(P.UPDATE_TIME_STEP()) else 0.0
output.SetExtent(0, 16, 0, 16, 0, 4)
output.SetOrigin(-1, -1, -0.25)
output.SetSpacing(0.125, 0.125, 0.125)
x, y, z = np.meshgrid(-1 + 0.125 * np.arange(17), -1 + 0.125 * np.arange(17), -0.25 + 0.125 * np.arange(5), indexing="ij")
rate = 1 + 0.5 * time
velocity = np.stack([rate * x, -rate * y, 0 * z], axis=-1).transpose(2, 1, 0, 3).reshape(-1, 3)
array = numpy_to_vtk(np.ascontiguousarray(velocity), deep=True)
array.SetName("velocity")
output.GetPointData().SetVectors(array)
output.GetInformation().Set(output.DATA_TIME_STEP(), time)
"""
INFORMATION = """
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
info.Set(P.WHOLE_EXTENT(), 0, 16, 0, 16, 0, 4)
info.Set(self.GetOutputDataObject(0).ORIGIN(), -1, -1, -0.25)
info.Set(self.GetOutputDataObject(0).SPACING(), 0.125, 0.125, 0.125)
times = {times}
info.Set(P.TIME_STEPS(), times, len(times))
info.Set(P.TIME_RANGE(), [min(times), max(times)], 2)
"""
NEAR = {"Lattice": "Box", "Bounds": [-0.2, 0.2, -0.2, 0.2, -0.1, 0.1], "Dimensions": [9, 7, 5]}
GYRE = {"Lattice": "Box", "Bounds": [0, 2, 0, 1, 0.5, 0.5], "Dimensions": [41, 21, 1], "Duration": 4.2}


def saddle():
    return simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=SADDLE,
                                     ScriptRequestInformation=INFORMATION.format(times=TIMES))


def gyre(steps=9, dt=0.7, dims="81,41,5"):
    return simple.RivuletFieldReader(FileNames=[generate(
        f"gyre-{dims}.rvf", "double-gyre", "--dims", dims, "--steps", str(steps), "--dt", str(dt))])


def ftle_of(source, **properties):
    return simple.RivuletFTLE(Input=source, Vectors=["POINTS", "velocity"], **properties)


def at(ftle, time):
    """The output of this rank at a time."""
    ftle.UpdatePipeline(time)
    return ftle.GetClientSideObject().GetOutputDataObject(0)


def exponents(ftle, time):
    return array_of(at(ftle, time).GetPointData(), "FTLE")


def stretched(start, end):
    return (end - start) + 0.25 * (end * end - start * start)


def test_a_saddle_has_its_rate_of_stretching():
    for start, duration, direction in ((0.0, 0.0, "FORWARD"), (0.1, 0.6, "FORWARD"), (1.0, 0.0, "BACKWARD"),
                                       (0.9, 0.5, "BACKWARD")):
        ftle = ftle_of(saddle(), IntegrationDirection=direction, Duration=duration, MaximumError=1e-9, **NEAR)
        values = exponents(ftle, start)
        forward = direction == "FORWARD"
        length = duration or (1.0 - start if forward else start)
        end = start + length if forward else start - length
        assert np.abs(values - abs(stretched(start, end)) / length).max(initial=0) < 1e-5, (start, duration, direction)
        assert abs(statistic(at(ftle, start), "IntegrationTime") - length) < 1e-12


def test_an_animation_executes_the_input_once_for_each_step_whatever_the_interpolation():
    for rule in ("Linear", "Cubic"):
        source = saddle()
        source.Script += "\nimport builtins\nbuiltins.executed = getattr(builtins, 'executed', []) + [time]\n"
        builtins.executed = []
        ftle = ftle_of(source, Duration=0.25, TimeInterpolation=rule, **NEAR)
        for start in TIMES[:-1]:
            rates = exponents(ftle, start)
            assert np.abs(rates - stretched(start, start + 0.25) / 0.25).max(initial=0) < 1e-3, start
        assert builtins.executed == TIMES, (rule, builtins.executed)


def test_particles_that_leave_have_no_exponent_and_a_reason():
    ftle = ftle_of(saddle(), ComputeFlowMap=True, Lattice="Box", Bounds=[-0.9, 0.9, 0, 0.4, 0, 0], Dimensions=[19, 3, 1])
    output = at(ftle, 0.0)
    data = output.GetPointData()
    left = array_of(data, "ReasonForTermination") == 1
    reached = array_of(data, "ReasonForTermination") == 7
    assert np.all(left | reached)
    assert np.all(np.isnan(array_of(data, "FTLE")[left])) and not np.any(np.isnan(array_of(data, "FTLE")[reached]))
    points = np.array([output.GetPoint(i) for i in range(output.GetNumberOfPoints())])
    if len(points):
        grown = np.exp(stretched(0, 1))
        assert np.abs(array_of(data, "FlowMap")[reached, 0] - grown * points[reached, 0]).max(initial=0) < 1e-5
        outside = np.abs(points[:, 0]) * grown > 1 + 1e-6
        assert np.all(left[outside]) and np.all(reached[np.abs(points[:, 0]) * grown < 1 - 1e-6])


def test_the_lattice_of_the_field_is_refined():
    for refinement in (1, 3):
        output = at(ftle_of(saddle(), Duration=0.25, Refinement=refinement), 0.0)
        whole = ftle_lattice(refinement)
        assert np.allclose(output.GetSpacing(), 0.125 / refinement) and np.allclose(output.GetOrigin(), (-1, -1, -0.25))
        assert not ALONE or tuple(output.GetExtent()) == whole


def ftle_lattice(refinement):
    return (0, 16 * refinement, 0, 16 * refinement, 0, 4 * refinement)


SILENT = """
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
info.Set(P.WHOLE_EXTENT(), 0, 16, 0, 16, 0, 4)
times = {times}
info.Set(P.TIME_STEPS(), times, len(times))
info.Set(P.TIME_RANGE(), [min(times), max(times)], 2)
"""


def silent(script=SADDLE):
    """A source that announces nothing but its extent and times."""
    return simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=script,
                                     ScriptRequestInformation=SILENT.format(times=TIMES))


def test_the_lattice_is_that_of_the_data_whatever_was_announced():
    known = at(ftle_of(saddle(), Duration=0.25, Refinement=2), 0.0)
    output = at(ftle_of(silent(), Duration=0.25, Refinement=2), 0.0)
    assert output.GetBounds() == known.GetBounds() and np.allclose(output.GetSpacing(), 0.0625)
    assert array_of(output.GetPointData(), "FTLE").tobytes() == array_of(known.GetPointData(), "FTLE").tobytes()
    matrix = "[0, -1, 0, 1, 0, 0, 0, 0, 1]"
    for information_script in (INFORMATION, SILENT):  # a direction that is not announced, beside an origin that is, or none
        source = simple.ProgrammableSource(
            OutputDataSetType="vtkImageData", Script=SADDLE + f"\noutput.SetDirectionMatrix({matrix})\n",
            ScriptRequestInformation=information_script.format(times=TIMES))
        ftle = ftle_of(source, Duration=0.25, ComputeFlowMap=True)
        output = at(ftle, 0.0)
        turned = source.GetClientSideObject().GetOutputDataObject(0)
        assert np.allclose(output.GetDirectionMatrix().GetData(), turned.GetDirectionMatrix().GetData())
        if ALONE:
            assert np.allclose(output.GetBounds(), turned.GetBounds()), (output.GetBounds(), turned.GetBounds())
        assert not np.any(array_of(output.GetPointData(), "ReasonForTermination") == 10)


def test_a_box_begins_with_the_bounds_of_the_input():
    source = saddle()
    source.UpdatePipeline()
    box = {"Lattice": "Box", "Dimensions": [9, 7, 5], "Duration": 0.25}
    known = ftle_of(source, **box)
    assert list(known.Bounds) == [-1, 1, -1, 1, -0.25, 0.25], list(known.Bounds)
    unknown = ftle_of(saddle(), **box)  # ParaView does not know its bounds yet
    none = ftle_of(source, Bounds=[0.0] * 6, **box)  # which are 0 from 6.1 on
    for ftle in (known, unknown, none):
        output = at(ftle, 0.0)
        assert np.allclose(output.GetSpacing(), (2 / 8, 2 / 6, 0.5 / 4)) and np.allclose(output.GetOrigin(), (-1, -1, -0.25))


def test_a_duration_that_the_input_cuts_short_is_told_once():
    ftle = ftle_of(saddle(), Duration=0.5, ComputeFlowMap=True, **NEAR)
    said = []
    for start in (0.25, 0.5, 0.75, 0.9, 1.0, 0.75, 1.0):
        with Messages() as messages:
            output = at(ftle, start)
        said.append(messages.text())
        values = array_of(output.GetPointData(), "FTLE")
        left = 0.5 if start < 0.5 else 1.0 - start
        assert abs(statistic(output, "IntegrationTime") - left) < 1e-12, start
        if left > 0:
            assert np.abs(values - stretched(start, start + left) / left).max(initial=0) < 1e-3
        else:
            assert np.all(np.isnan(values)) and np.all(np.isnan(array_of(output.GetPointData(), "FlowMap")))
            assert np.all(array_of(output.GetPointData(), "ReasonForTermination") == 0)
    if ALONE:
        assert [text.count("Warning:") for text in said] == [0, 0, 1, 0, 1, 0, 0], said
        assert "ERROR:" not in "".join(said)
        assert "instead of the Duration of 0.5" in said[2] and "IntegrationTime" in said[2], said[2]
        assert "no time left" in said[4], said[4]


def test_the_budget_that_a_refusal_asks_for_is_enough():
    if not ALONE:
        return
    field = simple.RivuletFieldReader(FileNames=[generate("wide.rvf", "double-gyre", "--dims", "70,60,50", "--steps", "3")])
    settings = {"Duration": 0.5, "TimeInterpolation": "Cubic", "NumberOfThreads": 16, "Lattice": "Box",
                "Bounds": [0.2, 1.8, 0.2, 0.8, 0.2, 0.8], "Dimensions": [9, 9, 9]}
    said = refusal(ftle_of(field, MemoryBudget=1, **settings))
    assert "the memory budget of 1 MiB is below" in said, said
    budget = int(said.split("Set Memory Budget to ")[1].split(" MiB")[0])
    assert refusal(ftle_of(field, MemoryBudget=budget, **settings)) == ""
    if budget > 2:
        assert "is below" in refusal(ftle_of(field, MemoryBudget=budget - 1, **settings))


def velocity_of_gyre(time, x, y):
    """Double gyre of S. C. Shadden et al., Physica D 212 (2005), section 5.1."""
    a, epsilon, omega = 0.1, 0.25, 2 * np.pi / 10
    p = epsilon * np.sin(omega * time)
    f, slope = p * x * x + (1 - 2 * p) * x, 2 * p * x + 1 - 2 * p
    return -np.pi * a * np.sin(np.pi * f) * np.cos(np.pi * y), np.pi * a * np.cos(np.pi * f) * np.sin(np.pi * y) * slope


def brute_force(duration, nodes, steps=400):
    x, y = np.meshgrid(np.linspace(0, 2, nodes[0]), np.linspace(0, 1, nodes[1]), indexing="ij")
    spacing, h = (2 / (nodes[0] - 1), 1 / (nodes[1] - 1)), duration / steps
    for i in range(steps):
        t = i * h
        k1 = velocity_of_gyre(t, x, y)
        k2 = velocity_of_gyre(t + h / 2, x + h / 2 * k1[0], y + h / 2 * k1[1])
        k3 = velocity_of_gyre(t + h / 2, x + h / 2 * k2[0], y + h / 2 * k2[1])
        k4 = velocity_of_gyre(t + h, x + h * k3[0], y + h * k3[1])
        x = x + h / 6 * (k1[0] + 2 * k2[0] + 2 * k3[0] + k4[0])
        y = y + h / 6 * (k1[1] + 2 * k2[1] + 2 * k3[1] + k4[1])
    xx, xy = np.gradient(x, spacing[0], axis=0), np.gradient(x, spacing[1], axis=1)
    yx, yy = np.gradient(y, spacing[0], axis=0), np.gradient(y, spacing[1], axis=1)
    a, b, c = xx * xx + yx * yx, xx * xy + yx * yy, xy * xy + yy * yy
    largest = 0.5 * (a + c) + np.sqrt(0.25 * (a - c) ** 2 + b * b)
    return np.log(np.sqrt(largest)) / duration


def test_the_double_gyre_agrees_with_brute_force():
    if not ALONE:
        return
    expected = brute_force(4.2, (41, 21)).T.ravel()
    errors = [np.abs(exponents(ftle_of(gyre(*resolution), **GYRE), 0.0) - expected).max()
              for resolution in ((13, 0.35, "81,41,2"), (25, 0.175, "161,81,2"))]
    assert 3.0 < errors[0] / errors[1] < 5.0 and errors[1] < 0.003, errors  # second order in space and time


def test_chunks_ways_threads_and_strategies_change_no_byte():
    whole = exponents(ftle_of(gyre(), **dict(GYRE, Dimensions=[41, 41, 41], Bounds=[0, 2, 0, 1, 0.2, 0.8])), 0.0).tobytes()
    shape = dict(GYRE, Dimensions=[41, 41, 41], Bounds=[0, 2, 0, 1, 0.2, 0.8])
    for settings in ({"MemoryBudget": 2}, {"NumberOfThreads": 1}, {"AccessStrategy": "Asynchronous"}):
        assert exponents(ftle_of(gyre(), **shape, **settings), 0.0).tobytes() == whole, settings
    steps = ftle_of(simple.Calculator(Input=gyre(), Function="1", ResultArrayName="one"), **shape)
    assert exponents(steps, 0.0).tobytes() == whole
    assert information(steps, "TimeAccess").startswith("Step by step"), information(steps, "TimeAccess")
    assert information(steps, "StepsRequested") == 7, information(steps, "StepsRequested")
    cubic = exponents(ftle_of(gyre(), **shape, TimeInterpolation="Cubic"), 0.0).tobytes()
    steps.TimeInterpolation = "Cubic"
    assert exponents(steps, 0.0).tobytes() == cubic and cubic != whole
    assert information(steps, "StepsRequested") == 8, information(steps, "StepsRequested")
    for budget in (16, 1):
        small = ftle_of(simple.Calculator(Input=gyre(), Function="coords", ResultArrayName="one"), **shape, MemoryBudget=budget)
        assert exponents(small, 0.0).tobytes() == whole
        assert (information(small, "StepsRequested") > 7) == (budget == 1)  # then each chunk asks for the steps again


def test_pieces_are_the_whole():
    if not ALONE:
        return
    whole = at(ftle_of(gyre(), **GYRE), 0.0)
    values = vtk_to_numpy(whole.GetPointData().GetArray("FTLE")).reshape(21, 41)
    part = ftle_of(gyre(), **GYRE)
    part.UpdatePipelineInformation()
    algorithm = part.GetClientSideObject()
    information_of = algorithm.GetOutputInformation(0)
    information_of.Set(Pipeline.UPDATE_TIME_STEP(), 0.0)
    for x0, x1, y0, y1 in ((0, 12, 0, 20), (13, 40, 5, 6), (7, 7, 0, 20)):
        algorithm.UpdateExtent([x0, x1, y0, y1, 0, 0])
        output = algorithm.GetOutputDataObject(0)
        assert output.GetExtent() == (x0, x1, y0, y1, 0, 0), output.GetExtent()
        mine = vtk_to_numpy(output.GetPointData().GetArray("FTLE")).reshape(y1 - y0 + 1, x1 - x0 + 1)
        assert mine.tobytes() == np.ascontiguousarray(values[y0:y1 + 1, x0:x1 + 1]).tobytes()


ADAPTIVE = dict(GYRE, Dimensions=[241, 121, 1], AdaptiveSampling=True, SamplingTolerance=0.05, SamplingLevels=2)
ARRAYS = ("FTLE", "Traced", "Estimated")


def arrays_of(output):
    return [vtk_to_numpy(output.GetPointData().GetArray(name)) for name in ARRAYS]


def test_adaptive_sampling_says_what_is_estimated():
    plain = array_of(at(ftle_of(gyre(), **dict(ADAPTIVE, AdaptiveSampling=False)), 0.0).GetPointData(), "FTLE")
    adaptive = ftle_of(gyre(), ComputeFlowMap=True, **ADAPTIVE)
    output = at(adaptive, 0.0)
    values, traced, estimated = arrays_of(output)
    assert traced.dtype == np.uint8 and set(traced) == {0, 1} and set(estimated) == {0, 1}
    known = estimated == 0
    assert values[known].tobytes() == plain[known].tobytes() and np.all(traced[known] == 1)
    errors = np.abs(values - plain) * GYRE["Duration"] / ADAPTIVE["SamplingTolerance"]
    assert errors.max() > 0 and np.quantile(errors, 0.99) < 0.2 and np.quantile(errors, 0.999) < 1, errors.max()
    assert np.mean(traced) < 0.5, np.mean(traced)
    assert np.all(array_of(output.GetPointData(), "ReasonForTermination") == 7)
    if ALONE:
        assert statistic(output, "ParticlesTraced") == np.count_nonzero(traced)
    off = at(ftle_of(gyre(), **dict(ADAPTIVE, AdaptiveSampling=False)), 0.0)
    assert not off.GetPointData().HasArray("Traced") and not off.GetFieldData().HasArray("ParticlesTraced")


def test_a_tolerance_of_zero_traces_all_particles():
    plain = exponents(ftle_of(gyre(), **GYRE), 0.0)
    output = at(ftle_of(gyre(), AdaptiveSampling=True, SamplingTolerance=0.0, **GYRE), 0.0)
    values, traced, estimated = arrays_of(output)
    assert values.tobytes() == plain.tobytes() and np.all(traced == 1) and np.all(estimated == 0)
    assert not ALONE or statistic(output, "ParticlesTraced") == 41 * 21


def test_tiles_ways_and_threads_change_no_byte_of_adaptive_sampling():
    whole = [each.tobytes() for each in arrays_of(at(ftle_of(gyre(), **ADAPTIVE), 0.0))]
    tiled = ftle_of(gyre(), MemoryBudget=2, **ADAPTIVE)
    once = ftle_of(simple.Calculator(Input=gyre(), Function="1", ResultArrayName="one"), **ADAPTIVE)
    again = ftle_of(simple.Calculator(Input=gyre(), Function="coords", ResultArrayName="one"), **ADAPTIVE, MemoryBudget=2)
    for ftle in (tiled, ftle_of(gyre(), NumberOfThreads=1, **ADAPTIVE), once, again):
        assert [each.tobytes() for each in arrays_of(at(ftle, 0.0))] == whole, ftle.ListProperties
    assert information(again, "TimeAccess").startswith("Step by step")
    # Each pass of each tile goes through the steps; steps that are held are not asked for again.
    assert information(again, "StepsRequested") > information(once, "StepsRequested") >= 7
    if ALONE:
        counts = [statistic(ftle.GetClientSideObject().GetOutputDataObject(0), "ParticlesTraced") for ftle in (tiled, once)]
        assert counts[0] > counts[1], counts  # tiles trace the nodes around them, too


def test_pieces_of_adaptive_sampling_are_the_whole():
    if not ALONE:
        return  # Filters.SameBytes compares ranks
    whole = [each.reshape(121, 241) for each in arrays_of(at(ftle_of(gyre(), **ADAPTIVE), 0.0))]
    for extent in ((0, 40, 0, 60, 0, 0), (113, 113, 57, 90, 0, 0), (201, 240, 120, 120, 0, 0)):
        part = ftle_of(gyre(), **ADAPTIVE)  # an output that has more than is asked for is not made again
        part.UpdatePipelineInformation()
        algorithm = part.GetClientSideObject()
        algorithm.GetOutputInformation(0).Set(Pipeline.UPDATE_TIME_STEP(), 0.0)
        algorithm.UpdateExtent(extent)
        output = algorithm.GetOutputDataObject(0)
        assert output.GetExtent() == extent, output.GetExtent()
        x0, x1, y0, y1 = extent[:4]
        for mine, of_whole in zip(arrays_of(output), whole):
            assert mine.tobytes() == np.ascontiguousarray(of_whole[y0:y1 + 1, x0:x1 + 1]).tobytes(), extent


def test_particles_beside_lost_ones_are_traced():
    output = at(ftle_of(saddle(), ComputeFlowMap=True, AdaptiveSampling=True, Lattice="Box", Bounds=[-0.9, 0.9, -0.4, 0.4, 0, 0],
                        Dimensions=[161, 81, 1]), 0.0)
    traced = array_of(output.GetPointData(), "Traced")
    points = np.array([output.GetPoint(i) for i in range(output.GetNumberOfPoints())])
    arrives = np.abs(points[:, 0]) * np.exp(stretched(0, 1)) < 1
    if len(points):
        reasons = array_of(output.GetPointData(), "ReasonForTermination")
        close = np.abs(np.abs(points[:, 0]) * np.exp(stretched(0, 1)) - 1) < 1e-4
        assert np.all((reasons == 7) == arrives, where=~close) and np.all(traced[~arrives & ~close] == 1)
        assert np.any(traced == 0)


def refusal(ftle, time=0.0):
    with Messages() as said:
        at(ftle, time)
    return said.text()


def test_what_cannot_be_computed_is_refused():
    if not ALONE:
        return
    assert "time step" in refusal(ftle_of(simple.RivuletFieldReader(FileNames=[generate(
        "one.rvf", "abc", "--dims", "9,9,9")])))
    assert "no time left" in refusal(ftle_of(gyre(), **GYRE), 5.6)
    assert "no time left" in refusal(ftle_of(gyre(), IntegrationDirection="BACKWARD", **GYRE), 0.0)
    assert "et Bounds" in refusal(ftle_of(gyre(), **dict(GYRE, Bounds=[1, 0, 0, 1, 0, 0])))
    assert "Maximum Steps" in refusal(ftle_of(gyre(), MaximumSteps=-1, **GYRE))
    for name, values in (("Tolerance", (-0.1, float("nan"), float("inf"))), ("Levels", (0, 6, -1))):
        for value in values:
            assert f"Sampling {name}" in refusal(ftle_of(gyre(), **dict(ADAPTIVE, **{f"Sampling{name}": value}))), value
    assert "Memory Budget" in refusal(ftle_of(gyre(), **dict(ADAPTIVE, SamplingLevels=5, MemoryBudget=1)))
    seconds = ftle_of(gyre(), MaximumSeconds=1e-9, **GYRE)
    assert "Maximum Seconds" in refusal(seconds), refusal(seconds)
    seconds.MaximumSeconds = 0.0
    assert refusal(seconds) == "" and not np.any(np.isnan(exponents(seconds, 0.0)))
    with Messages() as said:
        values = exponents(ftle_of(gyre(), AdaptiveSampling=True, **dict(GYRE, Bounds=[7, 8, 7, 8, 7, 7])), 0.0)
    assert np.all(np.isnan(values)) and said.count() == 1, said.text()
    with Messages() as said:
        values = exponents(ftle_of(gyre(), **dict(GYRE, Bounds=[7, 8, 7, 8, 7, 7])), 0.0)
    assert np.all(np.isnan(values)) and said.count() == 1, said.text()


def test_nan_in_one_step_ends_what_meets_it():
    if not ALONE:
        return
    script = SADDLE.replace("array = numpy", "velocity[(np.abs(velocity[:, 0]) > 0.9) & (time > 0.6)] = np.nan\narray = numpy")
    source = simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=script,
                                       ScriptRequestInformation=INFORMATION.format(times=TIMES))
    ftle = ftle_of(source, ComputeFlowMap=True, **dict(NEAR, Bounds=[-0.5, 0.5, -0.2, 0.2, -0.1, 0.1]))
    data = at(ftle, 0.0).GetPointData()
    reasons = set(array_of(data, "ReasonForTermination"))
    assert 3 in reasons and 7 in reasons, reasons


run(globals())
