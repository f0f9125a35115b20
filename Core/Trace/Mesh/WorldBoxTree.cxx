// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/WorldBoxTree.h"

namespace rivulet
{

namespace
{

/// The next number in single precision that is not on the other side, towards `far`.
float rounded_towards(double x, float far)
{
  const auto rounded = static_cast<float>(x);
  const bool inward = far < 0.0F ? rounded > x : rounded < x;
  return inward ? std::nextafter(rounded, far) : rounded;
}

} // namespace

WorldBoxTree::Bounds::Bounds(const WorldBox& box)
{
  static constexpr float kFar = std::numeric_limits<float>::infinity();
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    lower_[axis] = rounded_towards(box.lower[axis], -kFar);
    upper_[axis] = rounded_towards(box.upper[axis], kFar);
  }
}

WorldBoxTree::WorldBoxTree(std::span<const WorldBox> boxes)
{
  std::vector<WorldBox> above; // boxes of a level, around the boxes of the level below
  while (!boxes.empty())
  {
    levels_.emplace_back(boxes.begin(), boxes.end());
    if (boxes.size() == 1)
    {
      return;
    }
    std::vector<WorldBox> around((boxes.size() + kTogether - 1) / kTogether, WorldBox::nothing());
    for (std::size_t number = 0; number < boxes.size(); ++number)
    {
      around[number / kTogether].add(boxes[number]);
    }
    above = std::move(around);
    boxes = above;
  }
}

} // namespace rivulet
