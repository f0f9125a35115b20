// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// An input that is spread over the ranks, as a whole on each of them: a line may lead anywhere. Readers give each rank
/// what it asks for, which is all; a simulation has a piece on each rank, and so have filters of pieces.
///
///     Result<vtkSmartPointer<vtkDataObject>> whole = whole_input(filter, *info, budget, ranks);
///
/// Image data and rectilinear grids are put together within the memory budget. Other data of a simulation on several
/// ranks are refused, since lines would end where a rank's piece ends.
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

/// `budget`: bytes; 0: the default. The input of a connection; itself where each rank has all of it. Fails on all
/// ranks: with BudgetTooSmall if the whole is above the budget; with Unsupported if it cannot be put together.
[[nodiscard]] Result<vtkSmartPointer<vtkDataObject>> whole_input(
    vtkAlgorithm& filter, vtkInformation& connection, std::int64_t budget, const Ranks& ranks);

} // namespace rivulet
