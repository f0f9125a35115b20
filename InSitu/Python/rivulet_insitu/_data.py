# SPDX-License-Identifier: BSD-3-Clause
"""Fields, particles and meshes as structures of the C interface."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Union

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
    points        of curvilinear fields: coordinates of the nodes, [z, y, x, 3] or a tuple of three [z, y, x]
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


class _Blocks:
    """The blocks of a rank, and the variables that they have in common."""

    def __init__(self, where: str, centring: str) -> None:
        self.where = where
        self.more = int(centring == "nodes")
        self.layouts: dict[str, tuple[int, int, int, int]] = {}
        self.points: Optional[tuple[int, int, int, int]] = None
        self.made: list[_library.Block] = []
        self.cells: list[tuple[int, ...]] = []  # of all blocks, empty ones included
        self.kept: list[Any] = []

    def add(self, block: Block, number: int, domain: Optional[tuple[int, int, int]]) -> None:
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
        self._agree({name: one.layout() for name, one in lattices.items()}, here)
        cells = tuple(extent - self.more - low - high for extent, low, high in zip(shape[::-1], below, above))
        self.cells.append(cells)
        if min(cells) < -self.more:
            raise ValueError(f"{here}: arrays of the shape {shape} have no room for the ghost layers {below} and {above}")
        if not self._is_empty(cells, domain):
            self._make(block, cells, below, above, lattices, here)

    def _agree(self, layouts: dict[str, tuple[int, int, int, int]], here: str) -> None:
        if not self.layouts:
            self.layouts = layouts
        if list(layouts) != list(self.layouts):
            raise ValueError(f"{here} has the variables {list(layouts)}, the first block {list(self.layouts)}: all have the same")
        for name, layout in layouts.items():
            if layout != self.layouts[name]:
                raise ValueError(f"variable '{name}' of {here} has another type, number of components or stride than in the "
                                 "first block: give arrays that are alike")

    def _is_empty(self, cells: tuple[int, ...], domain: Optional[tuple[int, int, int]]) -> bool:
        """Whether the rank has no cells here. A flat field with values at nodes has one layer of nodes and no cells along
        an axis."""
        flat = [self.more and (domain is None or domain[axis] == 0) for axis in range(3)]
        return any(own == -self.more or (own == 0 and not may) for own, may in zip(cells, flat))

    def _make(self, block: Block, cells: tuple[int, ...], below: tuple[int, int, int], above: tuple[int, int, int],
              lattices: dict[str, _arrays.Lattice], here: str) -> None:
        made = _library.Block(level=block.level)
        made.begin[:] = triple(block.begin, f"begin of {here}")
        made.cells[:] = cells
        made.ghosts[:] = below
        made.ghosts_above[:] = [0 if high == low else high or _library.NO_GHOSTS for low, high in zip(below, above)]
        pointers = _pointers([one for lattice in lattices.values() for one in lattice.pointers])
        sizes = [size for lattice in lattices.values() for size in lattice.sizes]
        counted = (ctypes.c_int64 * len(sizes))(*sizes)
        made.data, made.size = pointers, counted
        self.kept += [lattices, pointers, counted]
        if block.points is not None:
            made.points = self._points(block.points, cells, below, above, here)
        self.made.append(made)

    def _points(self, value: Values, cells: tuple[int, ...], below: tuple[int, int, int], above: tuple[int, int, int],
                here: str) -> Any:
        found = _arrays.lattice(value, f"points of {here}")
        nodes = tuple(own + 1 + low + high for own, low, high in zip(cells, below, above))[::-1]
        if found.components != 3 or found.shape != nodes:
            raise ValueError(f"points of {here} have the shape {found.shape} and {found.components} components: give "
                             f"coordinates of all nodes, {nodes} and 3")
        if self.points not in (None, found.layout()):
            raise ValueError(f"points of {here} have another type or stride than in the first block: give arrays that are alike")
        self.points = found.layout()
        pointers = _pointers(found.pointers)
        self.kept += [found, pointers]
        return pointers


def _variable(name: Optional[bytes], layout: tuple[int, int, int, int]) -> _library.Variable:
    type_, components, separate, stride = layout
    return _library.Variable(name, type_, components, separate, stride)


def _domain(domain: Optional[Sequence[int]], ranks: int, blocks: _Blocks, where: str) -> tuple[int, ...]:
    if domain is not None:
        return triple(domain, f"domain of {where}")
    if ranks > 1 or len(blocks.cells) != 1:
        raise ValueError(f"{where} needs `domain`, the cells of the domain of all ranks, (x, y, z)")
    return blocks.cells[0]


def _coordinates(values: Sequence[Optional[np.ndarray]], domain: tuple[int, ...], where: str) -> list[Optional[np.ndarray]]:
    found: list[Optional[np.ndarray]] = []
    for axis, value, cells in zip("xyz", triple(values, f"coordinates of {where}"), domain):
        what = f"coordinates along {axis} of {where}"
        found.append(None if value is None else _arrays.packed(_arrays.column(value, what, (2,), cells + 1), what))
    return found


def field(name: str, blocks: Sequence[Block], *, ranks: int, origin: Sequence[float], spacing: Sequence[float],
          domain: Optional[Sequence[int]], centring: str, ratios: Sequence[Whole],
          coordinates: Optional[Sequence[Optional[np.ndarray]]],
          variables: Optional[Mapping[str, tuple[Any, int]]]) -> Shown:
    where = f"field '{name}'"
    if centring not in _library.CENTRINGS:
        raise ValueError(f"the centring of {where} is {centring!r}: give one of {list(_library.CENTRINGS)}")
    found = _Blocks(where, centring)
    whole = None if domain is None else triple(domain, f"domain of {where}")
    for number, block in enumerate(blocks):
        found.add(block, number, whole)
    if not blocks and variables:
        empty = {variable: np.empty((0, components), dtype) for variable, (dtype, components) in variables.items()}
        found.layouts = {variable: (_arrays.type_of(array, f"variable '{variable}' of {where}"), array.shape[1], 0, 0)
                         for variable, array in empty.items()}
    if not found.layouts:
        raise ValueError(f"{where} has no blocks on this rank: say by `variables` the type and components of each variable")
    made = _library.Field(name_of(name, "a field"), _library.CENTRINGS[centring])
    made.origin[:] = triple(origin, f"origin of {where}")
    made.spacing[:] = triple(spacing, f"spacing of {where}")
    cells = _domain(domain, ranks, found, where)
    made.cells[:] = cells
    made.levels = len(ratios) + 1
    flat = [ratio for level in ratios for ratio in triple_of(level, f"ratios of {where}")]
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
        points = _variable(None, found.points)
        made.points = ctypes.pointer(points)
        kept.append(points)
    return Shown(made, kept)


def _element_arrays(arrays: Optional[Mapping[str, np.ndarray]], count: int, where: str) -> tuple[Any, list[Any]]:
    made = []
    for name, value in (arrays or {}).items():
        found = _arrays.elements(value, f"array '{name}' of {where}", count)
        made.append(_library.Array(name_of(name, f"an array of {where}"), found.type, found.components, found.pointer,
                                   found.stride, found.size))
    return (_library.Array * max(1, len(made)))(*made), list((arrays or {}).values())


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
