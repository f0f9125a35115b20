# SPDX-License-Identifier: BSD-3-Clause
"""A Catalyst script: the surface of tetrahedra and a surface of equal value in them, a picture for each third step."""
from paraview import catalyst
from paraview.simple import *

producer = TrivialProducer(registrationName="wing")
surface = Contour(Input=producer, ContourBy=["POINTS", "wave"], Isosurfaces=[0.3])
view = CreateRenderView()
view.ViewSize = [200, 150]
view.CameraPosition = [40, -30, 30]
view.CameraFocalPoint = [10, 6, 6]
view.CameraViewUp = [0, 0, 1]
view.OrientationAxesVisibility = 0
Show(surface, view)
shown = Show(producer, view)
shown.Representation = "Wireframe"
png = CreateExtractor("PNG", view, registrationName="png")
png.Trigger = "TimeStep"
png.Trigger.Frequency = 3
png.Writer.FileName = "wing_{timestep:06d}.png"
png.Writer.ImageResolution = [200, 150]
options = catalyst.Options()
options.ExtractsOutputDirectory = "."
