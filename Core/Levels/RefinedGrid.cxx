// SPDX-License-Identifier: BSD-3-Clause
#include "Levels/RefinedGrid.h"

#include <algorithm>

namespace rivulet
{

namespace
{

Box domain_of(const RefinedLevel& level)
{
  return { {}, level.grid.cells() };
}

/// What is left of `from` without `without`, in at most six boxes.
void subtract(const Box& from, const Box& without, std::vector<Box>& left)
{
  const Box common = intersect(from, without);
  if (common.empty())
  {
    left.push_back(from);
    return;
  }
  Box rest = from;
  for (std::size_t axis = 3; axis-- > 0;)
  {
    Box below = rest;
    below.end[axis] = common.begin[axis];
    Box above = rest;
    above.begin[axis] = common.end[axis];
    for (const Box& part : { below, above })
    {
      if (!part.empty())
      {
        left.push_back(part);
      }
    }
    rest.begin[axis] = common.begin[axis];
    rest.end[axis] = common.end[axis];
  }
}

std::string name_of(int level, std::size_t box)
{
  return "box " + std::to_string(box) + " of level " + std::to_string(level);
}

Result<void> check_level(const std::vector<RefinedLevel>& levels, std::size_t number)
{
  const RefinedLevel& level = levels[number];
  const Int3 cells = level.grid.cells();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t ratio = level.ratio[axis];
    const std::int64_t wanted = number == 0 ? cells[axis] : levels[number - 1].grid.cells()[axis] * ratio;
    if (level.grid.kind != Grid::Kind::Uniform || ratio < 1 || cells[axis] != wanted)
    {
      return fail(ErrorCode::BadArgument,
          "the grid of level " + std::to_string(number) + " does not follow from that of the coarser level");
    }
  }
  for (std::size_t i = 0; i < level.boxes.size(); ++i)
  {
    const Box& box = level.boxes[i];
    if (box.empty() || intersect(box, domain_of(level)) != box)
    {
      return fail(ErrorCode::BadArgument, name_of(static_cast<int>(number), i) + " is empty or leaves the domain");
    }
  }
  return {};
}

/// Calls `visit` with every bin that shares cells with the box.
template <class Visit>
void for_each_bin(const Box& cells, const Int3& counts, const Visit& visit)
{
  constexpr std::int32_t edge = RefinedGrid::kBrickCells;
  Int3 at;
  for (at[2] = cells.begin[2] / edge; at[2] * edge < cells.end[2]; ++at[2])
  {
    for (at[1] = cells.begin[1] / edge; at[1] * edge < cells.end[1]; ++at[1])
    {
      for (at[0] = cells.begin[0] / edge; at[0] * edge < cells.end[0]; ++at[0])
      {
        const Int3 begin{ at[0] * edge, at[1] * edge, at[2] * edge };
        const Box bin{ begin, { begin[0] + edge, begin[1] + edge, begin[2] + edge } };
        visit(row_major(at, counts), intersect(bin, cells));
      }
    }
  }
}

} // namespace

Box covered_by(const Box& fine, const Int3& ratio)
{
  Box coarse;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    coarse.begin[axis] = (fine.begin[axis] + ratio[axis] - 1) / ratio[axis];
    coarse.end[axis] = fine.end[axis] / ratio[axis];
  }
  return coarse;
}

Box refined(const Box& coarse, const Int3& ratio)
{
  Box fine;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    fine.begin[axis] = coarse.begin[axis] * ratio[axis];
    fine.end[axis] = coarse.end[axis] * ratio[axis];
  }
  return fine;
}

RefinedGrid::RefinedGrid(std::vector<RefinedLevel>&& levels)
  : levels_(std::move(levels))
  , boxes_by_bin_(levels_.size())
  , bricks_by_bin_(levels_.size())
{
}

Result<RefinedGrid> RefinedGrid::create(std::vector<RefinedLevel> levels)
{
  if (levels.empty() || levels.front().boxes.empty())
  {
    return fail(ErrorCode::BadArgument, "the data has no levels, or no boxes on the coarsest");
  }
  for (std::size_t i = 0; i < levels.size(); ++i)
  {
    if (Result<void> good = check_level(levels, i); !good)
    {
      return forward_error(good);
    }
  }
  RefinedGrid grid(std::move(levels));
  for (int i = 0; i < grid.levels(); ++i)
  {
    if (Result<void> good = grid.fill_bins(i); !good)
    {
      return forward_error(good);
    }
  }
  for (int i = 0; i < grid.levels(); ++i)
  {
    grid.cut(i);
  }
  return grid;
}

