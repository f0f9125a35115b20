// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A run from seeds to lines, steady or not: trace, assemble, interpolate the other arrays.
#pragma once

#include "Trace/Advect/AdvectionContext.h"
#include "Trace/Pathlines.h"

namespace rivulet
{

/// Seeds' times are of no meaning in steady flow. Fails (BudgetTooSmall) where the system has no memory even for what
/// became of the seeds.
[[nodiscard]] Result<TracedLines> trace_lines(
    const AdvectionContext& context, std::span<const PathSeed> seeds, const RunOptions& run);

} // namespace rivulet
