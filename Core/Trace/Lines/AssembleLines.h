// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// From recorded paths to the arrays of TracedLines, in output order.
#pragma once

#include "Trace/Lines/PathRecorder.h"

namespace rivulet
{

/// Bytes of memory for each point of the output.
[[nodiscard]] std::int64_t bytes_per_point(const AdvectionContext& context);

/// Why a run gave fewer lines than asked for: `task` is what there was no memory for.
[[nodiscard]] std::shared_ptr<const Error> no_memory_for(const char* task);

/// Copies all lines of two points or more into their final places, and gives the points' positions in `positions` if
/// they were kept (else it stays empty). Attributes get their arrays; only the velocity's is filled. Calls `run.poll`,
/// but does not stop; does not report progress. Where the system has no memory for all lines there are the first ones,
/// and data_error says so; throws std::bad_alloc where it has none at all.
[[nodiscard]] TracedLines assemble(const AdvectionContext& context, const PathRecorder& recorded, const RunOptions& run,
    Buffer<CellPosition>& positions);

} // namespace rivulet
