// SPDX-License-Identifier: BSD-3-Clause
#include "Core/AmrMesh/AmrInMemory.h"

#include "AmrMesh/RefineBox.h"

#include <random>

namespace rivulet::test
{

namespace
{

class RandomBoxes
{
public:
  RandomBoxes(unsigned int seed, int axes)
    : random_(seed)
    , axes_(static_cast<std::size_t>(axes))
  {
  }

  [[nodiscard]] std::int32_t up_to(std::int32_t most)
  {
    return std::uniform_int_distribution<std::int32_t>(0, most)(random_);
  }

  /// One along the axis that there is not.
  [[nodiscard]] Int3 numbers(std::int32_t least, std::int32_t most)
  {
    Int3 made{ 1, 1, 1 };
    std::generate_n(made.begin(), axes_, [&] { return least + up_to(most - least); });
    return made;
  }

  /// A domain in two parts or three, of which one may be missing.
  [[nodiscard]] std::vector<Box> parts_of(const Int3& cells)
  {
    std::vector<Box> parts{ { {}, cells } };
    for (int cut = 0; cut < 2; ++cut)
    {
      Box& last = parts.back();
      const auto axis = static_cast<std::size_t>(up_to(static_cast<std::int32_t>(axes_) - 1));
      if (last.size()[axis] > 1)
      {
        Box upper = last;
        last.end[axis] = upper.begin[axis] = last.begin[axis] + 1 + up_to(last.size()[axis] - 2);
        parts.push_back(upper);
      }
    }
    if (parts.size() == 3 && up_to(2) == 0)
    {
      parts.erase(parts.begin() + up_to(2));
    }
    return parts;
  }

  /// Part of a coarser box; one in four ends a cell before that of the coarser level does.
  [[nodiscard]] Box within(const Box& coarse, const Int3& ratio)
  {
    Box part = coarse;
    for (std::size_t axis = 0; axis < axes_; ++axis)
    {
      part.begin[axis] += up_to(coarse.size()[axis] - 1);
      const std::int32_t room = coarse.end[axis] - part.begin[axis];
      part.end[axis] = part.begin[axis] + 1 + (up_to(2) == 0 ? 0 : up_to(room - 1));
    }
    Box fine = refine(part, ratio);
    const auto axis = static_cast<std::size_t>(up_to(static_cast<std::int32_t>(axes_) - 1));
    fine.end[axis] -= up_to(3) == 0 && fine.size()[axis] > 1 ? 1 : 0;
    return fine;
  }

private:
  std::mt19937 random_;
  std::size_t axes_;
};

} // namespace

AmrMesh random_levels(unsigned int seed, int axes)
{
  RandomBoxes random(seed, axes);
  std::vector<AmrMeshLevel> levels;
  Int3 cells = random.numbers(1, 6);
  for (int number = 0; number < 3; ++number)
  {
    AmrMeshLevel level;
    level.ratio = number == 0 ? Int3{ 1, 1, 1 } : random.numbers(2, 4);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      cells[axis] *= level.ratio[axis];
      level.grid.nodes[axis] = static_cast<int>(axis) < axes ? cells[axis] + 1 : 1;
      level.grid.spacing[axis] = number == 0 ? 1.0 : levels.back().grid.spacing[axis] / level.ratio[axis];
    }
    level.boxes = number == 0 ? random.parts_of(cells) : std::vector<Box>();
    for (int tries = number == 0 ? 0 : 6; tries > 0; --tries)
    {
      const std::vector<Box>& coarser = levels.back().boxes;
      const auto which = static_cast<std::size_t>(random.up_to(static_cast<std::int32_t>(coarser.size()) - 1));
      const Box made = random.within(coarser[which], level.ratio);
      const bool overlaps = std::any_of(
          level.boxes.begin(), level.boxes.end(), [&](const Box& box) { return !intersect(box, made).empty(); });
      overlaps ? void() : level.boxes.push_back(made);
    }
    levels.push_back(std::move(level));
  }
  return *AmrMesh::create(std::move(levels));
}

