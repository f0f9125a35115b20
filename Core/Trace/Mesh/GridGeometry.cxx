// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/GridGeometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

double determinant(const Mat3& m)
{
  return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
}

Mat3 inverse(const Mat3& m)
{
  const double det = determinant(m);
  return { (m[4] * m[8] - m[5] * m[7]) / det, (m[2] * m[7] - m[1] * m[8]) / det, (m[1] * m[5] - m[2] * m[4]) / det,
    (m[5] * m[6] - m[3] * m[8]) / det, (m[0] * m[8] - m[2] * m[6]) / det, (m[2] * m[3] - m[0] * m[5]) / det,
    (m[3] * m[7] - m[4] * m[6]) / det, (m[1] * m[6] - m[0] * m[7]) / det, (m[0] * m[4] - m[1] * m[3]) / det };
}

Vec3 times(const Mat3& m, const Vec3& v)
{
  return { m[0] * v[0] + m[1] * v[1] + m[2] * v[2], m[3] * v[0] + m[4] * v[1] + m[5] * v[2],
    m[6] * v[0] + m[7] * v[1] + m[8] * v[2] };
}

bool strictly_monotonic(const std::vector<double>& axis)
{
  for (std::size_t i = 1; i < axis.size(); ++i)
  {
    const double step = axis[i] - axis[i - 1];
    if (!std::isfinite(step) || step == 0.0 || (step > 0.0) != (axis[1] > axis[0]))
    {
      return false;
    }
  }
  return !axis.empty() && std::isfinite(axis[0]);
}

Result<void> check(const Grid& grid)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (grid.nodes[axis] < 1 || grid.nodes[axis] > GridGeometry::kFarAway)
    {
      return fail(ErrorCode::BadArgument,
          "the grid has " + std::to_string(grid.nodes[axis]) + " nodes along axis " + std::to_string(axis));
    }
    if (grid.kind == Grid::Kind::Uniform && !(std::isfinite(grid.spacing[axis]) && grid.spacing[axis] != 0.0))
    {
      return fail(
          ErrorCode::BadArgument, "the grid's spacing along axis " + std::to_string(axis) + " is zero or not finite");
    }
    if (grid.kind == Grid::Kind::Rectilinear &&
        (grid.axes[axis].size() != static_cast<std::size_t>(grid.nodes[axis]) || !strictly_monotonic(grid.axes[axis])))
    {
      return fail(ErrorCode::BadArgument,
          "the grid's coordinates along axis " + std::to_string(axis) + " are not strictly monotonic");
    }
  }
  if (!(std::fabs(determinant(grid.direction)) > 0.0))
  {
    return fail(ErrorCode::BadArgument, "the grid's direction matrix is singular");
  }
  return {};
}

// The cell of axis coordinate x, starting the search at `from`: particles seldom move farther than one cell.
std::int32_t find_cell(const std::vector<double>& axis, double x, std::int32_t from)
{
  const auto last = static_cast<std::int32_t>(axis.size()) - 2;
  std::int32_t cell = std::clamp(from, 0, last);
  const bool rising = axis[1] > axis[0];
  const auto reached = [&](std::int32_t node)
  {
    const double at = axis[static_cast<std::size_t>(node)];
    return rising ? x >= at : x <= at;
  };
  while (cell > 0 && !reached(cell))
  {
    --cell;
  }
  while (cell < last && reached(cell + 1))
  {
    ++cell;
  }
  return cell;
}

/// World coordinate along an axis of several nodes.
double coordinate(const std::vector<double>& nodes, const CellPosition& at, std::size_t axis)
{
  const auto low = static_cast<std::size_t>(at.cell[axis]);
  return std::fma(at.fraction[axis], nodes[low + 1] - nodes[low], nodes[low]);
}

} // namespace

Result<GridGeometry> GridGeometry::create(const Grid& grid)
{
  if (Result<void> good = check(grid); !good)
  {
    return forward_error(good);
  }
  return GridGeometry(grid);
}

GridGeometry::GridGeometry(const Grid& grid)
  : grid_(grid)
  , cells_(grid.cells())
{
  const Mat3& d = grid.direction;
  axis_aligned_ = d[1] == 0 && d[2] == 0 && d[3] == 0 && d[5] == 0 && d[6] == 0 && d[7] == 0;
  if (!uniform())
  {
    return;
  }
  for (std::size_t i = 0; i < 9; ++i)
  {
    world_from_index_[i] = d[i] * grid.spacing[i % 3];
  }
  index_from_world_ = inverse(world_from_index_);
  if (axis_aligned_)
  {
    // The adjugate would divide products; the plain reciprocal is the nearest double.
    index_from_world_ = { 1.0 / world_from_index_[0], 0, 0, 0, 1.0 / world_from_index_[4], 0, 0, 0,
      1.0 / world_from_index_[8] };
  }
  double squared = 0.0;
  for (int axis = 0; axis < 3; ++axis)
  {
    const double side = flat(axis) ? 0.0 : grid.spacing[static_cast<std::size_t>(axis)];
    squared += side * side;
  }
  uniform_cell_length_ = std::sqrt(squared);
}

