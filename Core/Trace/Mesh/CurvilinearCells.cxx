// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/CurvilinearCells.h"

#include "Curve/Morton.h"
#include "Trace/Mesh/HexWalk.h"

#include <limits>
#include <numeric>

namespace rivulet
{

namespace
{

constexpr double kNoVolume = 1e-12; ///< share of the box that the sides span

WorldBox around(const HexCell::Corners& corners)
{
  WorldBox box = WorldBox::nothing();
  for (const Vec3& corner : corners)
  {
    box.add(corner);
  }
  return box;
}

/// Makes room for places that are in a cell within a tolerance.
void widen(WorldBox& box, double share)
{
  const Vec3 sides = box.sides();
  const double longest = *std::max_element(sides.begin(), sides.end());
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.lower[axis] -= share * longest;
    box.upper[axis] += share * longest;
  }
}

double length_of(const Vec3& sides)
{
  return std::sqrt(sides[0] * sides[0] + sides[1] * sides[1] + sides[2] * sides[2]);
}

} // namespace

CurvilinearCells::CurvilinearCells(PointLattice lattice, std::vector<bool> hidden)
  : lattice_(std::move(lattice))
  , counts_{ lattice_.nodes[0] - 1, lattice_.nodes[1] - 1, lattice_.nodes[2] - 1 }
  , hidden_(std::move(hidden))
{
  order_leaves();
  build_tree();
  judge_shapes();
}

Vec3 CurvilinearCells::point(const Int3& node) const
{
  const std::int64_t first = 3 * row_major(node, lattice_.nodes);
  if (lattice_.type == ScalarType::Float64)
  {
    const double* const x = static_cast<const double*>(lattice_.points) + first;
    return { x[0], x[1], x[2] };
  }
  const float* const x = static_cast<const float*>(lattice_.points) + first;
  return { x[0], x[1], x[2] };
}

HexCell::Corners CurvilinearCells::corners(const Int3& cell) const
{
  HexCell::Corners all;
  for (int corner = 0; corner < HexCell::kCorners; ++corner)
  {
    all[static_cast<std::size_t>(corner)] =
        point({ cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2) });
  }
  return all;
}

/// The cells of a leaf and the leaves next to it lie together in the order.
void CurvilinearCells::order_leaves()
{
  Int3 counts;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    counts[axis] = (counts_[axis] + kLeaf - 1) / kLeaf;
  }
  leaves_.resize(static_cast<std::size_t>(volume(counts)));
  std::iota(leaves_.begin(), leaves_.end(), std::int64_t{ 0 });
  std::sort(leaves_.begin(), leaves_.end(),
      [&](std::int64_t a, std::int64_t b)
      { return morton_number(from_row_major(a, counts)) < morton_number(from_row_major(b, counts)); });
  for (std::int64_t& leaf : leaves_)
  {
    const Int3 at = from_row_major(leaf, counts);
    leaf = row_major({ at[0] * kLeaf, at[1] * kLeaf, at[2] * kLeaf }, counts_); // its first cell
  }
}

void CurvilinearCells::build_tree()
{
  std::vector<WorldBox> boxes;
  boxes.reserve(leaves_.size());
  for (const std::int64_t leaf : leaves_)
  {
    WorldBox box = WorldBox::nothing();
    const Int3 first = from_row_major(leaf, counts_);
    for (Int3 node = first; node[2] <= std::min(first[2] + kLeaf, counts_[2]); ++node[2])
    {
      for (node[1] = first[1]; node[1] <= std::min(first[1] + kLeaf, counts_[1]); ++node[1])
      {
        for (node[0] = first[0]; node[0] <= std::min(first[0] + kLeaf, counts_[0]); ++node[0])
        {
          box.add(point(node));
        }
      }
    }
    widen(box, kOnFace);
    boxes.push_back(box);
  }
  tree_ = BoxTree(std::move(boxes));
}

/// Marks cells without volume, and inverted ones if there are others. Chooses the precision of points.
void CurvilinearCells::judge_shapes()
{
  static constexpr double kOfCell = 0.01;
  double farthest = 0.0;
  double least = std::numeric_limits<double>::infinity();
  std::vector<std::int64_t> flat;
  std::vector<std::int64_t> left_handed;
  for (std::int64_t cell = 0; cell < cells(); ++cell)
  {
    const HexCell::Corners of_cell = corners(from_row_major(cell, counts_));
    const double shape = HexCell(of_cell).shape();
    if (!(std::fabs(shape) >= kNoVolume))
    {
      flat.push_back(cell);
    }
    else if (shape < 0.0)
    {
      left_handed.push_back(cell);
    }
    const WorldBox box = around(of_cell);
    const double length = length_of(box.sides());
    least = length > 0.0 ? std::min(least, length) : least;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      farthest = std::max({ farthest, std::fabs(box.lower[axis]), std::fabs(box.upper[axis]) });
    }
  }
  needs_doubles_ = farthest * std::ldexp(1.0, -24) > kOfCell * least;

  const bool mixed = static_cast<std::int64_t>(flat.size() + left_handed.size()) < cells();
  if (!mixed)
  {
    left_handed.clear();
  }
  unsought_ = hidden_;
  if (!flat.empty() || !left_handed.empty())
  {
    unsought_.resize(static_cast<std::size_t>(cells()), false);
  }
  for (const std::vector<std::int64_t>* const numbers : { &flat, &left_handed })
  {
    for (const std::int64_t cell : *numbers)
    {
      unsought_[static_cast<std::size_t>(cell)] = true;
    }
  }
}

