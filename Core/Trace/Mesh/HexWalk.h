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

#include "Trace/Mesh/FaceWalk.h"
#include "Trace/Mesh/HexCell.h"
#include "Trace/Mesh/WorldPosition.h"

#include <limits>

namespace rivulet
{

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

template <class Lattice>
[[nodiscard]] WalkMove next_move(
    const Lattice& lattice, const Int3& cell, const HexCell::Place& place, WalkState& state)
{
  const Int3 counts = lattice.counts();
  const double off = place.converged ? HexCell::violation(place.at) : std::numeric_limits<double>::infinity();
  const int face = farthest_face(place.at);
  const Int3 next = cell_beyond(cell, face);
  const bool closed = !Box{ { 0, 0, 0 }, counts }.contains(next) || lattice.hidden(next);
  const WalkEnd end = next_of_way({ off, face, place.converged || place.far }, row_major(cell, counts),
      closed ? -1 : row_major(next, counts), state);
  if (end != WalkEnd::Away)
  {
    return { end, cell };
  }
  state.cross(face ^ 1, face == state.came_by());
  return { end, next };
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
