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
#include <functional>
#include <span>
#include <type_traits>
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

  /// Copies the bytes of the first rank to every rank. Fails with BudgetTooSmall, on all ranks, if one has no memory
  /// for them.
  [[nodiscard]] Result<void> broadcast(std::vector<std::byte>& bytes) const;

  /// The values of all ranks, one rank after the other, on every rank. Fails as broadcast().
  template <class Value>
  [[nodiscard]] Result<std::vector<Value>> gather(std::span<const Value> mine) const
  {
    static_assert(std::is_trivially_copyable_v<Value>);
    std::vector<Value> all;
    const Result<void> gathered = gather_bytes(std::as_bytes(mine),
        [&all](std::size_t bytes)
        {
          all.resize(bytes / sizeof(Value));
          return reinterpret_cast<std::byte*>(all.data());
        });
    if (!gathered)
    {
      return tl::unexpected(gathered.error());
    }
    return all;
  }
  /// The same of bytes, into memory that `room` gives for so many, or throws std::bad_alloc.
  [[nodiscard]] Result<void> gather_bytes(
      std::span<const std::byte> mine, const std::function<std::byte*(std::size_t)>& room) const;

private:
  [[nodiscard]] Result<void> agree_on_room(const std::function<void()>& take) const;

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
    if (Result<void> sent = ranks.broadcast(bytes); !sent)
    {
      return forward_error(sent);
    }
    return made;
  }
  if (Result<void> agreed = ranks.agree({}); !agreed)
  {
    return forward_error(agreed);
  }
  std::vector<std::byte> bytes;
  if (Result<void> sent = ranks.broadcast(bytes); !sent)
  {
    return forward_error(sent);
  }
  return from_bytes(bytes);
}

} // namespace rivulet
