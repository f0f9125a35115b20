# SPDX-License-Identifier: BSD-3-Clause
"""Flat data: the seeds that a filter makes by default lie in their plane."""
import numpy as np
from filter_testing import VECTORS, Messages, add_array, fetch, image, points_of, produce, rectilinear, simple
from plugin_testing import run

TURNED = [0, 0, 1, 1, 0, 0, 0, 1, 0]  # the axis of one point goes along x


def flat(kind):
    dataset = rectilinear((21, 17, 1)) if kind == "rectilinear" else image(
        (21, 17, 1), origin=(-1, -1, 0.5), spacing=(0.1, 0.125, 1.0), direction=TURNED if kind == "turned" else None)
    points = np.array([dataset.GetPoint(i) for i in range(dataset.GetNumberOfPoints())])
    velocity = np.roll(points, 1, axis=1) - points.mean(axis=0)
    if kind == "turned":
        velocity[:, 0] = 0
    else:
        velocity[:, 2] = 0
    add_array(dataset.GetPointData(), VECTORS, velocity, np.float64)
    return dataset, points[0, 0 if kind == "turned" else 2]


def test_the_default_cloud_has_lines():
    for kind in ("image", "rectilinear", "turned"):
        dataset, height = flat(kind)
        source = produce(dataset)
        with Messages() as said:
            tracer = simple.RivuletStreamTracer(Input=source, SeedType="Point Cloud")
            lines = fetch(tracer)
        assert said.text() == "" and lines.GetNumberOfLines() > 50, (kind, lines.GetNumberOfLines(), said.text())
        assert np.allclose(points_of(lines)[:, 0 if kind == "turned" else 2], height)


def test_seeds_of_other_sources_stay_where_they_are():
    source = produce(flat("image")[0])
    cloud = simple.PointSource(Center=[0, 0, 0.5], Radius=0.3, NumberOfPoints=20)
    tracer = simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=cloud, MaximumStreamlineLength=2.0)
    with Messages() as said:
        lines = fetch(tracer)
    assert lines.GetNumberOfLines() == 0 and "outside the grid" in said.text(), said.text()
    tracer.SeedsInPlane = 1
    with Messages() as said:
        lines = fetch(tracer)
    assert lines.GetNumberOfLines() == 40 and said.text() == "", (lines.GetNumberOfLines(), said.text())
    where = points_of(fetch(cloud))
    starts = points_of(tracer.GetClientSideObject().GetOutputDataObject(1))
    assert np.all(starts[:, :2] == where[:, :2].astype(np.float64)) and np.all(starts[:, 2] == 0.5)


def test_paths_through_flat_data():
    script = """
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
output = self.GetOutputDataObject(0)
output.SetExtent(0, 16, 0, 16, 0, 0)
output.SetOrigin(-1, -1, 0.25)
output.SetSpacing(0.125, 0.125, 1)
array = numpy_to_vtk(np.tile([0.1, 0.05, 0.0], (289, 1)), deep=True)
array.SetName("velocity")
output.GetPointData().SetVectors(array)
"""
    announce = """
info = self.GetOutputInformation(0)
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info.Set(P.WHOLE_EXTENT(), 0, 16, 0, 16, 0, 0)
info.Set(P.TIME_STEPS(), [0.0, 1.0, 2.0], 3)
info.Set(P.TIME_RANGE(), [0.0, 2.0], 2)
"""
    source = simple.ProgrammableSource(OutputDataSetType="vtkImageData", Script=script, ScriptRequestInformation=announce)
    source.UpdatePipeline()
    tracer = simple.RivuletPathTracer(Input=source, SeedType="Point Cloud")
    with Messages() as said:
        tracer.UpdatePipeline(2.0)
        lines = tracer.GetClientSideObject().GetOutputDataObject(0)
    assert lines.GetNumberOfLines() > 50 and said.text() == "", (lines.GetNumberOfLines(), said.text())
    assert np.all(points_of(lines)[:, 2] == 0.25)


run(globals())
