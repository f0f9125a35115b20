# SPDX-License-Identifier: BSD-3-Clause
"""A Catalyst script: pathlines through the store that the same session appends to, one picture for each step."""
from paraview import catalyst
from paraview.simple import *

flow = TrivialProducer(registrationName="flow")  # so that the script runs when there is a new step
options = catalyst.Options()
made = {}


def make():
    store = OpenDataFile("results/flow.rvs")
    paths = RivuletPathTracer(Input=store, SeedType="Line")
    paths.SeedType.Point1 = [-1.5, -1.2, 0.2]
    paths.SeedType.Point2 = [-1.5, 1.2, 0.2]
    paths.SeedType.Resolution = 24
    view = CreateRenderView()
    view.ViewSize = [480, 240]
    view.CameraPosition = [1.2, -0.05, 7]
    view.CameraFocalPoint = [1.2, -0.05, 0]
    view.CameraParallelScale = 1.7
    view.CameraParallelProjection = 1
    view.OrientationAxesVisibility = 0
    sphere = Sphere(Radius=0.5, ThetaResolution=32, PhiResolution=32)
    Show(sphere, view)
    ColorBy(Show(paths, view), ("POINTS", "velocity"))
    made.update(store=store, paths=paths, view=view)


def catalyst_execute(info):
    if not made:
        make()
    ReloadFiles(made["store"])  # looks for the step that has just been added
    made["view"].ViewTime = info.time
    SaveScreenshot(f"results/paths_{info.timestep:06d}.png", made["view"], ImageResolution=[480, 240])
