# SPDX-License-Identifier: BSD-3-Clause
"""Unstructured cells of which each rank has a part: the lines are those of the whole mesh on each rank. Parts that cannot be put
together are refused."""
import numpy as np
from filter_testing import Messages, array_of, points_of, seed_line, simple
from plugin_testing import information, run, servermanager
from vtkmodules.vtkParallelCore import vtkMultiProcessController

RANKS = vtkMultiProcessController.GetGlobalController().GetNumberOfProcesses()
VECTORS = ["POINTS", "velocity"]
STEPS = [0.0, 1.0, 2.0]
# Tetrahedra and, for x > 0, hexahedra over [-1, 1]^3. `part`: the rank has each cell whose middle is in its layer of y; with
# copies of the neighbours' cells, marked as such.
MADE = f"""
import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import VTK_HEXAHEDRON, VTK_POLYHEDRON, VTK_TETRA
from vtkmodules.vtkCommonExecutionModel import vtkStreamingDemandDrivenPipeline as P
from vtkmodules.vtkParallelCore import vtkMultiProcessController
controller = vtkMultiProcessController.GetGlobalController()
rank, ranks = controller.GetLocalProcessId(), controller.GetNumberOfProcesses()
info = self.GetOutputInformation(0)
time = info.Get(P.UPDATE_TIME_STEP()) if info.Has(P.UPDATE_TIME_STEP()) else 0.0
n = 8
ticks = np.linspace(-1.0, 1.0, n + 1)
x = np.stack(np.meshgrid(ticks, ticks, ticks, indexing="ij"), axis=-1).transpose(2, 1, 0, 3).reshape(-1, 3)
x = x + MOVES * 0.05 * time * np.sin(3.0 * x[:, [1, 2, 0]])
number = np.arange((n + 1)**3).reshape(n + 1, n + 1, n + 1)
cells = []
for k in range(n):
    for j in range(n):
        for i in range(n):
            c = number[k:k + 2, j:j + 2, i:i + 2].reshape(-1)
            if i >= n // 2:
                cells.append((VTK_HEXAHEDRON, c[[0, 1, 3, 2, 4, 5, 7, 6]], j))
            else:
                cells += [(VTK_TETRA, c[[0, a, b, 7]], j) for a, b in ((1, 3), (1, 5), (2, 3), (2, 6), (4, 5), (4, 6))]
def layer(j):
    return j * ranks // n
ghosts = np.zeros(len(cells), np.uint8)
if PART:
    near = [layer(j) == rank or (GHOSTS and rank in (layer(j + 1), layer(j - 1))) for _, _, j in cells]
    ghosts = np.array([0 if layer(j) == rank else 1 for (_, _, j), own in zip(cells, near) if own], np.uint8)
    cells = [cell for cell, own in zip(cells, near) if own]
used = np.unique(np.concatenate([nodes for _, nodes, _ in cells])) if cells else np.zeros(0, int)
local = np.full(len(x), -1)
local[used] = np.arange(len(used))
made = self.GetOutputDataObject(0)
points = vtkPoints()
points.SetData(numpy_to_vtk(np.ascontiguousarray(x[used]), deep=True))
made.SetPoints(points)
made.Allocate(len(cells))
for kind, nodes, _ in cells:
    made.InsertNextCell(kind, len(nodes), [int(local[node]) for node in nodes])
x = x[used]
velocity = np.stack((-0.5 * x[:, 1] + 0.1 * time, 0.5 * x[:, 0], 0.1 - 0.1 * x[:, 2]), axis=-1)
array = numpy_to_vtk(np.ascontiguousarray(velocity), deep=True)
array.SetName("velocity")
made.GetPointData().AddArray(array)
if GHOSTS:
    flags = numpy_to_vtk(ghosts, deep=True)
    flags.SetName("vtkGhostType")
    made.GetCellData().AddArray(flags)
if IDS:
    ids = numpy_to_vtkIdTypeArray(used.astype(np.int64), deep=True)
    ids.SetName("ids")
    made.GetPointData().SetGlobalIds(ids)
CHANGE
"""
TIMES = f"""
from vtkmodules.vtkCommonExecutionModel import vtkAlgorithm, vtkStreamingDemandDrivenPipeline as P
info = self.GetOutputInformation(0)
info.Set(P.TIME_STEPS(), {STEPS}, {len(STEPS)})
info.Set(P.TIME_RANGE(), [{STEPS[0]}, {STEPS[-1]}], 2)
info.Set(vtkAlgorithm.CAN_HANDLE_PIECE_REQUEST(), 1)
"""


def mesh(part, ghosts=False, ids=False, moves=False, change=""):
    script = MADE
    for name, text in (("PART", str(part)), ("GHOSTS", str(int(ghosts))), ("IDS", str(ids)), ("MOVES", str(int(moves))), ("CHANGE", change)):
        script = script.replace(name, text)
    return simple.ProgrammableSource(OutputDataSetType="vtkUnstructuredGrid", Script=script, ScriptRequestInformation=TIMES)


