# SPDX-License-Identifier: BSD-3-Clause
"""Hidden cells that change with time, against an integrator in numpy: from field files, from stores, and from memory,
for all filters that follow particles. What else differs at a step is refused by name and time."""
import numpy as np
from filter_testing import Messages, array_of, points_of, simple
from in_time import random_flow, source_of
from plugin_testing import controller, run, scratch

ALONE = controller().GetNumberOfProcesses() == 1  # with several ranks each compares its own part
RK4 = dict(IntegratorType="Runge-Kutta 4", IntegrationStepUnit="Time")


def saved(source, flow, number):
    """The flow from memory, from one file and from a store."""
    yield "memory", source
    for name in (f"hidden{number}.rvf", f"hidden{number}.rvs"):
        path = scratch(name)
        simple.SaveData(path, proxy=source, WriteAllTimeSteps=1)
        yield name, simple.OpenDataFile(path)


def at(filter, time, port=0):
    filter.UpdatePipeline(time)
    return filter.GetClientSideObject().GetOutputDataObject(port)


def bytes_of(output):
    data = output.GetPointData()
    names = sorted(data.GetArrayName(i) for i in range(data.GetNumberOfArrays()))
    return points_of(output).tobytes() + b"".join(array_of(data, name).tobytes() for name in names)


def tracer_of(source, points, **properties):
    seeds = simple.PolyPointSource(Points=np.ravel(points).tolist())
    return simple.RivuletPathTracerWithCustomSource(Input=source, SeedSource=seeds, Vectors=["POINTS", "velocity"],
                                                    TerminalSpeed=0, **properties)


def ends_of(tracer, time, seeds):
    """Last place, time and reason of each seed's line; NaN where there is none."""
    lines = at(tracer, time)
    places, times, reasons = np.full((seeds, 3), np.nan), np.full(seeds, np.nan), np.zeros(seeds, int)
    for i in range(lines.GetNumberOfCells()):
        cell = lines.GetCell(i)
        last = cell.GetPointId(cell.GetNumberOfPoints() - 1)
        seed = int(array_of(lines.GetCellData(), "SeedIds")[i])
        places[seed] = lines.GetPoint(last)
        times[seed] = array_of(lines.GetPointData(), "SimulationTime")[last]
        reasons[seed] = array_of(lines.GetCellData(), "ReasonForTermination")[i]
    return places, times, reasons


def check_paths(source, name, points, size, ways):
    """`ways`: properties, first and last time, and what Flow.go() found."""
    for properties, last, (wanted, arrived, doubtful) in ways:
        tracer = tracer_of(source, points, **properties)
        with Messages() as messages:
            places, times, reasons = ends_of(tracer, last, len(points))
        assert not messages.text(), (name, messages.text())
        sure = ~doubtful
        assert sure.sum() > 8, (name, sure.sum())
        came = (reasons == 7) & (times == last)
        assert np.array_equal(came[sure], arrived[sure]), (name, properties, np.flatnonzero((came != arrived) & sure))
        both = came & arrived & sure
        assert np.abs(places[both] - wanted[both]).max(initial=0) < 1e-4 * size, (name, properties)
        assert set(reasons[~came]) <= {0, 1}, set(reasons)


def test_paths_end_where_cells_become_hidden():
    if not ALONE:
        return
    for number in range(4):
        random = np.random.default_rng(number)
        flow = random_flow(random, hidden="points" if number % 2 else "cells")
        points = flow.places(random, 80)
        step = float(np.diff(flow.times).min() / 20)
        cubic = number > 1
        ways = []
        for direction in ("FORWARD", "BACKWARD"):
            first, last = flow.times[::len(flow.times) - 1][::1 if direction == "FORWARD" else -1]
            properties = dict(IntegrationDirection=direction, InitialStepLength=step, **RK4,
                              TimeInterpolation="Cubic" if cubic else "Linear")
            ways.append((properties, last, flow.go(points, first, last, step, cubic)))
        for name, source in saved(source_of(flow), flow, number):
            check_paths(source, name, points, flow.size, ways)


