# SPDX-License-Identifier: BSD-3-Clause
"""pvbatch unsteady.py TORNADO GYRE FOLDER: a streak surface with streak lines, exponents of the double gyre, lines from a
source to a destination, and the time that particles spend in one half."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Demo"))
import scene
from paraview.simple import *  # noqa: F403 the plugin's proxies appear here

TORNADO, GYRE, FOLDER = sys.argv[1:]
VELOCITY = ["POINTS", "velocity"]


def shown(proxy, view, **properties):
    display = Show(proxy, view)
    display.Ambient, display.Diffuse, display.Specular = 0.2, 0.8, 0.3
    for name, value in properties.items():
        setattr(display, name, value)
    return display


def draw_streaks(reader, time):
    view = scene.make_view()
    view.ViewTime = time
    surface = RivuletStreakSurface(Input=reader, SeedType="Line", Vectors=VELOCITY, LargestEdge=0.03)
    surface.SeedType.Point1, surface.SeedType.Point2 = [0.38, 0.5, 0.04], [0.62, 0.5, 0.04]
    surface.UpdatePipeline(time)
    scene.colour_by(shown(surface, view), view, "ParticleAge", "Inferno", [0.0, time], "age")
    lines = RivuletStreakLine(Input=reader, SeedType="Line", Vectors=VELOCITY, Release="Repeatedly", ReleaseEnd=time,
                              ReleaseInterval=0.02)
    lines.SeedType.Point1, lines.SeedType.Point2, lines.SeedType.Resolution = [0.1, 0.5, 0.03], [0.9, 0.5, 0.03], 8
    lines.UpdatePipeline(time)
    scene.colour_by(shown(Tube(Input=lines, Radius=0.002), view), view, "ParticleAge", "Inferno", [0.0, time],
                    "age")
    scene.save(view, os.path.join(FOLDER, "streaks.png"), position=(0.5, -1.6, 0.75), focal_point=(0.5, 0.5, 0.45),
               angle=32, view_up=(0, 0, 1))


def draw_exponents(reader):
    view = scene.make_view()
    ftle = RivuletFTLE(Input=reader, Vectors=VELOCITY, Duration=15.0, Lattice="Box", Bounds=[0, 2, 0, 1, 0.5, 0.5],
                       Dimensions=[801, 401, 1])
    ftle.UpdatePipeline(0.0)
    display = shown(ftle, view, Representation="Slice")
    scene.colour_by(display, view, "FTLE", "Inferno", [0.0, 0.45], "exponent")
    scene.save(view, os.path.join(FOLDER, "ftle.png"), position=(1, 0.5, 3.6), focal_point=(1, 0.5, 0.5), angle=24,
               view_up=(0, 1, 0))


def draw_query(reader):
    view = scene.make_view()
    query = RivuletSourceDestination(Input=reader, Vectors=VELOCITY, NumberOfSeeds=4000)
    query.SourceFunction, query.DestinationFunction = "Sphere", "Sphere"
    query.SourceFunction.Center, query.SourceFunction.Radius = [0.95, 0.12, 0.5], 0.11
    query.DestinationFunction.Center, query.DestinationFunction.Radius = [1.5, 0.3, 0.5], 0.11
    query.UpdatePipeline(0.0)
    scene.colour_by(shown(Tube(Input=query, Radius=0.0012), view), view, "SimulationTime", "Inferno",
                    [0.0, 20.0], "time")
    for function, colour in ((query.SourceFunction, [0.3, 0.6, 1.0]), (query.DestinationFunction, [1.0, 0.55, 0.2])):
        ball = Sphere(Center=function.Center, Radius=function.Radius, ThetaResolution=48, PhiResolution=48)
        shown(ball, view, Opacity=0.25, AmbientColor=colour, DiffuseColor=colour)
    scene.save(view, os.path.join(FOLDER, "source-destination.png"), position=(0.9, -1.1, 2.9), focal_point=(0.9, 0.5, 0.5),
               angle=30, view_up=(0, 0, 1))


def draw_residence(reader):
    view = scene.make_view()
    places = Plane(Origin=[0.005, 0.005, 0.5], Point1=[1.995, 0.005, 0.5], Point2=[0.005, 0.995, 0.5], XResolution=800, YResolution=400)
    stay = RivuletResidenceTime(Input=reader, SeedSource=places, Vectors=VELOCITY, Duration=15.0, RegionFunction="Plane")
    stay.RegionFunction.Origin, stay.RegionFunction.Normal = [1, 0, 0], [1, 0, 0]
    stay.UpdatePipeline(0.0)
    scene.colour_by(shown(stay, view), view, "ExposureTime", "Inferno", [0.0, 15.0], "time on the left")
    scene.save(view, os.path.join(FOLDER, "residence-time.png"), position=(1, 0.5, 3.6), focal_point=(1, 0.5, 0.5), angle=24,
               view_up=(0, 1, 0))


def main():
    scene.load_rivulet(globals())
    tornado = RivuletFieldReader(FileNames=[TORNADO])
    tornado.UpdatePipeline()
    draw_streaks(tornado, 9.0)
    gyre = RivuletFieldReader(FileNames=[GYRE])
    gyre.UpdatePipeline()
    draw_exponents(gyre)
    draw_query(gyre)
    draw_residence(gyre)


main()
