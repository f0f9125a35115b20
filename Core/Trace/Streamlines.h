// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// TracedLines of a steady field, out of core.
///
/// The algorithm, its step control and its outputs are those of vtkStreamTracer, so that the two agree: the unit vector
/// field v/|v| is integrated in arc length, and time is accumulated as step / speed. Maximum time comes on top.
///
/// Results do not depend on threads, bricks, budget or strategy: not by one bit.
#pragma once

#include "Trace/Lines.h"

namespace rivulet
{

/// Defaults are ParaView's.
struct StreamlineOptions : TraceOptions
{
};

/// Traces from every seed (world coordinates). Fails on bad arguments (BadArgument), and with BudgetTooSmall where the
/// system has no memory for even one line; std::bad_alloc where it has none for the error. Bricks that cannot be read
/// end single lines (DataMissing) and are reported by data_error. A budget too small for the threads is for the source
/// to refuse, see BrickSource::working_minimum().
[[nodiscard]] Result<TracedLines> trace_streamlines(
    const TraceField& field, std::span<const Vec3> seeds, const StreamlineOptions& options, const RunOptions& run);

} // namespace rivulet
