// SPDX-License-Identifier: BSD-3-Clause
#include "AmrMesh/BoxTree.h"

#include <algorithm>

namespace rivulet
{

BoxTree::BoxTree(const std::vector<Box>& boxes)
{
  entries_.reserve(boxes.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
  {
    entries_.push_back({ boxes[i], static_cast<std::int32_t>(i) });
  }
  if (!entries_.empty())
  {
    build(0, static_cast<std::int32_t>(entries_.size()));
  }
}

/// Builds the node of some entries, which it sorts, and all nodes below. Splits along the axis on which the centres of
/// the boxes are farthest apart.
void BoxTree::build(std::int32_t begin, std::int32_t end)
{
  const auto twice_the_middle = [](const Box& box, std::size_t axis)
  {
    return std::int64_t{ box.begin[axis] } + box.end[axis];
  };
  const auto first = entries_.begin() + begin;
  const auto last = entries_.begin() + end;
  Node node{ first->box, begin, end };
  Long3 least{ INT64_MAX, INT64_MAX, INT64_MAX };
  Long3 most{ INT64_MIN, INT64_MIN, INT64_MIN };
  std::for_each(first, last,
      [&](const Entry& entry)
      {
        for (std::size_t axis = 0; axis < 3; ++axis)
        {
          node.around.begin[axis] = std::min(node.around.begin[axis], entry.box.begin[axis]);
          node.around.end[axis] = std::max(node.around.end[axis], entry.box.end[axis]);
          least[axis] = std::min(least[axis], twice_the_middle(entry.box, axis));
          most[axis] = std::max(most[axis], twice_the_middle(entry.box, axis));
        }
      });
  const std::size_t number = nodes_.size();
  nodes_.push_back(node);
  if (end - begin <= kLeaf)
  {
    return;
  }
  std::size_t longest = 0;
  for (const std::size_t axis : { std::size_t{ 1 }, std::size_t{ 2 } })
  {
    longest = most[axis] - least[axis] > most[longest] - least[longest] ? axis : longest;
  }
  const std::int32_t half = begin + (end - begin) / 2;
  std::nth_element(first, entries_.begin() + half, last,
      [&](const Entry& a, const Entry& b)
      { return twice_the_middle(a.box, longest) < twice_the_middle(b.box, longest); });
  build(begin, half);
  nodes_[number].second = static_cast<std::int32_t>(nodes_.size());
  build(half, end);
}

} // namespace rivulet
