# SPDX-License-Identifier: BSD-3-Clause
"""Arrays of NumPy as the C interface describes memory: pointers, strides in bytes, and numbers of values.

Nothing is copied here. An array that the interface cannot describe is refused, and the message names the array and the
remedy.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Optional, Sequence

import numpy as np

TYPES = {("f", 4): 1, ("f", 8): 2, ("i", 4): 3, ("i", 8): 4, ("u", 1): 5}
NAMES = "float32, float64, int32, int64 and uint8"


def check_array(value: Any, what: str) -> np.ndarray:
    """The value itself, if it is an array that can be shown."""
    if not isinstance(value, np.ndarray):
        raise TypeError(f"{what} is a {type(value).__module__}.{type(value).__qualname__}, not an array: give a "
                        "numpy.ndarray in the memory of the host (numpy.asarray makes one)")
    if isinstance(value, np.ma.MaskedArray):
        raise TypeError(f"{what} is a masked array, and its mask would be lost: give the result of its method filled(...)")
    if not value.flags.aligned:
        raise ValueError(f"{what} is not aligned: make its structure with numpy.dtype(..., align=True), or give a copy")
    return value


def type_of(array: np.ndarray, what: str) -> int:
    """Number of the type of the values, as RIVULET_FLOAT64."""
    known = TYPES.get((array.dtype.kind, array.dtype.itemsize)) if array.dtype.isnative else None
    if known is None:
        remedy = "view(numpy.uint8)" if array.dtype == np.bool_ else "astype(numpy.float64), which is a copy"
        raise TypeError(f"{what} has values of type {array.dtype}; known are {NAMES}: give the result of its method {remedy}")
    return known


def pointer(array: np.ndarray) -> Optional[int]:
    return array.ctypes.data if array.size else None


def span(elements: int, stride: int, components: int, bytes_of_value: int) -> int:
    """Values from the first one to the end of the last element, holes included."""
    packed = components * bytes_of_value
    return -(-((elements - 1) * (stride or packed) + packed) // bytes_of_value) if elements else 0


@dataclass
class Lattice:
    """Values of cells or nodes: one pointer, or one for each separate component."""

    type: int
    components: int
    separate: int
    stride: int
    shape: tuple[int, int, int]  # z, y, x
    pointers: list[Optional[int]]
    sizes: list[int]
    kept: list[np.ndarray]

    def layout(self) -> tuple[int, int, int, int]:
        """All that the blocks of a rank must have in common."""
        return self.type, self.components, self.separate, self.stride

    def adopt(self, layout: tuple[int, int, int, int]) -> None:
        """Takes the stride of other blocks, and their separation, where that describes the same memory. Less than two
        elements have no stride of their own."""
        type_, components, separate, stride = layout
        if math.prod(self.shape) > 1 or (self.type, self.components) != (type_, components):
            return
        pointers = self.pointers
        bytes_of_value = self.kept[0].dtype.itemsize
        if separate > self.separate:
            pointers = [None if pointers[0] is None else pointers[0] + c * bytes_of_value for c in range(components)]
        elif separate < self.separate:
            if any(None not in (one, pointers[0]) and one != pointers[0] + c * bytes_of_value for c, one in enumerate(pointers)):
                return  # the components of the one element do not lie side by side
            pointers = pointers[:1]
        size = span(math.prod(self.shape), stride, 1 if separate else components, bytes_of_value)
        self.separate, self.stride, self.pointers, self.sizes = separate, stride, pointers, [size] * len(pointers)


def _distance(array: np.ndarray, what: str) -> int:
    """Bytes from a value to the next one, x running fastest. 0: there are less than two."""
    element, count = 0, 1
    if array.size < 2:
        return 0
    for axis, extent, stride in zip("xyz", array.shape[2::-1], array.strides[2::-1]):
        if extent > 1:
            element = element or stride
            if stride != element * count:
                raise ValueError(f"{what}, an array of shape {array.shape} and strides {array.strides}, has gaps or another "
                                 f"order along {axis}: {_remedy(array)}")
        count *= extent
    if element <= 0:
        raise ValueError(f"{what} runs backwards or repeats values: give a copy (numpy.ascontiguousarray)")
    return element


def _remedy(array: np.ndarray) -> str:
    if array.flags.f_contiguous:
        return "the order is [z, y, x]; if the axes are [x, y, z] in Fortran's order, give array.T (or a tuple of " \
               "array[..., c].T), else a copy (numpy.ascontiguousarray)"
    if array.base is not None:
        return "give the whole array, and say by `ghosts` how many layers around the block it has; or give a copy " \
               "(numpy.ascontiguousarray)"
    return "the order is [z, y, x]; give a copy in this order (numpy.ascontiguousarray)"


def _separate(arrays: Sequence[np.ndarray], what: str) -> Lattice:
    """Components that are arrays of their own."""
    first = arrays[0]
    distances = []
    for number, array in enumerate(arrays):
        if array.ndim != 3:
            raise ValueError(f"component {number} of {what} has {array.ndim} axes: give arrays of the shape [z, y, x]")
        if array.shape != first.shape or array.dtype != first.dtype:
            raise ValueError(f"the components of {what} have different shapes or types: give arrays that are alike")
        distances.append(_distance(array, f"component {number} of {what}"))
    if any(distance != distances[0] for distance in distances):
        raise ValueError(f"the components of {what} have different strides: give arrays that are alike")
    bytes_of_value = first.dtype.itemsize
    stride = 0 if distances[0] in (0, bytes_of_value) else distances[0]
    if 0 < stride < bytes_of_value:
        raise ValueError(f"{what} has values that overlap: give a copy (numpy.ascontiguousarray)")
    size = span(first.size, stride, 1, bytes_of_value)
    return Lattice(type_of(first, what), len(arrays), int(len(arrays) > 1), stride, first.shape,
                   [pointer(array) for array in arrays], [size] * len(arrays), list(arrays))


def lattice(value: Any, what: str) -> Lattice:
    """Values of the shape [z, y, x] or [z, y, x, component], or a tuple of one array for each component."""
    if isinstance(value, (tuple, list)):
        if not value:
            raise ValueError(f"{what} has no components")
        return _separate([check_array(array, f"component {number} of {what}") for number, array in enumerate(value)], what)
    array = check_array(value, what)
    if array.ndim not in (3, 4):
        raise ValueError(f"{what} has {array.ndim} axes: give an array of the shape [z, y, x] or [z, y, x, component]; "
                         "flat fields have one layer along z (array[numpy.newaxis])")
    components = array.shape[3] if array.ndim == 4 else 1
    if components < 1:
        raise ValueError(f"{what} has no components")
    bytes_of_value = array.dtype.itemsize
    if array.ndim == 3 or (components > 1 and array.strides[3] != bytes_of_value):
        return _separate([array] if array.ndim == 3 else [array[..., c] for c in range(components)], what)
    packed = components * bytes_of_value
    distance = _distance(array[..., 0], what)
    if 0 < distance < packed:
        return _separate([array[..., c] for c in range(components)], what)
    stride = 0 if distance == packed else distance
    elements = math.prod(array.shape[:3])
    return Lattice(type_of(array, what), components, 0, stride, array.shape[:3],
                   [pointer(array)], [span(elements, stride, components, bytes_of_value)], [array])


def columns(value: Any, what: str) -> list[np.ndarray]:
    """x, y and z, each of one axis, from an array of shape [n, 3] or from a tuple of three arrays."""
    if isinstance(value, (tuple, list)):
        arrays = [check_array(array, f"component {number} of {what}") for number, array in enumerate(value)]
    else:
        whole = check_array(value, what)
        if whole.ndim != 2 or whole.shape[1] != 3:
            raise ValueError(f"{what} have the shape {whole.shape}: give an array of the shape [n, 3], or three of the shape [n]")
        arrays = [whole[:, axis] for axis in range(3)]
    if len(arrays) != 3 or any(array.ndim != 1 for array in arrays):
        raise ValueError(f"{what} are not three arrays of one axis: give an array of the shape [n, 3], or three of the shape [n]")
    return arrays


def common_stride(arrays: dict[str, np.ndarray]) -> int:
    """Bytes from an element to the next one in all of the arrays, which have one axis. 0: they are packed."""
    if all(array.size < 2 or array.strides[0] == array.dtype.itemsize for array in arrays.values()):
        return 0
    found = {name: array.strides[0] for name, array in arrays.items() if array.size > 1}
    stride = next(iter(found.values()))
    if len(set(found.values())) > 1:
        listed = ", ".join(f"{name} {bytes_}" for name, bytes_ in found.items())
        raise ValueError(f"the strides in bytes differ ({listed}): give all as packed arrays, or all as parts of alike structures")
    if stride < max(array.dtype.itemsize for array in arrays.values()):
        raise ValueError(f"{', '.join(found)} run backwards or overlap: give copies (numpy.ascontiguousarray)")
    return stride


def column(value: Any, what: str, types: tuple[int, ...], count: int) -> np.ndarray:
    """An array of one axis, of one of these types, with so many values."""
    array = check_array(value, what)
    if array.ndim != 1 or array.size != count:
        raise ValueError(f"{what} has the shape {array.shape}: give an array of the shape [{count}]")
    if type_of(array, what) not in types:
        wanted = [f"{kind}{8 * size}" for (kind, size), number in TYPES.items() if number in types]
        wanted = [name.replace("f", "float").replace("i", "int").replace("u", "uint") for name in wanted]
        raise TypeError(f"{what} has values of type {array.dtype}: give a copy by its method astype(numpy.{wanted[0]})")
    return array


def packed(array: np.ndarray, what: str) -> np.ndarray:
    if not array.flags.c_contiguous:
        raise ValueError(f"{what} is not packed: give a copy (numpy.ascontiguousarray)")
    return array


@dataclass
class Elements:
    """Values of particles, points or cells."""

    type: int
    components: int
    stride: int
    size: int
    pointer: Optional[int]


def elements(value: Any, what: str, count: int) -> Elements:
    """Values of the shape [n] or [n, component]."""
    array = check_array(value, what)
    if array.ndim not in (1, 2) or array.shape[0] != count or 0 in array.shape[1:]:
        raise ValueError(f"{what} has the shape {array.shape}: give an array of the shape [{count}] or [{count}, component]")
    components = array.shape[1] if array.ndim == 2 else 1
    bytes_of_value = array.dtype.itemsize
    if components > 1 and array.size and array.strides[1] != bytes_of_value:
        raise ValueError(f"{what} has components that do not lie side by side: give a copy (numpy.ascontiguousarray)")
    packed_bytes = components * bytes_of_value
    stride = array.strides[0] if count > 1 else packed_bytes
    if stride < packed_bytes:
        raise ValueError(f"{what} runs backwards or overlaps: give a copy (numpy.ascontiguousarray)")
    stride = 0 if stride == packed_bytes else stride
    return Elements(type_of(array, what), components, stride, span(count, stride, components, bytes_of_value), pointer(array))
