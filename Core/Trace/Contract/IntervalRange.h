// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Some neighbouring intervals of time, of which a march says that it needs them.
#pragma once

#include <cstdint>

namespace rivulet
{

/// Intervals `first` to `last` of time.
struct IntervalRange
{
  std::int32_t first = 0;
  std::int32_t last = 0;

  [[nodiscard]] std::int32_t count() const { return last - first + 1; }
  [[nodiscard]] bool operator==(const IntervalRange&) const = default;
};

} // namespace rivulet
