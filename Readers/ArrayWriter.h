// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Writes bricks of a field file from an array of a dataset, with all cores, so that a lazily paged array streams
/// through its own memory budget.
///
/// Threads: one caller at a time for each array.
#pragma once

#include "Io/FieldFile/FieldFileWriter.h"
#include "Pipeline/SourceArrays.h"

#include <functional>

namespace rivulet
{

struct ArrayToWrite
{
  PipelineArray array; ///< its lattice_offset is the lattice point of the source for the first point of the file
  int variable = 0;
  int step = 0; ///< in the file
  Box bricks;   ///< places in the grid of bricks; the array must hold all their points
};

/// `progress` gets the share that is done and returns false to stop. Fails with Cancelled, and as the source and the
/// writer do.
[[nodiscard]] Result<void> write_array(
    FieldFileWriter& writer, const ArrayToWrite& what, const std::function<bool(double)>& progress);

} // namespace rivulet
