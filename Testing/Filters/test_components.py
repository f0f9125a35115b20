# SPDX-License-Identifier: BSD-3-Clause
"""Vectors that are two or three scalar arrays: the same bytes as from an array of vectors, in memory and paged."""
import sys
import unittest

import numpy as np
from filter_testing import (VECTORS, Messages, add_array, array_of, digest, fetch, fill, image, points_of, produce,
                            rectilinear, seed_line, simple, statistic, swirl)
from levels_in_memory import ORIGIN, as_amr, random_levels
from plugin_testing import generate, scratch
from vtkmodules.util.numpy_support import vtk_to_numpy

AXES = "XYZ"
JOINED = "Vector"  # the name that ParaView's Merge Vector Components gives
STRATEGIES = ("Automatic", "Memory Map", "Buffered Cache", "Direct Cache", "Asynchronous")


def with_components(dataset, types=(np.float32, np.float32, np.float32)):
    """The vectors under the name that joined ones have, and their components beside them."""
    for attributes in (dataset.GetPointData(), dataset.GetCellData()):
        vectors = attributes.GetArray(VECTORS)
        if vectors is not None:
            values = vtk_to_numpy(vectors).copy()
            attributes.RemoveArray(VECTORS)
            add_array(attributes, JOINED, values, np.result_type(*types))
            for name, component, dtype in zip("uvw", values.T, types):
                add_array(attributes, name, component, dtype)
    return dataset


def without_vectors(dataset):
    plain = dataset.NewInstance()
    plain.ShallowCopy(dataset)
    plain.GetPointData().RemoveArray(JOINED)
    plain.GetCellData().RemoveArray(JOINED)
    return plain


def trace(source, seeds=None, vectors=None, arrays=(), centering="POINTS", **properties):
    tracer = simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=seeds or seed_line())
    if vectors:
        tracer.Vectors = [centering, vectors]
    for axis, name in zip(AXES, arrays):
        setattr(tracer, axis + "Array", name)
    tracer.MaximumStreamlineLength = 4.0
    for name, value in properties.items():
        setattr(tracer, name, value)
    return tracer


