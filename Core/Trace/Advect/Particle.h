// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One line in the making. A particle is a small state machine that is fed one velocity sample at a time, so that it
/// can stop between any two samples, wait for a brick, and go on with the slopes it already has.
///
///   stage 0      the sample at `trial` is the velocity at a new point of the line: it is recorded, becomes slopes[0],
///   and
///                a step begins
///   stage s > 0  the sample at `trial` becomes slopes[s]; after the last slope the step is judged: taken (stage 0
///   next),
///                or tried again shorter (stage 1 next)
///
/// Between samples a particle is in exactly one place: a bucket of particles that want the same brick, the hands of one
/// worker, or done.
#pragma once

#include "Trace/Advect/Crossing.h"
#include "Trace/Kernel/StepControl.h"
#include "Trace/Kernel/Tableau.h"
#include "Trace/Lines.h"
#include "Trace/Lines/LineStore.h"

namespace rivulet
{

/// Why a particle came out of a brick.
enum class Event : std::uint8_t
{
  NeedsBrick, ///< the next sample lies in another brick
  Ended,      ///< `reason` says why
  NotFinite,  ///< the sample was not finite: bad data, or a fault under the brick
};

/// The points of a path that are kept so far, and the values at the last one that was kept.
struct RecordedPath
{
  PointChain chain;
  double time = 0.0;
  double rotation = 0.0;
  double angular_velocity = 0.0;
  std::array<float, 3> point{ 0, 0, 0 };
};

struct alignas(64) Particle
{
  CellPosition base;            ///< the last point of the line
  CellPosition trial;           ///< where the next sample is taken
  double slopes[kMaxSlopes][3]; ///< unit velocity (unsteady: velocity), in the mesh's unit: cells on uniform meshes,
                                ///< world units on rectilinear ones
  double sign = 1.0;            ///< -1 backward
  double step = 0.0;            ///< length (unsteady: time) being tried, positive
  double next_step = 0.0;       ///< the step to try after this one, where errors are controlled
  StepBounds bounds;
  double length = 0.0;
  double time = 0.0;         ///< negative backward; unsteady: the field's
  double trial_time = 0.0;   ///< unsteady, stage 0: time at `trial`
  double stop_time = 0.0;    ///< unsteady: where the line ends at the latest
  std::int32_t interval = 0; ///< unsteady: of time, in which the next sample is
  double speed = 0.0;
  std::int32_t stage = 0;
  bool started = false;     ///< the seed's own sample is in
  bool final_trial = false; ///< the step is taken whatever its error
  Event event = Event::NeedsBrick;
  Termination reason = Termination::None;
  std::int64_t steps = 0;
  std::int64_t task = -1;  ///< the release's id; -1: none
  Vec3 release{ 0, 0, 0 }; ///< the release's point, world
  RecordedPath path;
  std::uint32_t sides = 0;   ///< of surfaces: bit s is set where the base is on the positive side of surface s
  std::uint32_t crossed = 0; ///< surfaces between base and trial, where a search has ended; during one, the leading one
  CrossingSearch search;
};

} // namespace rivulet
