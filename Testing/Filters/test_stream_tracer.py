# SPDX-License-Identifier: BSD-3-Clause
"""What Rivulet Stream Tracer does on its own account: names, the Seeds output, statistics, bad input, hidden cells."""
import os
import resource
import signal
import time
import unittest

import numpy as np
from filter_testing import (VECTORS, Messages, add_array, array_of, digest, fetch, fill, image, lines_of, points_of,
                            produce, rectilinear, seed_line, simple, statistic, trace)
from vtkmodules.vtkCommonCore import vtkDataArray
from vtkmodules.vtkCommonDataModel import vtkMultiBlockDataSet, vtkPolyData, vtkTable

# Left out on purpose: seeds are always taken whole on every rank; any text is taken for a locator (ParaView 6.2).
NOT_OURS = {"UseLocalSeedSource", "CellLocator"}
NOT_IN_PANEL = {"SurfaceStreamlines"}  # which is refused
OURS_ONLY = {"MaximumTime", "MaximumSeconds", "MemoryBudget", "AccessStrategy", "NumberOfThreads", "ShareBricks", "StoreRanks", "XArray",
             "CellLocator", "YArray", "ZArray", "InputLayout", "StrategyInUse", "StrategyReason", "ValuesRead", "PeakMemory", "BytesRead",
             "PeakBytes", "IgnoreAbove", "SeedsInPlane", "ExactEnds", "EndOnBoundary"}
STATISTICS = ("BytesRead", "BricksRead", "CacheHits", "CacheMisses", "BricksPrefetched", "PrefetchedUsed",
              "PeakBytes", "IntegrationSteps", "TraceSeconds", "StallSeconds", "SeedsOutside", "LinesCut")


class Names(unittest.TestCase):

    def setUp(self):
        self.source = produce(fill(image()))

    def compare(self, stock, ours):
        self.assertEqual(set(stock.ListProperties()) - NOT_OURS, set(ours.ListProperties()) - OURS_ONLY)
        for name in set(stock.ListProperties()) - NOT_OURS - {"Input", "SeedType", "SeedSource"}:
            theirs, mine = stock.GetProperty(name), ours.GetProperty(name)
            self.assertEqual(str(theirs.GetData()), str(mine.GetData()), name)
            self.assertEqual(theirs.SMProperty.GetXMLName(), mine.SMProperty.GetXMLName())
            if name not in NOT_IN_PANEL:
                self.assertEqual(theirs.SMProperty.GetPanelVisibility(), mine.SMProperty.GetPanelVisibility(), name)

    def test_properties_and_defaults_are_the_stock_filters(self):
        self.compare(simple.StreamTracer(Input=self.source), simple.RivuletStreamTracer(Input=self.source))

    def test_so_are_those_with_a_custom_source(self):
        line = seed_line()
        self.compare(simple.StreamTracerWithCustomSource(Input=self.source, SeedSource=line),
                     simple.RivuletStreamTracerWithCustomSource(Input=self.source, SeedSource=line))

    def test_seed_types_are_the_stock_filters(self):
        for kind in ("Line", "Point Cloud"):
            lines = simple.RivuletStreamTracer(Input=self.source, SeedType=kind)
            lines.Vectors = ["POINTS", VECTORS]
            lines.MaximumStreamlineLength = 1.0
            self.assertGreater(fetch(lines).GetNumberOfLines(), 10)

    def test_every_property_is_explained(self):
        filters = (simple.RivuletStreamTracer(Input=self.source), simple.RivuletVortexSeeds(Input=self.source))
        for proxy in filters:
            for name in proxy.ListProperties():
                text = proxy.GetProperty(name).SMProperty.GetDocumentation()
                self.assertTrue(text and text.GetDescription().strip(), name)

    def test_output_ports_have_names(self):
        proxy = simple.RivuletStreamTracer(Input=self.source).SMProxy
        self.assertEqual([proxy.GetOutputPortName(i) for i in range(proxy.GetNumberOfOutputPorts())],
                         ["Streamlines", "Seeds"])

    def test_the_base_proxies_cannot_be_made(self):
        self.assertFalse(hasattr(simple, "RivuletStreamTracerBase"))
        self.assertFalse(hasattr(simple, "RivuletRunSettings"))


