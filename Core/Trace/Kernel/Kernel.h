// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The inner loop: particles that share a brick get samples from it, in turns, until each has left it.
///
/// Called through Mesh::advance(). Particles fill the lanes of vectors, as many as the processor has. The last few in a
/// brick are advanced by the same code with one lane (Advector-inl.h). The code is compiled for several instruction
/// sets and chosen at run time. All of them do the same IEEE operations in the same order, with every fused
/// multiply-add explicit, so that results agree to the last bit.
#pragma once

#include "Trace/Kernel/AdvectionContext.h"
#include "Trace/Kernel/Particle.h"
#include "Trace/Mesh/BrickCorners.h"

#include <atomic>

namespace rivulet
{

/// The pinned bricks while particles are advanced: one brick; in unsteady flow the brick at both ends of an interval,
/// and with cubic interpolation in time at the time steps before and after it, too. All have the same cells.
struct FieldWindow
{
  const BrickView* now = nullptr;
  const BrickView* later = nullptr;  ///< unsteady only
  const BrickView* before = nullptr; ///< cubic only, where there is one; `after` too
  const BrickView* after = nullptr;
  StepViews places;           ///< where the nodes lie, if that is in bricks
  double times[2] = { 0, 0 }; ///< times of now and later; unsteady only
  double origin = 0.0;        ///< clock_origin() of these
  std::int32_t interval = 0;  ///< unsteady only
  StepRange steps;            ///< of all bricks, whose hidden cells count
  CubicWeights cubic;

  [[nodiscard]] bool is_cubic() const { return cubic.has_before || cubic.has_after; }
};

/// Distance from the end of an interval, as a share of it, that counts as zero: steps are sums of rounded numbers.
inline constexpr double kSameTime = 1e-9;

/// Input and output of the kernel. It takes particles from `waiting` (the last first) until that is empty. Each goes to
/// `done` (with capacity for all) with its event set. Particles that reach the end of the interval without ending need
/// the same brick in the next interval (`interval` is set to it).
struct KernelCall
{
  const AdvectionContext& context;
  std::int64_t brick; ///< its number
  const FieldWindow& window;
  LineStore* lines;       ///< keeps the points of paths; nullptr: end states only
  CrossingLog* crossings; ///< logs crossings of surfaces; nullptr: no surfaces
  std::vector<Particle*>& waiting;
  std::vector<Particle*>& done;
  const std::atomic<bool>& stop; ///< when set, the call ends early, with each particle in `waiting` or `done`
  bool& no_room;                 ///< set if `lines` has no more room; the call then ends in the same way
  std::int64_t& taken;           ///< counts accepted steps
};

} // namespace rivulet
