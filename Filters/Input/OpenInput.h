// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Opens the input of a flow filter as one flow, or as one flow per block.
///
///     Result<OpenedInput> input = open_input(filter, data, choose, cache);
///     if (input) trace_streamlines(input->flows.front().field(), ...);
///
/// Composite data with one block is opened as that block. Image data and rectilinear grids that tile a box are one
/// grid. Uniform grids on nested lattices are levels. Other grids are a flow each, which ends at the block's border.
/// Datasets of any other kind are one mesh, with the grids among them (InputCells.h).
///
/// Threads: the one that called RequestData. Lifetime: data and cache must outlive the answer.
#pragma once

#include "Filters/Input/FlowInput.h"

#include <functional>
#include <string>
#include <vector>

class vtkAlgorithm;
class vtkDataObject;

namespace rivulet
{

struct OpenedInput
{
  std::vector<FlowInput> flows; ///< at least one; in the order of the blocks if there are several
  std::string vectors;          ///< name of the vectors in outputs
  std::string layout;           ///< text for users: how the input was interpreted
  std::string apart;            ///< reason why the blocks are not one flow; empty for one flow
};

/// Gives the user's choice of vectors for a dataset.
using ChooseArray = std::function<VectorChoice(vtkDataSet&)>;

/// `cache` may live for one execution or for all executions of the filter.
[[nodiscard]] Result<OpenedInput> open_input(
    vtkAlgorithm& filter, vtkDataObject* input, const ChooseArray& choose, MeshCache& cache);

} // namespace rivulet
