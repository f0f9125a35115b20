# SPDX-License-Identifier: BSD-3-Clause
"""Random flows in time, all from one number, and where particles go in them by an integrator of its own.

    case = Flow(17)
    case.source()                               # a proxy with time steps, for any filter
    ends = case.follow(points, begin, end)      # by numpy, in double precision, with many small steps

Nothing here is shared with the filters: cells are found by search, values are mixed by the textbook's formulas.
"""
import itertools

import numpy as np
from filter_testing import VECTORS, add_array, simple
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkPolyData, vtkRectilinearGrid
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline
from vtkmodules.vtkCommonMath import vtkMatrix3x3

SUBSTEPS = 30  # of an interval
NEAR = 0.05    # of a cell: closer to a border, rounding decides
SHIFTS = [np.zeros(3)] + [sign * NEAR * axis for axis in np.eye(3) for sign in (-1, 1)]


KNOWN = {}  # flows that sources hand out, by number


def announce(algorithm, number):
    """Called by a source's script: its steps and its grid."""
    flow, keys, info = KNOWN[number], vtkStreamingDemandDrivenPipeline, algorithm.GetOutputInformation(0)
    first = flow.dataset(0)
    info.Set(keys.WHOLE_EXTENT(), first.GetExtent(), 6)
    info.Set(keys.TIME_STEPS(), flow.times, len(flow.times))
    info.Set(keys.TIME_RANGE(), [flow.times[0], flow.times[-1]], 2)
    if hasattr(first, "GetDirectionMatrix"):
        info.Set(first.ORIGIN(), first.GetOrigin(), 3)
        info.Set(first.SPACING(), first.GetSpacing(), 3)
        matrix = first.GetDirectionMatrix()
        info.Set(first.DIRECTION(), [matrix.GetElement(i, j) for i in range(3) for j in range(3)], 9)


def hand_out(algorithm, number):
    """Called by a source's script: the step nearest to the time that is asked for."""
    flow, keys, info = KNOWN[number], vtkStreamingDemandDrivenPipeline, algorithm.GetOutputInformation(0)
    time = info.Get(keys.UPDATE_TIME_STEP()) if info.Has(keys.UPDATE_TIME_STEP()) else flow.times[0]
    step = int(np.abs(np.asarray(flow.times) - time).argmin())
    output = algorithm.GetOutputDataObject(0)
    output.ShallowCopy(flow.dataset(step))
    output.GetInformation().Set(output.DATA_TIME_STEP(), flow.times[step])


