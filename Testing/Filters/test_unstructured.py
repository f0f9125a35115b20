# SPDX-License-Identifier: BSD-3-Clause
"""Unstructured cells of all shapes in ParaView: random tetrahedra, wedges, pyramids, planar cells, and mixtures with cells that only
VTK knows. Linear fields are exact on any of them; fixed steps agree with the stock filter where it is exact.
"""
import unittest

import numpy as np
from filter_testing import VECTORS, add_array, array_of, fetch, lines_of, points_of, produce, seed_line, simple, trace
from plugin_testing import Messages, information
from test_foreign_cells import FIXED, STEPS, TOLERANCE, cube, lines_from, places, polyhedra, quadratic_tetrahedra, unstructured, with_flow
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import VTK_ID_TYPE, vtkIdList, vtkPoints
from vtkmodules.vtkCommonDataModel import (
    VTK_HEXAHEDRON, VTK_PIXEL, VTK_POLYHEDRON, VTK_PYRAMID, VTK_QUAD, VTK_QUADRATIC_TETRA, VTK_TETRA, VTK_TRIANGLE, VTK_VERTEX, VTK_VOXEL,
    VTK_WEDGE, vtkCellArray, vtkPolyData, vtkUnstructuredGrid)
from vtkmodules.vtkFiltersCore import vtkDelaunay3D

LINEAR = np.array([[0.1, -1.0, 0.3], [1.0, 0.05, -0.2], [0.2, 0.4, -0.15]])


def grid_of(points, cells):
    """cells: pairs of a type and the numbers of points."""
    grid = vtkUnstructuredGrid()
    at = vtkPoints()
    at.SetData(numpy_to_vtk(np.ascontiguousarray(points, float), deep=1))
    grid.SetPoints(at)
    grid.Allocate(len(cells))
    for kind, ids in cells:
        grid.InsertNextCell(kind, len(ids), [int(i) for i in ids])
    return grid


def with_linear_flow(grid):
    at = places(grid)
    add_array(grid.GetPointData(), VECTORS, at @ LINEAR.T + [0.3, 0.1, 0.05], np.float64)
    add_array(grid.GetPointData(), "number", at @ [1.0, 2.0, -1.0], np.float64)
    return grid


def delaunay():
    """Tetrahedra between random points, many of them slivers."""
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.random.default_rng(5).uniform(-1, 1, (1500, 3)), deep=1))
    cloud = vtkPolyData()
    cloud.SetPoints(points)
    cut = vtkDelaunay3D()
    cut.SetInputData(cloud)
    cut.Update()
    tetrahedra = cut.GetOutput()
    return grid_of(places(tetrahedra), [(VTK_TETRA, ids_of(tetrahedra, i)) for i in range(tetrahedra.GetNumberOfCells())])


def ids_of(grid, cell):
    ids = grid.GetCell(cell).GetPointIds()
    return [ids.GetId(i) for i in range(ids.GetNumberOfIds())]


def cut_hexahedra(parts):
    """The cells of an image, each cut into parts by parts(its corners i + 2 j + 4 k, number of the point in its middle)."""
    regular = unstructured(cube((8, 8, 8)))
    points = places(regular)
    middles, cells = [], []
    for number in range(regular.GetNumberOfCells()):
        ids = np.array(ids_of(regular, number))[[0, 1, 3, 2, 4, 5, 7, 6]]
        cells += parts(ids, len(points) + number)
        middles.append(points[ids].mean(axis=0))
    return grid_of(np.vstack([points, middles]), cells)


def wedges():
    return cut_hexahedra(lambda c, _: [(VTK_WEDGE, c[[0, 1, 3, 4, 5, 7]]), (VTK_WEDGE, c[[0, 3, 2, 4, 7, 6]])])


def pyramids():
    bases = [[0, 2, 6, 4], [1, 3, 7, 5], [0, 1, 5, 4], [2, 3, 7, 6], [0, 1, 3, 2], [4, 5, 7, 6]]
    return cut_hexahedra(lambda c, middle: [(VTK_PYRAMID, [*c[base], middle]) for base in bases])


def voxels():
    return cut_hexahedra(lambda c, _: [(VTK_VOXEL, c)])


def some_polyhedra():
    """Every second cell of an image as a polyhedron, the others as hexahedra."""
    both = vtkUnstructuredGrid()
    all_cells = polyhedra()
    hexahedra = unstructured(cube((6, 6, 6)))
    both.SetPoints(all_cells.GetPoints())
    both.Allocate(all_cells.GetNumberOfCells())
    for number in range(all_cells.GetNumberOfCells()):
        if number % 2 == 0:
            cell = all_cells.GetCell(number)
            faces = vtkIdList()
            faces.InsertNextId(cell.GetNumberOfFaces())
            for face in range(cell.GetNumberOfFaces()):
                ids = cell.GetFace(face).GetPointIds()
                for each in (ids.GetNumberOfIds(), *(ids.GetId(i) for i in range(ids.GetNumberOfIds()))):
                    faces.InsertNextId(each)
            both.InsertNextCell(VTK_POLYHEDRON, faces)
        else:
            both.InsertNextCell(VTK_HEXAHEDRON, 8, ids_of(hexahedra, number))
    return both


