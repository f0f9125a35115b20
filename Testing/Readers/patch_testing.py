# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of readers of patches share: the grids of an output, and the values that Data/make_samrai.py gives them."""
import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy


def output_of(reader):
    """Fetch would make a multiblock of an AMR."""
    return reader.GetClientSideObject().GetOutputDataObject(0)


def linear(x, y, z, t, c=0):
    return 1 + 2 * x + 3 * y + 5 * z + 7 * t + c * (11 + x - y + 2 * z)


def dimensions_of(grid):
    """Nodes along each axis; VTK 9.6 has GetDimensions() of structured grids only with an argument."""
    extent = grid.GetExtent()
    return np.array([extent[2 * axis + 1] - extent[2 * axis] + 1 for axis in range(3)])


def cell_centres(grid):
    axes = []
    for axis in range(3):
        cells = max(grid.GetDimensions()[axis] - 1, 1)
        at = grid.GetOrigin()[axis] + grid.GetSpacing()[axis] * (np.arange(cells) + 0.5)
        axes.append(at if grid.GetDimensions()[axis] > 1 else np.zeros(1))
    z, y, x = np.meshgrid(axes[2], axes[1], axes[0], indexing="ij")
    return x.ravel(), y.ravel(), z.ravel()


def places_of(output):
    """Level, number within it, and grid of all patches of this rank."""
    amr = output.GetClassName() == "vtkOverlappingAMR"
    for level in range(output.GetNumberOfLevels() if amr else output.GetNumberOfBlocks()):
        blocks = output.GetNumberOfDataSets(level) if amr else output.GetBlock(level).GetNumberOfBlocks()
        for number in range(blocks):
            grid = output.GetDataSet(level, number) if amr else output.GetBlock(level).GetBlock(number)
            if grid is not None:
                yield level, number, grid


def grids_of(output):
    """Level and grid of all patches, those of other ranks left out."""
    for level, _, grid in places_of(output):
        yield level, grid


def marks_of(attributes, count):
    """What vtkGhostType has, or zeros."""
    marks = attributes.GetArray("vtkGhostType")
    return vtk_to_numpy(marks) if marks else np.zeros(count, np.uint8)


def arrays_of(grid):
    for attributes in (grid.GetCellData(), grid.GetPointData()):
        for index in range(attributes.GetNumberOfArrays()):
            yield attributes.GetArray(index)
