// SPDX-License-Identifier: BSD-3-Clause
#include "ParallelLoop.h"

#include "Parallel/CalmFloats.h"
#include "Parallel/TaskOrder.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <atomic>

namespace rivulet::insitu
{

namespace
{

constexpr double kRegionSeconds = 0.010;
constexpr double kMostGrowth = 4; // a first region that was short by chance says little
constexpr std::int64_t kPiecesOfSlot = 4;
constexpr std::int64_t kMostGrains = std::int64_t{ 1 } << 48; // far from overflow

/// The loop as one region sees it. Units are grains.
struct Loop
{
  std::int64_t count; ///< elements
  std::int64_t grain;
  rivulet_loop_body body;
  void* data;
};

void run_region(const Loop& loop, int slots, std::int64_t first, std::int64_t grains)
{
  const std::int64_t of_piece = std::max<std::int64_t>(grains / (slots * kPiecesOfSlot), 1);
  const std::int64_t pieces = (grains + of_piece - 1) / of_piece;
  const int tasks = static_cast<int>(std::min<std::int64_t>(slots, pieces));
  std::atomic<std::int64_t> next{ 0 };
  const auto work_of = [&](int slot)
  {
    const CalmFloats calm;
    for (std::int64_t piece = next++; piece < pieces; piece = next++)
    {
      const std::int64_t begin = first + piece * of_piece;
      const std::int64_t end = std::min(begin + of_piece, first + grains);
      // The product of a last grain that is not whole may be more than `count`, or than any number.
      const bool last = end > loop.count / loop.grain;
      loop.body(loop.data, begin * loop.grain, last ? loop.count : end * loop.grain, slot);
    }
  };
  TaskOrder order;
  tbb::parallel_for(
      0, tasks,
      [&](int slot) RIVULET_NOT_SANITIZED
      {
        const TaskOrder::Task task(order);
        work_of(slot);
      },
      tbb::simple_partitioner());
}

} // namespace

std::int64_t next_region(std::int64_t grains, double seconds, std::int64_t least)
{
  const double factor = std::clamp(kRegionSeconds / std::max(seconds, 1e-9), 1 / kMostGrowth, kMostGrowth);
  const double wanted = std::min(static_cast<double>(grains) * factor, static_cast<double>(kMostGrains));
  return std::max(static_cast<std::int64_t>(wanted), least);
}

void ParallelLoop::run(std::int64_t count, std::int64_t grain, rivulet_loop_body body, void* data) const
{
  if (count <= 0)
  {
    return;
  }
  const Loop loop{ count, std::max<std::int64_t>(grain, 1), body, data };
  const std::int64_t all = (count - 1) / loop.grain + 1;
  arena_.execute(
      [&]
      {
        std::int64_t region = slots_;
        for (std::int64_t first = 0; first < all;)
        {
          const std::int64_t grains = std::min(region, all - first);
          const auto begin = Trace::Clock::now();
          run_region(loop, slots_, first, grains);
          const std::int64_t end = first + grains < all ? (first + grains) * loop.grain : count;
          trace_.add(Activity::AnalyticsParallel, begin, end - first * loop.grain);
          first += grains;
          region = next_region(grains, std::chrono::duration<double>(Trace::Clock::now() - begin).count(), slots_);
        }
      });
}

} // namespace rivulet::insitu