def seeds():
    return seed_line((-0.6, -0.7, -0.5), (0.7, 0.65, 0.5), 29)


def lines_of(proxy, time=0.0):
    """The points of all ranks' lines, sorted, and the lines."""
    with Messages() as said:
        proxy.UpdatePipeline(time)
    assert said.count() == 0, said.text()
    lines = servermanager.Fetch(proxy)
    places = points_of(lines)
    return places[np.lexsort(np.round(places, 4).T)], lines


def streams(source):
    source.UpdatePipeline(0.0)  # its bounds are defaults
    return simple.RivuletStreamTracerWithCustomSource(Input=source, SeedSource=seeds(), Vectors=VECTORS, IntegratorType="Runge-Kutta 4")


def paths(source):
    return simple.RivuletPathTracerWithCustomSource(Input=source, SeedSource=seeds(), Vectors=VECTORS, IntegratorType="Runge-Kutta 4")


def test_lines_are_those_of_the_whole():
    for make, time in ((streams, 0.0), (paths, STEPS[-1])):
        for options in ({}, {"ghosts": True}, {"ids": True}, {"ghosts": True, "ids": True, "moves": True}):
            whole = lines_of(make(mesh(False, **options)), time)
            parts = lines_of(make(mesh(True, **options)), time)
            assert whole[1].GetNumberOfPoints() > 200 and whole[1].GetNumberOfLines() >= 30, (whole[1].GetNumberOfPoints(), whole[1].GetNumberOfLines())
            assert whole[0].shape == parts[0].shape, (make.__name__, options, whole[0].shape, parts[0].shape)
            assert np.abs(whole[0] - parts[0]).max() < 1e-5, (make.__name__, options, np.abs(whole[0] - parts[0]).max())
            assert not parts[1].GetPointData().HasArray("ids")


def test_points_of_two_ranks_become_one():
    for options in ({}, {"ids": True}, {"ghosts": True}):
        tracer = streams(mesh(True, **options))
        lines_of(tracer)
        copies = 2 * (RANKS - 1) * (8 * 8 // 2) * 7 if options.get("ghosts") else 0  # a layer of cubes on each side of each border
        assert f"{8 * 8 * 4 * 7 + copies} cells" in information(tracer, "InputLayout").replace(",", ""), information(tracer, "InputLayout")
        stretching = simple.RivuletFTLE(Input=mesh(True, **options), Vectors=VECTORS, Duration=0.5)
        with Messages() as said:
            stretching.UpdatePipeline(0.0)
        assert said.count() == 0, said.text()
        field = servermanager.Fetch(stretching)
        assert field.GetNumberOfPoints() == 9**3, (options, field.GetNumberOfPoints())
        assert np.isfinite(array_of(field.GetPointData(), "FTLE")).sum() > 300


def test_points_with_one_id_are_where_the_first_rank_has_them():
    shifted = "for i in range(len(x)):\n    points.SetPoint(i, *(x[i] + [0.0, 0.0, 0.001 * rank]))"
    stretching = simple.RivuletFTLE(Input=mesh(True, ids=True, change=shifted), Vectors=VECTORS, Duration=0.5)
    with Messages() as said:
        stretching.UpdatePipeline(0.0)
    assert said.count() == 0, said.text()
    field = servermanager.Fetch(stretching)
    places = points_of(field)
    assert len(places) == 9**3
    layer = np.maximum(np.rint(4.0 * (places[:, 1] + 1.0)).astype(int) - 1, 0)  # of cubes, the lower one
    height = places[:, 2] - 0.001 * (layer * RANKS // 8)
    assert np.abs(height - np.round(4.0 * height) / 4.0).max() < 1e-6


def test_pieces_that_cannot_be_put_together_are_refused():
    if RANKS == 1:
        return
    polyhedron = ("faces = [4, 3, 0, 1, 2, 3, 0, 1, 3, 3, 0, 2, 3, 3, 1, 2, 3]\n"
                  "from vtkmodules.vtkCommonCore import vtkIdList\n"
                  "stream = vtkIdList()\n"
                  "[stream.InsertNextId(i) for i in faces]\n"
                  "made.InsertNextCell(VTK_POLYHEDRON, stream)")
    for change, budget, words in ((polyhedron, 512, "has polyhedra, of which no whole is made"),
                                  ("array.SetName('velocity' if rank == 0 else 'other')", 512, "the pieces of the input on the ranks"),
                                  ("more = numpy_to_vtk(np.zeros((len(x), 999)), deep=True); more.SetName('more'); "
                                   "made.GetPointData().AddArray(more)", 1, "to put the whole together")):
        tracer = streams(mesh(True, change=change))
        tracer.MemoryBudget = budget
        with Messages() as said:
            tracer.UpdatePipeline(0.0)
        assert words in said.text(), (words, said.text())


run(globals())
