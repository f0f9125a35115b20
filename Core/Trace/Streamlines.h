// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Streamlines of a steady field, out of core.
///
/// The algorithm, its step control and its outputs are the same as in vtkStreamTracer, so that results agree: the unit
/// vector field v/|v| is integrated in arc length, and time is accumulated as step / speed. A maximum time is added.
///
/// Results are the same to the last bit for any threads, bricks, budget and strategy.
#pragma once

#include "Trace/Contract/RunOptions.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"

#include <span>

namespace rivulet
{

/// The defaults are ParaView's.
struct StreamlineOptions : TraceOptions
{
};

/// Traces from every seed (world coordinates). Fails with BadArgument for bad arguments, and with BudgetTooSmall if the
/// system has no memory for even one line; throws std::bad_alloc if it has none for the error. Bricks that cannot be
/// read end single lines (DataMissing) and are reported by data_error. The source has to refuse a budget too small for
/// the threads, see BrickSource::working_minimum().
[[nodiscard]] Result<TracedLines> trace_streamlines(
    const TraceField& field, std::span<const Vec3> seeds, const StreamlineOptions& options, const RunOptions& run);

} // namespace rivulet
