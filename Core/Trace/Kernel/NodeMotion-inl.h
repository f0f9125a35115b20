// SPDX-License-Identifier: BSD-3-Clause
// The motion of nodes between two time steps (Mesh/NodeMotion.h), for all lanes. Included once per target by the
// Kernel*.cxx files.
#if defined(RIVULET_NODE_MOTION_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_NODE_MOTION_INL_H
#undef RIVULET_NODE_MOTION_INL_H
#else
#define RIVULET_NODE_MOTION_INL_H
#endif

#include "Trace/Contract/TimeInterpolation.h"
#include "Trace/Kernel/Width-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

template <class W>
class NodeMotion
{
public:
  using Vector = typename W::Vector;

  /// `share`: of the interval that has gone. `cubic` must outlive this.
  HWY_INLINE NodeMotion(const CubicWeights& cubic, Vector share)
    : cubic_(cubic)
    , share_(share)
    , before_(share * (W::set(1.0) - share))
    , after_(before_)
  {
    if (cubic.has_before && cubic.has_after)
    {
      after_ = before_ * share;
      before_ = before_ * (W::set(1.0) - share);
    }
  }

  /// As place_between(). The last two have a meaning only if the cubic has them.
  [[nodiscard]] HWY_INLINE Triple<W> place(
      const Triple<W>& now, const Triple<W>& later, const Triple<W>& before, const Triple<W>& after) const
  {
    return { along(now.x, later.x, before.x, after.x), along(now.y, later.y, before.y, after.y),
      along(now.z, later.z, before.z, after.z) };
  }

private:
  [[nodiscard]] HWY_INLINE Vector along(Vector now, Vector later, Vector before, Vector after) const
  {
    const Vector forth = later - now;
    Vector x = W::select(W::equal(share_, W::set(1.0)), later, W::fused(share_, forth, now));
    if (cubic_.has_before)
    {
      x = W::fused(before_, W::fused(W::set(cubic_.before[2]), forth, W::set(cubic_.before[0]) * (before - now)), x);
    }
    if (cubic_.has_after)
    {
      x = W::fused(
          after_, W::fused(W::set(cubic_.after[2]), after - later, W::set(cubic_.after[0]) * (now - later)), x);
    }
    return x;
  }

  const CubicWeights& cubic_;
  Vector share_;
  Vector before_; ///< weights of the parabolas
  Vector after_;
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
