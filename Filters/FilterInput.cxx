// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/FilterInput.h"

#include "Pipeline/ErrorReport.h"
#include "Pipeline/Ranks.h"
#include "vtkAlgorithm.h"
#include "vtkCellData.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkInformation.h"
#include "vtkPointData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <array>

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
  if (auto* dataset = vtkDataSet::SafeDownCast(input))
  {
    return dataset;
  }
  const std::string type = input != nullptr ? input->GetClassName() : "nothing";
  return fail(ErrorCode::Unsupported, "the input is a " + type + ", not image data or a rectilinear grid",
      vtkCompositeDataSet::SafeDownCast(input) != nullptr
          ? "take one block with Extract Block and Merge Blocks, or use "
            "Resample To Image"
          : "choose another input");
}

ChosenVectors chosen_vectors(vtkAlgorithm& filter, vtkDataSet& dataset, vtkDataArray* chosen, int association)
{
  vtkInformation* choice = filter.GetInputArrayInformation(0);
  const char* name = choice->Has(vtkDataObject::FIELD_NAME()) ? choice->Get(vtkDataObject::FIELD_NAME()) : nullptr;
  if (chosen != nullptr || (name != nullptr && *name != '\0'))
  {
    return { chosen, association == vtkDataObject::FIELD_ASSOCIATION_CELLS };
  }
  for (vtkDataSetAttributes* attributes : { static_cast<vtkDataSetAttributes*>(dataset.GetPointData()),
           static_cast<vtkDataSetAttributes*>(dataset.GetCellData()) })
  {
    for (int i = 0; i < attributes->GetNumberOfArrays(); ++i)
    {
      vtkDataArray* array = attributes->GetArray(i);
      if (array != nullptr && array->GetNumberOfComponents() == 3)
      {
        return { array, attributes == dataset.GetCellData() };
      }
    }
  }
  return {};
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