std::vector<AmrMeshLevel> levels_of(
    int cells, const std::vector<Int3>& ratios, const std::vector<std::vector<Box>>& boxes)
{
  std::vector<AmrMeshLevel> levels;
  Int3 count{ cells, cells, cells };
  for (std::size_t i = 0; i < boxes.size(); ++i)
  {
    AmrMeshLevel level;
    level.ratio = ratios[i];
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      count[axis] *= level.ratio[axis];
      level.grid.nodes[axis] = count[axis] + 1;
      level.grid.first[axis] = 3 * count[axis] / cells; // the domain's corner need not have index 0
      level.grid.spacing[axis] = 2.0 / count[axis];
      level.grid.origin[axis] = -1.0 - 3 * 2.0 / cells;
    }
    level.boxes = boxes[i];
    levels.push_back(std::move(level));
  }
  return levels;
}

AmrMesh three_levels()
{
  const std::vector<Box> coarse{ { { 0, 0, 0 }, { 9, 20, 20 } }, { { 9, 0, 0 }, { 20, 20, 20 } } };
  const std::vector<Box> middle{ { { 10, 12, 8 }, { 22, 30, 34 } }, { { 22, 12, 8 }, { 36, 30, 34 } },
    { { 36, 0, 30 }, { 40, 8, 40 } } }; // the last one in the domain's corner
  const std::vector<Box> fine{ { { 56, 60, 48 }, { 104, 104, 96 } } };
  return *AmrMesh::create(levels_of(20, { { 1, 1, 1 }, { 2, 2, 2 }, { 4, 4, 4 } }, { coarse, middle, fine }));
}

AmrMesh flat_levels()
{
  const auto plane = [](std::int32_t x0, std::int32_t y0, std::int32_t x1, std::int32_t y1)
  {
    return Box{ { x0, y0, 0 }, { x1, y1, 1 } };
  };
  std::vector<AmrMeshLevel> levels = levels_of(20, { { 1, 1, 1 }, { 2, 2, 1 }, { 4, 2, 1 } },
      { { plane(0, 0, 20, 20) }, { plane(10, 12, 22, 30), plane(22, 12, 36, 30) }, { plane(56, 30, 104, 52) } });
  for (AmrMeshLevel& level : levels)
  {
    level.grid.nodes[2] = 1;
    level.grid.first[2] = 0;
    level.grid.origin[2] = 0.5;
  }
  return *AmrMesh::create(std::move(levels));
}

Vec3 position_of(const Grid& grid, Centering centering, const Int3& at)
{
  Vec3 world;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double centre = centering == Centering::Cell && grid.nodes[axis] > 1 ? 0.5 : 0.0;
    world[axis] = grid.origin[axis] + grid.spacing[axis] * (grid.first[axis] + at[axis] + centre);
  }
  return world;
}

FunctionPatches::FunctionPatches(
    const AmrMesh& grid, Centering centering, int components, Components function, std::string name)
  : grid_(grid)
  , variable_{ std::move(name), ScalarType::Float64, components, centering }
  , function_(std::move(function))
{
}

Result<HeldPatch> FunctionPatches::hold(int level, std::int32_t number)
{
  if (broken_.contains({ level, number }))
  {
    return fail(ErrorCode::CannotRead, "this box is broken");
  }
  const std::lock_guard lock(mutex_);
  const auto known = held_.find({ level, number });
  if (known != held_.end())
  {
    return known->second;
  }
  const AmrMeshLevel& of = grid_.level(level);
  Box lattice = of.boxes[static_cast<std::size_t>(number)];
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    lattice.end[axis] += variable_.centering == Centering::Node && !grid_.flat(axis) ? 1 : 0;
  }
  const auto values = std::make_shared<std::vector<double>>();
  for (std::int64_t i = 0; i < lattice.count(); ++i)
  {
    Int3 at = from_row_major(i, lattice.size());
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      at[axis] += lattice.begin[axis];
    }
    const std::vector<double> value = function_(position_of(of.grid, variable_.centering, at));
    values->insert(values->end(), value.begin(), value.end());
  }
  const std::int64_t components = variable_.components;
  const Int3 size = lattice.size();
  HeldPatch held;
  held.view = { values->data(), ScalarType::Float64, variable_.components, lattice,
    { components, components * size[0], components * size[0] * size[1] } };
  held.keeps = values;
  held_[{ level, number }] = held;
  return held;
}

} // namespace rivulet::test
