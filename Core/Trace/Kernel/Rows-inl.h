// SPDX-License-Identifier: BSD-3-Clause
// Loads scalars of nodes from memory into one vector per component, for several particles at once. Included once per
// target by the Kernel*.cxx files.
#if defined(RIVULET_ROWS_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_ROWS_INL_H
#undef RIVULET_ROWS_INL_H
#else
#define RIVULET_ROWS_INL_H
#endif

#include "Trace/Kernel/PairedWidth-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Three components, `apart` scalars from each other, beginning `shift` scalars after each address.
template <class W, class Scalar>
HWY_INLINE Triple<W> load_strided(const Scalar* const* from, std::int64_t shift, std::int64_t apart)
{
  if constexpr (W::kLanes == 1)
  {
    const Scalar* node = from[0] + shift;
    return { W::set(double{ node[0] }), W::set(double{ node[apart] }), W::set(double{ node[2 * apart] }) };
  }
  alignas(64) double values[3][W::kLanes];
  for (std::size_t lane = 0; lane < W::kLanes; ++lane)
  {
    const Scalar* node = from[lane] + shift;
    values[0][lane] = double{ node[0] };
    values[1][lane] = double{ node[apart] };
    values[2][lane] = double{ node[2 * apart] };
  }
  return Triple<W>::load(values);
}

#if RIVULET_FUSED

template <class W>
HWY_INLINE Triple<W> paired(const Triple<typename W::Half>& low, const Triple<typename W::Half>& high)
{
  return { { low.x, high.x }, { low.y, high.y }, { low.z, high.z } };
}

/// Four scalars of one particle, and of the particle four lanes on if there are eight lanes, from `shift` scalars after
/// their addresses.
template <class W, class Scalar>
HWY_INLINE auto load_fours(const Scalar* const* from, std::int64_t shift, std::size_t lane)
{
  const hn::FixedTag<Scalar, 4> four;
  if constexpr (W::kLanes == 4)
  {
    return hn::LoadU(four, from[lane] + shift);
  }
  else
  {
    return hn::Combine(hn::Rebind<Scalar, typename W::Doubles>(), hn::LoadU(four, from[lane + 4] + shift),
        hn::LoadU(four, from[lane] + shift));
  }
}

/// Sets of four of particles 0 and 1, and of 2 and 3, interleaved within each 128 bits: their lower and upper halves.
template <class W, class Scalar>
struct Interleaved
{
  using Tag = hn::Rebind<Scalar, typename W::Doubles>;
  using Vector = hn::Vec<Tag>;
  Vector lower01;
  Vector lower23;
  Vector upper01;
  Vector upper23;

  static HWY_INLINE Interleaved load(const Scalar* const* from, std::int64_t shift)
  {
    const Tag tag;
    const auto v0 = load_fours<W>(from, shift, 0);
    const auto v1 = load_fours<W>(from, shift, 1);
    const auto v2 = load_fours<W>(from, shift, 2);
    const auto v3 = load_fours<W>(from, shift, 3);
    return { hn::InterleaveLower(tag, v0, v1), hn::InterleaveLower(tag, v2, v3), hn::InterleaveUpper(tag, v0, v1),
      hn::InterleaveUpper(tag, v2, v3) };
  }
};

/// The first and the second of two interleaved values of all particles.
template <class W>
HWY_INLINE typename W::Vector first_of(hn::Vec<typename W::Floats> v01, hn::Vec<typename W::Floats> v23)
{
  const typename W::Floats floats;
  const hn::RepartitionToWide<typename W::Floats> pairs;
  const auto v = hn::InterleaveLower(pairs, hn::BitCast(pairs, v01), hn::BitCast(pairs, v23));
  return hn::PromoteTo(typename W::Doubles(), hn::BitCast(floats, v));
}
template <class W>
HWY_INLINE typename W::Vector second_of(hn::Vec<typename W::Floats> v01, hn::Vec<typename W::Floats> v23)
{
  const typename W::Floats floats;
  const hn::RepartitionToWide<typename W::Floats> pairs;
  const auto v = hn::InterleaveUpper(pairs, hn::BitCast(pairs, v01), hn::BitCast(pairs, v23));
  return hn::PromoteTo(typename W::Doubles(), hn::BitCast(floats, v));
}

/// load_packed() for several particles: two overlapping loads of four scalars (left x y z, right x; left z, right x y
/// z), which are transposed from one vector per particle to one per component.
template <class W>
HWY_INLINE void load_turned(const float* const* from, std::int64_t shift, Triple<W>& left, Triple<W>& right)
{
  const auto a = Interleaved<W, float>::load(from, shift);     // lower: left x y; upper: left z, right x
  const auto b = Interleaved<W, float>::load(from, shift + 2); // upper: right y z
  left = { first_of<W>(a.lower01, a.lower23), second_of<W>(a.lower01, a.lower23), first_of<W>(a.upper01, a.upper23) };
  right = { second_of<W>(a.upper01, a.upper23), first_of<W>(b.upper01, b.upper23), second_of<W>(b.upper01, b.upper23) };
}

