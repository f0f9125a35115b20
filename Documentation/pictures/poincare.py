# SPDX-License-Identifier: BSD-3-Clause
"""pvbatch poincare.py FIELD PICTURE: the crossings of a plane by field lines of a tokamak's kind, at both times of the field the same."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Demo"))
import scene
from paraview.simple import *  # noqa: F403 the plugin's proxies appear here

FIELD, PICTURE = sys.argv[1:]
LINES = 48


def main():
    scene.load_rivulet(globals())
    reader = RivuletFieldReader(FileNames=[FIELD])
    reader.UpdatePipeline()
    turns = RivuletPathTracer(Input=reader, SeedType="Line", Vectors=["POINTS", "values"], EndSurface="Function", AtSurface="Go On",
                              ComputePaths=0, MaximumSteps=10000000)
    turns.SeedType.Point1, turns.SeedType.Point2, turns.SeedType.Resolution = [0.61, 0, 0], [0.97, 0, 0], LINES - 1
    turns.EndFunction = "Plane"
    turns.EndFunction.Origin, turns.EndFunction.Normal = [0, 0, 0], [0, 1, 0]
    end = reader.TimestepValues[-1]
    turns.UpdatePipeline(end)

    view = scene.make_view()
    view.ViewTime = end
    forward = Threshold(Input=OutputPort(turns, 3), Scalars=["POINTS", "Direction"], LowerThreshold=1, UpperThreshold=1)
    dots = Show(forward, view, Representation="Point Gaussian", GaussianRadius=0.0016, ShaderPreset="Plain circle")
    scene.colour_by(dots, view, "ParticleId", "Inferno", [0, LINES - 1], "line")
    scene.save(view, PICTURE, position=(0.6, -2.6, -0.03), focal_point=(0.6, 0, -0.03), angle=21, view_up=(0, 0, 1))


main()
