// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of an own block, converted to the type of the chosen variable, without ghosts.
///
///     copy_points(host, chosen, { variable, block, points, into }, values.data());
///
/// Rows are copied in the loops of the host. Threads: the one that calls the analytics.
#pragma once

#include "Fields/FieldChoice.h"
#include "Plugin/Host.h"

#include <cstddef>

namespace rivulet
{

struct CopiedPoints
{
  std::size_t variable = 0; ///< among the chosen ones
  int block = 0;            ///< of this rank
  Box points;               ///< that the block has; counted from the corner of the domain in the cells of its level
  Box into;                 ///< box that the values are of
};

/// Values along each axis that a block has in memory, of cells or of nodes, ghosts included.
[[nodiscard]] Long3 stored_size(const rivulet_block& block, bool nodes);

/// Components are together, x runs fastest.
void copy_points(const Host& host, const ChosenField& chosen, const CopiedPoints& what, std::byte* values);

} // namespace rivulet
