// SPDX-License-Identifier: BSD-3-Clause
#include "AmrMesh/AmrMesh.h"

#include "AmrMesh/RefineBox.h"

#include <algorithm>

namespace rivulet
{

namespace
{

Box domain_of(const AmrMeshLevel& level)
{
  return { {}, level.grid.cells() };
}

std::string name_of(int level, std::size_t box)
{
  return "box " + std::to_string(box) + " of level " + std::to_string(level);
}

Result<void> check_level(const std::vector<AmrMeshLevel>& levels, std::size_t number)
{
  const AmrMeshLevel& level = levels[number];
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

} // namespace

AmrMesh::AmrMesh(std::vector<AmrMeshLevel>&& levels)
  : levels_(std::move(levels))
  , cuts_(levels_.size())
{
  for (const AmrMeshLevel& level : levels_)
  {
    trees_.emplace_back(level.boxes);
  }
}

Result<AmrMesh> AmrMesh::create(std::vector<AmrMeshLevel> levels)
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
  AmrMesh grid(std::move(levels));
  for (int i = 0; i < grid.levels(); ++i)
  {
    if (Result<void> good = grid.find_overlap(i); !good)
    {
      return forward_error(good);
    }
  }
  if (!grid.choose_brick_cells())
  {
    return fail(ErrorCode::BadArgument,
        "the boxes have more cells than can be cut into " + std::to_string(kMostBins) + " bricks");
  }
  for (int i = 0; i < grid.levels(); ++i)
  {
    grid.cut(i);
  }
  return grid;
}

Result<void> AmrMesh::find_overlap(int number) const
{
  const std::vector<Box>& boxes = level(number).boxes;
  for (std::size_t i = 0; i < boxes.size(); ++i)
  {
    const auto self = static_cast<std::int32_t>(i);
    std::int32_t other = self;
    trees_[static_cast<std::size_t>(number)].visit(boxes[i],
        [&](std::int32_t box)
        {
          other = box;
          return box == self;
        });
    if (other != self)
    {
      return fail(ErrorCode::BadArgument, name_of(number, static_cast<std::size_t>(std::max(self, other))) +
                                              " overlaps box " + std::to_string(std::min(self, other)));
    }
  }
  return {};
}

/// False if no edge is possible.
bool AmrMesh::choose_brick_cells()
{
  const auto bins = [this]
  {
    double sum = 0.0; // a double: the number may exceed the range of integers
    for (const AmrMeshLevel& level : levels_)
    {
      for (const Box& box : level.boxes)
      {
        const Int3 count = bins_of(box).size();
        sum += static_cast<double>(count[0]) * count[1] * count[2];
      }
    }
    return sum;
  };
  while (brick_cells_ < kMostBrickCells && bins() > static_cast<double>(kMostBins))
  {
    brick_cells_ *= 2;
  }
  return bins() <= static_cast<double>(kMostBins);
}

Box AmrMesh::bins_of(const Box& cells) const
{
  Box bins;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    bins.begin[axis] = cells.begin[axis] / brick_cells_;
    bins.end[axis] = (cells.end[axis] - 1) / brick_cells_ + 1;
  }
  return bins;
}

/// Makes bricks of the cells of a level that no finer level covers.
void AmrMesh::cut(int number)
{
  const AmrMeshLevel& of = level(number);
  Cut& made = cuts_[static_cast<std::size_t>(number)];
  std::vector<Box> leaves;
  for (std::size_t i = 0; i < of.boxes.size(); ++i)
  {
    made.first_bin.push_back(static_cast<std::int64_t>(made.first_brick.size()));
    const Box bins = bins_of(of.boxes[i]);
    for (std::int64_t bin = 0; bin < bins.count(); ++bin)
    {
      const Int3 at = from_row_major(bin, bins.size());
      Box part = of.boxes[i];
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const std::int64_t begin = std::int64_t{ bins.begin[axis] + at[axis] } * brick_cells_;
        part.begin[axis] = static_cast<std::int32_t>(std::max<std::int64_t>(part.begin[axis], begin));
        part.end[axis] = static_cast<std::int32_t>(std::min<std::int64_t>(part.end[axis], begin + brick_cells_));
      }
      leaves_in(number, part, leaves);
      made.first_brick.push_back(static_cast<std::int32_t>(bricks_.size()));
      for (const Box& leaf : leaves)
      {
        bricks_.push_back({ number, static_cast<std::int32_t>(i), leaf });
      }
    }
  }
  made.first_brick.push_back(static_cast<std::int32_t>(bricks_.size()));
}

/// Leaves among some cells of one box: cells that no finer box covers.
void AmrMesh::leaves_in(int number, const Box& cells, std::vector<Box>& leaves) const
{
  leaves.assign(1, cells);
  if (number + 1 == levels())
  {
    return;
  }
  const AmrMeshLevel& finer = level(number + 1);
  std::vector<Box> rest;
  for (const std::int32_t child : boxes_in(number + 1, refine(cells, finer.ratio)))
  {
    rest.clear();
    for (const Box& piece : leaves)
    {
      subtract(piece, covered_by(finer.boxes[static_cast<std::size_t>(child)], finer.ratio), rest);
    }
    leaves.swap(rest);
  }
}

std::int64_t AmrMesh::nodes_around(const Int3& cells) const
{
  std::int64_t nodes = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    nodes *= flat(axis) ? 1 : std::int64_t{ cells[axis] } + 1;
  }
  return nodes;
}

std::int64_t AmrMesh::brick_of(int number, const Int3& cell) const
{
  const std::int32_t box = box_of(number, cell);
  if (box < 0)
  {
    return -1;
  }
  const auto in_box = static_cast<std::size_t>(box);
  const Cut& made = cuts_[static_cast<std::size_t>(number)];
  const Box bins = bins_of(level(number).boxes[in_box]);
  Int3 at;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    at[axis] = cell[axis] / brick_cells_ - bins.begin[axis];
  }
  const auto bin = static_cast<std::size_t>(made.first_bin[in_box] + row_major(at, bins.size()));
  for (std::int32_t i = made.first_brick[bin]; i < made.first_brick[bin + 1]; ++i)
  {
    if (brick(i).cells.contains(cell))
    {
      return i;
    }
  }
  return -1;
}

std::int32_t AmrMesh::box_of(int number, const Int3& cell) const
{
  std::int32_t found = -1;
  trees_[static_cast<std::size_t>(number)].visit({ cell, { cell[0] + 1, cell[1] + 1, cell[2] + 1 } },
      [&](std::int32_t box)
      {
        found = box;
        return false;
      });
  return found;
}

std::vector<std::int32_t> AmrMesh::boxes_in(int number, const Box& cells) const
{
  std::vector<std::int32_t> found;
  trees_[static_cast<std::size_t>(number)].visit(cells,
      [&](std::int32_t box)
      {
        found.push_back(box);
        return true;
      });
  std::sort(found.begin(), found.end());
  return found;
}

} // namespace rivulet
