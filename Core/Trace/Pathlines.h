// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Pathlines of a field that changes with time, out of core: dx/dt = v(x, t), v linear or cubic in time between the
/// steps that the source holds (TimeInterpolation.h).
///
/// A step never passes one of these times, where the field has a kink: it is cut to end there. Between them, steps are
/// as long as the options ask for and errors allow, so that accuracy does not depend on how often the field was saved.
/// The time steps of a brick that an interval needs are held at once: two of them, with cubic interpolation up to four.
/// So the smallest budget is that of twice the threads, or four times.
///
/// Steps may be given in time, or in lengths that are divided by the speed at the beginning of each step. The length of
/// a line is the trapezoidal sum of its speed. A line ends at the first point where its length has reached
/// maximum_length, or where its speed and that at the point before are less than terminal_speed: a tide that turns has
/// no speed for a moment. With a terminal_speed of 0, the default, a particle at rest goes on, because the flow there
/// may return.
///
/// With error control no step is taken whose estimated error is above maximum_error, unless it has the length of the
/// minimum step. That is 0 by default, since any other has no bound on its error near points of rest, where a step of a
/// given length takes long. No step is shorter than a share of 1e-9 of its interval.
///
/// Results are the same to the last bit for any threads, bricks, budget and strategy.
#pragma once

#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/RunOptions.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"

#include <limits>
#include <span>

namespace rivulet
{

/// Traces from every seed. `times`: times of the source's steps, strictly increasing, one per step; empty: the source's
/// own. Seeds outside the grid, or before or after these times, count as outside. Fails with BadArgument for bad
/// arguments, and for lack of memory as trace_streamlines() does. Bricks that cannot be read end single lines
/// (DataMissing) and are reported by data_error.
[[nodiscard]] Result<TracedLines> trace_pathlines(const TraceField& field, std::span<const double> times,
    std::span<const PathSeed> seeds, const PathlineOptions& options, const RunOptions& run);

} // namespace rivulet
