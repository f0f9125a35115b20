// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of a flow that stand for missing ones, such as land: 1e20, 9.97e36, -32767, or -10 m/s where that was packed.
/// They are ordinary numbers in the file, and would fling particles away beside the coast.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Base/Result.h"

#include <optional>

class vtkDataArray;

namespace rivulet
{

/// A warning if an array has values that look like that: huge ones, or one value at many points that is far from all
/// others. About 100 000 points of an array in memory are looked at, once until it is modified. Of a paged array: the
/// ranges that its file has, and some values (Pipeline/FieldRanges.h) unless the ranges of the bricks show that none is
/// at many points. `ignore_above`: values with larger absolute values are known to stand for missing ones. `ghosts`:
/// marks of the same points or cells, or nullptr: in memory, marked values are not looked at.
[[nodiscard]] std::optional<Error> suspect_fill_values(vtkDataArray& array, double ignore_above, vtkDataArray* ghosts);

} // namespace rivulet
