#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The structures of the package for Python are the same as in C, and describe the memory of arrays: test_arrays.py LAYOUT_OF_C"""

import ctypes
import sys
import unittest

import numpy as np
from rivulet_insitu import Block, _arrays, _data, _library

LAYOUT_OF_C = ctypes.CDLL(sys.argv.pop())
FIELD = {"ranks": 1, "origin": (0, 0, 0), "spacing": (1, 1, 1), "domain": None, "centring": "cells", "ratios": (),
         "coordinates": None, "variables": None, "points": None}
PARTICLES = {"velocities": None, "ids": None, "types": None, "arrays": None, "low": (0, 0, 0), "high": (0, 0, 0),
             "periodic": (0, 0, 0)}
MESH = {"at_points": None, "at_cells": None, "ghost_cells": None}


def field(blocks, **more):
    return _data.field("flow", blocks, **{**FIELD, **more}).structure


def particles(positions, **more):
    return _data.particles("atoms", positions, **{**PARTICLES, **more}).structure


def read_at(address, stride, count, dtype):
    """Values that lie so far apart, read from memory as C would."""
    dtype = np.dtype(dtype)
    return [np.frombuffer(ctypes.string_at(address + i * stride, dtype.itemsize), dtype)[0] for i in range(count)]


class Layout(unittest.TestCase):
    def test_members_and_sizes_are_those_of_c(self):
        for structure in (_library.Array, _library.Particles, _library.Variable, _library.Block, _library.Field, _library.Mesh):
            places = (ctypes.c_int64 * 32)()
            number = getattr(LAYOUT_OF_C, f"layout_of_{structure.__name__.lower()}")(places)
            mine = [getattr(structure, name).offset for name, _ in structure._fields_] + [ctypes.sizeof(structure)]
            self.assertEqual(mine, list(places[:number]), structure.__name__)


