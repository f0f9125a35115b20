// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Boxes in the world, and a search for the boxes that hold a place. Boxes that follow each other should be neighbours:
/// each eight of them have a box around them, each eight of these, and so on.
///
///     WorldBoxTree tree(std::move(boxes));
///     tree.visit(place, [&](std::int64_t number) { ... });     // in increasing order
///
/// Boxes are kept in single precision, rounded outward: a box that has the place is never missed, and one that lies as
/// close as this rounding may be named, too.
///
/// Memory: 24 bytes for each box and a seventh more. Immutable; may be shared by threads. Units: world.
#pragma once

#include "Base/WorldBox.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace rivulet
{

class WorldBoxTree
{
public:
  WorldBoxTree() = default;
  explicit WorldBoxTree(std::span<const WorldBox> boxes);

  /// Bytes of a tree of so many boxes.
  [[nodiscard]] static std::int64_t bytes(std::int64_t boxes)
  {
    return static_cast<std::int64_t>(sizeof(Bounds)) * (boxes + boxes / (kTogether - 1));
  }
  /// A box, as far as it is kept.
  [[nodiscard]] WorldBox box(std::size_t number) const { return levels_.front()[number].box(); }

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

  class Bounds
  {
  public:
    explicit Bounds(const WorldBox& box);
    [[nodiscard]] bool contains(const Vec3& place) const
    {
      return place[0] >= lower_[0] && place[0] <= upper_[0] && place[1] >= lower_[1] && place[1] <= upper_[1] &&
             place[2] >= lower_[2] && place[2] <= upper_[2];
    }
    [[nodiscard]] WorldBox box() const
    {
      return { { lower_[0], lower_[1], lower_[2] }, { upper_[0], upper_[1], upper_[2] } };
    }

  private:
    std::array<float, 3> lower_{};
    std::array<float, 3> upper_{};
  };

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

  std::vector<std::vector<Bounds>> levels_; ///< the boxes, boxes around eight of them, ...; the last has one
};

} // namespace rivulet
