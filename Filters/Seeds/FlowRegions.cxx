// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Seeds/FlowRegions.h"

#include "Filters/Seeds/SeedShapes.h"
#include "Trace/Mesh/ForeignCells.h"
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
#include <cmath>
#include <iterator>
#include <sstream>

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

template <class Number>
void add_numbers(const Number* values, vtkIdType count, std::vector<std::int64_t>& to)
{
  std::transform(
      values, values + count, std::back_inserter(to), [](Number value) { return static_cast<std::int64_t>(value); });
}

/// The array may be paged, and is read value by value.
Result<void> add_floats(vtkDataArray& array, std::vector<std::int64_t>& to)
{
  static constexpr double kExact = 9007199254740992.0; // 2^53
  for (vtkIdType i = 0; i < array.GetNumberOfTuples(); ++i)
  {
    const double value = array.GetComponent(i, 0);
    const bool none = std::isnan(value);
    if (!none && !(std::abs(value) <= kExact && std::floor(value) == value))
    {
      std::ostringstream text;
      text << "the array \"" << array.GetName() << "\" has the value " << value << ", which is no label";
      return fail(ErrorCode::BadArgument, text.str(), "choose an array of whole numbers");
    }
    to.push_back(none ? 0 : static_cast<std::int64_t>(value));
  }
  return {};
}

/// A label as the array has it.
std::string text_of(std::int64_t label, vtkDataArray& array)
{
  const bool without_sign = array.GetDataTypeMin() >= 0.0;
  return without_sign ? std::to_string(static_cast<std::uint64_t>(label)) : std::to_string(label);
}

/// Numbers for labels, in the order of the labels; the label 0 has one, too.
std::vector<std::int64_t> different(const std::vector<std::int64_t>& labels)
{
  std::vector<std::int64_t> all;
  for (std::size_t i = 0; i < labels.size(); ++i)
  {
    if (i == 0 || labels[i] != labels[i - 1]) // neighbours are mostly alike
    {
      all.push_back(labels[i]);
    }
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
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

Result<LabelArray> LabelArray::find(vtkDataSet& dataset, const std::string& name)
{
  LabelArray found;
  found.array = dataset.GetPointData()->GetArray(name.c_str());
  if (found.array == nullptr)
  {
    found.centering = Centering::Cell;
    found.array = dataset.GetCellData()->GetArray(name.c_str());
  }
  if (found.array == nullptr || found.array->GetNumberOfComponents() != 1)
  {
    return fail(ErrorCode::BadArgument, "the input has no array \"" + name + "\" of whole numbers at points or cells",
        "choose another array of labels");
  }
  return found;
}

Result<std::vector<std::int64_t>> LabelArray::labels() const
{
  std::vector<std::int64_t> all;
  const vtkIdType count = array->GetNumberOfTuples();
  all.reserve(static_cast<std::size_t>(count));
  if (array->GetDataType() == VTK_FLOAT || array->GetDataType() == VTK_DOUBLE)
  {
    Result<void> added = add_floats(*array, all);
    return added ? Result<std::vector<std::int64_t>>(std::move(all)) : forward_error(added);
  }
  switch (array->GetDataType())
  {
    vtkTemplateMacro(add_numbers(static_cast<const VTK_TT*>(array->GetVoidPointer(0)), count, all));
  }
  return all;
}

namespace
{

Result<Region> region_of(
    const TraceField& field, std::span<const std::int32_t> labels, Centering centering, std::int32_t label)
{
  if (field.foreign == nullptr && field.curvilinear == nullptr)
  {
    return label_region(field.grid, labels, centering, label);
  }
  Result<GridGeometry> box = GridGeometry::create(field.grid); // the bounds of the mesh
  if (!box)
  {
    return forward_error(box);
  }
  const auto count_of = [&](const ForeignCells& cells)
  {
    return centering == Centering::Node ? cells.nodes() : cells.cells();
  };
  const std::int64_t count =
      field.foreign != nullptr ? count_of(*field.foreign) : volume(field.grid.lattice(centering));
  return label_region(bounds_of(*box), count, labels, centering, label);
}

} // namespace

Result<FlowRegions> label_regions(
    vtkDataSet& dataset, const TraceField& field, const std::string& array, const std::vector<int>& labels)
{
  Result<LabelArray> found = LabelArray::find(dataset, array);
  if (!found)
  {
    return forward_error(found);
  }
  Result<std::vector<std::int64_t>> of_places = found->labels();
  if (!of_places)
  {
    return forward_error(of_places);
  }
  FlowRegions regions;
  regions.of_numbers = different(*of_places);
  const auto number_of = [&](std::int64_t label)
  {
    const auto at = std::lower_bound(regions.of_numbers.begin(), regions.of_numbers.end(), label);
    const bool is_there = at != regions.of_numbers.end() && *at == label;
    return is_there ? static_cast<std::int32_t>(at - regions.of_numbers.begin()) : -1;
  };
  std::vector<std::int64_t> wanted(labels.begin(), labels.end());
  if (wanted.empty())
  {
    wanted = regions.of_numbers;
    std::erase(wanted, 0);
  }
  if (wanted.empty())
  {
    return fail(
        ErrorCode::BadArgument, "the array \"" + array + "\" has no label but 0", "choose another array of labels");
  }
  const auto numbers = std::make_shared<std::vector<std::int32_t>>(of_places->size());
  std::transform(of_places->begin(), of_places->end(), numbers->begin(), number_of);
  regions.labels.push_back(numbers);
  for (const std::int64_t label : wanted)
  {
    Result<Region> region = region_of(field, *numbers, found->centering, number_of(label));
    if (!region)
    {
      return forward_error(region);
    }
    regions.regions.push_back(std::move(*region));
    regions.names.push_back(array + " " + text_of(label, *found->array));
  }
  return regions;
}

Result<bool> has_labels(vtkDataSet& dataset, const std::string& array, const FlowRegions& regions)
{
  Result<LabelArray> found = LabelArray::find(dataset, array);
  Result<std::vector<std::int64_t>> now = found ? found->labels() : forward_error(found);
  if (!now)
  {
    return forward_error(now);
  }
  const std::vector<std::int32_t>& numbers = *regions.labels.front();
  return std::equal(now->begin(), now->end(), numbers.begin(), numbers.end(),
      [&](std::int64_t label, std::int32_t number)
      { return label == regions.of_numbers[static_cast<std::size_t>(number)]; });
}

} // namespace rivulet
