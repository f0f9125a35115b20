// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Whether the boxes of a dump can be: patches of one level never share cells, and finer ones lie over coarser ones.
#pragma once

#include "Amr/Dump.h"

#include <optional>

namespace rivulet
{

/// A box from its first and last cells as files have them; nothing if there are none, or more than can be.
[[nodiscard]] std::optional<Box> box_of(const Vec3& first, const Vec3& last);

/// Names the first two patches found that share cells, if there are any. Takes about as long as sorting the patches.
[[nodiscard]] std::optional<std::string> overlap_within_levels(const AmrDump& dump);

/// Names a patch that does not lie wholly over patches of the next coarser level, if there is one. Patches of a level
/// must not overlap, and AmrDump::children be filled.
[[nodiscard]] std::optional<std::string> patch_beyond_coarser(const AmrDump& dump);

/// For each patch the patches of the next finer level that lie, at least in part, in it: the table of children where
/// the files have none.
[[nodiscard]] std::vector<std::vector<std::int32_t>> find_children(const AmrDump& dump);

} // namespace rivulet
