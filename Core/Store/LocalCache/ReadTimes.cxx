// SPDX-License-Identifier: BSD-3-Clause
#include "Store/LocalCache/ReadTimes.h"

#include <algorithm>

namespace rivulet
{

void ReadTimes::add(double seconds)
{
  latest_[count_ % kLatest] = seconds;
  ++count_;
  if (count_ == kFirst || count_ % kEvery == 0)
  {
    std::array<double, kLatest> sorted = latest_;
    const std::size_t known = std::min(count_, kLatest);
    const auto tenth = sorted.begin() + static_cast<std::ptrdiff_t>(known / 10);
    std::nth_element(sorted.begin(), tenth, sorted.begin() + static_cast<std::ptrdiff_t>(known));
    latency_.store(*tenth, std::memory_order_relaxed);
  }
}

void ReadTimes::reset()
{
  count_ = 0;
  latency_.store(-1.0, std::memory_order_relaxed);
}

} // namespace rivulet
