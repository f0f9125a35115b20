# SPDX-License-Identifier: BSD-3-Clause
"""Fields, particles and meshes as structures of the C interface."""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _arrays, _library

Values = Union[np.ndarray, Sequence[np.ndarray]]
Whole = Union[int, Sequence[int]]


@dataclass
class Block:
    """A block of cells: a piece of a uniform grid, or a patch of one level of an AMR mesh.

    variables     values by name, [z, y, x] or [z, y, x, component] with ghost layers, or a tuple of [z, y, x], one array
                  for each component
    begin         first cell without ghosts, (x, y, z), counted from the lower corner of the domain on this level
    level         0 for uniform grids
    ghosts        layers of ghost cells (or nodes) below the block: one number, or (x, y, z)
    ghosts_above  the same above the block; None: as below
    points        of curvilinear fields: coordinates of the nodes, [z, y, x, 3] or a tuple of three [z, y, x]; of a block
                  without cells an array of their type, such as numpy.zeros((0, 0, 0, 3))
    """

    variables: Mapping[str, Values]
    begin: Sequence[int] = (0, 0, 0)
    level: int = 0
    ghosts: Whole = 0
    ghosts_above: Optional[Whole] = None
    points: Optional[Values] = None


def triple(value: Any, what: str) -> tuple[Any, Any, Any]:
    found = tuple(value)
    if len(found) != 3:
        raise ValueError(f"{what} has {len(found)} numbers: give three, (x, y, z)")
    return found


def triple_of(value: Whole, what: str) -> tuple[Any, Any, Any]:
    return (value,) * 3 if np.isscalar(value) else triple(value, what)


def name_of(name: str, what: str) -> bytes:
    if not isinstance(name, str) or not name or "\0" in name:
        raise ValueError(f"the name of {what} is {name!r}: give a text that is not empty")
    return name.encode()


@dataclass
class Shown:
    """A structure, and all memory behind its pointers."""

    structure: ctypes.Structure
    kept: list[Any]


def _pointers(values: Sequence[Optional[int]]) -> Any:
    return (ctypes.c_void_p * len(values))(*values)


Layout = Tuple[int, int, int, int]  # type, components, separate, stride


def _common_layout(lattices: Sequence[_arrays.Lattice]) -> Layout:
    """The layout of the first block that has at least two elements, else of the first one. Smaller blocks take it where
    they can."""
    common = next((one for one in lattices if math.prod(one.shape) > 1), lattices[0]).layout()
    for one in lattices:
        one.adopt(common)
    return common


@dataclass
class _CheckedBlock:
    """A block whose arrays have been looked at."""

    block: Block
    here: str
    below: tuple[int, int, int]
    above: tuple[int, int, int]
    cells: tuple[int, ...]
    lattices: dict[str, _arrays.Lattice]
    points: Optional[_arrays.Lattice]
    empty: bool


