// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The loop that analytics run by rivulet_analytics_host::parallel: a sequence of parallel regions of about 10 ms.
///
///     elements   |  region 1  |     region 2      |   region 3   | ...
///     slot 0     [piece][piece][ piece  ][ piece  ]
///     slot 1     [piece][piece][ piece  ][ piece  ]              pieces go to the slot that asks first
///
/// A worker that has joined a TBB loop stays until its own tasks have run. So workers that helped with analytics can
/// only return to the simulation between two regions. The length of a region follows from the time of the one before; a
/// piece of `grain` elements is never cut.
///
/// A slot is a task of its own, which takes one piece after the other. So no two calls of a body with one slot run at
/// once, not even where a body begins a parallel loop itself. Which elements make a piece, and which slot gets it,
/// differs from run to run.
#pragma once

#include "rivulet_analytics.h"

#include "Trace.h"

#include <tbb/task_arena.h>

namespace rivulet::insitu
{

class ParallelLoop
{
public:
  ParallelLoop(tbb::task_arena& arena, int slots, Trace& trace)
    : arena_(arena)
    , slots_(slots)
    , trace_(trace)
  {
  }

  /// Calls body(data, begin, end, slot) for pieces of [0, count). All pieces have `grain` elements, or a multiple of
  /// it; only the last of all may have fewer. Exceptions of the body leave here, when no body runs any more.
  void run(std::int64_t count, std::int64_t grain, rivulet_loop_body body, void* data) const;

  [[nodiscard]] int slots() const { return slots_; }
  [[nodiscard]] tbb::task_arena& arena() const { return arena_; }

private:
  tbb::task_arena& arena_;
  int slots_;
  Trace& trace_;
};

/// Number of grains of the next region, after one of `grains` took `seconds`. At least `least`.
[[nodiscard]] std::int64_t next_region(std::int64_t grains, double seconds, std::int64_t least);

} // namespace rivulet::insitu