std::optional<CellPosition> GridGeometry::locate_index(const Vec3& index) const
{
  CellPosition at;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    // Far outside, or NaN: return before the conversion to int can overflow.
    if (!(std::fabs(index[axis]) < 2147483000.0))
    {
      return std::nullopt;
    }
    const double floor = std::floor(index[axis]);
    at.cell[axis] = static_cast<std::int32_t>(floor);
    at.fraction[axis] = index[axis] - floor;
  }
  return clamp_to_grid(at) ? std::optional(at) : std::nullopt;
}

std::optional<CellPosition> GridGeometry::locate(const Vec3& world) const
{
  Vec3 index;
  if (uniform())
  {
    const Vec3 relative{ world[0] - grid_.origin[0], world[1] - grid_.origin[1], world[2] - grid_.origin[2] };
    index = times(index_from_world_, relative);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      index[axis] -= grid_.first[axis];
    }
    return locate_index(index);
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double>& nodes = grid_.axes[axis];
    if (nodes.size() == 1)
    {
      index[axis] = world[axis] - nodes[0];
      continue;
    }
    const std::int32_t middle = static_cast<std::int32_t>(nodes.size()) / 2;
    const std::int32_t cell = find_cell(nodes, world[axis], middle);
    const double left = nodes[static_cast<std::size_t>(cell)];
    index[axis] = cell + (world[axis] - left) / (nodes[static_cast<std::size_t>(cell) + 1] - left);
  }
  return locate_index(index);
}

bool GridGeometry::clamp_to_grid(CellPosition& at) const
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int32_t upper = flat(static_cast<int>(axis)) ? 0 : cells_[axis];
    const double beyond_low = -(at.cell[axis] + at.fraction[axis]);
    const double beyond_high = (static_cast<double>(at.cell[axis]) - upper) + at.fraction[axis];
    if (beyond_low > kTolerance || beyond_high > kTolerance || std::isnan(at.fraction[axis]))
    {
      return false;
    }
    if (beyond_high >= 0.0)
    {
      at.cell[axis] = cells_[axis] - 1;
      at.fraction[axis] = flat(static_cast<int>(axis)) ? 0.0 : 1.0;
    }
    else if (beyond_low > 0.0 || at.cell[axis] < 0) // the distance beyond the boundary may round to zero
    {
      at.cell[axis] = 0;
      at.fraction[axis] = 0.0;
    }
  }
  return true;
}

Vec3 GridGeometry::world(const CellPosition& at) const
{
  if (uniform())
  {
    Vec3 index;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      index[axis] = static_cast<double>(grid_.first[axis] + at.cell[axis]) + at.fraction[axis];
    }
    const Vec3 relative = times(world_from_index_, index);
    return { grid_.origin[0] + relative[0], grid_.origin[1] + relative[1], grid_.origin[2] + relative[2] };
  }
  Vec3 position;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double>& nodes = grid_.axes[axis];
    const auto cell = static_cast<std::size_t>(at.cell[axis]);
    const double width = nodes.size() == 1 ? 0.0 : nodes[cell + 1] - nodes[cell];
    position[axis] = nodes[cell] + at.fraction[axis] * width;
  }
  return position;
}

Vec3 GridGeometry::world_of_node(const Int3& node) const
{
  CellPosition at;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    // The last node is the upper face of the last cell.
    const bool last = node[axis] > 0 && node[axis] == cells_[axis];
    at.cell[axis] = node[axis] - (last ? 1 : 0);
    at.fraction[axis] = last ? 1.0 : 0.0;
  }
  return world(at);
}

double GridGeometry::cell_length(const Int3& cell) const
{
  if (uniform())
  {
    return uniform_cell_length_;
  }
  double squared = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (!flat(static_cast<int>(axis)))
    {
      const auto low = static_cast<std::size_t>(cell[axis]);
      const double side = grid_.axes[axis][low + 1] - grid_.axes[axis][low];
      squared += side * side;
    }
  }
  return std::sqrt(squared);
}

bool GridGeometry::needs_doubles() const
{
  static constexpr double kOfCell = 0.01;
  double farthest = 0.0;
  double least = std::numeric_limits<double>::infinity();
  for (unsigned corner = 0; corner < 8; ++corner)
  {
    Int3 node;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      node[axis] = (corner >> axis & 1U) != 0 ? grid_.nodes[axis] - 1 : 0;
    }
    for (const double x : world_of_node(node))
    {
      farthest = std::max(farthest, std::fabs(x));
    }
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double>& nodes = grid_.axes[axis];
    if (uniform() && !flat(static_cast<int>(axis)))
    {
      least = std::min(least, std::fabs(grid_.spacing[axis]));
    }
    for (std::size_t i = 1; !uniform() && i < nodes.size(); ++i)
    {
      least = std::min(least, std::fabs(nodes[i] - nodes[i - 1]));
    }
  }
  const auto rounded = static_cast<float>(farthest);
  return double{ std::nextafter(rounded, std::numeric_limits<float>::infinity()) } - rounded > kOfCell * least;
}

