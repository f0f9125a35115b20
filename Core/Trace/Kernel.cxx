// SPDX-License-Identifier: BSD-3-Clause

// Below AVX2 nothing is gained over plain code, and above plain AVX-512 nothing is used.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Trace/Kernel.cxx"
#include "hwy/foreach_target.h" // must come first: includes this file once per instruction set

#include "hwy/highway.h"

#include "Trace/BatchPoints-inl.h"
#include "Trace/BatchSteps-inl.h"
#include "Trace/Kernel.h"
#include "Trace/Stepper-inl.h"

#include <array>
#include <cmath>
#include <cstring>
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
void advance_with(const Problem& problem, const FieldWindow& window, LineStore& lines, std::vector<Particle*>& waiting,
    std::vector<Particle*>& done, const std::atomic<bool>& stop, std::int64_t& taken)
{
  Stepper stepper(problem, window, lines, taken);
  std::array<Particle*, kInHand> hand;
  std::size_t held = 0;
  while (true)
  {
    while (held < kInHand && !waiting.empty())
    {
      hand[held++] = waiting.back();
      waiting.pop_back();
    }
    if (held == 0)
    {
      return;
    }
    if (stop.load(std::memory_order_relaxed))
    {
      waiting.insert(waiting.end(), hand.begin(), hand.begin() + static_cast<std::ptrdiff_t>(held));
      return;
    }
    // Many turns between looks at the flag and at the queue.
    for (int turn = 0; turn < 64 && held > 0; ++turn)
    {
      held = take_turn(stepper, hand, held, done);
      if (held < kInHand && !waiting.empty())
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
void advance_wide(const Problem& problem, const FieldWindow& window, LineStore& lines, std::vector<Particle*>& waiting,
    std::vector<Particle*>& done, const std::atomic<bool>& stop, std::int64_t& taken)
{
  // Fewer go faster one by one.
  static constexpr int kWorthWhile = 3;
  Single single(problem, window, lines, taken);
  Batch<Single> batch(problem, window, lines, single, taken);
  while (true)
  {
    while (!batch.full() && !waiting.empty())
    {
      Particle* particle = waiting.back();
      waiting.pop_back();
      if (bring_to_step(single, *particle))
      {
        batch.enter(*particle);
      }
      else
      {
        done.push_back(particle);
      }
    }
    const bool few = batch.count() < kWorthWhile && batch.between_steps();
    if (few || stop.load(std::memory_order_relaxed))
    {
      batch.flush(waiting);
      return;
    }
    batch.turn(done);
  }
}

#endif

/// Batches where the values of nodes are packed, then one by one what is left.
template <class Stepper>
void advance_as(const Problem& problem, const FieldWindow& window, LineStore& lines, std::vector<Particle*>& waiting,
    std::vector<Particle*>& done, const std::atomic<bool>& stop, std::int64_t& taken)
{
#if RIVULET_WIDE
  const bool packed = Stepper::packed(window.now) && (!Stepper::kUnsteady || Stepper::packed(window.later));
  if (packed && problem.velocity().centering == Centering::Node)
  {
    advance_wide<Stepper>(problem, window, lines, waiting, done, stop, taken);
  }
#endif
  advance_with<Stepper>(problem, window, lines, waiting, done, stop, taken);
}

template <class Scalar>
void advance_of(const Problem& problem, const FieldWindow& window, LineStore& lines, std::vector<Particle*>& waiting,
    std::vector<Particle*>& done, const std::atomic<bool>& stop, std::int64_t& taken)
{
  const bool uniform = problem.space().uniform();
  if (problem.is_unsteady())
  {
    uniform ? advance_as<Stepper<Scalar, true, true>>(problem, window, lines, waiting, done, stop, taken)
            : advance_as<Stepper<Scalar, false, true>>(problem, window, lines, waiting, done, stop, taken);
    return;
  }
  uniform ? advance_as<Stepper<Scalar, true, false>>(problem, window, lines, waiting, done, stop, taken)
          : advance_as<Stepper<Scalar, false, false>>(problem, window, lines, waiting, done, stop, taken);
}

void advance(const Problem& problem, const FieldWindow& window, LineStore& lines, std::vector<Particle*>& waiting,
    std::vector<Particle*>& done, const std::atomic<bool>& stop, std::int64_t& taken)
{
  problem.velocity().type == ScalarType::Float32
      ? advance_of<float>(problem, window, lines, waiting, done, stop, taken)
      : advance_of<double>(problem, window, lines, waiting, done, stop, taken);
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rivulet
{

HWY_EXPORT(advance);

void advance_particles(const Problem& problem, const FieldWindow& window, LineStore& lines,
    std::vector<Particle*>& waiting, std::vector<Particle*>& done, const std::atomic<bool>& stop, std::int64_t& taken)
{
  HWY_DYNAMIC_DISPATCH(advance)(problem, window, lines, waiting, done, stop, taken);
}

bool settle(const Problem& problem, Location& trial)
{
  return problem.space().clamp_to_grid(trial) && !(problem.has_hidden_cells() && problem.hidden(trial.cell));
}

BrickWindow BrickWindow::make(const Problem& problem, const BrickView& view, std::int64_t brick)
{
  const Int3& offset = problem.field().lattice_offset;
  BrickWindow window;
  window.cells = problem.cells_of(brick);
  window.stride = view.stride;
  std::int64_t corner = 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    corner += (std::int64_t{ offset[axis] } - view.lattice.begin[axis]) * view.stride[axis];
    window.upper[axis] = problem.space().flat(static_cast<int>(axis)) ? 0 : view.stride[axis];
  }
  // Only values inside the brick are ever addressed; the corner itself may lie far outside, hence integer arithmetic.
  const auto bytes = static_cast<std::int64_t>(size_of(view.type)) * corner;
  window.corner = reinterpret_cast<const void*>(reinterpret_cast<std::intptr_t>(view.data) + bytes);
  return window;
}

} // namespace rivulet
#endif
