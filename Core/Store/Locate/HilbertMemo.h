// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The Hilbert index of a brick, computed once and kept for a while: computing takes O(log bricks) cuts, and a particle
/// asks for its brick every few dozen steps.
///
///     const HilbertMemo curve({ 227, 227, 114 });
///     std::int64_t place = curve.index(row_major_brick);
///
/// Any thread, without locks: an entry is one word with both the key and the result. At most 256 KiB.
#pragma once

#include "Curve/Hilbert.h"

#include <atomic>
#include <memory>

namespace rivulet
{

class HilbertMemo
{
public:
  explicit HilbertMemo(const Int3& dims);

  /// Number along the curve of the brick whose row-major number is `row_major_index`.
  [[nodiscard]] std::int64_t index(std::int64_t row_major_index) const
  {
    if (entries_ == nullptr)
    {
      return compute(row_major_index);
    }
    const auto number = static_cast<std::uint64_t>(row_major_index);
    std::atomic<std::uint64_t>& entry = entries_[number & mask_];
    const std::uint64_t known = entry.load(std::memory_order_relaxed);
    if (known >> 32U == number + 1)
    {
      return static_cast<std::int64_t>(known & kAnswer);
    }
    const std::int64_t answer = compute(row_major_index);
    entry.store((number + 1) << 32U | static_cast<std::uint64_t>(answer), std::memory_order_relaxed);
    return answer;
  }

  [[nodiscard]] const Int3& dims() const { return curve_.dims(); }

private:
  static constexpr std::uint64_t kAnswer = 0xffffffffU;

  [[nodiscard]] std::int64_t compute(std::int64_t index) const
  {
    return curve_.index(from_row_major(index, curve_.dims()));
  }

  HilbertCurve curve_;
  std::uint64_t mask_ = 0;
  std::unique_ptr<std::atomic<std::uint64_t>[]> entries_; ///< key + 1 in the upper half, result below; none if huge
};

} // namespace rivulet
