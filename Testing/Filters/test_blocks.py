# SPDX-License-Identifier: BSD-3-Clause
"""Composite data of image data and rectilinear grids: one block, blocks that tile a box, and what fits nowhere."""
import itertools
import sys
import unittest

import numpy as np
from filter_testing import (VECTORS, Messages, add_array, digest, fetch, fill, image, lines_by_seed, points_of, produce,
                            rectilinear, seed_line, simple, statistic, swirl, trace)
from plugin_testing import controller, generate, information, program, scratch
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDoubleArray, vtkPoints
from vtkmodules.vtkCommonDataModel import (vtkImageData, vtkMultiBlockDataSet, vtkPartitionedDataSet,
                                           vtkPartitionedDataSetCollection, vtkTable, vtkUnstructuredGrid)


def multiblock(*blocks):
    data = vtkMultiBlockDataSet()
    for number, block in enumerate(blocks):
        data.SetBlock(number, block)
    return data


def partitioned(*blocks):
    data = vtkPartitionedDataSet()
    for number, block in enumerate(blocks):
        data.SetPartition(number, block)
    return data


def collection(*blocks):
    data = vtkPartitionedDataSetCollection()
    for number, block in enumerate(blocks):
        data.SetPartitionedDataSet(number, partitioned(block))
    return data


def nested(*blocks):
    return multiblock(None, multiblock(multiblock(*blocks), None))


KINDS = (multiblock, partitioned, collection, nested)


def part(dataset, voi):
    """A box of points of a dataset."""
    made = dataset.NewInstance()
    made.SetExtent(voi)
    extent = dataset.GetExtent()
    if dataset.IsA("vtkImageData"):
        made.SetOrigin(dataset.GetOrigin())
        made.SetSpacing(dataset.GetSpacing())
        made.SetDirectionMatrix(dataset.GetDirectionMatrix())
    else:
        for axis, name in enumerate("XYZ"):
            coordinates = getattr(dataset, f"Get{name}Coordinates")()
            taken = coordinates.NewInstance()
            for place in range(voi[2 * axis], voi[2 * axis + 1] + 1):
                taken.InsertNextValue(coordinates.GetValue(place - extent[2 * axis]))
            getattr(made, f"Set{name}Coordinates")(taken)
    for of, to, more in ((dataset.GetPointData(), made.GetPointData(), 1), (dataset.GetCellData(), made.GetCellData(), 0)):
        size = [max(extent[2 * a + 1] - extent[2 * a] + more, 1) for a in (2, 1, 0)]
        box = tuple(slice(voi[2 * a] - extent[2 * a], max(voi[2 * a + 1] - extent[2 * a] + more, voi[2 * a] - extent[2 * a] + 1))
                    for a in (2, 1, 0))
        for i in range(of.GetNumberOfArrays()):
            values = vtk_to_numpy(of.GetArray(i))
            kept = values.reshape(*size, *values.shape[1:])[box]
            add_array(to, of.GetArrayName(i), kept.reshape(-1, *values.shape[1:]), values.dtype)
    return made


def cut(dataset, cuts, shared=True):
    """The dataset in boxes that begin at the points `cuts` along each axis; they share a layer of points, or do not."""
    ranges = []
    for axis, places in enumerate(cuts):
        begin, end = dataset.GetExtent()[2 * axis:2 * axis + 2]
        places = [begin, *(begin + place for place in places), end + (0 if shared else 1)]
        ranges.append([(a, b if shared else b - 1) for a, b in zip(places, places[1:])])
    return [part(dataset, [e for r in (x, y, z) for e in r]) for z, y, x in itertools.product(*ranges[::-1])]


