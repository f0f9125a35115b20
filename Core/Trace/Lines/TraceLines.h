// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A run from seeds to lines, in steady or unsteady flow: trace, assemble, interpolate the other arrays.
#pragma once

#include "Trace/Advect/AdvectionContext.h"
#include "Trace/Pathlines.h"

namespace rivulet
{

/// Times of seeds have no meaning in steady flow. Fails with BudgetTooSmall if the system has no memory even for the
/// results per seed.
[[nodiscard]] Result<TracedLines> trace_lines(
    const AdvectionContext& context, std::span<const PathSeed> seeds, const RunOptions& run);

} // namespace rivulet
