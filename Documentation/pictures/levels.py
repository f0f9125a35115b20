# SPDX-License-Identifier: BSD-3-Clause
"""pvbatch levels.py DUMP PICTURE: lines through the levels of an AMR dump that is read on demand, and its patches."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Demo"))
import scene
from paraview.simple import *  # noqa: F403 the plugin's proxies appear here
from vtkmodules.vtkFiltersCore import vtkAppendPolyData
from vtkmodules.vtkFiltersSources import vtkOutlineSource

DUMP, PICTURE = sys.argv[1], sys.argv[2]
# Colour, width and opacity of the patches of each level, the coarsest first.
PATCHES = [([0.50, 0.56, 0.68], 1.0, 0.55), ([0.35, 0.72, 0.86], 1.2, 0.55), ([0.62, 0.95, 0.70], 1.6, 0.8)]


def patches_of(amr, level):
    """The edges of a level's patches."""
    edges = vtkAppendPolyData()
    for index in range(amr.GetNumberOfDataSets(level)):
        outline = vtkOutlineSource()
        outline.SetBounds(amr.GetDataSet(level, index).GetBounds())
        outline.Update()
        edges.AddInputData(outline.GetOutput())
    edges.Update()
    return edges.GetOutput()


def show_patches(reader, view):
    amr = reader.GetClientSideObject().GetOutputDataObject(0)
    for level, (colour, width, opacity) in enumerate(PATCHES):
        edges = TrivialProducer()
        edges.GetClientSideObject().SetOutput(patches_of(amr, level))
        display = Show(edges, view)
        display.AmbientColor = display.DiffuseColor = colour
        display.Ambient, display.Diffuse = 1.0, 0.0
        display.LineWidth, display.Opacity = width, opacity


def main():
    scene.load_rivulet(globals())
    reader = RivuletSAMRAIReader(FileNames=[DUMP], ReadOnDemand="Always")
    reader.UpdatePipeline()
    lines = RivuletStreamTracer(Input=reader, SeedType="Point Cloud", Vectors=["CELLS", "velocity"],
                                MaximumStreamlineLength=40.0, MaximumSteps=20000)
    lines.SeedType.Center, lines.SeedType.Radius, lines.SeedType.NumberOfPoints = [0, 0, 0], 2.4, 42
    lines.UpdatePipeline()

    view = scene.make_view()
    show_patches(reader, view)
    display = Show(Tube(Input=lines, Radius=0.04, NumberofSides=10, Capping=1), view)
    display.Ambient, display.Diffuse, display.Specular, display.SpecularPower = 0.15, 0.85, 0.35, 25
    scene.colour_by(display, view, "density", "Inferno", [-1.0, 1.0], "density")
    scene.save(view, PICTURE, position=(9.5, -22, 9), focal_point=(-0.5, 0, 0), angle=23, view_up=(1, 0, 0))


main()
