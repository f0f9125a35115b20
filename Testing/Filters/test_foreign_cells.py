# SPDX-License-Identifier: BSD-3-Clause
"""Cells that are no grid: curvilinear, unstructured, curved and polyhedral ones, alone and as blocks, against ParaView's Stream
Tracer on the same data. Fixed steps: points within 1e-6 of the longest side for the first 100 steps of each line. The stock filter
uses its cell locator: with the point locator, its default, it takes a place that is 1e-4 of the diagonal outside of a cell as in it.
"""
import unittest

import numpy as np
from filter_testing import VECTORS, add_array, array_of, fetch, image, lines_of, points_of, produce, seed_line, simple, swirl, trace
from plugin_testing import Messages, information
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import VTK_DOUBLE, vtkIdList, vtkPoints
from vtkmodules.vtkCommonDataModel import (
    VTK_HEXAHEDRON, VTK_LINE, VTK_POLYHEDRON, VTK_QUADRATIC_TETRA, VTK_TETRA, VTK_TRIANGLE, vtkMultiBlockDataSet, vtkPolyData,
    vtkStructuredGrid, vtkUnstructuredGrid)
from vtkmodules.vtkFiltersGeneral import vtkDataSetTriangleFilter

SIDE = 2.0
STEPS = 100
TOLERANCE = 1e-6 * SIDE
FIXED = {"IntegratorType": "Runge-Kutta 4", "IntegrationStepUnit": "Length", "InitialStepLength": 0.02,
         "MaximumStreamlineLength": 1000.0, "MaximumSteps": 400}


def bend(points):
    """A smooth map of the cube [-1, 1]^3 that leaves no cell with plane faces."""
    x, y, z = points.T
    return np.stack([x + 0.08 * np.sin(2 * y + z), y + 0.07 * np.sin(2 * z - x), z + 0.06 * np.sin(2 * x + y)], axis=1)


def places(dataset):
    return np.array([dataset.GetPoint(i) for i in range(dataset.GetNumberOfPoints())])


def with_flow(dataset):
    """Adds the swirl at the points, and a number."""
    at = places(dataset)
    add_array(dataset.GetPointData(), VECTORS, swirl(*at.T), np.float64)
    add_array(dataset.GetPointData(), "number", at @ [1.0, 2.0, -1.0], np.float32)
    dataset.GetPointData().SetActiveVectors(VECTORS)
    return dataset


def bent(dataset):
    moved = vtkPoints()
    moved.SetData(numpy_to_vtk(bend(places(dataset)), deep=1))
    dataset.SetPoints(moved)
    return with_flow(dataset)


def cube(dims=(11, 9, 8)):
    """An image of [-1, 1]^3 without values."""
    return image(dims, spacing=tuple(SIDE / (n - 1) for n in dims))


def curvilinear():
    grid = vtkStructuredGrid()
    grid.SetDimensions(11, 9, 8)
    points = vtkPoints()
    points.SetData(numpy_to_vtk(places(cube()), deep=1))
    grid.SetPoints(points)
    return bent(grid)


def unstructured(dataset):
    """The cells of an image as hexahedra, whose faces may be bent. Voxels, which VTK would make of them, may not."""
    grid = vtkUnstructuredGrid()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(places(dataset), deep=1))
    grid.SetPoints(points)
    grid.Allocate(dataset.GetNumberOfCells())
    for number in range(dataset.GetNumberOfCells()):
        corners = dataset.GetCell(number).GetPointIds()
        grid.InsertNextCell(VTK_HEXAHEDRON, 8, [corners.GetId(i) for i in (0, 1, 3, 2, 4, 5, 7, 6)])
    return grid


def hexahedra():
    return bent(unstructured(cube()))


def regular_tetrahedra(regular):
    cut = vtkDataSetTriangleFilter()
    cut.SetInputData(unstructured(regular))
    cut.Update()
    grid = vtkUnstructuredGrid()
    grid.CopyStructure(cut.GetOutput())
    return grid


def tetrahedra():
    return bent(regular_tetrahedra(cube()))


