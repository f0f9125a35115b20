// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Checks of the boxes of a dump: patches of one level must not share cells, and finer patches must lie over coarser
/// ones.
///
/// Boxes are in cells of their own level, end exclusive. Any thread may call any function.
#pragma once

#include "Amr/Dump.h"

#include <optional>

namespace rivulet
{

/// Box from its first and last cell, both inclusive. Nothing if a number is not finite, a side is empty or longer than
/// indices allow, or the box has more than 10^12 cells.
[[nodiscard]] std::optional<Box> box_of(const Vec3& first, const Vec3& last);

/// Message that names two patches of one level that share cells; nothing if there are none. Needs O(n log n) steps for
/// n patches.
[[nodiscard]] std::optional<std::string> overlap_within_levels(const AmrDump& dump);

/// Message that names a patch with cells outside all patches of the next coarser level; nothing if there is none.
/// Requires that patches of a level do not overlap and that AmrDump::children is filled.
[[nodiscard]] std::optional<std::string> patch_beyond_coarser(const AmrDump& dump);

/// For each patch, the patches of the next finer level that share space with it, in ascending order. Replaces the table
/// of children for files without one.
[[nodiscard]] std::vector<std::vector<std::int32_t>> find_children(const AmrDump& dump);

} // namespace rivulet
