// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowSurface.h"

#include "Trace/Advect/Advect.h"
#include "Trace/FlowSurface/ShapeSurface.h"
#include "Trace/Lines/AssembleLines.h"

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

Result<void> FlowSurfaceMarch::check(double time) const
{
  const double start = domain_->start();
  if (!(time >= times_.front() && time <= times_.back()) || !(start >= times_.front() && start <= times_.back()))
  {
    return fail(ErrorCode::BadArgument,
        "the surface starts at " + std::to_string(start) + " and is wanted at " + std::to_string(time) +
            ", which is outside the times of the field",
        "the field lasts from " + std::to_string(times_.front()) + " to " + std::to_string(times_.back()));
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
    vertices_.drop_passing();
    ids_.clear();
    surface_ = {};
    surface_.time = time;
    if (base->cells.empty())
    {
      complete_ = true;
      return {};
    }
    step_ = static_cast<std::int32_t>(std::upper_bound(times_.begin(), times_.end(), time) - times_.begin()) - 1;
    ahead_ = step_ == 0 || time > times_[static_cast<std::size_t>(step_)];
    refine_.emplace(std::move(base->cells), criteria_);
    add_seeds(base->seeds);
    begin_round();
    while (refine_ && last_ < next_)
    {
      end_round();
    }
    return {};
  }
  catch (const std::bad_alloc&)
  {
    give_up();
    return no_memory();
  }
}

/// Forgets the surface in the making. What some ranks know of its particles and others do not is forgotten, too.
void FlowSurfaceMarch::give_up()
{
  if (refine_)
  {
    for (const Traced& traced : round_)
    {
      vertices_[traced.id].step = -1;
      vertices_[traced.id].end_is_of_step = false;
    }
  }
  refine_.reset();
  round_.clear();
  complete_ = false;
}

/// Adds vertices to the surface, and to those of the march if they are new. New ones are shared out in the order of the
/// seeds, so that a rank has neighbours.
void FlowSurfaceMarch::add_seeds(const std::vector<SurfaceSeed>& seeds)
{
  const std::int64_t before = vertices_.size();
  for (const SurfaceSeed& seed : seeds)
  {
    ids_.push_back(vertices_.find_or_add(seed));
  }
  const std::int64_t added = vertices_.size() - before;
  for (std::int64_t i = 0; i < added; ++i)
  {
    vertices_[before + i].rank = static_cast<int>(i * ranks_.ranks / added);
  }
}

/// Whether the particle is released before the step, or at it if that is the time of the surface.
bool FlowSurfaceMarch::starts_before_step(const SurfaceVertex& vertex) const
{
  const double step = times_[static_cast<std::size_t>(step_)];
  return vertex.seed.time < step || (!ahead_ && vertex.seed.time == step);
}

/// The interval in which a particle goes on.
std::int32_t FlowSurfaceMarch::first_interval(const SurfaceVertex& vertex) const
{
  if (vertex.step >= 0)
  {
    return vertex.step;
  }
  const std::int32_t interval = interval_in(times_, vertex.seed.time, 1.0);
  return starts_before_step(vertex) ? std::min(interval, step_ - 1) : interval;
}

/// Lists the vertices without a place, and the intervals that they need.
void FlowSurfaceMarch::begin_round()
{
  round_.clear();
  for (std::size_t place = refine_->places().size(); place < ids_.size(); ++place)
  {
    round_.push_back({ .id = ids_[place], .place = static_cast<std::int32_t>(place) });
  }
  std::stable_sort(round_.begin(), round_.end(),
      [&](const Traced& a, const Traced& b) { return vertices_[a.id].rank < vertices_[b.id].rank; });
  ends_.assign(round_.size(), {});
  offsets_.assign(static_cast<std::size_t>(ranks_.ranks) + 1, 0);
  last_ = ahead_ ? step_ : step_ - 1;
  next_ = last_ + 1;
  for (std::size_t i = 0; i < round_.size(); ++i)
  {
    SurfaceVertex& vertex = vertices_[round_[i].id];
    ++offsets_[static_cast<std::size_t>(vertex.rank) + 1];
    if (vertex.lost_at > step_ && (vertex.step > step_ || (vertex.step == step_ && !ahead_ && !vertex.end_is_of_step)))
    {
      vertex.step = -1; // its state is that of a later time
    }
    const bool waits_there = vertex.step == step_ && !ahead_;
    round_[i].ready = vertex.lost_at <= step_ || waits_there;
    if (round_[i].ready)
    {
      ends_[i] = vertex.end;
    }
    else
    {
      next_ = std::min(next_, first_interval(vertex));
    }
  }
  for (std::size_t rank = 1; rank < offsets_.size(); ++rank)
  {
    offsets_[rank] += offsets_[rank - 1];
  }
}