def quadratic_tetrahedra():
    """Tetrahedra with points in the middle of their edges, which bend() moves off the straight lines."""
    straight = regular_tetrahedra(cube((6, 6, 5)))
    grid = vtkUnstructuredGrid()
    points = vtkPoints()
    points.DeepCopy(straight.GetPoints())
    grid.SetPoints(points)
    between = {}
    for number in range(straight.GetNumberOfCells()):
        corners = [straight.GetCell(number).GetPointId(i) for i in range(4)]
        ids = list(corners)
        for a, b in ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)):
            edge = tuple(sorted((corners[a], corners[b])))
            if edge not in between:
                between[edge] = points.InsertNextPoint((np.array(points.GetPoint(edge[0])) + points.GetPoint(edge[1])) / 2)
            ids.append(between[edge])
        grid.InsertNextCell(VTK_QUADRATIC_TETRA, 10, ids)
    return bent(grid)


def polyhedra():
    """The cells of an image as polyhedra, with plane faces."""
    regular = cube((6, 6, 6))
    grid = vtkUnstructuredGrid()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(places(regular), deep=1))
    grid.SetPoints(points)
    ids = vtkIdList()
    for cell in range(regular.GetNumberOfCells()):
        corner = regular.GetCell(cell)
        faces = [corner.GetNumberOfFaces()]
        for number in range(corner.GetNumberOfFaces()):
            face = corner.GetFace(number).GetPointIds()
            faces += [4, *(face.GetId(i) for i in (0, 1, 3, 2))]  # around it; the face of a voxel has its points in rows
        ids.Reset()
        for each in faces:
            ids.InsertNextId(each)
        grid.InsertNextCell(VTK_POLYHEDRON, ids)
    return with_flow(grid)


def half(dataset, upper):
    """The cells whose centres are above z = 0, or below."""
    keep = vtkUnstructuredGrid()
    keep.SetPoints(dataset.GetPoints())
    keep.Allocate(dataset.GetNumberOfCells())
    for number in range(dataset.GetNumberOfCells()):
        cell = dataset.GetCell(number)
        bounds = cell.GetBounds()
        if (bounds[4] + bounds[5] > 0) == upper:
            keep.InsertNextCell(cell.GetCellType(), cell.GetPointIds())
    return with_flow(keep)


def blocks():
    whole = hexahedra()
    both = vtkMultiBlockDataSet()
    both.SetBlock(0, half(whole, False))
    both.SetBlock(1, half(whole, True))
    return both


def lines_from(output):
    """Points of each line by its seed and direction."""
    return {(int(seed), bool(backward)): points_of(output)[ids] for seed, backward, _, ids in lines_of(output)}


def border_of(volume):
    """The triangles of the border, with the points of the volume."""
    faces = {}
    for number in range(volume.GetNumberOfCells()):
        cell = volume.GetCell(number)
        for face in range(cell.GetNumberOfFaces()):
            ids = [cell.GetFace(face).GetPointId(i) for i in range(3)]
            faces.setdefault(tuple(sorted(ids)), []).append(ids)
    border = vtkUnstructuredGrid()
    border.SetPoints(volume.GetPoints())
    border.Allocate(len(faces))
    for ids in faces.values():
        if len(ids) == 1:
            border.InsertNextCell(VTK_TRIANGLE, 3, ids[0])
    return border


def with_triangles_and_edges(volume, first):
    """The cells of a volume, those of its border, the edges of some cells, and a large triangle through it."""
    grid = vtkUnstructuredGrid()
    grid.SetPoints(volume.GetPoints())
    grid.Allocate(2 * volume.GetNumberOfCells())
    lower = []
    border = border_of(volume)
    for number in range(border.GetNumberOfCells()):
        lower.append((VTK_TRIANGLE, [border.GetCell(number).GetPointId(i) for i in range(3)]))
    lower.append((VTK_TRIANGLE, [0, 10, volume.GetNumberOfPoints() - 1]))
    for number in range(0, volume.GetNumberOfCells(), 3):
        ids = volume.GetCell(number)
        lower.append((VTK_LINE, [ids.GetPointId(0), ids.GetPointId(2)]))
    cells = [(VTK_TETRA, [volume.GetCell(i).GetPointId(k) for k in range(4)]) for i in range(volume.GetNumberOfCells())]
    for kind, ids in lower + cells if first else cells + lower:
        grid.InsertNextCell(kind, len(ids), ids)
    return with_flow(grid)


