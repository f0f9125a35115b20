// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The grids of composite data, however they are nested: those that have cells, in order.
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
  vtkSmartPointer<vtkDataSet> dataset; ///< vtkImageData or vtkRectilinearGrid
  std::string name;                    ///< in messages: "block 3", "block 3 (inlet)"
};

/// Unsupported, with the block's name, if one is of another kind; BadArgument if there are none.
[[nodiscard]] Result<std::vector<InputBlock>> blocks_of(vtkCompositeDataSet& data);

/// The cells that no other grid has (vtkGhostType), counted from the grid's corner; empty if there are none.
[[nodiscard]] Result<Box> own_cells(vtkDataSet& grid, const std::string& name);

} // namespace rivulet
