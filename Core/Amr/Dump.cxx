// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/Dump.h"

namespace rivulet
{

Int3 AmrVariable::stored_size(const Box& cells, int dimensions) const
{
  Int3 size{ 1, 1, 1 };
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis)
  {
    size[axis] = cells.end[axis] - cells.begin[axis] + (centering == Centering::Node ? 1 : 0) + 2 * ghosts[axis];
  }
  return size;
}

Int3 AmrVariable::stored_size(const AmrPatch& patch, int dimensions) const
{
  Box cells = patch.cells;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    cells.begin[axis] -= patch.cut_lower[axis];
    cells.end[axis] += patch.cut_upper[axis];
  }
  return stored_size(cells, dimensions);
}

Int3 AmrVariable::own_size(const AmrPatch& patch, int dimensions) const
{
  Int3 size = stored_size(patch.cells, dimensions);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis)
  {
    size[axis] -= 2 * ghosts[axis];
  }
  return size;
}

int AmrDump::variable_of(const std::string& name) const
{
  for (std::size_t i = 0; i < variables.size(); ++i)
  {
    if (variables[i].name == name)
    {
      return static_cast<int>(i);
    }
  }
  return -1;
}

} // namespace rivulet
