// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Position on a uniform, rectilinear or AMR mesh: its cell, and the fraction of the way through that cell along each
/// axis. It has the same precision everywhere in the grid, for any cut into bricks.
///
/// Plain values.
#pragma once

#include "Base/Box.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

/// Cell index counted from the grid's corner, and fraction in [0, 1] along each axis.
///
/// A fraction of 1 is on the cell's upper face, or nearer to it than any fraction below 1: a position that rounding put
/// below a face stays in the cell below. On the grid's upper boundary it is the only form. (c, 1) and (c + 1, 0) are
/// the same position in two cells; see same_position().
struct CellPosition
{
  Vec3 fraction{ 0, 0, 0 };
  Int3 cell{ 0, 0, 0 };
  std::int32_t level = 0; ///< of an AMR mesh: the level of the cell; 0 in any other mesh
};

/// Whether two positions are the same place, possibly in two cells.
[[nodiscard]] inline bool same_position(const CellPosition& a, const CellPosition& b)
{
  const auto same = [&](std::size_t axis)
  {
    return (a.cell[axis] - b.cell[axis]) + (a.fraction[axis] - b.fraction[axis]) == 0.0;
  };
  return same(0) && same(1) && same(2);
}

/// The largest distance along an axis between two positions of the same level, in cells.
[[nodiscard]] inline double cells_between(const CellPosition& a, const CellPosition& b)
{
  double most = 0.0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double cells = static_cast<double>(a.cell[axis]) - b.cell[axis];
    most = std::max(most, std::fabs(cells + (a.fraction[axis] - b.fraction[axis])));
  }
  return most;
}

/// Converts a position to the cells of a level that is finer by `ratio`, and back.
[[nodiscard]] CellPosition to_finer(const CellPosition& at, const Int3& ratio);
[[nodiscard]] CellPosition to_coarser(const CellPosition& at, const Int3& ratio);

} // namespace rivulet
