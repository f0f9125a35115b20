// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The way from a cell to the one with a place, through the hexahedra of a lattice: over the face beyond which the
/// place lies farthest, one face at a time. It may be interrupted where the next cell is not at hand: all it knows is
/// in the position.
///
///     WorldPosition at{ world, cell_before };
///     switch (walk_on(lattice, at, parametric)) { Inside: at.cell has it; Away: at.cell is next; Lost: seek }
///
/// `lattice` has
///   counts()             number of cells along each axis
///   at_hand(cell)        whether the corners of a cell can be had now
///   corners(cell)        these
///   hidden(cell)         whether a cell is closed to walks
///
/// Tolerances are shares of the cell. Pure functions of lattice and position; any thread.
#pragma once

#include "Trace/Mesh/HexCell.h"
#include "Trace/Mesh/WorldPosition.h"

#include <limits>

namespace rivulet
{

inline constexpr double kInsideCell = 1e-10; ///< so far beyond a face, a place is in the cell
/// So far, it is on the border of the lattice, or in a crack between cells.
inline constexpr double kOnFace = HexCell::kNear;

enum class WalkEnd : std::uint8_t
{
  Inside, ///< the cell has the place
  Away,   ///< the next cell is not at hand
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
  /// On over a face of the cell; `last`: the walk ends in the next cell, or is lost.
  void cross(int face, bool last)
  {
    ++faces_;
    came_by_ = face ^ 1;
    last_ = last;
  }

private:
  static constexpr std::int32_t kLast = 1 << 11;
  static constexpr std::int32_t kUnderWay = 1 << 12;

  std::int32_t faces_;
  std::int32_t came_by_; ///< face of this cell; -1: none
  bool last_;
};

/// The face beyond which the place lies farthest; of equal ones the first. Faces are numbered -x, +x, -y, +y, -z, +z.
[[nodiscard]] inline int farthest_face(const Vec3& at)
{
  int face = 0;
  double most = -std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis)
  {
    const double x = at[static_cast<std::size_t>(axis)];
    for (const int high : { 0, 1 })
    {
      const double beyond = high != 0 ? x - 1.0 : -x;
      face = beyond > most ? 2 * axis + high : face;
      most = std::max(most, beyond);
    }
  }
  return face;
}

[[nodiscard]] inline Int3 cell_beyond(Int3 cell, int face)
{
  cell[static_cast<std::size_t>(face / 2)] += face % 2 == 0 ? -1 : 1;
  return cell;
}

[[nodiscard]] inline Vec3 clamped_to_cell(Vec3 at)
{
  for (double& x : at)
  {
    x = std::min(std::max(0.0, x), 1.0); // never -0
  }
  return at;
}

/// What a way does next, where a place is seen from a cell.
struct WalkMove
{
  WalkEnd end = WalkEnd::Lost; ///< Away: on to the next cell, wherever that is
  Int3 next{ 0, 0, 0 };
};

/// A crack between two cells belongs to the first of them, if that has the place within kOnFace, else to the other.
template <class Lattice>
[[nodiscard]] WalkMove next_move(
    const Lattice& lattice, const Int3& cell, const HexCell::Place& place, WalkState& state)
{
  const Int3 counts = lattice.counts();
  const double off = place.converged ? HexCell::violation(place.at) : std::numeric_limits<double>::infinity();
  const int face = farthest_face(place.at);
  const Int3 next = cell_beyond(cell, face);
  const bool closed = !Box{ { 0, 0, 0 }, counts }.contains(next) || lattice.hidden(next);
  const bool back = face == state.came_by();
  const bool last = state.last() || closed || state.faces() == WalkState::kMostFaces;
  const bool first_of_two = back && row_major(cell, counts) < row_major(next, counts);
  if (off <= kInsideCell || (off <= kOnFace && (last || first_of_two)))
  {
    return { WalkEnd::Inside, cell };
  }
  if (last || (!place.converged && !place.far))
  {
    return { WalkEnd::Lost, cell };
  }
  state.cross(face, back);
  return { WalkEnd::Away, next };
}

/// Sets the parametric coordinates if the place was found.
template <class Lattice>
[[nodiscard]] WalkEnd walk_on(const Lattice& lattice, WorldPosition& at, Vec3& parametric)
{
  const Int3 counts = lattice.counts();
  WalkState state(at.walk);
  for (;;)
  {
    const Int3 cell = from_row_major(at.cell, counts);
    if (!lattice.at_hand(cell))
    {
      at.walk = state.bits();
      return WalkEnd::Away;
    }
    const HexCell::Place place = HexCell(lattice.corners(cell)).locate(at.point);
    const WalkMove move = next_move(lattice, cell, place, state);
    switch (move.end)
    {
    case WalkEnd::Inside:
      parametric = clamped_to_cell(place.at);
      at.walk = 0;
      return WalkEnd::Inside;
    case WalkEnd::Lost:
      at = { .point = at.point, .cell = -1, .block = -1, .walk = WalkState::kLost };
      return WalkEnd::Lost;
    case WalkEnd::Away:
      at.cell = row_major(move.next, counts);
    }
  }
}

} // namespace rivulet
