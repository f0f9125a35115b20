// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/FilterInput.h"

#include "Pipeline/ErrorReport.h"
#include "Pipeline/Ranks.h"
#include "vtkAlgorithm.h"
#include "vtkCellData.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkImageData.h"
#include "vtkInformation.h"
#include "vtkPointData.h"
#include "vtkRectilinearGrid.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace rivulet
{

namespace
{

/// Arrays of three components, those of points first.
std::vector<ChosenVectors> vectors_of(vtkDataSet& dataset)
{
  std::vector<ChosenVectors> found;
  for (vtkDataSetAttributes* attributes : { static_cast<vtkDataSetAttributes*>(dataset.GetPointData()),
           static_cast<vtkDataSetAttributes*>(dataset.GetCellData()) })
  {
    for (int i = 0; i < attributes->GetNumberOfArrays(); ++i)
    {
      vtkDataArray* array = attributes->GetArray(i);
      if (array != nullptr && array->GetNumberOfComponents() == 3)
      {
        found.push_back({ array, attributes == dataset.GetCellData() });
      }
    }
  }
  return found;
}

std::string name_of(vtkDataArray& array)
{
  return array.GetName() != nullptr ? array.GetName() : "";
}

std::string remedy(const std::vector<ChosenVectors>& there)
{
  if (there.empty())
  {
    return "make one with Calculator";
  }
  constexpr std::size_t most = 8;
  std::string names;
  for (std::size_t i = 0; i < std::min(there.size(), most); ++i)
  {
    names += (i > 0 ? ", \"" : "\"") + name_of(*there[i].array) + (there[i].of_cells ? "\" (cells)" : "\" (points)");
  }
  return "choose under Vectors " + names + (there.size() > most ? ", ..." : "");
}

} // namespace

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
  if (vtkImageData::SafeDownCast(input) != nullptr || vtkRectilinearGrid::SafeDownCast(input) != nullptr)
  {
    if (dataset->GetNumberOfPoints() == 0)
    {
      return fail(ErrorCode::BadArgument, "the input has no points", "check the filter before this one");
    }
    return dataset;
  }
  const std::string type = input != nullptr ? input->GetClassName() : "nothing";
  const char* remedy = dataset != nullptr                                    ? "use Resample To Image first"
                       : vtkCompositeDataSet::SafeDownCast(input) != nullptr ? "take one block with Extract Block and "
                                                                               "Merge Blocks, or use Resample To Image"
                                                                             : "choose another input";
  return fail(ErrorCode::Unsupported, "the input is a " + type + ", not image data or a rectilinear grid", remedy);
}

Result<ChosenVectors> chosen_vectors(vtkAlgorithm& filter, vtkDataSet& dataset, vtkDataArray* chosen, int association)
{
  vtkInformation* choice = filter.GetInputArrayInformation(0);
  const char* name = choice->Has(vtkDataObject::FIELD_NAME()) ? choice->Get(vtkDataObject::FIELD_NAME()) : nullptr;
  const bool of_cells = association == vtkDataObject::FIELD_ASSOCIATION_CELLS;
  const std::vector<ChosenVectors> there = vectors_of(dataset);
  if (chosen != nullptr && chosen->GetNumberOfComponents() == 3)
  {
    return ChosenVectors{ chosen, of_cells };
  }
  if (chosen != nullptr)
  {
    return fail(ErrorCode::BadArgument,
        "the array \"" + name_of(*chosen) + "\" has " + std::to_string(chosen->GetNumberOfComponents()) +
            " components, vectors have 3",
        remedy(there));
  }
  if (name != nullptr && *name != '\0')
  {
    return fail(ErrorCode::NotFound,
        std::string("the input has no array \"") + name + "\" of numbers " + (of_cells ? "on cells" : "on points"),
        remedy(there));
  }
  if (there.empty())
  {
    return fail(ErrorCode::NotFound, "the input has no vector array to follow", remedy(there));
  }
  return there.front();
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
