// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Pool of memory blocks for reading files. Blocks are used again, because new memory from the system for each of many
/// small files would take longer than reading them.
///
/// Sizes are in bytes. Any thread may call any function. The pool need not outlive its blocks, which own their memory;
/// it must outlive each object that gives blocks back to it. Throws std::bad_alloc.
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
  /// Sizes of pooled blocks. Two sizes suffice for a block of one file to fit the next. Blocks that are much smaller
  /// than the first size, or larger than the second, are not pooled.
  static constexpr std::array<std::size_t, 2> kLent{ std::size_t{ 1 } << 19, std::size_t{ 4 } << 20 };
  static constexpr std::size_t kWorthwhile = kLent[0] / 3;

  /// Block of at least `bytes` bytes, uninitialised.
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