class Blocks(unittest.TestCase):

    def lines(self, data, centering="point", layout=None, **properties):
        with Messages() as messages:
            tracer = trace("ours", data if hasattr(data, "SMProxy") else produce(data),
                           properties.pop("seeds", None) or seed_line(), centering.upper() + "S", **properties)
            lines = fetch(tracer)
        self.assertEqual(messages.count(), 0, messages.text())
        self.assertGreater(lines.GetNumberOfPoints(), 100)
        if layout:
            self.assertIn(layout, information(tracer, "InputLayout"))
        return lines

    def refused(self, data, *words, centering="point"):
        with Messages() as messages:
            lines = fetch(trace("ours", produce(data), seed_line(), centering.upper() + "S"))
        self.assertEqual(messages.count(), 1, messages.text())
        self.assertEqual(lines.GetNumberOfPoints(), 0)
        for word in words:
            self.assertIn(word, messages.text())

    def test_one_block_is_as_the_block_itself(self):
        turned = image(origin=(1, -1, -1), direction=(0, -1, 0, 1, 0, 0, 0, 0, 1))
        for dataset in (image(), rectilinear(), image(first=(4, -2, 7), origin=(-1.4, -0.75, -13 / 6)), turned):
            for centering in ("point", "cell"):
                whole = fill(dataset, centering)
                expected = digest(self.lines(whole, centering, "one grid"))
                for kind in KINDS:
                    lines = self.lines(kind(whole), centering, "one block of 21 x 17 x 13 points")
                    self.assertEqual(digest(lines), expected)
                whole.GetPointData().Initialize()
                whole.GetCellData().Initialize()

    def test_blocks_that_share_points_are_one_grid(self):
        for make, centering in itertools.product((image, rectilinear, lambda: image(first=(4, -2, 7), origin=(-1.4, -0.75, -13 / 6))),
                                                 ("point", "cell")):
            whole = fill(make(), centering)
            expected = digest(self.lines(whole, centering))
            for cuts in (((8,), (), ()), ((5, 15), (9,), (3, 6))):
                for kind in KINDS:
                    with self.subTest(make=make, centering=centering, cuts=cuts, kind=kind.__name__):
                        lines = self.lines(kind(*cut(whole, cuts)), centering, "as one grid of 21 x 17 x 13 points")
                        self.assertEqual(digest(lines), expected)

    def test_blocks_that_share_no_points_are_one_grid(self):
        for make in (image, rectilinear):
            whole = fill(make())
            blocks = cut(whole, ((8,), (4, 12), (6,)), shared=False)
            self.assertEqual(digest(self.lines(multiblock(*blocks), layout="12 blocks as one grid of 21 x 17 x 13")),
                             digest(self.lines(whole)))

    def test_slices_are_one_grid(self):
        whole = fill(image((21, 17, 5)))
        slices = cut(whole, ((), (), (1, 2, 3, 4)), shared=False)
        self.assertEqual(digest(self.lines(multiblock(*slices))), digest(self.lines(whole)))

    def test_the_order_of_blocks_and_their_origins_change_nothing(self):
        whole = fill(image((21, 17, 9), spacing=(0.125, 0.125, 0.25)))
        expected = digest(self.lines(whole))
        blocks = cut(whole, ((8,), (4, 12), ()))
        for block in blocks:
            extent = block.GetExtent()
            block.SetOrigin([o + s * e for o, s, e in zip(block.GetOrigin(), block.GetSpacing(), extent[::2])])
            block.SetExtent([e - extent[i // 2 * 2] for i, e in enumerate(extent)])
        self.assertEqual(digest(self.lines(multiblock(*blocks[::-1]))), expected)

    def test_turned_and_mirrored_blocks(self):
        for properties in ({"origin": (1, -1, -1), "direction": (0, -1, 0, 1, 0, 0, 0, 0, 1)},
                           {"origin": (1, 1, 1), "spacing": (-0.1, -0.125, -1 / 6)}):
            whole = fill(image(**properties))
            blocks = cut(whole, ((8,), (), (4,)))
            self.assertEqual(digest(self.lines(multiblock(*blocks), layout="4 blocks as one grid")),
                             digest(self.lines(whole)))

    def test_images_beside_rectilinear_grids(self):
        even = rectilinear()
        for axis, put in enumerate((even.SetXCoordinates, even.SetYCoordinates, even.SetZCoordinates)):
            coordinates = (even.GetXCoordinates, even.GetYCoordinates, even.GetZCoordinates)[axis]().NewInstance()
            for i in range(even.GetDimensions()[axis]):
                coordinates.InsertNextValue(-1 + i * 0.125)
            put(coordinates)
        whole = fill(even)
        blocks = cut(whole, ((8,), (), ()))
        as_image = vtkImageData()
        as_image.SetDimensions(blocks[1].GetDimensions())
        as_image.SetOrigin(0, -1, -1)
        as_image.SetSpacing(0.125, 0.125, 0.125)
        as_image.GetPointData().ShallowCopy(blocks[1].GetPointData())
        self.assertEqual(digest(self.lines(multiblock(blocks[0], as_image))), digest(self.lines(whole)))

    def test_hidden_cells_and_points(self):
        for centering, places in (("point", ((8,), (), (4,))), ("cell", ((8,), (9,), ()))):
            whole = fill(image(), centering)
            marks = np.zeros(whole.GetNumberOfCells(), np.uint8)
            marks[::7] = 32
            add_array(whole.GetCellData(), "vtkGhostType", marks, np.uint8)
            expected = digest(self.lines(whole, centering))
            self.assertEqual(digest(self.lines(multiblock(*cut(whole, places)), centering)), expected)
        whole = fill(image())
        marks = np.zeros(whole.GetNumberOfPoints(), np.uint8)
        marks[::101] = 2
        add_array(whole.GetPointData(), "vtkGhostType", marks, np.uint8)
        self.assertEqual(digest(self.lines(multiblock(*cut(whole, ((8,), (), ()))))), digest(self.lines(whole)))

    def test_ghost_layers_are_anothers(self):
        for centering in ("point", "cell"):
            whole = fill(image(), centering)
            blocks = []
            for begin, end, ghosts in ((0, 11, slice(9, None)), (7, 20, slice(0, 2))):
                block = part(whole, (begin, end, 0, 16, 0, 12))
                marks = np.zeros((12, 16, end - begin), np.uint8)
                marks[:, :, ghosts] = 1
                add_array(block.GetCellData(), "vtkGhostType", marks.reshape(-1), np.uint8)
                blocks.append(block)
            self.assertEqual(digest(self.lines(multiblock(*blocks), centering, "2 blocks as one grid")),
                             digest(self.lines(whole, centering)))

    def test_arrays_that_some_blocks_do_not_have_are_left_out_with_a_word(self):
        blocks = cut(fill(image()), ((8,), (), ()))
        blocks[1].GetPointData().RemoveArray("pressure")
        with Messages() as messages:
            lines = fetch(trace("ours", produce(multiblock(*blocks)), seed_line()))
        self.assertEqual(messages.count(), 1, messages.text())
        self.assertIn('block 2 of the input has no array "pressure" on points', messages.text())
        self.assertIsNone(lines.GetPointData().GetArray("pressure"))
        self.assertIsNotNone(lines.GetPointData().GetArray("counts"))

    def test_threads_and_budget_change_nothing(self):
        whole = fill(image((60, 50, 40)))
        blocks = multiblock(*cut(whole, ((20, 40), (25,), ())))
        expected = digest(self.lines(whole))
        for threads, budget in ((1, 1), (3, 1), (2, 64)):
            lines = self.lines(blocks, NumberOfThreads=threads, MemoryBudget=budget)
            self.assertEqual(digest(lines), expected)
            self.assertLessEqual(statistic(lines, "PeakBytes"), budget * 2**20)

    def test_blocks_of_readers(self):
        reader = simple.RivuletFieldReader(FileNames=[generate("abc.rvf", "abc", "--size", "40,40,40")])
        parts = [simple.ExtractSubset(Input=reader, VOI=[*x, 0, 39, 0, 39]) for x in ((0, 17), (17, 39))]
        seeds = seed_line((0.5, 0.6, 0.7), (5.5, 5.2, 5.8), 40)
        expected = digest(self.lines(reader, seeds=seeds))
        for budget in (0, 1):
            lines = self.lines(simple.GroupDatasets(Input=parts), seeds=seeds, layout="2 blocks as one grid",
                               MemoryBudget=budget)
            self.assertEqual(digest(lines), expected)
            self.assertGreater(statistic(lines, "CacheMisses"), 0)

    def test_the_budget_is_the_total_of_all_readers(self):
        whole = simple.RivuletFieldReader(FileNames=[generate("abc64.rvf", "abc", "--size", "64,64,64")])
        parts = []
        for name, x in (("left", (0, 31)), ("right", (31, 63))):
            part, large = scratch(name + ".rvf"), scratch(name + "-large.rvf")
            simple.SaveData(part, proxy=simple.ExtractSubset(Input=whole, VOI=[*x, 0, 63, 0, 63]))
            program("convert", part, large, "--brick", "65", "-q")
            parts.append(simple.RivuletFieldReader(FileNames=[large]))
        both = simple.GroupDatasets(Input=parts)
        seeds = seed_line((0.5, 0.6, 0.7), (5.5, 5.2, 5.8), 40)
        with Messages() as messages:
            self.assertEqual(fetch(trace("ours", both, seeds, MemoryBudget=1)).GetNumberOfPoints(), 0)
        self.assertEqual(messages.count(), 1, messages.text())
        enough = int(messages.text().split("et Memory Budget to ")[1].split()[0])
        self.assertGreater(enough, 3)  # a brick of each is 1.5 MiB
        lines = self.lines(both, seeds=seeds, layout="2 blocks as one grid", MemoryBudget=enough)
        self.assertEqual(digest(lines), digest(self.lines(both, seeds=seeds, layout="2 blocks as one grid")))
        self.assertLessEqual(statistic(lines, "PeakBytes"), enough * 2**20)

    def test_vortex_seeds(self):
        whole = fill(image())
        found = []
        for data in (whole, multiblock(*cut(whole, ((8,), (9,), ())))):
            seeds = simple.RivuletVortexSeeds(Input=produce(data), Vectors=["POINTS", VECTORS], MinimumVorticity=1.0)
            found.append(points_of(fetch(seeds)).tobytes())
        self.assertEqual(*found)

    def apart(self, data, *words, layout="2 blocks, each by itself", seeds=None, **properties):
        """The lines, and the one warning that says why blocks make no grid together."""
        with Messages() as messages:
            tracer = trace("ours", produce(data), seeds or seed_line(), **properties)
            lines = fetch(tracer)
        self.assertEqual(messages.count(), 1, messages.text())
        for word in ("each is traced by itself: lines end at its border", "se Stream Tracer", *words):
            self.assertIn(word, messages.text())
        self.assertIn(layout, information(tracer, "InputLayout"))
        return lines

    def test_blocks_that_make_no_grid_are_traced_each_by_itself(self):
        shifted = part(fill(image()), (12, 20, 0, 16, 0, 12))
        shifted.SetOrigin([origin + 0.03 for origin in shifted.GetOrigin()])
        grid = fill(rectilinear())
        for left, right, why in ((part(grid, (0, 8, 0, 16, 0, 12)), part(grid, (12, 20, 0, 16, 0, 12)), "do not fill a box"),
                                 (part(fill(image()), (0, 8, 0, 16, 0, 12)), shifted, "does not lie on the lattice")):
            expected = [lines_by_seed(self.lines(block)) for block in (left, right)]
            self.assertFalse(set(expected[0]) & set(expected[1]))
            lines = self.apart(multiblock(left, right), why)
            self.assertEqual(lines_by_seed(lines), expected[0] | expected[1])
            self.assertEqual(statistic(lines, "SeedsOutside"), 20 - len(lines_by_seed(lines)))

    def test_a_seed_in_several_blocks_is_of_the_first(self):
        whole = fill(rectilinear())
        first, second = part(whole, (0, 13, 0, 16, 0, 12)), part(whole, (5, 20, 0, 16, 0, 12))
        expected = [lines_by_seed(self.lines(block)) for block in (first, second)]
        self.assertTrue(set(expected[0]) & set(expected[1]))
        lines = self.apart(multiblock(first, second), "block 2 of the input overlaps block 1")
        self.assertEqual(lines_by_seed(lines), expected[1] | expected[0])

    def test_threads_and_budget_change_nothing_of_blocks_by_themselves(self):
        whole = fill(rectilinear())
        blocks = multiblock(part(whole, (0, 13, 0, 16, 0, 12)), part(whole, (5, 20, 0, 16, 0, 12)))
        expected = digest(self.apart(blocks))
        for threads, budget in ((1, 1), (3, 1), (2, 64)):
            self.assertEqual(digest(self.apart(blocks, NumberOfThreads=threads, MemoryBudget=budget)), expected)

    def test_lines_of_blocks_by_themselves_have_the_arrays_that_all_have(self):
        whole = fill(rectilinear())
        left, right = part(whole, (0, 8, 0, 16, 0, 12)), part(whole, (12, 20, 0, 16, 0, 12))
        right.GetPointData().RemoveArray("pressure")
        with Messages() as messages:
            lines = fetch(trace("ours", produce(multiblock(left, right)), seed_line()))
        self.assertEqual(messages.count(), 2, messages.text())
        self.assertIn('not all blocks have the same "pressure"', messages.text())
        self.assertIsNone(lines.GetPointData().GetArray("pressure"))
        self.assertIsNotNone(lines.GetPointData().GetArray("counts"))
        self.assertEqual(lines.GetPointData().GetArray("Normals").GetNumberOfTuples(), lines.GetNumberOfPoints())

    def planes(self, make):
        """A plane at z = 0, and one to its right at z = 5 where the flow goes back."""
        planes = []
        for x, z, flow in ((0, 0, 1.0), (1, 5, -1.0)):
            plane = make(x, z)
            vectors = np.tile((flow, 0.1, 0.0), (plane.GetNumberOfPoints(), 1))
            add_array(plane.GetPointData(), VECTORS, vectors, np.float32)
            planes.append(plane)
        return planes

    def test_planes_apart_are_no_plane_and_no_volume(self):
        def flat_image(x, z):
            made = image((11, 11, 1), origin=(x, 0, z), spacing=(0.1, 0.1, 1))
            return made

        def flat_grid(x, z):
            made = rectilinear((11, 11, 1))
            for axis, places in enumerate((np.linspace(x, x + 1, 11), np.linspace(0, 1, 11), [z])):
                coordinates = vtkDoubleArray()
                for place in places:
                    coordinates.InsertNextValue(place)
                (made.SetXCoordinates, made.SetYCoordinates, made.SetZCoordinates)[axis](coordinates)
            return made

        for make in (flat_image, flat_grid):
            lines = self.apart(multiblock(*self.planes(make)), seeds=simple.Line(Point1=(0.2, 0.3, 0), Point2=(1.5, 0.3, 5),
                                                                                 Resolution=1))
            heights = points_of(lines)[:, 2]
            self.assertEqual(set(heights.tolist()), {0.0, 5.0})
            self.assertLessEqual(points_of(lines)[heights == 0][:, 0].max(), 1.0001)

    def test_hidden_cells_end_lines_beside_a_gap(self):
        whole = fill(image())
        left, right = part(whole, (0, 8, 0, 16, 0, 12)), part(whole, (12, 20, 0, 16, 0, 12))
        marks = np.zeros(left.GetNumberOfCells(), np.uint8)
        marks.reshape(12, 16, 8)[:, :, 5] = 32
        add_array(left.GetCellData(), "vtkGhostType", marks, np.uint8)
        expected = [lines_by_seed(fetch(trace("ours", produce(block), seed_line()))) for block in (left, right)]
        self.assertEqual(lines_by_seed(self.apart(multiblock(left, right), "do not fill a box")), expected[0] | expected[1])
        shown = left.NewInstance()
        shown.ShallowCopy(left)
        shown.GetCellData().RemoveArray("vtkGhostType")
        self.assertNotEqual(lines_by_seed(fetch(trace("ours", produce(shown), seed_line()))), expected[0])

    def test_arrays_of_different_types_become_doubles(self):
        whole = fill(rectilinear())
        for cuts in (((0, 10), (10, 20)), ((0, 10), (7, 20))):  # one grid, and each by itself
            blocks = [part(whole, (*x, 0, 16, 0, 12)) for x in cuts]
            for block, kind in zip(blocks, (np.int16, np.float32)):
                z = np.array([block.GetPoint(i)[2] for i in range(block.GetNumberOfPoints())])
                add_array(block.GetPointData(), "level", np.round(z * 6) if kind == np.int16 else z * 6, kind)
            with Messages() as messages:
                lines = fetch(trace("ours", produce(multiblock(*blocks)), seed_line()))
            self.assertLessEqual(messages.count(), 1, messages.text())
            level = vtk_to_numpy(lines.GetPointData().GetArray("level"))
            self.assertEqual(level.dtype, np.float64)
            points = points_of(lines)
            inside = points[:, 0] > 0.35
            self.assertGreater(inside.sum(), 100)
            np.testing.assert_allclose(level[inside], points[inside, 2] * 6, atol=1e-5)

    def test_computed_arrays_go_before_those_of_one_block(self):
        whole = fill(rectilinear())
        left, right = part(whole, (0, 8, 0, 16, 0, 12)), part(whole, (12, 20, 0, 16, 0, 12))
        add_array(right.GetPointData(), "Vorticity", np.zeros((right.GetNumberOfPoints(), 3)), np.float64)
        with Messages():
            lines = fetch(trace("ours", produce(multiblock(left, right)), seed_line()))
        self.assertGreater(np.abs(vtk_to_numpy(lines.GetPointData().GetArray("Vorticity"))).max(), 0.1)

    def test_the_vectors_of_all_blocks_are_the_same(self):
        whole = fill(rectilinear())
        left, right = part(whole, (0, 8, 0, 16, 0, 12)), part(whole, (12, 20, 0, 16, 0, 12))
        right.GetPointData().GetArray(VECTORS).SetName("force")
        with Messages() as messages:
            lines = fetch(simple.RivuletStreamTracerWithCustomSource(Input=produce(multiblock(left, right)),
                                                                     SeedSource=seed_line(), MaximumStreamlineLength=4.0,
                                                                     Vectors=[None, ""]))
        self.assertIn(f'block 2 of the input has no array "{VECTORS}" on points', messages.text())
        self.assertEqual(lines.GetNumberOfPoints(), 0)

    def test_no_block_with_the_vectors(self):
        for blocks in (cut(fill(image()), ((8,), (), ())), cut(fill(rectilinear()), ((8,), (), ()))):
            for block in blocks:
                block.GetPointData().RemoveArray(VECTORS)
            self.refused(multiblock(*blocks), f'the input has no array "{VECTORS}" of numbers on points')

    def test_arrays_that_some_levels_do_not_have_are_left_out_with_a_word(self):
        for without in (0, 1):
            whole = fill(image())
            blocks = [part(whole, (0, 8, 0, 16, 0, 12)), part(whole, (12, 20, 0, 16, 0, 12))]
            blocks[without].GetPointData().RemoveArray("pressure")
            with Messages() as messages:
                lines = fetch(trace("ours", produce(multiblock(*blocks)), seed_line()))
            self.assertEqual(messages.count(), 1, messages.text())
            self.assertIn('has no array "pressure"', messages.text())
            self.assertIsNone(lines.GetPointData().GetArray("pressure"))
            self.assertTrue(np.isfinite(points_of(lines)).all())

    def test_seeds_outside_all_blocks(self):
        whole = fill(rectilinear())
        blocks = multiblock(part(whole, (0, 8, 0, 16, 0, 12)), part(whole, (12, 20, 0, 16, 0, 12)))
        with Messages() as messages:
            lines = fetch(trace("ours", produce(blocks), seed_line((7, 7, 7), (8, 8, 8))))
        self.assertIn("seeds are outside the grid", messages.text())
        self.assertEqual(lines.GetNumberOfPoints(), 0)

    def test_vortex_seeds_are_found_in_one_grid(self):
        whole = fill(rectilinear())
        blocks = multiblock(part(whole, (0, 8, 0, 16, 0, 12)), part(whole, (12, 20, 0, 16, 0, 12)))
        with Messages() as messages:
            fetch(simple.RivuletVortexSeeds(Input=produce(blocks), Vectors=["POINTS", VECTORS]))
        self.assertEqual(messages.count(), 1, messages.text())
        self.assertIn("2 blocks, each by itself", messages.text())

    def test_what_fits_nowhere_is_refused_with_the_block_and_a_remedy(self):
        missing = cut(fill(image()), ((8,), (), ()))
        missing[0].GetPointData().RemoveArray(VECTORS)
        self.refused(multiblock(*missing), f'block 1 of the input has no array "{VECTORS}" on points', "Extract Block")
        whole = fill(rectilinear())
        without = part(whole, (12, 20, 0, 16, 0, 12))
        without.GetPointData().RemoveArray(VECTORS)
        self.refused(multiblock(part(whole, (0, 8, 0, 16, 0, 12)), without), "block 2 of the input", VECTORS)
        blocks = cut(fill(rectilinear()), ((8,), (), ()))
        self.refused(multiblock(blocks[0], vtkTable()), "block 2 of the input is a vtkTable", "Extract Block")
        self.refused(multiblock(None), "no blocks with cells")

    def test_extract_block_takes_what_is_in_the_way_out(self):
        other = vtkUnstructuredGrid()
        other.SetPoints(points_of_a_tetrahedron())
        other.InsertNextCell(10, 4, (0, 1, 2, 3))
        whole = fill(image())
        blocks = simple.ExtractBlock(Input=produce(multiblock(whole, other)), Selectors=["/Root/Block0"])
        self.assertEqual(digest(self.lines(blocks)), digest(self.lines(whole)))


class Ranks(unittest.TestCase):
    """On any number of ranks; of files, because data in memory are the first rank's only."""

    lines = Blocks.lines

    def cube(self, name, origin):
        """30 x 30 x 30 points of a swirl, from the origin on."""
        x, y, z = (start + np.arange(30) / 15 for start in origin)
        z, y, x = np.meshgrid(z, y, x, indexing="ij")
        swirl(x.ravel(), y.ravel(), z.ravel()).astype(np.float32).tofile(scratch(name + ".raw"))
        with open(scratch(name + ".bov"), "w", encoding="ascii") as file:
            file.write(f"TIME: 0\nDATA_FILE: {name}.raw\nDATA_SIZE: 30 30 30\nDATA_FORMAT: FLOAT\nDATA_COMPONENTS: 3\n"
                       f"VARIABLE: {VECTORS}\nBRICK_ORIGIN: {origin[0]} {origin[1]} {origin[2]}\n"
                       f"BRICK_SIZE: {29 / 15} {29 / 15} {29 / 15}\n")
        reader = simple.RivuletBOVReader(FileNames=[scratch(name + ".bov")])
        reader.UpdatePipeline()
        return reader

    def test_blocks_by_themselves(self):
        cubes = [self.cube("near", (-1, -1, -1)), self.cube("far", (-0.315, -0.2, -0.1))]
        expected = [lines_by_seed(self.lines(cube)) for cube in cubes]
        with Messages() as messages:
            lines = fetch(trace("ours", simple.GroupDatasets(Input=cubes), seed_line()))
        self.assertEqual(messages.count(), 1, messages.text())
        self.assertIn("each is traced by itself", messages.text())
        self.assertEqual(lines_by_seed(lines), expected[1] | expected[0])

    def test_blocks_that_each_rank_has_one_of_are_refused(self):
        source = simple.ProgrammableSource(OutputDataSetType="vtkMultiblockDataSet", Script="""
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkCommonCore import vtkDoubleArray
from vtkmodules.vtkParallelCore import vtkMultiProcessController
controller = vtkMultiProcessController.GetGlobalController()
block = vtkImageData()
block.SetDimensions(5, 5, 5)
block.SetOrigin(4 * controller.GetLocalProcessId(), 0, 0)
vectors = vtkDoubleArray()
vectors.SetName("velocity")
vectors.SetNumberOfComponents(3)
vectors.SetNumberOfTuples(125)
vectors.Fill(1.0)
block.GetPointData().AddArray(vectors)
output = self.GetOutputDataObject(0)
output.SetNumberOfBlocks(controller.GetNumberOfProcesses())
output.SetBlock(controller.GetLocalProcessId(), block)
""")
        with Messages() as messages:
            lines = fetch(trace("ours", source, seed_line((1, 1, 1), (3, 3, 3))))
        if controller().GetNumberOfProcesses() == 1:
            self.assertEqual(messages.count(), 0, messages.text())
            return
        self.assertIn("of the input is not in this process", messages.text())
        self.assertIn("ive all blocks to every process", messages.text())
        self.assertEqual(lines.GetNumberOfPoints(), 0)


def points_of_a_tetrahedron():
    points = vtkPoints()
    for point in ((0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)):
        points.InsertNextPoint(point)
    return points


if __name__ == "__main__":
    # exit() would end the first rank without the others.
    if not unittest.main(exit=False).result.wasSuccessful():
        sys.exit(1)
