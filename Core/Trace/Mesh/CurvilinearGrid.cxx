// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/CurvilinearGrid.h"

#include "Curve/Morton.h"
#include "Store/Source/VisitBricks.h"
#include "Store/Source/WaitForBrick.h"
#include "Trace/Mesh/HexWalk.h"

#include <cmath>
#include <compare>
#include <limits>

namespace rivulet
{

namespace
{

constexpr double kNoVolume = 1e-12; ///< share of the box that the sides span

/// The box around some cells.
WorldBox around(const Box& cells, const BrickCorners& corners)
{
  WorldBox box = WorldBox::nothing();
  for (Int3 node = cells.begin; node[2] <= cells.end[2]; ++node[2])
  {
    for (node[1] = cells.begin[1]; node[1] <= cells.end[1]; ++node[1])
    {
      for (node[0] = cells.begin[0]; node[0] <= cells.end[0]; ++node[0])
      {
        box.add(corners.point(node));
      }
    }
  }
  return box;
}

/// Calls use(cell) for each cell of a box.
template <class Use>
void for_each_cell(const Box& cells, const Use& use)
{
  for (Int3 cell = cells.begin; cell[2] < cells.end[2]; ++cell[2])
  {
    for (cell[1] = cells.begin[1]; cell[1] < cells.end[1]; ++cell[1])
    {
      for (cell[0] = cells.begin[0]; cell[0] < cells.end[0]; ++cell[0])
      {
        use(cell);
      }
    }
  }
}

/// Calls use(part) for parts of a box with at most `side` cells along each axis.
template <class Use>
void for_each_part(const Box& cells, std::int32_t side, const Use& use)
{
  const Int3 sizes = cells.size();
  side = std::min(side, *std::max_element(sizes.begin(), sizes.end()));
  Int3 parts;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    parts[axis] = (sizes[axis] + side - 1) / side;
  }
  for_each_cell(Box{ { 0, 0, 0 }, parts },
      [&](const Int3& number)
      {
        Box part;
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          part.begin[axis] = cells.begin[axis] + number[axis] * side;
          part.end[axis] = std::min(part.begin[axis] + side, cells.end[axis]);
        }
        use(part);
      });
}

} // namespace

HexCell::Corners BrickCorners::of(const Int3& cell) const
{
  HexCell::Corners all;
  for (int corner = 0; corner < HexCell::kCorners; ++corner)
  {
    all[static_cast<std::size_t>(corner)] = point(HexCell::node(cell, corner));
  }
  return all;
}

/// Facts about all cells, collected from the bricks.
struct CurvilinearGrid::Facts
{
  std::vector<WorldBox> boxes;
  double farthest = 0.0;
  double least = std::numeric_limits<double>::infinity(); ///< length of a cell
  std::int64_t right_handed = 0;                          ///< number of such cells
  std::int64_t left_handed = 0;
};

/// A leaf that may have a place, and its brick.
struct CurvilinearGrid::Visit
{
  std::int64_t brick = 0;
  std::int32_t leaf = 0;
  std::size_t place = 0;

  auto operator<=>(const Visit&) const = default; // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
};

CurvilinearGrid::CurvilinearGrid(const SourceArray& points)
  : points_(points)
  , cut_(&points.source->bricks(points.variable))
{
}

void CurvilinearGrid::cut_into_leaves(std::int32_t side)
{
  leaf_side_ = side;
  Int3 least = counts(); // cells of a leaf along each axis
  for (std::int64_t brick = 0; brick < cut_->size(); ++brick)
  {
    for_each_part(cells_of_brick(brick), side,
        [&](const Box& part)
        {
          leaves_.push_back(part.begin);
          for (std::size_t axis = 0; axis < 3; ++axis)
          {
            least[axis] = std::min(least[axis], part.size()[axis]);
          }
        });
  }
  const auto place = [&](const Int3& first)
  {
    return morton_number({ first[0] / least[0], first[1] / least[1], first[2] / least[2] });
  };
  std::sort(leaves_.begin(), leaves_.end(), [&](const Int3& a, const Int3& b) { return place(a) < place(b); });
}

