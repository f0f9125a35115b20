// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The ranks that run a filter together, through ParaView's global controller. Every function but rank() and size() is
/// collective: all ranks call it, in the same order, on the thread that called RequestData. One rank alone never waits.
///
///     const Ranks ranks;
///     if (Result<void> agreed = ranks.agree(mine); !agreed) ...     // the same answer everywhere
#pragma once

#include "Base/Result.h"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

class vtkMultiProcessController;

namespace rivulet
{

class Ranks
{
public:
  Ranks();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// This rank's contiguous share of `count` things: [first, last).
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> share(std::int64_t count) const
  {
    return { count * rank_ / size_, count * (rank_ + 1) / size_ };
  }

  /// Success if all ranks succeeded, else the error of the lowest rank that failed, on every rank.
  [[nodiscard]] Result<void> agree(Result<void> mine) const;

  void sum(std::span<std::int64_t> values) const;
  void sum(std::span<double> values) const;
  void max(std::span<std::int64_t> values) const;
  void max(std::span<double> values) const;

  /// The bytes of all ranks, one after the other, on every rank.
  [[nodiscard]] std::vector<std::byte> gather(std::span<const std::byte> mine) const;

private:
  vtkMultiProcessController* controller_ = nullptr; ///< nullptr when alone
  int rank_ = 0;
  int size_ = 1;
};

} // namespace rivulet
