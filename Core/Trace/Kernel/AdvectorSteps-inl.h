// SPDX-License-Identifier: BSD-3-Clause
// Lengths of the steps of an Advector, and ends of its lines. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_ADVECTOR_STEPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_ADVECTOR_STEPS_INL_H
#undef RIVULET_ADVECTOR_STEPS_INL_H
#else
#define RIVULET_ADVECTOR_STEPS_INL_H
#endif

#include "Trace/Kernel/Advector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Ends lines that have reached a limit.
RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::end_lines(LaneBits arriving, std::vector<Particle*>& done)
{
  [[maybe_unused]] const Vector speed = W::load(all_.speed);
  const auto stop = [&](LaneBits lanes, Termination reason)
  {
    if (const LaneBits ending = lanes & arriving & busy_; HWY_UNLIKELY(ending != 0))
    {
      end_all(ending, reason, done);
    }
  };
  if constexpr (Unsteady)
  {
    stop(slow_, Termination::Stagnation);
  }
  else
  {
    const Vector least = W::set(options_.terminal_speed);
    stop(W::bits(W::equal(speed, W::set(0.0))) | W::bits(W::less_or_equal(speed, least)), Termination::Stagnation);
  }
  stop(W::bits(W::less_or_equal(W::set(options_.maximum_length * kThere), W::load(all_.length))),
      Termination::OutOfLength);
  stop(leaving_, Termination::OutOfDomain);
  LaneBits out_of_steps = 0;
  for (std::size_t lane = 0; lane < kLanes; ++lane)
  {
    out_of_steps |= LaneBits{ all_.steps[lane] > options_.maximum_steps } << lane;
  }
  stop(out_of_steps, Termination::OutOfSteps);
  if constexpr (Unsteady)
  {
    // The barrier is the end of the particle or of the interval, whichever comes first.
    const LaneBits there = arriving & busy_ & W::bits(W::equal(W::load(all_.time), W::load(all_.barrier)));
    LaneBits at_end = 0;
    for_each_lane(there, [&](std::size_t lane) { at_end |= LaneBits{ all_.time[lane] == stop_time(lane) } << lane; });
    stop(at_end, Termination::OutOfTime);
  }
  else if (options_.maximum_time > 0.0)
  {
    const Vector elapsed = W::abs(W::load(all_.time));
    stop(W::bits(W::less_or_equal(W::set(options_.maximum_time * kThere), elapsed)), Termination::OutOfTime);
  }
}

/// The initial, the shortest and the longest step of each lane, where cells differ.
RIVULET_ADVECTOR HWY_INLINE auto RIVULET_ADVECTOR_OF::measure_steps(LaneBits lanes) const -> Triple<W>
{
  if constexpr (requires { mesh_.cell_lengths(lanes, all_.base); })
  {
    if (options_.step_unit == StepUnit::CellLength)
    {
      const Vector length = mesh_.cell_lengths(lanes, all_.base);
      if (Unsteady)
      {
        // as to_time()
        const Vector speed = W::max(W::load(all_.speed), W::set(AdvectionContext::kLeastSpeed));
        return { W::set(options_.initial_step) * length / speed, W::set(options_.minimum_step) * length / speed,
          W::set(options_.maximum_step) * length / speed };
      }
      return { W::set(options_.initial_step) * length, W::set(options_.minimum_step) * length,
        W::set(options_.maximum_step) * length };
    }
  }
  alignas(64) double of_lane[3][kLanes] = {};
  for_each_lane(lanes,
      [&](std::size_t lane)
      {
        of_lane[0][lane] = measure(options_.initial_step, lane);
        of_lane[1][lane] = measure(options_.minimum_step, lane);
        of_lane[2][lane] = measure(options_.maximum_step, lane);
      });
  return Triple<W>::load(of_lane);
}