def outputs_of(source, points, end):
    """Bytes of the outputs of all filters in time."""
    seeds = simple.PolyPointSource(Points=np.ravel(points).tolist())
    common = dict(Input=source, Vectors=["POINTS", "velocity"])
    tracer = simple.RivuletPathTracerWithCustomSource(SeedSource=seeds, ForceReinjectionEveryNSteps=1, **common)
    streaks = simple.RivuletStreakLineWithCustomSource(SeedSource=seeds, **common)
    curve = simple.Line(Point1=points[0], Point2=points[1], Resolution=12)
    surface = simple.RivuletStreakSurfaceWithCustomSource(SeedSource=curve, **common)
    exponents = simple.RivuletFTLE(Duration=0.7 * end, **common)
    hits = simple.RivuletSourceDestination(NumberOfSeeds=300, ReleaseEnd=end, ReleaseInterval=0.2 * end, **common)
    hits.SourceFunction, hits.DestinationFunction = "Sphere", "Sphere"
    middle = np.mean(points, axis=0)
    for function, centre in ((hits.SourceFunction, middle), (hits.DestinationFunction, 1.3 * middle)):
        function.Center, function.Radius = [float(x) for x in centre], 0.3 * float(middle.min())
    found = {}
    for time in (0.6 * end, end, 0.3 * end):
        found["paths", time] = bytes_of(at(tracer, time)) + bytes_of(at(tracer, time, 1))
        found["streaks", time] = bytes_of(at(streaks, time))
        found["surface", time] = bytes_of(at(surface, time))
    found["hits", end] = bytes_of(at(hits, end, 1))
    found["exponents"] = array_of(at(exponents, 0.0).GetPointData(), "FTLE").tobytes()
    return found


def test_all_ways_give_the_same_bytes():
    flow = random_flow(np.random.default_rng(11), hidden="points")
    points = flow.places(np.random.default_rng(12), 12)
    first = None
    for name, source in saved(source_of(flow), flow, 11):
        found = outputs_of(source, points, flow.times[-1])
        first = first or found
        for key, value in found.items():
            assert value == first[key], (name, key)
            assert key[0] != "paths" or len(value) > 0


def test_a_mask_that_stays_needs_no_word():
    """What the masks hide holds anything; a still mask has the lines of one step's mask."""
    flow = random_flow(np.random.default_rng(5), hidden="points", still=True)
    points = flow.places(np.random.default_rng(6), 40)
    with Messages() as messages:
        for name, source in saved(source_of(flow), flow, 5):
            _, _, reasons = ends_of(tracer_of(source, points), flow.times[-1], len(points))
            assert 3 not in reasons, name  # no hidden value was used
    assert not messages.text(), messages.text()


MOVED = """
image = self.GetInputDataObject(0, 0)
output = self.GetOutputDataObject(0)
output.ShallowCopy(image)
time = image.GetInformation().Get(image.DATA_TIME_STEP())
if time > 0.9:
    {change}
"""


HIDE_ALL = """from vtkmodules.vtkCommonCore import vtkUnsignedCharArray
    marks = vtkUnsignedCharArray()
    marks.SetName("vtkGhostType")
    for i in range(output.GetNumberOfCells()):
        marks.InsertNextValue(32)
    output.GetCellData().AddArray(marks)"""


def test_other_geometry_at_a_step_is_refused_by_name_and_time():
    if not ALONE:
        return
    flow = random_flow(np.random.default_rng(3), hidden="none", times=[0.0, 0.5, 1.0, 1.5])
    points = flow.places(np.random.default_rng(4), 5)
    for name, source in saved(source_of(flow), flow, 3):
        for change in ("output.SetOrigin([x + 0.25 for x in output.GetOrigin()])",
                       "output.SetSpacing([2 * x for x in output.GetSpacing()])"):
            moved = simple.ProgrammableFilter(Input=source, Script=MOVED.format(change=change), CopyArrays=0)
            tracer = tracer_of(moved, points)
            with Messages() as messages:
                lines = at(tracer, 1.5)
            assert lines.GetNumberOfCells() == 0, (name, change)
            assert "the grid at time 1 is not the one of the steps before" in messages.text(), (name, messages.text())


def test_hidden_cells_of_a_filter_count_at_their_time():
    """A filter behind a reader hides what the file does not."""
    if not ALONE:
        return
    flow = random_flow(np.random.default_rng(8), hidden="none", times=[0.0, 0.5, 1.0, 1.5], rest=True)
    points = flow.places(np.random.default_rng(9), 20)
    for name, source in saved(source_of(flow), flow, 8):
        hidden = simple.ProgrammableFilter(Input=source, Script=MOVED.format(change=HIDE_ALL), CopyArrays=0)
        _, times, reasons = ends_of(tracer_of(hidden, points), 1.5, len(points))
        assert set(reasons) == {1} and set(times) == {0.5}, (name, reasons, times)


def test_steady_filters_have_the_mask_of_their_step():
    if not ALONE:
        return
    flow = random_flow(np.random.default_rng(21), hidden="points")
    points = flow.places(np.random.default_rng(22), 30)
    seeds = simple.PolyPointSource(Points=np.ravel(points).tolist())
    counts = {}
    for name, source in saved(source_of(flow), flow, 21):
        source.UpdatePipeline()
        tracer = simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=seeds, Vectors=["POINTS", "velocity"],
                                                            MaximumStreamlineLength=10)
        counts[name] = [bytes_of(at(tracer, time)) for time in flow.times]
    first = next(iter(counts.values()))
    assert [count == first for count in counts.values()] == [True] * len(counts)
    assert len(set(first)) == len(first)


run(globals())
