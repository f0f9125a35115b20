# SPDX-License-Identifier: BSD-3-Clause
"""Filters between a reader that pages and the stream tracer: the bytes are those of the same dataset in ordinary arrays,
or the input is refused with one message."""
import unittest

import numpy as np
from filter_testing import Messages, digest, fetch, lines_by_seed, points_of, produce, seed_line, simple, statistic
from plugin_testing import generate
from vtkmodules.util.numpy_support import numpy_to_vtk

SIZE = 24


class Between(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.path = generate("abc.rvf", "abc", "--size", f"{SIZE},{SIZE},{SIZE}", "--with-speed")
        cls.other = generate("other.rvf", "abc", "--size", f"{SIZE},{SIZE},{SIZE}", "--float64")

    def setUp(self):
        self.reader = simple.RivuletFieldReader(FileNames=[self.path])
        self.seeds = seed_line((1, 1.1, 1.2), (5, 4.9, 5.2), 20)

    def trace(self, source, **properties):
        properties.setdefault("Vectors", ["POINTS", "velocity"])
        return simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=self.seeds, MaximumStreamlineLength=4.0,
                                                          **properties)

    def in_memory(self, source):
        """The same dataset with ordinary arrays."""
        source.UpdatePipeline()
        paged = source.GetClientSideObject().GetOutputDataObject(0)
        plain = paged.NewInstance()
        plain.CopyStructure(paged)
        for of, to in ((paged.GetPointData(), plain.GetPointData()), (paged.GetCellData(), plain.GetCellData())):
            for i in range(of.GetNumberOfArrays()):
                array = of.GetArray(i)
                values = np.array([array.GetTuple(t) for t in range(array.GetNumberOfTuples())])
                copy = numpy_to_vtk(values, deep=True, array_type=array.GetDataType())
                copy.SetName(array.GetName())
                to.AddArray(copy)
        return produce(plain)

    def program(self, *lines):
        script = "\n".join(("output = self.GetOutputDataObject(0)", "output.ShallowCopy(self.GetInputDataObject(0, 0))",
                            "points = output.GetPointData()", "from vtkmodules.vtkCommonCore import vtkFloatArray", *lines))
        return simple.ProgrammableFilter(Input=self.reader, OutputDataSetType="Same as Input", CopyArrays=0, Script=script)

    def expect_same(self, source, lazy=None, **properties):
        with Messages() as messages:
            found = fetch(self.trace(source, **properties))
            expected = fetch(self.trace(self.in_memory(source), **properties))
        self.assertEqual(messages.count(), 0, messages.text())
        self.assertGreater(found.GetNumberOfPoints(), 100)
        self.assertEqual(digest(found), digest(expected))
        if lazy is not None:
            self.assertEqual(statistic(found, "BricksRead") + statistic(found, "CacheHits") > 0, lazy)

    def expect_refusal(self, source, *words, **properties):
        with Messages() as messages:
            lines = fetch(self.trace(source, **properties))
        self.assertEqual(messages.count(), 1, messages.text())
        for word in words:
            self.assertIn(word, messages.text())
        self.assertEqual(lines.GetNumberOfPoints(), 0)

    def test_extract_subset(self):
        self.expect_same(simple.ExtractSubset(Input=self.reader, VOI=[2, 20, 0, 22, 3, 23]))
        self.expect_same(simple.ExtractSubset(Input=self.reader, VOI=[0, 23, 0, 23, 0, 23], SampleRateI=2, SampleRateJ=3))

    def test_calculator(self):
        overwritten = simple.Calculator(Input=self.reader, Function="velocity*speed-iHat", ResultArrayName="velocity")
        self.expect_same(overwritten)
        added = simple.Calculator(Input=self.reader, Function="-velocity", ResultArrayName="back")
        self.expect_same(added, lazy=True)
        self.expect_same(added, Vectors=["POINTS", "back"])

    def test_temporal_shift_scale(self):
        self.expect_same(simple.TemporalShiftScale(Input=self.reader, PreShift=1, PostShift=5.0, Scale=2.0), lazy=True)

    def test_pass_arrays(self):
        self.expect_same(simple.PassArrays(Input=self.reader, PointDataArrays=["velocity"]), lazy=True)

    def test_point_data_to_cell_data(self):
        self.expect_same(simple.PointDatatoCellData(Input=self.reader, ProcessAllArrays=1, PassPointData=1), lazy=True)
        cells = simple.PointDatatoCellData(Input=self.reader, ProcessAllArrays=1)
        self.expect_same(cells, Vectors=["CELLS", "velocity"])
        self.expect_same(simple.CellDatatoPointData(Input=cells, ProcessAllArrays=1))

    def test_resample_to_image(self):
        self.expect_same(simple.ResampleToImage(Input=self.reader, SamplingDimensions=[17, 13, 19]), lazy=False)

    def test_append_attributes_of_two_fields(self):
        both = simple.AppendAttributes(Input=[self.reader, simple.RivuletFieldReader(FileNames=[self.other])])
        self.expect_same(both)

    def test_parts_of_fields_that_begin_elsewhere(self):
        parts = [simple.ExtractSubset(Input=reader, VOI=[low, low + 15, 0, 15, low, low + 15]) for reader, low in (
            (self.reader, 0), (simple.RivuletFieldReader(FileNames=[self.other]), 6))]
        parts[0].UpdatePipeline()
        shape = parts[0].GetClientSideObject().GetOutputDataObject(0)
        mixed = shape.NewInstance()
        mixed.ShallowCopy(shape)
        parts[1].UpdatePipeline()
        array = parts[1].GetClientSideObject().GetOutputDataObject(0).GetPointData().GetArray("velocity")
        mixed.GetPointData().AddArray(array)
        self.expect_same(produce(mixed))

    def test_datasets_of_other_kinds_are_found_by_vtk(self):
        threshold = simple.Threshold(Input=self.reader, Scalars=["POINTS", "speed"])
        threshold.LowerThreshold, threshold.UpperThreshold = 0.0, 100.0
        expected = points_of(fetch(self.trace(self.reader)))
        for source in (threshold, simple.AppendDatasets(Input=[self.reader]), simple.Transform(Input=self.reader)):
            found = points_of(fetch(self.trace(source)))
            self.assertGreater(len(found), 0.9 * len(expected))
            self.assertLess(np.abs(found.max(axis=0) - expected.max(axis=0)).max(), 1e-3)

    def test_a_dataset_twice_is_traced_once(self):
        expected = lines_by_seed(fetch(self.trace(self.reader)))
        with Messages() as messages:
            lines = fetch(self.trace(simple.GroupDatasets(Input=[self.reader, self.reader])))
        self.assertEqual(messages.count(), 1, messages.text())
        self.assertIn("overlaps", messages.text())
        self.assertEqual(lines_by_seed(lines), expected)

    def test_geometry_that_a_filter_changes(self):
        self.expect_same(self.program("output.SetSpacing(0.2, 0.3, 0.25)"), lazy=True)
        self.expect_same(self.program("output.SetOrigin(0.25, -0.5, 0.125)"), lazy=True)
        self.expect_same(self.program("output.SetExtent(3, 26, -5, 18, 0, 23)", "output.SetOrigin(-0.75, 1.25, 0)"),
                         lazy=True)
        self.expect_same(self.program("output.SetDirectionMatrix(0.8, -0.6, 0, 0.6, 0.8, 0, 0, 0, 1)"), lazy=True)

    def test_another_shape_of_as_many_points(self):
        self.expect_same(self.program("output.SetExtent(0, 47, 0, 11, 0, 23)", "output.SetSpacing(0.14, 0.6, 0.28)"),
                         lazy=False)

    def test_fewer_points_than_values_are_refused(self):
        self.expect_refusal(self.program("output.SetExtent(0, 20, 0, 23, 0, 23)"),
                            f'"velocity" has {SIZE**3} values for {21 * SIZE * SIZE} points')

    def test_arrays_that_are_replaced(self):
        make = ("made = vtkFloatArray()", "made.SetName('velocity')", "made.SetNumberOfComponents(3)")
        fill = "[made.FillComponent(i, 1 + i) for i in range(3)]"
        self.expect_same(self.program(*make, f"made.SetNumberOfTuples({SIZE**3})", fill, "points.AddArray(made)"))
        self.expect_refusal(self.program(*make, "made.SetNumberOfTuples(100)", fill, "points.AddArray(made)"),
                            f'"velocity" has 100 values for {SIZE**3} points')
        self.expect_refusal(self.program("made = vtkFloatArray()", "made.SetName('speed')", "made.SetNumberOfTuples(7)",
                                         "points.AddArray(made)"), f'"speed" has 7 values for {SIZE**3} points')

    def test_an_array_with_another_name(self):
        self.expect_same(self.program("points.GetArray('velocity').SetName('flow')"), lazy=True,
                         Vectors=["POINTS", "flow"])

    def test_an_array_of_points_on_cells(self):
        self.expect_refusal(self.program("output.GetCellData().AddArray(points.GetArray('velocity'))"),
                            f'"velocity" has {SIZE**3} values for {(SIZE - 1)**3} cells', Vectors=["CELLS", "velocity"])


if __name__ == "__main__":
    unittest.main()
