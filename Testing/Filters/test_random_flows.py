# SPDX-License-Identifier: BSD-3-Clause
"""Filters in time on random flows, against an integrator of the test's own (random_flows.py): where particles are, which
ones have ended, the same bytes from memory, field files and stores, and in any order of frames.

Arguments: FIRST COUNT       the cases FIRST, FIRST + 1, ...; one of them alone: NUMBER 1
A failure prints the number of its case and goes on.
"""
import os
import shutil
import sys
import traceback

import numpy as np
from filter_testing import VECTORS, Messages, array_of, points_of, simple
from plugin_testing import scratch
from random_flows import SUBSTEPS, Flow
from vtkmodules.util.numpy_support import vtk_to_numpy

REACHED = 7    # reason of a particle that has gone to the time that is shown
RELEASES = 4    # of each seed of a streak line
TOLERANCE = 5e-3  # of the shortest diagonal of a cell


class Filter:
    """One of the filters, made once. Data go in and out past ParaView's proxies, which would take most of the time."""

    def __init__(self, make, **properties):
        self.proxy = make(Input=simple.Wavelet(), **properties)
        self.proxy.UpdateVTKObjects()
        self.algorithm = self.proxy.GetClientSideObject()

    def of(self, flow, source, seeds=None, **settings):
        settings = dict({"TimeInterpolation": int(flow.cubic), "MaximumError": 1e-6 * flow.cell}, **settings)
        for name, value in settings.items():
            values = value if isinstance(value, (list, tuple)) else [value]
            of_name = self.proxy.SMProxy.GetProperty(name)
            assert of_name is not None, name
            if hasattr(of_name, "SetNumberOfElements"):
                of_name.SetNumberOfElements(len(values))
            for at, one in enumerate(values):
                of_name.SetElement(at, one)
        self.proxy.SMProxy.UpdateVTKObjects()
        source.UpdateVTKObjects()
        self.algorithm.SetInputConnection(0, source.GetClientSideObject().GetOutputPort())
        if seeds is not None:
            self.algorithm.SetInputDataObject(1, flow.seed_data(seeds))
        self.algorithm.SetInputArrayToProcess(0, 0, 0, 0, VECTORS)
        self.algorithm.Modified()
        return self.algorithm

    def at(self, time, port=0):
        with Messages() as messages:
            self.algorithm.UpdateTimeStep(time)
        assert "ERROR" not in messages.text(), messages.text()
        return self.algorithm.GetOutputDataObject(port)


def bytes_of(*outputs):
    """All values of outputs, but for statistics."""
    parts = []
    for output in outputs:
        if output.GetNumberOfPoints() and hasattr(output, "GetPoints"):
            parts.append(vtk_to_numpy(output.GetPoints().GetData()).tobytes())
        for data in (output.GetPointData(), output.GetCellData()):
            arrays = [data.GetArray(i) for i in range(data.GetNumberOfArrays())]
            parts += [(array.GetName(), vtk_to_numpy(array).tobytes()) for array in sorted(arrays, key=lambda array: array.GetName())]
    return parts


class Check:
    """Comparisons of particles with the reference; counts them, so that a test that compares nothing is noticed."""

    def __init__(self):
        self.places = self.ended = 0

    def __call__(self, flow, what, starts, begin, end, arrived, found, some=False):
        """`arrived`: which particles are there at the end; `found`: the places of these. `some`: others may be there, too."""
        try:
            self.compare(SUBSTEPS, flow, what, starts, begin, end, arrived, found, some)
        except AssertionError:  # at one place in ten thousand the reference itself is not exact enough
            self.compare(10 * SUBSTEPS, flow, what, starts, begin, end, arrived, found, some)

    def compare(self, substeps, flow, what, starts, begin, end, arrived, found, some):
        expected, near, deep = flow.follow(starts, begin, end, substeps)
        near |= some & ~arrived
        missing = ~near & ~arrived
        assert not missing.any(), f"{what}: {missing.sum()} particles have ended before their time"
        wrong = deep & arrived
        assert not wrong.any(), f"{what}: {wrong.sum()} particles went on where there is nothing, or where cells are hidden"
        everywhere = np.full(expected.shape, np.nan)
        everywhere[arrived] = found
        # Coordinates that are stored as floats are as exact as these.
        room = TOLERANCE * flow.cell + 2e-7 * np.abs(expected[~near]).max(initial=0.0)
        far = np.linalg.norm(everywhere - expected, axis=1)[~near]
        assert far.max(initial=0.0) < room, f"{what}: off by {far.max() / flow.cell:.3g} of a cell"
        self.places += int((~near).sum())
        self.ended += int(deep.sum())


def times_of(flow):
    """Frames in any order."""
    shares = flow.rng.permutation([1.0, 0.0, *flow.rng.uniform(0.05, 0.95, 2)])
    return [flow.times[0] + share * (flow.times[-1] - flow.times[0]) for share in shares]


