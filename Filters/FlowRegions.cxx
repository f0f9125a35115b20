// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/FlowRegions.h"

#include "Filters/SeedShapes.h"
#include "vtkAbstractTransform.h"
#include "vtkBox.h"
#include "vtkCellData.h"
#include "vtkCompositeDataIterator.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkImplicitFunction.h"
#include "vtkPointData.h"
#include "vtkSmartPointer.h"
#include "vtkSphere.h"

#include <algorithm>
#include <set>

namespace rivulet
{

namespace
{

/// The smallest box around a box that a function's transform takes to the given one.
WorldBox bounds_before(vtkImplicitFunction& function, const Vec3& lower, const Vec3& upper)
{
  vtkAbstractTransform* const transform = function.GetTransform();
  WorldBox bounds = WorldBox::nothing();
  for (unsigned corner = 0; corner < 8; ++corner)
  {
    Vec3 point;
    for (std::size_t c = 0; c < 3; ++c)
    {
      point.at(c) = (corner >> c & 1U) != 0 ? upper.at(c) : lower.at(c);
    }
    if (transform != nullptr)
    {
      transform->GetInverse()->TransformPoint(point.data(), point.data());
    }
    bounds.add(point);
  }
  return bounds;
}

/// Bounds of the places where a function is not positive; infinite if they are not known.
WorldBox bounds_of(vtkImplicitFunction& function)
{
  if (auto* const box = vtkBox::SafeDownCast(&function))
  {
    Vec3 lower;
    Vec3 upper;
    box->GetXMin(lower.data());
    box->GetXMax(upper.data());
    return bounds_before(function, lower, upper);
  }
  if (auto* const sphere = vtkSphere::SafeDownCast(&function))
  {
    Vec3 lower;
    sphere->GetCenter(lower.data());
    Vec3 upper = lower;
    const double radius = sphere->GetRadius();
    for (std::size_t c = 0; c < 3; ++c)
    {
      lower.at(c) -= radius;
      upper.at(c) += radius;
    }
    return bounds_before(function, lower, upper);
  }
  return {};
}

Result<void> add_surface(vtkDataSet& dataset, const std::string& role, FlowRegions& to)
{
  Result<SeedMesh> mesh = triangles_of(dataset);
  Result<Region> region = mesh ? surface_region(mesh->points, mesh->triangles) : Result<Region>(forward_error(mesh));
  if (!region)
  {
    Error error = region.error();
    error.what = role + " surface " + std::to_string(to.regions.size()) + ": " + error.what;
    return tl::unexpected(std::move(error));
  }
  to.names.push_back(role + " " + std::to_string(to.regions.size()));
  to.regions.push_back(std::move(*region));
  return {};
}

/// An array of whole numbers, at points or at cells.
vtkDataArray* array_of_labels(vtkDataSet& dataset, const std::string& name, Centering& centering)
{
  centering = Centering::Node;
  vtkDataArray* array = dataset.GetPointData()->GetArray(name.c_str());
  if (array == nullptr)
  {
    centering = Centering::Cell;
    array = dataset.GetCellData()->GetArray(name.c_str());
  }
  const bool whole = array != nullptr && array->GetNumberOfComponents() == 1 && array->GetDataType() != VTK_FLOAT &&
                     array->GetDataType() != VTK_DOUBLE;
  return whole ? array : nullptr;
}

} // namespace

Result<FlowRegions> function_regions(vtkImplicitFunction* function, const std::string& role)
{
  if (function == nullptr)
  {
    return fail(ErrorCode::BadArgument, "there is no function for the " + role + " region", "choose one");
  }
  const vtkSmartPointer<vtkImplicitFunction> kept = function;
  Result<Region> region = function_region(
      [kept](const Vec3& place)
      {
        Vec3 x = place;
        return kept->FunctionValue(x.data());
      },
      bounds_of(*function));
  if (!region)
  {
    return forward_error(region);
  }
  FlowRegions regions;
  regions.regions.push_back(std::move(*region));
  regions.names.push_back(role);
  return regions;
}

Result<FlowRegions> surface_regions(std::span<vtkDataObject* const> surfaces, const std::string& role)
{
  FlowRegions regions;
  for (vtkDataObject* const object : surfaces)
  {
    if (auto* const dataset = vtkDataSet::SafeDownCast(object))
    {
      if (Result<void> added = add_surface(*dataset, role, regions); !added)
      {
        return forward_error(added);
      }
    }
    else if (auto* const blocks = vtkCompositeDataSet::SafeDownCast(object))
    {
      const auto iterator = vtkSmartPointer<vtkCompositeDataIterator>::Take(blocks->NewIterator());
      for (iterator->InitTraversal(); !iterator->IsDoneWithTraversal(); iterator->GoToNextItem())
      {
        auto* const block = vtkDataSet::SafeDownCast(iterator->GetCurrentDataObject());
        Result<void> added = block != nullptr ? add_surface(*block, role, regions) : Result<void>{};
        if (!added)
        {
          return forward_error(added);
        }
      }
    }
  }
  if (regions.regions.empty())
  {
    return fail(ErrorCode::BadArgument, "there is no " + role + " surface",
        "connect a closed surface, or choose another "
        "kind of region");
  }
  return regions;
}

Result<FlowRegions> label_regions(
    vtkDataSet& dataset, const TraceField& field, const std::string& array, std::vector<int> labels)
{
  Centering centering = Centering::Node;
  vtkDataArray* const values = array_of_labels(dataset, array, centering);
  if (values == nullptr)
  {
    return fail(ErrorCode::BadArgument, "the input has no array \"" + array + "\" of whole numbers at points or cells",
        "choose another array of labels");
  }
  auto kept = std::make_shared<std::vector<std::int32_t>>(static_cast<std::size_t>(values->GetNumberOfTuples()));
  for (std::size_t i = 0; i < kept->size(); ++i)
  {
    (*kept)[i] = static_cast<std::int32_t>(values->GetComponent(static_cast<vtkIdType>(i), 0));
  }
  if (labels.empty())
  {
    std::set<std::int32_t> all(kept->begin(), kept->end());
    all.erase(0);
    labels.assign(all.begin(), all.end());
  }
  if (labels.empty())
  {
    return fail(
        ErrorCode::BadArgument, "the array \"" + array + "\" has no label but 0", "choose another array of labels");
  }
  FlowRegions regions;
  regions.labels.push_back(kept);
  for (const int label : labels)
  {
    Result<Region> region = label_region(field.grid, *kept, centering, label);
    if (!region)
    {
      return forward_error(region);
    }
    regions.regions.push_back(std::move(*region));
    regions.names.push_back(array + " " + std::to_string(label));
  }
  return regions;
}

} // namespace rivulet
