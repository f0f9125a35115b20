// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// From traced tasks to the arrays of TracedLines, in output order.
#pragma once

#include "Trace/Scheduler.h"

namespace rivulet
{

/// Copies all lines of two points or more into their final places on `threads` threads, and gives the points' locations
/// in `locations` if they were kept (else it stays empty). Attributes get their arrays; only the velocity's is filled.
[[nodiscard]] TracedLines assemble(
    const Problem& problem, TracedTasks traced, int threads, Buffer<Location>& locations);

} // namespace rivulet