double GridGeometry::unit_diagonal() const
{
  return std::sqrt(3.0 - (flat(0) ? 1.0 : 0.0) - (flat(1) ? 1.0 : 0.0) - (flat(2) ? 1.0 : 0.0));
}

bool GridGeometry::equal_sides(const Int3& cell) const
{
  static constexpr double kRounding = 1e-9;
  double least = std::numeric_limits<double>::infinity();
  double most = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (flat(static_cast<int>(axis)))
    {
      continue;
    }
    const auto low = static_cast<std::size_t>(cell[axis]);
    const double side = std::fabs(uniform() ? grid_.spacing[axis] : grid_.axes[axis][low + 1] - grid_.axes[axis][low]);
    least = std::min(least, side);
    most = std::max(most, side);
  }
  return most - least <= kRounding * most || most == 0.0;
}

Mat3 GridGeometry::index_from_world(const Int3& cell) const
{
  if (uniform())
  {
    return index_from_world_;
  }
  Mat3 matrix{};
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const auto low = static_cast<std::size_t>(cell[axis]);
    matrix[axis * 4] = flat(static_cast<int>(axis)) ? 0.0 : 1.0 / (grid_.axes[axis][low + 1] - grid_.axes[axis][low]);
  }
  return matrix;
}

CellPosition GridGeometry::moved(const CellPosition& from, const Vec3& displacement) const
{
  CellPosition to;
  to.level = from.level;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::vector<double>& nodes = grid_.axes[axis];
    if (nodes.size() == 1)
    {
      to.fraction[axis] = displacement[axis];
      continue;
    }
    const double x = coordinate(nodes, from, axis) + displacement[axis];
    const std::int32_t cell = find_cell(nodes, x, from.cell[axis]);
    const auto low = static_cast<std::size_t>(cell);
    const double index = (x - nodes[low]) / (nodes[low + 1] - nodes[low]);
    // Outside the grid the boundary cell's width is continued, so that cell and fraction still give the distance.
    const double whole = std::isnan(index) ? 0.0 : std::floor(std::clamp(index, -kFarAway, kFarAway));
    to.cell[axis] = cell + static_cast<std::int32_t>(whole);
    to.fraction[axis] = index - whole;
  }
  return to;
}

CellPosition GridGeometry::end_of_step(const CellPosition& from, const Vec3& displacement) const
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double x = flat(static_cast<int>(axis)) ? 0.0 : coordinate(grid_.axes[axis], from, axis);
    if (x + displacement[axis] != x)
    {
      return moved(from, displacement);
    }
  }
  return from;
}

CellPosition GridGeometry::displaced(const CellPosition& from, const Vec3& displacement) const
{
  if (!uniform())
  {
    return moved(from, displacement);
  }
  CellPosition to;
  to.level = from.level;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double far = std::clamp(from.fraction[axis] + displacement[axis], -kFarAway, kFarAway);
    const double whole = std::floor(far);
    to.fraction[axis] = far - whole;
    to.cell[axis] = from.cell[axis] + static_cast<std::int32_t>(whole);
  }
  return to;
}

double GridGeometry::share_to_border(const CellPosition& from, const Vec3& displacement) const
{
  double share = std::numeric_limits<double>::infinity();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double by = displacement[axis];
    if (by == 0.0)
    {
      continue;
    }
    double left = 0.0; // on a flat axis
    if (!flat(static_cast<int>(axis)) && uniform())
    {
      left =
          by > 0.0 ? (cells_[axis] - from.cell[axis]) - from.fraction[axis] : -(from.cell[axis] + from.fraction[axis]);
    }
    else if (!flat(static_cast<int>(axis)))
    {
      const std::vector<double>& nodes = grid_.axes[axis];
      const auto [low, high] = std::minmax(nodes.front(), nodes.back());
      left = (by > 0.0 ? high : low) - coordinate(nodes, from, axis);
    }
    share = std::min(share, std::max(0.0, left / by));
  }
  return share;
}

double GridGeometry::cells_along(const CellPosition& from, const Vec3& displacement) const
{
  double most = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    if (flat(static_cast<int>(axis)))
    {
      continue;
    }
    const double scale = uniform() ? 1.0 : index_from_world(from.cell)[4 * axis];
    most = std::max(most, std::fabs(displacement[axis] * scale));
  }
  return most;
}

} // namespace rivulet