class _Blocks:
    """The blocks of a rank, and the variables that they have in common."""

    def __init__(self, where: str, centring: str, domain: Optional[tuple[int, int, int]], ratios: Sequence[Whole]) -> None:
        self.where = where
        self.more = int(centring == "nodes")
        self.domain = domain
        self.ratios = [triple_of(ratio, f"ratios of {where}") for ratio in ratios]
        self.layouts: dict[str, Layout] = {}
        self.points: Optional[Layout] = None
        self.read: list[_CheckedBlock] = []
        self.made: list[_library.Block] = []
        self.kept: list[Any] = []

    def add(self, block: Block, number: int) -> None:
        here = f"{self.where}, block {number}"
        if not block.variables:
            raise ValueError(f"{here} has no variables")
        below = triple_of(block.ghosts, f"ghosts of {here}")
        above = below if block.ghosts_above is None else triple_of(block.ghosts_above, f"ghosts_above of {here}")
        if min(*below, *above) < 0:
            raise ValueError(f"{here} has less than no ghost layers")
        lattices = {name: _arrays.lattice(value, f"variable '{name}' of {self.where}")
                    for name, value in block.variables.items()}
        shape = next(iter(lattices.values())).shape
        for name, one in lattices.items():
            if one.shape != shape:
                raise ValueError(f"variable '{name}' of {here} has the shape {one.shape}, '{next(iter(lattices))}' has {shape}: "
                                 "all variables of a block have the same cells and ghosts")
        cells = tuple(extent - self.more - low - high for extent, low, high in zip(shape[::-1], below, above))
        if min(cells) < -self.more:
            raise ValueError(f"{here}: arrays of the shape {shape} have no room for the ghost layers {below} and {above}")
        empty = self._is_empty(cells, here)
        if not empty:
            self._check_order(block, cells, here)
        points = None if block.points is None else self._read_points(block.points, cells, below, above, empty, here)
        self.read.append(_CheckedBlock(block, here, below, above, cells, lattices, points, empty))

    def _is_empty(self, cells: tuple[int, ...], here: str) -> bool:
        """Whether the rank has no cells here. A flat field with values at nodes has one layer of nodes and no cells along
        an axis."""
        flat = [self.more and (self.domain is None or self.domain[axis] == 0) for axis in range(3)]
        without = [axis for axis in range(3) if cells[axis] == -self.more or (cells[axis] == 0 and not flat[axis])]
        if self.more and self.domain is not None and len(without) == 1:
            axis = without[0]
            if cells[axis] == 0 and self.domain[axis] == 1:
                raise ValueError(f"{here} has one layer of nodes along {'xyz'[axis]}, which has no cells, and the domain has one "
                                 f"cell there: a flat field of nodes has 0 cells along {'xyz'[axis]} in `domain`; a rank "
                                 "without cells gives arrays without any values")
        return bool(without)

    def _check_order(self, block: Block, cells: tuple[int, ...], here: str) -> None:
        """Arrays of the order [x, y, z] are told where their cells fit into the domain in this order alone."""
        if self.domain is None or not 0 <= block.level <= len(self.ratios):
            return
        begin = triple(block.begin, f"begin of {here}")
        domain = list(self.domain)
        for ratio in self.ratios[:block.level]:
            domain = [cells_ * finer for cells_, finer in zip(domain, ratio)]

        def fit(order: tuple[int, ...]) -> bool:
            return all(first + own <= whole for first, own, whole in zip(begin, order, domain))

        if not fit(cells) and fit(cells[::-1]):
            raise ValueError(f"{here} has {cells} cells along (x, y, z) from {tuple(begin)} on, and the domain of its level "
                             f"{tuple(domain)}: the axes of arrays are z, y, x; of an array of the order [x, y, z] give "
                             "numpy.ascontiguousarray(array.T)")

    def _read_points(self, value: Values, cells: tuple[int, ...], below: tuple[int, int, int], above: tuple[int, int, int],
                     empty: bool, here: str) -> _arrays.Lattice:
        found = _arrays.lattice(value, f"points of {here}")
        nodes = tuple(own + 1 + low + high for own, low, high in zip(cells, below, above))[::-1]
        if found.components != 3 or (found.shape != nodes and not empty):
            raise ValueError(f"points of {here} have the shape {found.shape} and {found.components} components: give "
                             f"coordinates of all nodes, {nodes} and 3")
        return found

    def make(self) -> None:
        """Structures of the blocks that have cells, and what all blocks have in common, once all have been added."""
        self._agree_on_variables()
        self._agree_on_points()
        for one in self.read:
            if not one.empty:
                self._make(one)

    def _agree_on_variables(self) -> None:
        for one in self.read:
            if list(one.lattices) != list(self.read[0].lattices):
                raise ValueError(f"{one.here} has the variables {list(one.lattices)}, the first block "
                                 f"{list(self.read[0].lattices)}: all have the same")
        for name in self.read[0].lattices if self.read else ():
            self.layouts[name] = _common_layout([one.lattices[name] for one in self.read])
            for one in self.read:
                if one.lattices[name].layout() != self.layouts[name]:
                    raise ValueError(f"variable '{name}' of {one.here} has another type, number of components or stride than in "
                                     "other blocks: give arrays that are alike")

    def _agree_on_points(self) -> None:
        """A rank without cells keeps the points of its empty arrays: the field is curvilinear on all ranks."""
        found = [one.points for one in self.read if one.points is not None]
        if not found:
            return
        self.points = _common_layout(found)
        for one in self.read:
            if one.points is None and not one.empty:
                raise ValueError(f"{one.here} has no points, and other blocks have some: all blocks of a curvilinear field have "
                                 "points")
            if one.points is not None and one.points.layout() != self.points:
                raise ValueError(f"points of {one.here} have another type or stride than in other blocks: give arrays that are "
                                 "alike")

    def _make(self, read: _CheckedBlock) -> None:
        made = _library.Block(level=read.block.level)
        made.begin[:] = triple(read.block.begin, f"begin of {read.here}")
        made.cells[:] = read.cells
        made.ghosts[:] = read.below
        made.ghosts_above[:] = [0 if high == low else high or _library.NO_GHOSTS for low, high in zip(read.below, read.above)]
        pointers = _pointers([one for lattice in read.lattices.values() for one in lattice.pointers])
        sizes = [size for lattice in read.lattices.values() for size in lattice.sizes]
        counted = (ctypes.c_int64 * len(sizes))(*sizes)
        made.data, made.size = pointers, counted
        self.kept += [read, pointers, counted]
        if read.points is not None:
            places = _pointers(read.points.pointers)
            made.points = places
            self.kept.append(places)
        self.made.append(made)


