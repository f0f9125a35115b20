// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The rules of a way from a cell to the one with a place: over the face beyond which the place lies farthest, one face
/// at a time. They are the same for cells of any shape (HexWalk.h, CellWalk of the kernel).
///
///     WalkState state(position.walk);
///     switch (next_of_way({ off, face, shows_way }, cell, beyond_face, state)) { ... }
///
/// Tolerances are shares of the cell. Pure functions; any thread.
#pragma once

#include <cstdint>

namespace rivulet
{

inline constexpr double kInsideCell = 1e-10; ///< so far beyond a face, a place is in the cell
/// So far, it is on the border of the lattice, or in a crack between cells.
inline constexpr double kOnFace = 1e-6;

enum class WalkEnd : std::uint8_t
{
  Inside, ///< the cell has the place
  Away,   ///< the next cell may have it, or is not at hand
  Lost    ///< the way ends: all cells must be searched
};

/// WorldPosition::walk of a walk under way. 0 stands for the beginning.
class WalkState
{
public:
  explicit WalkState(std::int32_t bits = 0)
    : faces_(bits & 0xff)
    , came_by_((bits >> 8 & 0x7) - 1)
    , last_((bits & kLast) != 0)
  {
  }
  [[nodiscard]] std::int32_t bits() const { return faces_ | (came_by_ + 1) << 8 | (last_ ? kLast : 0) | kUnderWay; }

  /// Whether a position is on a walk, so that its cell is not known to have the place.
  [[nodiscard]] static bool under_way(std::int32_t bits) { return (bits & kUnderWay) != 0; }
  /// The walk has ended without the place: all cells are to be searched, leaf by leaf of a tree. WorldPosition::block
  /// is the last leaf that was, and `cell` the best cell so far; -1: none.
  static constexpr std::int32_t kLost = 1 << 13;
  /// The next leaf is `block`.
  static constexpr std::int32_t kSeeks = 1 << 15;
  /// No cell has the place.
  static constexpr std::int32_t kOutside = 1 << 14;
  /// The search has ended: `cell` has the place. No walk goes on from there, for it may end in a cell without volume.
  static constexpr std::int32_t kFound = 1 << 16;

  static constexpr int kMostFaces = 64; ///< crossed one after the other, before all cells are searched

  [[nodiscard]] int faces() const { return faces_; }
  [[nodiscard]] int came_by() const { return came_by_; }
  [[nodiscard]] bool last() const { return last_; }
  /// On to the next cell, by its face `came_by`; `last`: the walk ends there, or is lost.
  void cross(int came_by, bool last)
  {
    ++faces_;
    came_by_ = came_by;
    last_ = last;
  }

private:
  static constexpr std::int32_t kLast = 1 << 11;
  static constexpr std::int32_t kUnderWay = 1 << 12;

  std::int32_t faces_;
  std::int32_t came_by_; ///< face of this cell; -1: none
  bool last_;
};

/// A place, as it is seen from a cell.
struct SeenPlace
{
  double off = 0.0;       ///< how far it lies beyond the cell's faces, at most; infinite where the cell cannot tell
  int face = 0;           ///< the one beyond which it lies farthest
  bool shows_way = false; ///< whether that face leads on
};

/// How the way goes on from a cell: Away is over the face, and the caller says so to the state. `cell` and `next`:
/// numbers of this cell and of the one beyond the face; -1: closed. A crack between two cells belongs to the first of
/// them, if that has the place within kOnFace, else to the other.
[[nodiscard]] inline WalkEnd next_of_way(
    const SeenPlace& place, std::int64_t cell, std::int64_t next, const WalkState& state)
{
  const bool back = place.face == state.came_by();
  const bool last = state.last() || next < 0 || state.faces() == WalkState::kMostFaces;
  const bool first_of_two = back && cell < next;
  if (place.off <= kInsideCell || (place.off <= kOnFace && (last || first_of_two)))
  {
    return WalkEnd::Inside;
  }
  return last || !place.shows_way ? WalkEnd::Lost : WalkEnd::Away;
}

} // namespace rivulet