/// All cells are at hand.
class CurvilinearCells::Lattice
{
public:
  explicit Lattice(const CurvilinearCells& cells)
    : cells_(cells)
  {
  }
  [[nodiscard]] const Int3& counts() const { return cells_.counts_; }
  [[nodiscard]] static bool at_hand(const Int3& /*cell*/) { return true; }
  [[nodiscard]] HexCell::Corners corners(const Int3& cell) const { return cells_.corners(cell); }
  [[nodiscard]] bool hidden(const Int3& cell) const { return cells_.hidden(row_major(cell, cells_.counts_)); }

private:
  const CurvilinearCells& cells_;
};

CurvilinearCells::Found CurvilinearCells::seek(const Vec3& world) const
{
  Found best;
  tree_.visit(
      world, [&](std::int64_t number) { seek_in_leaf(world, leaves_[static_cast<std::size_t>(number)], best); });
  return best;
}

void CurvilinearCells::seek_in_leaf(const Vec3& world, std::int64_t leaf, Found& best) const
{
  const Int3 first = from_row_major(leaf, counts_);
  for (Int3 cell = first; cell[2] < std::min(first[2] + kLeaf, counts_[2]); ++cell[2])
  {
    for (cell[1] = first[1]; cell[1] < std::min(first[1] + kLeaf, counts_[1]); ++cell[1])
    {
      for (cell[0] = first[0]; cell[0] < std::min(first[0] + kLeaf, counts_[0]); ++cell[0])
      {
        const std::int64_t number = row_major(cell, counts_);
        const bool unsought = !unsought_.empty() && unsought_[static_cast<std::size_t>(number)];
        if (unsought || (best.cell >= 0 && number > best.cell))
        {
          continue;
        }
        const HexCell::Corners of_cell = corners(cell);
        WorldBox box = around(of_cell);
        widen(box, kOnFace);
        if (!box.contains(world))
        {
          continue;
        }
        const HexCell::Place place = HexCell(of_cell).locate(world);
        if (place.converged && HexCell::violation(place.at) <= kOnFace)
        {
          best = { number, clamped_to_cell(place.at) };
        }
      }
    }
  }
}

std::int64_t CurvilinearCells::find(const Vec3& world, std::int64_t before, CellWeights& at) const
{
  WorldPosition place{ .point = world, .cell = before };
  Found found;
  if (before >= 0 && walk_on(Lattice(*this), place, found.at) == WalkEnd::Inside)
  {
    found.cell = place.cell;
  }
  else
  {
    found = seek(world);
  }
  if (found.cell >= 0)
  {
    weigh(found, at);
  }
  return found.cell;
}

void CurvilinearCells::weigh(const Found& place, CellWeights& at) const
{
  const Int3 cell = from_row_major(place.cell, counts_);
  const std::array<double, HexCell::kCorners> weights = HexCell::weights(place.at);
  at.nodes.resize(HexCell::kCorners);
  for (int corner = 0; corner < HexCell::kCorners; ++corner)
  {
    at.nodes[static_cast<std::size_t>(corner)] =
        row_major({ cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2) }, lattice_.nodes);
  }
  at.weights.assign(weights.begin(), weights.end());
  at.gradients.clear();
}

void CurvilinearCells::weigh(std::int64_t cell, const Vec3& world, bool gradients, CellWeights& at) const
{
  const HexCell hexahedron(corners(from_row_major(cell, counts_)));
  const Found place{ cell, clamped_to_cell(hexahedron.locate(world).at) };
  weigh(place, at);
  if (gradients)
  {
    const std::array<Vec3, HexCell::kCorners> all = hexahedron.gradients(place.at);
    at.gradients.assign(all.begin(), all.end());
  }
}

Vec3 CurvilinearCells::cell_sides(std::int64_t cell) const
{
  return around(corners(from_row_major(cell, counts_))).sides();
}

} // namespace rivulet
