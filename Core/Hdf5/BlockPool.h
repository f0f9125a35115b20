// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Memory that blocks of files come into and that is used again: to take it from the system anew for each of many small
/// files would cost more than to read them.
///
/// Any thread. The pool must outlive what it lends.
#pragma once

#include "Base/Buffer.h"

#include <cstddef>
#include <mutex>
#include <vector>

namespace rivulet::hdf5
{

class BlockPool
{
public:
  /// What is asked for again is of this size, so that a block of one file fits the next.
  static constexpr std::size_t kLent = std::size_t{ 4 } << 20;
  static constexpr std::size_t kWorthwhile = kLent / 3;

  /// At least `bytes`, of no meaning.
  [[nodiscard]] Buffer<std::byte> take(std::size_t bytes)
  {
    if (bytes < kWorthwhile || bytes > kLent)
    {
      return Buffer<std::byte>(bytes);
    }
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty())
      {
        Buffer<std::byte> block = std::move(free_.back());
        free_.pop_back();
        return block;
      }
    }
    return Buffer<std::byte>(kLent);
  }

  void give_back(Buffer<std::byte>&& block)
  {
    if (block.size() == kLent)
    {
      const std::lock_guard lock(mutex_);
      free_.push_back(std::move(block));
    }
  }

  void clear()
  {
    const std::lock_guard lock(mutex_);
    free_.clear();
  }

private:
  std::mutex mutex_; ///< guards free_
  std::vector<Buffer<std::byte>> free_;
};

} // namespace rivulet::hdf5
