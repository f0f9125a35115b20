# SPDX-License-Identifier: BSD-3-Clause
"""pvbatch wake.py FIELD PICTURE: streamlines through the wake of a sphere of diameter 1 at the origin."""

import sys

import scene
from paraview.simple import *  # noqa: F403 the plugin's proxies appear here

FIELD, PICTURE = sys.argv[1], sys.argv[2]


def trace(field, kind, **seeds):
    lines = RivuletStreamTracer(Input=field, Vectors=["POINTS", "velocity"], SeedType=kind,
                                MaximumStreamlineLength=20.0, MaximumSteps=20000)
    for name, value in seeds.items():
        setattr(lines.SeedType, name, value)
    return lines


def show_lines(view, lines, radius):
    tubes = Tube(Input=lines, Radius=radius, NumberofSides=10, Capping=1)
    speed = Calculator(Input=tubes, Function="mag(velocity)", ResultArrayName="Speed")
    display = Show(speed, view)
    display.Ambient, display.Diffuse, display.Specular, display.SpecularPower = 0.12, 0.85, 0.35, 25
    return display


def show_sphere(view):
    display = Show(Sphere(Radius=0.5, ThetaResolution=96, PhiResolution=96), view)
    display.AmbientColor = display.DiffuseColor = [0.8, 0.82, 0.86]
    display.Specular, display.SpecularPower = 0.15, 20


def main():
    scene.load_rivulet(globals())
    field = RivuletFieldReader(FileNames=[FIELD])
    field.UpdatePipelineInformation()
    last = field.TimestepValues[-1] if len(field.TimestepValues) > 1 else 0.0
    wake = trace(field, "Point Cloud", Center=[1.1, 0.0, 0.0], Radius=0.62, NumberOfPoints=170)
    around = trace(field, "Line", Point1=[-2.2, 0.05, -1.2], Point2=[-2.2, 0.05, 1.2], Resolution=28)
    wake.UpdatePipeline(last)
    cost = scene.statistics(wake.GetClientSideObject().GetOutputDataObject(0))
    print(f"traced {cost['IntegrationSteps']:.0f} steps in {cost['TraceSeconds']:.2f} s, at time {last:.1f}")

    view = scene.make_view()
    view.ViewTime = last
    show_sphere(view)
    for lines, radius in ((wake, 0.011), (around, 0.008)):
        display = show_lines(view, lines, radius)
        scene.colour_by(display, view, "Speed", "Turbo", [0.0, 1.2], "Speed / inflow")
    scene.save(view, PICTURE, position=(0.3, -9.0, 3.1), focal_point=(1.75, 0.0, -0.2), angle=24)


main()
