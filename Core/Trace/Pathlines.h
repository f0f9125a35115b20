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
/// maximum_length or its speed is less than terminal_speed. With a terminal_speed of 0 a particle at rest goes on,
/// because the flow there may return.
///
/// Results are the same to the last bit for any threads, bricks, budget and strategy.
#pragma once

#include "Trace/Lines.h"

#include <limits>

namespace rivulet
{

struct PathlineOptions : TraceOptions
{
  PathlineOptions()
  {
    direction = TraceDirection::Forward;
    maximum_length = std::numeric_limits<double>::infinity();
    maximum_steps = 100000;
  }

  /// Forward lines end at last_time, backward lines at first_time, or at the end of the field's times if that comes
  /// first.
  double first_time = -std::numeric_limits<double>::infinity();
  double last_time = std::numeric_limits<double>::infinity();
};

/// A place and a time for the beginning of a line.
struct PathSeed
{
  Vec3 point{ 0, 0, 0 }; ///< world
  double time = 0.0;
  /// Time at which the line ends, exactly, if not before; infinite: as the options say. Not for lines that go away from
  /// this time.
  double end = std::numeric_limits<double>::infinity();
};

/// Traces from every seed. `times`: times of the source's steps, strictly increasing, one per step; empty: the source's
/// own. Seeds outside the grid, or before or after these times, count as outside. Fails with BadArgument for bad
/// arguments, and for lack of memory as trace_streamlines() does. Bricks that cannot be read end single lines
/// (DataMissing) and are reported by data_error.
[[nodiscard]] Result<TracedLines> trace_pathlines(const TraceField& field, std::span<const double> times,
    std::span<const PathSeed> seeds, const PathlineOptions& options, const RunOptions& run);

} // namespace rivulet
