# SPDX-License-Identifier: BSD-3-Clause
"""Cells under finer patches are hidden, cell by cell, whichever rank has the finer patch; integrals count each place once.

What must come out is told by brute force over the cells of the boxes that the summary has.
"""
import glob
import itertools
import json
import os
import sys

import numpy as np
from patch_testing import linear
from plugin_testing import dump, opened, run, scratch, servermanager, simple, system_python

REFINED = 8
BOXES = """
import h5py, json, sys
with h5py.File(sys.argv[1]) as file:
    basic, extents = file["BASIC_INFO"], file["extents/patch_extents"][()]
    levels = file["extents/patch_map"][()]["level_number"]
    flat = int(basic["number_dimensions_of_problem"][0]) == 2
    made = dict(flat=flat, ratios=basic["ratios_to_coarser_levels"][()].tolist(), spacing=basic["dx"][()].tolist(),
                origin=basic["XLO"][()].tolist(), levels=levels.tolist(), lower=extents["lower"].tolist(),
                upper=extents["upper"].tolist())
    json.dump(made, open(sys.argv[2], "w"))
"""
MARKS = """
import numpy as np
from paraview.modules.vtkRemotingCore import vtkProcessModule
from patch_testing import places_of
from vtkmodules.util.numpy_support import vtk_to_numpy
seen = {{}}
for level, number, grid in places_of(self.GetInputDataObject(0, 0)):
    marks = grid.GetCellData().GetArray("vtkGhostType")
    seen[f"{{level}},{{number}}"] = np.zeros(grid.GetNumberOfCells(), np.uint8) if marks is None else vtk_to_numpy(marks)
    seen[f"values{{level}},{{number}}"] = vtk_to_numpy(grid.GetCellData().GetArray("a"))
np.savez({path!r} + str(vtkProcessModule.GetProcessModule().GetPartitionId()) + ".npz", **seen)
"""


