// SPDX-License-Identifier: BSD-3-Clause
// Velocities at the points of a stage: of one brick, or mixed from the bricks of two to four time steps. Included once
// per target by the Kernel*.cxx files.
#if defined(RIVULET_ADVECTOR_SAMPLING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_ADVECTOR_SAMPLING_INL_H
#undef RIVULET_ADVECTOR_SAMPLING_INL_H
#else
#define RIVULET_ADVECTOR_SAMPLING_INL_H
#endif

#include "Trace/Kernel/Advector-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Times of the samples of a stage.
RIVULET_ADVECTOR HWY_INLINE auto RIVULET_ADVECTOR_OF::sample_times(int stage) const -> Vector
{
  if (stage == 0)
  {
    return W::load(all_.trial_time);
  }
  const Vector step = W::load(all_.sign) * W::load(all_.step);
  return W::fused(step, W::set(tableau_.node[stage]), W::load(all_.time));
}

RIVULET_ADVECTOR
template <bool kGradient>
HWY_INLINE Triple<typename RIVULET_ADVECTOR_OF::W> RIVULET_ADVECTOR_OF::sample(
    LaneBits lanes, int stage, Gradient<W>& gradient) const
{
  if constexpr (Unsteady)
  {
    if (HWY_UNLIKELY(cubic_ != nullptr))
    {
      return sample_cubic<kGradient>(lanes, stage, gradient);
    }
  }
  Triple<W> velocity = mesh_.template sample_now<kGradient>(all_.trial, lanes, gradient);
  if constexpr (Unsteady)
  {
    Gradient<W> later_gradient;
    Triple<W> later = mesh_.template sample_later<kGradient>(all_.trial, lanes, later_gradient);
    // At a step of the field the sample is the same in the interval before and in the one after.
    const Vector share = share_of_interval(stage);
    if (HWY_UNLIKELY(hidden_in_time_))
    {
      leave_out(share, velocity, later);
    }
    if constexpr (kGradient)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        if (HWY_UNLIKELY(hidden_in_time_))
        {
          leave_out(share, gradient.by_index[axis], later_gradient.by_index[axis]);
        }
        gradient.by_index[axis] = mix_ends(gradient.by_index[axis], later_gradient.by_index[axis], share);
      }
    }
    return mix_ends(velocity, later, share);
  }
  else
  {
    return velocity;
  }
}

/// Leaves a value without weight out: it may be a hidden one, and then anything.
RIVULET_ADVECTOR HWY_INLINE void RIVULET_ADVECTOR_OF::leave_out(Vector share, Triple<W>& now, Triple<W>& later)
{
  now = or_zero(now, W::equal(share, W::set(1.0)));
  later = or_zero(later, W::equal(share, W::set(0.0)));
}

/// The same with cubic interpolation in time, from up to four bricks. A separate function, to keep this out of the code
/// for linear interpolation, whose speed matters. The weights are the same as in CubicWeights::at().
RIVULET_ADVECTOR
template <bool kGradient>
HWY_NOINLINE Triple<typename RIVULET_ADVECTOR_OF::W> RIVULET_ADVECTOR_OF::sample_cubic(
    LaneBits lanes, int stage, Gradient<W>& gradient) const
{
  const CubicWeights& rule = *cubic_;
  const bool both = rule.has_before && rule.has_after;
  const Vector share = share_of_interval(stage);
  const Vector left = W::set(1.0) - share;
  const Vector hump = share * left;
  const Vector none = W::set(0.0);
  const Vector of_before = both ? hump * left : rule.has_before ? hump : none;
  const Vector of_after = both ? hump * share : rule.has_after ? hump : none;
  const auto add = [](double factor, Vector to_what, Vector sum) HWY_ATTR
  {
    return W::fused(W::set(factor), to_what, sum);
  };
  const Vector weights[kMostSteps] = { W::set(rule.before[0]) * of_before,
    add(rule.before[1], of_before, add(rule.after[0], of_after, left)),
    add(rule.before[2], of_before, add(rule.after[1], of_after, share)), W::set(rule.after[2]) * of_after };
  const bool there[kMostSteps] = { rule.has_before, true, true, rule.has_after };
  // Sums that begin with +0 are never -0: at a step of the field the sample is the same in both intervals.
  Triple<W> velocity = Triple<W>::zero();
  const Gradient<W> none_yet{ { Triple<W>::zero(), Triple<W>::zero(), Triple<W>::zero() } };
  gradient = none_yet;
  for (int i = 0; i < kMostSteps; ++i)
  {
    if (!there[i])
    {
      continue;
    }
    Gradient<W> of_step = none_yet;
    const Triple<W> of_velocity = mesh_.template sample_at<kGradient>(i, all_.trial, lanes, of_step);
    const auto without = W::equal(weights[i], none); // such a value may be hidden, and then anything
    velocity = scale_add(weights[i], hidden_in_time_ ? or_zero(of_velocity, without) : of_velocity, velocity);
    if constexpr (kGradient)
    {
      for (std::size_t axis = 0; axis < 3; ++axis)
      {
        const Triple<W>& slope = of_step.by_index[axis];
        gradient.by_index[axis] =
            scale_add(weights[i], hidden_in_time_ ? or_zero(slope, without) : slope, gradient.by_index[axis]);
      }
    }
  }
  return velocity;
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
