// SPDX-License-Identifier: BSD-3-Clause
#include "Pipeline/MemoryBricks.h"

namespace rivulet
{

MemoryBricks::MemoryBricks(vtkDataArray& values, const Grid& grid, const Variable& variable, const Int3& lattice_offset)
  : values_(&values)
{
  info_.grid = grid;
  info_.variables = { variable };
  info_.times = { 0.0 };
  info_.ranges.resize(1);
  const Int3 lattice = grid.lattice(variable.centering);
  const Int3 cells = grid.cells();
  view_.lattice.begin = lattice_offset;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    info_.grid.nodes[axis] += lattice_offset[axis];
    bricks_.cells[axis] = cells[axis] + lattice_offset[axis];
    bricks_.lattice[axis] = lattice[axis] + lattice_offset[axis];
  }
  view_.lattice.end = bricks_.lattice;
  const std::int64_t row = std::int64_t{ variable.components } * lattice[0];
  view_.data = values.GetVoidPointer(0);
  view_.type = variable.type;
  view_.components = variable.components;
  view_.stride = { variable.components, row, row * lattice[1] };
}

} // namespace rivulet
