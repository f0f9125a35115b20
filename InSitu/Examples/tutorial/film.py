# SPDX-License-Identifier: BSD-3-Clause
"""A Catalyst script for the tutorial: a surface of equal heat and a slice through it, one picture for each step."""
from paraview import catalyst
from paraview.simple import *

producer = TrivialProducer(registrationName="temperature")
nodes = CellDatatoPointData(Input=producer, ProcessAllArrays=1)
surface = Contour(Input=nodes, ContourBy=["POINTS", "heat"], Isosurfaces=[0.2])
cut = Slice(Input=nodes)
cut.SliceType.Origin = [24, 24, 24]
cut.SliceType.Normal = [0, 1, 0]

view = CreateRenderView()
view.ViewSize = [320, 240]
view.CameraPosition = [60, -90, 70]
view.CameraFocalPoint = [24, 24, 24]
view.CameraViewUp = [0, 0, 1]
view.OrientationAxesVisibility = 0
for source in (surface, cut):
    shown = Show(source, view)
    ColorBy(shown, ("POINTS", "heat"))
    shown.SetScalarBarVisibility(view, False)
colours = GetColorTransferFunction("heat")
colours.RescaleTransferFunction(0.0, 0.6)

png = CreateExtractor("PNG", view, registrationName="png")
png.Writer.FileName = "heat_{timestep:06d}.png"
png.Writer.ImageResolution = [320, 240]

options = catalyst.Options()
options.ExtractsOutputDirectory = "."
