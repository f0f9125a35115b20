// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/Dump.h"

#include <limits>

namespace rivulet
{

namespace
{

std::int64_t floor_divide(std::int64_t a, std::int64_t b)
{
  return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/// Product limited to the range of 32 bits.
std::int32_t times(std::int32_t index, std::int32_t ratio)
{
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(
      std::clamp<std::int64_t>(std::int64_t{ index } * ratio, Limits::min(), Limits::max()));
}

} // namespace

Box coarsen(const Box& fine, const Int3& ratio)
{
  Box coarse;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    coarse.begin[axis] = static_cast<std::int32_t>(floor_divide(fine.begin[axis], ratio[axis]));
    coarse.end[axis] = static_cast<std::int32_t>(floor_divide(std::int64_t{ fine.end[axis] } - 1, ratio[axis]) + 1);
  }
  return coarse;
}

Box refine(const Box& coarse, const Int3& ratio)
{
  Box fine;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    fine.begin[axis] = times(coarse.begin[axis], ratio[axis]);
    fine.end[axis] = times(coarse.end[axis], ratio[axis]);
  }
  return fine;
}

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
