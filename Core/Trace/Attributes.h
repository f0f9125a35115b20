// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Interpolates arrays at the points of finished lines, brick by brick: the points of a chunk are sorted by brick, so
/// that each brick is asked for once per chunk however many lines cross it.
#pragma once

#include "Trace/Problem.h"

#include <atomic>
#include <span>

namespace rivulet
{

/// Fills `values` (array tuples, one per location). Points whose brick cannot be read become NaN; the first such error
/// is returned. Stops early, with the rest unset, when `stop` becomes true.
[[nodiscard]] std::shared_ptr<const Error> interpolate_attribute(const Problem& problem, const SourceArray& array,
    std::span<const Location> locations, std::byte* values, int threads, const std::function<void()>& watch,
    const std::atomic<bool>& stop);

} // namespace rivulet
