# SPDX-License-Identifier: BSD-3-Clause
"""A picture of lines from vortex seeds, as tubes coloured by vorticity."""
from filter_testing import VECTORS, fill, image, produce, simple
from plugin_testing import assert_image, run


def test_tubes_from_vortex_seeds():
    field = produce(fill(image((33, 33, 33))))
    seeds = simple.RivuletVortexSeeds(Input=field, MinimumVorticity=3.0, NumberOfSeeds=40)
    seeds.Vectors = ["POINTS", VECTORS]
    lines = simple.RivuletStreamTracerWithCustomSource(Input=field, SeedSource=seeds)
    lines.Vectors = ["POINTS", VECTORS]
    lines.MaximumStreamlineLength = 1.5
    tubes = simple.Tube(Input=lines, Vectors=["POINTS", "Normals"], Radius=0.02, NumberofSides=8)
    view = simple.CreateView("RenderView")
    view.ViewSize = [300, 300]
    view.OrientationAxesVisibility = 0
    display = simple.Show(tubes, view)
    simple.ColorBy(display, ("POINTS", "Vorticity"))
    display.SetScalarBarVisibility(view, False)
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = (4, 3, 5), (0, 0, 0), (0, 1, 0)
    simple.Render(view)
    assert_image(view, "TubesFromVortexSeeds")
    simple.Delete(view)


run(globals())