def _variable(name: Optional[bytes], layout: Layout) -> _library.Variable:
    type_, components, separate, stride = layout
    return _library.Variable(name, type_, components, separate, stride)


def _domain(domain: Optional[Sequence[int]], ranks: int, blocks: _Blocks, where: str) -> tuple[int, ...]:
    if domain is not None:
        return triple(domain, f"domain of {where}")
    if ranks > 1 or len(blocks.read) != 1:
        raise ValueError(f"{where} needs `domain`, the cells of the domain of all ranks, (x, y, z)")
    return blocks.read[0].cells


def _coordinates(values: Sequence[Optional[np.ndarray]], domain: tuple[int, ...], where: str) -> list[Optional[np.ndarray]]:
    found: list[Optional[np.ndarray]] = []
    for axis, value, cells in zip("xyz", triple(values, f"coordinates of {where}"), domain):
        what = f"coordinates along {axis} of {where}"
        found.append(None if value is None else _arrays.packed(_arrays.column(value, what, (2,), cells + 1), what))
    return found


def field(name: str, blocks: Sequence[Block], *, ranks: int, origin: Sequence[float], spacing: Sequence[float],
          domain: Optional[Sequence[int]], centring: str, ratios: Sequence[Whole],
          coordinates: Optional[Sequence[Optional[np.ndarray]]],
          variables: Optional[Mapping[str, tuple[Any, int]]], points: Any) -> Shown:
    where = f"field '{name}'"
    if centring not in _library.CENTRINGS:
        raise ValueError(f"the centring of {where} is {centring!r}: give one of {list(_library.CENTRINGS)}")
    whole = None if domain is None else triple(domain, f"domain of {where}")
    found = _Blocks(where, centring, whole, ratios)
    for number, block in enumerate(blocks):
        found.add(block, number)
    found.make()
    if not blocks and variables:
        empty = {variable: np.empty((0, components), dtype) for variable, (dtype, components) in variables.items()}
        found.layouts = {variable: (_arrays.type_of(array, f"variable '{variable}' of {where}"), array.shape[1], 0, 0)
                         for variable, array in empty.items()}
    if not blocks and points is not None:
        found.points = (_arrays.type_of(np.empty(0, points), f"points of {where}"), 3, 0, 0)
    if not found.layouts:
        raise ValueError(f"{where} has no blocks on this rank: say by `variables` the type and components of each variable")
    made = _library.Field(name_of(name, "a field"), _library.CENTRINGS[centring])
    made.origin[:] = triple(origin, f"origin of {where}")
    made.spacing[:] = triple(spacing, f"spacing of {where}")
    cells = _domain(domain, ranks, found, where)
    made.cells[:] = cells
    made.levels = len(ratios) + 1
    flat = [ratio for level in found.ratios for ratio in level]
    ratio = (ctypes.c_int32 * max(1, len(flat)))(*flat)
    described = [_variable(name_of(one, f"a variable of {where}"), layout) for one, layout in found.layouts.items()]
    listed = (_library.Variable * len(described))(*described)
    placed = (_library.Block * max(1, len(found.made)))(*found.made)
    made.ratio = ratio if ratios else None
    made.variables, made.variable = len(listed), listed
    made.blocks, made.block = len(found.made), placed
    kept = [found, ratio, listed, placed]
    if coordinates is not None:
        along = _coordinates(coordinates, cells, where)
        made.coordinates[:] = [None if one is None else one.ctypes.data for one in along]
        kept.append(along)
    if found.points is not None:
        of_points = _variable(None, found.points)
        made.points = ctypes.pointer(of_points)
        kept.append(of_points)
    return Shown(made, kept)


def _element_arrays(arrays: Optional[Mapping[str, np.ndarray]], count: int, where: str) -> tuple[Any, list[Any]]:
    made, kept = [], []
    for name, value in (arrays or {}).items():
        kept.append(value)  # this very array: a mapping may make another one each time it is asked
        found = _arrays.elements(value, f"array '{name}' of {where}", count)
        made.append(_library.Array(name_of(name, f"an array of {where}"), found.type, found.components, found.pointer,
                                   found.stride, found.size))
    return (_library.Array * max(1, len(made)))(*made), kept


