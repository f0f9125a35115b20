# SPDX-License-Identifier: BSD-3-Clause
"""What the filter tests share: datasets in memory, comparisons of traced lines."""
import hashlib

import numpy as np
import plugin_testing
from plugin_testing import servermanager, simple
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkDoubleArray
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkRectilinearGrid
from vtkmodules.vtkCommonMath import vtkMatrix3x3

VECTORS = "velocity"


def swirl(x, y, z):
    """A smooth flow with vortices, saddles and no symmetry; its length scale is that of [-1, 1]^3."""
    return np.stack((np.sin(2 * z) + 0.7 * np.cos(3 * y) + 0.1, 0.8 * np.sin(2 * x) + np.cos(2.5 * z),
                     0.6 * np.sin(3 * y) + 0.9 * np.cos(2 * x)), axis=-1)


def add_array(attributes, name, values, dtype):
    array = numpy_to_vtk(np.ascontiguousarray(values.astype(dtype)), deep=True)
    array.SetName(name)
    attributes.AddArray(array)
    return array


def fill(dataset, centering="point", dtype=np.float32, flow=swirl):
    """Adds the velocity and companions of several types; hidden points and cells are the caller's."""
    points = np.array([dataset.GetPoint(i) for i in range(dataset.GetNumberOfPoints())])
    data = dataset.GetPointData()
    if centering == "point":
        add_array(data, VECTORS, flow(*points.T), dtype)
        data.SetActiveVectors(VECTORS)
    else:
        centres = []
        for i in range(dataset.GetNumberOfCells()):
            bounds = dataset.GetCell(i).GetBounds()
            centres.append([0.5 * (bounds[2 * a] + bounds[2 * a + 1]) for a in range(3)])
        add_array(dataset.GetCellData(), VECTORS, flow(*np.array(centres).T), dtype)
        dataset.GetCellData().SetActiveVectors(VECTORS)
    add_array(data, "pressure", points[:, 0] * points[:, 1] + points[:, 2], np.float64)
    add_array(data, "counts", np.arange(len(points)), np.int32)
    add_array(data, "bytes", 127 + 100 * points[:, 0], np.uint8)
    add_array(data, "pair", points[:, :2] ** 2, np.float32)
    data.SetActiveScalars("pressure")
    return dataset


def image(dims=(21, 17, 13), origin=(-1, -1, -1), spacing=None, first=(0, 0, 0), direction=None):
    """Image data over [-1, 1]^3, or as told."""
    dataset = vtkImageData()
    dataset.SetExtent([e for a in range(3) for e in (first[a], first[a] + dims[a] - 1)])
    dataset.SetOrigin(origin)
    dataset.SetSpacing(spacing or [2.0 / max(n - 1, 1) for n in dims])
    if direction:
        matrix = vtkMatrix3x3()
        matrix.DeepCopy(direction)
        dataset.SetDirectionMatrix(matrix)
    return dataset


def rectilinear(dims=(21, 17, 13)):
    dataset = vtkRectilinearGrid()
    dataset.SetDimensions(dims)
    for n, put in zip(dims, (dataset.SetXCoordinates, dataset.SetYCoordinates, dataset.SetZCoordinates)):
        t = np.linspace(-1, 1, n)
        coordinates = vtkDoubleArray()
        for x in t * (0.6 + 0.4 * t * t):
            coordinates.InsertNextValue(x)
        put(coordinates)
    return dataset


def produce(dataset):
    """A source that holds the dataset."""
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(dataset)
    source.UpdatePipeline()
    return source


def seed_line(low=(-0.8, -0.7, -0.6), high=(0.75, 0.8, 0.65), resolution=19):
    return simple.Line(Point1=low, Point2=high, Resolution=resolution)


def trace(kind, source, seeds, centering="POINTS", **properties):
    """The output of RivuletStreamTracerWithCustomSource, or of its stock twin."""
    names = {"stock": simple.StreamTracerWithCustomSource, "ours": simple.RivuletStreamTracerWithCustomSource}
    tracer = names[kind](Input=source, SeedSource=seeds)
    tracer.Vectors = [centering, VECTORS]
    tracer.MaximumStreamlineLength = 4.0
    for name, value in properties.items():
        tracer.__setattr__(name, value)
    tracer.UpdatePipeline()
    return tracer


def fetch(proxy, port=0):
    """The output of a proxy on this process."""
    proxy.UpdatePipeline()
    return servermanager.Fetch(proxy) if port == 0 else proxy.GetClientSideObject().GetOutputDataObject(port)


def points_of(lines):
    return vtk_to_numpy(lines.GetPoints().GetData()) if lines.GetNumberOfPoints() else np.zeros((0, 3))


def array_of(attributes, name):
    return vtk_to_numpy(attributes.GetArray(name))


def assert_near(expected, found, arrays, tolerance):
    """The same points and cells within the tolerance, and the same values of point arrays within ten times of it."""
    assert expected.GetNumberOfPoints() == found.GetNumberOfPoints() > 10, (expected.GetNumberOfPoints(), found.GetNumberOfPoints())
    assert expected.GetNumberOfCells() == found.GetNumberOfCells()
    assert np.abs(points_of(expected) - points_of(found)).max() < tolerance, np.abs(points_of(expected) - points_of(found)).max()
    for name in arrays:
        a, b = (array_of(each.GetPointData(), name).astype(float) for each in (expected, found))
        assert np.abs(a - b).max() < 10 * tolerance, (name, np.abs(a - b).max())


def statistic(lines, name):
    return lines.GetFieldData().GetArray(name).GetTuple1(0)


def lines_of(lines):
    """(seed, backward?, reason, point ids) of each line."""
    offsets = vtk_to_numpy(lines.GetLines().GetOffsetsArray())
    seeds = array_of(lines.GetCellData(), "SeedIds")
    reasons = array_of(lines.GetCellData(), "ReasonForTermination")
    times = array_of(lines.GetPointData(), "IntegrationTime")
    return [(seeds[i], times[offsets[i + 1] - 1] < 0, reasons[i], slice(offsets[i], offsets[i + 1]))
            for i in range(len(seeds))]


def lines_by_seed(lines):
    """For each seed with lines, the bytes of their points, and why they end."""
    points = points_of(lines)
    reasons, seeds = (vtk_to_numpy(lines.GetCellData().GetArray(name)) for name in ("ReasonForTermination", "SeedIds"))
    offsets = vtk_to_numpy(lines.GetLines().GetOffsetsArray())
    found = {}
    for line, seed in enumerate(seeds):
        found.setdefault(int(seed), []).append(
            (int(reasons[line]), points[offsets[line]:offsets[line + 1]].tobytes()))
    return found


def digest(lines):
    """Hash of points, cells and arrays, ordered by (direction, seed): the same for however many ranks."""
    order = sorted(lines_of(lines), key=lambda line: (line[1], line[0]))
    data = lines.GetPointData()
    arrays = {data.GetArrayName(i): vtk_to_numpy(data.GetArray(i)) for i in range(data.GetNumberOfArrays())}
    arrays["points"] = points_of(lines)
    total = hashlib.sha256()
    for seed, backward, reason, ids in order:
        total.update(f"{seed} {backward} {reason} {ids.stop - ids.start}".encode())
        for name in sorted(arrays):
            total.update(arrays[name][ids].tobytes())
    for name in sorted(arrays):
        total.update(f"{name} {arrays[name].dtype} {arrays[name].shape[1:]}".encode())
    return total.hexdigest()


class Messages(plugin_testing.Messages):
    """Counts what VTK would show, too."""

    def count(self):
        return self.text().count("ERROR:") + self.text().count("Warning:")
