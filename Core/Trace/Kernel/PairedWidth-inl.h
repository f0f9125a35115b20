// SPDX-License-Identifier: BSD-3-Clause
// Two vectors as one width. A step is a chain of operations that wait for each other; with two independent chains side
// by side the processor works on one vector while the operations of the other wait. Included once per target by the
// Kernel*.cxx files.
#if defined(RIVULET_PAIRED_WIDTH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_PAIRED_WIDTH_INL_H
#undef RIVULET_PAIRED_WIDTH_INL_H
#else
#define RIVULET_PAIRED_WIDTH_INL_H
#endif

#include "Trace/Kernel/Width-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Whether a width is two vectors.
template <class W>
inline constexpr bool is_paired = requires
{
  typename W::Half;
};

#if RIVULET_FUSED

/// Vectors or masks of the lower and the upper half of the lanes.
template <class V>
struct Pair
{
  V low;
  V high;

  friend HWY_INLINE Pair operator+(const Pair& a, const Pair& b) { return { a.low + b.low, a.high + b.high }; }
  friend HWY_INLINE Pair operator-(const Pair& a, const Pair& b) { return { a.low - b.low, a.high - b.high }; }
  friend HWY_INLINE Pair operator*(const Pair& a, const Pair& b) { return { a.low * b.low, a.high * b.high }; }
  friend HWY_INLINE Pair operator/(const Pair& a, const Pair& b) { return { a.low / b.low, a.high / b.high }; }
};

/// The largest number of lanes of one vector.
inline constexpr std::size_t kWidest = hn::MaxLanes(hn::ScalableTag<double>());

/// Twice as many lanes. Has the operations of Width, each done for both halves.
template <>
struct Width<2 * kWidest>
{
  using Half = Width<kWidest>;
  using Vector = Pair<Half::Vector>;
  using IntVector = Pair<Half::IntVector>;
  using FloatVector = Pair<Half::FloatVector>;
  using Mask = Pair<Half::Mask>;
  static constexpr std::size_t kLanes = 2 * kWidest;
  static constexpr LaneBits kAll = (LaneBits{ 1 } << kLanes) - 1;

  static HWY_INLINE Vector set(double x) { return { Half::set(x), Half::set(x) }; }
  static HWY_INLINE IntVector set(std::int32_t x) { return { Half::set(x), Half::set(x) }; }
  static HWY_INLINE Vector load(const double* from) { return { Half::load(from), Half::load(from + kWidest) }; }
  static HWY_INLINE IntVector load(const std::int32_t* from)
  {
    return { Half::load(from), Half::load(from + kWidest) };
  }
  static HWY_INLINE FloatVector load(const float* from) { return { Half::load(from), Half::load(from + kWidest) }; }
  static HWY_INLINE void store(const Vector& v, double* to)
  {
    Half::store(v.low, to);
    Half::store(v.high, to + kWidest);
  }
  static HWY_INLINE void store(const IntVector& v, std::int32_t* to)
  {
    Half::store(v.low, to);
    Half::store(v.high, to + kWidest);
  }
  static HWY_INLINE void store_floats(const Vector& v, float* to)
  {
    Half::store_floats(v.low, to);
    Half::store_floats(v.high, to + kWidest);
  }

  static HWY_INLINE Vector to_doubles(const IntVector& v)
  {
    return { Half::to_doubles(v.low), Half::to_doubles(v.high) };
  }
  static HWY_INLINE IntVector to_ints(const Vector& v) { return { Half::to_ints(v.low), Half::to_ints(v.high) }; }

  static HWY_INLINE Vector fused(const Vector& a, const Vector& b, const Vector& c)
  {
    return { Half::fused(a.low, b.low, c.low), Half::fused(a.high, b.high, c.high) };
  }
  static HWY_INLINE Vector fused_from(const Vector& a, const Vector& b, const Vector& c)
  {
    return { Half::fused_from(a.low, b.low, c.low), Half::fused_from(a.high, b.high, c.high) };
  }
  static HWY_INLINE Vector floor(const Vector& v) { return { Half::floor(v.low), Half::floor(v.high) }; }
  static HWY_INLINE Vector sqrt(const Vector& v) { return { Half::sqrt(v.low), Half::sqrt(v.high) }; }
  static HWY_INLINE Vector abs(const Vector& v) { return { Half::abs(v.low), Half::abs(v.high) }; }
  static HWY_INLINE Vector min(const Vector& a, const Vector& b)
  {
    return { Half::min(a.low, b.low), Half::min(a.high, b.high) };
  }
  static HWY_INLINE Vector max(const Vector& a, const Vector& b)
  {
    return { Half::max(a.low, b.low), Half::max(a.high, b.high) };
  }

  static HWY_INLINE Mask equal(const Vector& a, const Vector& b)
  {
    return { Half::equal(a.low, b.low), Half::equal(a.high, b.high) };
  }
  static HWY_INLINE Mask less(const Vector& a, const Vector& b)
  {
    return { Half::less(a.low, b.low), Half::less(a.high, b.high) };
  }
  static HWY_INLINE Mask less_or_equal(const Vector& a, const Vector& b)
  {
    return { Half::less_or_equal(a.low, b.low), Half::less_or_equal(a.high, b.high) };
  }
  static HWY_INLINE Vector select(const Mask& mask, const Vector& yes, const Vector& no)
  {
    return { Half::select(mask.low, yes.low, no.low), Half::select(mask.high, yes.high, no.high) };
  }

  static HWY_INLINE LaneBits bits(const Mask& mask) { return join(Half::bits(mask.low), Half::bits(mask.high)); }
  static HWY_INLINE LaneBits equal_bits(const FloatVector& a, const FloatVector& b)
  {
    return join(Half::equal_bits(a.low, b.low), Half::equal_bits(a.high, b.high));
  }
  static HWY_INLINE LaneBits between_bits(const IntVector& v, std::int32_t low, std::int32_t high)
  {
    return join(Half::between_bits(v.low, low, high), Half::between_bits(v.high, low, high));
  }
  static HWY_INLINE Mask mask(LaneBits lanes)
  {
    return { Half::mask(lanes & Half::kAll), Half::mask(lanes >> kWidest) };
  }

  template <class V, class T>
  static HWY_INLINE void store_some(LaneBits lanes, const Pair<V>& v, T* to)
  {
    Half::store_some(lanes & Half::kAll, v.low, to);
    Half::store_some(lanes >> kWidest, v.high, to + kWidest);
  }

private:
  static HWY_INLINE LaneBits join(LaneBits low, LaneBits high) { return low | high << kWidest; }
};

#endif

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
