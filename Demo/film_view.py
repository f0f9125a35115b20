# SPDX-License-Identifier: BSD-3-Clause
"""The picture of the film: a slice through the wake, coloured by speed, and the surface of strong vorticity. It is the
same beside the simulation and from the store."""
from paraview.simple import (Calculator, ColorBy, Contour, CreateRenderView, GetColorTransferFunction, Gradient, Show, Slice)
from presets import apply_preset

SIZE = [960, 400]


def make_view(flow):
    """A view of a source with point vectors "velocity"; lengths are diameters of the sphere."""
    curl = Gradient(Input=flow, ScalarArray=["POINTS", "velocity"], ComputeVorticity=1)
    strength = Calculator(Input=curl, ResultArrayName="strength", Function="mag(Vorticity)")
    strong = Contour(Input=strength, ContourBy=["POINTS", "strength"], Isosurfaces=[1.2])
    cut = Slice(Input=flow)
    cut.SliceType.Origin = [0.0, 0.0, 0.0]
    cut.SliceType.Normal = [0.0, 0.0, 1.0]
    view = CreateRenderView()
    view.ViewSize = SIZE
    view.UseColorPaletteForBackground = 0
    view.Background = [0.05, 0.06, 0.09]
    view.OrientationAxesVisibility = 0
    view.CameraPosition = [2.2, -7.5, 9.5]
    view.CameraFocalPoint = [2.2, 0.0, -0.6]
    view.CameraViewUp = [0.0, 1.0, 0.0]
    view.CameraViewAngle = 24
    shown = Show(cut, view)
    ColorBy(shown, ("POINTS", "velocity", "Magnitude"))
    colours = GetColorTransferFunction("velocity")
    apply_preset(colours, "Inferno")
    colours.RescaleTransferFunction(0.0, 1.3)
    shown.SetScalarBarVisibility(view, False)
    surface = Show(strong, view)
    surface.ColorArrayName = [None, ""]
    surface.DiffuseColor = surface.AmbientColor = [0.55, 0.75, 0.95]
    return view
