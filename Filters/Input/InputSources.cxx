// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/InputSources.h"

#include "Filters/Input/TiledArray.h"
#include "Pipeline/GridConversion.h"
#include "Pipeline/LazyValues.h"
#include "Pipeline/SourceArrays.h"
#include "vtkDataArray.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr int kMostComponents = 9; ///< of an array that is read in place

const Variable& variable_of(const JoinedPart& part)
{
  return part.source->info().variables[static_cast<std::size_t>(part.variable)];
}

/// Times of the steps that all parts have in files; empty unless all have the same, and are shown at the same one.
std::vector<double> common_times(const std::vector<JoinedPart>& parts)
{
  const JoinedPart& first = parts.front();
  const std::vector<double>& times = first.source->info().times;
  const bool same = std::all_of(parts.begin(), parts.end(),
      [&](const JoinedPart& part)
      {
        return dynamic_cast<FileBricks*>(part.source.get()) != nullptr && part.step == first.step &&
               part.source->info().times == times;
      });
  return same && times.size() > 1 ? times : std::vector<double>{};
}

} // namespace

bool pages(vtkDataArray& array, const Grid& grid, Centering centering)
{
  const LazyValues* const lazy = lazy_values(&array);
  if (lazy == nullptr || lazy->block().box.size() != grid.lattice(centering))
  {
    return false;
  }
  const FieldInfo& info = lazy->field()->info();
  if (lazy->variable().centering != centering)
  {
    return false;
  }
  const auto flat = [&](std::size_t axis)
  {
    return (grid.nodes[axis] > 1) == (info.grid.nodes[axis] > 1);
  };
  return flat(0) && flat(1) && flat(2);
}

Box lattice_of(const TraceField& field, Centering centering)
{
  Box box{ field.lattice_offset, field.grid.lattice(centering) };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.end[axis] += box.begin[axis];
  }
  return box;
}

JoinedLayout joined_layout(const TraceField& field, const Variable& variable)
{
  JoinedLayout layout;
  layout.grid = field.grid;
  layout.variable = variable;
  layout.held = lattice_of(field, variable.centering);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    layout.grid.nodes[axis] += field.lattice_offset[axis];
  }
  return layout;
}

InputSources::InputSources()
  : tiles_(std::make_shared<TileMemory>())
{
}

SourceArray InputSources::add(std::shared_ptr<BrickSource> source)
{
  all_.push_back(std::move(source));
  return { all_.back().get(), 0, 0 };
}

Result<SourceArray> InputSources::add_array(
    vtkDataArray& array, const Grid& grid, Centering centering, const Int3& lattice_offset)
{
  const bool paged = pages(array, grid, centering) && lattice_offset_of(&array) == lattice_offset;
  if (paged || (is_plain(array) && array.GetNumberOfComponents() <= kMostComponents))
  {
    Result<PipelineArray> made = make_source(&array, grid, centering, lattice_offset);
    if (!made)
    {
      return forward_error(made);
    }
    all_.push_back(made->source);
    if (made->field && std::find(lazy_fields_.begin(), lazy_fields_.end(), made->field) == lazy_fields_.end())
    {
      lazy_fields_.push_back(made->field);
    }
    return made->array;
  }
  if (Result<void> good = check_length(array, grid, centering); !good)
  {
    return forward_error(good);
  }
  return add(std::make_shared<TiledArray>(array, grid, centering, lattice_offset, tiles_));
}

SourceArray InputSources::add_levels(const MeshCache::Array& array)
{
  const std::shared_ptr<BudgetedStore>& store = array.values->store();
  if (store && std::find(stores_.begin(), stores_.end(), store) == stores_.end())
  {
    stores_.push_back(store);
  }
  amr_bricks_.push_back(array.bricks);
  return add(array.bricks);
}

JoinedPart InputSources::part_of(
    const SourceArray& array, std::int32_t component, const Box& box, const Int3& from) const
{
  const auto source = std::find_if(
      all_.begin(), all_.end(), [&](const std::shared_ptr<BrickSource>& other) { return other.get() == array.source; });
  return { *source, array.variable, array.step, component, box, from };
}

SourceArray InputSources::join(JoinedLayout layout, std::vector<JoinedPart> parts)
{
  for (const JoinedPart& part : parts)
  {
    layout.variable.type = variable_of(part).type == ScalarType::Float64 ? ScalarType::Float64 : layout.variable.type;
    layout.may_wait = layout.may_wait || dynamic_cast<FileBricks*>(part.source.get()) != nullptr;
  }
  layout.times = common_times(parts);
  const std::int32_t step = layout.times.empty() ? 0 : parts.front().step;
  joined_bricks_.push_back(std::make_shared<JoinedBricks>(std::move(layout), std::move(parts)));
  SourceArray joined = add(joined_bricks_.back());
  joined.step = step;
  return joined;
}

const SourceArray* InputSources::kept(vtkDataArray& array, Centering centering) const
{
  const auto found = kept_.find({ &array, centering });
  return found != kept_.end() ? &found->second : nullptr;
}

void InputSources::keep(vtkDataArray& array, Centering centering, const SourceArray& source)
{
  kept_[{ &array, centering }] = source;
}

} // namespace rivulet
