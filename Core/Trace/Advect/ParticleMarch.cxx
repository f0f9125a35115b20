// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/ParticleMarch.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <limits>

namespace rivulet
{

namespace
{

/// The brick with a position, which may be another one than before; the first one if that is not known.
std::int64_t brick_now(const Mesh& mesh, Position at, const Moment& moment)
{
  Position last = at;
  return std::max<std::int64_t>(0, mesh.enter_brick(at, last, {}, moment));
}

/// Particles that go on, in the order of their bricks on the storage.
class PausedParticles final : public ParticleSource
{
public:
  PausedParticles(const AdvectionContext& context, std::span<const ParticleState> states)
  {
    const BrickSource& source = *context.field().velocity.source;
    std::vector<std::pair<std::int64_t, Release>> ordered;
    ordered.reserve(states.size());
    for (const ParticleState& state : states)
    {
      const double limit = context.limits()[state.sign > 0.0 ? 1 : 0];
      if (state.task >= 0 && (limit - state.trial_time) * state.sign >= 0.0)
      {
        const std::int32_t interval = context.held_interval_of(state.trial_time);
        const std::int64_t brick =
            brick_now(context.mesh(), state.trial, context.moment_in(interval, state.trial_time));
        ordered.emplace_back(source.storage_order(context.key_of(context.item_of(brick, interval))),
            Release{
                .id = state.task, .time = state.trial_time, .sign = state.sign, .brick = brick, .paused = &state });
        started_ += state.started ? 1 : 0;
      }
    }
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    releases_.reserve(ordered.size());
    for (const auto& [order, release] : ordered)
    {
      releases_.push_back(release);
    }
  }

  [[nodiscard]] Supply take(std::int64_t most, std::vector<Release>& to) override
  {
    const std::int64_t count = expected();
    const std::int64_t first = std::min(count, next_.fetch_add(most, std::memory_order_relaxed));
    const std::int64_t last = std::min(count, first + most);
    to.insert(to.end(), releases_.begin() + first, releases_.begin() + last);
    return last < count ? Supply::More : Supply::None;
  }

  [[nodiscard]] std::int64_t expected() const override { return static_cast<std::int64_t>(releases_.size()); }
  [[nodiscard]] std::vector<Release> some(std::size_t most) const override
  {
    return spread_over(expected(), most, [&](std::int64_t i) { return releases_[static_cast<std::size_t>(i)]; });
  }

  /// Number of particles that take their last sample again, which counts as a step.
  [[nodiscard]] std::int64_t started() const { return started_; }

private:
  std::vector<Release> releases_;
  std::int64_t started_ = 0;
  std::atomic<std::int64_t> next_{ 0 };
};

/// Moves particles from their states.
AdvectionSummary go_on_from(
    std::span<const ParticleState> states, const AdvectionContext& context, Recorder& recorder, const RunOptions& run)
{
  PausedParticles source(context, states);
  AdvectionSummary summary = advect(context, source, recorder, run);
  summary.steps = std::max<std::int64_t>(0, summary.steps - source.started());
  return summary;
}

/// The state in which a particle arrives once more at its last point: a step of no length, which adds nothing.
ParticleState before_last_sample(const Particle& particle)
{
  ParticleState state = particle;
  state.path.chain = {}; // its points stay with the recorder
  state.trial = state.base;
  state.trial_time = state.time;
  state.step = 0.0;
  --state.steps;
  return state;
}

/// Passes all particles on to another recorder, and keeps the states of particles that can go on.
class PausingRecorder final : public Recorder
{
public:
  PausingRecorder(Recorder& told, std::span<ParticleState> states)
    : told_(told)
    , states_(states)
  {
  }

  void prepare(const AdvectionContext& context, int workers) override
  {
    context_ = &context;
    told_.prepare(context, workers);
  }
  [[nodiscard]] LineStore* store_of(int worker) override { return told_.store_of(worker); }
  [[nodiscard]] CrossingLog* crossings_of(int worker) override { return told_.crossings_of(worker); }
  void ended(int worker, const Particle& particle) override
  {
    ParticleState& state = states_[static_cast<std::size_t>(particle.task)];
    if (ends_with_interval(*context_, particle))
    {
      state = before_last_sample(particle);
    }
    else
    {
      state.task = -1;
    }
    told_.ended(worker, particle);
  }
  void paused(int worker, const Particle& particle) override
  {
    states_[static_cast<std::size_t>(particle.task)] = particle;
    told_.paused(worker, particle);
  }

private:
  Recorder& told_;
  std::span<ParticleState> states_;
  const AdvectionContext* context_ = nullptr;
};

} // namespace

std::optional<ParticleState> ParticleMarch::start(
    const AdvectionContext& context, const Vec3& point, double time, double sign)
{
  const auto place = context.mesh().enter(point, context.moment_of(time, sign));
  if (!place || place->brick < 0)
  {
    return {};
  }
  ParticleState state;
  state.trial = place->at;
  state.base = place->at;
  state.sign = sign;
  state.trial_time = time;
  state.last_time = context.last_time(time, sign, std::numeric_limits<double>::infinity());
  state.release = point;
  return state;
}

bool ends_with_interval(const AdvectionContext& context, const Particle& particle)
{
  return particle.reason == Termination::OutOfTime &&
         particle.time != context.stop_time(particle.last_time, particle.sign);
}

AdvectionSummary ParticleMarch::begin(
    const AdvectionContext& context, ParticleSource& source, Recorder& recorder, const RunOptions& run)
{
  PausingRecorder pausing(recorder, states_);
  return advect(context, source, pausing, run);
}

AdvectionSummary ParticleMarch::go_on(const AdvectionContext& context, Recorder& recorder, const RunOptions& run)
{
  // A state is written after its particle has taken it.
  PausingRecorder pausing(recorder, states_);
  return go_on_from(states_, context, pausing, run);
}

AdvectionSummary ParticleMarch::look_ahead(
    std::span<const ParticleState> from, const AdvectionContext& context, Recorder& recorder, const RunOptions& run)
{
  return go_on_from(from, context, recorder, run);
}

std::vector<ParticleState> ParticleMarch::states() const
{
  std::vector<ParticleState> going;
  std::copy_if(states_.begin(), states_.end(), std::back_inserter(going),
      [](const ParticleState& state) { return state.task >= 0; });
  return going;
}

std::int64_t ParticleMarch::going() const
{
  return std::count_if(states_.begin(), states_.end(), [](const ParticleState& state) { return state.task >= 0; });
}

void ParticleMarch::renumber(const std::vector<std::int32_t>& ids, std::size_t count)
{
  std::vector<ParticleState> states(count);
  for (std::size_t i = 0; i < ids.size(); ++i)
  {
    ParticleState& state = states[static_cast<std::size_t>(ids[i])];
    state = states_[i];
    state.task = state.task >= 0 ? ids[i] : -1;
  }
  states_ = std::move(states);
}

void ParticleMarch::add(std::size_t id, const ParticleState& state)
{
  states_[id] = state;
  states_[id].task = static_cast<std::int64_t>(id);
}

} // namespace rivulet
