// SPDX-License-Identifier: BSD-3-Clause
// What the lanes of a batch know of their particles while they have them. Included once per target by the Kernel*.cxx
// files.
#if defined(RIVULET_WIDE_PARTICLES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_WIDE_PARTICLES_INL_H
#undef RIVULET_WIDE_PARTICLES_INL_H
#else
#define RIVULET_WIDE_PARTICLES_INL_H
#endif

#include "Trace/Advect/Particle.h"
#include "Trace/Kernel/Wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

#if RIVULET_WIDE

/// Locations, lane by lane.
struct WidePosition
{
  alignas(64) double fraction[3][kWide];
  alignas(64) std::int32_t cell[3][kWide];

  HWY_INLINE void set(std::size_t lane, const CellPosition& at)
  {
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      fraction[axis][lane] = at.fraction[axis];
      cell[axis][lane] = at.cell[axis];
    }
  }

  [[nodiscard]] HWY_INLINE CellPosition get(std::size_t lane) const
  {
    return { { fraction[0][lane], fraction[1][lane], fraction[2][lane], 0.0 },
      { cell[0][lane], cell[1][lane], cell[2][lane], 0 } };
  }

  [[nodiscard]] HWY_INLINE std::array<std::int32_t, 4> cell_of(std::size_t lane) const
  {
    return { cell[0][lane], cell[1][lane], cell[2][lane], 0 };
  }
};

/// Lanes without a particle hold numbers of no meaning, which are computed with and never looked at. Names are those of
/// Particle.
struct WideParticles
{
  WidePosition base;
  WidePosition trial;
  alignas(64) double slopes[kMaxSlopes][3][kWide];
  alignas(64) double sign[kWide];
  alignas(64) double step[kWide];
  alignas(64) double next_step[kWide];
  alignas(64) double shortest[kWide]; ///< bounds.minimum
  alignas(64) double longest[kWide];  ///< bounds.maximum
  alignas(64) double length[kWide];
  alignas(64) double time[kWide];
  alignas(64) double trial_time[kWide]; ///< unsteady
  alignas(64) double barrier[kWide];    ///< unsteady: the time a step may not reach over
  alignas(64) double speed[kWide];
  alignas(64) double recorded_time[kWide];
  alignas(64) double rotation[kWide];
  alignas(64) double angular_velocity[kWide];
  alignas(64) float recorded_point[3][kWide];
  std::int64_t steps[kWide];
  LineCursor cursor[kWide];
  Particle* particle[kWide];

  void take(std::size_t lane, Particle& from, const LineStore& lines)
  {
    particle[lane] = &from;
    base.set(lane, from.base);
    trial.set(lane, from.trial);
    sign[lane] = from.sign;
    step[lane] = from.step;
    next_step[lane] = from.next_step;
    length[lane] = from.length;
    time[lane] = from.time;
    trial_time[lane] = from.trial_time;
    speed[lane] = from.speed;
    recorded_time[lane] = from.recorded_time;
    rotation[lane] = from.rotation;
    angular_velocity[lane] = from.angular_velocity;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      recorded_point[axis][lane] = from.recorded_point[axis];
    }
    steps[lane] = from.steps;
    cursor[lane] = lines.open(from.chain);
  }

  /// Hands a particle of the stage given back, its slopes so far included; answers it.
  Particle& give(std::size_t lane, int stage, const LineStore& lines)
  {
    Particle& to = *particle[lane];
    to.base = base.get(lane);
    to.trial = trial.get(lane);
    to.stage = stage;
    for (int s = 0; s < stage; ++s)
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
    to.time = time[lane];
    to.trial_time = trial_time[lane];
    to.speed = speed[lane];
    to.recorded_time = recorded_time[lane];
    to.rotation = rotation[lane];
    to.angular_velocity = angular_velocity[lane];
    to.recorded_point = { recorded_point[0][lane], recorded_point[1][lane], recorded_point[2][lane] };
    to.steps = steps[lane];
    lines.close(to.chain, cursor[lane]);
    return to;
  }
};

#endif

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
