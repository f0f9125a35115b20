# SPDX-License-Identifier: BSD-3-Clause
"""Datasets that do not hold together: one message that names the array, the lengths and the remedy, and no lines.

Arguments: classes or tests to run. What could end the process runs in one of its own, see CMakeLists.txt.
"""
import math
import unittest

import numpy as np
from filter_testing import (VECTORS, Messages, add_array, fetch, fill, image, points_of, produce, rectilinear,
                            seed_line, simple, trace)
from vtkmodules.vtkCommonCore import (vtkBitArray, vtkDoubleArray, vtkFloatArray, vtkPoints, vtkStringArray,
                                      vtkUnsignedCharArray, vtkVariantArray, vtkVersion)
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkPolyData, vtkRectilinearGrid

# The ranges of arrays heed ghosts, and ParaView asks for them before any filter runs: see Documentation/known-faults.md.
READS_SHORT_GHOSTS = (vtkVersion.GetVTKMajorVersion(), vtkVersion.GetVTKMinorVersion()) >= (9, 3)
POINTS = 21 * 17 * 13
CELLS = 20 * 16 * 12


def array(kind, name, tuples, components=1):
    made = kind()
    made.SetName(name)
    made.SetNumberOfComponents(components)
    made.SetNumberOfTuples(tuples)
    return made


def ghosts(tuples, kind=vtkUnsignedCharArray, components=1):
    made = array(kind, "vtkGhostType", tuples, components)
    for i in range(components):
        made.FillComponent(i, 0)
    return made


def doubles(values):
    made = vtkDoubleArray()
    for value in values:
        made.InsertNextValue(value)
    return made


class Case(unittest.TestCase):

    def setUp(self):
        self.dataset = fill(image())
        self.points, self.cells = self.dataset.GetPointData(), self.dataset.GetCellData()

    def expect(self, *words, dataset=None, filters=("lines", "vortices"), centering="POINTS", seeds=None):
        """One message with the words, and an empty output."""
        source = produce(dataset or self.dataset)
        for name in filters:
            with Messages() as messages:
                if name == "lines":
                    found = trace("ours", source, seeds or seed_line(), centering)
                else:
                    found = simple.RivuletVortexSeeds(Input=source, Vectors=[centering, VECTORS])
                    found.UpdatePipeline()
            self.assertEqual(messages.count(), 1, f"{name}: {messages.text()}")
            for word in words:
                self.assertIn(word, messages.text(), name)
            self.assertEqual(fetch(found).GetNumberOfPoints(), 0)
        return found

    def expect_lines(self, dataset=None, seeds=None):
        with Messages() as messages:
            lines = fetch(trace("ours", produce(dataset or self.dataset), seeds or seed_line()))
        self.assertEqual(messages.count(), 0, messages.text())
        self.assertGreater(lines.GetNumberOfLines(), 30)
        self.assertTrue(np.isfinite(points_of(lines)).all())
        return lines


def large():
    dataset = image((200, 200, 200))
    dataset.GetPointData().AddArray(array(vtkFloatArray, VECTORS, 200**3, 3))
    for component, value in enumerate((1.0, 0.2, 0.1)):
        dataset.GetPointData().GetArray(VECTORS).FillComponent(component, value)
    return dataset


class ShortPointGhosts(Case):

    @unittest.skipIf(READS_SHORT_GHOSTS, "ParaView reads beyond the array when it looks for ranges")
    def test_short(self):
        self.dataset = large()
        self.dataset.GetPointData().AddArray(ghosts(10))
        self.expect('"vtkGhostType" has 10 values for 8000000 points', "Pass Arrays")


class ShortCellGhosts(Case):

    def test_short(self):
        self.dataset = large()
        self.dataset.GetCellData().AddArray(ghosts(10))
        self.expect('"vtkGhostType" has 10 values for 7880599 cells', "Pass Arrays")


class NoCoordinates(Case):

    def test_none(self):
        self.dataset = fill(rectilinear())
        self.dataset.SetYCoordinates(None)
        self.expect("0 y coordinates for 17 points")


class Ghosts(Case):

    def test_of_other_lengths(self):
        for attributes, number, of_what in ((self.points, POINTS, "points"), (self.cells, CELLS, "cells")):
            for count in (0, 1, number - 1, number + 1):
                with self.subTest(of=of_what, count=count):
                    attributes.AddArray(ghosts(count))
                    self.expect(f'"vtkGhostType" has {count} values for {number} {of_what}')
            attributes.RemoveArray("vtkGhostType")
        self.expect_lines()

    def test_of_other_types(self):
        for attributes, number, of_what in ((self.points, POINTS, "points"), (self.cells, CELLS, "cells")):
            for kind in (vtkDoubleArray, vtkBitArray):
                attributes.AddArray(ghosts(number, kind))
                self.expect('"vtkGhostType"', f"hides {of_what}", kind.__name__, "unsigned char")
            attributes.AddArray(array(vtkStringArray, "vtkGhostType", number))
            self.expect('"vtkGhostType"', "vtkStringArray")
            attributes.AddArray(ghosts(number, components=2))
            self.expect('"vtkGhostType"', "of 2 components")
            attributes.RemoveArray("vtkGhostType")


