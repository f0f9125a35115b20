# SPDX-License-Identifier: BSD-3-Clause
"""A VTK source of the time steps of a velocity, all of them in memory.

    source = steps_in_memory(image_of(values, origin, spacing) for values in fields, times)
    source = steps_in_memory(grid_of(values, points) for values in fields, times)
    source = steps_in_memory(map(TetrahedraOf(nodes), fields, points), times)
    tracer.SetInputConnection(0, source.GetOutputPort())
    source.grids[0]                                            # the dataset of the first step

values: an array [k, j, i, 3].
"""

import numpy as np


TETRAHEDRA = [(0, 1, 3, 7), (0, 1, 5, 7), (0, 2, 3, 7), (0, 2, 6, 7), (0, 4, 5, 7), (0, 4, 6, 7)]  # corners i + 2 j + 4 k


def cells_of(nodes, parts):
    """Nodes of the parts of all cubes of a lattice of so many nodes along each axis, int64 [cells, corners]."""
    k, j, i = (each.ravel() for each in np.meshgrid(*[np.arange(nodes - 1)] * 3, indexing="ij"))
    corners = np.stack([i + (c & 1) + nodes * (j + (c >> 1 & 1) + nodes * (k + (c >> 2))) for c in range(8)], -1)
    return np.stack([corners[:, part] for part in parts], 1).reshape(-1, len(parts[0]))


def with_velocity(grid, values):
    from vtkmodules.util.numpy_support import numpy_to_vtk

    array = numpy_to_vtk(values.reshape(-1, 3), deep=True)
    array.SetName("velocity")
    grid.GetPointData().SetVectors(array)
    return grid


def image_of(values, origin, spacing):
    from vtkmodules.vtkCommonDataModel import vtkImageData

    image = vtkImageData()
    image.SetDimensions(*values.shape[2::-1])
    with_velocity(image, values)
    image.SetOrigin(origin)
    image.SetSpacing(spacing)
    return image


def points_of(places):
    """Points of a grid, which steps may share: places [k, j, i, 3]."""
    from vtkmodules.util.numpy_support import numpy_to_vtk
    from vtkmodules.vtkCommonCore import vtkPoints

    points = vtkPoints()
    points.SetData(numpy_to_vtk(places.reshape(-1, 3), deep=True))
    return points


def grid_of(values, points):
    from vtkmodules.vtkCommonDataModel import vtkStructuredGrid

    grid = vtkStructuredGrid()
    grid.SetDimensions(*values.shape[2::-1])
    grid.SetPoints(points)
    return with_velocity(grid, values)


class TetrahedraOf:
    """Makes a grid of tetrahedra, six to each cube of a lattice; all have the same cells."""

    def __init__(self, nodes):
        from vtkmodules.util.numpy_support import numpy_to_vtkIdTypeArray
        from vtkmodules.vtkCommonDataModel import vtkCellArray

        cells = cells_of(nodes, TETRAHEDRA)
        self.cells = vtkCellArray()
        offsets = np.arange(0, cells.size + 1, 4)
        self.cells.SetData(*(numpy_to_vtkIdTypeArray(np.ascontiguousarray(each), deep=True) for each in (offsets, cells.ravel())))

    def __call__(self, values, points):
        from vtkmodules.vtkCommonDataModel import VTK_TETRA, vtkUnstructuredGrid

        grid = vtkUnstructuredGrid()
        grid.SetPoints(points)
        grid.SetCells(VTK_TETRA, self.cells)
        return with_velocity(grid, values)


def steps_in_memory(grids, times):
    from vtkmodules.util.vtkAlgorithm import VTKPythonAlgorithmBase
    from vtkmodules.vtkCommonDataModel import vtkDataObject
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

    times = [float(time) for time in times]
    grids = list(grids)

    class Steps(VTKPythonAlgorithmBase):
        def __init__(self):
            VTKPythonAlgorithmBase.__init__(self, nInputPorts=0, nOutputPorts=1, outputType=grids[0].GetClassName())
            self.grids = grids

        def RequestInformation(self, request, inputs, outputs):
            info = outputs.GetInformationObject(0)
            if hasattr(self.grids[0], "GetExtent"):
                info.Set(Pipeline.WHOLE_EXTENT(), self.grids[0].GetExtent(), 6)
            info.Set(Pipeline.TIME_STEPS(), times, len(times))
            info.Set(Pipeline.TIME_RANGE(), [times[0], times[-1]], 2)
            return 1

        def RequestData(self, request, inputs, outputs):
            info = outputs.GetInformationObject(0)
            time = info.Get(Pipeline.UPDATE_TIME_STEP()) if info.Has(Pipeline.UPDATE_TIME_STEP()) else times[0]
            output = vtkDataObject.GetData(info)
            output.ShallowCopy(self.grids[int(np.abs(np.asarray(times) - time).argmin())])
            output.GetInformation().Set(output.DATA_TIME_STEP(), time)
            return 1

    return Steps()
