# SPDX-License-Identifier: BSD-3-Clause
"""pvbatch waves.py make FOLDER          steps of a grid under a wave on deep water, as .vts files
pvbatch waves.py draw STORE PICTURE  pathlines of the store that was made of them

Wave of a small amplitude (Airy): layers of the grid follow its surface, so that they move from step to step. Particles go round, and
drift with the wave (Stokes).
"""

import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Demo"))
import scene
from paraview.simple import *  # noqa: F403 the plugin's proxies appear here
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkStructuredGrid
from vtkmodules.vtkIOXML import vtkXMLStructuredGridWriter

LENGTH, DEPTH, AMPLITUDE = 1.0, 0.6, 0.035  # of a wave, of the water, of the wave
STEPS_PER_PERIOD, PERIODS = 12, 3
NUMBER = 2 * np.pi / LENGTH
RATE = 2 * np.pi / STEPS_PER_PERIOD


def step_of(time):
    """The grid at a time, x fastest: two wave lengths, a thin slab, layers that are thinner near the surface."""
    x, y, s = np.meshgrid(np.linspace(0, 2 * LENGTH, 65), np.linspace(0, 0.05, 3), 1 - np.linspace(1, 0, 17) ** 1.6, indexing="ij")
    surface = AMPLITUDE * np.cos(NUMBER * x - RATE * time)
    z = -DEPTH + s * (DEPTH + surface)
    phase, size = NUMBER * x - RATE * time, AMPLITUDE * RATE * np.exp(NUMBER * z)
    velocity = np.stack([size * np.cos(phase), 0 * x, size * np.sin(phase)], -1)
    grid = vtkStructuredGrid()
    grid.SetDimensions(*x.shape)
    points = vtkPoints()
    points.SetData(numpy_to_vtk(np.stack([x, y, z], -1).transpose(2, 1, 0, 3).reshape(-1, 3), deep=True))
    grid.SetPoints(points)
    array = numpy_to_vtk(velocity.transpose(2, 1, 0, 3).reshape(-1, 3).astype(np.float32), deep=True)
    array.SetName("velocity")
    grid.GetPointData().AddArray(array)
    return grid


def make(folder):
    for step in range(PERIODS * STEPS_PER_PERIOD + 1):
        writer = vtkXMLStructuredGridWriter()
        writer.SetFileName(os.path.join(folder, f"wave_{step:03}.vts"))
        writer.SetInputData(step_of(float(step)))
        writer.Write()


def draw(store, picture):
    scene.load_rivulet(globals())
    end = float(PERIODS * STEPS_PER_PERIOD)
    reader = OpenDataFile(store)
    seeds = [Line(Point1=[0.2, 0.025, z], Point2=[1.7, 0.025, z], Resolution=6) for z in (-0.03, -0.1, -0.19, -0.31, -0.46)]
    paths = RivuletPathTracerWithCustomSource(Input=reader, SeedSource=GroupDatasets(Input=seeds), Vectors=["POINTS", "velocity"],
                                              TimeInterpolation="Cubic", ComputeVorticity=0)
    paths.UpdatePipeline(end)
    view = scene.make_view()
    view.ViewTime = end
    layer = ExtractSubset(Input=reader, VOI=[0, 64, 1, 1, 0, 16])
    mesh = Show(layer, view)
    mesh.Representation = "Wireframe"
    mesh.AmbientColor = mesh.DiffuseColor = [0.42, 0.55, 0.72]
    mesh.Opacity, mesh.Ambient, mesh.Diffuse = 0.8, 1.0, 0.0
    lines = Show(Tube(Input=paths, Radius=0.004, NumberofSides=8), view)
    dots = Show(Glyph(Input=OutputPort(paths, 1), GlyphType="Sphere", GlyphMode="All Points", ScaleArray="No scale array",
                      ScaleFactor=0.02), view)
    for display in (lines, dots):
        display.Ambient, display.Diffuse, display.Specular = 0.3, 0.7, 0.2
        scene.colour_by(display, view, "ParticleAge", "Inferno", [0.0, end], "age")
    scene.save(view, picture, position=(1.0, -2.6, -0.28), focal_point=(1.0, 0.0, -0.34), angle=30, view_up=(0, 0, 1))


{"make": make, "draw": draw}[sys.argv[1]](*sys.argv[2:])
