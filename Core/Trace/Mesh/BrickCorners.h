// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The places of nodes in a brick, at a time step or at a moment between two of them.
///
///     const HexCell::Corners corners = BrickCorners(pin.view()).of(cell);
///     const BrickCorners moving(views, cubic);                // of the steps about an interval
///     const HexCell::Corners half_way = moving.at(0.5).of(cell);
///
/// Between two time steps nodes move as in NodeMotion.h.
///
/// Views of bricks, which must stay pinned; any thread. Units: world.
#pragma once

#include "Store/Source/BrickSource.h"
#include "Trace/Mesh/HexCell.h"
#include "Trace/Mesh/NodeMotion.h"

namespace rivulet
{

/// Scalar of a brick's values at a lattice point, which the brick has.
[[nodiscard]] inline double value_at(const BrickView& brick, const Int3& at, std::int64_t component)
{
  std::int64_t scalar = component * brick.component_stride;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    scalar += (at[axis] - brick.lattice.begin[axis]) * brick.stride[axis];
  }
  return brick.type == ScalarType::Float32 ? double{ static_cast<const float*>(brick.data)[scalar] }
                                           : static_cast<const double*>(brick.data)[scalar];
}

/// The brick of a variable at the time steps about an interval.
struct StepViews
{
  const BrickView* now = nullptr;    ///< at its begin; the only one if the values do not change
  const BrickView* later = nullptr;  ///< at its end
  const BrickView* before = nullptr; ///< at the step before; cubic only, where there is one; `after` too
  const BrickView* after = nullptr;
};

class BrickCorners
{
public:
  explicit BrickCorners(const BrickView& view)
    : view_(view)
  {
  }
  /// `cubic`: without parabolas if nodes move along lines; must outlive this.
  BrickCorners(const StepViews& views, const CubicWeights& cubic)
    : view_(*views.now)
    , views_(views)
    , cubic_(&cubic)
  {
  }

  /// The same when the share `share` of the interval has gone.
  [[nodiscard]] BrickCorners at(double share) const
  {
    BrickCorners then(*this);
    then.share_ = share;
    return then;
  }

  [[nodiscard]] bool has(const Int3& cell) const
  {
    bool inside = true;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      inside = inside && cell[axis] >= view_.lattice.begin[axis] && cell[axis] + 1 < view_.lattice.end[axis];
    }
    return inside;
  }
  [[nodiscard]] Vec3 point(const Int3& node) const
  {
    return views_.later == nullptr ? point_in(view_, node) : place_between(steps_of(node), *cubic_, share_);
  }
  /// The points of `count` nodes along x.
  void load_row(const Int3& first, std::int32_t count, Vec3* to) const;
  [[nodiscard]] HexCell::Corners of(const Int3& cell) const;
  /// A box with the node at all moments of the interval.
  [[nodiscard]] WorldBox reach_of(const Int3& node) const;

private:
  [[nodiscard]] static Vec3 point_in(const BrickView& view, const Int3& node)
  {
    std::int64_t scalar = 0;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      scalar += (node[axis] - view.lattice.begin[axis]) * view.stride[axis];
    }
    return view.type == ScalarType::Float32
               ? three(static_cast<const float*>(view.data) + scalar, view.component_stride)
               : three(static_cast<const double*>(view.data) + scalar, view.component_stride);
  }
  template <class Scalar>
  [[nodiscard]] static Vec3 three(const Scalar* x, std::int64_t stride)
  {
    return { x[0], x[stride], x[2 * stride] };
  }
  [[nodiscard]] NodeSteps steps_of(const Int3& node) const;

  BrickView view_; ///< at the begin of the interval
  StepViews views_;
  const CubicWeights* cubic_ = nullptr;
  double share_ = 0.0;
};

} // namespace rivulet
