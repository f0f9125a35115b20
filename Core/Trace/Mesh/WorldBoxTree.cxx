// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/WorldBoxTree.h"

namespace rivulet
{

WorldBoxTree::WorldBoxTree(std::vector<WorldBox> boxes)
{
  while (!boxes.empty())
  {
    levels_.push_back(std::move(boxes));
    const std::vector<WorldBox>& below = levels_.back();
    if (below.size() <= 1)
    {
      return;
    }
    boxes.assign((below.size() + kTogether - 1) / kTogether, WorldBox::nothing());
    for (std::size_t number = 0; number < below.size(); ++number)
    {
      boxes[number / kTogether].add(below[number]);
    }
  }
}

} // namespace rivulet
