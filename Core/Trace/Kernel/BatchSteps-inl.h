// SPDX-License-Identifier: BSD-3-Clause
// How long the steps of a batch are, and where its lines end. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_BATCH_STEPS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_BATCH_STEPS_INL_H
#undef RIVULET_BATCH_STEPS_INL_H
#else
#define RIVULET_BATCH_STEPS_INL_H
#endif

#include "Trace/Kernel/Batch-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

#if RIVULET_WIDE

/// Ends lines that are as long as they may be, and sets the steps to try for the others.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::end_lines(std::vector<Particle*>& done)
{
  const WideDoubles speed = load_wide(all_.speed);
  const auto stop = [&](LaneBits lanes, Termination reason)
  {
    for_each_lane(lanes & arriving_, [&](std::size_t lane) { end(lane, 0, reason, done); });
  };
  const WideDoubles least = set_wide(options_.terminal_speed);
  stop(
      bits_of(Wide(), kUnsteady ? hn::Lt(speed, least) : hn::Or(hn::Eq(speed, hn::Zero(Wide())), hn::Le(speed, least))),
      Termination::Stagnation);
  stop(bits_of(Wide(), hn::Ge(load_wide(all_.length), set_wide(options_.maximum_length * Stepper::kThere))),
      Termination::OutOfLength);
  LaneBits out_of_steps = 0;
  for (std::size_t lane = 0; lane < kWide; ++lane)
  {
    out_of_steps |= LaneBits{ all_.steps[lane] > options_.maximum_steps } << lane;
  }
  stop(out_of_steps, Termination::OutOfSteps);
  if constexpr (kUnsteady)
  {
    LaneBits at_end = 0;
    for (std::size_t lane = 0; lane < kWide; ++lane)
    {
      const bool busy = (arriving_ >> lane & 1) != 0;
      at_end |= LaneBits{ busy && all_.time[lane] == all_.particle[lane]->stop_time } << lane;
    }
    stop(at_end, Termination::OutOfTime);
  }
  else if (options_.maximum_time > 0.0)
  {
    const WideDoubles elapsed = hn::Abs(load_wide(all_.time));
    stop(bits_of(Wide(), hn::Ge(elapsed, set_wide(options_.maximum_time * Stepper::kThere))), Termination::OutOfTime);
  }
  choose_steps();
}

template <class Stepper>
HWY_INLINE void Batch<Stepper>::choose_steps()
{
  WideDoubles step = set_wide(initial_step_);
  WideDoubles shortest = set_wide(bounds_.minimum);
  WideDoubles longest = set_wide(bounds_.maximum);
  if constexpr (!kUniform || kUnsteady)
  {
    alignas(64) double of_lane[3][kWide] = {};
    for_each_lane(arriving_,
        [&](std::size_t lane)
        {
          of_lane[0][lane] = measure(options_.initial_step, lane);
          of_lane[1][lane] = measure(options_.minimum_step, lane);
          of_lane[2][lane] = measure(options_.maximum_step, lane);
        });
    step = load_wide(of_lane[0]);
    shortest = load_wide(of_lane[1]);
    longest = load_wide(of_lane[2]);
  }
  const auto arrived = mask_of(Wide(), arriving_);
  if (tableau_.adaptive)
  {
    const WideDoubles wanted = hn::Max(shortest, hn::Min(longest, load_wide(all_.next_step)));
    LaneBits stepped = 0;
    for (std::size_t lane = 0; lane < kWide; ++lane)
    {
      stepped |= LaneBits{ all_.steps[lane] > 0 } << lane;
    }
    step = hn::IfThenElse(mask_of(Wide(), stepped), wanted, step);
  }
  const auto limit = [&](hn::Mask<Wide> lanes, WideDoubles room) HWY_ATTR
  {
    step = hn::IfThenElse(lanes, hn::Min(step, room), step);
    shortest = hn::IfThenElse(lanes, hn::Min(shortest, room), shortest);
    longest = hn::IfThenElse(lanes, hn::Min(longest, room), longest);
  };
  if constexpr (kUnsteady)
  {
    limit(arrived, hn::Abs(hn::Sub(load_wide(all_.barrier), load_wide(all_.time))));
  }
  else
  {
    const WideDoubles length_left = hn::Sub(set_wide(options_.maximum_length), load_wide(all_.length));
    limit(hn::Gt(step, length_left), length_left);
    if (options_.maximum_time > 0.0)
    {
      const WideDoubles time_left = hn::Sub(set_wide(options_.maximum_time), hn::Abs(load_wide(all_.time)));
      limit(arrived, hn::Mul(time_left, load_wide(all_.speed)));
    }
  }
  store_some(arrived, step, all_.step);
  store_some(arrived, shortest, all_.shortest);
  store_some(arrived, longest, all_.longest);
  final_ &= ~arriving_;
}

/// Which steps are taken, and which are to be tried again shorter.
template <class Stepper>
HWY_INLINE void Batch<Stepper>::judge_steps()
{
  arriving_ = busy_;
  if (!tableau_.adaptive)
  {
    return;
  }
  alignas(64) double errors[kWide];
  store_wide(hn::Mul(load_wide(all_.step), world_length(combine(tableau_.error, tableau_.slopes))), errors);
  for_each_lane(busy_,
      [&](std::size_t lane)
      {
        const LaneBits bit = LaneBits{ 1 } << lane;
        double& step = all_.step[lane];
        all_.next_step[lane] = step;
        if ((final_ & bit) != 0)
        {
          return;
        }
        const StepVerdict verdict =
            judge_step(step, errors[lane], options_.maximum_error, { all_.shortest[lane], all_.longest[lane] });
        all_.next_step[lane] = verdict.next;
        if (!verdict.accepted)
        {
          step = verdict.next;
          final_ |= verdict.final ? bit : 0;
          arriving_ &= ~bit;
        }
      });
}

#endif

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