class Results(unittest.TestCase):

    def setUp(self):
        self.dataset = fill(image())
        self.source = produce(self.dataset)

    def test_seeds_tell_what_became_of_each(self):
        seeds = seed_line((-3, 0, 0), (0.5, 0.1, 0.2), 9)
        tracer = trace("ours", self.source, seeds)
        lines, fates = fetch(tracer), fetch(tracer, 1)
        data = fates.GetPointData()
        self.assertEqual((fates.GetNumberOfPoints(), fates.GetNumberOfVerts()), (10, 10))
        self.assertEqual(list(array_of(data, "SeedId")), list(range(10)))
        outside = points_of(fates)[:, 0] < -1
        self.assertEqual(statistic(lines, "SeedsOutside"), outside.sum())
        for direction in ("Forward", "Backward"):
            reasons = array_of(data, f"Reason{direction}Termination")
            self.assertTrue((reasons[outside] == 10).all())
            self.assertEqual(reasons.dtype, np.int32)
        for seed, backward, reason, ids in lines_of(lines):
            direction = "Backward" if backward else "Forward"
            self.assertEqual(array_of(data, f"Reason{direction}Termination")[seed], reason)
            time = array_of(lines.GetPointData(), "IntegrationTime")[ids.stop - 1]
            self.assertEqual(array_of(data, f"{direction}Time")[seed], time)
            self.assertGreater(array_of(data, f"{direction}Length")[seed], 0)
            self.assertGreaterEqual(array_of(data, f"{direction}Steps")[seed], ids.stop - ids.start - 1)

    def test_maximum_time_ends_lines_just_then(self):
        lines = fetch(trace("ours", self.source, seed_line(), MaximumTime=0.25))
        ended = [line for line in lines_of(lines) if line[2] == 7]
        self.assertGreater(len(ended), 10)
        times = array_of(lines.GetPointData(), "IntegrationTime")
        for _, backward, _, ids in ended:
            self.assertAlmostEqual(times[ids.stop - 1], -0.25 if backward else 0.25, delta=1e-12)

    def test_statistics_are_there(self):
        lines = fetch(trace("ours", self.source, seed_line()))
        for name in STATISTICS:
            self.assertEqual(lines.GetFieldData().GetArray(name).GetNumberOfTuples(), 1, name)
        self.assertEqual(statistic(lines, "BytesRead"), 0)
        self.assertGreater(statistic(lines, "IntegrationSteps"), lines.GetNumberOfPoints() / 2)

    def test_field_data_are_passed_on(self):
        add_array(self.dataset.GetFieldData(), "case", np.array([7.0]), np.float64)
        lines = fetch(trace("ours", produce(self.dataset), seed_line()))
        self.assertEqual(statistic(lines, "case"), 7.0)

    def test_ranges_are_those_of_the_lines(self):
        # What was asked of the input stays in its arrays' information, and the lines have that, too.
        data = self.dataset.GetPointData()
        for i in range(data.GetNumberOfArrays()):
            given = data.GetArray(i)
            given.GetInformation().Set(vtkDataArray.UNITS_LABEL(), "m/s")
            for component in range(-1, given.GetNumberOfComponents()):
                given.GetRange(component)
                given.GetFiniteRange(component)
        lines = fetch(trace("ours", self.source, seed_line((0, 0, 0), (0.1, 0.1, 0.1)), MaximumStreamlineLength=0.3))
        for i in range(lines.GetPointData().GetNumberOfArrays()):
            made = lines.GetPointData().GetArray(i)
            values = array_of(lines.GetPointData(), made.GetName()).reshape(lines.GetNumberOfPoints(), -1).astype(float)
            for component in range(-1 if values.shape[1] > 1 else 0, values.shape[1]):
                of = values[:, component] if component >= 0 else np.linalg.norm(values, axis=1)
                for found in (made.GetRange(component), made.GetFiniteRange(component)):
                    np.testing.assert_allclose(found, (of.min(), of.max()), 1e-6, 1e-12, err_msg=made.GetName())
            if data.HasArray(made.GetName()):
                self.assertEqual(made.GetInformation().Get(vtkDataArray.UNITS_LABEL()), "m/s")

    def test_threads_change_no_byte(self):
        expected = digest(fetch(trace("ours", self.source, seed_line(), NumberOfThreads=1)))
        self.assertEqual(digest(fetch(trace("ours", self.source, seed_line(), NumberOfThreads=2))), expected)
        self.assertEqual(digest(fetch(trace("ours", self.source, seed_line(), NumberOfThreads=5))), expected)
        self.assertNotEqual(digest(fetch(trace("ours", self.source, seed_line(), MaximumSteps=20))), expected)

    def test_locators_of_the_stock_filters_change_no_byte(self):
        made = [digest(fetch(trace("ours", self.source, seed_line(), **locator)))
                for locator in ({"InterpolatorType": "Interpolator with Point Locator"}, {"CellLocator": "Static Cell Locator"},
                                {"InterpolatorType": "Interpolator with Cell Locator"})]
        self.assertEqual(len(set(map(str, made))), 1)

    def test_settings_of_a_run_do_not_run_the_pipeline(self):
        tracer = trace("ours", self.source, seed_line())
        before = tracer.GetClientSideObject().GetMTime()
        tracer.MemoryBudget = 64
        tracer.AccessStrategy = "Direct Cache"
        tracer.NumberOfThreads = 1
        tracer.UpdateVTKObjects()
        self.assertEqual(tracer.GetClientSideObject().GetMTime(), before)

    def test_tube_and_ribbon_take_the_lines(self):
        for dataset in (self.source, produce(fill(rectilinear()))):
            lines = trace("ours", dataset, seed_line())
            tube = simple.Tube(Input=lines, Vectors=["POINTS", "Normals"], Radius=0.01)
            ribbon = simple.Ribbon(Input=lines, Vectors=["POINTS", "Normals"], Width=0.01)
            for surface in (fetch(tube), fetch(ribbon)):
                self.assertGreater(surface.GetNumberOfCells(), 0)
                self.assertTrue(np.isfinite(points_of(surface)).all())

    def test_lines_stay_out_of_hidden_cells(self):
        plain = fetch(trace("ours", self.source, seed_line()))
        hidden = np.zeros((12, 16, 20))
        hidden[4:8, 5:9, 10:13] = 32
        add_array(self.dataset.GetCellData(), "vtkGhostType", hidden.ravel(), np.uint8)
        lines = fetch(trace("ours", produce(self.dataset), seed_line()))
        index = (points_of(lines) + 1) / (0.1, 0.125, 2 / 12)
        inside = np.all((index > (10.01, 5.01, 4.01)) & (index < (12.99, 8.99, 7.99)), axis=1)
        self.assertFalse(inside.any())
        self.assertGreater(statistic(lines, "SeedsOutside"), 0)
        self.assertLess(lines.GetNumberOfPoints(), plain.GetNumberOfPoints())

    def test_hidden_points_hide_the_cells_around_them(self):
        hidden = np.zeros((13, 17, 21))
        hidden[6, 8, 10] = 2
        add_array(self.dataset.GetPointData(), "vtkGhostType", hidden.ravel(), np.uint8)
        lines = fetch(trace("ours", produce(self.dataset), seed_line()))
        index = (points_of(lines) + 1) / (0.1, 0.125, 2 / 12)
        self.assertFalse(np.all(np.abs(index - (10, 8, 6)) < 0.99, axis=1).any())
        self.assertIsNone(lines.GetPointData().GetArray("vtkGhostType"))

    def test_without_memory_there_is_one_message_and_the_lines_that_fit(self):
        seeds = seed_line(resolution=2000)
        with open("/proc/self/statm", encoding="ascii") as sizes:
            held = int(sizes.read().split()[0]) * resource.getpagesize()
        before = resource.getrlimit(resource.RLIMIT_AS)
        with Messages() as messages:
            resource.setrlimit(resource.RLIMIT_AS, (held + (400 << 20), before[1]))
            try:
                tracer = trace("ours", self.source, seeds, IntegratorType="Runge-Kutta 4", IntegrationStepUnit="Length",
                               InitialStepLength=2e-5, MaximumSteps=10**8, MaximumStreamlineLength=1e4)
            finally:
                resource.setrlimit(resource.RLIMIT_AS, before)
        self.assertEqual(messages.count(), 1, messages.text())
        self.assertIn("no memory", messages.text())
        lines = tracer.GetClientSideObject().GetOutput()
        self.assertGreater(lines.GetNumberOfLines(), 5)
        self.assertEqual(points_of(lines).shape[0], lines.GetPointData().GetArray("Vorticity").GetNumberOfTuples())
        self.assertIn(9, array_of(lines.GetCellData(), "ReasonForTermination"))

    def test_arrays_of_every_type_are_interpolated(self):
        lines = fetch(trace("ours", self.source, seed_line()))
        points = points_of(lines).astype(float)
        data = lines.GetPointData()
        self.assertLess(np.abs(array_of(data, "pair") - points[:, :2] ** 2).max(), 0.005)
        counts = (points + 1) / (0.1, 0.125, 2 / 12) @ (1, 21, 21 * 17)
        self.assertLess(np.abs(array_of(data, "counts") - counts).max(), 0.501)
        self.assertEqual(array_of(data, "bytes").dtype, np.uint8)