class Lattices(unittest.TestCase):
    def check(self, value, expected, stride, separate, components):
        """The description leads to these values, [z, y, x, component], wherever they lie."""
        found = _arrays.lattice(value, "it")
        self.assertEqual((found.stride, found.separate, found.components), (stride, separate, components))
        cells = expected.shape[0] * expected.shape[1] * expected.shape[2]
        item = expected.dtype.itemsize
        step = stride or item * (1 if separate else components)
        flat = expected.reshape(cells, components)
        for c in range(components):
            address = found.pointers[c] if separate else found.pointers[0] + c * item
            self.assertEqual(read_at(address, step, cells, expected.dtype), flat[:, c].tolist())
        size = -(-((cells - 1) * step + item * (1 if separate else components)) // item)
        self.assertEqual(found.sizes, [size] * (components if separate else 1))

    def test_packed(self):
        scalar = np.arange(24.0).reshape(2, 3, 4)
        self.check(scalar, scalar[..., np.newaxis], 0, 0, 1)
        vector = np.arange(72, dtype=np.float32).reshape(2, 3, 4, 3)
        self.check(vector, vector, 0, 0, 3)

    def test_layers_along_z(self):
        scalar = np.arange(60.0).reshape(5, 3, 4)[1:4]
        self.check(scalar, scalar[..., np.newaxis], 0, 0, 1)

    def test_separate_components(self):
        vector = np.arange(72, dtype=np.int32).reshape(3, 2, 3, 4)
        self.check(np.moveaxis(vector, 0, -1), np.moveaxis(vector, 0, -1), 0, 1, 3)
        self.check(tuple(vector), np.moveaxis(vector, 0, -1), 0, 1, 3)

    def test_structures(self):
        cells = np.zeros((2, 3, 4), np.dtype([("rho", "f8"), ("u", "f8", 3), ("flag", "i4")], align=True))
        cells["u"] = np.arange(72.0).reshape(2, 3, 4, 3)
        cells["flag"] = np.arange(24).reshape(2, 3, 4)
        self.check(cells["u"], cells["u"], 40, 0, 3)
        self.check(cells["flag"], cells["flag"][..., np.newaxis], 40, 0, 1)

    def test_some_components(self):
        state = np.arange(120.0).reshape(2, 3, 4, 5)
        self.check(state[..., 1:4], state[..., 1:4], 40, 0, 3)
        self.check(state[..., ::2], state[..., ::2], 40, 1, 3)
        self.check(state[..., ::-1], state[..., ::-1], 40, 1, 5)

    def test_fortran_order(self):
        fortran = np.asfortranarray(np.arange(24.0).reshape(4, 3, 2))  # [x, y, z]
        self.check(fortran.T, np.ascontiguousarray(fortran.T)[..., np.newaxis], 0, 0, 1)

    def test_extents_of_one(self):
        flat = np.arange(12.0).reshape(1, 3, 4)
        self.check(flat, flat[..., np.newaxis], 0, 0, 1)
        line = np.arange(12.0).reshape(12, 1, 1)[::2]
        self.check(line, line[..., np.newaxis], 16, 0, 1)

    def refused(self, kind, value, *words):
        with self.assertRaises(kind) as caught:
            _arrays.lattice(value, "variable 'p'")
        for word in ("variable 'p'", *words):
            self.assertIn(word, str(caught.exception))

    def test_gaps_are_refused(self):
        whole = np.zeros((4, 5, 6))
        self.refused(ValueError, whole[:, 1:-1], "along z", "ghosts")
        self.refused(ValueError, whole[:, :, 1:-1], "along y", "ghosts")
        self.refused(ValueError, np.zeros((4, 5, 6, 3))[:, :, 1:-1], "along y", "ghosts")
        self.refused(ValueError, whole.T, "array.T")
        self.refused(ValueError, whole[:, :, ::-1], "along y")
        self.refused(ValueError, np.zeros((1, 1, 6))[:, :, ::-1], "backwards")
        self.refused(ValueError, np.broadcast_to(np.zeros(1), (4, 5, 6)), "repeats")

    def test_other_values_are_refused(self):
        self.refused(TypeError, 3.0, "builtins.float", "numpy.asarray")
        self.refused(TypeError, [[[1.0]]], "component 0", "list")
        self.refused(TypeError, np.ma.masked_array(np.zeros((2, 2, 2)), False), "filled")
        self.refused(TypeError, np.zeros((2, 2, 2), complex), "complex128", "astype")
        self.refused(TypeError, np.zeros((2, 2, 2), ">f8"), ">f8", "astype")
        self.refused(TypeError, np.zeros((2, 2, 2), bool), "view(numpy.uint8)")
        self.refused(ValueError, np.zeros((2, 2)), "numpy.newaxis")
        self.refused(ValueError, np.zeros((2, 2, 2, 0)), "no components")
        self.refused(ValueError, (), "no components")
        self.refused(ValueError, (np.zeros((2, 2, 2)), np.zeros((2, 2, 3))), "alike")
        self.refused(ValueError, (np.zeros((2, 2, 2)), np.zeros((2, 2, 4))[:, :, ::2]), "different strides")
        self.refused(ValueError, np.zeros((2, 2, 2), [("a", "u1"), ("b", "f8")])["b"], "aligned")


class Fields(unittest.TestCase):
    def test_members(self):
        temperature, velocity = np.zeros((5, 6, 8)), np.zeros((5, 6, 8, 3), np.float32)
        found = field([Block({"t": temperature, "u": velocity}, (4, 0, 2), 0, (2, 0, 1), (0, 0, 1))],
                      domain=(16, 6, 9), origin=(1, 2, 3), spacing=(0.5, 1, 2))
        self.assertEqual((found.name, found.centring, found.levels, found.variables, found.blocks), (b"flow", 1, 1, 2, 1))
        self.assertEqual([list(found.origin), list(found.spacing), list(found.cells)], [[1, 2, 3], [0.5, 1, 2], [16, 6, 9]])
        block = found.block[0]
        self.assertEqual([list(block.begin), list(block.cells), list(block.ghosts)], [[4, 0, 2], [6, 6, 3], [2, 0, 1]])
        self.assertEqual(list(block.ghosts_above), [_library.NO_GHOSTS, 0, 0])
        self.assertEqual(block.data[:2], [temperature.ctypes.data, velocity.ctypes.data])
        self.assertEqual(block.size[:2], [240, 720])
        self.assertEqual([(one.name, one.type, one.components) for one in found.variable[:2]], [(b"t", 2, 1), (b"u", 1, 3)])

    def test_pointers_of_separate_components(self):
        u, v = np.zeros((2, 3, 4)), np.zeros((2, 3, 4))
        found = field([Block({"u": (u, v), "p": u})])
        self.assertEqual(found.block[0].data[:3], [u.ctypes.data, v.ctypes.data, u.ctypes.data])
        self.assertEqual(list(found.cells), [4, 3, 2])

    def test_nodes(self):
        block = Block({"p": np.zeros((3, 4, 5))})
        self.assertEqual(list(field([block], centring="nodes").block[0].cells), [4, 3, 2])
        flat = field([Block({"p": np.zeros((1, 4, 5))})], centring="nodes")
        self.assertEqual([list(flat.cells), flat.blocks], [[4, 3, 0], 1])

    def test_a_rank_without_cells(self):
        none = field([Block({"u": np.zeros((0, 4, 5, 3), np.float32)})], domain=(5, 4, 9))
        self.assertEqual((none.blocks, none.variable[0].type, none.variable[0].components), (0, 1, 3))
        ghosts_only = field([Block({"p": np.zeros((2, 4, 5))}, ghosts=(0, 0, 1))], domain=(5, 4, 9))
        self.assertEqual(ghosts_only.blocks, 0)
        plane = field([Block({"p": np.zeros((1, 4, 5))})], domain=(4, 3, 9), centring="nodes")
        self.assertEqual(plane.blocks, 0)
        said = field([], domain=(5, 4, 9), variables={"u": (np.float32, 3)})
        self.assertEqual((said.blocks, said.variable[0].type, said.variable[0].components), (0, 1, 3))

    def test_a_rank_without_cells_of_a_curvilinear_field(self):
        array, points = np.zeros((0, 4, 5)), np.zeros((0, 5, 6, 3), np.float32)
        none = field([Block({"p": array}, points=points)], domain=(5, 4, 9))
        self.assertEqual((none.blocks, none.points[0].type, none.points[0].components), (0, 1, 3))
        none = field([Block({"p": array}, points=tuple(np.zeros((3, 0, 0, 0))))], domain=(5, 4, 9))
        self.assertEqual((none.blocks, none.points[0].type, none.points[0].components), (0, 2, 3))
        none = field([], domain=(5, 4, 9), variables={"p": (np.float64, 1)}, points=np.float32)
        self.assertEqual((none.blocks, none.points[0].type, none.points[0].components), (0, 1, 3))
        none = field([], domain=(5, 4, 9), variables={"p": (np.float64, 1)})
        self.assertFalse(none.points)
        self.refused(ValueError, [Block({"p": array}, points=np.zeros((0, 5, 6, 2)))], "2 components", domain=(5, 4, 9))
        whole = np.zeros((3, 4, 5))
        self.refused(ValueError, [Block({"p": whole}, points=np.zeros((4, 5, 6, 3))), Block({"p": whole})],
                     "block 1 has no points", domain=(5, 4, 6))
        some = field([Block({"p": whole}, points=np.zeros((4, 5, 6, 3))), Block({"p": array})], domain=(5, 4, 6))
        self.assertEqual((some.blocks, some.points[0].type), (1, 2))

    def test_a_flat_field_of_nodes_in_a_domain_with_one_cell(self):
        block = Block({"p": np.zeros((1, 4, 5))})
        self.refused(ValueError, [block], "one layer of nodes along z", domain=(4, 3, 1), centring="nodes")
        self.assertEqual(field([block], domain=(4, 3, 0), centring="nodes").blocks, 1)
        none = field([Block({"p": np.zeros((0, 4, 5))})], domain=(4, 3, 1), centring="nodes")
        self.assertEqual(none.blocks, 0)

    def test_axes_in_another_order(self):
        array = np.zeros((6, 5, 4))  # [x, y, z]
        self.refused(ValueError, [Block({"p": array})], "axes of arrays are z, y, x", domain=(6, 5, 4))
        self.refused(ValueError, [Block({"p": array}, (6, 0, 0))], "axes of arrays are z, y, x", domain=(12, 5, 4), ranks=2)
        self.refused(ValueError, [Block({"p": array}, (6, 0, 0), 1)], "domain of its level (12, 10, 4)", domain=(6, 5, 4),
                     ratios=[(2, 2, 1)])
        self.assertEqual(field([Block({"p": np.ascontiguousarray(array.T)})], domain=(6, 5, 4)).blocks, 1)

    def test_blocks_of_one_value_have_any_stride(self):
        state = np.zeros((2, 2, 2), np.dtype([("p", "f8"), ("u", "f8", 3)]))
        one = np.zeros((1, 1, 1))
        for blocks in ([one, state["p"]], [state["p"], one], [state["p"][:1, :1, :1], state["p"]], [state["p"], one[:0]]):
            found = field([Block({"p": array}) for array in blocks], domain=(8, 8, 8))
            self.assertEqual(found.variable[0].stride, 32)
        vectors = np.zeros((3, 2, 2, 2))
        for first in (0, 1):
            few = np.zeros((1, 1, 1, 3))
            blocks = [Block({"u": few}), Block({"u": tuple(vectors)})]
            found = field(blocks if first == 0 else blocks[::-1], domain=(8, 8, 8))
            self.assertEqual((found.variable[0].separate, found.variable[0].stride), (1, 0))
            self.assertEqual(found.block[first].data[:3], [few.ctypes.data + 8 * c for c in range(3)])
            self.assertEqual(found.block[first].size[:3], [1, 1, 1])
        few = np.zeros((3, 1, 1, 1))
        found = field([Block({"u": tuple(few)}), Block({"u": state["u"]})], domain=(8, 8, 8))
        self.assertEqual((found.variable[0].separate, found.variable[0].stride), (0, 32))
        self.assertEqual((found.block[0].data[0], found.block[0].size[0]), (few.ctypes.data, 3))
        apart = [few[0], few[1], few[0]]
        self.refused(ValueError, [Block({"u": tuple(apart)}), Block({"u": state["u"]})], "alike", domain=(8, 8, 8))

    def test_levels(self):
        found = field([Block({"p": np.zeros((4, 4, 4))}), Block({"p": np.zeros((2, 2, 2))}, (1, 1, 1), 1)],
                      domain=(4, 4, 4), ratios=[2, (2, 2, 1)])
        self.assertEqual((found.levels, found.ratio[:6], found.blocks), (3, [2, 2, 2, 2, 2, 1], 2))
        self.assertEqual([found.block[b].level for b in range(2)], [0, 1])

    def test_rectilinear_and_curvilinear(self):
        x = np.linspace(0, 1, 6)
        found = field([Block({"p": np.zeros((3, 4, 5))})], coordinates=(x, None, None))
        self.assertEqual(list(found.coordinates), [x.ctypes.data, None, None])
        points = np.zeros((4, 5, 6, 3), np.float32)
        found = field([Block({"p": np.zeros((3, 4, 5))}, points=points)])
        self.assertEqual((found.block[0].points[0], found.points[0].type, found.points[0].components), (points.ctypes.data, 1, 3))

    def refused(self, kind, blocks, word, **more):
        with self.assertRaises(kind) as caught:
            field(blocks, **more)
        self.assertIn(word, str(caught.exception))

    def test_mismatches_are_refused(self):
        array = np.zeros((3, 4, 5))
        self.refused(ValueError, [Block({"p": array})], "needs `domain`", ranks=2)
        self.refused(ValueError, [Block({"p": array}, ghosts=2)], "no room for the ghost layers")
        self.refused(ValueError, [Block({"p": array}, ghosts=-1)], "less than no ghost layers")
        self.refused(ValueError, [Block({"p": array, "q": array[1:]})], "'q'")
        self.refused(ValueError, [Block({"p": array}), Block({"q": array})], "all have the same", domain=(5, 4, 6))
        self.refused(ValueError, [Block({"p": array}), Block({"p": array.astype("f4")})], "alike", domain=(5, 4, 6))
        self.refused(ValueError, [Block({})], "no variables")
        self.refused(ValueError, [], "say by `variables`", domain=(5, 4, 3))
        self.refused(ValueError, [Block({"p": array})], "centring", centring="faces")
        self.refused(ValueError, [Block({"p": array})], "(x, y, z)", origin=(0, 0))
        self.refused(ValueError, [Block({"p": array}, points=np.zeros((3, 4, 5, 3)))], "all nodes")
        self.refused(ValueError, [Block({"p": array})], "along x", coordinates=(np.zeros(5), None, None))
        self.refused(ValueError, [Block({"": array})], "not empty")


class ParticlesAndMeshes(unittest.TestCase):
    def test_positions_of_all_kinds(self):
        positions = np.arange(12.0).reshape(4, 3)
        found = particles(positions, velocities=-positions)
        self.assertEqual((found.count, found.real, found.stride), (4, 2, 24))
        self.assertEqual([found.x, found.y, found.z], [positions.ctypes.data + 8 * axis for axis in range(3)])
        found = particles(tuple(np.ascontiguousarray(positions.T)))
        self.assertEqual((found.stride, found.vx), (0, None))
        kind = np.dtype([("x", "f4", 3), ("v", "f4", 3), ("id", "i8"), ("type", "i4"), ("mass", "f8")], align=True)
        single = np.zeros(4, kind)
        found = particles(single["x"], velocities=single["v"], ids=single["id"], types=single["type"],
                          arrays={"mass": single["mass"], "both": np.zeros((4, 2))})
        self.assertEqual((found.real, found.stride, found.tag_stride), (1, 48, 48))
        self.assertEqual([(one.name, one.stride, one.size, one.components) for one in found.array[:2]],
                         [(b"mass", 48, 19, 1), (b"both", 0, 8, 2)])

    def test_arrays_that_a_mapping_makes_anew_are_kept(self):
        class Made(dict):
            def values(self):
                return [array.copy() for array in super().values()]

        mass = np.zeros(4)
        shown = _data.particles("atoms", np.zeros((4, 3)), **{**PARTICLES, "arrays": Made(mass=mass)})
        self.assertTrue(any(one is mass for kept in shown.kept if isinstance(kept, list) for one in kept))

    def test_no_particles(self):
        found = particles(np.zeros((0, 3)), ids=np.zeros(0, np.int64), arrays={"mass": np.zeros(0)})
        self.assertEqual((found.count, found.x, found.id, found.array[0].data), (0, None, None, None))

    def refused(self, kind, word, *arguments, **more):
        with self.assertRaises(kind) as caught:
            particles(*arguments, **more)
        self.assertIn(word, str(caught.exception))

    def test_wrong_particles_are_refused(self):
        positions = np.zeros((4, 3))
        self.refused(ValueError, "[n, 3]", np.zeros((3, 4)))
        self.refused(ValueError, "strides in bytes differ", positions, velocities=tuple(np.zeros((3, 4))))
        self.refused(ValueError, "[4]", positions, velocities=np.zeros((5, 3)))
        self.refused(TypeError, "one type", positions, velocities=np.zeros((4, 3), np.float32))
        self.refused(TypeError, "float", np.zeros((4, 3), np.int64))
        self.refused(TypeError, "astype(numpy.int64)", positions, ids=np.zeros(4, np.int32))
        self.refused(TypeError, "astype(numpy.int32)", positions, types=np.zeros(4, np.int64))
        self.refused(ValueError, "side by side", positions, arrays={"a": np.zeros((2, 4)).T})
        self.refused(ValueError, "backwards", positions[::-1])
        self.refused(ValueError, "shape (3,)", positions, arrays={"a": np.zeros(3)})

    def test_mesh(self):
        points = np.zeros((5, 3))
        cells = np.full(2, 10, np.uint8), np.array([0, 4, 8]), np.array([0, 1, 2, 3, 1, 2, 3, 4])
        found = _data.mesh("wing", points, cells, **{**MESH, "at_points": {"p": np.zeros(5)}, "at_cells": {"u": np.zeros((2, 3))},
                                                     "ghost_cells": np.zeros(2, np.uint8)}).structure
        self.assertEqual((found.real, found.index, found.points, found.cells), (2, 4, 5, 2))
        self.assertEqual((found.point, found.connectivity), (points.ctypes.data, cells[2].ctypes.data))
        self.assertEqual((found.at_point[0].name, found.at_cell[0].components, found.at_cell[0].size), (b"p", 3, 6))
        for wrong in ((cells[0], cells[1][:2], cells[2]), (cells[0], cells[1], cells[2][:7])):
            with self.assertRaises(ValueError):
                _data.mesh("wing", points, wrong, **MESH)
        for wrong in ((cells[0].astype(int), *cells[1:]), (cells[0], cells[1].astype(np.int32), cells[2])):
            with self.assertRaises(TypeError):
                _data.mesh("wing", points, wrong, **MESH)
        with self.assertRaises(ValueError):
            _data.mesh("wing", np.zeros((5, 6))[:, ::2], cells, **MESH)


if __name__ == "__main__":
    unittest.main()
