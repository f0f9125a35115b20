# SPDX-License-Identifier: BSD-3-Clause
"""Random levels of boxes with random values: as VTK has them, and what a field through them is, worked out slowly.

The second part is written without a look at the filter: dense arrays of every level, one node at a time.
"""
import itertools

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkAMRBox, vtkMultiBlockDataSet, vtkOverlappingAMR, vtkUniformGrid

XY_PLANE, XYZ_GRID = 5, 8  # what VTK calls grids of two and of three dimensions
ORIGIN = np.array((-1.25, 0.5, 2.0))


class Level:
    """The boxes of a level, (begin, end) in its cells, and its values: NaN where it has none."""

    def __init__(self, ratio, cells, boxes, spacing, flat):
        self.ratio, self.cells, self.boxes, self.spacing, self.flat = ratio, cells, boxes, spacing, flat
        self.has = np.zeros(cells, bool)
        for begin, end in boxes:
            self.has[tuple(map(slice, begin, end))] = True
        self.arrays = {}

    def fill(self, name, random, components, low, high):
        values = random.uniform(low, high, (*self.cells, components))
        values[~self.has] = np.nan
        self.arrays[name] = values


def sub_box(random, box, ratio, used):
    """Part of a coarser box, in cells that are finer; thin ones and whole ones among them."""
    begin, end = [], []
    for low, high, use in zip(*box, used):
        first = random.integers(low, high) if use and random.random() < 0.7 else low
        last = random.integers(first + 1, high + 1) if use and random.random() < 0.7 else high
        begin.append(first)
        end.append(last)
    return tuple(np.array(begin) * ratio), tuple(np.array(end) * ratio)


def overlap(a, b):
    return all(max(x, y) < min(z, w) for x, y, z, w in zip(a[0], b[0], a[1], b[1]))


def random_levels(seed, axes, equal_ratios=True):
    """Two or three levels over a few cells. All boxes of finer levels are whole coarser cells."""
    random = np.random.default_rng(seed)
    used = np.arange(3) < axes
    cells = np.where(used, random.integers((2, 1, 1), 6), 1)
    cut = random.integers(1, cells[0])
    boxes = [((0, 0, 0), (cut, *cells[1:])), ((cut, 0, 0), tuple(cells))]
    if random.random() < 0.3 and cells[1] > 1:  # a domain that is no box
        boxes[1] = ((cut, 0, 0), (cells[0], cells[1] - 1, cells[2]))
    levels = [Level(np.ones(3, int), cells, boxes, np.array((0.5, 0.25, 0.75)), ~used)]
    for _ in range(random.integers(1, 3)):
        ratio = np.where(used, random.integers(2, 5, 3) if not equal_ratios else random.integers(2, 5), 1)
        boxes = []
        for _ in range(4):
            coarse = levels[-1].boxes[random.integers(len(levels[-1].boxes))]
            box = sub_box(random, coarse, ratio, used)
            if not any(overlap(box, other) for other in boxes):
                boxes.append(box)
        levels.append(Level(ratio, levels[-1].cells * ratio, boxes, levels[-1].spacing / ratio, ~used))
    for level in levels:
        level.fill("a", random, 1, 0.01, 99.0)
        level.fill("v", random, 3, 0.3, 1.5)
        level.arrays["v"][..., axes:] = 0.0
    return levels


def with_other_boxes(levels, random):
    """Random finer boxes over the same coarsest level, with other values."""
    first = levels[0]
    moved = [Level(first.ratio, first.cells, first.boxes, first.spacing, first.flat)]
    for level in levels[1:]:
        boxes = []
        for _ in range(4):
            coarse = moved[-1].boxes[random.integers(len(moved[-1].boxes))]
            box = sub_box(random, coarse, level.ratio, ~level.flat)
            if not any(overlap(box, other) for other in boxes):
                boxes.append(box)
        moved.append(Level(level.ratio, level.cells, boxes, level.spacing, level.flat))
    for level in moved:
        level.fill("a", random, 1, 0.01, 99.0)
        level.fill("v", random, 3, -1.5, 1.5)
    return moved[:random.integers(1, len(moved) + 1)]


