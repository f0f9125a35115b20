// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Flow.h"

#include "Filters/TiledArray.h"
#include "Levels/RefinedBricks.h"
#include "Pipeline/GridConversion.h"
#include "Pipeline/LazyField.h"
#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkImageData.h"
#include "vtkPointData.h"
#include "vtkRivuletArray.h"

#include <algorithm>
#include <cstring>

namespace rivulet
{

namespace
{

template <class T>
const vtkRivuletArray<T>* as_lazy(vtkDataArray& array)
{
  const auto* lazy = dynamic_cast<const vtkRivuletArray<T>*>(&array);
  return lazy != nullptr && lazy->GetField() ? lazy : nullptr;
}

/// Whether the field can stand in for the array on `grid`: the same lattice, and flat along the same axes.
template <class T>
bool field_fits(const vtkRivuletArray<T>* lazy, const Grid& grid, Centering centering)
{
  if (lazy == nullptr || lazy->GetLatticeSize() != grid.lattice(centering))
  {
    return false;
  }
  const FieldInfo& info = lazy->GetField()->info();
  if (info.variables[static_cast<std::size_t>(lazy->GetVariable())].centering != centering)
  {
    return false;
  }
  const auto flat = [&](std::size_t axis)
  {
    return (grid.nodes[axis] > 1) == (info.grid.nodes[axis] > 1);
  };
  return flat(0) && flat(1) && flat(2);
}

bool interpolates(vtkDataSetAttributes& attributes, vtkDataArray* array)
{
  return array != nullptr && array->GetName() != nullptr && array != attributes.GetGlobalIds() &&
         std::strcmp(array->GetName(), vtkDataSetAttributes::GhostArrayName()) != 0;
}

} // namespace

Result<Flow> Flow::open(vtkDataSet* dataset, vtkDataArray* velocity, Centering centering)
{
  Result<Grid> grid = grid_of(dataset);
  if (!grid)
  {
    return forward_error(grid);
  }
  Flow flow;
  flow.dataset_ = dataset;
  flow.centering_ = centering;
  flow.field_.grid = std::move(*grid);
  if (Result<void> good = flow.take_ghosts(); !good)
  {
    return forward_error(good);
  }
  flow.velocity_ = velocity;
  flow.choose_lattice_offset(*velocity);
  Result<SourceArray> added = flow.add_array(*velocity, centering);
  if (!added)
  {
    return forward_error(added);
  }
  flow.field_.velocity = *added;
  return flow;
}

Result<Flow> Flow::open(LevelBlocks levels, vtkDataArray* velocity, Centering centering)
{
  Flow flow;
  flow.levels_ = std::move(levels);
  flow.dataset_ = flow.levels_.first();
  flow.velocity_ = velocity;
  flow.field_.grid = flow.levels_.grid->level(0).grid;
  flow.field_.velocity = flow.add_levels(*velocity, centering);
  return flow;
}

Result<void> Flow::take_ghosts()
{
  Result<const std::uint8_t*> points = ghosts_of(*dataset_, field_.grid, Centering::Node);
  if (!points)
  {
    return forward_error(points);
  }
  Result<const std::uint8_t*> cells = ghosts_of(*dataset_, field_.grid, Centering::Cell);
  if (!cells)
  {
    return forward_error(cells);
  }
  field_.point_ghosts = *points;
  field_.cell_ghosts = *cells;
  return {};
}

double Flow::longest_side() const
{
  std::array<double, 6> bounds;
  dataset_->GetBounds(bounds.data());
  double longest = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const Grid& grid = field_.grid; // of the whole domain, where the dataset is one of the blocks
    const double side =
        levels_.grid != nullptr ? (grid.nodes[axis] - 1) * grid.spacing[axis] : bounds[2 * axis + 1] - bounds[2 * axis];
    longest = std::max(longest, side);
  }
  return longest;
}

SourceArray Flow::add_levels(vtkDataArray& array, Centering centering)
{
  auto patches = std::make_shared<BlockValues>(levels_, array, centering);
  if (patches->store() && std::find(stores_.begin(), stores_.end(), patches->store()) == stores_.end())
  {
    stores_.push_back(patches->store());
  }
  level_bricks_.push_back(
      std::make_shared<RefinedBricks>(levels_.grid, std::move(patches), 0)); // a FieldRun says how much
  sources_.push_back(level_bricks_.back());
  return { sources_.back().get(), 0, 0 };
}

