// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Particles that go through the intervals of time in several runs. Each run has a context that holds some intervals
/// (AdvectionContext::hold()), and moves the particles until they end or need another interval. So a field whose steps
/// come one after the other needs two of them at a time, and the next time of an animation one more.
///
///     ParticleMarch march(releases);
///     march.begin(first_context, source, recorder, run);    // context.hold(0, 0)
///     march.go_on(next_context, recorder, run);             // context.hold(1, 1)
///     march.look_ahead(ends_at_t, other_recorder, run);     // ends at a time between two steps; changes nothing
///
/// The path of a particle is the same to the last bit for any division into runs: it is paused before it takes the
/// first sample in the next interval, and steps never pass the end of an interval.
///
/// Memory: a ParticleState per release. Threads: one.
#pragma once

#include "Trace/Advect/Advect.h"
#include "Trace/Advect/Particle.h"

#include <vector>

namespace rivulet
{

class ParticleMarch
{
public:
  /// For releases with the ids 0 ... releases - 1. Throws std::bad_alloc.
  explicit ParticleMarch(std::size_t releases)
    : states_(releases)
  {
  }

  /// Releases all particles of a source, each of which must be released once.
  [[nodiscard]] AdvectionSummary begin(
      const AdvectionContext& context, ParticleSource& source, Recorder& recorder, const RunOptions& run);
  /// Moves all paused particles. Particles that ended before are not released again. After a run that was stopped the
  /// march cannot go on.
  [[nodiscard]] AdvectionSummary go_on(const AdvectionContext& context, Recorder& recorder, const RunOptions& run);
  /// As go_on() from the same states, which stay as they are. Particles that start after the context's limits are not
  /// released.
  [[nodiscard]] AdvectionSummary look_ahead(
      const AdvectionContext& context, Recorder& recorder, const RunOptions& run) const;

  /// Whether a particle is paused.
  [[nodiscard]] bool is_paused(std::size_t release) const { return states_[release].task >= 0; }
  /// Number of particles that are paused.
  [[nodiscard]] std::int64_t paused() const;

private:
  std::vector<ParticleState> states_; ///< by id; task -1: has ended, or was not released
};

} // namespace rivulet
