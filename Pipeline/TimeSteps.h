// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Which of a reader's time steps a request means.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace rivulet
{

/// The step whose time is the latest not after `time`; the first one before all. `times` increase; at least one.
[[nodiscard]] inline std::size_t step_at(const std::vector<double>& times, double time)
{
  // Times travel through text and animations: what differs in the last digits is the same step.
  const double slack = 1e-12 * std::max(std::abs(times.front()), std::abs(times.back()));
  const auto after = std::upper_bound(times.begin(), times.end(), time + slack);
  return after == times.begin() ? 0 : static_cast<std::size_t>(after - times.begin()) - 1;
}

} // namespace rivulet
