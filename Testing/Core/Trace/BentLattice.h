// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The points of a curvilinear grid, made by a function, and places in and around it.
///
///     const BentLattice lattice({ 9, 11, 7 }, wavy);
///     HexCell cell = lattice.cell(12);
#pragma once

#include "Trace/Mesh/CurvilinearCells.h"

#include <cmath>
#include <functional>
#include <random>

namespace rivulet::test
{

using Mapping = std::function<Vec3(const Vec3&)>;

/// The points of a lattice with indices of 0 to 1, moved by a function.
class BentLattice
{
public:
  BentLattice(const Int3& nodes, const Mapping& mapping)
    : nodes_(nodes)
    , points_(std::make_shared<std::vector<double>>())
  {
    for (std::int64_t i = 0; i < volume(nodes); ++i)
    {
      const Int3 at = from_row_major(i, nodes);
      Vec3 share;
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        share[axis] = static_cast<double>(at[axis]) / (nodes[axis] - 1);
      }
      const Vec3 x = mapping(share);
      points_->insert(points_->end(), x.begin(), x.end());
    }
  }

  [[nodiscard]] Vec3 point(std::int64_t number) const
  {
    const double* const x = points_->data() + 3 * number;
    return { x[0], x[1], x[2] };
  }
  [[nodiscard]] const Int3& nodes() const { return nodes_; }
  [[nodiscard]] Int3 counts() const { return { nodes_[0] - 1, nodes_[1] - 1, nodes_[2] - 1 }; }
  [[nodiscard]] HexCell cell(std::int64_t number) const { return HexCell(corners(number)); }
  [[nodiscard]] HexCell::Corners corners(std::int64_t number) const
  {
    const Int3 low = from_row_major(number, counts());
    HexCell::Corners corners;
    for (int corner = 0; corner < 8; ++corner)
    {
      corners[static_cast<std::size_t>(corner)] =
          point(row_major({ low[0] + (corner & 1), low[1] + (corner >> 1 & 1), low[2] + (corner >> 2) }, nodes_));
    }
    return corners;
  }
  [[nodiscard]] PointLattice lattice() const { return { nodes_, points_->data(), ScalarType::Float64, points_ }; }
  [[nodiscard]] std::shared_ptr<const CurvilinearCells> cells(std::vector<bool> hidden = {}) const
  {
    return *CurvilinearCells::create(lattice(), std::move(hidden));
  }

private:
  Int3 nodes_;
  std::shared_ptr<std::vector<double>> points_;
};

/// [0, 1]^3, with the inner points moved.
inline Vec3 wavy(const Vec3& x)
{
  const double inside = 64.0 * x[0] * (1 - x[0]) * x[1] * (1 - x[1]) * x[2] * (1 - x[2]);
  return { x[0] + 0.08 * inside * std::sin(5 * x[1]), x[1] + 0.07 * inside * std::cos(4 * x[2] + x[0]),
    x[2] + 0.06 * inside * std::sin(6 * x[0] - x[1]) };
}

/// A quarter of a tube around z.
inline Vec3 tube(const Vec3& x)
{
  const double angle = std::acos(0.0) * x[1];
  const double radius = 0.5 + x[0];
  return { radius * std::cos(angle), radius * std::sin(angle), 2 * x[2] };
}

/// A tube whose ends meet: cells on both sides of the seam are not neighbours in the lattice.
inline Vec3 ring(const Vec3& x)
{
  return tube({ x[0], 4 * x[1], x[2] });
}

class Points
{
public:
  [[nodiscard]] Vec3 next(double low = 0.0, double high = 1.0)
  {
    std::uniform_real_distribution<double> within(low, high);
    return { within(random_), within(random_), within(random_) };
  }
  [[nodiscard]] std::int64_t cell(std::int64_t count)
  {
    return std::uniform_int_distribution<std::int64_t>(0, count - 1)(random_);
  }

private:
  std::mt19937 random_{ 1 };
};

} // namespace rivulet::test
