// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The ranks that run a reader or a filter together, through ParaView's global controller. Every function except
/// rank(), size() and part() is collective: all ranks call it, in the same order, on the thread that called
/// RequestData. A single rank never waits.
///
///     const Ranks ranks;
///     if (Result<void> agreed = ranks.agree(mine); !agreed) ...     // the same answer everywhere
#pragma once

#include "Base/Result.h"
#include "vtkRivuletPipelineModule.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

class vtkMultiProcessController;

namespace rivulet
{

/// One of the parts into which work is shared out, each for a rank.
struct RankPart
{
  int part = 0;
  int parts = 1;

  /// Contiguous share of `count` things: [first, last).
  [[nodiscard]] std::pair<std::int64_t, std::int64_t> share(std::int64_t count) const
  {
    return { count * part / parts, count * (part + 1) / parts };
  }
};

class VTKRIVULETPIPELINE_EXPORT Ranks
{
public:
  Ranks();

  [[nodiscard]] int rank() const { return rank_; }
  [[nodiscard]] int size() const { return size_; }

  /// This rank's part of work for all ranks.
  [[nodiscard]] RankPart part() const { return { rank_, size_ }; }

  /// Success if all ranks succeeded, else the error of the lowest rank that failed, on every rank.
  [[nodiscard]] Result<void> agree(Result<void> mine) const;

  void sum(std::span<std::int64_t> values) const;
  void sum(std::span<double> values) const;
  void max(std::span<std::int64_t> values) const;
  void max(std::span<double> values) const;

  /// Copies the bytes of the first rank to every rank.
  void broadcast(std::vector<std::byte>& bytes) const;

  /// The bytes of all ranks, one after the other, on every rank.
  [[nodiscard]] std::vector<std::byte> gather(std::span<const std::byte> mine) const;

private:
  vtkMultiProcessController* controller_ = nullptr; ///< nullptr if there is one rank
  int rank_ = 0;
  int size_ = 1;
};

/// The result of `make` on the first rank, or its error, on every rank. Collective.
///     auto dump = on_first_rank([&] { return read(path); }, to_bytes, from_bytes);
template <class Make, class ToBytes, class FromBytes>
[[nodiscard]] auto on_first_rank(const Make& make, const ToBytes& to_bytes, const FromBytes& from_bytes)
    -> decltype(make())
{
  const Ranks ranks;
  if (ranks.size() == 1)
  {
    return make();
  }
  if (ranks.rank() == 0)
  {
    auto made = make();
    if (Result<void> agreed = ranks.agree(made ? Result<void>{} : forward_error(made)); !agreed)
    {
      return forward_error(agreed);
    }
    std::vector<std::byte> bytes = to_bytes(*made);
    ranks.broadcast(bytes);
    return made;
  }
  if (Result<void> agreed = ranks.agree({}); !agreed)
  {
    return forward_error(agreed);
  }
  std::vector<std::byte> bytes;
  ranks.broadcast(bytes);
  return from_bytes(bytes);
}

} // namespace rivulet
