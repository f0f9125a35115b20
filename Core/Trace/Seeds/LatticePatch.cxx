// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Seeds/LatticePatch.h"

#include <algorithm>

namespace rivulet
{

namespace
{

/// Copies the values `part` of a brick to their places in `to`, which has the points `box` component by component.
template <class Scalar>
void copy_values(
    const BrickView& view, std::int32_t first_component, const Box& part, const Box& box, LatticePatch::Values& to)
{
  const std::int64_t apart = view.component_stride;
  const auto* data = static_cast<const Scalar*>(view.data) + first_component * apart;
  for (std::int32_t k = part.begin[2]; k < part.end[2]; ++k)
  {
    for (std::int32_t j = part.begin[1]; j < part.end[1]; ++j)
    {
      const Scalar* row = data + (part.begin[0] - view.lattice.begin[0]) * view.stride[0] +
                          (j - view.lattice.begin[1]) * view.stride[1] + (k - view.lattice.begin[2]) * view.stride[2];
      const Int3 first{ part.begin[0] - box.begin[0], j - box.begin[1], k - box.begin[2] };
      auto point = static_cast<std::size_t>(row_major(first, box.size()));
      for (std::int32_t i = part.begin[0]; i < part.end[0]; ++i, ++point, row += view.stride[0])
      {
        to[0][point] = double{ row[0] };
        to[1][point] = double{ row[apart] };
        to[2][point] = double{ row[2 * apart] };
      }
    }
  }
}

} // namespace

LatticePatch::LatticePatch(const SourceArray& array, std::int32_t first_component, const Int3& offset)
  : array_(array)
  , first_component_(first_component)
  , offset_(offset)
  , cut_(array.source->bricks(array.variable))
  , at_nodes_(array.source->info().variables[static_cast<std::size_t>(array.variable)].centering == Centering::Node)
  , inquiry_(*array.source)
{
}

void LatticePatch::begin(const Box& box, const Box& inside)
{
  box_ = box;
  inside_ = inside;
  for (std::vector<double>& component : values_)
  {
    component.resize(static_cast<std::size_t>(box.count()));
  }
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const bool flat = inside.end[axis] - inside.begin[axis] == 1;
    const std::int32_t end = inside.end[axis] - (at_nodes_ && !flat ? 1 : 0); // of the cells with these values
    bricks_.begin[axis] = (inside.begin[axis] + offset_[axis]) / cut_.cells[axis];
    bricks_.end[axis] = (end - 1 + offset_[axis]) / cut_.cells[axis] + 1;
  }
  next_ = 0;
}

Lookup::State LatticePatch::load(std::shared_ptr<const Error>& error)
{
  for (; next_ < bricks_.count(); ++next_)
  {
    const Int3 at = from_row_major(next_, bricks_.size());
    const Int3 brick{ at[0] + bricks_.begin[0], at[1] + bricks_.begin[1], at[2] + bricks_.begin[2] };
    const Lookup found = inquiry_.get({ array_.variable, array_.step, row_major(brick, cut_.count) });
    if (found.state != Lookup::State::Ready)
    {
      error = found.error;
      return found.state;
    }
    copy_brick(found.pin.view());
  }
  return Lookup::State::Ready;
}

void LatticePatch::copy_brick(BrickView view)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    view.lattice.begin[axis] -= offset_[axis];
    view.lattice.end[axis] -= offset_[axis];
  }
  const Box part = intersect(inside_, view.lattice);
  view.type == ScalarType::Float32 ? copy_values<float>(view, first_component_, part, box_, values_)
                                   : copy_values<double>(view, first_component_, part, box_, values_);
}

void LatticePatch::continue_outside()
{
  if (inside_.count() == box_.count())
  {
    return;
  }
  for (std::int64_t i = 0; i < box_.count(); ++i)
  {
    const Int3 local = from_row_major(i, box_.size());
    Int3 nearest;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      nearest[axis] = std::clamp(local[axis] + box_.begin[axis], inside_.begin[axis], inside_.end[axis] - 1);
    }
    for (std::vector<double>& component : values_)
    {
      component[static_cast<std::size_t>(i)] = component[number(nearest)];
    }
  }
}

} // namespace rivulet
