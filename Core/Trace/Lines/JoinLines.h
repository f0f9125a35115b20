// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Pathlines at a time, from pieces that were traced one after the other.
#pragma once

#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/TracedLines.h"

#include <span>

namespace rivulet
{

/// Pathlines at a time of the field.
struct PathlineFrame
{
  TracedLines lines; ///< of two points or more
  /// One line of one point for each particle that is on its way at that time: where it is.
  TracedLines particles;
};

/// The pieces in the order of the march, and the time at which their lines are wanted.
struct LinePieces
{
  std::span<const TracedLines* const> pieces;
  std::span<const PathSeed> seeds;
  std::array<double, 2> field_times{ 0, 0 }; ///< first and last time of the field
  double time = 0.0;
  bool backward = false;
  double tail = 0.0; ///< lines show the last time of this length, from a point between traced ones on; 0: all of it
  bool ends_only = false; ///< the pieces have the last points of their lines alone
};

/// Joins the pieces of each line, and cuts it after its last point not beyond the time. A piece begins with the last
/// point of the piece before, which is left out. Where a line was cut, or ends at that time only because a later step
/// failed, the reason is OutOfTime. Seeds of later times have none. Fates describe the whole lines; their
/// lengths are sums of the distances of points. Crossings of the pieces up to the time stay, also before a tail.
/// Of pieces with ends alone a frame has no lines, and it takes its fates from the pieces. The statistics are 0. Throws
/// std::bad_alloc.
[[nodiscard]] PathlineFrame join_lines(const LinePieces& from);

} // namespace rivulet
