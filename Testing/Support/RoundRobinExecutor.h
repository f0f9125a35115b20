// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Executor that runs all workers in turn on the calling thread, one slice each, and never waits. Where a slice waited
/// for another worker, or for something that `idle` does, no run would end.
///
///     RoundRobinExecutor executor([&] { source.deliver(0); });
///     trace_streamlines(field, seeds, options, { .threads = 3, .executor = &executor });
#pragma once

#include "Parallel/Executor.h"

#include <utility>
#include <vector>

namespace rivulet::test
{

class RoundRobinExecutor final : public Executor
{
public:
  /// `idle` is called when all workers wait. It may be empty.
  explicit RoundRobinExecutor(std::function<void()> idle = {})
    : idle_(std::move(idle))
  {
  }

  /// Number of slices of all runs.
  [[nodiscard]] std::int64_t slices() const { return slices_; }

private:
  void run_all(SlicedRun& run) override
  {
    std::vector<bool> ended(static_cast<std::size_t>(run.workers()), false);
    for (int left = run.workers(); left > 0; run.look())
    {
      bool all_wait = true;
      for (int worker = 0; worker < run.workers(); ++worker)
      {
        const auto number = static_cast<std::size_t>(worker);
        if (ended[number])
        {
          continue;
        }
        ++slices_;
        const Slice after = run.slice(worker);
        ended[number] = after == Slice::Done;
        left -= ended[number] ? 1 : 0;
        all_wait = all_wait && after == Slice::Waits;
      }
      if (all_wait && idle_)
      {
        idle_();
      }
    }
  }

  std::function<void()> idle_;
  std::int64_t slices_ = 0;
};

} // namespace rivulet::test
