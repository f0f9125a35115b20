// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Chooses the next of a worker's ready work items.
///
/// In steady flow the item that has been ready longest: particles follow each other through the bricks, and particles
/// of items that became ready together were released together. In unsteady flow items are sorted by interval of time
/// and then by place on the storage, so that all workers pass the time steps together and each step's bricks are read
/// about once. Forward traces begin with the earliest interval, backward traces with the latest. If both directions are
/// traced, the earliest interval is first, so that backward particles come first.
///
/// One thread.
#pragma once

#include "Trace/Kernel/AdvectionContext.h"

#include <deque>
#include <set>
#include <tuple>

namespace rivulet
{

class WorkQueue
{
public:
  explicit WorkQueue(const AdvectionContext& context)
    : context_(context)
    , latest_first_(context.options().direction == TraceDirection::Backward)
  {
  }

  [[nodiscard]] bool empty() const { return in_turn_.empty() && sorted_.empty(); }
  void push(std::int64_t item);
  /// Removes the next item; the queue must not be empty.
  [[nodiscard]] std::int64_t pop();

private:
  const AdvectionContext& context_;
  bool latest_first_;
  std::deque<std::int64_t> in_turn_;                                      ///< steady
  std::set<std::tuple<std::int32_t, std::int64_t, std::int64_t>> sorted_; ///< unsteady: interval, order, item
};

} // namespace rivulet
