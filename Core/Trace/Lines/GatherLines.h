// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Lines that are put together from points of others.
#pragma once

#include "Trace/Contract/Termination.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceField.h"

#include <span>

namespace rivulet
{

/// Points of a piece, which are consecutive.
struct LinePart
{
  const TracedLines* piece;
  std::int64_t first;
  std::int64_t points;
};

/// The parts of one line, in order.
struct LineParts
{
  std::int32_t seed = 0;
  bool backward = false;
  std::vector<LinePart> parts;
  std::int64_t points = 0;
  bool cut = false; ///< whether there are points beyond the time
  Termination reason = Termination::None;

  void add(const LinePart& part)
  {
    if (part.points > 0)
    {
      parts.push_back(part);
      points += part.points;
    }
  }
  [[nodiscard]] double last_time() const
  {
    const LinePart& last = parts.back();
    return last.piece->time[static_cast<std::size_t>(last.first + last.points - 1)];
  }
};

/// Removes attributes that are not asked for any more.
void keep_attributes(TracedLines& lines, std::span<const AttributeRequest> asked);

/// The lines with all their arrays. `like`: lines from which names and types of the arrays are known; a piece with
/// points if there is one. Throws std::bad_alloc.
[[nodiscard]] TracedLines gather(const std::vector<LineParts>& lines, const TracedLines& like);

} // namespace rivulet
