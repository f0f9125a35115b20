// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/FieldMesh.h"

#include <algorithm>
#include <cmath>

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

Result<FieldMesh> FieldMesh::create(const TraceField& field)
{
  std::vector<StructuredMesh> levels;
  const auto add = [&](const Grid& grid) -> Result<void>
  {
    Result<StructuredMesh> mesh = StructuredMesh::create(grid);
    if (!mesh)
    {
      return forward_error(mesh);
    }
    levels.push_back(std::move(*mesh));
    return {};
  };
  Result<void> added = add(field.grid);
  const AmrMesh* amr = field.velocity.source->amr_mesh();
  for (int number = 1; added && amr != nullptr && number < amr->levels(); ++number)
  {
    added = add(amr->level(number).grid);
  }
  if (!added)
  {
    return forward_error(added);
  }
  return FieldMesh(field, std::move(levels));
}

FieldMesh::FieldMesh(const TraceField& field, std::vector<StructuredMesh> levels)
  : levels_(std::move(levels))
  , amr_(field.velocity.source->amr_mesh())
  , bricks_(&field.velocity.source->bricks(field.velocity.variable))
  , lattice_offset_(field.lattice_offset)
  , point_ghosts_(field.point_ghosts)
  , cell_ghosts_(field.cell_ghosts)
  , hidden_(&field.hidden)
{
}

std::optional<std::pair<CellPosition, std::int64_t>> FieldMesh::locate(const Vec3& world) const
{
  std::optional<CellPosition> at = level().locate(world);
  if (!at || (hidden_always() && hidden(at->cell, {})))
  {
    return std::nullopt;
  }
  const std::int64_t brick = is_amr() ? enter_finest_level(*at) : brick_of(*at);
  return brick >= 0 ? std::optional(std::pair(*at, brick)) : std::nullopt;
}

FieldMesh::StraightWay FieldMesh::straight_way(const CellPosition& from, const Vec3& by, const StepRange& steps) const
{
  const StructuredMesh& mesh = level(from.level);
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
  // The first place in a hidden cell, between places that are less than a cell apart.
  static constexpr double kPerCell = 8.0;
  static constexpr double kMost = 4096.0;
  static constexpr int kHalvings = 60;
  const double pieces = std::clamp(std::ceil(kPerCell * mesh.cells_along(from, by)), 1.0, kMost);
  double inside = 0.0;
  for (double piece = 1.0; piece <= pieces; ++piece)
  {
    CellPosition place;
    const double next = way.share * (piece / pieces);
    if (at(next, place))
    {
      inside = next;
      way.end = place;
      continue;
    }
    double outside = next;
    for (int i = 0; i < kHalvings; ++i)
    {
      const double middle = 0.5 * (inside + outside);
      const bool good = at(middle, place);
      (good ? inside : outside) = middle;
      way.end = good ? place : way.end;
    }
    return { inside, way.end };
  }
  return way;
}

bool FieldMesh::hidden(const Int3& cell, const StepRange& steps) const
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

std::int64_t FieldMesh::brick_of(const CellPosition& at) const
{
  if (is_amr())
  {
    return amr_->brick_of(at.level, at.cell);
  }
  const Int3& offset = lattice_offset_;
  return bricks_->index_of_cell({ at.cell[0] + offset[0], at.cell[1] + offset[1], at.cell[2] + offset[2] });
}

std::int32_t FieldMesh::level_of(std::int64_t brick) const
{
  return is_amr() ? amr_->brick(brick).level : 0;
}

Box FieldMesh::cells_of(std::int64_t brick) const
{
  if (is_amr())
  {
    return amr_->brick(brick).cells;
  }
  const Int3 number = from_row_major(brick, bricks_->count);
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t begin = std::int64_t{ number[axis] } * bricks_->cells[axis] - lattice_offset_[axis];
    const std::int64_t cells = level().cells()[axis];
    box.begin[axis] = static_cast<std::int32_t>(std::max<std::int64_t>(begin, 0));
    box.end[axis] = static_cast<std::int32_t>(std::min<std::int64_t>(begin + bricks_->cells[axis], cells));
  }
  return box;
}

CellPosition FieldMesh::on_level(CellPosition at, std::int32_t level) const
{
  while (at.level < level)
  {
    at = to_finer(at, amr_->level(at.level + 1).ratio);
  }
  while (at.level > level)
  {
    at = to_coarser(at, amr_->level(at.level).ratio);
  }
  return at;
}

Vec3 FieldMesh::displacement_on_level(Vec3 displacement, std::int32_t from, std::int32_t to) const
{
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    for (std::int32_t level = from; level < to; ++level)
    {
      displacement[axis] *= amr_->level(level + 1).ratio[axis];
    }
    for (std::int32_t level = from; level > to; --level)
    {
      displacement[axis] /= amr_->level(level).ratio[axis];
    }
  }
  return displacement;
}

std::int64_t FieldMesh::enter_finest_level(CellPosition& at) const
{
  for (std::int32_t level = amr_->levels(); level-- > 0;)
  {
    const CellPosition there = on_level(at, level);
    const std::int64_t brick = brick_of(there);
    if (brick >= 0)
    {
      at = there;
      return brick;
    }
  }
  return -1;
}

} // namespace rivulet