class Components(unittest.TestCase):

    def lines(self, *arguments, **properties):
        with Messages() as messages:
            lines = fetch(trace(*arguments, **properties))
        self.assertEqual(messages.count(), 0, messages.text())
        self.assertGreater(lines.GetNumberOfPoints(), 100)
        return lines

    def test_the_same_bytes_as_an_array_of_vectors(self):
        mixed = (np.float32, np.float64, np.float32)
        for make in (image, rectilinear):
            for centering in ("point", "cell"):
                for types in ((np.float32,) * 3, (np.float64,) * 3, mixed):
                    with self.subTest(make=make.__name__, centering=centering, types=types):
                        dataset = with_components(fill(make(), centering), types)
                        place = "POINTS" if centering == "point" else "CELLS"
                        whole = self.lines(produce(dataset), vectors=JOINED, centering=place)
                        parts = self.lines(produce(without_vectors(dataset)), arrays="uvw", centering=place)
                        self.assertEqual(digest(parts), digest(whole))
                        self.assertIsNotNone(parts.GetPointData().GetArray("Normals"))

    def test_none_is_chosen_at_first(self):
        source = produce(with_components(fill(image())))
        for proxy in (simple.RivuletStreamTracer(Input=source), simple.RivuletVortexSeeds(Input=source),
                      simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=seed_line())):
            for axis in AXES:
                self.assertEqual(getattr(proxy, axis + "Array"), "None")

    def test_they_go_before_vectors(self):
        dataset = with_components(fill(image()))
        add_array(dataset.GetPointData(), "other", np.ones((dataset.GetNumberOfPoints(), 3)), np.float32)
        both = self.lines(produce(dataset), vectors="other", arrays="uvw")
        self.assertEqual(digest(both), digest(self.lines(produce(dataset), vectors=JOINED)))
        none = self.lines(produce(dataset), vectors=JOINED, arrays=("None", "None", "None"))
        self.assertEqual(digest(none), digest(both))

    def test_a_component_that_is_none_is_zero(self):
        dataset = with_components(fill(image((21, 17, 5))))
        values = vtk_to_numpy(dataset.GetPointData().GetArray(JOINED))
        for missing in range(3):
            cut = values.copy()
            cut[:, missing] = 0
            add_array(dataset.GetPointData(), JOINED, cut, np.float32)
            arrays = ["None" if axis == missing else name for axis, name in enumerate("uvw")]
            parts = self.lines(produce(without_vectors(dataset)), arrays=arrays)
            self.assertEqual(digest(parts), digest(self.lines(produce(dataset), vectors=JOINED)))

    def test_in_a_plane(self):
        plane = image((41, 41, 1), origin=(-1, -1, 0), spacing=(0.05, 0.05, 1))
        x, y, _ = np.array([plane.GetPoint(i) for i in range(plane.GetNumberOfPoints())]).T
        add_array(plane.GetPointData(), "u", -y, np.float64)
        add_array(plane.GetPointData(), "v", x, np.float64)
        lines = self.lines(produce(plane), seed_line((0.1, 0, 0), (0.9, 0, 0)), arrays="uv")
        self.assertTrue((array_of(lines.GetPointData(), JOINED)[:, 2] == 0).all())
        radius = np.hypot(*points_of(lines).T[:2])
        self.assertLess(np.abs(radius - np.round(radius * 23.75) / 23.75).max(), 0.02)

    def test_an_array_of_the_joined_name_gives_way(self):
        dataset = with_components(fill(image()))
        expected = digest(self.lines(produce(without_vectors(dataset)), arrays="uvw"))
        add_array(dataset.GetPointData(), JOINED, np.ones((dataset.GetNumberOfPoints(), 2)), np.float32)
        self.assertEqual(digest(self.lines(produce(dataset), arrays="uvw")), expected)

    def test_levels(self):
        for axes in (2, 3):
            levels = random_levels(7, axes)
            for level in levels:
                level.arrays[JOINED] = level.arrays.pop("v")
                for axis, name in enumerate("uvw"):
                    level.arrays[name] = level.arrays[JOINED][..., axis:axis + 1]
            low = ORIGIN + (0.1, 0.1, 0.0 if axes == 2 else 0.1)
            seeds = seed_line(low, low + (0.8, 0.2, 0.0 if axes == 2 else 0.5))
            whole = self.lines(produce(as_amr(levels)), seeds, vectors=JOINED, centering="CELLS")
            for level in levels:
                del level.arrays[JOINED]
            parts = self.lines(produce(as_amr(levels)), seeds, arrays="uvw", centering="CELLS")
            self.assertEqual(digest(parts), digest(whole))

    def test_vortex_seeds(self):
        dataset = with_components(fill(image()))
        found = []
        for properties in ({"Vectors": ["POINTS", JOINED]},
                           {axis + "Array": name for axis, name in zip(AXES, "uvw")}):
            seeds = simple.RivuletVortexSeeds(Input=produce(dataset), MinimumVorticity=1.0, **properties)
            found.append(points_of(fetch(seeds)))
        self.assertGreater(len(found[0]), 50)
        self.assertTrue((found[0] == found[1]).all())


class Paged(unittest.TestCase):

    lines = Components.lines


    @classmethod
    def setUpClass(cls):
        dataset = with_components(fill(image((70, 65, 60))))
        for name in ("counts", "bytes"):
            dataset.GetPointData().RemoveArray(name)
        cls.path = scratch("components.rvf")
        simple.SaveData(cls.path, proxy=produce(dataset))

    def read(self, *arrays, **properties):
        return simple.RivuletFieldReader(FileNames=[self.path], PointArrays=list(arrays), **properties)

    def seeds(self):
        return seed_line((-0.9, -0.8, -0.7), (0.8, 0.9, 0.75), 199)

    def test_budget_threads_and_strategy_change_no_byte(self):
        expected = digest(self.lines(self.read("u", "v", "w", JOINED), self.seeds(), vectors=JOINED))
        for strategy in STRATEGIES:
            for budget, threads in ((1, 1), (1, 2), (64, 3)):
                with self.subTest(strategy=strategy, budget=budget, threads=threads):
                    lines = self.lines(self.read("u", "v", "w"), self.seeds(), arrays="uvw", MemoryBudget=budget,
                                       NumberOfThreads=threads, AccessStrategy=strategy)
                    self.assertEqual(digest(lines), expected)
                    self.assertLessEqual(statistic(lines, "PeakBytes"), budget * 2**20)
                    self.assertGreater(statistic(lines, "BytesRead"), 0)

    def test_only_bricks_on_the_way_are_read(self):
        lines = self.lines(self.read("u", "v", "w"), seed_line((0, 0, 0), (0.01, 0, 0), 3), arrays="uvw",
                           MaximumStreamlineLength=0.3)
        self.assertLess(statistic(lines, "BricksRead"), 100)  # of 3 * 512

    def test_the_budgets_are_back_after_a_run(self):
        reader = self.read("u", "v", "w", MemoryBudget=32)
        small = self.lines(reader, self.seeds(), arrays="uvw", MemoryBudget=1)
        self.assertLessEqual(statistic(small, "PeakBytes"), 2**20)
        self.assertGreater(statistic(self.lines(reader, self.seeds(), arrays="uvw"), "PeakBytes"), 2**20)

    def test_extract_subset(self):
        def subset(*arrays):
            return simple.ExtractSubset(Input=self.read(*arrays), VOI=[10, 45, 5, 50, 12, 40])

        expected = self.lines(subset("u", "v", "w", JOINED), vectors=JOINED)
        self.assertEqual(digest(self.lines(subset("u", "v", "w"), arrays="uvw")), digest(expected))


