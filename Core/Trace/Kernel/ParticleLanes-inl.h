// SPDX-License-Identifier: BSD-3-Clause
// State of the particles in the lanes. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_PARTICLE_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_PARTICLE_LANES_INL_H
#undef RIVULET_PARTICLE_LANES_INL_H
#else
#define RIVULET_PARTICLE_LANES_INL_H
#endif

#include "Trace/Kernel/Particle.h"
#include "Trace/Kernel/Width-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Lanes without a particle hold meaningless numbers, which are computed with and never used. Names as in Particle.
/// `Mesh`: the policy of the mesh (Advector-inl.h).
template <class W, class Mesh>
struct ParticleLanes
{
  using Positions = typename Mesh::Positions;
  static constexpr std::size_t kLanes = W::kLanes;

  Positions base;
  Positions trial;
  alignas(64) double slopes[kMaxSlopes][3][kLanes];
  alignas(64) double sign[kLanes];
  alignas(64) double step[kLanes];
  alignas(64) double next_step[kLanes];
  alignas(64) double shortest[kLanes]; ///< bounds.minimum
  alignas(64) double longest[kLanes];  ///< bounds.maximum
  alignas(64) double length[kLanes];
  alignas(64) double time[kLanes];       ///< unsteady: since the window's origin, as the next two
  alignas(64) double trial_time[kLanes]; ///< unsteady
  alignas(64) double barrier[kLanes];    ///< unsteady: the time that a step may not pass
  alignas(64) double speed[kLanes];
  std::int64_t steps[kLanes];
  Particle* particle[kLanes];

  /// Slopes of a particle whose next sample is at `stage`, as it has them. One that waits for the end of its step may
  /// have to try a shorter one from the last point.
  [[nodiscard]] static constexpr int slopes_kept(int stage) { return Mesh::kWalks ? std::max(stage, 1) : stage; }

  /// Takes all state of a particle but the step that it has begun: load_trial() takes that. Times count from `origin`.
  void load_state(std::size_t lane, Particle& from, double origin)
  {
    particle[lane] = &from;
    base.set(lane, Mesh::cell(from.base));
    sign[lane] = from.sign;
    step[lane] = from.step;
    next_step[lane] = from.next_step;
    shortest[lane] = from.bounds.minimum;
    longest[lane] = from.bounds.maximum;
    length[lane] = from.length;
    time[lane] = (from.time - origin) + from.time_rest;
    trial_time[lane] = (from.trial_time - origin) + from.trial_time_rest;
    speed[lane] = from.speed;
    steps[lane] = from.steps;
  }

  /// Takes the next sample position of the lane's particle, and the slopes before it.
  void load_trial(std::size_t lane)
  {
    const Particle& from = *particle[lane];
    trial.set(lane, Mesh::cell(from.trial));
    for (int s = 0; s < slopes_kept(from.stage); ++s)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        slopes[s][axis][lane] = from.slopes[s][axis];
      }
    }
  }

  /// Gives a particle back whose next sample is at `stage`, with the slopes before it.
  Particle& store_state(std::size_t lane, int stage, const Mesh& mesh, double origin)
  {
    Particle& to = *particle[lane];
    to.base = Mesh::position(mesh.get(base, lane));
    to.trial = Mesh::position(mesh.get(trial, lane));
    to.stage = stage;
    for (int s = 0; s < slopes_kept(stage); ++s)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        to.slopes[s][axis] = slopes[s][axis][lane];
      }
    }
    to.step = step[lane];
    to.next_step = next_step[lane];
    to.bounds = { shortest[lane], longest[lane] };
    to.length = length[lane];
    to.time = origin + time[lane];
    to.trial_time = origin + trial_time[lane];
    to.time_rest = origin == 0.0 ? 0.0 : time[lane] - (to.time - origin);
    to.trial_time_rest = origin == 0.0 ? 0.0 : trial_time[lane] - (to.trial_time - origin);
    to.speed = speed[lane];
    to.steps = steps[lane];
    return to;
  }
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
