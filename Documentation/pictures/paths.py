# SPDX-License-Identifier: BSD-3-Clause
"""pvbatch paths.py FIELD TIME PICTURE: particles in a tornado at a time, and the paths of their last time."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Demo"))
import scene
from paraview.simple import *  # noqa: F403 the plugin's proxies appear here

FIELD, TIME, PICTURE = sys.argv[1], float(sys.argv[2]), sys.argv[3]


def main():
    scene.load_rivulet(globals())
    reader = RivuletFieldReader(FileNames=[FIELD])
    reader.UpdatePipeline()
    low, high = reader.GetDataInformation().GetBounds()[::2], reader.GetDataInformation().GetBounds()[1::2]
    ground = low[2] + 0.04 * (high[2] - low[2])
    middle = [0.5 * (a + b) for a, b in zip(low, high)]
    paths = RivuletPathTracer(Input=reader, SeedType="Point Cloud", Vectors=["POINTS", "velocity"], Release="Repeatedly",
                              ReleaseStart=0.0, ReleaseEnd=TIME, ReleaseInterval=0.25, TailDuration=0.4)
    paths.SeedType.Center = [middle[0], middle[1], ground]
    paths.SeedType.Radius, paths.SeedType.NumberOfPoints = 0.12 * (high[0] - low[0]), 40
    paths.UpdatePipeline(TIME)

    view = scene.make_view()
    view.ViewTime = TIME
    size = 0.003 * (high[2] - low[2])
    lines = Show(Tube(Input=paths, Radius=size, NumberofSides=8), view)
    dots = Show(Glyph(Input=OutputPort(paths, 1), GlyphType="Sphere", GlyphMode="All Points", ScaleArray="No scale array",
                      ScaleFactor=6 * size), view)
    for display in (lines, dots):
        display.Ambient, display.Diffuse, display.Specular = 0.2, 0.8, 0.3
        scene.colour_by(display, view, "ParticleAge", "Inferno", [0.0, 4.0], "age")
    distance = 1.9 * (high[2] - low[2])
    scene.save(view, PICTURE, position=(middle[0] + 0.3 * distance, middle[1] - 0.97 * distance, middle[2] + 0.15 * distance),
               focal_point=middle, angle=32, view_up=(0, 0, 1))


main()
