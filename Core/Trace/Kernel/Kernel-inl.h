// SPDX-License-Identifier: BSD-3-Clause
// The loops that feed particles with samples. Included once per target by each of the Kernel*.cxx files.
#if defined(RIVULET_KERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_KERNEL_INL_H
#undef RIVULET_KERNEL_INL_H
#else
#define RIVULET_KERNEL_INL_H
#endif

#include "hwy/highway.h"

#include "Trace/Kernel/BatchPoints-inl.h"
#include "Trace/Kernel/BatchSteps-inl.h"
#include "Trace/Kernel/KernelVariants.h"
#include "Trace/Kernel/Stepper-inl.h"

#include <array>
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// One sample for each particle in hand; returns how many stay. The work is cut into loops over particles, so that the
/// processor finds several independent chains of operations at any time.
template <class Stepper>
HWY_INLINE std::size_t take_turn(
    Stepper& stepper, std::array<Particle*, kInHand>& hand, std::size_t held, std::vector<Particle*>& done)
{
  Lanes4 velocity[kInHand];
  Lanes4 slope[kInHand];
  double speed[kInHand];
  for (std::size_t i = 0; i < held; ++i)
  {
    velocity[i] = stepper.sample(*hand[i]);
  }
  for (std::size_t i = 0; i < held; ++i)
  {
    speed[i] = std::sqrt(squared_length(velocity[i]));
    slope[i] = stepper.slope_of(velocity[i], speed[i]);
  }
  std::size_t kept = 0;
  for (std::size_t i = 0; i < held; ++i)
  {
    Particle* particle = hand[i];
    if (stepper.feed(*particle, velocity[i], speed[i], slope[i]))
    {
      stepper.prefetch(*particle);
      hand[kept++] = particle;
    }
    else
    {
      done.push_back(particle);
    }
  }
  return kept;
}

template <class Stepper>
void advance_with(const KernelCall& call)
{
  Stepper stepper(call.context, call.window, call.lines, call.taken);
  std::array<Particle*, kInHand> hand;
  std::size_t held = 0;
  while (true)
  {
    while (held < kInHand && !call.waiting.empty())
    {
      hand[held++] = call.waiting.back();
      call.waiting.pop_back();
    }
    if (held == 0)
    {
      return;
    }
    if (call.no_room || call.stop.load(std::memory_order_relaxed))
    {
      call.waiting.insert(call.waiting.end(), hand.begin(), hand.begin() + static_cast<std::ptrdiff_t>(held));
      return;
    }
    // Many turns between looks at the flag and at the queue.
    for (int turn = 0; turn < 64 && held > 0; ++turn)
    {
      if (!call.lines.make_room(held))
      {
        call.no_room = true;
        break;
      }
      held = take_turn(stepper, hand, held, call.done);
      if (held < kInHand && !call.waiting.empty())
      {
        break;
      }
    }
  }
}

#if RIVULET_WIDE

/// Feeds a particle until it is between two steps; false if it has left before.
template <class Stepper>
bool bring_to_step(Stepper& stepper, Particle& particle)
{
  while (particle.stage != 0)
  {
    const Lanes4 velocity = stepper.sample(particle);
    const double speed = std::sqrt(squared_length(velocity));
    if (!stepper.feed(particle, velocity, speed, stepper.slope_of(velocity, speed)))
    {
      return false;
    }
  }
  return true;
}

/// As advance_with(), a batch at a time while there are enough particles to fill one.
template <class Single>
void advance_wide(const KernelCall& call)
{
  // Fewer go faster one by one.
  static constexpr int kWorthWhile = 3;
  Single single(call.context, call.window, call.lines, call.taken);
  Batch<Single> batch(call.context, call.window, call.lines, single, call.taken);
  while (true)
  {
    while (!batch.full() && !call.waiting.empty())
    {
      Particle* particle = call.waiting.back();
      call.waiting.pop_back();
      if (bring_to_step(single, *particle))
      {
        batch.enter(*particle);
      }
      else
      {
        call.done.push_back(particle);
      }
    }
    const bool few = batch.count() < kWorthWhile && batch.between_steps();
    call.no_room = call.no_room || !call.lines.make_room(kWide);
    if (few || call.no_room || call.stop.load(std::memory_order_relaxed))
    {
      batch.flush(call.waiting);
      return;
    }
    batch.turn(call.done);
  }
}

#endif

/// Batches where the values of nodes are packed, then one by one what is left.
template <class Stepper>
void advance_as(const KernelCall& call)
{
#if RIVULET_WIDE
  const bool packed = Stepper::packed(call.window.now) && (!Stepper::kUnsteady || Stepper::packed(call.window.later));
  if (packed && call.context.velocity().centering == Centering::Node)
  {
    advance_wide<Stepper>(call);
  }
#endif
  advance_with<Stepper>(call);
}

template <class Scalar, bool Unsteady>
void advance_of(const KernelCall& call)
{
  call.context.mesh().uniform() ? advance_as<Stepper<Scalar, true, Unsteady>>(call)
                                : advance_as<Stepper<Scalar, false, Unsteady>>(call);
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
