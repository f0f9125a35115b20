# SPDX-License-Identifier: BSD-3-Clause
"""A VTK source of the time steps of a velocity, all of them in memory.

    source = steps_in_memory(image_of(values, origin, spacing) for values in fields, times)
    source = steps_in_memory(grid_of(values, points) for values in fields, times)
    tracer.SetInputConnection(0, source.GetOutputPort())
    source.grids[0]                                            # the dataset of the first step

values: an array [k, j, i, 3].
"""

import numpy as np


def with_velocity(grid, values):
    from vtkmodules.util.numpy_support import numpy_to_vtk

    grid.SetDimensions(*values.shape[2::-1])
    array = numpy_to_vtk(values.reshape(-1, 3), deep=True)
    array.SetName("velocity")
    grid.GetPointData().SetVectors(array)
    return grid


def image_of(values, origin, spacing):
    from vtkmodules.vtkCommonDataModel import vtkImageData

    image = with_velocity(vtkImageData(), values)
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

    grid = with_velocity(vtkStructuredGrid(), values)
    grid.SetPoints(points)
    return grid


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
