# SPDX-License-Identifier: BSD-3-Clause
"""Rivulet Stream Tracer against ParaView's Stream Tracer on the same data in memory.

Fixed steps (Runge-Kutta 2 and 4): both do the same arithmetic in double, in a different order, so they differ by
rounding, which a line amplifies on its way. The same lines, codes, seeds and numbers of points; positions, which are
stored as float, within 2e-6 where the grid has size 2; all else within 1e-6 of its largest value.

Controlled steps (Runge-Kutta 4-5): the error estimate is a difference of nearly equal numbers, so rounding moves the
points along the line: 2e-4. The stock filter differs on purpose in how a line ends, which the comparison leaves out:
- it takes samples up to 1e-4 of the grid's diagonal outside the grid, so that a line may go one step farther (code 1);
- it sums the steps that it plans, not those it takes, so that the length of a line (code 4) is not quite what was asked;
- it refuses a last step that is shorter than the shortest one (code 3, where ours ends with 4).
"""
import math
import unittest

import numpy as np
from filter_testing import (VECTORS, array_of, fetch, fill, image, lines_of, points_of, produce, rectilinear,
                            seed_line, trace)

LENGTH_TOLERANCE = 2e-6
RELATIVE_TOLERANCE = 1e-6
CONTROLLED_TOLERANCE = 2e-4


