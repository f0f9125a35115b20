// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// An input that is spread over the ranks, as a whole on each of them: a line may lead anywhere. Readers give each rank
/// the part it asks for, which is all; a simulation has a piece on each rank, and so have filters of pieces.
///
///     vtkSmartPointer<vtkDataObject> input = ...;                 // of this rank
///     Result<void> good = make_whole(input, { filter, *info, ranks }, budget);
///
/// Image data, rectilinear, curvilinear and unstructured grids are put together within the memory budget. Other data of
/// a simulation on several ranks are refused, since lines would end where a rank's piece ends; so are other data that a
/// program hands over.
///
/// Collective. Threads: the one that called RequestData.
#pragma once

#include "Base/Result.h"
#include "Pipeline/Ranks.h"
#include "vtkDataObject.h"
#include "vtkSmartPointer.h"

class vtkAlgorithm;
class vtkInformation;

namespace rivulet
{

/// Where an input comes from.
struct WholeInput
{
  vtkAlgorithm& filter;
  vtkInformation& connection;
  const Ranks& ranks;
};

/// Replaces the rank's piece by the whole; it stays where each rank has all of it. `budget`: bytes; 0: the default.
/// Fails on all ranks: with BudgetTooSmall if the whole is above the budget; with Unsupported if it cannot be put
/// together.
[[nodiscard]] Result<void> make_whole(vtkSmartPointer<vtkDataObject>& input, const WholeInput& of, std::int64_t budget);

} // namespace rivulet
