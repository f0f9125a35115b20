// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/ParticleMarch.h"

#include <algorithm>
#include <atomic>
#include <span>

namespace rivulet
{

namespace
{

/// The paused particles, in the order of their bricks on the storage.
class PausedParticles final : public ParticleSource
{
public:
  PausedParticles(const AdvectionContext& context, std::span<const ParticleState> states)
  {
    const BrickSource& source = *context.field().velocity.source;
    std::vector<std::pair<std::int64_t, const ParticleState*>> ordered;
    ordered.reserve(states.size());
    for (const ParticleState& state : states)
    {
      const double limit = context.limits()[state.sign > 0.0 ? 1 : 0];
      if (state.task >= 0 && (limit - state.trial_time) * state.sign >= 0.0)
      {
        const std::int64_t brick = context.mesh().brick_of(state.trial);
        ordered.emplace_back(source.storage_order(context.key_of(context.item_of(brick, state.interval))), &state);
      }
    }
    std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    releases_.reserve(ordered.size());
    for (const auto& [order, state] : ordered)
    {
      releases_.push_back({ .id = state->task, .paused = state });
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

private:
  std::vector<Release> releases_;
  std::atomic<std::int64_t> next_{ 0 };
};

/// Tells another recorder of all particles, and keeps the states of those that are paused.
class PausingRecorder final : public Recorder
{
public:
  PausingRecorder(Recorder& told, std::span<ParticleState> states)
    : told_(told)
    , states_(states)
  {
  }

  void prepare(const AdvectionContext& context, int workers) override { told_.prepare(context, workers); }
  [[nodiscard]] LineStore* store_of(int worker) override { return told_.store_of(worker); }
  [[nodiscard]] CrossingLog* crossings_of(int worker) override { return told_.crossings_of(worker); }
  void ended(int worker, const Particle& particle) override
  {
    states_[static_cast<std::size_t>(particle.task)].task = -1;
    told_.ended(worker, particle);
  }
  void paused(int worker, const Particle& particle) override
  {
    ParticleState& state = states_[static_cast<std::size_t>(particle.task)];
    state = particle;
    state.path.chain = {}; // its points stay with the recorder
    told_.paused(worker, particle);
  }

private:
  Recorder& told_;
  std::span<ParticleState> states_;
};

} // namespace

AdvectionSummary ParticleMarch::begin(
    const AdvectionContext& context, ParticleSource& source, Recorder& recorder, const RunOptions& run)
{
  PausingRecorder pausing(recorder, states_);
  return advect(context, source, pausing, run);
}

AdvectionSummary ParticleMarch::go_on(const AdvectionContext& context, Recorder& recorder, const RunOptions& run)
{
  // A state is written after its particle has taken it.
  PausedParticles source(context, states_);
  PausingRecorder pausing(recorder, states_);
  return advect(context, source, pausing, run);
}

AdvectionSummary ParticleMarch::look_ahead(
    const AdvectionContext& context, Recorder& recorder, const RunOptions& run) const
{
  PausedParticles source(context, states_);
  return advect(context, source, recorder, run);
}

std::int64_t ParticleMarch::paused() const
{
  return std::count_if(states_.begin(), states_.end(), [](const ParticleState& state) { return state.task >= 0; });
}

} // namespace rivulet
