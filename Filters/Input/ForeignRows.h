// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Values of foreign cells (InputCells.h) as sources: values of all datasets in one row, one dataset after the other.
///
/// The only array of the only dataset is read where it lies, if it holds floats or doubles. All others are copied, and
/// count as copies in the process's account of memory.
///
/// Threads: the one that called RequestData. Lifetime: a source keeps its values.
#pragma once

#include "Filters/Input/ChosenVectors.h"
#include "Filters/Input/InputBlocks.h"
#include "Store/Source/BrickSource.h"

#include <memory>

namespace rivulet
{

/// A grid whose lattice is a row of so many values.
[[nodiscard]] Grid row_grid(std::int64_t count, Centering centering);

/// The array of this name and centering in each dataset. Fails as check_same_array(), with BadArgument if a dataset's
/// array does not have one value for each point or cell, and with Unsupported for more than 9 components.
/// `lattice`: the grid of the values, which has as many; nullptr: they are a row.
[[nodiscard]] Result<std::shared_ptr<BrickSource>> row_of(
    const std::vector<InputBlock>& blocks, vtkDataArray& like, Centering centering, const Grid* lattice = nullptr);

/// Vectors as they were chosen in the first dataset, from the arrays of the same names in each.
[[nodiscard]] Result<std::shared_ptr<BrickSource>> row_of(
    const std::vector<InputBlock>& blocks, const ChosenVectors& vectors, const Grid* lattice = nullptr);

} // namespace rivulet
