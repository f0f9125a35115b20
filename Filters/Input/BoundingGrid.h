// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The box around cells that lie anywhere, as a uniform grid: TraceField::grid of meshes.
///
/// Plain functions. Units: world.
#pragma once

#include "Base/Field.h"

#include <array>

namespace rivulet
{

/// A grid of one cell with bounds as in VTK: x min, x max, y min, ... Flat where they are.
[[nodiscard]] inline Grid bounding_grid(const std::array<double, 6>& bounds)
{
  Grid grid;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double side = bounds[2 * axis + 1] - bounds[2 * axis];
    grid.origin[axis] = bounds[2 * axis];
    grid.nodes[axis] = side > 0.0 ? 2 : 1;
    grid.spacing[axis] = side > 0.0 ? side : 1.0;
  }
  return grid;
}

/// The grid with the same bounds and so many nodes along each axis.
inline void give_nodes(const Int3& nodes, Grid& grid)
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    grid.spacing[axis] *= (grid.nodes[axis] - 1.0) / (nodes[axis] - 1);
    grid.nodes[axis] = nodes[axis];
  }
}

} // namespace rivulet