class BadInput(unittest.TestCase):

    def expect_one_message(self, words, source, seeds=None, **properties):
        """One message with these words, an empty result, and a pipeline that still works."""
        with Messages() as messages:
            lines = fetch(trace("ours", source, seeds or seed_line(), **properties))
        self.assertEqual(messages.count(), 1, messages.text())
        for word in words:
            self.assertIn(word, messages.text())
        self.assertEqual(lines.GetNumberOfLines(), 0)
        again = fetch(trace("ours", produce(fill(image())), seed_line()))
        self.assertGreater(again.GetNumberOfLines(), 0)

    def test_no_seeds(self):
        self.expect_one_message(["seed source has no points"], produce(fill(image())), produce(vtkPolyData()))

    def test_no_vectors(self):
        source = produce(image())
        self.expect_one_message([f'no array "{VECTORS}" of numbers on points', "tick arrays"], source)
        self.expect_one_message(["no vector array to follow", "tick arrays"], source, Vectors=["POINTS", ""])

    def test_vectors_that_are_not_there(self):
        source = produce(fill(fill(image()), "cell"))
        choices = f'Choose under Vectors "{VECTORS}" (points), "{VECTORS}" (cells)'
        self.expect_one_message(['no array "flux" of numbers on points', choices], source, Vectors=["POINTS", "flux"])
        self.expect_one_message(['no array "flux" of numbers on cells', choices], source, Vectors=["CELLS", "flux"])
        dataset = image()
        for i in range(10):
            add_array(dataset.GetPointData(), f"flow{i}", np.zeros((21 * 17 * 13, 3)), np.float32)
        self.expect_one_message(['"flow0" (points), "flow1"', '"flow7" (points), ...'], produce(dataset),
                                Vectors=["POINTS", "flux"])

    def test_vectors_of_two_components(self):
        source = produce(fill(image()))
        with Messages() as messages:
            tracer = simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=seed_line())
            tracer.Vectors = ["POINTS", "pair"]
            tracer.UpdatePipeline()
        self.assertIn('"pair" on points has 2 components', messages.text())
        self.assertIn(f'Choose under Vectors "{VECTORS}" (points)', messages.text())

    def test_other_kinds_of_grids(self):
        self.expect_one_message(["vtkTable, which has no cells"], simple.ProgrammableSource(OutputDataSetType="vtkTable"))

    def test_composite_data(self):
        blocks = vtkMultiBlockDataSet()
        blocks.SetBlock(0, vtkTable())
        self.expect_one_message(["block 1", "vtkTable", "Extract Block"], produce(blocks))

    def test_options_that_make_no_sense(self):
        self.expect_one_message(["step length"], produce(fill(image())), InitialStepLength=0.0)

    def test_surface_streamlines_are_refused(self):
        self.expect_one_message(["Surface Streamlines is on", "Turn it off", "Calculator"], produce(fill(image())),
                                SurfaceStreamlines=1)

    def test_all_seeds_outside(self):
        with Messages() as messages:
            lines = fetch(trace("ours", produce(fill(image())), seed_line((3, 0, 0), (4, 0, 0))))
        self.assertEqual(messages.count(), 1)
        for words in ("Warning", "all 20 seeds are outside", "[3, 4] x [0, 0] x [0, 0]", "[-1, 1] x [-1, 1] x [-1, 1]"):
            self.assertIn(words, " ".join(messages.text().split()))
        self.assertEqual(lines.GetNumberOfPoints(), 0)
        self.assertEqual(statistic(lines, "SeedsOutside"), 20)
        self.assertIsNotNone(lines.GetPointData().GetArray("pressure"))

    def test_not_a_number_in_the_data(self):
        dataset = fill(image())
        dataset.GetPointData().GetArray(VECTORS).SetComponent(21 * 17 * 6 + 21 * 8 + 10, 1, float("nan"))
        lines = fetch(trace("ours", produce(dataset), seed_line()))
        self.assertIn(3, array_of(lines.GetCellData(), "ReasonForTermination"))
        self.assertTrue(np.isfinite(points_of(lines)).all())


