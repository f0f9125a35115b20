// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/FlowSurface/SurfaceRound.h"

#include <algorithm>

namespace rivulet
{

SurfaceRound::SurfaceRound(SurfaceVertices& vertices, const SurfaceMoment& moment, int rank, int ranks)
  : vertices_(vertices)
  , moment_(moment)
  , rank_(static_cast<std::size_t>(rank))
  , offsets_(static_cast<std::size_t>(ranks) + 1, 0)
  , next_(moment.last_interval() + 1)
{
}

void SurfaceRound::add(std::int64_t id, std::int32_t place)
{
  SurfaceVertex& vertex = vertices_[id];
  const bool lost = vertex.lost_at <= moment_.step;
  const bool at_step = vertex.step == moment_.step && !moment_.ahead;
  if (!lost && (vertex.step > moment_.step || (at_step && !vertex.end_is_of_step)))
  {
    vertex.step = -1; // its state is that of a later time
  }
  const bool waits_there = vertex.step == moment_.step && !moment_.ahead;
  particles_.push_back({ .id = id, .place = place, .known = lost || waits_there });
  next_ = particles_.back().known ? next_ : std::min(next_, moment_.first_interval(vertex));
}

void SurfaceRound::take_along(std::int64_t id)
{
  const SurfaceVertex& vertex = vertices_[id];
  if (vertex.lost_at > moment_.step && vertex.step < moment_.step && moment_.starts_before_step(vertex.seed) &&
      passes(moment_.first_interval(vertex)))
  {
    particles_.push_back({ .id = id, .place = -1 });
  }
}

void SurfaceRound::share_out()
{
  std::stable_sort(particles_.begin(), particles_.end(),
      [&](const Particle& a, const Particle& b) { return vertices_[a.id].rank < vertices_[b.id].rank; });
  ends_.resize(particles_.size());
  for (std::size_t i = 0; i < particles_.size(); ++i)
  {
    const SurfaceVertex& vertex = vertices_[particles_[i].id];
    ++offsets_[static_cast<std::size_t>(vertex.rank) + 1];
    ends_[i] = particles_[i].known ? vertex.end : EndState{};
  }
  for (std::size_t rank = 1; rank < offsets_.size(); ++rank)
  {
    offsets_[rank] += offsets_[rank - 1];
  }
}

std::optional<IntervalRange> SurfaceRound::next() const
{
  return needs_intervals() ? std::optional<IntervalRange>({ next_, moment_.last_interval() }) : std::nullopt;
}

std::span<SurfaceRound::Particle> SurfaceRound::own()
{
  return { particles_.data() + offsets_[rank_], offsets_[rank_ + 1] - offsets_[rank_] };
}

std::span<EndState> SurfaceRound::own_ends()
{
  return { ends_.data() + offsets_[rank_], offsets_[rank_ + 1] - offsets_[rank_] };
}

Result<void> SurfaceRound::trace(const AdvectionContext& context, std::int32_t last, const RunOptions& run)
{
  AdvectionContext part = context;
  const std::int32_t step = std::min(last + 1, moment_.step);
  if (next_ < step)
  {
    part.set_intervals(next_, step - 1);
    if (Result<void> good = march_to(step, part, run); !good)
    {
      return good;
    }
  }
  if (moment_.ahead && last == moment_.step)
  {
    part.set_intervals(moment_.step, moment_.step);
    part.end_at(moment_.time);
    if (Result<void> good = look_ahead(part, run); !good)
    {
      return good;
    }
  }
  next_ = last + 1;
  return {};
}

/// The state from which a particle goes on. Empty if it cannot: then it has died.
std::optional<ParticleState> SurfaceRound::state_of(Particle& particle, EndState& end, const AdvectionContext& context)
{
  const SurfaceVertex& vertex = vertices_[particle.id];
  if (vertex.step >= 0)
  {
    const ParticleState& state = vertices_.state_of(vertex);
    if (state.task >= 0)
    {
      return state;
    }
    end = vertex.end;
  }
  else
  {
    const auto start = ParticleMarch::start(context, vertex.seed.point, vertex.seed.time, 1.0);
    if (start)
    {
      ++statistics_.started;
      return start;
    }
    end = { .point = vertex.seed.point, .time = vertex.seed.time, .reason = Termination::SeedOutside };
  }
  particle.died = true;
  return {};
}

/// States of this rank's particles that are on their way in intervals before a step, or start there.
std::vector<ParticleState> SurfaceRound::states_before(std::int32_t step, const AdvectionContext& context)
{
  const std::span<Particle> particles = own();
  std::vector<ParticleState> states(particles.size());
  for (std::size_t i = 0; i < particles.size(); ++i)
  {
    Particle& particle = particles[i];
    const bool stays_at_step = particle.place < 0 && step > moment_.step;
    if (particle.known || particle.died || stays_at_step || moment_.first_interval(vertices_[particle.id]) >= step)
    {
      continue;
    }
    if (const std::optional<ParticleState> state = state_of(particle, own_ends()[i], context); state)
    {
      states[i] = *state;
      states[i].task = static_cast<std::int64_t>(i);
    }
  }
  return states;
}

/// Moves particles to a step, where their states are kept.
Result<void> SurfaceRound::march_to(std::int32_t step, const AdvectionContext& context, const RunOptions& run)
{
  ParticleMarch march(states_before(step, context));
  std::vector<std::uint8_t> moving(own().size(), 0);
  for (std::size_t i = 0; i < moving.size(); ++i)
  {
    moving[i] = march.state(i).task >= 0 ? 1 : 0;
  }
  EndStates recorder(own_ends());
  const AdvectionSummary summary = march.go_on(context, recorder, run);
  if (Result<void> good = judge(context, summary); !good)
  {
    return good;
  }
  for (std::size_t i = 0; i < moving.size(); ++i)
  {
    if (moving[i] == 0)
    {
      continue;
    }
    const EndState& end = own_ends()[i];
    Particle& particle = own()[i];
    particle.died = end.reason != Termination::OutOfTime || end.time != moment_.time_of(step);
    if (!particle.died)
    {
      SurfaceVertex& vertex = vertices_[particle.id];
      vertex.step = step;
      vertex.end = end;
      vertices_.keep_state(vertex, march.state(i));
    }
  }
  return {};
}

/// Moves particles from the step to the time of the surface, and keeps nothing of it.
Result<void> SurfaceRound::look_ahead(const AdvectionContext& context, const RunOptions& run)
{
  const std::vector<ParticleState> states = states_before(moment_.step + 1, context);
  EndStates recorder(own_ends());
  return judge(context, ParticleMarch::look_ahead(states, context, recorder, run));
}

Result<void> SurfaceRound::judge(const AdvectionContext& context, const AdvectionSummary& summary)
{
  statistics_.steps += summary.steps;
  if (summary.data_error && summary.data_error->code == ErrorCode::BudgetTooSmall)
  {
    return tl::unexpected(*summary.data_error);
  }
  if (summary.stopped)
  {
    return fail(ErrorCode::Cancelled, "the surface was stopped");
  }
  std::shared_ptr<const Error>& error = statistics_.data_error;
  if (Result<void> healthy = context.field().velocity.source->health(); !healthy && !error)
  {
    error = std::make_shared<const Error>(std::move(healthy.error()));
  }
  error = error ? error : summary.data_error;
  return {};
}

void SurfaceRound::keep_ends()
{
  for (std::size_t i = 0; i < particles_.size(); ++i)
  {
    if (!particles_[i].known)
    {
      keep_end(particles_[i], ends_[i]);
    }
  }
}

void SurfaceRound::keep_end(const Particle& particle, const EndState& end)
{
  SurfaceVertex& vertex = vertices_[particle.id];
  const bool outside = end.reason == Termination::SeedOutside;
  if (outside || end.time < moment_.time_of(moment_.step))
  {
    vertex.lost_at = outside ? 0 : std::min(vertex.lost_at, moment_.step);
    vertex.step = -1;
    vertex.end = end;
    return;
  }
  if (!moment_.starts_before_step(vertex.seed))
  {
    return;
  }
  vertex.step = moment_.step;
  vertex.end_is_of_step = !moment_.ahead;
  vertex.end = moment_.ahead && !particle.died ? vertex.end : end;
  if (particle.died)
  {
    vertices_.keep_state(vertex, {}); // ended at the step itself
  }
}

void SurfaceRound::forget()
{
  for (const Particle& particle : particles_)
  {
    vertices_[particle.id].step = -1;
  }
}

} // namespace rivulet
