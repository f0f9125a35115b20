// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Unstructured cells of which each rank has a part, as a whole on each of them.
///
/// Cells and points are numbered one rank after the other. Points of several ranks at the same place are one, with the
/// values on the lowest rank: lines go on from cell to cell there. Where one rank has several points at a place, as at
/// a jump of the values, none are joined. With global point ids on all ranks, points with the same id are one instead.
/// Copies of another rank's cells (vtkGhostType) come along, and are left out where cells are sought.
///
/// Where all ranks have the same cells, each has the whole already.
///
/// Collective. Threads: the one that called RequestData.
#pragma once

#include "Base/Result.h"
#include "Pipeline/Ranks.h"
#include "vtkDataObject.h"
#include "vtkSmartPointer.h"

namespace rivulet
{

/// `input`: a vtkUnstructuredGrid on every rank. `limit`: bytes. Fails on all ranks: with BudgetTooSmall if the whole
/// is above the limit; with Unsupported if ranks have other arrays, or parts with polyhedra.
[[nodiscard]] Result<void> make_whole_cells(
    vtkSmartPointer<vtkDataObject>& input, const Ranks& ranks, std::int64_t limit);

} // namespace rivulet
