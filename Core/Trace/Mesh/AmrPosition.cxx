// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/AmrPosition.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

/// The largest multiple of `ratio` that is not above `cell`, as a multiple.
std::int32_t floor_divide(std::int32_t cell, std::int32_t ratio)
{
  return cell >= 0 ? cell / ratio : -((-cell + ratio - 1) / ratio);
}

/// a position on any other level.
CellPosition on_level(const RefinedGrid& grid, CellPosition at, std::int32_t from, std::int32_t to)
{
  for (; from < to; ++from)
  {
    at = to_finer(at, grid.level(from + 1).ratio);
  }
  for (; from > to; --from)
  {
    at = to_coarser(at, grid.level(from).ratio);
  }
  return at;
}

/// Slopes count in cells.
void scale_slopes(Particle& particle, const Int3& ratio, bool finer)
{
  for (std::int32_t i = 0; i < particle.stage; ++i)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      double& slope = particle.slopes[i][axis];
      slope = finer ? slope * ratio[axis] : slope / ratio[axis];
    }
  }
}

} // namespace

CellPosition to_finer(const CellPosition& at, const Int3& ratio)
{
  CellPosition finer = at;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double scaled = at.fraction[axis] * ratio[axis];
    // A fraction of 1 is the upper face of the last cell.
    const double whole = std::min(std::floor(scaled), static_cast<double>(ratio[axis] - 1));
    finer.cell[axis] = at.cell[axis] * ratio[axis] + static_cast<std::int32_t>(whole);
    finer.fraction[axis] = scaled - whole;
  }
  return finer;
}

CellPosition to_coarser(const CellPosition& at, const Int3& ratio)
{
  CellPosition coarser = at;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    coarser.cell[axis] = floor_divide(at.cell[axis], ratio[axis]);
    const std::int32_t rest = at.cell[axis] - coarser.cell[axis] * ratio[axis];
    coarser.fraction[axis] = (rest + at.fraction[axis]) / ratio[axis];
  }
  return coarser;
}

std::optional<RefinedPlace> find_finest(const RefinedGrid& grid, const CellPosition& at, std::int32_t level)
{
  for (std::int32_t to = grid.levels(); to-- > 0;)
  {
    const CellPosition there = on_level(grid, at, level, to);
    const std::int64_t brick = grid.brick_of(to, { there.cell[0], there.cell[1], there.cell[2] });
    if (brick >= 0)
    {
      return RefinedPlace{ to, brick, there };
    }
  }
  return std::nullopt;
}

std::int64_t enter_finest(const RefinedGrid& grid, Particle& particle)
{
  const std::optional<RefinedPlace> place = find_finest(grid, particle.trial, particle.refinement);
  if (!place)
  {
    return -1;
  }
  particle.trial = place->at;
  particle.base = on_level(grid, particle.base, particle.refinement, place->level);
  for (std::int32_t from = particle.refinement; from < place->level; ++from)
  {
    scale_slopes(particle, grid.level(from + 1).ratio, true);
  }
  for (std::int32_t from = particle.refinement; from > place->level; --from)
  {
    scale_slopes(particle, grid.level(from).ratio, false);
  }
  particle.refinement = place->level;
  return place->brick;
}

} // namespace rivulet
