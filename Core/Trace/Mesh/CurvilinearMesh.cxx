// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/CurvilinearMesh.h"

#include "Trace/Mesh/HexWalk.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rivulet
{

Result<std::shared_ptr<const Mesh>> CurvilinearMesh::create(
    const TraceField& field, const std::vector<double>& times, TimeInterpolation interpolation)
{
  const std::vector<std::shared_ptr<const CurvilinearGrid>>& steps = field.moving.steps;
  const bool moves = !steps.empty() && !times.empty();
  const auto held = std::find_if(steps.begin(), steps.end(), [](const auto& each) { return each != nullptr; });
  const std::shared_ptr<const CurvilinearGrid> grid = !moves                ? field.curvilinear
                                                      : held != steps.end() ? *held
                                                                            : nullptr;
  if (grid == nullptr || (moves && steps.size() != times.size()))
  {
    return fail(ErrorCode::BadArgument, "the grid, whose nodes move, does not have one step for each of the times");
  }
  const BrickGrid& places = grid->cut();
  const BrickGrid& velocities = field.velocity.source->bricks(field.velocity.variable);
  if (places.cells != velocities.cells || places.count != velocities.count || field.lattice_offset != Int3{ 0, 0, 0 })
  {
    return fail(ErrorCode::BadArgument, "the nodes of the grid are cut into other bricks than the velocity array",
        "write both to one file");
  }
  if (!field.hidden.empty())
  {
    return fail(ErrorCode::Unsupported, "hidden cells of a curvilinear grid in bricks may not change with time");
  }
  std::shared_ptr<CurvilinearMesh> mesh(new CurvilinearMesh(field, grid));
  if (moves)
  {
    mesh->moving_.emplace(steps, times, interpolation);
    mesh->places_ = field.moving.places;
  }
  return std::shared_ptr<const Mesh>(std::move(mesh));
}

CurvilinearMesh::CurvilinearMesh(const TraceField& field, std::shared_ptr<const CurvilinearGrid> grid)
  : grid_(std::move(grid))
  , places_(grid_->points())
  , point_ghosts_(field.point_ghosts)
  , cell_ghosts_(field.cell_ghosts)
{
}

std::optional<Mesh::Place> CurvilinearMesh::enter(const Vec3& world, const Moment& moment) const
{
  Position begin = WorldPosition{ .point = world, .block = -1, .walk = WalkState::kLost };
  Position last = begin;
  const std::int64_t brick = enter_brick(begin, last, {}, moment);
  return brick >= 0 ? std::optional(Place{ begin, brick }) : std::nullopt;
}

void CurvilinearMesh::locate(
    std::span<const Vec3> places, const Moment& moment, std::span<std::optional<Place>> found) const
{
  seeks_.fetch_add(static_cast<std::int64_t>(places.size()), std::memory_order_relaxed);
  std::vector<CurvilinearGrid::Found> cells(places.size());
  const auto is_closed = [this](const Int3& cell)
  {
    return closed(cell);
  };
  note(moving_ ? moving_->seek(places, moment, is_closed, cells) : grid_->seek(places, is_closed, cells));
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    const std::int64_t cell = cells[i].cell;
    found[i] = cell < 0
                   ? std::nullopt
                   : std::optional(Place{ WorldPosition{ .point = places[i], .cell = cell }, grid_->brick_of(cell) });
  }
}

/// Waits for the bricks that may have it. -1: none has.
std::int64_t CurvilinearMesh::cell_with(const Vec3& world, const Moment& moment) const
{
  std::optional<Place> found;
  locate({ &world, 1 }, moment, { &found, 1 });
  return found ? found->at.as<WorldPosition>().cell : -1;
}

std::int64_t CurvilinearMesh::enter_brick(
    Position& sample, Position& last, std::span<double[3]>, const Moment& moment) const
{
  auto at = sample.as<WorldPosition>();
  if (at.walk != WalkState::kLost)
  {
    walks_parked_.fetch_add(WalkState::under_way(at.walk) ? 1 : 0, std::memory_order_relaxed);
    return at.walk == WalkState::kSeeks ? grid_->brick_of_leaf(at.block) : grid_->brick_of(at.cell);
  }
  if (!holds(moment.interval))
  {
    return 0; // it is sought when the interval's steps are there
  }
  seeks_.fetch_add(at.block < 0 ? 1 : 0, std::memory_order_relaxed);
  if (const std::int32_t leaf = grid_during(moment.interval).next_leaf(at.point, at.block); leaf >= 0)
  {
    seeks_parked_.fetch_add(1, std::memory_order_relaxed);
    at.walk = WalkState::kSeeks;
    at.block = leaf;
    sample = at;
    return grid_->brick_of_leaf(leaf);
  }
  // If there is none, the kernel ends the line, or tries a shorter step, where it knows the cell of the last point.
  const bool found = at.cell >= 0;
  if (!found && last.as<WorldPosition>().cell < 0)
  {
    return -1; // it has not begun
  }
  // A cell that was found is settled like one at the end of a walk: a step may end there, and its interval with it.
  at = { .point = at.point,
    .cell = found ? at.cell : last.as<WorldPosition>().cell,
    .walk = found ? WalkState::kFound : WalkState::kOutside };
  sample = at;
  return grid_->brick_of(at.cell);
}

