// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Seeds/RegionInputs.h"

#include "vtkDataSet.h"
#include "vtkInformationVector.h"

#include <algorithm>
#include <sstream>

namespace rivulet
{

Result<std::optional<double>> RegionInputs::look(
    vtkInformationVector& port, double asked, const std::array<double, 2>& range, bool anew)
{
  return choice_.kind == RegionChoice::Kind::Surfaces ? still_.look(port, asked, range, anew, choice_.role + " surface")
                                                      : std::optional<double>{};
}

vtkMTimeType RegionInputs::take(vtkInformationVector& port)
{
  vtkMTimeType changed = 0;
  surfaces_.clear();
  for (int i = 0; i < port.GetNumberOfInformationObjects(); ++i)
  {
    surfaces_.emplace_back(vtkDataObject::GetData(&port, i));
    changed = std::max(changed, surfaces_.back()->GetMTime());
  }
  return changed;
}

Result<void> RegionInputs::make(vtkDataObject* input, const TraceField& field)
{
  const auto keep = [this](Result<FlowRegions> made) -> Result<void>
  {
    regions_ = made ? std::move(*made) : FlowRegions{};
    return made ? Result<void>{} : forward_error(made);
  };
  if (choice_.kind == RegionChoice::Kind::Function)
  {
    return keep(function_regions(choice_.function, choice_.role));
  }
  if (choice_.kind == RegionChoice::Kind::Surfaces)
  {
    const std::vector<vtkDataObject*> surfaces(surfaces_.begin(), surfaces_.end());
    return keep(surface_regions(surfaces, choice_.role));
  }
  auto* const dataset = vtkDataSet::SafeDownCast(input);
  if (dataset == nullptr)
  {
    return fail(ErrorCode::Unsupported, "labels of composite data are no regions",
        "use an implicit function or closed surfaces, or Resample To Image");
  }
  return keep(label_regions(*dataset, field, choice_.label_array, choice_.labels));
}

Result<void> RegionInputs::check_labels(vtkDataObject& input, double time) const
{
  auto* const dataset = vtkDataSet::SafeDownCast(&input);
  if (dataset == nullptr || regions_.labels.empty())
  {
    return {};
  }
  Result<bool> same = has_labels(*dataset, choice_.label_array, regions_);
  if (!same)
  {
    return forward_error(same);
  }
  if (!*same)
  {
    std::ostringstream text;
    text << "the labels \"" << choice_.label_array << "\" change with time: at time " << time
         << " they are others than before";
    return fail(ErrorCode::Unsupported, text.str(), "make regions of labels that stay");
  }
  return {};
}

} // namespace rivulet
