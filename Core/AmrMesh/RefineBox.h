// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Boxes of cells of one AMR level: in the cells of a finer or a coarser level, and without the cells of other boxes.
///
///     refine({ { 1, 0, 0 }, { 2, 1, 1 } }, { 4, 4, 4 });       // { 4, 0, 0 } to { 8, 4, 4 }
///     coarsen({ { 3, 0, 0 }, { 8, 4, 4 } }, { 4, 4, 4 });      // { 0, 0, 0 } to { 2, 1, 1 }
///     covered_by({ { 3, 0, 0 }, { 8, 4, 4 } }, { 4, 4, 4 });   // { 1, 0, 0 } to { 2, 1, 1 }
///     subtract({ { 0, 0, 0 }, { 8, 1, 1 } }, { { 2, 0, 0 }, { 3, 1, 1 } }, left); // 0 to 2 and 3 to 8 along x
///
/// Ratios are positive, indices may be negative.
#pragma once

#include "Base/Box.h"

#include <vector>

namespace rivulet
{

/// The same space in the cells of a level that is finer by `ratio`. Indices beyond the range of Int3 become its limits.
[[nodiscard]] Box refine(const Box& coarse, const Int3& ratio);
/// All cells that a box touches on a level that is coarser by `ratio`.
[[nodiscard]] Box coarsen(const Box& fine, const Int3& ratio);
/// The cells that a box covers completely on a level that is coarser by `ratio`. The box may be empty.
[[nodiscard]] Box covered_by(const Box& fine, const Int3& ratio);

/// Adds the part of `from` outside `without` to `left`, in at most six boxes.
void subtract(const Box& from, const Box& without, std::vector<Box>& left);

} // namespace rivulet