Int3 RefinedGrid::bin_counts(int level) const
{
  Int3 counts = levels_[static_cast<std::size_t>(level)].grid.cells();
  for (std::int32_t& count : counts)
  {
    count = (count + kBrickCells - 1) / kBrickCells;
  }
  return counts;
}

std::int64_t RefinedGrid::bin_of(int level, const Int3& cell) const
{
  return row_major({ cell[0] / kBrickCells, cell[1] / kBrickCells, cell[2] / kBrickCells }, bin_counts(level));
}

Result<void> RefinedGrid::fill_bins(int number)
{
  const RefinedLevel& level = levels_[static_cast<std::size_t>(number)];
  Bins& bins = boxes_by_bin_[static_cast<std::size_t>(number)];
  std::string overlap;
  for (std::size_t i = 0; i < level.boxes.size(); ++i)
  {
    for_each_bin(level.boxes[i], bin_counts(number),
        [&](std::int64_t bin, const Box& part)
        {
          std::vector<std::int32_t>& there = bins[bin];
          const auto other = std::find_if(there.begin(), there.end(),
              [&](std::int32_t box) { return !intersect(level.boxes[static_cast<std::size_t>(box)], part).empty(); });
          if (other != there.end())
          {
            overlap = name_of(number, i) + " overlaps box " + std::to_string(*other);
          }
          there.push_back(static_cast<std::int32_t>(i));
        });
  }
  return overlap.empty() ? Result<void>{} : fail(ErrorCode::BadArgument, std::move(overlap));
}

/// Makes bricks of what finer levels leave of a level.
void RefinedGrid::cut(int number)
{
  const RefinedLevel& level = levels_[static_cast<std::size_t>(number)];
  const bool finest = number + 1 == levels();
  std::vector<Box> pieces;
  std::vector<Box> rest;
  for (std::size_t i = 0; i < level.boxes.size(); ++i)
  {
    for_each_bin(level.boxes[i], bin_counts(number),
        [&](std::int64_t bin, const Box& part)
        {
          pieces.assign(1, part);
          if (!finest)
          {
            const RefinedLevel& finer = levels_[static_cast<std::size_t>(number) + 1];
            for (const std::int32_t child : boxes_in(number + 1, refined(part, finer.ratio)))
            {
              rest.clear();
              for (const Box& piece : pieces)
              {
                subtract(piece, covered_by(finer.boxes[static_cast<std::size_t>(child)], finer.ratio), rest);
              }
              pieces.swap(rest);
            }
          }
          for (const Box& piece : pieces)
          {
            bricks_by_bin_[static_cast<std::size_t>(number)][bin].push_back(static_cast<std::int32_t>(bricks_.size()));
            bricks_.push_back({ number, static_cast<std::int32_t>(i), piece });
          }
        });
  }
}

std::int64_t RefinedGrid::brick_of(int level, const Int3& cell) const
{
  const Bins& bins = bricks_by_bin_[static_cast<std::size_t>(level)];
  const auto found = bins.find(bin_of(level, cell));
  if (found == bins.end())
  {
    return -1;
  }
  for (const std::int32_t number : found->second)
  {
    if (bricks_[static_cast<std::size_t>(number)].cells.contains(cell))
    {
      return number;
    }
  }
  return -1;
}

std::int32_t RefinedGrid::box_of(int level, const Int3& cell) const
{
  const Bins& bins = boxes_by_bin_[static_cast<std::size_t>(level)];
  const auto found = bins.find(bin_of(level, cell));
  if (found == bins.end())
  {
    return -1;
  }
  const std::vector<Box>& boxes = levels_[static_cast<std::size_t>(level)].boxes;
  for (const std::int32_t number : found->second)
  {
    if (boxes[static_cast<std::size_t>(number)].contains(cell))
    {
      return number;
    }
  }
  return -1;
}

std::vector<std::int32_t> RefinedGrid::boxes_in(int number, const Box& cells) const
{
  const RefinedLevel& level = levels_[static_cast<std::size_t>(number)];
  const Bins& bins = boxes_by_bin_[static_cast<std::size_t>(number)];
  const Box inside = intersect(cells, domain_of(level));
  std::vector<std::int32_t> found;
  if (inside.empty())
  {
    return found;
  }
  for_each_bin(inside, bin_counts(number),
      [&](std::int64_t bin, const Box& part)
      {
        const auto there = bins.find(bin);
        if (there == bins.end())
        {
          return;
        }
        std::copy_if(there->second.begin(), there->second.end(), std::back_inserter(found),
            [&](std::int32_t box) { return !intersect(level.boxes[static_cast<std::size_t>(box)], part).empty(); });
      });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

} // namespace rivulet
