# SPDX-License-Identifier: BSD-3-Clause
"""A VTK source of the time steps of a velocity, all of them in memory.

    source = steps_in_memory(fields, times, origin, spacing)   # fields: an array [k, j, i, 3] for each time
    tracer.SetInputConnection(0, source.GetOutputPort())
    source.images[0]                                            # the image of the first step
"""

import numpy as np


def steps_in_memory(fields, times, origin, spacing):
    from vtkmodules.util.numpy_support import numpy_to_vtk
    from vtkmodules.util.vtkAlgorithm import VTKPythonAlgorithmBase
    from vtkmodules.vtkCommonDataModel import vtkImageData
    from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as Pipeline

    times = [float(time) for time in times]

    def image_of(values):
        image = vtkImageData()
        image.SetDimensions(*values.shape[2::-1])
        image.SetOrigin(origin)
        image.SetSpacing(spacing)
        array = numpy_to_vtk(values.reshape(-1, 3), deep=True)
        array.SetName("velocity")
        image.GetPointData().SetVectors(array)
        return image

    class Steps(VTKPythonAlgorithmBase):
        def __init__(self):
            VTKPythonAlgorithmBase.__init__(self, nInputPorts=0, nOutputPorts=1, outputType="vtkImageData")
            self.images = [image_of(values) for values in fields]

        def RequestInformation(self, request, inputs, outputs):
            info = outputs.GetInformationObject(0)
            info.Set(Pipeline.WHOLE_EXTENT(), self.images[0].GetExtent(), 6)
            info.Set(Pipeline.TIME_STEPS(), times, len(times))
            info.Set(Pipeline.TIME_RANGE(), [times[0], times[-1]], 2)
            return 1

        def RequestData(self, request, inputs, outputs):
            info = outputs.GetInformationObject(0)
            time = info.Get(Pipeline.UPDATE_TIME_STEP()) if info.Has(Pipeline.UPDATE_TIME_STEP()) else times[0]
            output = vtkImageData.GetData(info)
            output.ShallowCopy(self.images[int(np.abs(np.asarray(times) - time).argmin())])
            output.GetInformation().Set(output.DATA_TIME_STEP(), time)
            return 1

    return Steps()
