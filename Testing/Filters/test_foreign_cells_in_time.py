# SPDX-License-Identifier: BSD-3-Clause
"""Filters in time on the cells of a grid as an unstructured mesh: the same as on the grid, but for rounding, and for ends at the
border, which are as exact as VTK finds cells. And points that a filter moves."""
import numpy as np
from filter_testing import Messages, array_of, assert_near, points_of, simple
from plugin_testing import generate, information, run
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkParallelCore import vtkMultiProcessController

RANKS = vtkMultiProcessController.GetGlobalController().GetNumberOfProcesses()
VECTORS = ["POINTS", "velocity"]
BORDER = 1e-4
STEPS = [0.7 * i for i in range(6)]
MOVING = """
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
time = info.Get(P.UPDATE_TIME_STEP()) if info.Has(P.UPDATE_TIME_STEP()) else 0.0
output = self.GetOutputDataObject(0)
output.ShallowCopy(self.GetInputDataObject(0, 0))
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
points = vtkPoints()
points.SetData(numpy_to_vtk(vtk_to_numpy(output.GetPoints().GetData()) + 0.01 * time, deep=True))
output.SetPoints(points)
"""
MOVING_IN_PLACE = MOVING[:MOVING.index("points = ")] + """
import __main__
output.SetPoints(__main__.__dict__.setdefault("points_of_all_times", output.GetPoints()))
vtk_to_numpy(output.GetPoints().GetData())[:] += 0.01 * time
output.GetPoints().Modified()
"""
HIDING = """
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
image = self.GetInputDataObject(0, 0)
output = self.GetOutputDataObject(0)
output.SetDimensions(image.GetDimensions())
places = np.array([image.GetPoint(i) for i in range(image.GetNumberOfPoints())])
points = vtkPoints()
points.SetData(numpy_to_vtk(places, deep=True))
output.SetPoints(points)
output.GetPointData().ShallowCopy(image.GetPointData())
bounds = np.array([image.GetCell(i).GetBounds() for i in range(image.GetNumberOfCells())])
middle = bounds[:, :2].mean(axis=1)
hidden = numpy_to_vtk(np.where((middle > 0.9) & (middle < 1.1), 32, 0).astype(np.uint8), deep=True)
hidden.SetName("vtkGhostType")
output.GetCellData().AddArray(hidden)
"""


def grid():
    """The last of 3 layers of nodes is kept apart, so that lines leave through its border."""
    return simple.RivuletFieldReader(FileNames=[generate(
        "gyre.rvf", "double-gyre", "--dims", "31,17,4", "--steps", str(len(STEPS)), "--dt", "0.7")])


def cells():
    return simple.AppendDatasets(Input=grid())


def seeds():
    return simple.Line(Point1=[0.2, 0.2, 0.02], Point2=[1.8, 0.8, 0.02], Resolution=9)


def both(make, time=STEPS[-1], port=0):
    """The outputs on the grid and on the cells, at one time."""
    found = []
    for source in (grid(), cells()):
        proxy = make(source)
        with Messages() as said:
            proxy.UpdatePipeline(time)
        assert said.count() == 0, said.text()
        found.append(proxy.GetClientSideObject().GetOutputDataObject(port))
    return found


def test_path_tracer():
    assert_near(*both(lambda source: simple.RivuletPathTracerWithCustomSource(
        Input=source, SeedSource=seeds(), Vectors=VECTORS, IntegratorType="Runge-Kutta 4")), ["ParticleAge"], 1e-5)


def test_hidden_cells_of_a_curvilinear_grid():
    hiding = simple.ProgrammableFilter(Input=grid(), OutputDataSetType="vtkStructuredGrid", Script=HIDING)
    proxies = [make(Input=hiding, SeedSource=seeds(), Vectors=VECTORS) for make in (
        simple.RivuletPathTracerWithCustomSource, simple.RivuletStreakLineWithCustomSource)]
    for proxy in proxies:
        with Messages() as said:
            proxy.UpdatePipeline(STEPS[-1])
        assert said.count() == 0, said.text()
        x = points_of(proxy.GetClientSideObject().GetOutputDataObject(0))[:, 0]
        low, high = 0.9 - 0.034, 1.1 + 0.034  # the hidden cells, whose sides are 1/15 long, begin and end within
        assert len(x) > 10 and (x.min() < low < high < x.max() or RANKS > 1), (x.min(), x.max())
        assert not ((x > 0.94) & (x < 1.06)).any(), np.sort(x[(x > low) & (x < high)])


def test_streak_line():
    assert_near(*both(lambda source: simple.RivuletStreakLineWithCustomSource(
        Input=source, SeedSource=seeds(), Vectors=VECTORS, ReleaseInterval=0.1)), ["velocity"], 1e-5)


def test_streak_surface():
    expected, found = both(lambda source: simple.RivuletStreakSurfaceWithCustomSource(
        Input=source, SeedSource=seeds(), Vectors=VECTORS, ReleaseInterval=0.2))
    assert abs(expected.GetNumberOfPoints() - found.GetNumberOfPoints()) <= 0.01 * expected.GetNumberOfPoints()
    assert np.abs(np.array(expected.GetBounds()) - np.array(found.GetBounds())).max() < BORDER


def test_flow_map():
    expected, found = both(lambda source: simple.RivuletFTLE(
        Input=source, Vectors=VECTORS, Lattice="Box", Bounds=[0.1, 1.9, 0.1, 0.9, 0.02, 0.02], Dimensions=[31, 17, 1], Duration=1.4), 0.7)
    a, b = (vtk_to_numpy(each.GetPointData().GetArray("FTLE")) for each in (expected, found))
    assert len(a) == len(b) > 100 and np.isfinite(a).all() and np.abs(a - b).max() < 1e-3, (len(a), np.abs(a - b).max())


def test_source_destination():
    def make(source):
        made = simple.RivuletSourceDestination(Input=source, Vectors=VECTORS, NumberOfSeeds=400)
        made.SourceFunction, made.DestinationFunction = "Sphere", "Sphere"
        made.SourceFunction.Center, made.SourceFunction.Radius = (0.5, 0.25, 0.02), 0.2
        made.DestinationFunction.Center, made.DestinationFunction.Radius = (0.5, 0.75, 0.02), 0.2
        return made
    assert_near(*both(make, 0.0, 1), ["ArrivalTime", "Length"], 1e-5)  # the hits


def test_points_that_move_make_the_same_paths():
    moving = simple.ProgrammableFilter(Input=cells(), OutputDataSetType="vtkUnstructuredGrid", Script=MOVING)
    tracer = simple.RivuletPathTracerWithCustomSource(Input=moving, SeedSource=seeds(), Vectors=VECTORS)
    with Messages() as said:
        tracer.UpdatePipeline(STEPS[-1])
    assert said.count() == 0, said.text()
    assert "Points move" in information(tracer, "StrategyReason")


def test_points_moved_in_place_are_refused():
    moving = simple.ProgrammableFilter(Input=cells(), OutputDataSetType="vtkUnstructuredGrid", Script=MOVING_IN_PLACE)
    tracer = simple.RivuletPathTracerWithCustomSource(Input=moving, SeedSource=seeds(), Vectors=VECTORS)
    with Messages() as said:
        tracer.UpdatePipeline(STEPS[-1])
    assert "to which a filter wrote" in said.text() and "new points and cells" in said.text(), said.text()


run(globals())
