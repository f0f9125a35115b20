// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Intervals between time steps that particles go through next.
#pragma once

#include "Trace/Contract/IntervalRange.h"

#include <array>
#include <cstdint>
#include <optional>

namespace rivulet
{

struct NextIntervals
{
  IntervalRange range;
  bool backward = false; ///< from the last interval to the first one
  std::int64_t of = 1;   ///< number of intervals of the request in all, an estimate for the progress shown
  std::optional<std::array<double, 2>> shown{}; ///< progress shown at the beginning and at the end, if not by intervals

  /// The interval to begin with.
  [[nodiscard]] std::int32_t first() const { return backward ? range.last : range.first; }
  /// The same with another range.
  [[nodiscard]] NextIntervals with(const IntervalRange& other) const { return { other, backward, of, shown }; }
  /// The interval that follows these.
  [[nodiscard]] NextIntervals following() const
  {
    const std::int32_t interval = backward ? range.first - 1 : range.last + 1;
    return with({ interval, interval });
  }
};

} // namespace rivulet
