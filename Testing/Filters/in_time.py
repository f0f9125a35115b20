# SPDX-License-Identifier: BSD-3-Clause
"""Random flows in time on image data, with points or cells that are hidden at some steps, as sources of a pipeline; and
paths of their particles by an integrator in numpy that shares nothing with the filters."""
import builtins
import itertools

import numpy as np
from filter_testing import add_array, image, simple

POINT, CELL = 2, 32  # bits of vtkGhostType
NEAR = 0.08  # cells from a face at which a particle's fate is not certain


class Flow:
    def __init__(self, times, spacing, velocity, hidden, centering):
        """`velocity`: one array (nz, ny, nx, 3) for each time. `hidden`: one array of booleans each, or None."""
        self.times, self.spacing, self.velocity = list(times), np.asarray(spacing), velocity
        self.hidden, self.centering = hidden, centering
        self.dims = np.array(velocity[0].shape[2::-1])
        self.size = float(((self.dims - 1) * self.spacing).max())

    def dataset(self, step):
        dataset = image(dims=[int(n) for n in self.dims], origin=(0, 0, 0), spacing=[float(x) for x in self.spacing])
        array = add_array(dataset.GetPointData(), "velocity", self.velocity[step].reshape(-1, 3), np.float32)
        dataset.GetPointData().SetVectors(array)
        if self.hidden is not None:
            bit, data = (POINT, dataset.GetPointData()) if self.centering == "points" else (CELL, dataset.GetCellData())
            add_array(data, "vtkGhostType", bit * self.hidden[step].reshape(-1), np.uint8)
        return dataset

    def hidden_cells(self, step):
        """(nz - 1, ny - 1, nx - 1)"""
        shape = self.dims[::-1] - 1
        if self.hidden is None:
            return np.zeros(shape, bool)
        if self.centering == "cells":
            return self.hidden[step]
        cells = np.zeros(shape, bool)
        for k, j, i in itertools.product((0, 1), repeat=3):
            cells |= self.hidden[step][k:k + shape[0], j:j + shape[1], i:i + shape[2]]
        return cells

    def places(self, random, count):
        return (0.1 + 0.8 * random.random((count, 3))) * (self.dims - 1) * self.spacing

    def steps_of(self, interval, cubic):
        first, last = (interval - 1, interval + 2) if cubic else (interval, interval + 1)
        return range(max(first, 0), min(last, len(self.times) - 1) + 1)

    def at(self, interval, time, places, cubic):
        """Velocities at places in the grid: trilinear, and polynomials in time of the given order."""
        index = places / self.spacing
        cell = np.clip(np.floor(np.nan_to_num(index)).astype(int), 0, self.dims - 2)
        part = index - cell
        weights = self.weights(interval, time, cubic)
        total = np.zeros_like(places)
        for corner in itertools.product((0, 1), repeat=3):
            weight = np.prod(np.where(corner, part, 1 - part), axis=1)[:, None]
            x, y, z = (cell + corner).T
            for step, in_time in weights.items():
                total += weight * (in_time * self.velocity[step][z, y, x] if in_time else 0)
        return total

    def weights(self, interval, time, cubic):
        t = self.times
        share = (time - t[interval]) / (t[interval + 1] - t[interval])
        if not cubic or len(t) == 2:
            return {interval: 1 - share, interval + 1: share}

        def parabola(steps):
            return {a: np.prod([(time - t[b]) / (t[a] - t[b]) for b in steps if b != a]) for a in steps}
        before = parabola(range(interval - 1, interval + 2)) if interval > 0 else None
        after = parabola(range(interval, interval + 3)) if interval + 2 < len(t) else None
        if before is None or after is None:
            return before or after
        return {step: (1 - share) * before.get(step, 0) + share * after.get(step, 0)
                for step in range(interval - 1, interval + 3)}

    def out_of(self, places, cells):
        """Whether places are outside the grid or in cells that are hidden."""
        index = places / self.spacing
        outside = np.any((index < 0) | (index > self.dims - 1) | ~np.isfinite(index), axis=1)
        x, y, z = np.clip(np.floor(np.nan_to_num(index)).astype(int), 0, self.dims - 2).T
        return outside | cells[z, y, x]

    def near_others(self, places, cells):
        """Whether there are places beside, of which the one is out of the flow and the other is not."""
        here = self.out_of(places, cells)
        near = np.zeros(len(places), bool)
        for way in itertools.product((-1, 0, 1), repeat=3):
            near |= self.out_of(places + NEAR * np.array(way) * self.spacing, cells) != here
        return near

    def go(self, points, first, last, step, cubic):
        """From one time to another: last places, whether particles arrived, and whether that is not certain."""
        places = np.array(points, float)
        alive, doubtful = np.ones(len(places), bool), np.zeros(len(places), bool)
        intervals = range(len(self.times) - 1)
        for interval in intervals if last > first else reversed(intervals):
            begin, end = self.times[interval:interval + 2] if last > first else self.times[interval:interval + 2][::-1]
            cells = np.any([self.hidden_cells(i) for i in self.steps_of(interval, cubic)], axis=0)
            count = 2 * int(np.ceil(abs(end - begin) / step))
            h = (end - begin) / count
            for i in range(count + 1):
                doubtful |= alive & self.near_others(places, cells)
                alive &= ~self.out_of(places, cells)
                if i == count or not alive.any():
                    continue
                now, time = places[alive], begin + i * h
                k1 = self.at(interval, time, now, cubic)
                k2 = self.at(interval, time + h / 2, now + h / 2 * k1, cubic)
                k3 = self.at(interval, time + h / 2, now + h / 2 * k2, cubic)
                k4 = self.at(interval, time + h, now + h * k3, cubic)
                moved = now + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
                places[alive] = np.where(np.isfinite(moved), moved, now)
        return places, alive, doubtful


