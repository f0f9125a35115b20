# SPDX-License-Identifier: BSD-3-Clause
"""Distances between two surfaces of triangles. Needs VTK.

    there = distances(points, surface)                      # of points to the nearest triangle: exact, by VTK's cell locator
    distance_between(Surface(p, t), Surface(q, u))          # {"mean_distance": ..., "back_distance": ..., "hausdorff": ...}
    points_to_triangles(points, corners)                    # the same without a locator, to check it: all pairs, in NumPy
"""

import dataclasses

import numpy as np

CHECKED = 3  # points that are compared with all triangles
BLOCK = 200_000  # triangles that NumPy takes at once


@dataclasses.dataclass
class Surface:
    points: np.ndarray  # float64 [n, 3]
    triangles: np.ndarray  # int64 [m, 3]

    def corners(self):
        return self.points[self.triangles]

    def areas(self):
        a, b, c = np.moveaxis(self.corners(), 1, 0)
        return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)

    def areas_of_points(self):
        """A third of the area of the triangles around each point."""
        shares = np.repeat(self.areas() / 3, 3)
        return np.bincount(self.triangles.reshape(-1), weights=shares, minlength=len(self.points))

    def longest_edge(self):
        corners = self.corners()
        return float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max())


def points_to_segments(points, a, b):
    along = b - a
    squared = np.maximum(np.einsum("ij,ij->i", along, along), np.finfo(float).tiny)
    share = np.clip(np.einsum("ij,ij->i", points - a, along) / squared, 0, 1)
    return np.linalg.norm(points - (a + share[:, None] * along), axis=1)


def point_to_triangles(point, corners):
    """Smallest distance of a point to triangles [m, 3, 3]: to the plane where it lies above the triangle, else to the edges."""
    a, b, c = np.moveaxis(corners, 1, 0)
    normal = np.cross(b - a, c - a)
    squared = np.einsum("ij,ij->i", normal, normal)
    sides = [np.einsum("ij,ij->i", np.cross(to - at, point - at), normal) for at, to in ((a, b), (b, c), (c, a))]
    above = (np.min(sides, axis=0) >= 0) & (squared > 0)
    height = np.abs(np.einsum("ij,ij->i", point - a, normal)) / np.sqrt(np.where(squared > 0, squared, 1))
    edges = np.min([points_to_segments(np.broadcast_to(point, a.shape), *ends) for ends in ((a, b), (b, c), (c, a))], axis=0)
    return float(np.where(above, height, edges).min())


def points_to_triangles(points, corners):
    parts = range(0, len(corners), BLOCK)
    return np.array([min(point_to_triangles(point, corners[at : at + BLOCK]) for at in parts) for point in points])


def polydata(surface):
    from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
    from vtkmodules.vtkCommonCore import VTK_DOUBLE, vtkPoints
    from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

    points = vtkPoints()
    points.SetDataType(VTK_DOUBLE)
    points.SetData(numpy_to_vtk(surface.points, deep=True))
    cells = vtkCellArray()
    offsets = numpy_to_vtkIdTypeArray(np.arange(0, 3 * len(surface.triangles) + 1, 3), deep=True)
    cells.SetData(offsets, numpy_to_vtkIdTypeArray(surface.triangles.reshape(-1).copy(), deep=True))
    result = vtkPolyData()
    result.SetPoints(points)
    result.SetPolys(cells)
    return result


def distances(points, surface):
    """Distance of each point to the nearest triangle. Some points are compared with all triangles."""
    from vtkmodules.vtkCommonCore import reference
    from vtkmodules.vtkCommonDataModel import vtkGenericCell, vtkStaticCellLocator

    data = polydata(surface)
    locator = vtkStaticCellLocator()
    locator.SetDataSet(data)
    locator.BuildLocator()
    place, cell, number, part, squared = [0.0] * 3, vtkGenericCell(), reference(0), reference(0), reference(0.0)
    values = np.empty(len(points))
    for row, point in enumerate(points.tolist()):
        locator.FindClosestPoint(point, place, cell, number, part, squared)
        values[row] = squared.get()
    values = np.sqrt(values)
    some = np.random.default_rng(5).choice(len(points), min(CHECKED, len(points)), replace=False)
    exact = points_to_triangles(points[some], surface.corners())
    size = np.abs(surface.points).max()
    assert np.allclose(values[some], exact, rtol=1e-6, atol=1e-9 * size), f"distances differ: {values[some]}, {exact}"
    return values


def inner_points(surface):
    """Centre and middles of the edges of each triangle, each with a quarter of its area."""
    a, b, c = np.moveaxis(surface.corners(), 1, 0)
    points = np.concatenate([(a + b + c) / 3, (a + b) / 2, (b + c) / 2, (c + a) / 2])
    return points, np.tile(surface.areas() / 4, 4)


def some_of(points, weights, most):
    """As many points as that at random, the same ones for the same points."""
    some = np.sort(np.random.default_rng(6).permutation(len(points))[:most])
    return points[some], weights[some]


def distance_between(surface, reference, most=60_000):
    """From a denser surface to this one, at points of it, and back from points within this one's triangles; at most so many of each.

    Means are weighted with areas. "hausdorff" is the largest distance in either direction.
    """
    points, weights = some_of(reference.points, reference.areas_of_points(), most)
    to = distances(points, surface)
    points, back_weights = some_of(*inner_points(surface), most)
    back = distances(points, reference)
    return {
        "mean_distance": float(np.average(to, weights=weights)),
        "back_distance": float(np.average(back, weights=back_weights)),
        "hausdorff": float(max(to.max(), back.max())),
    }
