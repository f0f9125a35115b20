// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Copies recorded paths to the arrays of TracedLines, in output order.
#pragma once

#include "Trace/Contract/RunOptions.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Lines/PathRecorder.h"

namespace rivulet
{

/// Bytes of memory for each point of the output.
[[nodiscard]] std::int64_t bytes_per_point(const AdvectionContext& context);

/// Copies all lines that were kept to their final places, and the points' cell positions to `positions` if they
/// were kept (else it stays empty). Allocates the arrays of attributes, and fills only the velocity's. Calls `run.poll`
/// but does not stop; does not report progress. If the system has no memory for all lines, the result has the first
/// ones, and data_error says so. Throws std::bad_alloc if there is no memory at all.
[[nodiscard]] TracedLines assemble(
    const AdvectionContext& context, const PathRecorder& recorded, const RunOptions& run, Buffer<Position>& positions);

} // namespace rivulet
