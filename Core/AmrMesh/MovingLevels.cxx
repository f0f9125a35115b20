// SPDX-License-Identifier: BSD-3-Clause
#include "AmrMesh/MovingLevels.h"

#include "AmrMesh/RefineBox.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

constexpr double kSamePlace = 1e-3; // in cells: corners of grids are sums of rounded numbers

const std::vector<Box>& boxes_of(const AmrMesh& mesh, int level)
{
  static const std::vector<Box> none;
  return level < mesh.levels() ? mesh.level(level).boxes : none;
}

/// Whether two uniform grids have the same cells, up to rounding.
bool same_cells(const Grid& a, const Grid& b)
{
  if (a.nodes != b.nodes || a.direction != b.direction)
  {
    return false;
  }
  const auto near = [](double x, double y, double cell)
  {
    return std::fabs(x - y) <= kSamePlace * std::fabs(cell);
  };
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double cells = a.nodes[axis] - 1;
    const double from = a.origin[axis] + a.first[axis] * a.spacing[axis];
    const double other = b.origin[axis] + b.first[axis] * b.spacing[axis];
    if (!near(from, other, a.spacing[axis]) || !near(cells * a.spacing[axis], cells * b.spacing[axis], a.spacing[axis]))
    {
      return false;
    }
  }
  return true;
}

/// Boxes of the cells that a level of `of` has and one of `without` has not.
std::vector<Box> rest_of(const AmrMesh& of, const AmrMesh& without, int level)
{
  std::vector<Box> rest;
  for (const Box& box : boxes_of(of, level))
  {
    std::vector<Box> left{ box };
    std::vector<Box> cut;
    for (const std::int32_t other :
        level < without.levels() ? without.boxes_in(level, box) : std::vector<std::int32_t>())
    {
      cut.clear();
      for (const Box& piece : left)
      {
        subtract(piece, without.level(level).boxes[static_cast<std::size_t>(other)], cut);
      }
      left.swap(cut);
    }
    rest.insert(rest.end(), left.begin(), left.end());
  }
  return rest;
}

Result<std::shared_ptr<const AmrMesh>> made_of(std::vector<AmrMeshLevel> levels)
{
  Result<AmrMesh> made = AmrMesh::create(std::move(levels));
  if (!made)
  {
    return forward_error(made);
  }
  return std::make_shared<const AmrMesh>(std::move(*made));
}

} // namespace

/// Checks the grids of a mesh, and adds levels that are new.
Result<void> MovingLevels::take_shape(const AmrMesh& mesh)
{
  for (int number = 0; number < mesh.levels(); ++number)
  {
    const AmrMeshLevel& level = mesh.level(number);
    const auto at = static_cast<std::size_t>(number);
    if (at == shape_.size())
    {
      shape_.push_back({ level.grid, level.ratio, {} });
    }
    if (shape_[at].ratio != level.ratio || !same_cells(shape_[at].grid, level.grid))
    {
      return fail(ErrorCode::Unsupported, "level " + std::to_string(number) + " has other cells than before",
          "use Resample To Image, with the same bounds for all steps");
    }
  }
  return {};
}

Result<std::shared_ptr<const AmrMesh>> MovingLevels::common(
    const std::shared_ptr<const AmrMesh>& a, const std::shared_ptr<const AmrMesh>& b)
{
  for (const AmrMesh* mesh : { a.get(), b.get() })
  {
    if (Result<void> good = take_shape(*mesh); !good)
    {
      return forward_error(good);
    }
  }
  if (!rest_of(*a, *b, 0).empty() || !rest_of(*b, *a, 0).empty())
  {
    return fail(ErrorCode::Unsupported, "the coarsest level covers another part of the domain than before",
        "use Resample To Image, with the same bounds for all steps");
  }
  std::vector<AmrMeshLevel> levels = shape_;
  for (std::size_t i = 0; i < levels.size(); ++i)
  {
    levels[i].boxes = boxes_of(*a, static_cast<int>(i));
    const std::vector<Box> more = rest_of(*b, *a, static_cast<int>(i));
    levels[i].boxes.insert(levels[i].boxes.end(), more.begin(), more.end());
  }
  for (const std::shared_ptr<const AmrMesh>& known : { a, b, last_ })
  {
    if (known != nullptr && known->has(levels))
    {
      last_ = known;
      return last_;
    }
  }
  Result<std::shared_ptr<const AmrMesh>> made = made_of(std::move(levels));
  last_ = made ? *made : nullptr;
  return made;
}

Result<std::shared_ptr<const AmrMesh>> with_levels_of(const std::shared_ptr<const AmrMesh>& mesh, const AmrMesh& other)
{
  if (mesh->levels() >= other.levels())
  {
    return mesh;
  }
  std::vector<AmrMeshLevel> levels;
  for (int number = 0; number < other.levels(); ++number)
  {
    levels.push_back(number < mesh->levels() ? mesh->level(number) : other.level(number));
    levels.back().boxes = boxes_of(*mesh, number);
  }
  return made_of(std::move(levels));
}

} // namespace rivulet