/// Sets the steps to try.
RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::choose_steps(LaneBits arriving)
{
  Vector step = W::set(initial_step_);
  Vector shortest = W::set(bounds_.minimum);
  Vector longest = W::set(bounds_.maximum);
  if constexpr (!Mesh::kCellsAlike)
  {
    const Triple<W> measures = measure_steps(arriving);
    step = measures.x;
    shortest = measures.y;
    longest = measures.z;
  }
  else if (crosses_cells_)
  {
    const Triple<W> slope = Triple<W>::load(all_.slopes[0]);
    step = mesh_.crossing(options_.initial_step, slope);
    shortest = mesh_.crossing(options_.minimum_step, slope);
    longest = mesh_.crossing(options_.maximum_step, slope);
  }
  else if (Unsteady && options_.step_unit != StepUnit::Time)
  {
    const Vector speed = W::max(W::load(all_.speed), W::set(AdvectionContext::kLeastSpeed)); // as to_time()
    step = step / speed;
    shortest = shortest / speed;
    longest = longest / speed;
  }
  if (Unsteady)
  {
    shortest = W::max(shortest, W::min(longest, W::set(kSameTime * (times_[1] - times_[0]))));
  }
  if (tableau_.adaptive)
  {
    const Vector wanted = W::max(shortest, W::min(longest, W::load(all_.next_step)));
    LaneBits stepped = 0;
    for (std::size_t lane = 0; lane < kLanes; ++lane)
    {
      stepped |= LaneBits{ all_.steps[lane] > 0 } << lane;
    }
    step = W::select(W::mask(stepped), wanted, step);
  }
  const auto limit = [&](Vector room) HWY_ATTR
  {
    step = W::min(step, room);
    shortest = W::min(shortest, room);
    longest = W::min(longest, room);
  };
  if constexpr (Unsteady)
  {
    limit(W::abs(W::load(all_.barrier) - W::load(all_.time)));
  }
  else
  {
    const Vector length_left = W::set(options_.maximum_length) - W::load(all_.length);
    limit(W::select(W::less(length_left, step), length_left, W::set(std::numeric_limits<double>::infinity())));
    if (options_.maximum_time > 0.0)
    {
      // Also if the step to try is short enough: error control may choose a longer one.
      const Vector time_left = W::set(options_.maximum_time) - W::abs(W::load(all_.time));
      limit(time_left * W::load(all_.speed));
    }
  }
  W::store_some(arriving, step, all_.step);
  W::store_some(arriving, shortest, all_.shortest);
  W::store_some(arriving, longest, all_.longest);
  final_ &= ~arriving;
}

/// Lanes whose steps are to be tried again with a shorter length.
RIVULET_ADVECTOR HWY_INLINE LaneBits RIVULET_ADVECTOR_OF::judge_steps(LaneBits lanes)
{
  if (!tableau_.adaptive)
  {
    return 0;
  }
  alignas(64) double errors[kLanes];
  const Triple<W> error = combine(tableau_.error, tableau_.slopes);
  W::store(W::load(all_.step) * mesh_.length_of(error), errors);
  LaneBits again = 0;
  for_each_lane(lanes,
      [&](std::size_t lane)
      {
        const LaneBits bit = LaneBits{ 1 } << lane;
        if ((searching_ & bit) != 0)
        {
          return; // this step is a part of one that was accepted
        }
        double& step = all_.step[lane];
        const double planned = std::exchange(all_.next_step[lane], step);
        if ((final_ & bit) != 0)
        {
          return;
        }
        const StepBounds bounds{ all_.shortest[lane], all_.longest[lane] };
        const StepVerdict verdict = Unsteady ? judge_step_in_time(step, errors[lane], options_.maximum_error, bounds)
                                             : judge_step(step, errors[lane], options_.maximum_error, bounds);
        all_.next_step[lane] = verdict.next;
        if (Unsteady && verdict.accepted && std::fabs(all_.barrier[lane] - all_.time[lane]) <= step)
        {
          all_.next_step[lane] = std::max(verdict.next, planned); // a step that was cut says little about the next one
        }
        if (!verdict.accepted)
        {
          step = verdict.next;
          final_ |= verdict.final ? bit : 0;
          again |= bit;
        }
      });
  return again;
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
