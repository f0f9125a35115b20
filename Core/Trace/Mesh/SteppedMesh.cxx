// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Mesh/SteppedMesh.h"

#include "Trace/Mesh/ForeignMesh.h"
#include "Trace/Mesh/UnstructuredMesh.h"

#include <algorithm>
#include <limits>

namespace rivulet
{

SteppedMesh::SteppedMesh(
    std::vector<std::shared_ptr<const ForeignCells>> steps, std::vector<double> times, TimeInterpolation interpolation)
  : steps_(std::move(steps))
  , times_(std::move(times))
  , interpolation_(interpolation)
  , intervals_(std::make_unique<During[]>(steps_.size()))
{
}

std::shared_ptr<const Mesh> SteppedMesh::make(std::int32_t interval) const
{
  const StepRange needed = steps_for(interpolation_, { interval, interval }, steps_.size());
  ChangingMesh::About about;
  std::array<std::shared_ptr<const UnstructuredCells>, kMostSteps> own;
  const auto now = std::dynamic_pointer_cast<const UnstructuredCells>(step(interval));
  bool same_places = true;
  bool same_cells = now != nullptr;
  for (std::int32_t number = needed.first; number <= needed.last; ++number)
  {
    const auto i = static_cast<std::size_t>(number - interval + 1);
    about[i] = step(number);
    own[i] = std::dynamic_pointer_cast<const UnstructuredCells>(step(number));
    same_places = same_places && step(number) == step(interval);
    same_cells = same_cells && own[i] != nullptr && own[i]->same_cells(*now);
  }
  if (same_places)
  {
    return now != nullptr ? std::shared_ptr<const Mesh>(std::make_shared<const UnstructuredMesh>(now))
                          : std::make_shared<const ForeignMesh>(step(interval));
  }
  if (!same_cells)
  {
    return std::make_shared<const ChangingMesh>(std::move(about), interval);
  }
  const CubicWeights cubic =
      interpolation_ == TimeInterpolation::Cubic ? CubicWeights::make(times_, interval) : CubicWeights{};
  return std::make_shared<const UnstructuredMesh>(
      UnstructuredCells::between({ own[1], own[2], own[0], own[3], cubic }));
}

const Mesh* SteppedMesh::during(std::int32_t interval) const
{
  if (!holds_all_steps(interpolation_, interval, steps_))
  {
    return nullptr;
  }
  During& during = intervals_[static_cast<std::size_t>(interval)];
  std::call_once(during.made, [&] { during.mesh = make(interval); });
  return during.mesh.get();
}

std::optional<SteppedMesh::CellsAt> SteppedMesh::cells_at(const Moment& moment) const
{
  const Mesh* const mesh = during(moment.interval);
  if (const auto* const element = dynamic_cast<const UnstructuredMesh*>(mesh))
  {
    return CellsAt{ element->own(), moment.share };
  }
  const bool at_step = moment.share == 0.0 || moment.share == 1.0;
  const std::int32_t number = moment.interval + (moment.share == 1.0 ? 1 : 0);
  auto own = mesh != nullptr && at_step ? std::dynamic_pointer_cast<const UnstructuredCells>(step(number)) : nullptr;
  return own != nullptr ? std::optional(CellsAt{ std::move(own) }) : std::nullopt;
}

std::optional<Mesh::Place> SteppedMesh::enter(const Vec3& world, const Moment& moment) const
{
  const Mesh* const mesh = during(moment.interval);
  return mesh != nullptr ? mesh->enter(world, moment) : std::optional(Place{ WorldPosition{ .point = world }, 0 });
}

void SteppedMesh::locate(
    std::span<const Vec3> places, const Moment& moment, std::span<std::optional<Place>> found) const
{
  if (const Mesh* const mesh = during(moment.interval))
  {
    mesh->locate(places, moment, found);
    return;
  }
  std::fill(found.begin(), found.end(), std::nullopt);
}

/// A position as the mesh of the moment's interval has it. It may come from an interval beside that, at the time of the
/// step between both: then its cell is known. Empty if it has none.
std::optional<WorldPosition> SteppedMesh::arrived(const Mesh& mesh, const WorldPosition& at, const Moment& moment) const
{
  const std::int32_t from = ChangingMesh::interval_of(at);
  const auto* const changing = dynamic_cast<const ChangingMesh*>(&mesh);
  if (changing != nullptr ? from == moment.interval : from < 0)
  {
    return at; // meshes that do not change have the same cells in both intervals
  }
  const std::int64_t cell = from < 0 || from > moment.interval ? at.cell : at.block;
  if (changing != nullptr)
  {
    return changing->find(at.point, moment.share, moment.share == 0.0 ? cell : -1, moment.share == 1.0 ? cell : -1);
  }
  if (cell >= 0)
  {
    return WorldPosition{ .point = at.point, .cell = cell };
  }
  const std::optional<Place> found = mesh.enter(at.point, moment);
  return found ? std::optional(found->at.as<WorldPosition>()) : std::nullopt;
}

std::int64_t SteppedMesh::sort_number(const Position& at) const
{
  const auto own = std::find_if(steps_.begin(), steps_.end(), [](const auto& cells) { return cells != nullptr; });
  const auto* const cells = dynamic_cast<const UnstructuredCells*>(own->get());
  const auto place = at.as<WorldPosition>();
  return cells != nullptr ? cells->sort_number(place.point) : place.cell;
}

std::int64_t SteppedMesh::enter_brick(
    Position& sample, Position& last, std::span<double[3]> slopes, const Moment& moment) const
{
  const Mesh* const mesh = during(moment.interval);
  if (mesh == nullptr)
  {
    return 0; // it is sought when the interval's steps are there
  }
  const auto before = sample.as<WorldPosition>();
  const std::optional<WorldPosition> now = arrived(*mesh, before, moment);
  if (!now || (now->cell < 0 && now->walk == 0)) // one that entered when the interval was not held, and is outside
  {
    return -1;
  }
  if (now->walk != before.walk || now->cell != before.cell || now->block != before.block)
  {
    // The last point lies in the interval before, and has no cell in this one: the sample's stands for it.
    WorldPosition from = *now;
    from.point = last.as<WorldPosition>().point;
    last = from;
    sample = *now;
  }
  return mesh->enter_brick(sample, last, slopes, moment);
}

std::int64_t SteppedMesh::label_number(
    const Vec3& world, const Position& at, const Moment& moment, Centering centering) const
{
  const Mesh* const mesh = during(moment.interval);
  const std::optional<WorldPosition> place =
      mesh != nullptr ? arrived(*mesh, at.as<WorldPosition>(), moment) : std::nullopt;
  return place ? mesh->label_number(world, *place, moment, centering) : -1;
}

void SteppedMesh::interpolate(const BrickView& brick, std::int32_t step, Centering centering, const Position& at,
    const Moment& moment, double* values) const
{
  const Mesh* const mesh = during(moment.interval);
  const std::optional<WorldPosition> place =
      mesh != nullptr ? arrived(*mesh, at.as<WorldPosition>(), moment) : std::nullopt;
  if (!place)
  {
    std::fill_n(values, brick.components, std::numeric_limits<double>::quiet_NaN());
    return;
  }
  mesh->interpolate(brick, step, centering, *place, moment, values);
}

Mesh::SearchCounts SteppedMesh::searches() const
{
  SearchCounts sum;
  for (std::size_t interval = 0; interval + 1 < steps_.size(); ++interval)
  {
    if (const std::shared_ptr<const Mesh>& mesh = intervals_[interval].mesh)
    {
      const SearchCounts each = mesh->searches();
      sum.seeks += each.seeks;
    }
  }
  return sum;
}

} // namespace rivulet
