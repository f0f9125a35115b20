// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowSurface.h"

#include "Base/Times.h"
#include "Trace/Contract/NoMemory.h"

#include <algorithm>
#include <cmath>
#include <new>

namespace rivulet
{

namespace
{

constexpr std::int32_t kMostLevels = 20; ///< keeps middles on the lattice of StreakDomain.h

Result<void> check_criteria(const SurfaceCriteria& criteria)
{
  if (!(criteria.largest_edge > 0.0) || !std::isfinite(criteria.largest_edge) || !(criteria.largest_angle > 0.0) ||
      !(criteria.least_edge >= 0.0) || !(criteria.tear_length > 0.0))
  {
    return fail(ErrorCode::BadArgument,
        "the largest edge, largest angle, least edge or tear length of the surface is not a positive number",
        "give a largest edge in units of the grid");
  }
  if (std::max(criteria.most_levels, criteria.boundary_levels) > kMostLevels || criteria.most_vertices < 3 ||
      criteria.most_vertices > std::numeric_limits<std::int32_t>::max() / 8)
  {
    return fail(ErrorCode::BadArgument,
        "the surface may have " + std::to_string(criteria.most_levels) + " levels and " +
            std::to_string(criteria.most_vertices) + " vertices",
        "give at most 20 levels, and between 3 and 268435455 vertices");
  }
  return {};
}

tl::unexpected<Error> no_memory()
{
  return tl::unexpected<Error>(*no_memory_for("keep the vertices of the surface"));
}

} // namespace

Result<AdvectionContext> flow_surface_context(
    const TraceField& field, std::span<const double> times, const PathlineOptions& options)
{
  std::vector<double> of_steps(times.begin(), times.end());
  if (of_steps.empty() && field.velocity.source != nullptr)
  {
    of_steps = field.velocity.source->info().times;
  }
  PathlineOptions ends_only = options;
  ends_only.direction = TraceDirection::Forward;
  ends_only.compute_vorticity = false;
  ends_only.terminal_speed = 0.0; // a particle at rest is a part of the surface
  return AdvectionContext::unsteady(field, std::move(of_steps), { options.first_time, options.last_time }, ends_only);
}

FlowSurfaceMarch::FlowSurfaceMarch(std::unique_ptr<const SurfaceDomain> domain, std::vector<double> times,
    const SurfaceCriteria& criteria, SurfaceRanks ranks)
  : domain_(std::move(domain))
  , times_(std::move(times))
  , criteria_(criteria)
  , ranks_(std::move(ranks))
{
}

bool FlowSurfaceMarch::grow(std::vector<double> times)
{
  const auto gone = number_ > 0 ? std::upper_bound(times_.begin(), times_.end(), surface_.time) : times_.begin();
  const auto count = gone - times_.begin();
  if (round_.has_value() || times.size() < 2 || static_cast<std::ptrdiff_t>(times.size()) < count ||
      !std::equal(times_.begin(), gone, times.begin()))
  {
    return false;
  }
  times_ = std::move(times);
  return true;
}

Result<void> FlowSurfaceMarch::check(double time) const
{
  const double start = domain_->start();
  if (!(time >= times_.front() && time <= times_.back()) || !(start >= times_.front() && start <= times_.back()))
  {
    return fail(ErrorCode::BadArgument,
        "the surface starts at " + format_time(start) + " and is wanted at " + format_time(time) +
            ", which is outside the times of the field",
        "the field lasts from " + format_time(times_.front()) + " to " + format_time(times_.back()));
  }
  return check_criteria(criteria_);
}

Result<void> FlowSurfaceMarch::begin(double time)
{
  if (complete_ && surface_.time == time)
  {
    return {};
  }
  give_up();
  if (Result<void> good = check(time); !good)
  {
    return good;
  }
  try
  {
    Result<SurfaceBase> base = domain_->base(time, criteria_.most_vertices);
    if (!base)
    {
      return forward_error(base);
    }
    ++number_;
    vertices_.drop_passing();
    ids_.clear();
    surface_ = {};
    surface_.time = time;
    if (base->cells.empty())
    {
      complete_ = true;
      return {};
    }
    moment_ = SurfaceMoment::at(times_, time);
    refine_.emplace(std::move(base->cells), criteria_);
    add_seeds(base->seeds);
    begin_round();
    end_rounds();
    return {};
  }
  catch (const std::bad_alloc&)
  {
    give_up();
    return no_memory();
  }
}

/// Forgets the surface in the making.
void FlowSurfaceMarch::give_up()
{
  if (round_)
  {
    round_->forget();
  }
  round_.reset();
  refine_.reset();
  complete_ = false;
}

void FlowSurfaceMarch::stop()
{
  if (!complete_)
  {
    keep_so_far();
    give_up();
  }
}

/// Adds vertices to the surface, and new ones to the march, too. New vertices are shared out among the ranks in the
/// order of the seeds, so that a rank has neighbours.
void FlowSurfaceMarch::add_seeds(const std::vector<SurfaceSeed>& seeds)
{
  const std::int64_t before = vertices_.size();
  for (const SurfaceSeed& seed : seeds)
  {
    ids_.push_back(vertices_.find_or_add(seed));
    vertices_[ids_.back()].used_by = number_;
  }
  const std::int64_t added = vertices_.size() - before;
  for (std::int64_t i = 0; i < added; ++i)
  {
    vertices_[before + i].rank = static_cast<int>(i * ranks_.ranks / added);
  }
}

SurfaceSeed FlowSurfaceMarch::middle_of(const std::array<std::int32_t, 2>& edge) const
{
  const std::array<std::int64_t, 2> ids{ ids_[static_cast<std::size_t>(edge[0])],
    ids_[static_cast<std::size_t>(edge[1])] };
  return domain_->middle(vertices_[ids[0]].seed, vertices_[ids[1]].seed, ids, surface_.time);
}

/// Begins a round with the vertices that have no place yet.
void FlowSurfaceMarch::begin_round()
{
  const std::size_t placed = refine_->places().size();
  round_.emplace(vertices_, moment_, ranks_.rank, ranks_.ranks);
  for (std::size_t place = placed; place < ids_.size(); ++place)
  {
    round_->add(ids_[place], static_cast<std::int32_t>(place));
  }
  if (round_->needs_intervals())
  {
    placed == 0 ? take_along_surface_before() : take_along_reserve();
  }
  round_->share_out();
}

/// Many of the vertices of the surface before will be needed in later rounds.
void FlowSurfaceMarch::take_along_surface_before()
{
  for (std::int64_t id = 0; id < vertices_.size(); ++id)
  {
    if (vertices_[id].used_by == number_ - 1)
    {
      round_->take_along(id);
    }
  }
}

void FlowSurfaceMarch::take_along_reserve()
{
  if (!(reserve_ > 0.0) || refine_->limited())
  {
    return;
  }
  std::vector<SurfaceSeed> added;
  for (const std::array<std::int32_t, 2>& edge : refine_->nearly_long(reserve_))
  {
    const SurfaceSeed seed = middle_of(edge);
    if (seed.lasting && vertices_.find(seed) < 0 && moment_.starts_before_step(seed) &&
        round_->passes(moment_.release_interval(seed)))
    {
      added.push_back(seed);
    }
  }
  const std::size_t of_surface = ids_.size();
  add_seeds(added);
  std::for_each(ids_.begin() + static_cast<std::ptrdiff_t>(of_surface), ids_.end(),
      [&](std::int64_t id) { round_->take_along(id); });
  ids_.resize(of_surface);
}

/// Keeps the reserve at the edges of the surface for the next one.
void FlowSurfaceMarch::use_reserve()
{
  if (!(reserve_ > 0.0))
  {
    return;
  }
  for (const std::array<std::int32_t, 2>& edge : refine_->nearly_long(reserve_))
  {
    if (const std::int64_t id = vertices_.find(middle_of(edge)); id >= 0)
    {
      vertices_[id].used_by = number_;
    }
  }
}

std::optional<IntervalRange> FlowSurfaceMarch::next() const
{
  return round_ ? round_->next() : std::nullopt;
}

Result<void> FlowSurfaceMarch::go_on(const AdvectionContext& context, const RunOptions& run)
{
  const std::optional<IntervalRange> first = next();
  if (!first || context.times() != times_ || !context.holds(first->first))
  {
    give_up();
    return fail(ErrorCode::BadArgument, "the context does not hold the interval that the surface needs next");
  }
  for (std::optional<IntervalRange> range = first; range && context.holds(range->first); range = next())
  {
    const std::int32_t last = std::min(context.intervals()[1], range->last);
    Result<void> good = trace(context, last, run);
    if (last == range->last)
    {
      good = end_together(std::move(good));
    }
    if (!good)
    {
      if (good.error().code == ErrorCode::Cancelled)
      {
        keep_so_far();
      }
      give_up();
      return good;
    }
  }
  return {};
}

/// The surface of the rounds that are over, after a stop.
void FlowSurfaceMarch::keep_so_far()
{
  try
  {
    if (refine_ && !refine_->places().empty())
    {
      shape();
    }
  }
  catch (const std::bad_alloc&)
  {
    surface_.points.clear();
    surface_.triangles.clear();
  }
}

/// Traces this rank's particles of the round up to the end of an interval.
Result<void> FlowSurfaceMarch::trace(const AdvectionContext& context, std::int32_t last, const RunOptions& run)
{
  try
  {
    return round_->trace(context, last, run);
  }
  catch (const std::bad_alloc&)
  {
    return no_memory();
  }
}

/// Ends a round together with the other ranks. `traced`: whether this one has traced its particles.
Result<void> FlowSurfaceMarch::end_together(Result<void> traced)
{
  const auto agreed = [&](Result<void> mine, std::span<EndState> ends, std::span<const std::size_t> offsets)
  {
    return ranks_.exchange ? ranks_.exchange(std::move(mine), ends, offsets) : std::move(mine);
  };
  if (Result<void> all = agreed(std::move(traced), round_->ends(), round_->offsets()); !all)
  {
    return all;
  }
  Result<void> ended;
  try
  {
    end_rounds();
  }
  catch (const std::bad_alloc&)
  {
    ended = no_memory();
  }
  return agreed(std::move(ended), {}, {});
}

/// Places the vertices of a round that is over, and begins the next one or finishes the surface. So on while the next
/// one is over, too, because all ends are known.
void FlowSurfaceMarch::end_rounds()
{
  while (round_ && !round_->next())
  {
    surface_.statistics.started += round_->statistics().started;
    surface_.statistics.steps += round_->statistics().steps;
    surface_.data_error = surface_.data_error ? surface_.data_error : round_->statistics().data_error;
    ++surface_.statistics.rounds;
    round_->keep_ends();
    const std::vector<std::array<std::int32_t, 2>> edges = refine_->next(places_of_round());
    round_.reset();
    if (edges.empty())
    {
      finish();
      return;
    }
    std::vector<SurfaceSeed> seeds;
    seeds.reserve(edges.size());
    std::transform(
        edges.begin(), edges.end(), std::back_inserter(seeds), [&](const auto& edge) { return middle_of(edge); });
    add_seeds(seeds);
    begin_round();
  }
}

std::vector<SurfacePlace> FlowSurfaceMarch::places_of_round()
{
  const std::size_t before = refine_->places().size();
  std::vector<SurfacePlace> places(ids_.size() - before);
  for (std::size_t i = 0; i < round_->particles().size(); ++i)
  {
    const EndState& end = round_->ends()[i];
    if (const std::int32_t place = round_->particles()[i].place; place >= 0)
    {
      places[static_cast<std::size_t>(place) - before] = { end.point, moment_.reached(end) };
    }
  }
  return places;
}

/// The seeds of the points. Vertices on a seam get a second point for the triangles of its other side.
std::vector<SurfaceSeed> FlowSurfaceMarch::seeds_of(ShapedSurface& shaped) const
{
  std::vector<SurfaceSeed> seeds;
  seeds.reserve(shaped.points.size());
  std::transform(shaped.vertices.begin(), shaped.vertices.end(), std::back_inserter(seeds),
      [&](std::int32_t vertex) { return vertices_[ids_[static_cast<std::size_t>(vertex)]].seed; });
  std::vector<std::int32_t> others(seeds.size(), -1);
  for (RefineSurface::Triangle& triangle : shaped.triangles)
  {
    const RefineSurface::Triangle corners = triangle;
    for (std::size_t i = 0; i < 6; ++i)
    {
      const auto point = static_cast<std::size_t>(corners[i / 2]);
      const auto neighbour = static_cast<std::size_t>(corners[(i / 2 + 1 + i % 2) % 3]);
      const std::optional<SurfaceSeed> other = domain_->across_seam(seeds[point], seeds[neighbour]);
      if (other && others[point] < 0)
      {
        others[point] = static_cast<std::int32_t>(seeds.size());
        seeds.push_back(*other);
        const Vec3 place = shaped.points[point]; // copies: the vectors may move
        const Vec3 normal = shaped.normals[point];
        shaped.points.push_back(place);
        shaped.normals.push_back(normal);
      }
      triangle[i / 2] = other ? others[point] : triangle[i / 2];
    }
  }
  return seeds;
}

void FlowSurfaceMarch::finish()
{
  shape();
  use_reserve();
  refine_.reset();
  complete_ = true;
}

/// Makes the surface of the vertices that have a place.
void FlowSurfaceMarch::shape()
{
  ShapedSurface shaped = shape_surface(*refine_);
  for (const SurfaceSeed& seed : seeds_of(shaped))
  {
    surface_.releases.push_back(seed.point);
    surface_.release_times.push_back(seed.time);
    surface_.curve_lengths.push_back(seed.s);
    surface_.texture.push_back(domain_->texture(seed, surface_.time));
  }
  surface_.triangles = std::move(shaped.triangles);
  surface_.points = std::move(shaped.points);
  surface_.normals = std::move(shaped.normals);
  surface_.statistics.vertices = static_cast<std::int64_t>(refine_->places().size());
  surface_.statistics.lost = shaped.lost;
  surface_.statistics.torn = refine_->torn();
  surface_.statistics.limited = refine_->limited();
}

Result<FlowSurface> flow_surface(const AdvectionContext& context, std::unique_ptr<const SurfaceDomain> domain,
    double time, const SurfaceCriteria& criteria, const RunOptions& run)
{
  FlowSurfaceMarch march(std::move(domain), context.times(), criteria);
  Result<void> good = march.begin(time);
  if (good && march.next())
  {
    good = march.go_on(context, run);
  }
  return good ? Result<FlowSurface>(march.surface()) : forward_error(good);
}

} // namespace rivulet
