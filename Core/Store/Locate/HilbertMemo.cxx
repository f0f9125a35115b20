// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Locate/HilbertMemo.h"

#include <algorithm>
#include <bit>

namespace rivulet
{

namespace
{

constexpr std::uint64_t kMostEntries = 32768;
constexpr std::int64_t kLargestGrid = 0xfffffffe; ///< bricks that fit half a word, with one number to spare

} // namespace

HilbertMemo::HilbertMemo(const Int3& dims)
  : curve_(dims)
{
  if (curve_.size() > kLargestGrid)
  {
    return;
  }
  const std::uint64_t count = std::min(kMostEntries, std::bit_ceil(static_cast<std::uint64_t>(curve_.size())));
  mask_ = count - 1;
  entries_ = std::make_unique<std::atomic<std::uint64_t>[]>(count);
}

} // namespace rivulet
