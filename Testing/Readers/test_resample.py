# SPDX-License-Identifier: BSD-3-Clause
"""Resample AMR, which asks a reader where its patches are before any is read, on several ranks."""
import numpy as np
from patch_testing import linear
from plugin_testing import controller, dump, opened, run, servermanager, simple
from vtkmodules.util.numpy_support import vtk_to_numpy


def leaves_of(data):
    leaves = data.NewIterator()
    leaves.GoToFirstItem()
    while not leaves.IsDoneWithTraversal():
        yield leaves.GetCurrentDataObject()
        leaves.GoToNextItem()


def check_resampled(folder, demand):
    reader = opened(folder, CellArrays=["a"])
    box = reader.GetDataInformation().GetBounds()
    low, high = np.array(box[::2]) * 0.9 + np.array(box[1::2]) * 0.1, np.array(box[::2]) * 0.1 + np.array(box[1::2]) * 0.9
    made = simple.ResampleAMR(Input=reader, Min=list(low), Max=list(high), NumberofSamples=[12, 13, 14], TransferToNodes=1,
                              DemandDrivenMode=demand)
    made.UpdatePipeline()
    points = made.GetDataInformation().GetNumberOfPoints()
    if controller().GetNumberOfProcesses() > 1:
        # The filter cuts the region for the ranks as it likes, and Fetch cannot send a multiblock within a multiblock.
        first, last = made.PointData["a"].GetRange()
        assert points > 500 and first >= linear(*box[::2], 0.0) and last <= linear(*box[1::2], 0.0), (points, first, last)
        return
    assert points >= 12 * 13 * 14, points
    for grid in leaves_of(servermanager.Fetch(made)):
        at = np.array([grid.GetPoint(i) for i in range(grid.GetNumberOfPoints())])
        values = vtk_to_numpy(grid.GetPointData().GetArray("a"))
        # Each sample has the value of the cell it is in, of level 0 at the coarsest.
        assert np.all(np.abs(values - linear(*at.T, 0.0)) <= 2 * 0.0625 + 3 * 0.125 + 5 * 0.25 + 1e-9)


def test_samples_have_the_values_of_their_cells():
    folder = dump("resampled", "--cells", "16", "16", "16", "--levels", "3", "--variable", "name=a,type=f8")
    check_resampled(folder, 0)
    if controller().GetNumberOfProcesses() == 1:  # on several ranks see Documentation/known-faults.md
        check_resampled(folder, 1)


run(globals())
