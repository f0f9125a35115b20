// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The blocks that all ranks publish of a field.
///
///     const Result<ChosenField> chosen = choose_field(snapshot, wish);
///     Result<std::vector<SpreadBlock>> blocks = gather_blocks(host, chosen);
///
/// Threads: the one that calls the analytics.
#pragma once

#include "Fields/FieldChoice.h"
#include "Plugin/Host.h"

namespace rivulet
{

/// A block of any rank: the points of the lattice that it gives. Layers of ghosts are left out.
struct SpreadBlock
{
  int rank = 0;
  int number = 0;         ///< among the blocks of its rank
  std::int32_t level = 0; ///< in whose cells the points count
  Box points;
};

/// Collective; an error of one rank is one of all. Blocks by rank and number, the same on all ranks. Refuses domains,
/// levels and variables that differ between ranks.
[[nodiscard]] Result<std::vector<SpreadBlock>> gather_blocks(const Host& host, const Result<ChosenField>& chosen);

} // namespace rivulet