class Ranks(unittest.TestCase):
    """On any number of ranks; of files, because data in memory are the first rank's only."""

    lines = Components.lines

    def header(self, name, values):
        values.astype(np.float32).tofile(scratch(name + ".raw"))
        with open(scratch(name + ".bov"), "w", encoding="ascii") as file:
            file.write(f"TIME: 0\nDATA_FILE: {name}.raw\nDATA_SIZE: 30 30 30\nDATA_FORMAT: FLOAT\n"
                       f"DATA_COMPONENTS: {values.size // 27000}\nVARIABLE: {name}\nBRICK_ORIGIN: -1 -1 -1\n"
                       "BRICK_SIZE: 2 2 2\n")
        return scratch(name + ".bov")

    def read(self, *names):
        z, y, x = np.meshgrid(*[np.linspace(-1, 1, 30)] * 3, indexing="ij")
        vectors = swirl(x.ravel(), y.ravel(), z.ravel())
        values = {JOINED: vectors, "u": vectors[:, 0], "v": vectors[:, 1], "w": vectors[:, 2]}
        reader = simple.RivuletBOVReader(FileNames=[self.header(name, values[name]) for name in names])
        reader.UpdatePipeline()
        return reader

    def test_components(self):
        expected = digest(self.lines(self.read("u", "v", "w", JOINED), vectors=JOINED))
        self.assertEqual(digest(self.lines(self.read("u", "v", "w"), arrays="uvw")), expected)

    def test_blocks(self):
        reader = self.read(JOINED, "u")
        parts = [simple.ExtractSubset(Input=reader, VOI=[*x, 0, 29, 0, 29]) for x in ((0, 17), (17, 29))]
        blocks = simple.GroupDatasets(Input=parts)
        self.assertEqual(digest(self.lines(blocks, vectors=JOINED)), digest(self.lines(reader, vectors=JOINED)))


class Refusals(unittest.TestCase):

    def refused(self, dataset, *words, **properties):
        with Messages() as messages:
            lines = fetch(trace(produce(dataset), **properties))
        self.assertEqual(messages.count(), 1, messages.text())
        self.assertEqual(lines.GetNumberOfPoints(), 0)
        for word in words:
            self.assertIn(word, messages.text())

    def setUp(self):
        self.dataset = without_vectors(with_components(fill(image())))

    def test_arrays_that_are_not_there(self):
        self.refused(self.dataset, 'Y Array is "q", and the input has no such array of numbers', '"u" (points)',
                     arrays=("u", "q", "w"))

    def test_arrays_of_several_components(self):
        self.refused(self.dataset, 'Z Array is "pair", which has 2 components, not one',
                     arrays=("u", "v", "pair"))

    def test_arrays_of_different_places(self):
        self.dataset.GetPointData().RemoveArray("w")
        add_array(self.dataset.GetCellData(), "w", np.ones(self.dataset.GetNumberOfCells()), np.float32)
        tracer = trace(produce(self.dataset), arrays="uv")
        tracer.ZArray = "w"
        with Messages() as messages:
            fetch(tracer)
        self.assertEqual(messages.count(), 1, messages.text())
        self.assertIn('X Array "u" lies on points and Z Array "w" on cells', messages.text())

    def test_one_component_alone(self):
        self.refused(self.dataset, 'only Y Array "v" is chosen', "third may be None", arrays=("None", "v", "None"))

    def test_scalars_are_named_where_there_are_no_vectors(self):
        scalars = 'among "u" (points), "v" (points), "w" (points)'
        self.dataset.GetPointData().RemoveArray("pressure")
        self.refused(self.dataset, "no vector array to follow", "X Array, Y Array and Z Array", scalars)
        self.refused(self.dataset, 'the array "pair" on points has 2 components, vectors have 3', scalars, vectors="pair")
        self.refused(self.dataset, 'the array "u" on points has 1 component, vectors have 3', scalars, vectors="u")
        self.refused(self.dataset, 'no array "flux" of numbers on points', scalars, vectors="flux")

    def test_vectors_are_named_first(self):
        add_array(self.dataset.GetPointData(), "B", np.ones((self.dataset.GetNumberOfPoints(), 3)), np.float32)
        self.refused(self.dataset, 'hoose under Vectors "B" (points), or its components', vectors="u")

    def test_two_scalars_are_no_vectors(self):
        for name in ("pressure", "w"):
            self.dataset.GetPointData().RemoveArray(name)
        self.refused(self.dataset, "no vector array to follow", "ake one with Calculator")

    def test_a_reader_without_ticked_arrays(self):
        bare = image()
        add_array(bare.GetPointData(), "vtkGhostType", np.zeros(bare.GetNumberOfPoints()), np.uint8)
        self.refused(bare, "no vector array to follow", "tick arrays in the panel of the reader")


