# SPDX-License-Identifier: BSD-3-Clause
"""A Catalyst script: a slice through an AMR mesh, as the edges of its cells, a picture for each fourth step, and the cells of it."""
from paraview import catalyst
from paraview.simple import *

producer = TrivialProducer(registrationName="drop")
cut = Slice(Input=producer)
cut.SliceType.Origin = [12, 12, 12.1]
cut.SliceType.Normal = [0, 0, 1]
view = CreateRenderView()
view.ViewSize = [240, 240]
view.CameraPosition = [12, 12, 80]
view.CameraFocalPoint = [12, 12, 12]
view.OrientationAxesVisibility = 0
shown = Show(cut, view)
shown.Representation = "Wireframe"  # VTK 9.6 draws surfaces with edges differently from run to run
ColorBy(shown, ("CELLS", "density"))
shown.SetScalarBarVisibility(view, False)
GetColorTransferFunction("density").RescaleTransferFunction(0.0, 1.0)
png = CreateExtractor("PNG", view, registrationName="png")
png.Trigger = "TimeStep"
png.Trigger.Frequency = 4
png.Writer.FileName = "drop_{timestep:06d}.png"
png.Writer.ImageResolution = [240, 240]
options = catalyst.Options()
options.ExtractsOutputDirectory = "."
