// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Input/LevelsInput.h"

#include "AmrMesh/MovingLevels.h"
#include "vtkDataArray.h"
#include "vtkDoubleArray.h"
#include "vtkImageData.h"
#include "vtkNew.h"

#include <algorithm>

namespace rivulet
{

vtkDataSet& LevelsInput::first() const
{
  return *levels_.first();
}

std::vector<InputBlock> LevelsInput::blocks() const
{
  std::vector<InputBlock> all;
  for (std::size_t level = 0; level < levels_.blocks.size(); ++level)
  {
    for (std::size_t box = 0; box < levels_.blocks[level].size(); ++box)
    {
      if (vtkDataSet* image = levels_.blocks[level][box]; image != nullptr)
      {
        all.push_back({ image, "box " + std::to_string(box) + " of level " + std::to_string(level) });
      }
    }
  }
  return all;
}

Result<void> LevelsInput::describe(TraceField& field, const ChosenVectors&)
{
  field.grid = levels_.cut->level(0).grid;
  return {};
}

double LevelsInput::longest_side(const TraceField& field) const
{
  const Grid& grid = field.grid; // the whole domain
  double longest = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    longest = std::max(longest, (grid.nodes[axis] - 1) * grid.spacing[axis]);
  }
  return longest;
}

Result<SourceArray> LevelsInput::add(InputSources& sources, const TraceField&, vtkDataArray& array, Centering centering)
{
  vtkNew<vtkDoubleArray> like;
  vtkDataArray& common = common_array(blocks(), array, centering, *like);
  return sources.add_levels(cache_.array(levels_, common, centering));
}

Result<SourceArray> LevelsInput::add_joined(
    InputSources& sources, const TraceField& field, const ChosenVectors& vectors)
{
  const Box all = lattice_of(field, vectors.centering);
  Result<std::vector<JoinedPart>> parts = parts_of_components(vectors,
      [&](vtkDataArray& array, std::int32_t component, std::vector<JoinedPart>& to) -> Result<void>
      {
        Result<SourceArray> added = add_once(sources, field, array, vectors.centering);
        if (added)
        {
          to.push_back(sources.part_of(*added, component, all, all.begin));
        }
        return added ? Result<void>{} : forward_error(added);
      });
  if (!parts)
  {
    return forward_error(parts);
  }
  JoinedLayout layout = joined_layout(field, { vectors.name, ScalarType::Float32, 3, vectors.centering });
  layout.ignore_above = vectors.ignore_above;
  layout.variable.centering = Centering::Node;
  layout.may_wait = !sources.stores().empty();
  return sources.join(std::move(layout), std::move(*parts));
}

Result<std::unique_ptr<InputKind>> LevelsInput::cut_into(std::shared_ptr<const AmrMesh> bricks) const
{
  Result<std::shared_ptr<const AmrMesh>> mesh = with_levels_of(levels_.mesh, *bricks);
  if (!mesh)
  {
    return forward_error(mesh);
  }
  AmrBlocks levels{ std::move(*mesh), levels_.blocks, std::move(bricks) };
  levels.blocks.resize(static_cast<std::size_t>(levels.mesh->levels()));
  return std::make_unique<LevelsInput>(std::move(levels), cache_);
}

} // namespace rivulet
