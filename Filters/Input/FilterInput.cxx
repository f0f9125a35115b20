// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/FilterInput.h"

#include "Pipeline/ErrorReport.h"
#include "Pipeline/Ranks.h"
#include "vtkAlgorithm.h"
#include "vtkDataSet.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkRectilinearGrid.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <array>
#include <string>

namespace rivulet
{

void request_all_of(vtkInformation& input)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  input.Set(Pipeline::UPDATE_PIECE_NUMBER(), 0);
  input.Set(Pipeline::UPDATE_NUMBER_OF_PIECES(), 1);
  input.Set(Pipeline::UPDATE_NUMBER_OF_GHOST_LEVELS(), 0);
  if (input.Has(Pipeline::WHOLE_EXTENT()))
  {
    std::array<int, 6> extent;
    input.Get(Pipeline::WHOLE_EXTENT(), extent.data());
    input.Set(Pipeline::UPDATE_EXTENT(), extent.data(), 6);
  }
}

Result<vtkDataSet*> as_dataset(vtkDataObject* input)
{
  auto* dataset = vtkDataSet::SafeDownCast(input);
  if (dataset == nullptr)
  {
    const std::string type = input != nullptr ? input->GetClassName() : "nothing";
    return fail(ErrorCode::Unsupported, "the input is a " + type + ", which has no cells", "choose another input");
  }
  if (dataset->GetNumberOfPoints() == 0)
  {
    return fail(ErrorCode::BadArgument, "the input has no points", "check the filter before this one");
  }
  return dataset;
}

bool is_grid(vtkDataSet& dataset)
{
  return vtkImageData::SafeDownCast(&dataset) != nullptr || vtkRectilinearGrid::SafeDownCast(&dataset) != nullptr;
}

int refuse(vtkAlgorithm& filter, const Error& error)
{
  if (Ranks().rank() == 0)
  {
    report_error(&filter, error);
  }
  return 1;
}

} // namespace rivulet
