// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Whether the boxes of a dump can be: patches of one level never share cells.
#pragma once

#include "Amr/Dump.h"

#include <optional>

namespace rivulet
{

/// Names the first two patches found that share cells, if there are any. Takes about as long as sorting the patches.
[[nodiscard]] std::optional<std::string> overlap_within_levels(const AmrDump& dump);

/// For each patch the patches of the next finer level that lie, at least in part, in it: the table of children where
/// the files have none.
[[nodiscard]] std::vector<std::vector<std::int32_t>> find_children(const AmrDump& dump);

} // namespace rivulet
