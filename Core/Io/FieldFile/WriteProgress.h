// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Private to Io: the bricks of a variable that a writer of a field file has written, and their ranges.
#pragma once

#include "Curve/Hilbert.h"
#include "Io/FieldFile/BrickMeasure.h"
#include "Io/FieldFile/FieldFile.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace rivulet
{

/// One bit for each brick. Any number of threads.
class BrickBits
{
public:
  explicit BrickBits(std::int64_t bits)
    : words_(static_cast<std::size_t>((bits + 63) / 64))
  {
  }

  /// Sets bits; false if any of them was set.
  bool set(std::int64_t first, std::int64_t count)
  {
    bool fresh = true;
    for (std::int64_t bit = first; bit < first + count; ++bit)
    {
      const std::uint64_t mask = std::uint64_t{ 1 } << (bit % 64);
      const std::uint64_t old = words_[static_cast<std::size_t>(bit / 64)].fetch_or(mask, std::memory_order_relaxed);
      fresh = fresh && (old & mask) == 0;
    }
    count_.fetch_add(count, std::memory_order_relaxed);
    return fresh;
  }

  [[nodiscard]] std::int64_t count() const { return count_.load(std::memory_order_relaxed); }

private:
  std::vector<std::atomic<std::uint64_t>> words_;
  std::atomic<std::int64_t> count_{ 0 };
};

/// State of a variable while it is written.
struct WriteProgress
{
  /// `steps`: that are stored, by step.
  WriteProgress(const BrickLayout& layout, const std::vector<bool>& steps)
    : curve(layout.grid.count)
  {
    for (const bool stored : steps)
    {
      written.push_back(stored ? std::make_unique<BrickBits>(layout.grid.size()) : nullptr);
    }
  }

  HilbertCurve curve;
  std::vector<std::unique_ptr<BrickBits>> written; ///< by step; nullptr: not stored
  std::mutex mutex;
  BrickMeasure measure; ///< under mutex, as is the error
  double largest_error = 0;
};

} // namespace rivulet
