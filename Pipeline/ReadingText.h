// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Statistics of reading, as text for the Properties panel.
///
///     values_read({ .bytes_read = 2273280, .bricks_read = 185 });   // "2.2 MiB in 185 bricks"
///     peak_memory(638976, 16 * kMiB);                               // "624 KiB of 16 MiB"
///
/// Threads: any.
#pragma once

#include "Store/Source/SourceStatistics.h"
#include "vtkRivuletPipelineModule.h"

#include <string>

namespace rivulet
{

/// Bytes, and the number of bricks if it is positive.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::string values_read(const SourceStatistics& read);

/// Bytes, and the budget if it is positive.
[[nodiscard]] VTKRIVULETPIPELINE_EXPORT std::string peak_memory(std::int64_t bytes, std::int64_t budget);

} // namespace rivulet
