// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Arrays at places, at a time between two time steps of a field: the values that a pathline has at its release there.
///
///     context.set_intervals(i, i); // the interval with the time
///     Result<TracedLines> samples = sample_points(points, time, context, run);
///
/// Threads: one. Memory: the result, and two ParticleStates (264 bytes) per point.
#pragma once

#include "Trace/Contract/RunOptions.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Kernel/AdvectionContext.h"

#include <span>

namespace rivulet
{

/// One line of one point for each place within the field, in their order; its `seed` is the number of the place. The
/// context is one of unsteady flow and holds an interval with the time. Fails with BudgetTooSmall if the system has no
/// memory.
[[nodiscard]] Result<TracedLines> sample_points(
    std::span<const Vec3> points, double time, const AdvectionContext& context, const RunOptions& run);

} // namespace rivulet