/// Waits for the cell's brick. Empty if that cannot be read.
std::optional<HexCell> CurvilinearMesh::hexahedron(std::int64_t cell, const Moment& moment) const
{
  std::shared_ptr<const Error> error;
  const PinnedPlaces places = pin(grid_->brick_of(cell), moment, error);
  note(error);
  return places ? std::optional(HexCell(places.corners(moment.share).of(cell_of(cell)))) : std::nullopt;
}

void CurvilinearMesh::interpolate(const BrickView& brick, std::int32_t, Centering centering, const Position& at,
    const Moment& moment, double* values) const
{
  const auto place = at.as<WorldPosition>();
  const Int3 cell = cell_of(place.cell);
  if (centering == Centering::Cell)
  {
    for (std::int32_t component = 0; component < brick.components; ++component)
    {
      values[component] = value_at(brick, cell, component);
    }
    return;
  }
  const std::optional<HexCell> hexahedron = this->hexahedron(place.cell, moment);
  if (!hexahedron)
  {
    std::fill_n(values, brick.components, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  const Vec3 t = clamped_to_cell(hexahedron->locate(place.point).at);
  const auto mix = [](double a, double b, double share)
  {
    return std::fma(share, b - a, a);
  };
  for (std::int32_t component = 0; component < brick.components; ++component)
  {
    const auto along_x = [&](int row)
    {
      return mix(value_at(brick, HexCell::node(cell, 2 * row), component),
          value_at(brick, HexCell::node(cell, 2 * row + 1), component), t[0]);
    };
    values[component] = mix(mix(along_x(0), along_x(1), t[1]), mix(along_x(2), along_x(3), t[1]), t[2]);
  }
}

/// The next sample lies a cell or two from the last point, whose coordinates are as good as straight there.
std::optional<Mesh::WayInBricks> CurvilinearMesh::way_in_bricks(
    const Position& last, const Position& sample, std::int32_t interval) const
{
  const auto from = last.as<WorldPosition>();
  if (from.cell < 0 || one_brick())
  {
    return std::nullopt;
  }
  const std::int32_t step = moving_ ? interval : places_.step;
  const Lookup near = places_.source->try_get({ places_.variable, step, grid_->brick_of(from.cell) });
  if (near.state != Lookup::State::Ready)
  {
    return std::nullopt;
  }
  const Int3 cell = cell_of(from.cell);
  const HexCell hexahedron(BrickCorners(near.pin.view()).of(cell));
  const Vec3 begin = hexahedron.locate(from.point).at;
  const Vec3 end = hexahedron.locate(sample.as<WorldPosition>().point).at;
  WayInBricks way;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const double cells = grid_->cut().cells[axis];
    way.place[axis] = (cell[axis] + end[axis]) / cells;
    way.along[axis] = (end[axis] - begin[axis]) / cells;
    if (!std::isfinite(way.place[axis]) || way.place[axis] < 0.0 || way.place[axis] >= grid_->cut().count[axis])
    {
      return std::nullopt; // beyond the border
    }
  }
  return way;
}

std::int64_t CurvilinearMesh::label_number(
    const Vec3& world, const Position& at, const Moment& moment, Centering centering) const
{
  const auto place = at.as<WorldPosition>();
  const std::int64_t cell = place.walk == 0 ? place.cell : cell_with(world, moment);
  const std::optional<HexCell> hexahedron =
      cell >= 0 && centering == Centering::Node ? this->hexahedron(cell, moment) : std::nullopt;
  if (!hexahedron)
  {
    return centering == Centering::Cell ? cell : -1;
  }
  const Vec3 parametric = hexahedron->locate(world).at;
  Int3 node = cell_of(cell);
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    node[axis] += parametric[axis] < 0.5 ? 0 : 1;
  }
  return row_major(node, grid_->cut().lattice);
}

void CurvilinearMesh::note(const std::shared_ptr<const Error>& error) const
{
  if (error)
  {
    const std::lock_guard lock(mutex_);
    error_ = error_ ? error_ : error;
  }
}

std::shared_ptr<const Error> CurvilinearMesh::take_error() const
{
  const std::lock_guard lock(mutex_);
  return std::exchange(error_, nullptr);
}

} // namespace rivulet
