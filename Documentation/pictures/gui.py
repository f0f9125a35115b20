# SPDX-License-Identifier: BSD-3-Clause
"""Run by `paraview --script`: a Rivulet Stream Tracer in the GUI, ready to be photographed."""

import os

from paraview.simple import (ColorBy, GetActiveViewOrCreate, GetDisplayProperties, Hide, LoadDistributedPlugin, Render,
                             SetActiveSource, Show, Tube)

LoadDistributedPlugin("Rivulet", remote=False, ns=globals())
view = GetActiveViewOrCreate("RenderView")
field = RivuletFieldReader(registrationName="flow.rvf", FileNames=[os.environ["RIVULET_PICTURE_FIELD"]])
Show(field, view)
view.ResetCamera()

lines = RivuletStreamTracer(Input=field, SeedType="Point Cloud", MemoryBudget=16)
lines.SeedType.Radius = 2.2
lines.SeedType.NumberOfPoints = 120
lines.MaximumStreamlineLength = 30.0
lines.UpdatePipeline()
tubes = Tube(Input=lines, Radius=0.035)
display = Show(tubes, view)
ColorBy(display, ("POINTS", "IntegrationTime"))
Hide(lines, view)
GetDisplayProperties(field, view).SetRepresentationType("Outline")

camera = view.GetActiveCamera()
camera.Azimuth(35)
camera.Elevation(20)
camera.Zoom(1.15)
view.CenterAxesVisibility = 0
SetActiveSource(lines)
Render(view)
with open(os.environ["RIVULET_PICTURE_READY"], "w", encoding="ascii") as ready:
    ready.write("ready\n")
