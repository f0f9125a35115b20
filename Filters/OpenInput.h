// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The input of a flow filter, whatever it is made of, as one flow, or as one for each block.
///
///     Result<OpenedInput> input = open_input(filter, data, choose, cache);
///     if (input) trace_streamlines(input->flows.front().field(), ...);
///
/// Composite data: one block is as that block; image data and rectilinear grids that tile a box are one grid; uniform
/// grids on nested lattices are levels. Others are flows of their own, each with an end at its border.
///
/// Threads: the one that called RequestData. Lifetime: data and cache must outlive the answer.
#pragma once

#include "Filters/FlowInput.h"

#include <functional>
#include <string>
#include <vector>

class vtkAlgorithm;
class vtkDataObject;

namespace rivulet
{

struct OpenedInput
{
  std::vector<FlowInput> flows; ///< at least one; in the order of the blocks where there are several
  std::string vectors;          ///< their name in outputs
  std::string layout;           ///< what the input was taken for, to be read by people
  std::string apart;            ///< why blocks are no flow together; empty for one flow
};

/// What the user chose, for a dataset.
using ChooseArray = std::function<VectorChoice(vtkDataSet&)>;

/// `cache`: from one execution to the next, or for one alone.
[[nodiscard]] Result<OpenedInput> open_input(
    vtkAlgorithm& filter, vtkDataObject* input, const ChooseArray& choose, AmrCache& cache);

} // namespace rivulet
