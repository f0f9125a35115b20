// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/GridMesh.h"

#include "Curve/Morton.h"
#include "Trace/Mesh/FirstWayOut.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

/// `upper`: from a lattice point to its upper neighbour along each axis, in scalars. The same operations in the same
/// order as for the velocity (Sampling-inl.h).
template <class Scalar>
double trilinear(const Scalar* low, const Long3& upper, const Vec3& fraction)
{
  const auto mix = [](double a, double b, double t)
  {
    return std::fma(t, b - a, a);
  };
  const auto along_x = [&](std::int64_t row)
  {
    return mix(double{ low[row] }, double{ low[row + upper[0]] }, fraction[0]);
  };
  const double front = mix(along_x(0), along_x(upper[1]), fraction[1]);
  const double back = mix(along_x(upper[2]), along_x(upper[1] + upper[2]), fraction[1]);
  return mix(front, back, fraction[2]);
}

} // namespace

GridMesh::GridMesh(const TraceField& field, std::vector<GridGeometry> levels)
  : levels_(std::move(levels))
  , lattice_offset_(field.lattice_offset)
  , point_ghosts_(field.point_ghosts)
  , cell_ghosts_(field.cell_ghosts)
  , hidden_(&field.hidden)
{
}

GridMesh::StraightWay GridMesh::straight_way(const CellPosition& from, const Vec3& by, const StepRange& steps) const
{
  const GridGeometry& mesh = level(from.level);
  const auto at = [&](double share, CellPosition& place)
  {
    place = mesh.displaced(from, { share * by[0], share * by[1], share * by[2] });
    return settle(place, steps);
  };
  StraightWay way{ std::min(1.0, mesh.share_to_border(from, by)), from };
  if (!has_hidden_cells())
  {
    return at(way.share, way.end) ? way : StraightWay{ 0.0, from };
  }
  return first_way_out(way, mesh.cells_along(from, by),
      [&](double share, const StraightWay& /*so_far*/, CellPosition& place) { return at(share, place); });
}

bool GridMesh::hidden(const Int3& cell, const StepRange& steps) const
{
  if (!hidden_in_time())
  {
    return hides_cell(level().nodes(), point_ghosts_, cell_ghosts_, cell);
  }
  for (std::int32_t step = steps.first; step <= steps.last; ++step)
  {
    const HiddenCells* const at_step = (*hidden_)[static_cast<std::size_t>(step)].get();
    if (at_step != nullptr && at_step->has(cell))
    {
      return true;
    }
  }
  return false;
}

std::int64_t GridMesh::label_number(const Vec3& world, const Position& at, const Moment&, Centering centering) const
{
  const auto given = at.as<CellPosition>();
  const std::optional<CellPosition> coarse = given.level == 0 ? given : level().locate(world);
  if (!coarse || !Box{ {}, level().cells() }.contains(coarse->cell))
  {
    return -1;
  }
  if (centering == Centering::Cell)
  {
    return row_major(coarse->cell, level().cells());
  }
  Int3 point = coarse->cell;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    point[axis] += coarse->fraction[axis] < 0.5 ? 0 : 1;
  }
  return row_major(point, level().nodes());
}

/// The Morton number of the cell.
std::int64_t GridMesh::sort_number(const Position& at) const
{
  return morton_number(at.as<CellPosition>().cell);
}

void GridMesh::interpolate(
    const BrickView& brick, std::int32_t, Centering centering, const Position& at, const Moment&, double* values) const
{
  const auto place = at.as<CellPosition>();
  const auto interpolate_as = [&]<class Scalar>(const Scalar* low)
  {
    Long3 upper{ 0, 0, 0 };
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      low += (place.cell[axis] + lattice_offset_[axis] - brick.lattice.begin[axis]) * brick.stride[axis];
      const bool between = centering == Centering::Node && !level().flat(static_cast<int>(axis));
      upper[axis] = between ? brick.stride[axis] : 0;
    }
    for (std::int32_t component = 0; component < brick.components; ++component)
    {
      values[component] = trilinear(low + component * brick.component_stride, upper, place.fraction);
    }
  };
  brick.type == ScalarType::Float32 ? interpolate_as(static_cast<const float*>(brick.data))
                                    : interpolate_as(static_cast<const double*>(brick.data));
}

} // namespace rivulet
