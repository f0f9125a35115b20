// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Patches as VTK data: overlapping AMR of uniform grids, or, where the mesh is deformed or refined by different ratios
/// along the axes, a multiblock of levels. Private to the module.
#pragma once

#include "Amr/PatchReader.h"
#include "vtkSmartPointer.h"

class vtkDataObject;
class vtkMultiBlockDataSet;
class vtkOverlappingAMR;

namespace rivulet
{

/// Whether a dump can be vtkOverlappingAMR: cell sizes by one ratio per level, a mesh that is not deformed.
[[nodiscard]] bool is_overlapping_amr(const AmrDump& dump);

/// All boxes of levels up to `finest`, and grids with arrays for the patches read. `data` gives its memory away. Cells
/// that a finer level covers are marked as refined (vtkGhostType), whether or not this rank has the finer patches.
void fill_amr(const AmrDump& dump, int finest, PatchData& data, vtkOverlappingAMR& output);

/// A block for each level up to `finest` with a block for each of its patches; structured grids where the mesh is
/// deformed. Blocks of patches that were not read are empty. Coarse cells under finer patches are marked as refined.
/// `coordinates`: position of the node coordinates among the variables read, or -1.
void fill_multiblock(const AmrDump& dump, int finest, PatchData& data, int coordinates, vtkMultiBlockDataSet& output);

} // namespace rivulet
