// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/BrickCorners.h"

#include <algorithm>

namespace rivulet
{

namespace
{

template <class Scalar>
void load(const Scalar* from, std::int64_t stride, std::int64_t component_stride, std::int32_t count, Vec3* to)
{
  for (std::int32_t i = 0; i < count; ++i, from += stride)
  {
    to[i] = { from[0], from[component_stride], from[2 * component_stride] };
  }
}

} // namespace

void BrickCorners::load_row(const Int3& first, std::int32_t count, Vec3* to) const
{
  if (views_.later != nullptr)
  {
    for (std::int32_t i = 0; i < count; ++i)
    {
      to[i] = between({ first[0] + i, first[1], first[2] });
    }
    return;
  }
  std::int64_t scalar = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    scalar += (first[axis] - view_.lattice.begin[axis]) * view_.stride[axis];
  }
  if (view_.type == ScalarType::Float32)
  {
    load(static_cast<const float*>(view_.data) + scalar, view_.stride[0], view_.component_stride, count, to);
  }
  else
  {
    load(static_cast<const double*>(view_.data) + scalar, view_.stride[0], view_.component_stride, count, to);
  }
}

HexCell::Corners BrickCorners::of(const Int3& cell) const
{
  HexCell::Corners all;
  for (int corner = 0; corner < HexCell::kCorners; ++corner)
  {
    all[static_cast<std::size_t>(corner)] = point(HexCell::node(cell, corner));
  }
  return all;
}

/// The parabolas' sum is s (1 - s) times a mean of both, so at most a quarter of the larger one.
WorldBox BrickCorners::reach_of(const Int3& node) const
{
  WorldBox box = WorldBox::nothing();
  const Vec3 now = point_in(view_, node);
  box.add(now);
  if (views_.later == nullptr)
  {
    return box;
  }
  const Vec3 later = point_in(*views_.later, node);
  box.add(later);
  if (views_.before == nullptr && views_.after == nullptr)
  {
    return box;
  }
  const Vec3 before = views_.before != nullptr ? point_in(*views_.before, node) : now;
  const Vec3 after = views_.after != nullptr ? point_in(*views_.after, node) : later;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double forth = later[axis] - now[axis];
    const double first = cubic_->before[0] * (before[axis] - now[axis]) + cubic_->before[2] * forth;
    const double second = cubic_->after[2] * (after[axis] - later[axis]) - cubic_->after[0] * forth;
    const double most = 0.25 * std::max(std::fabs(first), std::fabs(second));
    box.lower[axis] -= most;
    box.upper[axis] += most;
  }
  return box;
}

/// The line through the places at both ends, and the parabolas' distances from it, which are 0 where a node stays.
Vec3 BrickCorners::between(const Int3& node) const
{
  const Vec3 now = point_in(view_, node);
  const Vec3 later = point_in(*views_.later, node);
  const auto [of_before, of_after] = cubic_->of_parabolas(share_);
  const Vec3 before = views_.before != nullptr ? point_in(*views_.before, node) : now;
  const Vec3 after = views_.after != nullptr ? point_in(*views_.after, node) : later;
  Vec3 place;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double forth = later[axis] - now[axis];
    double at = share_ == 1.0 ? later[axis] : std::fma(share_, forth, now[axis]);
    if (views_.before != nullptr)
    {
      at = std::fma(of_before, std::fma(cubic_->before[2], forth, cubic_->before[0] * (before[axis] - now[axis])), at);
    }
    if (views_.after != nullptr)
    {
      at = std::fma(of_after,
          std::fma(cubic_->after[2], after[axis] - later[axis], cubic_->after[0] * (now[axis] - later[axis])), at);
    }
    place[axis] = at;
  }
  return place;
}

} // namespace rivulet