class Stopping(unittest.TestCase):

    def setUp(self):
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
        self.tracer = trace("ours", produce(fill(image())), simple.PointSource(NumberOfPoints=20, Radius=0.5))
        self.algorithm = self.tracer.GetClientSideObject()

    def fetch_stopped(self, event, stop, **properties):
        """What comes of a long run, and what is said, if `stop` is called when the filter invokes an event."""
        self.tracer.SeedSource = simple.PointSource(NumberOfPoints=400000, Radius=0.9)
        for name, value in properties.items():
            self.tracer.__setattr__(name, value)
        observer = self.algorithm.AddObserver(event, stop)
        with Messages() as messages:
            self.tracer.UpdatePipeline()
        self.algorithm.RemoveObserver(observer)
        self.assertEqual(messages.count(), 1, messages.text())
        return fetch(self.tracer), " ".join(messages.text().split())

    def assert_cut(self, lines, text, code, words):
        reasons = array_of(fetch(self.tracer, 1).GetPointData(), "ReasonForwardTermination")
        backward = array_of(fetch(self.tracer, 1).GetPointData(), "ReasonBackwardTermination")
        cut = (reasons == code).sum() + (backward == code).sum()
        finished = 800000 - cut
        self.assertGreater(cut, 0)
        self.assertGreater(lines.GetNumberOfLines(), 0)
        self.assertEqual(statistic(lines, "LinesCut"), cut)
        self.assertIn(f"{words}: {finished} lines are finished, {cut} are cut where they were "
                      f"(ReasonForTermination {code})", text)

    def test_a_stopped_run_keeps_what_it_has_and_can_be_run_again(self):
        complete = fetch(self.tracer)
        self.assert_cut(*self.fetch_stopped("ProgressEvent", lambda *_: self.algorithm.SetAbortExecuteAndUpdateTime()),
                        9, "stopped on request")
        self.tracer.SeedSource = simple.PointSource(NumberOfPoints=20, Radius=0.5)
        self.tracer.UpdatePipeline()
        self.assertEqual(fetch(self.tracer).GetNumberOfLines(), complete.GetNumberOfLines())

    def test_an_interrupt_stops_the_run_and_not_the_script(self):
        def interrupt(*_):
            if interrupt.calls == 1:  # the first event comes before the filter runs
                os.kill(os.getpid(), signal.SIGINT)
            interrupt.calls += 1

        interrupt.calls = 0
        self.assert_cut(*self.fetch_stopped("ProgressEvent", interrupt), 9, "stopped on request")

    def test_an_interrupt_that_stops_nothing_is_for_the_script(self):
        outside = seed_line((3, 0, 0), (4, 0, 0))
        self.algorithm.AddObserver("WarningEvent", lambda *_: os.kill(os.getpid(), signal.SIGINT))
        with Messages(), self.assertRaises(KeyboardInterrupt):
            self.tracer.SeedSource = outside
            self.tracer.UpdatePipeline()
            time.sleep(1)

    def test_an_interrupt_after_a_run_is_for_the_script(self):
        with self.assertRaises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)

    def test_maximum_seconds_cut_lines_until_there_are_more(self):
        self.assert_cut(*self.fetch_stopped("ProgressEvent", lambda *_: None, MaximumSeconds=0.01), 11,
                        "stopped after Maximum Seconds (0.01)")
        self.assertTrue(np.isfinite(array_of(fetch(self.tracer).GetPointData(), "pressure")).all())
        self.tracer.MaximumSteps = 2
        self.tracer.MaximumSeconds = 1000
        self.assertEqual(statistic(fetch(self.tracer), "LinesCut"), 0)

    def test_more_seconds_do_not_run_what_is_complete(self):
        before = self.algorithm.GetMTime()
        self.tracer.MaximumSeconds = 1000
        self.tracer.UpdateVTKObjects()
        self.assertEqual(self.algorithm.GetMTime(), before)
        self.fetch_stopped("ProgressEvent", lambda *_: None, MaximumSeconds=0.01)
        cut = self.algorithm.GetMTime()
        self.tracer.MaximumSeconds = 0.02
        self.tracer.UpdateVTKObjects()
        self.assertGreater(self.algorithm.GetMTime(), cut)


if __name__ == "__main__":
    unittest.main()