def plane(kind):
    """Cells of a plane that is not along the axes, and a flow in it."""
    side = 12
    u, v = (each.ravel() for each in np.meshgrid(*2 * [np.linspace(-1, 1, side)], indexing="ij"))
    points = np.stack([u, v, 0.25 + 0.5 * u - 0.125 * v], axis=-1)
    cells = []
    for i in range(side - 1):
        for j in range(side - 1):
            a = side * i + j
            corners = [a, a + side, a + 1, a + side + 1]
            cells += {VTK_TRIANGLE: [(kind, corners[:3]), (kind, corners[1:])], VTK_PIXEL: [(kind, corners)],
                      VTK_QUAD: [(kind, [a, a + side, a + side + 1, a + 1])]}[kind]
    grid = grid_of(points, cells)
    flow = np.stack([-v + 0.1, u, 0.5 * (-v + 0.1) - 0.125 * u], axis=-1)
    add_array(grid.GetPointData(), VECTORS, flow, np.float64)
    return grid


class Unstructured(unittest.TestCase):

    def kinds(self, tracer):
        return information(tracer, "StrategyReason").split("Cells: ")[1]

    def check_linear(self, grid, kinds, tolerance=1e-6):
        """Interpolated values along the lines are the functions of the place, and vorticity is that of the flow."""
        tracer = trace("ours", produce(with_linear_flow(grid)), seed_line(resolution=49), **FIXED)
        output = fetch(tracer)
        at = points_of(output)
        self.assertGreater(len(at), 2000)
        self.assertLess(np.abs(array_of(output.GetPointData(), "number") - at @ [1.0, 2.0, -1.0]).max(), tolerance)  # points are floats
        curl = np.array([LINEAR[2, 1] - LINEAR[1, 2], LINEAR[0, 2] - LINEAR[2, 0], LINEAR[1, 0] - LINEAR[0, 1]])
        off = np.abs(array_of(output.GetPointData(), "Vorticity") - curl).max(axis=1)
        # VTK's derivatives in polyhedra are wrong within a thousandth of a cell of their faces.
        self.assertGreater((off < tolerance).mean(), 0.95 if "Polyhedron" in kinds else 0.999999)
        self.assertEqual(self.kinds(tracer), kinds)
        return output

    def test_linear_flows_are_exact_in_cells_of_all_shapes(self):
        """By the suite's own cells: none is found by VTK."""
        for grid, kinds in ((delaunay(), "tetrahedra."), (wedges(), "wedges."), (pyramids(), "pyramids."), (voxels(), "voxels."),
                            (unstructured(cube()), "hexahedra.")):
            self.check_linear(grid, kinds)

    def test_lines_cross_from_cells_to_cells_that_only_vtk_knows(self):
        output = self.check_linear(some_polyhedra(), "hexahedra; vtkPolyhedron (found by VTK).")
        whole = fetch(trace("ours", produce(with_linear_flow(unstructured(cube((6, 6, 6))))), seed_line(resolution=49), **FIXED))
        mixed, expected = lines_from(output), lines_from(whole)
        self.assertEqual(sorted(mixed), sorted(expected))
        for key, line in mixed.items():
            shared = min(len(line), len(expected[key]), STEPS)
            self.assertLess(np.abs(line[:shared] - expected[key][:shared]).max(), TOLERANCE)

    def test_curved_cells_beside_straight_ones(self):
        curved = quadratic_tetrahedra()
        all_ids = [ids_of(curved, i) for i in range(curved.GetNumberOfCells())]
        points = places(curved)
        for ids in all_ids:
            for middle, (a, b) in zip(ids[4:], ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))):
                points[middle] = (points[ids[a]] + points[ids[b]]) / 2
        cells = [(VTK_QUADRATIC_TETRA, ids) if i % 3 == 0 else (VTK_TETRA, ids[:4]) for i, ids in enumerate(all_ids)]
        # VTK finds coordinates in curved cells to 1e-5.
        self.check_linear(grid_of(points, cells), "tetrahedra; vtkQuadraticTetra (found by VTK).", 1e-4)

    def test_wedges_and_pyramids_agree_with_the_stock_filter(self):
        for grid in (wedges(), pyramids()):
            source, seeds = produce(with_flow(grid)), seed_line()
            options = {**FIXED, "MaximumStreamlineLength": 10.0}
            stock = lines_from(fetch(trace("stock", source, seeds, InterpolatorType="Interpolator with Cell Locator", **options)))
            ours = lines_from(fetch(trace("ours", source, seeds, **options)))
            self.assertEqual(sorted(stock), sorted(ours))
            for key, line in ours.items():
                shared = min(len(line), len(stock[key]), STEPS)
                self.assertLess(np.abs(line[:shared] - stock[key][:shared]).max(), 1e-4)  # it leaves cells late

    def test_vortex_seeds(self):
        """In each cell of a linear flow, with its vorticity; not in cells that only VTK knows."""
        grid = with_linear_flow(pyramids())
        output = fetch(simple.RivuletVortexSeeds(Input=produce(grid), Vectors=["POINTS", VECTORS], NumberOfSeeds=100000))
        self.assertEqual(output.GetNumberOfPoints(), grid.GetNumberOfCells())
        curl = np.array([LINEAR[2, 1] - LINEAR[1, 2], LINEAR[0, 2] - LINEAR[2, 0], LINEAR[1, 0] - LINEAR[0, 1]])
        self.assertLess(np.abs(array_of(output.GetPointData(), "VorticityMagnitude") - np.linalg.norm(curl)).max(), 1e-11)
        with Messages() as said:
            fetch(simple.RivuletVortexSeeds(Input=produce(with_linear_flow(polyhedra())), Vectors=["POINTS", VECTORS]))
        self.assertIn("vortices are searched", said.text())

    def test_planar_flows(self):
        for kind, name in ((VTK_TRIANGLE, "triangles."), (VTK_PIXEL, "pixels."), (VTK_QUAD, "quadrilaterals.")):
            seeds = vtkPolyData()
            points = vtkPoints()
            for x in np.linspace(0.1, 0.6, 11):
                points.InsertNextPoint(x, 0.1, 0.25 + 0.5 * x - 0.0125)
            seeds.SetPoints(points)
            tracer = trace("ours", produce(plane(kind)), produce(seeds), **FIXED)
            output = fetch(tracer)
            self.assertEqual(self.kinds(tracer), name)
            at = points_of(output)
            self.assertGreater(len(at), 1000)
            self.assertLess(np.abs(at[:, 2] - (0.25 + 0.5 * at[:, 0] - 0.125 * at[:, 1])).max(), 1e-6)
            circles = [ids for _, _, _, ids in lines_of(output)]
            for ids in circles:  # about (0, 0.1), and closed
                radius = np.hypot(at[ids, 0], at[ids, 1] - 0.1)
                self.assertLess(np.abs(radius - radius[0]).max(), 1e-5)

    def test_cells_without_places_are_left_out(self):
        """Vertices, and cells of a lower dimension, have none."""
        grid = unstructured(cube())
        cells = [(VTK_HEXAHEDRON, ids_of(grid, i)) for i in range(grid.GetNumberOfCells())]
        more = [(VTK_VERTEX, [0]), *cells[:200], (VTK_QUAD, [0, 5, 60, 300]), *cells[200:]]
        self.check_linear(grid_of(places(grid), more), "hexahedra.")

    def test_cells_that_were_changed_in_place_are_noticed(self):
        grid = with_flow(unstructured(cube()))
        source, seeds = produce(grid), seed_line()
        tracer = trace("ours", source, seeds, **FIXED)
        before = fetch(tracer).GetNumberOfPoints()
        half = [(VTK_HEXAHEDRON, ids_of(grid, i)) for i in range(grid.GetNumberOfCells() // 2)]
        grid.SetCells(VTK_HEXAHEDRON, grid_of(places(grid), half).GetCells())
        grid.Modified()
        tracer.GetClientSideObject().Modified()
        tracer.GetClientSideObject().Update()
        self.assertLess(fetch(tracer).GetNumberOfPoints(), before)

    def test_cells_with_points_that_are_not_there_are_refused(self):
        grid = with_flow(unstructured(cube()))
        count = grid.GetNumberOfPoints()
        ids = np.array([ids_of(grid, i) for i in range(grid.GetNumberOfCells())])
        ids[17, 3] = count
        array = vtkCellArray()
        array.SetData(numpy_to_vtk(np.arange(0, ids.size + 1, 8), deep=1, array_type=VTK_ID_TYPE),
                      numpy_to_vtk(ids.ravel(), deep=1, array_type=VTK_ID_TYPE))
        grid.SetCells(VTK_HEXAHEDRON, array)
        with Messages() as said:
            fetch(trace("ours", produce(grid), seed_line()))
        self.assertIn(f"cell 17, a hexahedron, has the point {count}; there are {count}", said.text())


if __name__ == "__main__":
    unittest.main()