class Flow:
    def __init__(self, number):
        self.number = number
        self.rng = np.random.default_rng(900_000 + number)
        self.make_grid()
        self.make_times()
        self.make_velocity()
        self.make_hidden()
        self.cubic = bool(self.rng.random() < 0.3)
        self.backward = bool(self.rng.random() < 0.5)

    # ------------------------------------------------------------------------------------------------ what there is

    def make_grid(self):
        rng = self.rng
        self.kind = str(rng.choice(["image", "turned", "rectilinear", "flat", "far", "unlike"]))
        self.dims = rng.integers(4, 11, 3)
        unit = 10.0 ** rng.choice([-6, 0, 0, 0, 6])
        spacing = unit * rng.uniform(0.5, 2, 3)
        origin = unit * rng.uniform(-2, 2, 3)
        self.turn = np.eye(3)
        if self.kind == "flat":
            self.dims[rng.integers(3)] = 1
        if self.kind == "far":
            origin += 1e5 * unit * rng.choice([-1, 1], 3)
        if self.kind == "unlike":
            spacing *= 10.0 ** rng.uniform(-2, 2, 3)
        self.axes = [origin[a] + spacing[a] * np.arange(n) for a, n in enumerate(self.dims)]
        if self.kind == "rectilinear":
            self.axes = [origin[a] + spacing[a] * np.cumsum(rng.uniform(0.3, 1.5, n)) for a, n in enumerate(self.dims)]
            if rng.random() < 0.3:
                falling = rng.integers(3)
                self.axes[falling] = self.axes[falling][::-1].copy()
        if self.kind == "turned":
            axes, _ = np.linalg.qr(rng.normal(size=(3, 3)))
            self.turn = axes if np.linalg.det(axes) > 0 else -axes
        self.origin, self.spacing = np.array([axis[0] for axis in self.axes]), spacing
        self.cell = np.linalg.norm([np.abs(np.diff(axis)).min() if len(axis) > 1 else 0 for axis in self.axes])

    def make_times(self):
        rng = self.rng
        count = int(rng.integers(2, 7))
        times = np.arange(count) * 1.0 if rng.random() < 0.4 else np.cumsum(rng.uniform(0.2, 2, count))
        times = times * 10.0 ** rng.choice([-6, 0, 0, 0, 6])
        offset = rng.choice([0, 0, 0, -0.5, 1e4, -1e6])
        self.times = [float(time) for time in times + offset * (times[-1] - times[0])]

    def make_velocity(self):
        """Particles cross about half of the domain."""
        rng = self.rng
        nodes = self.world(np.stack(np.meshgrid(*[np.arange(n) for n in self.dims], indexing="ij"), axis=-1).reshape(-1, 3).astype(float))
        sides = np.array([abs(axis[-1] - axis[0]) for axis in self.axes])
        speeds = np.where(sides > 0, sides, 0.0) / (self.times[-1] - self.times[0])
        unit = (nodes @ self.turn - (nodes @ self.turn).mean(axis=0)) / np.where(sides > 0, sides, 1)
        waves, phases, rates = 3 * rng.normal(size=(3, 3)), rng.uniform(0, 6, 3), rng.uniform(-3, 3, 3)
        rough = rng.random() < 0.3
        dtype = np.float32 if rng.random() < 0.6 else np.float64
        self.velocity = []
        for time in self.times:
            share = (time - self.times[0]) / (self.times[-1] - self.times[0])
            values = rng.uniform(-1, 1, unit.shape) if rough else np.sin(unit @ waves + phases + 3 * rates * share)
            along = (0.7 * values * speeds) @ self.turn.T
            self.velocity.append(along.reshape(*self.dims, 3).astype(dtype))

    def make_hidden(self):
        """None, or for each step which cells, or points, are hidden."""
        rng = self.rng
        self.hides = str(rng.choice(["", "", "cells", "points"])) if self.kind != "flat" else ""
        shape = self.dims - (1 if self.hides == "cells" else 0)
        still = rng.random(shape) < 0.04
        moves = rng.random() < 0.7
        self.hidden = [rng.random(shape) < 0.04 if moves else still for _ in self.times] if self.hides else []

    def hidden_cells(self, steps):
        """Cells hidden at any of some steps; a cell is hidden with any of its points."""
        total = np.zeros(np.maximum(self.dims - 1, 1), bool)
        for step in steps if self.hides else ():
            marks = self.hidden[step]
            if self.hides == "points":
                upper = [slice(None, -1), slice(1, None)]
                marks = np.logical_or.reduce([marks[corner] for corner in itertools.product(upper, repeat=3)])
            total |= marks
        return total

    # --------------------------------------------------------------------------------------------- for the pipeline

    def dataset(self, step):
        if self.kind == "rectilinear":
            made = vtkRectilinearGrid()
            made.SetDimensions([int(n) for n in self.dims])
            for axis, put in zip(self.axes, (made.SetXCoordinates, made.SetYCoordinates, made.SetZCoordinates)):
                put(numpy_to_vtk(axis, deep=True))
        else:
            made = vtkImageData()
            made.SetDimensions([int(n) for n in self.dims])
            made.SetOrigin(self.turn @ self.origin)
            made.SetSpacing(self.spacing)
            matrix = vtkMatrix3x3()
            matrix.DeepCopy(list(self.turn.ravel()))
            made.SetDirectionMatrix(matrix)
        values = self.velocity[step].transpose(2, 1, 0, 3).reshape(-1, 3)
        add_array(made.GetPointData(), VECTORS, values, values.dtype)
        made.GetPointData().SetActiveVectors(VECTORS)
        if self.hides:
            data = made.GetCellData() if self.hides == "cells" else made.GetPointData()
            add_array(data, "vtkGhostType", self.hidden[step].transpose(2, 1, 0).ravel() * (32 if self.hides == "cells" else 2), np.uint8)
        return made

    def source(self):
        KNOWN[self.number] = self
        script = "import random_flows; random_flows.{}(self, " + str(self.number) + ")"
        kind = "vtkRectilinearGrid" if self.kind == "rectilinear" else "vtkImageData"
        return simple.ProgrammableSource(OutputDataSetType=kind, Script=script.format("hand_out"),
                                         ScriptRequestInformation=script.format("announce"))

    def seed_data(self, points):
        made = vtkPolyData()
        places = vtkPoints()
        places.SetData(numpy_to_vtk(np.ascontiguousarray(points), deep=True))
        made.SetPoints(places)
        return made

    def seeds(self, count):
        """Points well inside, in no cell that is hidden at the first or the last step."""
        index = (self.dims - 1) * self.rng.uniform(0.15, 0.85, (4 * count, 3))
        ends = self.hidden_cells([0, len(self.times) - 1])
        good = ~ends[tuple(np.minimum(index, np.maximum(self.dims - 2, 0)).astype(int).T)]
        return self.world(index[good][:count])

    # --------------------------------------------------------------------------------------------------- by numpy

    def world(self, index):
        """Places of fractional indices."""
        places = np.empty_like(index)
        for a, axis in enumerate(self.axes):
            cell = np.clip(index[:, a].astype(int), 0, max(len(axis) - 2, 0))
            step = axis[np.minimum(cell + 1, len(axis) - 1)] - axis[cell]
            places[:, a] = axis[cell] + (index[:, a] - cell) * step
        return places @ self.turn.T

    def index(self, places):
        """Fractional indices of places; beyond the ends as in the outermost cells."""
        straight = places @ self.turn
        index = np.zeros_like(straight)
        for a, axis in enumerate(self.axes):
            if len(axis) > 1:
                rising = axis[-1] > axis[0]
                below = np.searchsorted(axis if rising else -axis, straight[:, a] if rising else -straight[:, a], side="right") - 1
                cell = np.clip(below, 0, len(axis) - 2)
                index[:, a] = cell + (straight[:, a] - axis[cell]) / (axis[cell + 1] - axis[cell])
        return index

    def mixed(self, values, index):
        """The trilinear mean of the corners' values, of the outermost place outside."""
        cell = np.clip(index.astype(int), 0, np.maximum(self.dims - 2, 0))
        part = np.clip(index - cell, 0, 1)
        more = np.minimum(cell + 1, self.dims - 1)
        total = 0.0
        for i, j, k in itertools.product((0, 1), repeat=3):
            weight = (part[:, 0] if i else 1 - part[:, 0]) * (part[:, 1] if j else 1 - part[:, 1]) * (part[:, 2] if k else 1 - part[:, 2])
            at = (more if i else cell)[:, 0], (more if j else cell)[:, 1], (more if k else cell)[:, 2]
            total = total + weight[:, None] * values[at]
        return total

    def weights(self, interval, time):
        """Of the steps in an interval: of the two at its ends, or, where cubic, of the parabolas through three steps that
        both ends lie on, mixed from the one to the other."""
        t = np.asarray(self.times)
        share = (time - t[interval]) / (t[interval + 1] - t[interval])
        if not self.cubic or len(t) == 2:
            return {interval: 1 - share, interval + 1: share}
        total = {}
        for middle, part in ((interval, 1 - share), (interval + 1, share)):
            if not 0 < middle < len(t) - 1:
                middle, part = (interval + 1, part) if middle == 0 else (interval, part)
            steps = [middle - 1, middle, middle + 1]
            for one in steps:
                others = [other for other in steps if other != one]
                value = np.prod([(time - t[other]) / (t[one] - t[other]) for other in others])
                total[one] = total.get(one, 0.0) + part * value
        return total

    def speed(self, places, interval, time):
        now = sum(weight * self.velocity[step].astype(float) for step, weight in self.weights(interval, time).items())
        return self.mixed(now, self.index(places))

    def state(self, places, bad):
        """Whether places are near something that ends particles, and whether they are deep in it: out of the domain, or in
        the cells `bad`."""
        states = []
        for shift in SHIFTS:
            index = self.index(places) + np.where(self.dims > 1, shift, 0)
            outside = np.any((index < 0) | (index > self.dims - 1), axis=1)
            cell = np.clip(index.astype(int), 0, np.maximum(self.dims - 2, 0))
            states.append(outside | bad[tuple(cell.T)])
        return np.any(states, axis=0), np.all(states, axis=0)

    def follow(self, points, begin, end, substeps=SUBSTEPS):
        """From a time to another one, earlier or later. Places at the end, who was near something that ends particles, and who
        was deep in it."""
        places = np.array(points, float)
        near, deep = np.zeros(len(places), bool), np.zeros(len(places), bool)
        intervals = range(len(self.times) - 1)
        for interval in intervals if end >= begin else reversed(intervals):
            low, high = max(self.times[interval], min(begin, end)), min(self.times[interval + 1], max(begin, end))
            if high - low <= 1e-9 * (self.times[interval + 1] - self.times[interval]):
                continue  # at the border of two intervals, up to rounding: the cells of the other one count
            bad = self.hidden_cells(sorted(self.weights(interval, low)))
            start, h = (low, (high - low) / substeps) if end >= begin else (high, (low - high) / substeps)
            for i in range(substeps):
                if i % 2 == 0:
                    state = self.state(places, bad)
                    near, deep = near | state[0], deep | state[1]
                time = start + i * h
                k1 = self.speed(places, interval, time)
                k2 = self.speed(places + 0.5 * h * k1, interval, time + 0.5 * h)
                k3 = self.speed(places + 0.5 * h * k2, interval, time + 0.5 * h)
                k4 = self.speed(places + h * k3, interval, time + h)
                places = places + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            state = self.state(places, bad)
            near, deep = near | state[0], deep | state[1]
        return places, near, deep