def check_paths(flow, source, path_tracer, check):
    """Pathlines forward or backward from seeds at the first (backward, the last) time."""
    seeds = flow.seeds(30)
    path_tracer.of(flow, source, seeds, IntegrationDirection=int(flow.backward))
    begin = flow.times[-1 if flow.backward else 0]
    frames = {}
    for time in times_of(flow):
        frames[time] = bytes_of(*(path_tracer.at(time, port) for port in (0, 1, 2)))
        particles, releases = path_tracer.at(time, 1), path_tracer.at(time, 2)
        arrived = np.zeros(len(seeds), bool)
        ids = array_of(particles.GetPointData(), "InjectedPointId") if particles.GetNumberOfPoints() else np.zeros(0, int)
        arrived[ids] = True
        order = np.argsort(ids)
        check(flow, f"path tracer at {time!r}", seeds, begin, time, arrived, points_of(particles)[order])
        reasons = array_of(releases.GetPointData(), "ReasonForTermination")
        assert ((reasons == REACHED) == arrived).all() or time == begin, f"reasons at {time!r}"
    return seeds, frames


def check_streaks(flow, source, streak_line, check):
    """Particles of several releases."""
    seeds, span = flow.seeds(6), flow.times[-1] - flow.times[0]
    streak_line.of(flow, source, seeds, Release=1, ReleaseStart=flow.times[0] + 0.1 * span, ReleaseEnd=flow.times[0] + 0.75 * span,
                   ReleaseInterval=0.2 * span)
    for time in times_of(flow)[:2]:
        output = streak_line.at(time)
        if not output.GetNumberOfPoints():
            continue
        data = output.GetPointData()
        moved = array_of(data, "ParticleId") >= 0
        releases, ids = array_of(data, "ReleaseTime")[moved], array_of(data, "ParticleId")[moved] // RELEASES
        for release in np.unique(releases):
            those = releases == release
            arrived = np.zeros(len(seeds), bool)
            arrived[ids[those]] = True
            order = np.argsort(ids[those])
            check(flow, f"streak line at {time!r}, release at {release!r}", seeds, release, time, arrived,
                  points_of(output)[moved][those][order], some=True)  # a particle beside none that is there makes no line


def check_flow_map(flow, source, ftle, check):
    """Ends of particles of a lattice."""
    corners = flow.world((flow.dims - 1) * np.array([[0.2, 0.2, 0.2], [0.8, 0.8, 0.8]]))
    bounds = np.sort(corners, axis=0).T.ravel()
    duration = 0.8 * (flow.times[-1] - flow.times[0])
    begin = flow.times[-1 if flow.backward else 0]
    ftle.of(flow, source, Lattice=1, Bounds=list(bounds), Dimensions=[1 if n == 1 else 5 for n in flow.dims], Duration=duration,
            IntegrationDirection=int(flow.backward), ComputeFlowMap=1)
    output = ftle.at(begin)
    starts = np.array([output.GetPoint(i) for i in range(output.GetNumberOfPoints())])
    arrived = array_of(output.GetPointData(), "ReasonForTermination") == REACHED
    ends = array_of(output.GetPointData(), "FlowMap")
    check(flow, "flow map", starts, begin, begin + (-duration if flow.backward else duration), arrived, ends[arrived])


def check_case(number, filters, check):
    flow = Flow(number)
    source = flow.source()
    seeds, frames = check_paths(flow, source, filters["paths"], check)
    check_streaks(flow, source, filters["streaks"], check)
    if flow.kind != "turned":  # the lattice is upright
        check_flow_map(flow, source, filters["ftle"], check)
    for kind in ("rvf", "rvs") if number % 3 == 0 else ():
        path = scratch(f"flow{number}.{kind}")
        simple.SaveData(path, proxy=source, WriteAllTimeSteps=1)
        reader = simple.OpenDataFile(path)
        paths = filters["paths"]
        paths.of(flow, reader, seeds, IntegrationDirection=int(flow.backward), MemoryBudget=number % 2,
                 NumberOfThreads=1 + number % 2)
        for time, expected in frames.items():
            found = bytes_of(*(paths.at(time, port) for port in (0, 1, 2)))
            assert found == expected, f"{kind} at {time!r} differs from memory"
        simple.Delete(reader)
        (shutil.rmtree if os.path.isdir(path) else os.remove)(path)
    simple.Delete(source)


def main(first, count):
    filters = {"paths": Filter(simple.RivuletPathTracerWithCustomSource, SeedSource=simple.Line()),
               "streaks": Filter(simple.RivuletStreakLineWithCustomSource, SeedSource=simple.Line()),
               "ftle": Filter(simple.RivuletFTLE)}
    check, failed = Check(), 0
    for number in range(first, first + count):
        try:
            check_case(number, filters, check)
        except Exception:  # a case reports whatever went wrong, and others go on
            failed += 1
            print("FAIL case", number, Flow(number).kind, Flow(number).hides, flush=True)
            traceback.print_exc()
    print(f"{count} cases, {check.places} places and {check.ended} ends compared, {failed} failed", flush=True)
    if failed or check.places < 100 * count or check.ended < count:
        sys.exit(1)


main(*map(int, sys.argv[1:3]))