def particles(name: str, positions: Values, *, velocities: Optional[Values], ids: Optional[np.ndarray],
              types: Optional[np.ndarray], arrays: Optional[Mapping[str, np.ndarray]], low: Sequence[float],
              high: Sequence[float], periodic: Sequence[bool]) -> Shown:
    where = f"particles '{name}'"
    groups = {"positions": positions} if velocities is None else {"positions": positions, "velocities": velocities}
    found: dict[str, np.ndarray] = {}
    for kind, names in (("positions", ("x", "y", "z")), ("velocities", ("vx", "vy", "vz"))):
        if kind in groups:
            found.update(zip(names, _arrays.columns(groups[kind], f"{kind} of {where}")))
    count, dtype = found["x"].size, found["x"].dtype
    for one, array in found.items():
        _arrays.column(array, f"{one} of {where}", (1, 2), count)
        if array.dtype != dtype:
            raise TypeError(f"{one} of {where} has values of type {array.dtype}, x has {dtype}: all of x to vz have one type")
    made = _library.Particles(name_of(name, "particles"), count, real=_arrays.type_of(found["x"], f"x of {where}"),
                              stride=_arrays.common_stride({f"{one} of {where}": array for one, array in found.items()}))
    for one, array in found.items():
        setattr(made, one, _arrays.pointer(array))
    tags = {}
    for one, value, type_ in (("id", ids, 4), ("type", types, 3)):
        if value is not None:
            tags[one] = _arrays.column(value, f"{one}s of {where}", (type_,), count)
            setattr(made, one, _arrays.pointer(tags[one]))
    made.tag_stride = _arrays.common_stride({f"{one}s of {where}": array for one, array in tags.items()})
    listed, kept = _element_arrays(arrays, count, where)
    made.arrays, made.array = len(arrays or {}), listed
    made.low[:] = triple(low, f"low of {where}")
    made.high[:] = triple(high, f"high of {where}")
    made.periodic[:] = [int(bool(one)) for one in triple(periodic, f"periodic of {where}")]
    return Shown(made, [found, tags, listed, kept])


def mesh(name: str, points: np.ndarray, cells: tuple[np.ndarray, np.ndarray, np.ndarray], *,
         at_points: Optional[Mapping[str, np.ndarray]], at_cells: Optional[Mapping[str, np.ndarray]],
         ghost_cells: Optional[np.ndarray]) -> Shown:
    where = f"mesh '{name}'"
    places = _arrays.packed(_arrays.check_array(points, f"points of {where}"), f"points of {where}")
    if places.ndim != 2 or places.shape[1] != 3 or _arrays.type_of(places, f"points of {where}") not in (1, 2):
        raise ValueError(f"points of {where} have the shape {places.shape} and the type {places.dtype}: give [n, 3] of "
                         "float64 or float32")
    types, offsets, connectivity = cells
    known = _arrays.check_array(types, f"types of {where}")
    count = known.size
    found = {"type": _arrays.column(known, f"types of {where}", (5,), count),
             "offset": _arrays.column(offsets, f"offsets of {where}", (3, 4), count + 1),
             "connectivity": _arrays.check_array(connectivity, f"connectivity of {where}")}
    _arrays.column(found["connectivity"], f"connectivity of {where}", (3, 4), found["connectivity"].size)
    if found["offset"].dtype != found["connectivity"].dtype:
        raise TypeError(f"offsets of {where} are {found['offset'].dtype}, connectivity is {found['connectivity'].dtype}: "
                        "give both as int64 or both as int32")
    if int(found["offset"][-1]) != found["connectivity"].size:
        raise ValueError(f"offsets of {where} end at {found['offset'][-1]}, and there are {found['connectivity'].size} "
                         "points of cells: give an offset for each cell, and last their number")
    if ghost_cells is not None:
        found["ghost_cells"] = _arrays.column(ghost_cells, f"ghost_cells of {where}", (5,), count)
    made = _library.Mesh(name_of(name, "a mesh"), _arrays.type_of(places, where), _arrays.type_of(found["offset"], where),
                         len(places), _arrays.pointer(places), count)
    for one, array in found.items():
        setattr(made, one, _arrays.pointer(_arrays.packed(array, f"{one} of {where}")))
    nodes, kept_nodes = _element_arrays(at_points, len(places), where)
    inside, kept_inside = _element_arrays(at_cells, count, where)
    made.point_arrays, made.at_point = len(at_points or {}), nodes
    made.cell_arrays, made.at_cell = len(at_cells or {}), inside
    return Shown(made, [places, found, nodes, inside, kept_nodes, kept_inside])
