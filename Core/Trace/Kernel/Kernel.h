// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The inner loop: particles that share a brick are fed samples from it, in turns, until each has left it.
///
/// Where three scalars a node lie next to each other, a batch of particles fills the lanes of vectors (Batch-inl.h).
/// Values in other layouts, and the last few particles in a brick, are taken one by one, x, y and z in the lanes, in
/// turns of one sample (Stepper-inl.h), so that the processor can overlap several. The code is compiled for
/// several instruction sets and chosen at run time; all of them do the same IEEE operations in the same order, every
/// fused multiply-add explicit, so the bits are the same.
#pragma once

#include "Trace/Advect/AdvectionContext.h"
#include "Trace/Advect/Particle.h"

#include <atomic>

namespace rivulet
{

/// A pinned brick as the kernel wants it.
struct BrickWindow
{
  const void* corner = nullptr; ///< value of the dataset's lattice point (0, 0, 0), were it in this brick
  Long3 stride{ 0, 0, 0 };      ///< in scalars, between lattice points
  Long3 upper{ 0, 0, 0 };       ///< in scalars, from a cell's lower to its upper lattice point; 0 along flat axes
  Box cells;                    ///< the dataset's cells that this brick owns

  static BrickWindow make(const AdvectionContext& context, const BrickView& view, std::int64_t brick);
};

/// What is pinned while particles are advanced: a brick; in unsteady flow, that brick at two time levels.
struct FieldWindow
{
  BrickWindow now;
  BrickWindow later;          ///< the same cells; unsteady only
  double times[2] = { 0, 0 }; ///< of the two; unsteady only
};

/// Room for the particles in hand; more do not hide more latency.
inline constexpr std::size_t kInHand = 16;

/// How close to a time level, as a share of the time between two, is there: steps are sums of rounded numbers.
inline constexpr double kSameTime = 1e-9;

/// What the kernel works on. It takes particles from `waiting` (the last first) until it is empty; each goes to `done`
/// (which has capacity for all) with its event set. Those that reach a time level where they do not end want the same
/// brick at the next two levels
/// (`level` says so).
struct KernelCall
{
  const AdvectionContext& context;
  const FieldWindow& window;
  LineStore& lines;
  std::vector<Particle*>& waiting;
  std::vector<Particle*>& done;
  const std::atomic<bool>& stop; ///< when set, the call ends early, with all particles in one of the two
  bool& no_room;                 ///< set when `lines` can take no more points: the call ends in the same way
  std::int64_t& taken;           ///< counts accepted steps
};

void advance_particles(const KernelCall& call);

/// Puts the particle's trial position into the grid (within the tolerance). False if it lies outside, or in a hidden
/// cell.
[[nodiscard]] bool settle(const AdvectionContext& context, CellPosition& trial);

} // namespace rivulet
