// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Parallel regions of a simulation. Each region is a body that a solver hands to a function of its caller. The body
/// contains a loop of TBB. The caller decides in which arena it runs:
///
///     tbb::task_arena arena(2);
///     Parallel parallel([&](const std::function<void()>& body) { arena.execute(body); });
///     parallel.for_each(count, 4096, [&](std::int64_t begin, std::int64_t end) { ... });
///
/// Threads: one thread calls. Between two regions it is alone: these are the sequential phases of the simulation.
#pragma once

#include "Parallel/TaskOrder.h"

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <utility>

namespace examples
{

/// Runs a body that has parallel loops of TBB inside, and returns when it has run.
using RunRegion = std::function<void(const std::function<void()>& body)>;

class Parallel
{
public:
  using Range = tbb::blocked_range<std::int64_t>;

  /// Without `run`, bodies run in the arena of the calling thread.
  explicit Parallel(RunRegion run = {})
    : run_(std::move(run))
  {
  }

  /// Calls body(begin, end) for pieces of [0, count), of about `grain` elements or more.
  template <class Body>
  void for_each(std::int64_t count, std::int64_t grain, const Body& body)
  {
    region(
        [&]
        {
          rivulet::TaskOrder order;
          tbb::parallel_for(Range(0, count, static_cast<std::size_t>(grain)),
              [&](const Range& piece) RIVULET_NOT_SANITIZED
              {
                const rivulet::TaskOrder::Task task(order);
                body(piece.begin(), piece.end());
              });
        });
  }

  /// Joins the results of body(begin, end). Pieces depend on the number of threads, so `join` must be exact.
  template <class Value, class Body, class Join>
  Value reduce(std::int64_t count, std::int64_t grain, Value empty, const Body& body, const Join& join)
  {
    Value all = empty;
    region(
        [&]
        {
          rivulet::TaskOrder order;
          all = tbb::parallel_reduce(
              Range(0, count, static_cast<std::size_t>(grain)), empty,
              [&](const Range& piece, const Value& before) RIVULET_NOT_SANITIZED
              {
                const rivulet::TaskOrder::Turn turn(order);
                return join(before, body(piece.begin(), piece.end()));
              },
              [&](const Value& left, const Value& right) RIVULET_NOT_SANITIZED
              {
                const rivulet::TaskOrder::Turn turn(order);
                return join(left, right);
              });
        });
    return all;
  }

  /// Wall time in regions so far.
  [[nodiscard]] double seconds() const { return seconds_; }

private:
  void region(const std::function<void()>& body)
  {
    const auto began = std::chrono::steady_clock::now();
    run_ ? run_(body) : body();
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  }

  RunRegion run_;
  double seconds_ = 0;
};

} // namespace examples
