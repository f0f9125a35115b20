// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Boxes in the world, and those of them that hold a place. Boxes that follow each other should be neighbours: each
/// eight of them have a box around them, each eight of these, and so on.
///
///     WorldBoxTree tree(std::move(boxes));
///     tree.visit(place, [&](std::int64_t number) { ... });     // in increasing order
///
/// Memory: 48 bytes for each box and a seventh more. Immutable; may be shared by threads. Units: world.
#pragma once

#include "Base/WorldBox.h"

#include <cstddef>
#include <vector>

namespace rivulet
{

class WorldBoxTree
{
public:
  WorldBoxTree() = default;
  explicit WorldBoxTree(std::vector<WorldBox> boxes);

  template <class Visit>
  void visit(const Vec3& place, const Visit& found) const
  {
    if (!levels_.empty())
    {
      visit(levels_.size() - 1, 0, place, found);
    }
  }

private:
  static constexpr std::size_t kTogether = 8;

  template <class Visit>
  void visit(std::size_t level, std::size_t first, const Vec3& place, const Visit& found) const
  {
    const std::size_t end = std::min(first + kTogether, levels_[level].size());
    for (std::size_t number = first; number < end; ++number)
    {
      if (!levels_[level][number].contains(place))
      {
        continue;
      }
      if (level == 0)
      {
        found(static_cast<std::int64_t>(number));
      }
      else
      {
        visit(level - 1, number * kTogether, place, found);
      }
    }
  }

  std::vector<std::vector<WorldBox>> levels_; ///< the boxes, those around eight of them, ...; the last has one
};

} // namespace rivulet