class Arrays(Case):

    def test_vectors_of_other_lengths(self):
        for count in (0, 30, POINTS - 1, POINTS + 1):
            self.points.AddArray(array(vtkFloatArray, VECTORS, count, 3))
            self.expect(f'"{VECTORS}" has {count} values for {POINTS} points')
        self.points.RemoveArray(VECTORS)
        for count in (0, 30, CELLS - 1, CELLS + 1, POINTS):
            self.cells.AddArray(array(vtkFloatArray, VECTORS, count, 3))
            self.expect(f'"{VECTORS}" has {count} values for {CELLS} cells', centering="CELLS")

    def test_arrays_that_come_along_of_other_lengths(self):
        for kind in (vtkFloatArray, vtkDoubleArray, vtkUnsignedCharArray, vtkBitArray):
            for count in (0, 3, POINTS + 1):
                with self.subTest(kind=kind, count=count):
                    self.points.AddArray(array(kind, "extra", count))
                    self.expect(f'"extra" has {count} values for {POINTS} points', "Pass Arrays", filters=("lines",))

    def test_arrays_that_are_no_numbers_are_left_out(self):
        for kind in (vtkStringArray, vtkVariantArray):
            for count in (0, POINTS):
                self.points.AddArray(array(kind, "text", count))
                self.assertIsNone(self.expect_lines().GetPointData().GetAbstractArray("text"))

    def test_arrays_without_a_name_are_left_out(self):
        self.points.AddArray(array(vtkFloatArray, "extra", 3))
        self.points.GetArray("extra").SetName(None)
        self.expect_lines()

    def test_bits_and_many_components_come_along(self):
        bits = array(vtkBitArray, "bits", POINTS)
        bits.FillComponent(0, 1)
        self.points.AddArray(bits)
        add_array(self.points, "many", np.full((POINTS, 12), 3.0), np.float32)
        lines = self.expect_lines().GetPointData()
        self.assertEqual(lines.GetArray("bits").GetRange(), (1, 1))
        self.assertEqual(lines.GetArray("many").GetRange(11), (3, 3))

    def test_arrays_with_the_names_of_our_own_give_way(self):
        for name, components in (("IntegrationTime", 1), ("Vorticity", 3), ("Rotation", 2), ("AngularVelocity", 1),
                                 ("Normals", 9)):
            add_array(self.points, name, np.full((POINTS, components), 1e5), np.float32)
        lines = self.expect_lines().GetPointData()
        self.assertEqual(lines.GetNumberOfArrays(), 10)
        self.assertEqual(lines.GetArray("Rotation").GetNumberOfComponents(), 1)
        self.assertLess(lines.GetArray("Normals").GetRange(-1)[1], 1.001)


class Grids(Case):

    def test_without_points(self):
        for dataset in (vtkImageData(), vtkRectilinearGrid()):
            self.expect("no points", dataset=dataset)

    def test_coordinates_of_other_lengths(self):
        for count in (0, 1, 20, 22):
            grid = fill(rectilinear())
            grid.SetXCoordinates(doubles(range(count)))
            self.expect(f"{count} x coordinates for 21 points along x", dataset=grid)

    def test_coordinates_that_are_not_in_order(self):
        for node, value, said in ((0, math.nan, 0), (7, math.nan, 7), (16, math.inf, 16), (5, -0.9, 5), (4, 0.9, 5)):
            with self.subTest(node=node, value=value):
                grid = fill(rectilinear())
                grid.GetYCoordinates().SetValue(node, value)
                self.expect("y coordinates", f"number {said} is", dataset=grid)

    def test_geometry_that_is_not_finite(self):
        for name, values in (("SetOrigin", (0, math.nan, 0)), ("SetOrigin", (math.inf, 0, 0)),
                             ("SetSpacing", (0.1, math.inf, 0.1)), ("SetSpacing", (0.1, 0.1, 0))):
            dataset = fill(image())
            getattr(dataset, name)(values)
            self.expect("the image data has the origin", "along " + "xyz"[[i for i, v in enumerate(values) if not (
                math.isfinite(v) and (v or name == "SetOrigin"))][0]], dataset=dataset)

    def test_no_spacing_along_a_flat_axis(self):
        flat = image((21, 17, 1), origin=(-1, -1, 0), spacing=(0.1, 0.125, 1))
        fill(flat, flow=lambda x, y, z: np.stack((np.cos(3 * y), np.sin(2 * x), 0 * x), axis=-1))
        seeds = seed_line((-0.8, -0.7, 0), (0.75, 0.8, 0))
        expected = points_of(self.expect_lines(flat, seeds))
        flat.SetSpacing(0.1, 0.125, 0)
        self.assertTrue((points_of(self.expect_lines(flat, seeds)) == expected).all())


class Seeds(Case):

    def seeds(self, *points):
        made = vtkPolyData()
        made.SetPoints(vtkPoints())
        made.GetPoints().SetDataTypeToDouble()
        for point in points:
            made.GetPoints().InsertNextPoint(point)
        return produce(made)

    def test_that_are_not_finite_are_outside(self):
        nan, inf = math.nan, math.inf
        tracer = trace("ours", produce(self.dataset), self.seeds(
            (nan, 0, 0), (0, inf, 0), (0, 0, -inf), (0.1, 0.1, 0.1), (1e200, -1e208, 1e208), (nan, nan, nan)))
        self.assertEqual(set(lines_seeds(fetch(tracer))), {3})
        self.assertEqual(fetch(tracer).GetFieldData().GetArray("SeedsOutside").GetValue(0), 5)

    def test_none(self):
        self.expect("seed source has no points", filters=("lines",), seeds=produce(vtkPolyData()))


def lines_seeds(lines):
    ids = lines.GetCellData().GetArray("SeedIds")
    return [ids.GetValue(i) for i in range(ids.GetNumberOfTuples())]


if __name__ == "__main__":
    unittest.main()