template <class W>
HWY_INLINE void load_turned(const double* const* from, std::int64_t shift, Triple<W>& left, Triple<W>& right)
{
  using Vector = typename W::Vector;
  // 128 bits hold two doubles, so that the values alternate from one 128 bits to the next.
  const auto first = [](Vector v01, Vector v23) HWY_ATTR
  {
    return hn::OddEvenBlocks(hn::SwapAdjacentBlocks(v23), v01);
  };
  const auto second = [](Vector v01, Vector v23) HWY_ATTR
  {
    return hn::OddEvenBlocks(v23, hn::SwapAdjacentBlocks(v01));
  };
  const auto a = Interleaved<W, double>::load(from, shift);     // lower: left x z; upper: left y, right x
  const auto b = Interleaved<W, double>::load(from, shift + 2); // lower: left z, right y; upper: right x z
  left = { first(a.lower01, a.lower23), first(a.upper01, a.upper23), second(a.lower01, a.lower23) };
  right = { second(a.upper01, a.upper23), second(b.lower01, b.lower23), second(b.upper01, b.upper23) };
}

#endif

#if RIVULET_FUSED

/// Three scalars of one particle, and of the particle four lanes on if there are eight lanes; nothing beyond them is
/// read.
template <class W, class Scalar>
HWY_INLINE auto load_first_threes(const Scalar* const* from, std::size_t lane)
{
  const hn::FixedTag<Scalar, 4> four;
  const auto three = hn::FirstN(four, 3);
  if constexpr (W::kLanes == 4)
  {
    return hn::MaskedLoad(three, four, from[lane]);
  }
  else
  {
    return hn::Combine(hn::Rebind<Scalar, typename W::Doubles>(), hn::MaskedLoad(three, four, from[lane + 4]),
        hn::MaskedLoad(three, four, from[lane]));
  }
}

template <class W, class Scalar>
HWY_INLINE Interleaved<W, Scalar> interleave_threes(const Scalar* const* from)
{
  const typename Interleaved<W, Scalar>::Tag tag;
  const auto v0 = load_first_threes<W>(from, 0);
  const auto v1 = load_first_threes<W>(from, 1);
  const auto v2 = load_first_threes<W>(from, 2);
  const auto v3 = load_first_threes<W>(from, 3);
  return { hn::InterleaveLower(tag, v0, v1), hn::InterleaveLower(tag, v2, v3), hn::InterleaveUpper(tag, v0, v1),
    hn::InterleaveUpper(tag, v2, v3) };
}

/// load_threes() for several particles.
template <class W>
HWY_INLINE Triple<W> load_turned(const float* const* from)
{
  const auto a = interleave_threes<W>(from);
  return { first_of<W>(a.lower01, a.lower23), second_of<W>(a.lower01, a.lower23), first_of<W>(a.upper01, a.upper23) };
}

template <class W>
HWY_INLINE Triple<W> load_turned(const double* const* from)
{
  const auto a = interleave_threes<W>(from);
  const auto first = [](typename W::Vector v01, typename W::Vector v23) HWY_ATTR
  {
    return hn::OddEvenBlocks(hn::SwapAdjacentBlocks(v23), v01);
  };
  const auto second = [](typename W::Vector v01, typename W::Vector v23) HWY_ATTR
  {
    return hn::OddEvenBlocks(v23, hn::SwapAdjacentBlocks(v01));
  };
  return { first(a.lower01, a.lower23), first(a.upper01, a.upper23), second(a.lower01, a.lower23) };
}

#endif

/// The three scalars at each address; nothing beyond them is read.
template <class W, class Scalar>
HWY_INLINE Triple<W> load_threes(const Scalar* const* from)
{
#if RIVULET_FUSED
  if constexpr (is_paired<W>)
  {
    using Half = typename W::Half;
    return paired<W>(load_threes<Half>(from), load_threes<Half>(from + kWidest));
  }
  else if constexpr (W::kLanes > 1)
  {
    return load_turned<W>(from);
  }
#endif
  return load_strided<W>(from, 0, 1);
}

/// The two adjacent nodes that begin `shift` scalars after each address: six scalars, none read beyond them.
template <class W, class Scalar>
HWY_INLINE void load_packed(const Scalar* const* from, std::int64_t shift, Triple<W>& left, Triple<W>& right)
{
#if RIVULET_FUSED
  if constexpr (is_paired<W>)
  {
    using Half = typename W::Half;
    Triple<Half> of_low[2];
    Triple<Half> of_high[2];
    load_packed<Half>(from, shift, of_low[0], of_low[1]);
    load_packed<Half>(from + kWidest, shift, of_high[0], of_high[1]);
    left = paired<W>(of_low[0], of_high[0]);
    right = paired<W>(of_low[1], of_high[1]);
    return;
  }
  else if constexpr (W::kLanes > 1)
  {
    load_turned(from, shift, left, right);
    return;
  }
#endif
  left = load_strided<W>(from, shift, 1);
  right = load_strided<W>(from, shift + 3, 1);
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