Box CurvilinearGrid::cells_of_brick(std::int64_t brick) const
{
  const Int3 at = from_row_major(brick, cut_->count);
  Box cells;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    cells.begin[axis] = at[axis] * cut_->cells[axis];
    cells.end[axis] = std::min(cells.begin[axis] + cut_->cells[axis], counts()[axis]);
  }
  return cells;
}

Box CurvilinearGrid::cells_of_leaf(std::int32_t leaf) const
{
  Box cells = cells_of_brick(brick_of_leaf(leaf));
  cells.begin = leaves_[static_cast<std::size_t>(leaf)];
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    cells.end[axis] = std::min(cells.end[axis], cells.begin[axis] + std::min(leaf_side_, cells.end[axis]));
  }
  return cells;
}

Result<std::shared_ptr<const CurvilinearGrid>> CurvilinearGrid::create(const SourceArray& points, std::int32_t leaf)
{
  const Variable& variable = points.source->info().variables[static_cast<std::size_t>(points.variable)];
  const Int3& nodes = points.source->bricks(points.variable).lattice;
  if (variable.components != 3 || variable.centering != Centering::Node ||
      *std::min_element(nodes.begin(), nodes.end()) < 2)
  {
    return fail(ErrorCode::BadArgument, "\"" + variable.name +
                                            "\" does not have the three coordinates of the nodes of a grid with two or "
                                            "more along each axis");
  }
  std::shared_ptr<CurvilinearGrid> grid(new CurvilinearGrid(points));
  grid->cut_into_leaves(leaf);
  Facts facts;
  for (std::size_t number = 0; number < grid->leaves_.size(); ++number)
  {
    if (Result<void> seen = grid->look_at(static_cast<std::int32_t>(number), facts); !seen)
    {
      return forward_error(seen);
    }
  }
  grid->tree_ = WorldBoxTree(facts.boxes);
  grid->left_handed_ = facts.left_handed > facts.right_handed;
  static constexpr double kOfCell = 0.01;
  grid->needs_doubles_ = facts.farthest * std::ldexp(1.0, -24) > kOfCell * facts.least;
  return std::shared_ptr<const CurvilinearGrid>(std::move(grid));
}

BrickPin CurvilinearGrid::pin(std::int64_t brick, std::shared_ptr<const Error>& error) const
{
  return wait_for_brick(*points_.source, { points_.variable, points_.step, brick }, error);
}

Result<void> CurvilinearGrid::look_at(std::int32_t leaf, Facts& facts) const
{
  std::shared_ptr<const Error> error;
  const BrickPin held = pin(brick_of_leaf(leaf), error);
  if (!held)
  {
    return tl::unexpected(*error);
  }
  const BrickCorners corners(held.view());
  const Box cells = cells_of_leaf(leaf);
  const WorldBox box = around(cells, corners);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    facts.farthest = std::max({ facts.farthest, std::fabs(box.lower[axis]), std::fabs(box.upper[axis]) });
  }
  bool finite = true;
  for_each_cell(cells,
      [&](const Int3& cell)
      {
        const HexCell::Corners of_cell = corners.of(cell);
        for (const Vec3& corner : of_cell)
        {
          finite = finite && std::isfinite(corner[0]) && std::isfinite(corner[1]) && std::isfinite(corner[2]);
        }
        const Vec3 sides = box_around(of_cell).sides();
        const double length = std::sqrt(sides[0] * sides[0] + sides[1] * sides[1] + sides[2] * sides[2]);
        facts.least = length > 0.0 ? std::min(facts.least, length) : facts.least;
        const double shape = HexCell(of_cell).shape();
        facts.right_handed += shape >= kNoVolume ? 1 : 0;
        facts.left_handed += shape <= -kNoVolume ? 1 : 0;
      });
  if (!finite)
  {
    return fail(ErrorCode::BadArgument, "a node has a coordinate that is not a finite number", "mend the file",
        points_.source->info().variables[static_cast<std::size_t>(points_.variable)].name);
  }
  facts.boxes.push_back(box.widened(kOnFace));
  return {};
}