bool Flow::pages(vtkDataArray& array, Centering centering) const
{
  return field_fits(as_lazy<float>(array), field_.grid, centering) ||
         field_fits(as_lazy<double>(array), field_.grid, centering);
}

/// All sources must count lattice points alike: as the first lazily paged array does.
void Flow::choose_lattice_offset(vtkDataArray& velocity)
{
  if (pages(velocity, centering_))
  {
    field_.lattice_offset = lattice_offset_of(&velocity);
    return;
  }
  vtkPointData* data = dataset_->GetPointData();
  for (int i = 0; i < data->GetNumberOfArrays(); ++i)
  {
    if (vtkDataArray* array = data->GetArray(i); array != nullptr && pages(*array, Centering::Node))
    {
      field_.lattice_offset = lattice_offset_of(array);
      return;
    }
  }
}

Result<SourceArray> Flow::add_array(vtkDataArray& array, Centering centering)
{
  const bool paged = pages(array, centering) && lattice_offset_of(&array) == field_.lattice_offset;
  if (paged || (is_plain(array) && array.GetNumberOfComponents() <= 9))
  {
    Result<PipelineArray> made = make_source(&array, field_.grid, centering, field_.lattice_offset);
    if (!made)
    {
      return forward_error(made);
    }
    sources_.push_back(made->source);
    if (made->field && std::find(lazy_fields_.begin(), lazy_fields_.end(), made->field) == lazy_fields_.end())
    {
      lazy_fields_.push_back(made->field);
    }
    return made->array;
  }
  if (Result<void> good = check_length(array, field_.grid, centering); !good)
  {
    return forward_error(good);
  }
  sources_.push_back(std::make_shared<TiledArray>(array, field_.grid, centering, field_.lattice_offset));
  return SourceArray{ sources_.back().get(), 0, 0 };
}

Result<void> Flow::add_point_arrays()
{
  Result<void> added = add_arrays(*dataset_->GetPointData(), Centering::Node);
  if (added && levels_.grid != nullptr)
  {
    added = add_arrays(*dataset_->GetCellData(), Centering::Cell);
  }
  return added;
}

Result<void> Flow::add_arrays(vtkDataSetAttributes& attributes, Centering centering)
{
  for (int i = 0; i < attributes.GetNumberOfArrays(); ++i)
  {
    vtkDataArray* array = attributes.GetArray(i);
    const auto same_name = [&](const AttributeRequest& other)
    {
      return other.name == array->GetName();
    };
    if (!interpolates(attributes, array) || std::any_of(field_.attributes.begin(), field_.attributes.end(), same_name))
    {
      continue;
    }
    // The very source of the velocity, so that Core sees that it has these values already.
    const bool is_velocity = array == velocity_ && (levels_.grid != nullptr || centering == centering_);
    Result<SourceArray> added = is_velocity               ? field_.velocity
                                : levels_.grid != nullptr ? add_levels(*array, centering)
                                                          : add_array(*array, centering);
    if (!added)
    {
      return forward_error(added);
    }
    field_.attributes.push_back({ array->GetName(), *added });
    point_arrays_.push_back(array);
  }
  return {};
}

int Flow::attribute_type(vtkDataArray& array) const
{
  for (int type = 0; type < vtkDataSetAttributes::NUM_ATTRIBUTES; ++type)
  {
    const bool of_cells = levels_.grid != nullptr && dataset_->GetCellData()->GetAbstractAttribute(type) == &array;
    if (of_cells || dataset_->GetPointData()->GetAbstractAttribute(type) == &array)
    {
      return type;
    }
  }
  return -1;
}

void Flow::replace_source(const BrickSource* source, std::shared_ptr<BrickSource> other)
{
  const auto replace = [&](SourceArray& array)
  {
    array.source = array.source == source ? other.get() : array.source;
  };
  replace(field_.velocity);
  for (AttributeRequest& attribute : field_.attributes)
  {
    replace(attribute.array);
  }
  sources_.push_back(std::move(other));
}

} // namespace rivulet
