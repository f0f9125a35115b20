// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Particles that go through the intervals of time in several runs. Each run has a context that holds some intervals
/// (AdvectionContext::set_intervals()), and moves the particles until they end or have reached the end of these. So a
/// field whose steps come one after the other needs two of them at a time, and the next time of an animation one more.
///
///     ParticleMarch march(releases);
///     march.begin(first_context, source, recorder, run);    // context.set_intervals(0, 0)
///     march.go_on(next_context, recorder, run);             // context.set_intervals(1, 1)
///     march.look_ahead(march.states(), to_t, other, run);   // ends at a time between two steps; changes nothing
///
/// A particle at the end of a run counts as ended (OutOfTime). The next run takes the last sample once more, as the
/// first of its own, so that the recorder gets the last point of each started particle again as the first one. Samples
/// at a step of the field are the same in both intervals. Therefore the path of a particle is the same to the last bit
/// for any division into runs, as long as all values are finite.
///
/// The levels of an AMR mesh may have other boxes in the next run, in which particles go on in the cells that are the
/// finest there now. Grids of levels must be the same, and no level may go (AmrMesh/MovingLevels.h).
///
/// Memory: a ParticleState per release. Threads: one.
#pragma once

#include "Trace/Advect/Advect.h"
#include "Trace/Contract/RunOptions.h"
#include "Trace/Kernel/Particle.h"

#include <optional>
#include <span>
#include <vector>

namespace rivulet
{

/// Whether a particle that counts as ended can go on in the next run.
[[nodiscard]] bool ends_with_interval(const AdvectionContext& context, const Particle& particle);

class ParticleMarch
{
public:
  /// For releases with the ids 0 ... releases - 1. Throws std::bad_alloc.
  explicit ParticleMarch(std::size_t releases)
    : states_(releases)
  {
  }
  /// For particles that go on from states of other marches, or start(). The task of state i is i, or -1.
  explicit ParticleMarch(std::vector<ParticleState> states)
    : states_(std::move(states))
  {
  }
  /// The state of a particle that is not released yet; empty if the place is outside the mesh.
  [[nodiscard]] static std::optional<ParticleState> start(
      const AdvectionContext& context, const Vec3& point, double time, double sign);

  /// Releases all particles of a source, each of which must be released once.
  [[nodiscard]] AdvectionSummary begin(
      const AdvectionContext& context, ParticleSource& source, Recorder& recorder, const RunOptions& run);
  /// Moves all particles that can go on. After a run that was stopped the march cannot go on.
  [[nodiscard]] AdvectionSummary go_on(const AdvectionContext& context, Recorder& recorder, const RunOptions& run);
  /// Moves particles from earlier states(), and changes nothing of the march. Particles that start after the context's
  /// limits are not released.
  [[nodiscard]] static AdvectionSummary look_ahead(
      std::span<const ParticleState> from, const AdvectionContext& context, Recorder& recorder, const RunOptions& run);

  /// Gives particles other ids: particle i has the id ids[i], of `count`. The others are not released.
  void renumber(const std::vector<std::int32_t>& ids, std::size_t count);
  /// Adds a particle that is not released yet, from start(). It goes on with the others.
  void add(std::size_t id, const ParticleState& state);

  /// States of the particles that can go on, by id. Throws std::bad_alloc.
  [[nodiscard]] std::vector<ParticleState> states() const;
  /// State of a release; its task is -1 if the particle cannot go on.
  [[nodiscard]] const ParticleState& state(std::size_t id) const { return states_[id]; }
  /// Number of particles that can go on.
  [[nodiscard]] std::int64_t going() const;

private:
  std::vector<ParticleState> states_; ///< by id; task -1: has ended, or was not released
};

} // namespace rivulet
