// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/BrickCorners.h"

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
      to[i] = point({ first[0] + i, first[1], first[2] });
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

NodeSteps BrickCorners::steps_of(const Int3& node) const
{
  NodeSteps steps{ point_in(view_, node), point_in(*views_.later, node) };
  steps.before = views_.before != nullptr ? point_in(*views_.before, node) : steps.before;
  steps.after = views_.after != nullptr ? point_in(*views_.after, node) : steps.after;
  return steps;
}

WorldBox BrickCorners::reach_of(const Int3& node) const
{
  if (views_.later != nullptr)
  {
    return reach_between(steps_of(node), *cubic_);
  }
  WorldBox box = WorldBox::nothing();
  box.add(point_in(view_, node));
  return box;
}

} // namespace rivulet