def surface(function, dtype):
    """Triangles over [-1, 1]^2, moved by a function."""
    count = 21
    v, u = (each.ravel() for each in np.meshgrid(*2 * [np.linspace(-1, 1, count)], indexing="ij"))
    grid = vtkUnstructuredGrid()
    points = vtkPoints()
    points.SetData(numpy_to_vtk(function(u, v).astype(dtype), deep=1))
    grid.SetPoints(points)
    grid.Allocate(2 * count * count)
    for j in range(count - 1):
        for i in range(count - 1):
            corner = count * j + i
            grid.InsertNextCell(VTK_TRIANGLE, 3, [corner, corner + 1, corner + count])
            grid.InsertNextCell(VTK_TRIANGLE, 3, [corner + 1, corner + count + 1, corner + count])
    return grid


def brute_force_velocity(grid):
    """The velocity at a place in tetrahedra, None outside: all of them are looked at."""
    points = places(grid)
    values = array_of(grid.GetPointData(), VECTORS)
    cells = np.array([[grid.GetCell(i).GetPointId(k) for k in range(4)] for i in range(grid.GetNumberOfCells())])
    first = points[cells[:, 0]]
    inverse = np.linalg.inv(np.stack([points[cells[:, k]] - first for k in (1, 2, 3)], axis=-1))

    def velocity(place):
        others = np.einsum("nij,nj->ni", inverse, place - first)
        weights = np.c_[1.0 - others.sum(axis=1), others]
        cell = weights.min(axis=1).argmax()
        return weights[cell] @ values[cells[cell]] if weights[cell].min() > -1e-9 else None

    return velocity


def brute_force_line(velocity, place, step, count):
    """Points of RK4 with steps of one length, while all samples are inside."""
    line = [place]
    for _ in range(count):
        slopes = [np.zeros(3)]
        for share in (0.0, 0.5, 0.5, 1.0):
            sample = velocity(line[-1] + share * step * slopes[-1])
            if sample is None:
                return np.array(line)
            slopes.append(sample / np.linalg.norm(sample))
        line.append(line[-1] + step / 6 * (slopes[1] + 2 * slopes[2] + 2 * slopes[3] + slopes[4]))
    return np.array(line)


