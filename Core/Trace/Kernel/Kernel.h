// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The inner loop: particles that share a brick are fed samples from it, in turns, until each has left it.
///
/// Particles fill the lanes of vectors, as many as the processor has; the last few in a brick are advanced by the same
/// code with one lane (Advector-inl.h). The code is compiled for several instruction sets and chosen at run time; all
/// of them do the same IEEE operations in the same order, every fused multiply-add explicit, so the bits are the same.
#pragma once

#include "Trace/Advect/AdvectionContext.h"
#include "Trace/Advect/Particle.h"

#include <atomic>

namespace rivulet
{

/// A pinned brick as the kernel wants it.
struct BrickWindow
{
  const void* corner = nullptr;      ///< first component at the mesh's lattice point (0, 0, 0), were it in this brick
  Long3 stride{ 0, 0, 0 };           ///< in scalars, between lattice points
  Long3 upper{ 0, 0, 0 };            ///< in scalars, from a cell's lower to its upper lattice point; 0 along flat axes
  std::int64_t component_stride = 1; ///< in scalars
  Box cells;                         ///< the mesh's cells that this brick owns

  static BrickWindow make(const AdvectionContext& context, const BrickView& view, std::int64_t brick);
};

/// What is pinned while particles are advanced: a brick; in unsteady flow, that brick at the two ends of an interval.
struct FieldWindow
{
  BrickWindow now;
  BrickWindow later;          ///< the same cells; unsteady only
  double times[2] = { 0, 0 }; ///< of the two; unsteady only
};

/// How close to the end of an interval, as a share of it, is there: steps are sums of rounded numbers.
inline constexpr double kSameTime = 1e-9;

/// What the kernel works on. It takes particles from `waiting` (the last first) until it is empty; each goes to `done`
/// (which has capacity for all) with its event set. Those that reach the end of the interval, where they do not end,
/// want the same brick in the next one (`interval` says so).
struct KernelCall
{
  const AdvectionContext& context;
  const StructuredMesh& mesh; ///< in whose cells the particles' positions count
  std::int32_t level;         ///< of an AMR mesh: the mesh's number
  const FieldWindow& window;
  LineStore* lines;       ///< keeps the points of paths; nullptr: end states only
  CrossingLog* crossings; ///< finds crossings of surfaces; nullptr: there are none
  std::vector<Particle*>& waiting;
  std::vector<Particle*>& done;
  const std::atomic<bool>& stop; ///< when set, the call ends early, with all particles in one of the two
  bool& no_room;                 ///< set when `lines` can take no more points: the call ends in the same way
  std::int64_t& taken;           ///< counts accepted steps
};

void advance_particles(const KernelCall& call);

} // namespace rivulet
