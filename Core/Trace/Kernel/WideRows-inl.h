// SPDX-License-Identifier: BSD-3-Clause
// From three scalars a node in memory to one vector a component: the two nodes of a cell's row, for several particles
// at once. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_WIDE_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_WIDE_ROWS_INL_H
#undef RIVULET_WIDE_ROWS_INL_H
#else
#define RIVULET_WIDE_ROWS_INL_H
#endif

#include "Trace/Kernel/Wide-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

#if RIVULET_WIDE

/// Four scalars of a particle, and of the one four lanes on where there are eight, from `shift` scalars behind their
/// addresses.
template <class Scalar>
HWY_INLINE auto load_fours(const Scalar* const* from, std::int64_t shift, std::size_t lane)
{
  const hn::FixedTag<Scalar, 4> four;
#if HWY_TARGET == HWY_AVX2
  return hn::LoadU(four, from[lane] + shift);
#else
  return hn::Combine(
      hn::Rebind<Scalar, Wide>(), hn::LoadU(four, from[lane + 4] + shift), hn::LoadU(four, from[lane] + shift));
#endif
}

/// Fours of particles 0 and 1, and 2 and 3, interleaved within each block of 128 bits: its lower and its upper halves.
template <class Scalar>
struct Interleaved
{
  using Vector = hn::Vec<hn::Rebind<Scalar, Wide>>;
  Vector lower01;
  Vector lower23;
  Vector upper01;
  Vector upper23;
};

template <class Scalar>
HWY_INLINE Interleaved<Scalar> load_interleaved(const Scalar* const* from, std::int64_t shift)
{
  const hn::Rebind<Scalar, Wide> tag;
  const auto v0 = load_fours(from, shift, 0);
  const auto v1 = load_fours(from, shift, 1);
  const auto v2 = load_fours(from, shift, 2);
  const auto v3 = load_fours(from, shift, 3);
  return { hn::InterleaveLower(tag, v0, v1), hn::InterleaveLower(tag, v2, v3), hn::InterleaveUpper(tag, v0, v1),
    hn::InterleaveUpper(tag, v2, v3) };
}

/// The first of two interleaved values of all particles, and the second.
HWY_INLINE WideDoubles first_of(hn::Vec<WideFloats> v01, hn::Vec<WideFloats> v23)
{
  const hn::RepartitionToWide<WideFloats> pairs;
  const auto v = hn::InterleaveLower(pairs, hn::BitCast(pairs, v01), hn::BitCast(pairs, v23));
  return hn::PromoteTo(Wide(), hn::BitCast(WideFloats(), v));
}
HWY_INLINE WideDoubles second_of(hn::Vec<WideFloats> v01, hn::Vec<WideFloats> v23)
{
  const hn::RepartitionToWide<WideFloats> pairs;
  const auto v = hn::InterleaveUpper(pairs, hn::BitCast(pairs, v01), hn::BitCast(pairs, v23));
  return hn::PromoteTo(Wide(), hn::BitCast(WideFloats(), v));
}

/// The two nodes that lie next to each other `shift` scalars behind each address: six scalars, none read beyond them.
/// Two overlapping loads of four (left x y z, right x; left z, right x y z), which are turned from particle by particle
/// to component by component.
HWY_INLINE void load_rows(const float* const* from, std::int64_t shift, WideTriple& left, WideTriple& right)
{
  const Interleaved<float> a = load_interleaved(from, shift);     // lower: left x y; upper: left z, right x
  const Interleaved<float> b = load_interleaved(from, shift + 2); // upper: right y z
  left = { first_of(a.lower01, a.lower23), second_of(a.lower01, a.lower23), first_of(a.upper01, a.upper23) };
  right = { second_of(a.upper01, a.upper23), first_of(b.upper01, b.upper23), second_of(b.upper01, b.upper23) };
}

// Blocks of 128 bits hold two doubles, so that the values alternate from block to block.
HWY_INLINE WideDoubles first_of(WideDoubles v01, WideDoubles v23)
{
  return hn::OddEvenBlocks(hn::SwapAdjacentBlocks(v23), v01);
}
HWY_INLINE WideDoubles second_of(WideDoubles v01, WideDoubles v23)
{
  return hn::OddEvenBlocks(v23, hn::SwapAdjacentBlocks(v01));
}

HWY_INLINE void load_rows(const double* const* from, std::int64_t shift, WideTriple& left, WideTriple& right)
{
  const Interleaved<double> a = load_interleaved(from, shift);     // lower: left x z; upper: left y, right x
  const Interleaved<double> b = load_interleaved(from, shift + 2); // lower: left z, right y; upper: right x z
  left = { first_of(a.lower01, a.lower23), first_of(a.upper01, a.upper23), second_of(a.lower01, a.lower23) };
  right = { second_of(a.upper01, a.upper23), second_of(b.lower01, b.lower23), second_of(b.upper01, b.upper23) };
}

#endif

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
