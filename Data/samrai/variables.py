# SPDX-License-Identifier: BSD-3-Clause
"""The arrays of a dump."""

from dataclasses import dataclass

import numpy

from .fields import FUNCTIONS

TYPES = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8")
SHAPES = {"scalar": 0, "vector": 1, "tensor": 2}


@dataclass(frozen=True)
class Selection:
    """Some patches: whole levels, and single ones by their global ids."""
    levels: frozenset = frozenset()
    patches: frozenset = frozenset()

    @staticmethod
    def parse(text):
        parts = [part for part in text.split("+") if part]
        if not all(part[0] in "LP" and part[1:].isdigit() for part in parts):
            raise ValueError(f"'{text}' names no patches: write for example L1+P0+P7")
        return Selection(frozenset(int(part[1:]) for part in parts if part[0] == "L"),
                         frozenset(int(part[1:]) for part in parts if part[0] == "P"))

    def holds(self, number, patch):
        return patch.level in self.levels or number in self.patches


@dataclass(frozen=True)
class Variable:
    name: str
    node: bool = False
    components: int = 1
    function: str = "linear"  # of fields.py, or "position" for the coordinates of a deformed mesh
    type: str = "f4"
    ghosts: tuple = (0, 0, 0)
    missing: Selection = Selection()  # no dataset there
    unwritten: Selection = Selection()  # a dataset there, which was never written: the fill value

    @staticmethod
    def parse(text, dimensions):
        """From `name=sound speed,centre=cell,shape=scalar,function=linear,type=f4,ghosts=1,missing=L1+P0`."""
        keys = dict(part.split("=", 1) for part in text.split(",") if "=" in part)
        unknown = set(keys) - {"name", "centre", "shape", "function", "type", "ghosts", "missing", "unwritten"}
        if unknown or not keys.get("name") or len(keys) != len(text.split(",")):
            raise ValueError(f"variable '{text}' is not KEY=VALUE,... with a name and known keys")
        for key, allowed in (("centre", ("cell", "node")), ("shape", SHAPES), ("function", FUNCTIONS), ("type", TYPES)):
            if key in keys and keys[key] not in allowed:
                raise ValueError(f"variable '{keys['name']}': {key} is one of {', '.join(allowed)}")
        return Variable(keys["name"], keys.get("centre") == "node", dimensions ** SHAPES[keys.get("shape", "scalar")],
                        keys.get("function", "linear"), keys.get("type", "f4"),
                        ghosts_of(keys.get("ghosts", "0"), dimensions), Selection.parse(keys.get("missing", "")),
                        Selection.parse(keys.get("unwritten", "")))

    def component_names(self):
        if self.components == 1:
            return [self.name]
        return [f"{self.name}.{component:02d}" for component in range(self.components)]

    def values(self, mesh, patch, component, time, interior=False):
        """What is stored, but not yet in its type: float64 of shape (nz, ny, nx), ghosts included unless only the
        interior is asked for. Whole-number types hold rounded thousandths."""
        ghosts = (0, 0, 0) if interior else self.ghosts
        x, y, z = mesh.positions(patch, self.node, ghosts, time)
        if self.function == "position":
            values = (x, y, z)[component]
        else:
            values = FUNCTIONS[self.function](x, y, z, time, component)
        if self.type[0] != "f":
            limits = numpy.iinfo(self.type)
            values = numpy.clip(numpy.rint(1000 * values), limits.min, limits.max)
        return numpy.broadcast_to(values, tuple(reversed(mesh.stored_sides(patch, self.node, ghosts))))


def ghosts_of(text, dimensions):
    layers = [int(part) for part in text.split("x")]
    layers = layers * 3 if len(layers) == 1 else layers + [0] * (3 - len(layers))
    return tuple(layers[axis] if axis < dimensions else 0 for axis in range(3))


def coordinates(dimensions, kind, ghosts):
    """The variable that makes a mesh a deformed one."""
    return Variable("Coords", True, dimensions, "position", kind, ghosts)