std::optional<IntervalRange> FlowSurfaceMarch::next() const
{
  return refine_ && next_ <= last_ ? std::optional<IntervalRange>({ next_, last_ }) : std::nullopt;
}

std::span<FlowSurfaceMarch::Traced> FlowSurfaceMarch::own()
{
  const auto rank = static_cast<std::size_t>(ranks_.rank);
  return { round_.data() + offsets_[rank], offsets_[rank + 1] - offsets_[rank] };
}

std::span<EndState> FlowSurfaceMarch::own_ends()
{
  const auto rank = static_cast<std::size_t>(ranks_.rank);
  return { ends_.data() + offsets_[rank], offsets_[rank + 1] - offsets_[rank] };
}

Result<void> FlowSurfaceMarch::go_on(const AdvectionContext& context, const RunOptions& run)
{
  const std::optional<IntervalRange> first = next();
  if (!first || context.times() != times_ || !context.holds(first->first))
  {
    give_up();
    return fail(ErrorCode::BadArgument, "the context does not hold the interval that the surface needs next");
  }
  const auto agreed = [&](bool good, std::span<EndState> ends)
  {
    return ranks_.exchange ? ranks_.exchange(good, ends, offsets_) : good;
  };
  for (std::optional<IntervalRange> range = first; range && context.holds(range->first); range = next())
  {
    const std::int32_t last = std::min(context.held()[1], range->last);
    Result<void> good = trace(context, run, last);
    const bool over = last == range->last;
    if (over ? !agreed(good.has_value(), ends_) : !good)
    {
      give_up();
      return good ? fail(ErrorCode::Cancelled, "another rank has stopped") : std::move(good);
    }
    next_ = last + 1;
    if (!over)
    {
      return {};
    }
    bool room = true;
    try
    {
      do
      {
        end_round();
      } while (refine_ && last_ < next_);
    }
    catch (const std::bad_alloc&)
    {
      room = false;
    }
    if (!agreed(room, {}))
    {
      give_up();
      return no_memory();
    }
  }
  return {};
}

/// Traces this rank's particles of the round up to the end of an interval.
Result<void> FlowSurfaceMarch::trace(const AdvectionContext& context, const RunOptions& run, std::int32_t last)
{
  try
  {
    AdvectionContext part = context;
    const std::int32_t step = std::min(last + 1, step_);
    if (next_ < step)
    {
      part.hold(next_, step - 1);
      if (Result<void> good = march_to(step, part, run); !good)
      {
        return good;
      }
    }
    if (ahead_ && last == step_)
    {
      part.hold(step_, step_);
      part.end_at(surface_.time);
      return look_ahead(part, run);
    }
    return {};
  }
  catch (const std::bad_alloc&)
  {
    return no_memory();
  }
}

/// States of this rank's particles that are on their way in intervals before a step, or start there. Those that cannot
/// go on end.
std::vector<ParticleState> FlowSurfaceMarch::states_before(std::int32_t step, const AdvectionContext& context)
{
  const std::span<Traced> particles = own();
  std::vector<ParticleState> states(particles.size());
  for (std::size_t i = 0; i < particles.size(); ++i)
  {
    Traced& particle = particles[i];
    const SurfaceVertex& vertex = vertices_[particle.id];
    if (particle.ready || particle.died || first_interval(vertex) >= step)
    {
      continue;
    }
    if (vertex.step >= 0)
    {
      states[i] = vertices_.state_of(vertex);
      if (states[i].task < 0)
      {
        own_ends()[i] = vertex.end;
        particle.died = true;
        continue;
      }
    }
    else if (const auto start = ParticleMarch::start(context, vertex.seed.point, vertex.seed.time, 1.0); start)
    {
      states[i] = *start;
      ++surface_.statistics.started;
    }
    else
    {
      own_ends()[i] = { .point = vertex.seed.point, .time = vertex.seed.time, .reason = Termination::SeedOutside };
      particle.died = true;
      continue;
    }
    states[i].task = static_cast<std::int64_t>(i);
  }
  return states;
}

/// Moves particles to a step, where their states are kept.
Result<void> FlowSurfaceMarch::march_to(std::int32_t step, const AdvectionContext& context, const RunOptions& run)
{
  ParticleMarch march(states_before(step, context));
  std::vector<std::uint8_t> moving(own().size(), 0);
  for (const ParticleState& state : march.states())
  {
    moving[static_cast<std::size_t>(state.task)] = 1;
  }
  EndStates recorder(own_ends());
  const AdvectionSummary summary = march.go_on(context, recorder, run);
  if (Result<void> good = judge(context, summary); !good)
  {
    return good;
  }
  const double time = times_[static_cast<std::size_t>(step)];
  for (std::size_t i = 0; i < moving.size(); ++i)
  {
    const EndState& end = own_ends()[i];
    Traced& particle = own()[i];
    SurfaceVertex& vertex = vertices_[particle.id];
    if (moving[i] == 0)
    {
      continue;
    }
    particle.died = end.reason != Termination::OutOfTime || end.time != time;
    if (!particle.died)
    {
      vertex.step = step;
      vertex.end = end;
      vertices_.keep_state(vertex, march.state(i));
    }
  }
  return {};
}

