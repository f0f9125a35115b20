# SPDX-License-Identifier: BSD-3-Clause
"""Random scenes for stream tracers: a grid, arrays on it, hidden cells, seeds and settings, all from one number.

    case = Case(17)
    case.dataset()              # what our filter gets
    case.dataset(upright=True)  # the same without its direction matrix and with nothing hidden
"""
import copy

import numpy as np
from filter_testing import VECTORS, add_array
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkDoubleArray, vtkPoints
from vtkmodules.vtkCommonDataModel import vtkDataSetAttributes, vtkImageData, vtkPolyData, vtkRectilinearGrid
from vtkmodules.vtkCommonMath import vtkMatrix3x3

RK45 = 2
CELL_LENGTH = 2
THIN = 1e-7  # of the grid, a layer that stands for a flat axis


def random_rotation(rng):
    axes, upper = np.linalg.qr(rng.normal(size=(3, 3)))
    axes = axes * np.sign(np.diag(upper))
    return axes if np.linalg.det(axes) > 0 else -axes


class Case:

    def __init__(self, number):
        self.number = number
        self.rng = np.random.default_rng(number)
        self.make_grid()
        self.make_fields()
        self.make_seeds()
        self.make_settings()

    # The grid: where its nodes are along each axis before it is turned about its origin.

    def make_grid(self):
        rng = self.rng
        most = 40 if rng.random() < 0.1 else 12
        self.dims = rng.integers(2, most, 3)
        if rng.random() < 0.25:
            self.dims[rng.integers(3)] = 2
        self.flat = np.zeros(3, bool)
        if rng.random() < 0.2:
            self.flat[rng.choice(3, 2 if rng.random() < 0.2 else 1, replace=False)] = True
            self.dims[self.flat] = 1
        self.rectilinear = rng.random() < 0.4
        self.first = rng.integers(-7, 12, 3) if rng.random() < 0.4 else np.zeros(3, int)
        self.origin = rng.choice([0.0, 1.0, 100.0]) * rng.normal(size=3)
        self.spacing = 10.0 ** rng.uniform(-2, 1) * rng.uniform(0.3, 2.0, 3)
        if rng.random() < 0.3:
            self.spacing *= rng.choice([-1.0, 1.0], 3)
        self.rotation = np.eye(3)
        if not self.rectilinear and rng.random() < 0.25:
            self.rotation = random_rotation(rng)
        self.axes = [self.origin[a] + self.spacing[a] * (self.first[a] + np.arange(self.dims[a])) for a in range(3)]
        if self.rectilinear:
            for a in range(3):
                steps = np.sign(self.spacing[a]) * abs(self.spacing[a]) * rng.uniform(0.2, 1.8, self.dims[a])
                self.axes[a] = self.origin[a] + np.cumsum(steps)
        self.low = np.array([min(x[0], x[-1]) for x in self.axes])
        self.high = np.array([max(x[0], x[-1]) for x in self.axes])
        self.size = np.linalg.norm(self.high - self.low)
        self.turned = not np.array_equal(self.rotation, np.eye(3))

    def turn(self, positions):
        """From the upright grid to the turned one."""
        return self.origin + (positions - self.origin) @ self.rotation.T if self.turned else positions

    def upright(self, positions):
        return self.origin + (positions - self.origin) @ self.rotation if self.turned else positions

    def nodes(self):
        return np.stack([x.ravel() for x in np.meshgrid(*self.axes, indexing="ij")], -1).reshape(
            *self.dims, 3).transpose(2, 1, 0, 3).reshape(-1, 3)

    # Arrays, in VTK's order. Vectors are those of the upright grid.

    def make_fields(self):
        rng = self.rng
        self.of_cells = rng.random() < 0.25
        cells = np.maximum(self.dims - 1, 1)
        count = int(np.prod(cells if self.of_cells else self.dims))
        where = self.nodes()
        if self.of_cells:
            middles = [0.5 * (x[1:] + x[:-1]) if len(x) > 1 else x for x in self.axes]
            where = np.stack(np.meshgrid(*middles, indexing="ij"), -1).transpose(2, 1, 0, 3).reshape(-1, 3)
        self.kind = rng.choice(["smooth", "rough", "linear", "constant", "patchy"], p=[0.45, 0.2, 0.15, 0.1, 0.1])
        speed = 10.0 ** rng.uniform(-3, 3)
        unit = (where - self.low) / self.size
        if self.kind == "smooth":
            self.vectors = sum(np.sin(unit @ (rng.normal(size=(3, 3)) * 4) + rng.uniform(0, 6, 3)) for _ in range(3))
        elif self.kind == "linear":
            self.vectors = (unit - rng.uniform(0, 0.6, 3)) @ rng.normal(size=(3, 3))
        elif self.kind == "constant":
            self.vectors = np.tile(rng.normal(size=3), (count, 1))
        else:
            self.vectors = rng.normal(size=(count, 3))
            if self.kind == "patchy":
                self.vectors[rng.random(count) < 0.3] = 0
        self.vectors = self.vectors * speed
        self.vectors[:, self.flat] = 0  # a flow across a flat grid leaves it at once
        self.type = rng.choice([np.float32, np.float64, np.int16], p=[0.6, 0.3, 0.1]) if not self.turned else np.float64
        if self.type == np.int16:
            self.vectors = np.round(self.vectors * 30 / speed)
        self.vectors = self.vectors.astype(self.type)
        points = int(np.prod(self.dims))
        self.extras = {"density": rng.normal(size=points)}
        for name, kind, components in (("count", np.int32, 1), ("bytes", np.uint8, 2), ("tensor", np.float32, 9),
                                       ("many", np.float32, 11), ("short", np.int16, 3)):
            if rng.random() < 0.3:
                self.extras[name] = rng.integers(0, 200, (points, components)).astype(kind)
        self.hidden = {}
        for name, number, bit in (("points", points, vtkDataSetAttributes.HIDDENPOINT),
                                  ("cells", int(np.prod(cells)), vtkDataSetAttributes.HIDDENCELL)):
            if rng.random() < 0.12:
                self.hidden[name] = np.where(rng.random(number) < 0.03, bit, 0) | (rng.random(number) < 0.1)

    def rising(self):
        """The same scene on axes that rise."""
        falls = [self.rectilinear and len(x) > 1 and x[1] < x[0] for x in self.axes]
        flips = tuple(slice(None, None, -1 if fall else 1) for fall in reversed(falls))

        def flip(values, sizes):
            return values.reshape(*sizes[::-1], -1)[flips].reshape(values.shape)

        same = copy.copy(self)
        same.axes = [x[::-1] if fall else x for x, fall in zip(self.axes, falls)]
        same.vectors = flip(self.vectors, np.maximum(self.dims - 1, 1) if self.of_cells else self.dims)
        same.extras = {name: flip(values, self.dims) for name, values in self.extras.items()}
        return same

    def thick(self):
        """The same scene with a thin layer of cells along axes that are flat."""
        same = copy.copy(self)
        same.axes = list(self.axes)
        same.dims = np.where(self.flat, 2, self.dims)
        for axis in np.flatnonzero(self.flat):
            same.axes[axis] = self.axes[axis][0] + THIN * self.size * np.array([-1.0, 1.0])
        same.rectilinear = True

        def repeat(values):
            values = values.reshape(*self.dims[::-1], -1)
            for axis in np.flatnonzero(self.flat):
                values = np.repeat(values, 2, 2 - axis)
            return values.reshape(int(np.prod(same.dims)), -1)

        same.vectors = self.vectors if self.of_cells else repeat(self.vectors)
        same.extras = {name: repeat(values) for name, values in self.extras.items()}
        return same

    def dataset(self, upright=False):
        turned = self.turned and not upright
        dataset = vtkRectilinearGrid() if self.rectilinear else vtkImageData()
        dataset.SetExtent([int(e) for a in range(3) for e in (self.first[a], self.first[a] + self.dims[a] - 1)])
        if self.rectilinear:
            for x, put in zip(self.axes, (dataset.SetXCoordinates, dataset.SetYCoordinates, dataset.SetZCoordinates)):
                put(numpy_to_vtk(x, deep=True))
        else:
            dataset.SetOrigin(self.origin)
            dataset.SetSpacing(self.spacing)
        if turned:
            matrix = vtkMatrix3x3()
            matrix.DeepCopy(self.rotation.ravel())
            dataset.SetDirectionMatrix(matrix)
        of = dataset.GetCellData() if self.of_cells else dataset.GetPointData()
        add_array(of, VECTORS, self.vectors @ self.rotation.T if turned else self.vectors, self.type)
        of.SetActiveVectors(VECTORS)
        for name, values in self.extras.items():
            add_array(dataset.GetPointData(), name, values, values.dtype)
        if not upright:
            self.hide(dataset)
        return dataset

    def hide(self, dataset):
        for name, of in (("points", dataset.GetPointData()), ("cells", dataset.GetCellData())):
            if name in self.hidden:
                add_array(of, "vtkGhostType", self.hidden[name], np.uint8)

    # Seeds, in the upright grid.

    def make_seeds(self):
        rng = self.rng
        inside = self.low + rng.random((8, 3)) * (self.high - self.low)
        outside = self.low + (rng.random((2, 3)) * 3 - 1) * (self.high - self.low + 0.01 * self.size)
        nodes = np.array([[rng.choice(x) for x in self.axes] for _ in range(2)])
        faces = self.low + rng.random((2, 3)) * (self.high - self.low)
        for seed in faces:
            axis = rng.integers(3)
            seed[axis] = rng.choice(self.axes[axis])
        self.seeds = np.concatenate((inside, outside, nodes, faces))
        rng.shuffle(self.seeds)

    def seed_data(self, positions):
        data = vtkPolyData()
        data.SetPoints(vtkPoints())
        coordinates = vtkDoubleArray()
        coordinates.DeepCopy(numpy_to_vtk(np.ascontiguousarray(positions)))
        data.GetPoints().SetData(coordinates)
        return data

    # Settings by the names of vtkStreamTracer's methods.

    def make_settings(self):
        rng = self.rng
        unit = int(rng.integers(1, 3))
        cell = np.linalg.norm([abs(np.diff(x)).mean() if len(x) > 1 else 0 for x in self.axes])
        first = rng.uniform(0.05, 0.9) * (1.0 if unit == CELL_LENGTH else cell)
        speed = np.linalg.norm(self.vectors.astype(float), axis=1).mean()
        self.settings = {
            "IntegrationDirection": int(rng.integers(3)),
            "IntegratorType": int(rng.integers(3)),
            "IntegrationStepUnit": unit,
            "InitialIntegrationStep": first,
            "MinimumIntegrationStep": first * 10.0 ** rng.uniform(-3, 0),
            "MaximumIntegrationStep": first * 10.0 ** rng.uniform(0.1, 0.5),
            "MaximumError": 10.0 ** rng.uniform(-7, -2) * cell,
            "MaximumNumberOfSteps": int(rng.choice([1, 5, 30, 200])),
            "MaximumPropagation": self.size * 10.0 ** (rng.uniform(-1.0, 0.9) if rng.random() < 0.4 else 2),
            "TerminalSpeed": float(rng.choice([0.0, 1e-12, 0.3 * speed])),
            "ComputeVorticity": bool(rng.random() < 0.7),
        }
        self.maximum_time = float(rng.choice([0.0, 0.3 * self.size / speed])) if rng.random() < 0.2 else 0.0
        self.longest_step = (max(first, self.settings["MaximumIntegrationStep"]) *
                             (max(np.linalg.norm([abs(np.diff(x)).max() if len(x) > 1 else 0 for x in self.axes]), 0)
                              if unit == CELL_LENGTH else 1.0))
        self.in_cells = unit == CELL_LENGTH
        self.adaptive = self.settings["IntegratorType"] == RK45

    def cell_length(self, positions):
        """Diagonals of the cells that positions in the upright grid are in."""
        square = np.zeros(len(positions))
        for x, at in zip(self.axes, positions.T):
            if len(x) > 1:
                x = np.sort(x)
                cells = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
                square += np.diff(x)[cells] ** 2
        return np.sqrt(square)

    def describe(self):
        shape = "rectilinear" if self.rectilinear else "turned" if self.turned else "uniform"
        return (f"case {self.number}: {shape} {self.dims}, {self.kind} {self.type.__name__} vectors of "
                f"{'cells' if self.of_cells else 'points'}, hidden {sorted(self.hidden)}, at most {self.maximum_time} "
                f"time, {self.settings}")
