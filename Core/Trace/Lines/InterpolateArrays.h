// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Interpolates arrays at the points of finished lines, brick by brick: the points of a chunk are sorted by brick, so
/// that each brick is requested once per chunk, however many lines cross it.
#pragma once

#include "Parallel/Executor.h"
#include "Trace/Kernel/AdvectionContext.h"

#include <atomic>
#include <span>

namespace rivulet
{

/// Places, and in unsteady flow times, at which an array is interpolated.
struct PointPlaces
{
  std::span<const Position> positions;
  std::span<const double> times; ///< parallel to the positions; empty in steady flow
};

/// The division of the points among workers.
struct InterpolationRun
{
  Executor& executor;
  int workers = 1;
  Watch watch{};
  const std::atomic<bool>& stop;
};

/// Fills `values` (tuples of the array, one per position). In unsteady flow bricks are requested at one after the other
/// of the time steps that the interval of each point needs, and the values are mixed in the array's own precision. A
/// time step whose weight is 0 is left out. Points whose brick cannot be read become NaN; the first such error is
/// returned. Stops early, with the rest unset, when `run.stop` becomes true.
[[nodiscard]] std::shared_ptr<const Error> interpolate_attribute(const AdvectionContext& context,
    const SourceArray& array, const PointPlaces& points, std::byte* values, const InterpolationRun& run);

} // namespace rivulet