CurvilinearGrid::Found CurvilinearGrid::seek(const Vec3& place, const BrickCorners& corners, const Hidden& hidden) const
{
  Found best;
  tree_.visit(
      place, [&](std::int64_t leaf) { seek_in_leaf(static_cast<std::int32_t>(leaf), corners, place, hidden, best); });
  return best;
}

std::shared_ptr<const Error> CurvilinearGrid::seek(
    std::span<const Vec3> places, const Hidden& hidden, std::span<Found> found) const
{
  std::vector<Visit> visits;
  for (std::size_t place = 0; place < places.size(); ++place)
  {
    tree_.visit(places[place],
        [&](std::int64_t number)
        {
          const auto leaf = static_cast<std::int32_t>(number);
          visits.push_back({ brick_of_leaf(leaf), leaf, place });
        });
  }
  std::sort(visits.begin(), visits.end());
  std::vector<BrickKey> bricks;
  for (const Visit& visit : visits)
  {
    if (bricks.empty() || bricks.back().index != visit.brick)
    {
      bricks.push_back({ points_.variable, points_.step, visit.brick });
    }
  }
  std::shared_ptr<const Error> error;
  visit_bricks(*points_.source, bricks,
      [&](const BrickKey& key, const Lookup& brick)
      {
        error = error ? error : brick.error;
        const auto first = std::lower_bound(visits.begin(), visits.end(), Visit{ key.index, 0, 0 });
        for (auto visit = first; brick.pin && visit != visits.end() && visit->brick == key.index; ++visit)
        {
          seek_in_leaf(visit->leaf, BrickCorners(brick.pin.view()), places[visit->place], hidden, found[visit->place]);
        }
      });
  return error;
}

std::int32_t CurvilinearGrid::next_leaf(const Vec3& world, std::int32_t last) const
{
  std::int64_t next = -1;
  tree_.visit(world, [&](std::int64_t number) { next = next < 0 && number > last ? number : next; });
  return static_cast<std::int32_t>(next);
}

/// Passes by parts of a large leaf, whose boxes are smaller.
void CurvilinearGrid::seek_in_leaf(
    std::int32_t leaf, const BrickCorners& corners, const Vec3& world, const Hidden& hidden, Found& best) const
{
  const Box cells = cells_of_leaf(leaf);
  static constexpr std::int32_t kTogether = 8;
  if (cells.count() <= std::int64_t{ kTogether } * kTogether * kTogether)
  {
    seek_in(cells, corners, world, hidden, best);
    return;
  }
  for_each_part(cells, kTogether,
      [&](const Box& part)
      {
        if (around(part, corners).widened(kOnFace).contains(world))
        {
          seek_in(part, corners, world, hidden, best);
        }
      });
}

void CurvilinearGrid::seek_in(
    const Box& cells, const BrickCorners& corners, const Vec3& world, const Hidden& hidden, Found& best) const
{
  for_each_cell(cells,
      [&](const Int3& cell)
      {
        const std::int64_t number = row_major(cell, counts());
        if (best.cell >= 0 && number > best.cell)
        {
          return;
        }
        const HexCell::Corners of_cell = corners.of(cell);
        if (!box_around(of_cell).widened(kOnFace).contains(world) || hidden(cell))
        {
          return;
        }
        const HexCell hexahedron(of_cell);
        const double shape = left_handed_ ? -hexahedron.shape() : hexahedron.shape();
        const HexCell::Place place = hexahedron.locate(world);
        if (shape >= kNoVolume && place.converged && HexCell::violation(place.at) <= kOnFace)
        {
          best.cell = number;
          best.at = clamped_to_cell(place.at);
        }
      });
}

} // namespace rivulet
