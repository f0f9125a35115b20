// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Blocks of composite data: its datasets with cells, in the order of traversal.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Base/Box.h"
#include "Base/Result.h"
#include "vtkDataSet.h"
#include "vtkSmartPointer.h"

#include <string>
#include <vector>

class vtkCompositeDataSet;

namespace rivulet
{

struct InputBlock
{
  vtkSmartPointer<vtkDataSet> dataset;
  std::string name; ///< name in messages: "block 3", "block 3 (inlet)"
};

/// Fails with Unsupported and the name of the block if a block is no dataset, with BadArgument if there are none.
[[nodiscard]] Result<std::vector<InputBlock>> blocks_of(vtkCompositeDataSet& data);

/// Box of the cells that vtkGhostType does not mark as duplicates, counted from the corner of the grid; may be empty.
[[nodiscard]] Result<Box> own_cells(vtkDataSet& grid, const std::string& name);

} // namespace rivulet