/// Moves particles from the last step to the time of the surface, and keeps nothing of it.
Result<void> FlowSurfaceMarch::look_ahead(const AdvectionContext& context, const RunOptions& run)
{
  const std::vector<ParticleState> states = states_before(step_ + 1, context);
  EndStates recorder(own_ends());
  return judge(context, ParticleMarch::look_ahead(states, context, recorder, run));
}

Result<void> FlowSurfaceMarch::judge(const AdvectionContext& context, const AdvectionSummary& summary)
{
  surface_.statistics.steps += summary.steps;
  if (summary.data_error && summary.data_error->code == ErrorCode::BudgetTooSmall)
  {
    return tl::unexpected(*summary.data_error);
  }
  if (summary.stopped)
  {
    return fail(ErrorCode::Cancelled, "the surface was stopped");
  }
  Result<void> healthy = context.field().velocity.source->health();
  if (!surface_.data_error && !healthy)
  {
    surface_.data_error = std::make_shared<const Error>(std::move(healthy.error()));
  }
  surface_.data_error = surface_.data_error ? surface_.data_error : summary.data_error;
  return {};
}

/// Notes what is known of a vertex after the round. The same on all ranks, but for states.
void FlowSurfaceMarch::take_end(const Traced& traced, const EndState& end)
{
  SurfaceVertex& vertex = vertices_[traced.id];
  const bool reaches_step = end.time >= times_[static_cast<std::size_t>(step_)];
  if (end.reason == Termination::SeedOutside || !reaches_step)
  {
    vertex.lost_at = end.reason == Termination::SeedOutside ? 0 : std::min(vertex.lost_at, step_);
    vertex.step = -1;
    vertex.end = end;
    return;
  }
  if (!starts_before_step(vertex))
  {
    return;
  }
  vertex.step = step_;
  vertex.end_is_of_step = !ahead_;
  vertex.end = ahead_ && !traced.died ? vertex.end : end;
  if (traced.died)
  {
    vertices_.keep_state(vertex, {}); // ended at the step itself
  }
}

/// Places the vertices of the round, and begins the next one or finishes the surface.
void FlowSurfaceMarch::end_round()
{
  std::vector<SurfacePlace> places(round_.size());
  const std::size_t before = refine_->places().size();
  for (std::size_t i = 0; i < round_.size(); ++i)
  {
    const Traced& traced = round_[i];
    if (!traced.ready)
    {
      take_end(traced, ends_[i]);
    }
    places[static_cast<std::size_t>(traced.place) - before] = { ends_[i].point, reached(ends_[i]) };
  }
  round_.clear();
  ++surface_.statistics.rounds;
  const std::vector<std::array<std::int32_t, 2>> edges = refine_->next(places);
  if (edges.empty())
  {
    finish();
    return;
  }
  std::vector<SurfaceSeed> seeds;
  seeds.reserve(edges.size());
  for (const auto& [a, b] : edges)
  {
    const std::array<std::int64_t, 2> ids{ ids_[static_cast<std::size_t>(a)], ids_[static_cast<std::size_t>(b)] };
    seeds.push_back(domain_->middle(vertices_[ids[0]].seed, vertices_[ids[1]].seed, ids, surface_.time));
  }
  add_seeds(seeds);
  begin_round();
}

void FlowSurfaceMarch::finish()
{
  const ShapedSurface shaped = shape_surface(*refine_);
  surface_.triangles = shaped.triangles;
  surface_.points = shaped.points;
  surface_.normals = shaped.normals;
  for (const std::int32_t vertex : shaped.vertices)
  {
    const SurfaceSeed& seed = vertices_[ids_[static_cast<std::size_t>(vertex)]].seed;
    surface_.releases.push_back(seed.point);
    surface_.release_times.push_back(seed.time);
    surface_.curve_lengths.push_back(seed.s);
    surface_.texture.push_back(domain_->texture(seed, surface_.time));
  }
  surface_.statistics.vertices = static_cast<std::int64_t>(ids_.size());
  surface_.statistics.lost = shaped.lost;
  surface_.statistics.torn = refine_->torn();
  surface_.statistics.limited = refine_->limited();
  refine_.reset();
  complete_ = true;
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