class ForeignCells(unittest.TestCase):

    def compare(self, dataset, tolerance=TOLERANCE, **properties):
        options = {"IntegratorType": "Runge-Kutta 4", "IntegrationStepUnit": "Length", "InitialStepLength": 0.02,
                   "MaximumStreamlineLength": 10.0, "MaximumSteps": 400, **properties}
        source = produce(dataset)
        seeds = seed_line()
        stock = lines_from(fetch(trace("stock", source, seeds, InterpolatorType="Interpolator with Cell Locator", **options)))
        output = fetch(trace("ours", source, seeds, **options))
        ours = lines_from(output)
        self.assertGreater(len(ours), 20)
        self.assertEqual(sorted(stock), sorted(ours))
        worst = 0.0
        for key, line in ours.items():
            shared = min(len(line), len(stock[key]), STEPS)
            self.assertGreater(shared, 1)
            worst = np.maximum(worst, np.abs(line[:shared] - stock[key][:shared]).max())
        self.assertLess(worst, tolerance)
        return output

    def test_curvilinear_cells(self):
        output = self.compare(curvilinear())
        number = array_of(output.GetPointData(), "number")
        self.assertLess(np.abs(number - points_of(output) @ [1.0, 2.0, -1.0]).max(), 1e-4)

    def test_hexahedra(self):
        self.compare(hexahedra())

    def test_curved_cells(self):
        output = self.compare(quadratic_tetrahedra())
        self.assertGreater(output.GetNumberOfPoints(), 1000)

    def test_tetrahedra(self):
        """Against a search of all cells for each place. VTK takes a place that is a thousandth of a cell outside as in it."""
        output = self.compare(tetrahedra(), tolerance=1e-5)
        velocity = brute_force_velocity(tetrahedra())
        compared = 0
        for (seed, backward), line in lines_from(output).items():
            if seed % 4 != 0:
                continue
            expected = brute_force_line(velocity, line[0], -0.02 if backward else 0.02, min(len(line), STEPS) - 1)
            self.assertLess(np.abs(line[:len(expected)] - expected).max(), 1e-7)
            compared += len(expected)
        self.assertGreater(compared, 400)

    def test_polyhedra(self):
        self.compare(polyhedra())

    def test_runge_kutta_2_and_steps_in_cells(self):
        self.compare(hexahedra(), IntegratorType="Runge-Kutta 2", IntegrationStepUnit="Cell Length", InitialStepLength=0.1)

    def test_blocks_are_one_mesh(self):
        together = self.compare(hexahedra())
        apart = fetch(trace("ours", produce(blocks()), seed_line(), IntegratorType="Runge-Kutta 4", IntegrationStepUnit="Length",
                            InitialStepLength=0.02, MaximumStreamlineLength=10.0, MaximumSteps=400))
        expected, found = lines_from(together), lines_from(apart)
        self.assertEqual(sorted(expected), sorted(found))
        for key, line in found.items():
            shared = min(len(line), len(expected[key]), STEPS)
            self.assertLess(np.abs(line[:shared] - expected[key][:shared]).max(), TOLERANCE)

    def test_a_line_stays_in_its_block_until_it_leaves_it(self):
        """Two blocks that overlap for -0.5 < x < 0.5: there each line has the values of the block that it came from."""
        both = vtkMultiBlockDataSet()
        for number, middle in enumerate((-0.25, 0.25)):
            block = unstructured(cube((7, 5, 5)))
            at = places(block) * [0.75, 1.0, 1.0] + [middle, 0.0, 0.0]
            block.GetPoints().SetData(numpy_to_vtk(at, deep=1))
            add_array(block.GetPointData(), VECTORS, np.tile([1.0, 0.0, 0.0], (len(at), 1)), np.float64)
            add_array(block.GetPointData(), "block", np.full(len(at), 1.0 + number), np.float64)
            both.SetBlock(number, block)
        output = fetch(trace("ours", produce(both), simple.Line(Point1=[-0.9, 0.1, 0.1], Point2=[0.9, 0.1, 0.1], Resolution=6), **FIXED))
        at, block = points_of(output)[:, 0], array_of(output.GetPointData(), "block")
        seen = set()
        for seed, backward, _, ids in lines_of(output):
            start = -0.9 + 0.3 * seed
            first = start < 0.5  # the first block that has the seed
            own, left = (at[ids] < 0.499, at[ids] > 0.501) if first else (at[ids] > -0.499, at[ids] < -0.501)
            self.assertEqual(set(np.round(block[ids][own], 9)), {1.0 if first else 2.0})
            self.assertLessEqual(set(np.round(block[ids][left], 9)), {2.0 if first else 1.0})
            seen.add((first, bool(backward), bool(left.any())))
        self.assertLessEqual({(True, False, True), (False, True, True)}, seen)

    def test_users_see_what_is_found_how(self):
        tracer = trace("ours", produce(hexahedra()), seed_line())
        self.assertEqual(information(tracer, "InputLayout"), "one mesh of 560 cells")
        self.assertEqual(information(tracer, "StrategyReason"),
                         "The values were in memory before. Cells: hexahedra.")
        tracer = trace("ours", produce(curvilinear()), seed_line())
        self.assertEqual(information(tracer, "StrategyReason"), "The values were in memory before. Cells: curvilinear hexahedra.")

    def test_cells_of_lower_dimension_have_no_places(self):
        """Such as the faces of a border, which files have beside the volume, and a triangle across the volume."""
        volume = tetrahedra()
        expected = lines_from(fetch(trace("ours", produce(volume), seed_line(), **FIXED)))
        for first in (False, True):
            output = fetch(trace("ours", produce(with_triangles_and_edges(volume, first)), seed_line(), **FIXED))
            found = lines_from(output)
            self.assertEqual(sorted(found), sorted(expected))
            for key, line in found.items():
                self.assertEqual(len(line), len(expected[key]))
                self.assertLess(np.abs(line - expected[key])[:STEPS].max(), TOLERANCE)
        apart = vtkMultiBlockDataSet()
        apart.SetBlock(0, with_flow(border_of(volume)))
        apart.SetBlock(1, volume)
        tracer = trace("ours", produce(apart), seed_line(), **FIXED)
        found = lines_from(fetch(tracer))
        self.assertEqual(information(tracer, "StrategyReason"), "The values were in memory before. Cells: tetrahedra.")
        self.assertEqual({key: len(line) for key, line in found.items()}, {key: len(line) for key, line in expected.items()})

    def test_lines_stay_on_a_surface_of_floats(self):
        """A plane that is not along the axes, whose points are rounded."""
        def on_plane(u, v):
            x, y = 3.7 * u + 1.3, 3.7 * v - 2.1
            return np.stack([x, y, 0.3 * x + 0.7 * y], axis=-1)

        rng = np.random.default_rng(3)
        plane = surface(on_plane, np.float32)
        flow = (places(plane) - on_plane(0.0, 0.0))[:, [1, 0, 2]] * [-1.0, 1.0, 0.0]
        flow[:, 2] = 0.3 * flow[:, 0] + 0.7 * flow[:, 1]
        add_array(plane.GetPointData(), VECTORS, flow, np.float64)
        seeds = vtkPolyData()
        points = vtkPoints()
        points.SetDataType(VTK_DOUBLE)
        for u, v in 0.6 * (2 * rng.random((30, 2)) - 1):
            points.InsertNextPoint(on_plane(u, v))
        seeds.SetPoints(points)
        output = fetch(trace("ours", produce(plane), produce(seeds), **FIXED))
        lengths = [len(line) for line in lines_from(output).values()]
        self.assertEqual(len(lengths), 60)
        self.assertEqual(set(lengths), {402})  # circles within the plane: all steps

    def test_arrays_of_any_number_of_components(self):
        dataset = curvilinear()
        at = places(dataset)
        add_array(dataset.GetPointData(), "many", np.stack([at @ [k, 1.0, -k] for k in range(12)], axis=1), np.float64)
        with Messages() as said:
            output = fetch(trace("ours", produce(dataset), seed_line()))
        self.assertEqual(said.text(), "")
        many = array_of(output.GetPointData(), "many")
        expected = np.stack([points_of(output) @ [k, 1.0, -k] for k in range(12)], axis=1)
        self.assertLess(np.abs(many - expected).max(), 1e-4)

    def test_threads_change_no_byte(self):
        source, seeds = produce(hexahedra()), seed_line(resolution=99)
        one, three = (fetch(trace("ours", source, seeds, NumberOfThreads=threads)) for threads in (1, 3))
        self.assertTrue(np.array_equal(points_of(one), points_of(three)))

    def test_hidden_cells_end_lines(self):
        dataset = hexahedra()
        middle = np.array([np.mean(np.array(dataset.GetCell(i).GetBounds()).reshape(3, 2), axis=1)
                           for i in range(dataset.GetNumberOfCells())])
        add_array(dataset.GetCellData(), "vtkGhostType", np.where(middle[:, 0] > 0.3, 32, 0), np.uint8)
        output = fetch(trace("ours", produce(dataset), seed_line(), IntegrationStepUnit="Length", InitialStepLength=0.02))
        self.assertGreater(output.GetNumberOfLines(), 5)
        self.assertLess(points_of(output)[:, 0].max(), 0.3 + 0.3)

    def test_short_ghost_array_is_refused(self):
        dataset = hexahedra()
        add_array(dataset.GetCellData(), "vtkGhostType", np.zeros(3), np.uint8)
        with Messages() as said:
            fetch(trace("ours", produce(dataset), seed_line()))
        self.assertIn("vtkGhostType", said.text())

    def test_points_that_are_not_finite_are_refused(self):
        dataset = hexahedra()
        dataset.GetPoints().SetPoint(5, float("nan"), 0, 0)
        with Messages() as said:
            fetch(trace("ours", produce(dataset), seed_line()))
        self.assertIn("point 5", said.text())

    def test_points_moved_in_place_move_the_lines(self):
        dataset = hexahedra()
        source = produce(dataset)
        filter = trace("ours", source, seed_line())
        before = points_of(fetch(filter))
        points = dataset.GetPoints()
        for i in range(points.GetNumberOfPoints()):
            x, y, z = points.GetPoint(i)
            points.SetPoint(i, x, 1.1 * y, z)
        points.Modified()
        filter.GetClientSideObject().Modified()  # the proxies do not see changes below them
        filter.GetClientSideObject().Update()
        after = points_of(fetch(filter))
        self.assertFalse(np.array_equal(after, before))
        self.assertTrue(np.array_equal(after, points_of(fetch(trace("ours", produce(dataset), seed_line())))))


if __name__ == "__main__":
    unittest.main()
