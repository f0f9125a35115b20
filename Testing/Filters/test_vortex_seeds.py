# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet Vortex Seeds on data in memory: what it finds, what it says, bad input."""
import os
import signal
import unittest

import numpy as np
from paraview.vtk import vtkPoints, vtkStructuredGrid
from paraview.vtk.util.numpy_support import numpy_to_vtk
from filter_testing import (VECTORS, Messages, array_of, fetch, fill, image, points_of, produce, rectilinear, simple,
                            statistic, trace)


def rotation(x, y, z):
    return np.stack((-1.5 * y, 1.5 * x, 0 * z), axis=-1)


def bent():
    """A grid of [0, 1]^3 whose nodes are moved, the inner ones most."""
    shares = [np.linspace(0, 1, n) for n in (12, 10, 9)]
    z, y, x = (each.ravel() for each in np.meshgrid(*shares[::-1], indexing="ij"))
    inside = 64 * x * (1 - x) * y * (1 - y) * z * (1 - z)
    places = np.stack((x + 0.08 * inside * np.sin(5 * y), y + 0.07 * inside * np.cos(4 * z + x), z + 0.06 * inside * np.sin(6 * x)), -1)
    points = vtkPoints()
    points.SetData(numpy_to_vtk(places, deep=1))
    grid = vtkStructuredGrid()
    grid.SetDimensions(12, 10, 9)
    grid.SetPoints(points)
    return grid


def find(dataset, centering="POINTS", **properties):
    seeds = simple.RivuletVortexSeeds(Input=produce(dataset), **properties)
    seeds.Vectors = [centering, VECTORS]
    return seeds


class VortexSeeds(unittest.TestCase):

    def test_a_rotation_has_twice_its_angular_velocity(self):
        for dataset in (image(), rectilinear()):
            for centering in ("point", "cell"):
                seeds = fetch(find(fill(dataset, centering, np.float64, rotation),
                                   centering.upper() + "S"))
                magnitude = array_of(seeds.GetPointData(), "VorticityMagnitude")
                self.assertEqual((len(magnitude), seeds.GetNumberOfVerts()), (100, 100))
                self.assertLess(np.abs(magnitude - 3).max(), 1e-12)
                self.assertEqual(statistic(seeds, "CellsInRange"), dataset.GetNumberOfCells())

    def test_a_rotation_in_bent_cells(self):
        dataset = fill(bent(), "point", np.float64, rotation)
        seeds = fetch(find(dataset, NumberOfSeeds=2000))
        magnitude = array_of(seeds.GetPointData(), "VorticityMagnitude")
        self.assertEqual(len(magnitude), dataset.GetNumberOfCells())
        self.assertLess(np.abs(magnitude - 3).max(), 1e-11)

    def test_bent_cells_have_the_vorticity_of_the_stock_filter(self):
        """Gradient has it at the points of cells: their mean is that of the centre but for the cells' bend."""
        dataset = fill(bent(), "point", np.float64, lambda x, y, z: np.stack((np.sin(3 * y), np.sin(2 * z), np.cos(x + y)), -1))
        seeds = fetch(find(dataset, NumberOfSeeds=2000))
        producer = produce(dataset)
        stock = simple.Gradient(Input=producer, ScalarArray=["POINTS", VECTORS], ComputeVorticity=1, ComputeGradient=0)
        centres = simple.PointDatatoCellData(Input=stock)
        expected = np.linalg.norm(array_of(fetch(centres).GetCellData(), "Vorticity"), axis=1)
        found = array_of(seeds.GetPointData(), "VorticityMagnitude")
        self.assertEqual(len(found), len(expected))  # all cells, in their order
        self.assertLess(np.abs(found - expected).mean(), 0.02 * expected.mean())

    def test_range_number_and_choice(self):
        dataset = fill(image())
        seeds = fetch(find(dataset, MinimumVorticity=2.5, MaximumVorticity=3.0, NumberOfSeeds=50))
        magnitude = array_of(seeds.GetPointData(), "VorticityMagnitude")
        self.assertEqual(len(magnitude), 50)
        self.assertTrue(((magnitude >= 2.5) & (magnitude <= 3.0)).all())
        again = fetch(find(dataset, MinimumVorticity=2.5, MaximumVorticity=3.0, NumberOfSeeds=50, NumberOfThreads=3))
        self.assertTrue((points_of(seeds) == points_of(again)).all())
        other = fetch(find(dataset, MinimumVorticity=2.5, MaximumVorticity=3.0, NumberOfSeeds=50, RandomSeed=1))
        self.assertFalse((points_of(seeds) == points_of(other)).all())

    def test_seeds_feed_the_stream_tracer(self):
        dataset = fill(image())
        lines = fetch(trace("ours", produce(dataset), find(dataset, NumberOfSeeds=30)))
        self.assertEqual(statistic(lines, "SeedsOutside"), 0)
        self.assertGreater(lines.GetNumberOfLines(), 50)

    def test_an_interrupt_leaves_the_seeds_of_a_part(self):
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
        calls = []

        def interrupt(*_):
            calls.append(1)
            if len(calls) == 2:  # the first is the pipeline's own
                os.kill(os.getpid(), signal.SIGINT)

        vectors = simple.Calculator(Input=simple.Wavelet(WholeExtent=[-100, 100] * 3), ResultArrayName=VECTORS,
                                    Function="coordsY*iHat-coordsX*jHat")
        vectors.UpdatePipeline()
        seeds = simple.RivuletVortexSeeds(Input=vectors, MinimumVorticity=0.1, NumberOfSeeds=1000, NumberOfThreads=1)
        seeds.Vectors = ["POINTS", VECTORS]
        seeds.GetClientSideObject().AddObserver("ProgressEvent", interrupt)
        with Messages() as messages:
            seeds.UpdatePipeline()
        self.assertEqual(messages.count(), 1, messages.text())
        self.assertIn("stopped on request: the seeds are those of a part of the field", " ".join(messages.text().split()))
        found = statistic(fetch(seeds), "CellsInRange")
        self.assertTrue(0 < found < 200**3, found)

    def test_nothing_found_is_no_error(self):
        with Messages() as messages:
            seeds = fetch(find(fill(image()), MinimumVorticity=1e6))
        self.assertEqual((seeds.GetNumberOfPoints(), messages.count()), (0, 0))

    def test_bad_input_gets_one_message(self):
        for words, proxy in (("no array", find(image())),
                             ("maximum vorticity is below", find(fill(image()), MinimumVorticity=2, MaximumVorticity=1))):
            with Messages() as messages:
                proxy.UpdatePipeline()
            self.assertEqual(messages.count(), 1, messages.text())
            self.assertIn(words, messages.text())


if __name__ == "__main__":
    unittest.main()
