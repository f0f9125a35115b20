// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Pathlines of a field that changes with time, out of core: dx/dt = v(x, t), v linear in time between the steps that
/// the source holds.
///
/// A step never reaches over one of these times, where the field has a kink: one that would is cut to end there.
/// Within, steps are as long as the options ask for and errors allow, so that accuracy does not hang on how often the
/// field was saved. Both time levels of a brick are held at once, and so the smallest budget is that of twice the
/// threads.
///
/// Steps may be given in time, or in lengths that are turned into time by the speed at the beginning of each step. The
/// length of a line is the trapezoidal sum of its speed; a line ends at the first point where that has reached
/// maximum_length, or at which the speed is less than terminal_speed. With a terminal_speed of 0 a particle at rest
/// goes on, because its flow may come back.
///
/// Results do not depend on threads, bricks, budget or strategy: not by one bit.
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

  /// Lines forward end at last_time, lines backward at first_time, or where the field does if that comes before.
  double first_time = -std::numeric_limits<double>::infinity();
  double last_time = std::numeric_limits<double>::infinity();
};

/// A place and a time to begin at.
struct PathSeed
{
  Vec3 point{ 0, 0, 0 }; ///< world
  double time = 0.0;
};

/// Traces from every seed. `times` are those of the source's steps, strictly increasing, one for each; empty: its own.
/// Seeds outside the grid, or before or after the times there are, count as outside. Fails on bad arguments
/// (BadArgument), and without memory as trace_streamlines() does. Bricks that cannot be read end single lines
/// (DataMissing) and are reported by data_error.
[[nodiscard]] Result<TracedLines> trace_pathlines(const TraceField& field, std::span<const double> times,
    std::span<const PathSeed> seeds, const PathlineOptions& options, const RunOptions& run);

} // namespace rivulet
