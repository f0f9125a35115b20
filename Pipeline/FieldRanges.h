// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Ranges of arrays whose file has none: exact ones of all values, or estimates from some values. And these values.
///
///     std::optional<ScannedRanges> all = scan_ranges(field, block, std::chrono::seconds(2));
///     ValueRanges some = estimate_ranges(field, variable, step);
///     std::vector<std::vector<double>> values = sample_values(field, variable, step);
///
/// Threads: every function may be called from any thread.
#pragma once

#include "Pipeline/LazyField.h"

#include <chrono>
#include <optional>

namespace rivulet
{

/// Exact ranges of all values of the box except NaN. Empty if that takes longer than `limit` or if values cannot be
/// read.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::optional<ScannedRanges> scan_ranges(
    LazyField& field, const ValueBlock& block, std::chrono::nanoseconds limit);

/// Ranges of some rows in each of at most 64 bricks of a step; fewer bricks once they have cost 4 MiB. No components if
/// none of these values is finite.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT ValueRanges estimate_ranges(LazyField& field, int variable, int step);

/// The finite values of the same rows for each component, without points, or cells, that the file hides.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::vector<std::vector<double>> sample_values(
    LazyField& field, int variable, int step);

} // namespace rivulet