def random_flow(random, hidden, times=None, still=False, rest=False):
    """`hidden`: "points", "cells" or "none": a ball that moves, unless it is still. Hidden points hold no numbers."""
    dims = random.integers(8, 13, 3)
    times = np.cumsum(random.uniform(0.4, 1.2, random.integers(4, 7))) if times is None else np.asarray(times)
    spacing = random.uniform(0.5, 1.5, 3)
    k, j, i = np.meshgrid(*[np.arange(n) for n in dims[::-1]], indexing="ij")
    index = np.stack([i, j, k], axis=-1)
    speed = 0.5 * (dims - 1) * spacing / (times[-1] - times[0])
    waves, phases, turns = random.normal(size=(3, 3)) * 3 / dims, random.uniform(0, 6, 3), random.uniform(-4, 4, 3)
    from_place, way = (0.3 + 0.4 * random.random((2, 3))) * (dims - 1)
    velocity, masks = [], []
    for time in times:
        share = (time - times[0]) / (times[-1] - times[0])
        values = speed * np.sin(index @ waves + phases + turns * share) * (0 if rest else 1)
        at = from_place + (0 if still else share) * (way - from_place) * 1.5
        size = index if hidden == "points" else index[:-1, :-1, :-1] + 0.5
        mask = np.linalg.norm(size - at, axis=-1) < 0.22 * dims.min()
        if hidden == "points":
            values[mask] = np.nan
        velocity.append(values)
        masks.append(mask)
    return Flow([float(t) for t in times], spacing, velocity, None if hidden == "none" else masks, hidden)


builtins.rivulet_flows = []  # the scripts of programmable sources run in the main module, and see this alone

INFORMATION = """
import builtins
from vtkmodules.vtkCommonDataModel import vtkDataObject
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
times, steps = builtins.rivulet_flows[{number}]
information = self.GetOutputInformation(0)
information.Set(vtkStreamingDemandDrivenPipeline.WHOLE_EXTENT(), steps[0].GetExtent(), 6)
information.Set(vtkDataObject.ORIGIN(), steps[0].GetOrigin(), 3)
information.Set(vtkDataObject.SPACING(), steps[0].GetSpacing(), 3)
information.Set(vtkStreamingDemandDrivenPipeline.TIME_STEPS(), times, len(times))
information.Set(vtkStreamingDemandDrivenPipeline.TIME_RANGE(), [times[0], times[-1]], 2)
"""
SCRIPT = """
import builtins
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
times, steps = builtins.rivulet_flows[{number}]
information, key = self.GetOutputInformation(0), vtkStreamingDemandDrivenPipeline.UPDATE_TIME_STEP()
time = information.Get(key) if information.Has(key) else times[0]
step = 0
for i, t in enumerate(times):
    if t <= time:
        step = i
output = self.GetOutputDataObject(0)
output.ShallowCopy(steps[step])
output.GetInformation().Set(output.DATA_TIME_STEP(), times[step])
"""


def source_of(flow):
    """A source of a flow's steps in memory."""
    number = len(builtins.rivulet_flows)
    builtins.rivulet_flows.append((flow.times, [flow.dataset(step) for step in range(len(flow.times))]))
    return simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=SCRIPT.format(number=number),
                                     ScriptRequestInformation=INFORMATION.format(number=number))
