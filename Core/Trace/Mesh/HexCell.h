// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A hexahedron with trilinear coordinates: from a place in the world to parametric coordinates, and weights of the
/// corners.
///
///     const HexCell cell(corners);
///     const HexCell::Place place = cell.locate(world);
///     if (place.converged && HexCell::violation(place.at) == 0.0) use(HexCell::weights(place.at));
///
/// Corner i + 2 j + 4 k lies at the parametric coordinates (i, j, k). Coordinates of a place depend on corners and
/// place alone: Newton's method begins at the centre of the cell.
///
/// Plain values. Units: world, and the cell (0 to 1).
#pragma once

#include "Base/Vector.h"
#include "Base/WorldBox.h"
#include "Trace/Mesh/FaceWalk.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rivulet
{

class HexCell
{
public:
  static constexpr int kCorners = 8;
  using Corners = std::array<Vec3, kCorners>;

  /// The node at a corner of a cell of a lattice.
  [[nodiscard]] static constexpr Int3 node(const Int3& cell, int corner)
  {
    return { cell[0] + (corner & 1), cell[1] + (corner >> 1 & 1), cell[2] + (corner >> 2) };
  }

  /// Parametric coordinates of a place.
  struct Place
  {
    Vec3 at{ 0.5, 0.5, 0.5 };
    bool converged = false;
    bool far = false; ///< beyond [-1, 2] as the cell's tangent at its centre has it: `at` is no more than that
  };
  static constexpr double kNear = kOnFace;   ///< so far beyond a face, a place may count as in the cell
  static constexpr double kSmallStep = 1e-6; ///< of Newton's method: the last one
  static constexpr int kMostRounds = 16;     ///< of these

  explicit HexCell(const Corners& corners)
    : corners_(corners)
    , origin_(corners[0])
    , x_(difference(corners[1], corners[0]))
    , y_(difference(corners[2], corners[0]))
    , z_(difference(corners[4], corners[0]))
    , xy_(difference(difference(corners[3], corners[1]), y_))
    , xz_(difference(difference(corners[5], corners[1]), z_))
    , yz_(difference(difference(corners[6], corners[2]), z_))
    , xyz_(difference(difference(difference(corners[7], corners[3]), difference(corners[5], corners[1])), yz_))
  {
  }

  /// Newton's method, until a step is below 1e-6: the remaining error is its square. Gives up after 16 steps, and
  /// where the coordinates are singular. A place that the first step leaves far beyond the cell is far, unless the next
  /// steps lead into it: in a thin cell on a twisted surface the tangent misses the layer. The steps are of the kernel,
  /// with the instructions that the machine has.
  [[nodiscard]] Place locate(const Vec3& world) const;

  [[nodiscard]] Vec3 at(const Vec3& parametric) const
  {
    Vec3 world;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      const double along_x =
          x_[axis] + parametric[1] * xy_[axis] + parametric[2] * (xz_[axis] + parametric[1] * xyz_[axis]);
      const double along_y = y_[axis] + parametric[2] * yz_[axis];
      world[axis] = origin_[axis] + parametric[0] * along_x + parametric[1] * along_y + parametric[2] * z_[axis];
    }
    return world;
  }

  /// Volume that the tangents at the centre span, as a share of the product of their lengths: 1 in a box, negative if
  /// the corners are numbered left-handed.
  [[nodiscard]] double shape() const
  {
    const Tangents t = tangents({ 0.5, 0.5, 0.5 });
    return shape_of(t.x, t.y, t.z);
  }

  /// How far parametric coordinates lie beyond [0, 1], at most.
  [[nodiscard]] static double violation(const Vec3& at)
  {
    double most = 0.0;
    for (const double x : at)
    {
      most = std::max({ most, -x, x - 1.0 });
    }
    return most;
  }

  [[nodiscard]] static std::array<double, kCorners> weights(const Vec3& at)
  {
    const Vec3 low{ 1.0 - at[0], 1.0 - at[1], 1.0 - at[2] };
    const std::array<double, 4> of_plane{ low[0] * low[1], at[0] * low[1], low[0] * at[1], at[0] * at[1] };
    return { of_plane[0] * low[2], of_plane[1] * low[2], of_plane[2] * low[2], of_plane[3] * low[2],
      of_plane[0] * at[2], of_plane[1] * at[2], of_plane[2] * at[2], of_plane[3] * at[2] };
  }

  /// Derivatives of the weights by x, y and z of the world; not finite where the coordinates are singular.
  [[nodiscard]] std::array<Vec3, kCorners> gradients(const Vec3& at) const
  {
    const Tangents t = tangents(at);
    const Vec3 normals[3] = { cross(t.y, t.z), cross(t.z, t.x), cross(t.x, t.y) };
    const double volume = dot(t.x, normals[0]);
    std::array<Vec3, kCorners> all;
    for (std::size_t corner = 0; corner < kCorners; ++corner)
    {
      const std::array<bool, 3> high{ (corner & 1U) != 0, (corner & 2U) != 0, (corner & 4U) != 0 };
      const auto factor = [&](std::size_t axis)
      {
        return high[axis] ? at[axis] : 1.0 - at[axis];
      };
      const Vec3 by_parametric{ (high[0] ? 1.0 : -1.0) * factor(1) * factor(2),
        (high[1] ? 1.0 : -1.0) * factor(0) * factor(2), (high[2] ? 1.0 : -1.0) * factor(0) * factor(1) };
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        all[corner][axis] = (by_parametric[0] * normals[0][axis] + by_parametric[1] * normals[1][axis] +
                                by_parametric[2] * normals[2][axis]) /
                            volume;
      }
    }
    return all;
  }

private:
  /// Derivatives of the place by the parametric coordinates.
  struct Tangents
  {
    Vec3 x;
    Vec3 y;
    Vec3 z;
  };

  [[nodiscard]] Tangents tangents(const Vec3& at) const
  {
    Tangents t;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      t.x[axis] = x_[axis] + at[1] * xy_[axis] + at[2] * (xz_[axis] + at[1] * xyz_[axis]);
      t.y[axis] = y_[axis] + at[0] * xy_[axis] + at[2] * (yz_[axis] + at[0] * xyz_[axis]);
      t.z[axis] = z_[axis] + at[0] * xz_[axis] + at[1] * (yz_[axis] + at[0] * xyz_[axis]);
    }
    return t;
  }

  Corners corners_;
  // place(x, y, z) = origin + x x_ + y y_ + z z_ + x y xy_ + x z xz_ + y z yz_ + x y z xyz_
  Vec3 origin_;
  Vec3 x_;
  Vec3 y_;
  Vec3 z_;
  Vec3 xy_;
  Vec3 xz_;
  Vec3 yz_;
  Vec3 xyz_;
};

[[nodiscard]] inline WorldBox box_around(const HexCell::Corners& corners)
{
  WorldBox box = WorldBox::nothing();
  for (const Vec3& corner : corners)
  {
    box.add(corner);
  }
  return box;
}

} // namespace rivulet
