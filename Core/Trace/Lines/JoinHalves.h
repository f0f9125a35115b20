// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Lines of particles after and before their release as one set of lines.
#pragma once

#include "Trace/Contract/TracedLines.h"

#include <optional>

namespace rivulet
{

/// Times that lines show.
struct TimeWindow
{
  double first = 0.0;
  double last = 0.0;
};

/// The lines of both halves by seed: first the one after its release, then the one before. `later` and `earlier` have
/// the same seeds and arrays. `shown`: `earlier` is cut at the ends of this time; none: all of it is there. A line has
/// two points or more. Fates have both directions, and so have crossings; `cancelled` and the first error come from
/// either half. The statistics are 0. Throws std::bad_alloc.
[[nodiscard]] TracedLines join_halves(
    const TracedLines& later, const TracedLines& earlier, const std::optional<TimeWindow>& shown);

} // namespace rivulet
