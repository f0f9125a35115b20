// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bricks that particles went to from others: the hints of Guo et al., "Advection-Based Sparse Data Management for
/// Visualizing Unsteady Flow", IEEE TVCG 20 (2014), section 3.2, of second order. A hint names the brick after two
/// others, because particles that enter a brick from different sides leave it on different sides.
///
///     HintGraph hints;
///     hints.add_hint(before, key, next);
///     const std::vector<BrickKey> later = hints.look(before, key, 8);   // breadth first, at most 8
///
/// A key without a brick before it has `before` = kNoBrick. Steps are intervals of time.
///
/// Old evidence fades: fade() takes a quarter of each hint's weight, and forgets hints without weight. The number of
/// hints is bounded: when there are too many, the half of the smallest weights is forgotten.
///
/// Threads: look() from any number while no thread changes the graph.
#pragma once

#include "Base/Brick.h"

#include <unordered_map>
#include <vector>

namespace rivulet
{

class HintGraph
{
public:
  static constexpr BrickKey kNoBrick{ 0, 0, -1 };
  static constexpr std::size_t kMost = 32768;      ///< hints
  static constexpr std::uint32_t kOnce = 16;       ///< weight of a particle
  static constexpr std::uint32_t kLargest = 65536; ///< weight of a hint

  struct Hint
  {
    BrickKey before;
    BrickKey key;
    BrickKey next;
    std::uint32_t weight = kOnce;
  };

  void add_hint(const BrickKey& before, const BrickKey& key, const BrickKey& next) { add({ before, key, next }); }
  void add(const Hint& hint);
  void merge(const HintGraph& other);
  void fade();

  /// The bricks after `key`, the largest weight first, then the bricks after these; `most` altogether.
  [[nodiscard]] std::vector<BrickKey> look(const BrickKey& before, const BrickKey& key, std::size_t most) const;

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::vector<Hint> all() const;

private:
  void forget_half();
  struct Place
  {
    BrickKey before;
    BrickKey key;
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct HashOfPlace
  {
    [[nodiscard]] std::size_t operator()(const Place& place) const;
  };
  struct Next
  {
    BrickKey key;
    std::uint32_t weight = 0;
  };

  std::unordered_map<Place, std::vector<Next>, HashOfPlace> nexts_; ///< by weight, largest first
  std::size_t size_ = 0;
};

} // namespace rivulet
