// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Memory that blocks of files come into and that is used again: to take it from the system anew for each of many small
/// files would cost more than to read them.
///
/// Any thread. The pool must outlive what it lends.
#pragma once

#include "Base/Buffer.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace rivulet::hdf5
{

class BlockPool
{
public:
  /// What is lent is of these sizes, so that a block of one file fits the next. What is a little smaller than the first
  /// is not worth it.
  static constexpr std::array<std::size_t, 2> kLent{ std::size_t{ 1 } << 19, std::size_t{ 4 } << 20 };
  static constexpr std::size_t kWorthwhile = kLent[0] / 3;

  /// At least `bytes`, of no meaning.
  [[nodiscard]] Buffer<std::byte> take(std::size_t bytes)
  {
    const std::size_t which = bytes <= kLent[0] ? 0 : 1;
    if (bytes < kWorthwhile || bytes > kLent[1])
    {
      return Buffer<std::byte>(bytes);
    }
    {
      const std::lock_guard lock(mutex_);
      if (!free_[which].empty())
      {
        Buffer<std::byte> block = std::move(free_[which].back());
        free_[which].pop_back();
        return block;
      }
    }
    return Buffer<std::byte>(kLent[which]);
  }

  void give_back(Buffer<std::byte>&& block)
  {
    const auto which = std::find(kLent.begin(), kLent.end(), block.size()) - kLent.begin();
    if (which < static_cast<std::ptrdiff_t>(kLent.size()))
    {
      const std::lock_guard lock(mutex_);
      free_[static_cast<std::size_t>(which)].push_back(std::move(block));
    }
  }

  void clear()
  {
    const std::lock_guard lock(mutex_);
    free_ = {};
  }

private:
  std::mutex mutex_; ///< guards free_
  std::array<std::vector<Buffer<std::byte>>, kLent.size()> free_;
};

} // namespace rivulet::hdf5