class Boxes:
    """The boxes of a dump, and by brute force the cells that count."""

    def __init__(self, folder):
        made = folder + ".json"
        if not os.path.exists(made):
            system_python("-c", BOXES, os.path.join(folder, "visit_dump.00000", "summary.samrai"), made)
        with open(made, encoding="ascii") as file:
            vars(self).update(json.load(file))

    def cells_of(self, patch):
        """x, y, z of the cells, x fastest."""
        axes = [range(low, high + 1) for low, high in zip(self.lower[patch], self.upper[patch])]
        return [(x, y, z) for z, y, x in itertools.product(*reversed(axes))]

    def of_level(self, level):
        return [patch for patch, own in enumerate(self.levels) if own == level]

    def marks(self, finest):
        """Per patch, whether each of its cells lies under a cell of the next level."""
        found = {}
        for level in range(finest + 1):
            under = set()
            if level < finest:
                ratio = np.maximum(self.ratios[level + 1], 1).tolist()  # ParaView's scripts replace max() here
                for fine in self.of_level(level + 1):
                    under.update(tuple(i // r for i, r in zip(cell, ratio)) for cell in self.cells_of(fine))
            for number, patch in enumerate(self.of_level(level)):
                found[level, number] = np.array([cell in under for cell in self.cells_of(patch)])
        return found

    def centres(self, level, number):
        cells = np.array(self.cells_of(self.of_level(level)[number]), float)
        places = np.array(self.origin) + np.array(self.spacing[level]) * (cells + 0.5)
        return places[:, 0], places[:, 1], 0 * places[:, 2] if self.flat else places[:, 2]

    def cell_size(self, level):
        return np.prod([width for axis, width in enumerate(self.spacing[level]) if not (self.flat and axis == 2)])


def integrals(reader, flat):
    made = simple.IntegrateVariables(Input=reader)
    made.UpdatePipeline()
    cells = servermanager.Fetch(made).GetCellData()
    return cells.GetArray("Area" if flat else "Volume").GetValue(0), cells.GetArray("a").GetValue(0)


def seen_by_ranks(reader):
    """What all ranks have of each patch: marks and values."""
    path = scratch("marks")
    for old in glob.glob(path + "*.npz"):
        os.remove(old)
    taken = simple.ProgrammableFilter(Input=reader, Script=MARKS.format(path=path))
    taken.UpdatePipeline()
    taken.GetDataInformation().GetNumberOfCells()  # asked of all ranks, after they have run it
    marks, values = {}, {}
    for file in sorted(glob.glob(path + "*.npz")):
        with np.load(file) as arrays:
            for name in arrays.files:
                level, number = name.replace("values", "").split(",")
                kept = values if name.startswith("values") else marks
                assert (level, number) not in kept, "two ranks have one patch"
                kept[int(level), int(number)] = arrays[name]
    return marks, values


def check(folder, finest, **properties):
    boxes = Boxes(folder)
    reader = opened(folder, CellArrays=["a"], PointArrays=[], FinestLevel=finest, **properties)
    expected = boxes.marks(finest)
    marks, values = seen_by_ranks(reader)
    assert sorted(marks) == sorted(expected), (len(marks), len(expected))
    area, integral = 0.0, 0.0
    for patch, under in expected.items():
        assert np.array_equal(marks[patch] & REFINED != 0, under), patch
        truth = linear(*boxes.centres(*patch), 0.0)
        assert np.allclose(values[patch], truth, rtol=1e-12), patch
        area += np.count_nonzero(~under) * boxes.cell_size(patch[0])
        integral += truth[~under].sum() * boxes.cell_size(patch[0])
    made = integrals(reader, boxes.flat)
    assert np.allclose(made, (area, integral), rtol=1e-6), (made, area, integral)


def test_levels_in_the_plane():
    folder = dump("plane", "--dimensions", "2", "--cells", "16", "16", "--levels", "4", "--variable", "name=a,type=f8")
    for finest in (0, 1, 3):
        check(folder, finest)


def test_levels_in_space():
    check(dump("space", "--cells", "8", "8", "8", "--levels", "3", "--ratio", "2", "4", "--variable", "name=a,type=f8",
               "--shuffle", "1", "--lower", "-5", "7", "-2"), 2)


def test_more_ranks_than_patches():
    check(dump("few", "--dimensions", "2", "--cells", "8", "8", "--levels", "2", "--patches", "1", "--processors", "1",
               "--variable", "name=a,type=f8"), 1)


def test_ratios_that_differ_between_levels():
    check(dump("mixed", "--dimensions", "2", "--cells", "8", "9", "--levels", "4", "--ratio", "3", "2", "4",
               "--variable", "name=a,type=f8", "--holes"), 3)


def test_boxes_anywhere():
    for seed in SEEDS:
        flat = seed % 2 == 0
        ratios = (("2", "3", "4"), ("4", "2"), ("3", "3"), ("2", "2", "2"))[seed % 4]
        cells = ("9", "8") if flat else ("7", "6", "5")
        folder = dump(f"anywhere{seed}", "--dimensions", "2" if flat else "3", "--cells", *cells, "--scatter", str(seed),
                      "--levels", str(2 + seed % (len(ratios) if flat else 2)), "--ratio", *ratios, "--variable", "name=a,type=f8")
        check(folder, np.max(Boxes(folder).levels), ReadOnDemand=("Never", "Always")[seed % 3 == 0], NumberOfIOThreads=seed % 5)


def test_ratios_that_differ_between_axes():
    check(dump("uneven", "--dimensions", "2", "--cells", "9", "8", "--levels", "3", "--ratio", "4x2", "2x3",
               "--variable", "name=a,type=f8"), 2)


def test_children_that_the_summary_lacks():
    """The table of children is another program's; boxes say what lies where."""
    for ratio in ("2", "4x2"):
        folder = dump("childless" + ratio, "--dimensions", "2", "--cells", "16", "16", "--levels", "2", "--ratio", ratio,
                      "--variable", "name=a,type=f8")
        system_python("-c", "import h5py, sys\nwith h5py.File(sys.argv[1], 'r+') as file:\n"
                            "    table = file['BASIC_INFO/child_pointer_array']\n"
                            "    rows = table[()]\n    rows['number_children'] = 0\n    table[()] = rows",
                      os.path.join(folder, "visit_dump.00000", "summary.samrai"))
        check(folder, 1)


SEEDS = range(int(sys.argv[1])) if len(sys.argv) > 1 else range(4)
run(globals())
