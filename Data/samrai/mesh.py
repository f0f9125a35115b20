# SPDX-License-Identifier: BSD-3-Clause
"""Levels of patches: boxes in the index space of their level, who lies over whom, and where the values are.

Boxes are inclusive cell indices and always have three numbers; in 2-D the third is 0 and its ratio 1.
"""

import itertools
import random
from dataclasses import dataclass, field

import numpy


@dataclass(frozen=True)
class Box:
    lower: tuple
    upper: tuple

    def sides(self):
        return tuple(high - low + 1 for low, high in zip(self.lower, self.upper))

    def refined(self, ratio):
        return Box(tuple(low * r for low, r in zip(self.lower, ratio)),
                   tuple((high + 1) * r - 1 for high, r in zip(self.upper, ratio)))


@dataclass(frozen=True)
class Patch:
    level: int
    number: int  # within its level
    box: Box
    processor: int
    block: int = 0  # blocks of a deformed mesh share one index space


@dataclass
class Mesh:
    dimensions: int
    origin: tuple  # where index 0 lies
    spacing: list  # per level, three numbers
    ratios: list  # per level to the next coarser one; that of level 0 is (1, 1, 1)
    domains: list  # per level: the box of the whole domain
    patches: list  # all levels, coarsest first: the index is the global patch id
    deformed: bool = False
    children: list = field(init=False)  # per patch: global ids
    parents: list = field(init=False)

    def __post_init__(self):
        self.children, self.parents = families(self)

    def levels(self):
        return len(self.spacing)

    def counts(self):
        return [sum(patch.level == level for patch in self.patches) for level in range(self.levels())]

    def stored_sides(self, patch, node, ghosts):
        """Values along x, y, z of an array over the patch."""
        return tuple(side + (node and axis < self.dimensions) + 2 * ghost
                     for axis, (side, ghost) in enumerate(zip(patch.box.sides(), ghosts)))

    def positions(self, patch, node, ghosts, time):
        """x, y, z of every value: arrays of shape (nz, ny, nx), or with lengths of 1 that broadcast to it."""
        if not self.deformed:
            return self._reference_positions(patch, 0.0 if node else 0.5, self.stored_sides(patch, node, ghosts), ghosts)
        corners = self.stored_sides(patch, True, ghosts)
        nodes = deform(*self._reference_positions(patch, 0.0, corners, ghosts), self.dimensions, time)
        return nodes if node else tuple(mean_of_corners(axis, self.dimensions) for axis in nodes)

    def _reference_positions(self, patch, shift, sides, ghosts):
        axes = []
        for axis in range(3):
            if axis >= self.dimensions:
                axes.append(numpy.zeros(1))
                continue
            index = numpy.arange(sides[axis]) + (patch.box.lower[axis] - ghosts[axis])
            if axis == 0:
                index = index + patch.block * self.domains[patch.level].sides()[0]
            axes.append(self.origin[axis] + self.spacing[patch.level][axis] * (index + shift))
        x, y, z = axes
        return x[None, None, :], y[None, :, None], z[:, None, None]


def deform(x, y, z, dimensions, time):
    """The smooth map of deformed meshes, which drifts along x."""
    if dimensions == 2:
        parts = x + 0.1 * numpy.sin(y) + time / 4, y + 0.1 * numpy.sin(x), z
    else:
        parts = x + 0.1 * numpy.sin(y + z) + time / 4, y + 0.1 * numpy.sin(x + z), z + 0.1 * numpy.sin(x + y)
    return tuple(numpy.broadcast_arrays(*parts))


def mean_of_corners(nodes, dimensions):
    for axis in range(3 - dimensions, 3):
        count = nodes.shape[axis] - 1
        nodes = (nodes.take(range(count), axis) + nodes.take(range(1, count + 1), axis)) / 2
    return nodes


def families(mesh):
    """The children of a patch are all patches of the next level that meet its refined box; and the reverse."""
    children = [[] for _ in mesh.patches]
    parents = [[] for _ in mesh.patches]
    starts = numpy.concatenate([[0], numpy.cumsum(mesh.counts())]).tolist()
    for level in range(1, mesh.levels()):
        fine = mesh.patches[starts[level]:starts[level + 1]]
        lower = numpy.array([patch.box.lower for patch in fine]).reshape(-1, 3)
        upper = numpy.array([patch.box.upper for patch in fine]).reshape(-1, 3)
        blocks = numpy.array([patch.block for patch in fine])
        for parent in range(starts[level - 1], starts[level]):
            box = mesh.patches[parent].box.refined(mesh.ratios[level])
            meets = numpy.logical_and(lower <= box.upper, upper >= box.lower).all(axis=1)
            for child in numpy.flatnonzero(meets & (blocks == mesh.patches[parent].block)).tolist():
                children[parent].append(starts[level] + child)
                parents[starts[level] + child].append(parent)
    return children, parents