class Steps(unittest.TestCase):
    """Components in a file with all time steps."""

    def test_they_are_read_as_bricks(self):
        made = simple.RivuletFieldReader(FileNames=[generate(
            "gyre.rvf", "double-gyre", "--dims", "41,21,5", "--steps", "5", "--dt", "0.7")])
        for name, axis in zip("uvw", AXES):
            made = simple.Calculator(Input=made, Function=f"velocity_{axis}", ResultArrayName=name)
        simple.SaveData(scratch("uvw.rvf"), proxy=made, WriteAllTimeSteps=1)
        field = simple.RivuletFieldReader(FileNames=[scratch("uvw.rvf")])
        seeds = simple.Line(Point1=(0.2, 0.2, 0.5), Point2=(1.8, 0.8, 0.5), Resolution=9)
        frames = {}
        for name, properties in (("whole", {"Vectors": ["POINTS", "velocity"]}),
                                 ("parts", {"XArray": "u", "YArray": "v", "ZArray": "w"}),
                                 ("steps", {"XArray": "u", "YArray": "v", "ZArray": "w"})):
            source = simple.Calculator(Input=field, Function="1", ResultArrayName="one") if name == "steps" else field
            tracer = simple.RivuletPathTracerWithCustomSource(Input=source, SeedSource=seeds, **properties)
            tracer.UpdatePipeline(2.8)
            frames[name] = [points_of(fetch(tracer)).tobytes()]
            tracer.UpdatePipeline(1.3)
            frames[name].append(points_of(fetch(tracer)).tobytes())
            tracer.SMProxy.UpdatePropertyInformation()
            access = tracer.SMProxy.GetProperty("TimeAccess").GetElement(0)
            self.assertTrue(access.startswith("Step by step" if name == "steps" else "As bricks"), access)
        self.assertTrue(frames["whole"][0])
        self.assertEqual(frames["parts"], frames["whole"])
        self.assertEqual(frames["steps"], frames["whole"])

    def test_a_steady_line_takes_the_step_that_is_shown(self):
        self.test_they_are_read_as_bricks()
        field = simple.RivuletFieldReader(FileNames=[scratch("uvw.rvf")])
        for time in (0.0, 2.1):
            field.UpdatePipeline(time)
            seeds = simple.Line(Point1=(0.2, 0.2, 0.5), Point2=(1.8, 0.8, 0.5), Resolution=9)
            parts, whole = trace(field, seeds, arrays="uvw"), trace(field, seeds, vectors="velocity")
            for tracer in (parts, whole):
                tracer.UpdatePipeline(time)
            places = [points_of(tracer.GetClientSideObject().GetOutputDataObject(0)).tobytes() for tracer in (parts, whole)]
            self.assertTrue(places[0])
            self.assertEqual(places[0], places[1])


if __name__ == "__main__":
    # exit() would end the first rank without the others.
    if not unittest.main(exit=False).result.wasSuccessful():
        sys.exit(1)