class Agreement(unittest.TestCase):

    def compare(self, dataset, centering="POINTS", seeds=None, **properties):
        """Fixed steps, everything the same."""
        properties.setdefault("IntegratorType", "Runge-Kutta 4")
        source = produce(dataset)
        seeds = seeds or seed_line()
        stock = fetch(trace("stock", source, seeds, centering, **properties))
        ours = fetch(trace("ours", source, seeds, centering, **properties))
        self.assertGreater(ours.GetNumberOfLines(), 5)
        self.compare_lines(stock, ours)
        self.compare_arrays(stock, ours)
        return stock, ours

    def compare_but_for_ends(self, dataset, centering="POINTS", seeds=None, tolerance=CONTROLLED_TOLERANCE,
                             dataset_for_stock=None, **properties):
        """The same points, apart from how lines end. The stock filter may get another dataset of the same flow."""
        seeds = seeds or seed_line()
        stock = fetch(trace("stock", produce(dataset_for_stock or dataset), seeds, centering, **properties))
        ours = fetch(trace("ours", produce(dataset), seeds, centering, **properties))
        expected, found = lines_of(stock), lines_of(ours)
        self.assertEqual([line[:2] for line in expected], [line[:2] for line in found])
        same_end, theirs, mine = 0, [], []
        for (_, _, their_reason, a), (_, _, our_reason, b) in zip(expected, found):
            self.assertIn((their_reason, our_reason), {(1, 1), (4, 4), (5, 5), (6, 6), (3, 4)})
            shared = max(2, min(a.stop - a.start, b.stop - b.start)) - 1
            theirs.extend(range(a.start, a.start + shared))
            mine.extend(range(b.start, b.start + shared))
            same_end += a.stop - a.start == b.stop - b.start
        self.assertGreaterEqual(same_end, 0 if dataset_for_stock else 0.85 * len(found))
        self.assertLess(np.abs(points_of(stock)[theirs] - points_of(ours)[mine]).max(), tolerance)
        for name in ("IntegrationTime", "Vorticity", "Rotation", VECTORS):
            a, b = (array_of(lines.GetPointData(), name)[ids] for lines, ids in ((stock, theirs), (ours, mine)))
            self.assertLess(np.abs(a - b).max(), 10 * tolerance * max(1.0, np.abs(a).max()), name)

    def compare_lines(self, stock, ours):
        self.assertEqual([line[:3] for line in lines_of(stock)], [line[:3] for line in lines_of(ours)])
        self.assertEqual([line[3] for line in lines_of(stock)], [line[3] for line in lines_of(ours)])
        self.assertLess(np.abs(points_of(stock) - points_of(ours)).max(), LENGTH_TOLERANCE)
        self.assertEqual(points_of(ours).dtype, np.float32)

    def compare_arrays(self, stock, ours):
        for get in ("GetPointData", "GetCellData"):
            theirs, mine = getattr(stock, get)(), getattr(ours, get)()
            names = [theirs.GetArrayName(i) for i in range(theirs.GetNumberOfArrays())]
            self.assertEqual(names, [mine.GetArrayName(i) for i in range(mine.GetNumberOfArrays())])
            for i, name in enumerate(names):
                self.assertEqual(theirs.IsArrayAnAttribute(i), mine.IsArrayAnAttribute(i), name)
                self.compare_array(theirs, mine, name)

    def compare_array(self, theirs, mine, name):
        expected, found = array_of(theirs, name), array_of(mine, name)
        self.assertEqual((expected.dtype, expected.shape), (found.dtype, found.shape), name)
        largest = max(1.0, np.abs(expected).max())
        difference = np.abs(expected.astype(float) - found.astype(float)).max()
        # Values of integer types may be rounded to either side of a half.
        tolerance = 1 if expected.dtype.kind in "iu" else RELATIVE_TOLERANCE * largest
        self.assertLessEqual(difference, tolerance, name)

    def test_fixed_steps_in_every_direction_and_unit(self):
        dataset = fill(image())
        for integrator in ("Runge-Kutta 2", "Runge-Kutta 4"):
            for direction in ("FORWARD", "BACKWARD", "BOTH"):
                for unit, step in (("Cell Length", 0.2), ("Length", 0.03)):
                    with self.subTest(integrator=integrator, direction=direction, unit=unit):
                        self.compare(dataset, IntegratorType=integrator, IntegrationDirection=direction,
                                     IntegrationStepUnit=unit, InitialStepLength=step)

    def test_controlled_steps_in_every_direction_and_unit(self):
        dataset = fill(image())
        for direction in ("FORWARD", "BACKWARD", "BOTH"):
            for unit, steps in (("Cell Length", (0.2, 0.01, 0.5)), ("Length", (0.03, 0.002, 0.1))):
                with self.subTest(direction=direction, unit=unit):
                    self.compare_but_for_ends(dataset, IntegrationDirection=direction, IntegrationStepUnit=unit,
                                            InitialStepLength=steps[0], MinimumStepLength=steps[1],
                                            MaximumStepLength=steps[2])

    def test_controlled_steps_on_other_grids(self):
        self.compare_but_for_ends(fill(image(), dtype=np.float64))
        self.compare_but_for_ends(fill(rectilinear()))
        self.compare_but_for_ends(fill(image(origin=(1, 1, -1), spacing=(-0.1, -0.125, 2 / 12))))

    def test_flat_grids_with_vectors_that_point_out_of_the_plane(self):
        # The stock filter before VTK 9.7 lets a line go on beside the plane until it comes into another cell.
        def flow(x, y, z):
            return np.stack((1.0 + 0 * x, 0.3 * x, np.where(x > 0.01, 0.4, 0.0)), axis=-1)

        steps = {"IntegratorType": "Runge-Kutta 4", "IntegrationStepUnit": "Length", "InitialStepLength": 0.03}
        for grid in (image((21, 17, 1), spacing=(0.1, 0.125, 1)), rectilinear((21, 17, 1))):
            source, seeds = produce(fill(grid, flow=flow)), seed_line((-0.9, -0.5, -1), (-0.4, 0.5, -1))
            stock = fetch(trace("stock", source, seeds, IntegrationDirection="FORWARD", **steps))
            ours = fetch(trace("ours", source, seeds, IntegrationDirection="FORWARD", **steps))
            expected, found = lines_of(stock), lines_of(ours)
            self.assertEqual([line[:3] for line in expected], [line[:3] for line in found])
            self.assertGreater(len(found), 15)
            for (_, _, _, theirs), (_, _, reason, mine) in zip(expected, found):
                self.assertEqual(reason, 1)
                shared = len(points_of(ours)[mine])
                self.assertGreater(shared, 10)
                rest = points_of(stock)[theirs][shared - 1:]
                self.assertLess(np.abs(points_of(stock)[theirs][:shared] - points_of(ours)[mine]).max(),
                                LENGTH_TOLERANCE)
                self.assertLess(np.linalg.norm(rest[-1] - rest[0]), 0.2)
            self.assertEqual(set(points_of(ours)[:, 2]), {np.float32(-1)})

    def test_velocity_in_double(self):
        self.compare(fill(image(), dtype=np.float64))

    def test_moved_origin_and_extent_that_does_not_begin_at_zero(self):
        self.compare(fill(image(first=(-7, 3, 11), origin=(-0.3, -1.375, -2.8333))))

    def test_negative_spacing(self):
        self.compare(fill(image(origin=(1, 1, -1), spacing=(-0.1, -0.125, 2 / 12))))

    def test_direction_matrix(self):
        # The stock filter takes turned cells for upright ones. A flow that is linear in space is interpolated exactly
        # on any grid, so it gets the same flow on an upright one.
        def flow(x, y, z):
            return np.stack((0.3 - y + 0.2 * z, x + 0.1 * z, 0.3 * x - 0.2 * y + 0.1), axis=-1)

        c, s = math.cos(0.5), math.sin(0.5)
        turned = fill(image(direction=(c, -s, 0, s, c, 0, 0, 0, 1), origin=(-0.5, -1.3, -1)), dtype=np.float64, flow=flow)
        upright = fill(image((31, 31, 31), origin=(-3, -3, -3), spacing=(0.2, 0.2, 0.2)), dtype=np.float64, flow=flow)
        self.compare_but_for_ends(turned, seeds=seed_line((-0.4, -0.3, -0.4), (0.6, 0.4, 0.5)),
                                  dataset_for_stock=upright, tolerance=LENGTH_TOLERANCE, MaximumStreamlineLength=0.5,
                                  IntegratorType="Runge-Kutta 4", IntegrationStepUnit="Length", InitialStepLength=0.03)

    def test_rectilinear(self):
        self.compare(fill(rectilinear()))

    def test_cell_data(self):
        fixed = {"IntegratorType": "Runge-Kutta 4", "tolerance": LENGTH_TOLERANCE}
        self.compare_but_for_ends(fill(image(), "cell"), "CELLS", **fixed)

    def test_rectilinear_cell_data(self):
        fixed = {"IntegratorType": "Runge-Kutta 4", "tolerance": LENGTH_TOLERANCE}
        self.compare_but_for_ends(fill(rectilinear(), "cell"), "CELLS", **fixed)

    def test_one_cell_thick(self):
        dataset = image((21, 17, 2), spacing=(0.1, 0.125, 0.1))
        fill(dataset, flow=lambda x, y, z: np.stack((-y - 0.3, x, 0.002 + 0 * x), axis=-1))
        self.compare(dataset, seeds=seed_line((-0.6, -0.3, -0.95), (0.5, 0.2, -0.92)))

    def test_two_dimensional(self):
        dataset = image((21, 17, 1), origin=(-1, -1, 0.25))
        fill(dataset, flow=lambda x, y, z: np.stack((np.cos(3 * y), np.sin(2 * x), 0 * x), axis=-1))
        self.compare(dataset, seeds=seed_line((-0.8, -0.7, 0.25), (0.75, 0.8, 0.25)))

    def test_steps_lengths_and_speeds_that_end_lines(self):
        dataset = fill(image())
        stock, _ = self.compare(dataset, MaximumSteps=7)
        self.assertIn(5, array_of(stock.GetCellData(), "ReasonForTermination"))
        stock, _ = self.compare(dataset, MaximumStreamlineLength=0.35)
        self.assertIn(4, array_of(stock.GetCellData(), "ReasonForTermination"))
        sink = fill(image(), flow=lambda x, y, z: np.stack((-x, -0.7 * y, -0.5 * z), axis=-1))
        stock, _ = self.compare(sink, seeds=seed_line((-0.8, 0.7, 0.6), (0.8, 0.7, 0.6)), TerminalSpeed=0.2,
                                IntegrationDirection="FORWARD")
        self.assertIn(6, array_of(stock.GetCellData(), "ReasonForTermination"))

    def test_without_vorticity(self):
        _, ours = self.compare(fill(image()), ComputeVorticity=0)
        self.assertIsNone(ours.GetPointData().GetArray("Normals"))

    def test_a_comparison_can_fail(self):
        source = produce(fill(image()))
        stock = fetch(trace("stock", source, seed_line()))
        ours = fetch(trace("ours", source, seed_line(), MaximumStepLength=0.49))
        with self.assertRaises(AssertionError):
            self.compare_lines(stock, ours)


if __name__ == "__main__":
    unittest.main()
