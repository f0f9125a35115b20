// SPDX-License-Identifier: BSD-3-Clause
// From three scalars a node in memory to one vector a component: the two nodes of a cell's row, for several particles
// at once. Included once per target by Kernel.cxx.
#if defined(RIVULET_WIDE_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_WIDE_ROWS_INL_H
#undef RIVULET_WIDE_ROWS_INL_H
#else
#define RIVULET_WIDE_ROWS_INL_H
#endif

#include "Trace/Wide-inl.h"

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

HWY_INLINE hn::Vec<WideFloats> lower_pairs(hn::Vec<WideFloats> a, hn::Vec<WideFloats> b)
{
  const hn::RepartitionToWide<WideFloats> pairs;
  return hn::BitCast(WideFloats(), hn::InterleaveLower(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
}
HWY_INLINE hn::Vec<WideFloats> upper_pairs(hn::Vec<WideFloats> a, hn::Vec<WideFloats> b)
{
  const hn::RepartitionToWide<WideFloats> pairs;
  return hn::BitCast(WideFloats(), hn::InterleaveUpper(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
}

/// The two nodes that lie next to each other `shift` scalars behind each address: six scalars, none read beyond them.
/// Two overlapping loads of four (left x y z, right x; left z, right x y z), which are turned from particle by particle
/// to component by component.
HWY_INLINE void load_rows(const float* const* from, std::int64_t shift, WideTriple& left, WideTriple& right)
{
  const WideFloats tag;
  const auto a0 = load_fours(from, shift, 0);
  const auto a1 = load_fours(from, shift, 1);
  const auto a2 = load_fours(from, shift, 2);
  const auto a3 = load_fours(from, shift, 3);
  const auto a01_xy = hn::InterleaveLower(tag, a0, a1);
  const auto a23_xy = hn::InterleaveLower(tag, a2, a3);
  const auto a01_zx = hn::InterleaveUpper(tag, a0, a1);
  const auto a23_zx = hn::InterleaveUpper(tag, a2, a3);
  left = { hn::PromoteTo(Wide(), lower_pairs(a01_xy, a23_xy)), hn::PromoteTo(Wide(), upper_pairs(a01_xy, a23_xy)),
    hn::PromoteTo(Wide(), lower_pairs(a01_zx, a23_zx)) };
  const auto b01_yz = hn::InterleaveUpper(tag, load_fours(from, shift + 2, 0), load_fours(from, shift + 2, 1));
  const auto b23_yz = hn::InterleaveUpper(tag, load_fours(from, shift + 2, 2), load_fours(from, shift + 2, 3));
  right = { hn::PromoteTo(Wide(), upper_pairs(a01_zx, a23_zx)), hn::PromoteTo(Wide(), lower_pairs(b01_yz, b23_yz)),
    hn::PromoteTo(Wide(), upper_pairs(b01_yz, b23_yz)) };
}

/// Of blocks of two lanes, the even ones of a and of b, in turns; and the odd ones.
HWY_INLINE WideDoubles even_blocks(WideDoubles a, WideDoubles b)
{
  return hn::OddEvenBlocks(hn::SwapAdjacentBlocks(b), a);
}
HWY_INLINE WideDoubles odd_blocks(WideDoubles a, WideDoubles b)
{
  return hn::OddEvenBlocks(b, hn::SwapAdjacentBlocks(a));
}

HWY_INLINE void load_rows(const double* const* from, std::int64_t shift, WideTriple& left, WideTriple& right)
{
  const Wide tag;
  const auto a0 = load_fours(from, shift, 0);
  const auto a1 = load_fours(from, shift, 1);
  const auto a2 = load_fours(from, shift, 2);
  const auto a3 = load_fours(from, shift, 3);
  const auto a01_xz = hn::InterleaveLower(tag, a0, a1);
  const auto a23_xz = hn::InterleaveLower(tag, a2, a3);
  const auto a01_yx = hn::InterleaveUpper(tag, a0, a1);
  const auto a23_yx = hn::InterleaveUpper(tag, a2, a3);
  left = { even_blocks(a01_xz, a23_xz), even_blocks(a01_yx, a23_yx), odd_blocks(a01_xz, a23_xz) };
  const auto b0 = load_fours(from, shift + 2, 0);
  const auto b1 = load_fours(from, shift + 2, 1);
  const auto b2 = load_fours(from, shift + 2, 2);
  const auto b3 = load_fours(from, shift + 2, 3);
  right = { odd_blocks(a01_yx, a23_yx), odd_blocks(hn::InterleaveLower(tag, b0, b1), hn::InterleaveLower(tag, b2, b3)),
    odd_blocks(hn::InterleaveUpper(tag, b0, b1), hn::InterleaveUpper(tag, b2, b3)) };
}

#endif

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
