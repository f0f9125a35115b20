// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// State of one line while it grows. A particle is a small state machine that gets one velocity sample at a time, so
/// that it can stop between any two samples, wait for a brick, and go on with the slopes it has.
///
///   stage 0      the sample at `trial` is the velocity at a new point of the line: the point is recorded,
///                the sample becomes slopes[0], and a step begins
///   stage s > 0  the sample at `trial` becomes slopes[s]; after the last slope the step is judged:
///                taken (stage 0 next), or tried again shorter (stage 1 next)
///
/// Between samples a particle is in exactly one place: a bucket of particles that need the same brick, a worker that
/// advances it, the paused ones (ParticleMarch.h), or the finished ones.
#pragma once

#include "Trace/Contract/Termination.h"
#include "Trace/Kernel/Crossing.h"
#include "Trace/Kernel/LineStore.h"
#include "Trace/Kernel/StepControl.h"
#include "Trace/Kernel/Tableau.h"

namespace rivulet
{

/// Why a particle left the kernel.
enum class Event : std::uint8_t
{
  NeedsBrick, ///< the next sample lies in another brick
  Ended,      ///< `reason` says why
  NotFinite,  ///< the sample was not finite: bad data, or a fault under the brick
};

/// The points of a path kept so far, and the values at the last of them.
struct RecordedPath
{
  PointChain chain;
  double time = 0.0;
  double rotation = 0.0;
  double angular_velocity = 0.0;
  std::array<float, 3> point{ 0, 0, 0 };
};

/// State of a particle at stage 0, from which it can go on in a later run.
struct ParticleState
{
  Position base;          ///< the last point of the line
  Position trial;         ///< place of the next sample
  double sign = 1.0;      ///< 1 forward, -1 backward
  double step = 0.0;      ///< length (unsteady: time) of the step being tried, positive
  double next_step = 0.0; ///< next step to try, with error control
  double length = 0.0;
  double time = 0.0;       ///< since the seed, negative backward; unsteady: time of the field
  double trial_time = 0.0; ///< unsteady, stage 0: time at `trial`
  double last_time = 0.0;  ///< unsteady: time of the field at which the particle ends, if not before
  double speed = 0.0;
  std::int32_t interval = 0; ///< unsteady: interval of the next sample
  bool started = false;      ///< whether the sample at the seed was taken
  SurfaceSet sides = 0;      ///< surfaces on whose positive side the base is; for first entries: not entered yet
  std::int64_t steps = 0;
  std::int64_t task = -1;  ///< id of the release; -1: none
  Vec3 release{ 0, 0, 0 }; ///< point of the release, world
  RecordedPath path;
};

static_assert(sizeof(ParticleState) == 264, "FlowMap.h says how much memory a paused particle takes");

struct alignas(64) Particle : ParticleState
{
  double slopes[kMaxSlopes][3]; ///< unit velocity (unsteady: velocity), in the mesh's unit: cells on uniform meshes,
                                ///< world units on rectilinear ones
  StepBounds bounds;
  double stop_time = 0.0;       ///< unsteady: time at which the particle ends or is paused
  double time_rest = 0.0;       ///< unsteady: the particle's clock minus `time`, a rounding error (clock_origin())
  double trial_time_rest = 0.0; ///< the same of `trial_time`
  std::int32_t stage = 0;
  bool final_trial = false; ///< whether the step is taken for any error
  bool leaves = false;      ///< whether the next sample is where the particle leaves the domain
  Event event = Event::NeedsBrick;
  Termination reason = Termination::None;
  SurfaceSet crossed = 0; ///< surfaces between base and trial after a search; during one, the leading one
  CrossingSearch search;
  std::int64_t item = -1;        ///< work item in which it is
  std::int64_t item_before = -1; ///< the one before that
};

} // namespace rivulet
