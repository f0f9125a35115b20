// SPDX-License-Identifier: BSD-3-Clause
#include "Levels/PublishedLevels.h"

#include "AmrMesh/BoxTree.h"
#include "Fields/DistributedField.h"

#include <algorithm>
#include <tuple>

namespace rivulet
{

namespace
{

std::string level_of(const ChosenField& chosen, std::size_t level)
{
  return "level " + std::to_string(level) + " of the field \"" + std::string(chosen.field->name) + "\"";
}

std::string name_of(const SpreadBlock& block)
{
  return "patch " + std::to_string(block.number) + " of rank " + std::to_string(block.rank);
}

std::string text_of(const Int3& at)
{
  return "(" + std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " + std::to_string(at[2]) + ")";
}

/// The grid of the whole domain in the cells of a level.
Grid grid_of(const ChosenField& chosen, std::int32_t level)
{
  Grid grid = chosen.info.grid;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.nodes[axis] = static_cast<std::int32_t>(cells_of_level(*chosen.field, level, axis)) + 1;
    grid.spacing[axis] /= static_cast<double>(cells_per_coarsest(*chosen.field, level, axis));
  }
  return grid;
}

Int3 ratio_of(const rivulet_field& field, std::size_t level)
{
  const std::int32_t* const ratio = level == 0 ? nullptr : field.ratio + 3 * (level - 1);
  return ratio == nullptr ? Int3{ 1, 1, 1 } : Int3{ ratio[0], ratio[1], ratio[2] };
}

/// Numbers of the blocks of each level in the order of their places.
std::vector<std::vector<std::size_t>> by_level(const ChosenField& chosen, const std::vector<SpreadBlock>& blocks)
{
  std::vector<std::vector<std::size_t>> levels(static_cast<std::size_t>(chosen.field->levels));
  for (std::size_t number = 0; number < blocks.size(); ++number)
  {
    levels[static_cast<std::size_t>(blocks[number].level)].push_back(number);
  }
  const auto place = [&](std::size_t number)
  {
    const Int3& begin = blocks[number].points.begin;
    return std::tuple(begin[2], begin[1], begin[0], number);
  };
  for (std::vector<std::size_t>& level : levels)
  {
    std::sort(level.begin(), level.end(), [&](std::size_t a, std::size_t b) { return place(a) < place(b); });
  }
  while (levels.size() > 1 && levels.back().empty())
  {
    levels.pop_back();
  }
  return levels;
}

Result<void> check_overlap(
    const ChosenField& chosen, const PublishedLevels& found, std::size_t level, const std::vector<SpreadBlock>& blocks)
{
  const std::vector<Box>& boxes = found.levels[level].boxes;
  const BoxTree tree(boxes);
  for (std::size_t i = 0; i < boxes.size(); ++i)
  {
    std::size_t other = i;
    tree.visit(boxes[i],
        [&](std::int32_t box)
        {
          other = static_cast<std::size_t>(box);
          return other == i;
        });
    if (other != i)
    {
      const Box region = intersect(boxes[i], boxes[other]);
      const std::vector<std::size_t>& numbers = found.blocks[level];
      return fail(ErrorCode::BadArgument,
          name_of(blocks[numbers[std::min(i, other)]]) + " and " + name_of(blocks[numbers[std::max(i, other)]]) +
              " overlap on " + level_of(chosen, level) + " from " + text_of(region.begin) + " to " +
              text_of(region.end),
          "publish every cell of a level once, and shared ones as ghosts");
    }
  }
  return {};
}

Result<void> check_coarsest(
    const ChosenField& chosen, const PublishedLevels& found, const std::vector<SpreadBlock>& blocks)
{
  std::vector<SpreadBlock> coarsest;
  for (const std::size_t number : found.blocks.front())
  {
    coarsest.push_back(blocks[number]);
  }
  Result<void> covered = check_cover(coarsest, chosen.lattice());
  if (!covered)
  {
    covered.error().what = level_of(chosen, 0) + " does not cover the domain: " + covered.error().what;
  }
  return covered;
}

} // namespace

Result<PublishedLevels> find_levels(const ChosenField& chosen, const std::vector<SpreadBlock>& blocks)
{
  PublishedLevels found;
  found.blocks = by_level(chosen, blocks);
  for (std::size_t level = 0; level < found.blocks.size(); ++level)
  {
    AmrMeshLevel& made = found.levels.emplace_back();
    made.grid = grid_of(chosen, static_cast<std::int32_t>(level));
    made.ratio = ratio_of(*chosen.field, level);
    for (const std::size_t number : found.blocks[level])
    {
      made.boxes.push_back(blocks[number].points);
    }
    if (made.boxes.empty() && level > 0)
    {
      return fail(ErrorCode::BadArgument,
          level_of(chosen, level) + " has no patches, and level " + std::to_string(found.blocks.size() - 1) +
              " has some",
          "publish the patches of all levels below the finest one");
    }
    if (Result<void> apart = check_overlap(chosen, found, level, blocks); !apart)
    {
      return forward_error(apart);
    }
  }
  if (Result<void> covered = check_coarsest(chosen, found, blocks); !covered)
  {
    return forward_error(covered);
  }
  return found;
}

} // namespace rivulet
