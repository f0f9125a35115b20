// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A field of all ranks in the memory of those that trace in it, because a line may lead anywhere.
///
///     const Result<WholeField> field = gather_whole(host, snapshot, wish, { limit, needs });
///     ArrayBricks source(field->info.grid, field->arrays());
#pragma once

#include "Fields/SpreadField.h"
#include "Store/Source/ArrayBricks.h"

#include <functional>

namespace rivulet
{

struct WholeField
{
  FieldInfo info;                          ///< of the domain; without times
  std::vector<SpreadField::Values> values; ///< of each variable one box, or none where the rank does not need them

  /// As arrays of a source. Only where the values are.
  [[nodiscard]] std::vector<MemoryArray> arrays() const;
};

struct WholeFieldNeeds
{
  std::int64_t limit = 0;               ///< bytes on each rank
  int steps = 1;                        ///< of which the values are kept at once
  std::function<bool(int rank)> traces; ///< whether a rank needs the values: the same answer on all ranks
};

/// Collective; an error of one rank is one of all. The first variable of the wish is a velocity, of three components.
/// Refuses fields above the limit.
[[nodiscard]] Result<WholeField> gather_whole(
    const Host& host, const rivulet_snapshot& snapshot, const FieldWish& wish, const WholeFieldNeeds& needs);

} // namespace rivulet
