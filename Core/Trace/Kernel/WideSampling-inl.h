// SPDX-License-Identifier: BSD-3-Clause
// Trilinear interpolation of 3-component values for several particles at once, and its gradient: lane by lane the
// operations of Sampling-inl.h. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_WIDE_SAMPLING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_WIDE_SAMPLING_INL_H
#undef RIVULET_WIDE_SAMPLING_INL_H
#else
#define RIVULET_WIDE_SAMPLING_INL_H
#endif

#include "Trace/Kernel/Kernel.h"
#include "Trace/Kernel/WideParticles-inl.h"
#include "Trace/Kernel/WideRows-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

#if RIVULET_WIDE

/// A velocity and its derivatives along the axes of the cell.
struct WideSample
{
  WideTriple velocity;
  WideTriple by_index[3];
};

/// The values at x along the rows that begin `row` scalars behind the addresses, and, if asked for, their slopes.
template <bool kGradient, class Scalar>
HWY_INLINE WideTriple along_x(const Scalar* const* low, std::int64_t row, WideDoubles x, WideTriple& slope)
{
  WideTriple left;
  WideTriple right;
  load_rows(low, row, left, right);
  if constexpr (kGradient)
  {
    slope = subtract(right, left);
  }
  return mix(left, right, x);
}

/// Cell numbers along the three axes.
struct WideCells
{
  hn::Vec<WideInts> x;
  hn::Vec<WideInts> y;
  hn::Vec<WideInts> z;
};

/// Where the values of the cells' lower corners are, as numbers. Bytes are counted in doubles, which are exact far
/// beyond any memory, and turned into integers by adding a number so large that its lowest bit is worth one.
template <class Scalar>
HWY_INLINE hn::Vec<WideAddresses> corner_addresses(const BrickWindow& window, const WideCells& cells)
{
  static constexpr double kIntegers = 6755399441055744.0; // 2^52 + 2^51
  const auto bytes = [](std::int64_t scalars) HWY_ATTR
  {
    return set_wide(static_cast<double>(scalars * static_cast<std::int64_t>(sizeof(Scalar))));
  };
  const WideDoubles along_x = hn::MulAdd(hn::PromoteTo(Wide(), cells.x), bytes(3), set_wide(kIntegers));
  const WideDoubles along_y = hn::MulAdd(hn::PromoteTo(Wide(), cells.y), bytes(window.stride[1]), along_x);
  const WideDoubles offset = hn::MulAdd(hn::PromoteTo(Wide(), cells.z), bytes(window.stride[2]), along_y);
  const auto zero = hn::BitCast(WideAddresses(), set_wide(kIntegers));
  const auto corner = hn::Set(WideAddresses(), reinterpret_cast<std::intptr_t>(window.corner));
  return hn::Add(corner, hn::Sub(hn::BitCast(WideAddresses(), offset), zero));
}

/// Trilinear interpolation at `at` in the lanes given, whose cells are in the window; the other lanes read at `safe`.
template <bool kGradient, class Scalar>
HWY_INLINE WideSample sample_wide(const BrickWindow& window, const WidePosition& at, LaneBits lanes, const Scalar* safe)
{
  const auto corners = corner_addresses<Scalar>(
      window, { hn::Load(WideInts(), at.cell[0]), hn::Load(WideInts(), at.cell[1]), hn::Load(WideInts(), at.cell[2]) });
  const auto harmless = hn::Set(WideAddresses(), reinterpret_cast<std::intptr_t>(safe));
  alignas(64) const Scalar* low[kWide];
  static_assert(sizeof(low) == kWide * sizeof(std::int64_t));
  hn::Store(hn::IfThenElse(mask_of(WideAddresses(), lanes), corners, harmless), WideAddresses(),
      reinterpret_cast<std::int64_t*>(low));
  const WideDoubles x = load_wide(at.fraction[0]);
  const WideDoubles y = load_wide(at.fraction[1]);
  const WideDoubles z = load_wide(at.fraction[2]);
  const std::int64_t up = window.upper[1];
  const std::int64_t back = window.upper[2];
  WideTriple slope[4];
  const WideTriple front_low = along_x<kGradient>(low, 0, x, slope[0]);
  const WideTriple front_high = along_x<kGradient>(low, up, x, slope[1]);
  const WideTriple back_low = along_x<kGradient>(low, back, x, slope[2]);
  const WideTriple back_high = along_x<kGradient>(low, up + back, x, slope[3]);
  const WideTriple front_value = mix(front_low, front_high, y);
  const WideTriple back_value = mix(back_low, back_high, y);
  WideSample result;
  result.velocity = mix(front_value, back_value, z);
  if constexpr (kGradient)
  {
    result.by_index[0] = mix(mix(slope[0], slope[1], y), mix(slope[2], slope[3], y), z);
    result.by_index[1] = mix(subtract(front_high, front_low), subtract(back_high, back_low), z);
    result.by_index[2] = subtract(back_value, front_value);
  }
  return result;
}

#endif

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