def refined_region(region, fraction, dimensions, shift):
    """The middle of a region, moved by some cells along x; in the indices of the region."""
    lower, upper = list(region.lower), list(region.upper)
    for axis in range(dimensions):
        side = region.sides()[axis]
        margin = min(round(side * (1 - fraction) / 2), (side - 1) // 2)
        move = min(max(shift, -margin), margin) if axis == 0 else 0
        lower[axis] += margin + move
        upper[axis] -= margin - move
    return Box(tuple(lower), tuple(upper))


def cut(region, parts):
    """A grid of boxes, x fastest; the sides of boxes differ by at most one cell."""
    pieces = []
    for low, side, count in zip(region.lower, region.sides(), parts):
        if count > side:
            raise ValueError(f"{count} patches do not fit along a side of {side} cells: fewer --patches or more --cells")
        edges = [low + side * part // count for part in range(count + 1)]
        pieces.append([(edges[part], edges[part + 1] - 1) for part in range(count)])
    return [Box((x[0], y[0], z[0]), (x[1], y[1], z[1])) for z, y, x in itertools.product(*reversed(pieces))]


def boxes_of_levels(regions, ratios, parts, holes):
    """Per level its boxes. Fine boxes are whole coarse cells, but do not end where the coarse boxes do."""
    levels = []
    for level, (region, ratio) in enumerate(zip(regions, ratios)):
        boxes = [box.refined(ratio) for box in cut(region, parts[min(level, len(parts) - 1)])]
        if holes and level > 0 and level == len(regions) - 1 and len(boxes) > 2:
            boxes = [box for number, box in enumerate(boxes) if number % 3 != 1]
        levels.append(boxes)
    return levels


def halves(box, least, chance):
    """A box cut at random places until the parts would be smaller than `least`, or chance ends it."""
    axes = [axis for axis, side in enumerate(box.sides()) if side >= 2 * least]
    if not axes or chance.random() < 0.3:
        return [box]
    axis = chance.choice(axes)
    last = box.lower[axis] + chance.randint(least, box.sides()[axis] - least) - 1
    upper, lower = list(box.upper), list(box.lower)
    upper[axis], lower[axis] = last, last + 1
    return halves(Box(box.lower, tuple(upper)), least, chance) + halves(Box(tuple(lower), box.upper), least, chance)


def scattered_boxes(domain, ratios, seed):
    """Per level its boxes: of any size from one cell up, some side by side, each within one of the next coarser level."""
    chance = random.Random(seed)
    levels = [halves(domain, 3, chance)]
    for ratio in ratios[1:]:
        boxes = []
        for box in levels[-1]:
            if boxes and chance.random() < 0.3:
                continue
            ends = [sorted(chance.randint(low, high) for _ in range(2)) for low, high in zip(box.lower, box.upper)]
            part = Box(*zip(*ends))
            boxes += [piece.refined(ratio) for piece in halves(part, 1 if chance.random() < 0.3 else 2, chance)]
        levels.append(boxes)
    return levels


def make_mesh(options, step=0):
    """The mesh of one time step; see options.py for what the options mean."""
    dimensions = options.dimensions
    flat = tuple(int(axis >= dimensions) for axis in range(3))
    cells = tuple(1 if flat[axis] else options.cells[axis] for axis in range(3))
    lower = tuple(0 if flat[axis] else options.lower[axis] for axis in range(3))
    ratios = [(1, 1, 1)]
    for level in range(1, options.levels):
        ratio = options.ratio[min(level, len(options.ratio)) - 1]
        ratios.append(tuple(1 if flat[axis] else ratio[axis] for axis in range(3)))
    parts = [tuple(1 if flat[axis] else counts[axis] for axis in range(3)) for counts in options.patches]
    domain = Box(lower, tuple(low + count - 1 for low, count in zip(lower, cells)))
    regions, domains = [domain], [domain]  # a region is in the indices of the next coarser level, that of level 0 in its own
    for level in range(1, options.levels):
        whole = regions[-1].refined(ratios[level - 1])
        regions.append(refined_region(whole, options.refine, dimensions, step if options.regrid else 0))
        domains.append(domains[-1].refined(ratios[level]))
    spacing = [tuple(0.0 if flat[axis] else options.spacing[axis] for axis in range(3))]
    for ratio in ratios[1:]:
        spacing.append(tuple(width / r for width, r in zip(spacing[-1], ratio)))
    patches = []
    busy = options.processors - options.empty_processors
    boxes_by_level = (boxes_of_levels(regions, ratios, parts, options.holes) if options.scatter is None
                      else scattered_boxes(domain, ratios, options.scatter))
    for level, boxes in enumerate(boxes_by_level):
        owned = [(box, block) for block in range(options.blocks) for box in boxes]
        if options.shuffle is not None:
            random.Random(options.shuffle + level).shuffle(owned)
        patches += [Patch(level, number, box, number * busy // len(owned), block)
                    for number, (box, block) in enumerate(owned)]
    origin = tuple(0.0 if flat[axis] else options.origin[axis] for axis in range(3))
    return Mesh(dimensions, origin, spacing, ratios, domains, patches, options.deformed)
