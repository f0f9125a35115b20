// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Which of a worker's ready work items is next.
///
/// In steady flow the one that has been ready longest: particles follow each other through the bricks, and what became
/// ready together was released together. In unsteady flow items are sorted by interval of time and then by place on the
/// storage, so that all workers go through the time steps together and each step's bricks are read about once: forward
/// runs from the earliest interval on, backward runs from the latest. Where both directions run, the backward particles
/// come first.
///
/// One thread.
#pragma once

#include "Trace/Advect/AdvectionContext.h"

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
  /// Not empty.
  [[nodiscard]] std::int64_t pop();

private:
  const AdvectionContext& context_;
  bool latest_first_;
  std::deque<std::int64_t> in_turn_;                                      ///< steady
  std::set<std::tuple<std::int32_t, std::int64_t, std::int64_t>> sorted_; ///< unsteady: interval, order, item
};

} // namespace rivulet
