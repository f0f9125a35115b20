// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Streak lines: the places at one time of the particles that a seed released at different times, joined in the order
/// of their releases. Source: G. K. Batchelor, "An Introduction to Fluid Dynamics", 1967, section 2.1.
///
///     Streaks streaks = connect_streaks(frame.particles, heads, releases);
///
/// In steady flow a streak line is the streamline of its seed.
#pragma once

#include "Trace/Contract/TracedLines.h"

namespace rivulet
{

struct Streaks
{
  TracedLines lines; ///< of two points or more, from the oldest particle to the youngest; `seed` is the seed's number
  std::vector<std::int64_t> particles; ///< of each point; -1: it lies at the seed
};

/// `particles`: one line of one point for each particle (PathlineFrame::particles), of which particle p is release
/// p % releases of seed p / releases. `heads`: the same for particles that seeds release at the present time, at most
/// one per seed, whose number is their `seed`; the line ends there. `last`: number of the last release at or before the
/// present time. A line is interrupted where the particle of a release is missing. Throws std::bad_alloc.
[[nodiscard]] Streaks connect_streaks(
    const TracedLines& particles, const TracedLines& heads, std::int64_t releases, std::int64_t last);

} // namespace rivulet
