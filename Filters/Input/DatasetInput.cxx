// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/DatasetInput.h"

#include "Pipeline/GridConversion.h"
#include "Pipeline/SourceArrays.h"
#include "vtkDataArray.h"
#include "vtkDataSet.h"
#include "vtkPointData.h"

#include <array>

namespace rivulet
{

Result<void> DatasetInput::describe(TraceField& field, const ChosenVectors& vectors)
{
  Result<Grid> grid = grid_of(&dataset_);
  if (!grid)
  {
    return forward_error(grid);
  }
  field.grid = std::move(*grid);
  if (Result<void> good = take_ghosts(field); !good)
  {
    return good;
  }
  if (!joined_)
  {
    choose_lattice_offset(field, vectors);
  }
  return {};
}

Result<void> DatasetInput::take_ghosts(TraceField& field) const
{
  Result<const std::uint8_t*> points = ghosts_of(dataset_, field.grid, Centering::Node);
  if (!points)
  {
    return forward_error(points);
  }
  Result<const std::uint8_t*> cells = ghosts_of(dataset_, field.grid, Centering::Cell);
  if (!cells)
  {
    return forward_error(cells);
  }
  field.point_ghosts = *points;
  field.cell_ghosts = *cells;
  return {};
}

/// All sources must count lattice points from the same origin: that of the first lazily paged array.
void DatasetInput::choose_lattice_offset(TraceField& field, const ChosenVectors& vectors) const
{
  for (vtkDataArray* array : vectors.arrays)
  {
    if (array != nullptr && pages(*array, field.grid, vectors.centering))
    {
      field.lattice_offset = lattice_offset_of(array);
      return;
    }
  }
  vtkPointData* data = dataset_.GetPointData();
  for (int i = 0; i < data->GetNumberOfArrays(); ++i)
  {
    if (vtkDataArray* array = data->GetArray(i); array != nullptr && pages(*array, field.grid, Centering::Node))
    {
      field.lattice_offset = lattice_offset_of(array);
      return;
    }
  }
}

double DatasetInput::longest_side(const TraceField&) const
{
  std::array<double, 6> bounds;
  dataset_.GetBounds(bounds.data());
  return longest_side_of(bounds);
}

/// The array as a part of a joined one: all of it.
Result<JoinedPart> DatasetInput::part(
    InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering, std::int32_t component)
{
  const Box all = lattice_of(field, centering);
  const Int3 none{ 0, 0, 0 };
  const Int3 from = !joined_ ? all.begin : pages(array, field.grid, centering) ? lattice_offset_of(&array) : none;
  Result<SourceArray> added =
      joined_ ? sources.add_array(array, field.grid, centering, from) : add_once(sources, field, array, centering);
  if (!added)
  {
    return forward_error(added);
  }
  return sources.part_of(*added, component, all, from);
}

Result<SourceArray> DatasetInput::add(
    InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering)
{
  if (!joined_)
  {
    return sources.add_array(array, field.grid, centering, field.lattice_offset);
  }
  Result<JoinedPart> all = part(sources, field, array, centering, 0);
  if (!all)
  {
    return forward_error(all);
  }
  JoinedLayout layout =
      joined_layout(field, { array.GetName(), ScalarType::Float32, array.GetNumberOfComponents(), centering });
  layout.cut_by_grid = true;
  return sources.join(std::move(layout), { std::move(*all) });
}

Result<SourceArray> DatasetInput::add_joined(
    InputSources& sources, const TraceField& field, const ChosenVectors& vectors)
{
  Result<std::vector<JoinedPart>> parts = parts_of_components(vectors,
      [&](vtkDataArray& array, std::int32_t component, std::vector<JoinedPart>& to) -> Result<void>
      {
        Result<JoinedPart> one = part(sources, field, array, vectors.centering, component);
        if (!one)
        {
          return forward_error(one);
        }
        to.push_back(std::move(*one));
        return {};
      });
  if (!parts)
  {
    return forward_error(parts);
  }
  JoinedLayout layout = joined_layout(field, { vectors.name, ScalarType::Float32, 3, vectors.centering });
  layout.ignore_above = vectors.ignore_above;
  layout.cut_by_grid = joined_;
  return sources.join(std::move(layout), std::move(*parts));
}

Result<std::unique_ptr<InputKind>> DatasetInput::joined() const
{
  return std::make_unique<DatasetInput>(dataset_, true);
}

} // namespace rivulet
