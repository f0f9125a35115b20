# SPDX-License-Identifier: BSD-3-Clause
"""A flow by a formula, in time steps of a programmable source, with labels and a linear scalar; spheres as functions."""
from filter_testing import simple

SCRIPT = """
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
output = self.GetOutputDataObject(0)
info = self.GetOutputInformation(0)
time = info.Get(P.UPDATE_TIME_STEP()) if info.Has(P.UPDATE_TIME_STEP()) else 0.0
output.SetExtent(0, 16, 0, 16, 0, 8)
output.SetOrigin(-1, -1, -0.5)
output.SetSpacing(0.125, 0.125, 0.125)
x, y, z = np.meshgrid(-1 + 0.125 * np.arange(17), -1 + 0.125 * np.arange(17), -0.5 + 0.125 * np.arange(9), indexing="ij")
u, v, w = {flow}
velocity = np.stack([u + 0 * x, v + 0 * x, w + 0 * x], axis=-1).transpose(2, 1, 0, 3).reshape(-1, 3)
array = numpy_to_vtk(np.ascontiguousarray(velocity), deep=True)
array.SetName("velocity")
output.GetPointData().SetVectors(array)
zone = numpy_to_vtk(np.where(x < -0.45, 1, np.where(x > 0.45, 2, 0)).astype(np.int32).transpose(2, 1, 0).reshape(-1).copy(),
                    deep=True)
zone.SetName("zone")
output.GetPointData().AddArray(zone)
slope = numpy_to_vtk(np.ascontiguousarray((x + 2 * z).transpose(2, 1, 0).reshape(-1)), deep=True)
slope.SetName("slope")
output.GetPointData().AddArray(slope)
output.GetInformation().Set(output.DATA_TIME_STEP(), time)
"""
INFORMATION = """
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
info.Set(P.WHOLE_EXTENT(), 0, 16, 0, 16, 0, 8)
times = {times}
info.Set(P.TIME_STEPS(), times, len(times))
info.Set(P.TIME_RANGE(), [min(times), max(times)], 2)
"""
STEPS = [0.5 * i for i in range(9)]
UNIFORM = "0.5, 0, 0"


def flow(formula=UNIFORM, times=STEPS, border="-0.45", labels=(1, 2), number="int32"):
    script = SCRIPT.format(flow=formula).replace("x < -0.45, 1", f"x < {border}, {labels[0]}").replace(
        "x > 0.45, 2", f"x > 0.45, {labels[1]}").replace("np.int32", "np." + number)
    return simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=script,
                                     ScriptRequestInformation=INFORMATION.format(times=times))


def set_sphere(function, centre, radius):
    function.Center, function.Radius = centre, radius
