// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/BlocksInput.h"

#include "Pipeline/GridConversion.h"
#include "Pipeline/SourceArrays.h"
#include "vtkDataArray.h"

namespace rivulet
{

std::vector<InputBlock> BlocksInput::blocks() const
{
  std::vector<InputBlock> all;
  for (const LatticeBlock& each : lattice_.blocks)
  {
    all.push_back(each.block);
  }
  return all;
}

Result<void> BlocksInput::describe(TraceField& field, const ChosenVectors&)
{
  const auto marks = [](const std::vector<std::uint8_t>& ghosts)
  {
    return ghosts.empty() ? nullptr : ghosts.data();
  };
  field.grid = lattice_.grid;
  field.point_ghosts = marks(lattice_.point_ghosts);
  field.cell_ghosts = marks(lattice_.cell_ghosts);
  return {};
}

double BlocksInput::longest_side(const TraceField& field) const
{
  return longest_side_of(bounds_of(field.grid));
}

/// Adds the part of each block.
Result<void> BlocksInput::add_parts(InputSources& sources, vtkDataArray& array, Centering centering,
    std::int32_t component, std::vector<JoinedPart>& parts) const
{
  for (const LatticeBlock& each : lattice_.blocks)
  {
    vtkDataArray* values = array_of(*each.block.dataset, array.GetName(), centering);
    if (Result<void> same = check_same_array(values, array, centering, each.block.name); !same)
    {
      return same;
    }
    const Int3 offset = pages(*values, each.grid, centering) ? lattice_offset_of(values) : Int3{ 0, 0, 0 };
    Result<SourceArray> added = sources.add_array(*values, each.grid, centering, offset);
    if (!added)
    {
      return forward_error(added);
    }
    const Box own = each.own(centering);
    Box box;
    Int3 from;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      box.begin[axis] = own.begin[axis] + each.begin[axis];
      box.end[axis] = own.end[axis] + each.begin[axis];
      from[axis] = own.begin[axis] + offset[axis];
    }
    parts.push_back(sources.part_of(*added, component, box, from));
  }
  return {};
}

Result<SourceArray> BlocksInput::add(
    InputSources& sources, const TraceField& field, vtkDataArray& array, Centering centering)
{
  std::vector<JoinedPart> parts;
  if (Result<void> good = add_parts(sources, array, centering, 0, parts); !good)
  {
    return forward_error(good);
  }
  const Variable variable{ array.GetName(), ScalarType::Float32, array.GetNumberOfComponents(), centering };
  return sources.join(joined_layout(field, variable), std::move(parts));
}

Result<SourceArray> BlocksInput::add_joined(
    InputSources& sources, const TraceField& field, const ChosenVectors& vectors)
{
  Result<std::vector<JoinedPart>> parts =
      parts_of_components(vectors, [&](vtkDataArray& array, std::int32_t component, std::vector<JoinedPart>& to)
          { return add_parts(sources, array, vectors.centering, component, to); });
  if (!parts)
  {
    return forward_error(parts);
  }
  JoinedLayout layout = joined_layout(field, { vectors.name, ScalarType::Float32, 3, vectors.centering });
  layout.ignore_above = vectors.ignore_above;
  return sources.join(std::move(layout), std::move(*parts));
}

} // namespace rivulet
