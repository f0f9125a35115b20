// SPDX-License-Identifier: BSD-3-Clause
// One double of each of several particles in a vector, as wide as the target has them, and triples of such vectors.
// Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_WIDE_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_WIDE_INL_H
#undef RIVULET_WIDE_INL_H
#else
#define RIVULET_WIDE_INL_H
#endif

#include "hwy/highway.h"

#include <bit>
#include <cstdint>

// Targets without a fused multiply-add take particles one by one.
#undef RIVULET_WIDE
#define RIVULET_WIDE (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3)

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

#if RIVULET_WIDE

namespace hn = hwy::HWY_NAMESPACE;
using Wide = hn::CappedTag<double, 8>;
using WideFloats = hn::Rebind<float, Wide>;
using WideInts = hn::Rebind<std::int32_t, Wide>;
using WideAddresses = hn::Rebind<std::int64_t, Wide>;
using WideDoubles = hn::Vec<Wide>;
inline constexpr std::size_t kWide = hn::MaxLanes(Wide());

struct WideTriple
{
  WideDoubles x;
  WideDoubles y;
  WideDoubles z;
};

HWY_INLINE WideDoubles set_wide(double x)
{
  return hn::Set(Wide(), x);
}
HWY_INLINE WideDoubles load_wide(const double* from)
{
  return hn::Load(Wide(), from);
}
HWY_INLINE void store_wide(WideDoubles v, double* to)
{
  hn::Store(v, Wide(), to);
}
/// Only the lanes of the mask.
HWY_INLINE void store_some(hn::Mask<Wide> lanes, WideDoubles v, double* to)
{
  hn::BlendedStore(v, lanes, Wide(), to);
}
HWY_INLINE WideTriple load_triple(const double (*from)[kWide])
{
  return { load_wide(from[0]), load_wide(from[1]), load_wide(from[2]) };
}
HWY_INLINE void store_triple(const WideTriple& v, double (*to)[kWide])
{
  store_wide(v.x, to[0]);
  store_wide(v.y, to[1]);
  store_wide(v.z, to[2]);
}

/// a + t (b - a)
HWY_INLINE WideTriple mix(const WideTriple& a, const WideTriple& b, WideDoubles t)
{
  return { hn::MulAdd(t, hn::Sub(b.x, a.x), a.x), hn::MulAdd(t, hn::Sub(b.y, a.y), a.y),
    hn::MulAdd(t, hn::Sub(b.z, a.z), a.z) };
}

HWY_INLINE WideTriple subtract(const WideTriple& a, const WideTriple& b)
{
  return { hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z) };
}

/// (a.x b.x + a.y b.y) + a.z b.z, nothing fused.
HWY_INLINE WideDoubles dot(const WideTriple& a, const WideTriple& b)
{
  const WideDoubles xy = hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y));
  return hn::Add(xy, hn::Mul(a.z, b.z));
}

HWY_INLINE WideTriple scale(WideDoubles by, const WideTriple& v)
{
  return { hn::Mul(by, v.x), hn::Mul(by, v.y), hn::Mul(by, v.z) };
}

/// by v + to
HWY_INLINE WideTriple scale_add(WideDoubles by, const WideTriple& v, const WideTriple& to)
{
  return { hn::MulAdd(by, v.x, to.x), hn::MulAdd(by, v.y, to.y), hn::MulAdd(by, v.z, to.z) };
}

HWY_INLINE WideDoubles length_of(const WideTriple& v)
{
  return hn::Sqrt(dot(v, v));
}

/// Lanes as the bits of a number: bit i is lane i.
using LaneBits = std::uint32_t;
inline constexpr LaneBits kAllLanes = (LaneBits{ 1 } << kWide) - 1;

template <class Function>
HWY_INLINE void for_each_lane(LaneBits lanes, const Function& f)
{
  for (; lanes != 0; lanes &= lanes - 1)
  {
    f(static_cast<std::size_t>(std::countr_zero(lanes)));
  }
}

template <class Tag, class Mask>
HWY_INLINE LaneBits bits_of(Tag tag, Mask mask)
{
  alignas(8) std::uint8_t bytes[8] = {};
  hn::StoreMaskBits(tag, mask, bytes);
  return bytes[0];
}
template <class Tag>
HWY_INLINE hn::Mask<Tag> mask_of(Tag tag, LaneBits bits)
{
  alignas(8) const std::uint8_t bytes[8] = { static_cast<std::uint8_t>(bits) };
  return hn::LoadMaskBits(tag, bytes);
}

#endif

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