def block(level, box, layers=0):
    """A grid with some layers of cells around its box that belong to others, and values there that are nobody's."""
    around = np.where(level.flat, 0, layers)
    begin, end = np.array(box[0]) - around, np.array(box[1]) + around
    grid = vtkUniformGrid()
    grid.SetOrigin(*(ORIGIN + begin * level.spacing))
    grid.SetSpacing(*level.spacing)
    grid.SetDimensions(*map(int, end - begin + ~level.flat))
    own = tuple(slice(n, size - n) for n, size in zip(around, end - begin))
    for name, values in level.arrays.items():
        part = np.full((*(end - begin), values.shape[-1]), -1e30)
        part[own] = values[tuple(map(slice, *box))]
        array = numpy_to_vtk(part.transpose(2, 1, 0, 3).reshape(-1, values.shape[-1]).copy(), deep=True)
        array.SetName(name)
        grid.GetCellData().AddArray(array)
    if layers:
        marks = np.ones(end - begin, np.uint8)
        marks[own] = 0
        array = numpy_to_vtk(marks.transpose(2, 1, 0).reshape(-1).copy(), deep=True)
        array.SetName("vtkGhostType")
        grid.GetCellData().AddArray(array)
    return grid


def as_amr(levels):
    amr = vtkOverlappingAMR()
    counts = [len(level.boxes) for level in levels]
    try:
        amr.Initialize(counts)  # VTK 9.6 and later
    except TypeError:
        amr.Initialize(len(counts), counts)
    flat = levels[0].flat[2]
    amr.SetGridDescription(XY_PLANE if flat else XYZ_GRID)
    amr.SetOrigin(ORIGIN)
    for number, level in enumerate(levels):
        amr.SetSpacing(number, level.spacing)
        amr.SetRefinementRatio(number, int(levels[number + 1].ratio[0]) if number + 1 < len(levels) else 2)
        for place, (begin, end) in enumerate(level.boxes):
            last = [int(e) - 1 for e in end]
            last[2] = -1 if flat else last[2]
            amr.SetAMRBox(number, place, vtkAMRBox([int(b) for b in begin], last))
            amr.SetDataSet(number, place, block(level, (begin, end)))
    return amr


def as_multiblock(levels, layers=0):
    output = vtkMultiBlockDataSet()
    for number, level in enumerate(levels):
        blocks = vtkMultiBlockDataSet()
        for place, box in enumerate(level.boxes):
            blocks.SetBlock(place, block(level, box, layers))
        output.SetBlock(number, blocks)
    return output


class Reference:
    """What an array is at any place: linear between nodes that have the mean of the cells around."""

    def __init__(self, levels, name):
        self.levels = levels
        self.cells = [level.arrays[name].copy() for level in levels]
        self.coarser_has = [np.zeros(level.cells, bool) for level in levels]
        for fine in range(len(levels) - 1, 0, -1):
            ratio = levels[fine].ratio
            for at in np.ndindex(*levels[fine - 1].cells):
                parts = self.cells[fine][tuple(slice(i * r, (i + 1) * r) for i, r in zip(at, ratio))]
                if not np.isnan(parts).any():
                    self.cells[fine - 1][at] = parts.reshape(-1, parts.shape[-1]).mean(axis=0)
        for fine in range(1, len(levels)):
            for at in np.ndindex(*levels[fine].cells):
                coarse = tuple(np.array(at) // levels[fine].ratio)
                self.coarser_has[fine][at] = levels[fine - 1].has[coarse] or self.coarser_has[fine - 1][coarse]
        self.known = {}

    def node(self, number, node):
        if (number, node) not in self.known:
            self.known[number, node] = self.work_out(number, node)
        return self.known[number, node]

    def work_out(self, number, node):
        level = self.levels[number]
        around = [at for at in itertools.product(*((n - 1, n) for n in node))
                  if all(0 <= i < n for i, n in zip(at, level.cells))]
        if any(self.coarser_has[number][at] and not level.has[at] for at in around):
            whole, rest = np.divmod(node, level.ratio)
            return self.between(number - 1, whole, rest / level.ratio)
        return np.mean([self.cells[number][at] for at in around if not np.isnan(self.cells[number][at]).any()], axis=0)

    def between(self, number, cell, fraction):
        total = 0.0
        for corner in itertools.product((0, 1), repeat=3):
            share = np.prod(np.where(corner, fraction, 1.0 - fraction))
            if share > 0.0:
                total = total + share * self.node(number, tuple(int(i) for i in cell + np.array(corner)))
        return total

    def value(self, place):
        for number in range(len(self.levels) - 1, -1, -1):
            level = self.levels[number]
            index = (place - ORIGIN) / level.spacing
            cell = np.clip(np.floor(index), 0, np.array(level.cells) - 1).astype(int)
            if level.has[tuple(cell)]:
                return self.between(number, cell, np.where(level.flat, 0.0, np.clip(index - cell, 0.0, 1.0)))
        return None
