// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/CellPosition.h"

namespace rivulet
{

namespace
{

/// floor(cell / ratio).
std::int32_t floor_divide(std::int32_t cell, std::int32_t ratio)
{
  return cell >= 0 ? cell / ratio : -((-cell + ratio - 1) / ratio);
}

} // namespace

CellPosition to_finer(const CellPosition& at, const Int3& ratio)
{
  CellPosition finer = at;
  ++finer.level;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double scaled = at.fraction[axis] * ratio[axis];
    // A fraction of 1 is on the upper face, which belongs to the last finer cell.
    const double whole = std::min(std::floor(scaled), static_cast<double>(ratio[axis] - 1));
    finer.cell[axis] = at.cell[axis] * ratio[axis] + static_cast<std::int32_t>(whole);
    finer.fraction[axis] = scaled - whole;
  }
  return finer;
}

CellPosition to_coarser(const CellPosition& at, const Int3& ratio)
{
  CellPosition coarser = at;
  --coarser.level;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    coarser.cell[axis] = floor_divide(at.cell[axis], ratio[axis]);
    const std::int32_t rest = at.cell[axis] - coarser.cell[axis] * ratio[axis];
    coarser.fraction[axis] = (rest + at.fraction[axis]) / ratio[axis];
  }
  return coarser;
}

} // namespace rivulet
