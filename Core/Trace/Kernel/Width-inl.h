// SPDX-License-Identifier: BSD-3-Clause
// Vectors with one double of each of several particles, and triples of such vectors. A width is a number of lanes: as
// many as the target has for batches, one for single particles. The operations are the same. Included once per target
// by the Kernel*.cxx files.
#if defined(RIVULET_WIDTH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_WIDTH_INL_H
#undef RIVULET_WIDTH_INL_H
#else
#define RIVULET_WIDTH_INL_H
#endif

#include "hwy/highway.h"

#include <bit>
#include <cmath>
#include <cstdint>

// Targets without a fused multiply-add in vectors advance particles one by one.
#undef RIVULET_FUSED
#define RIVULET_FUSED (HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3)

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// To be called before code for the processor's common instructions: that is several times as slow while the upper
/// parts of wide registers are in use. GCC 12 does so by itself, but not on all ways out of a function.
HWY_INLINE void leave_wide_registers()
{
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2
  _mm256_zeroupper();
#endif
}

namespace hn = hwy::HWY_NAMESPACE;

/// A set of lanes as bits of a number: bit i is lane i.
using LaneBits = std::uint32_t;

template <class Function>
HWY_INLINE void for_each_lane(LaneBits lanes, const Function& f)
{
  for (; lanes != 0; lanes &= lanes - 1)
  {
    f(static_cast<std::size_t>(std::countr_zero(lanes)));
  }
}

/// At most kMost lanes. A Mask has one truth value per lane; bits() turns it into LaneBits.
template <std::size_t kMost>
struct Width
{
  using Doubles = hn::CappedTag<double, kMost>;
  using Floats = hn::Rebind<float, Doubles>;
  using Ints = hn::Rebind<std::int32_t, Doubles>;
  using Addresses = hn::Rebind<std::int64_t, Doubles>;
  using Vector = hn::Vec<Doubles>;
  using IntVector = hn::Vec<Ints>;
  using FloatVector = hn::Vec<Floats>;
  using Mask = hn::Mask<Doubles>;
  static constexpr std::size_t kLanes = hn::MaxLanes(Doubles());
  static constexpr LaneBits kAll = (LaneBits{ 1 } << kLanes) - 1;

  static HWY_INLINE Vector set(double x) { return hn::Set(Doubles(), x); }
  static HWY_INLINE Vector load(const double* from) { return hn::Load(Doubles(), from); }
  static HWY_INLINE void store(Vector v, double* to) { hn::Store(v, Doubles(), to); }
  static HWY_INLINE IntVector set(std::int32_t x) { return hn::Set(Ints(), x); }
  static HWY_INLINE IntVector load(const std::int32_t* from) { return hn::Load(Ints(), from); }
  static HWY_INLINE void store(IntVector v, std::int32_t* to) { hn::Store(v, Ints(), to); }
  static HWY_INLINE FloatVector load(const float* from) { return hn::Load(Floats(), from); }
  static HWY_INLINE void store_floats(Vector v, float* to) { hn::Store(hn::DemoteTo(Floats(), v), Floats(), to); }

  static HWY_INLINE Vector to_doubles(IntVector v) { return hn::PromoteTo(Doubles(), v); }
  /// `v` holds integers within the range of int.
  static HWY_INLINE IntVector to_ints(Vector v) { return hn::DemoteTo(Ints(), v); }

  /// a b + c, rounded once.
  static HWY_INLINE Vector fused(Vector a, Vector b, Vector c) { return hn::MulAdd(a, b, c); }
  /// c - a b, rounded once.
  static HWY_INLINE Vector fused_from(Vector a, Vector b, Vector c) { return hn::NegMulAdd(a, b, c); }
  static HWY_INLINE Vector floor(Vector v) { return hn::Floor(v); }
  static HWY_INLINE Vector sqrt(Vector v) { return hn::Sqrt(v); }
  static HWY_INLINE Vector abs(Vector v) { return hn::Abs(v); }
  /// Gives `b` in lanes where `a` is NaN.
  static HWY_INLINE Vector min(Vector a, Vector b) { return hn::Min(a, b); }
  static HWY_INLINE Vector max(Vector a, Vector b) { return hn::Max(a, b); }

  static HWY_INLINE Mask equal(Vector a, Vector b) { return hn::Eq(a, b); }
  static HWY_INLINE Mask less(Vector a, Vector b) { return hn::Lt(a, b); }
  static HWY_INLINE Mask less_or_equal(Vector a, Vector b) { return hn::Le(a, b); }
  static HWY_INLINE Vector select(Mask mask, Vector yes, Vector no) { return hn::IfThenElse(mask, yes, no); }

  static HWY_INLINE LaneBits bits(Mask mask) { return bits_of(Doubles(), mask); }
  static HWY_INLINE LaneBits equal_bits(FloatVector a, FloatVector b) { return bits_of(Floats(), hn::Eq(a, b)); }
  /// Lanes in which low <= v < high.
  static HWY_INLINE LaneBits between_bits(IntVector v, std::int32_t low, std::int32_t high)
  {
    return bits_of(Ints(), hn::And(hn::Gt(v, set(low - 1)), hn::Lt(v, set(high))));
  }
  static HWY_INLINE Mask mask(LaneBits lanes) { return mask_of(Doubles(), lanes); }
  static HWY_INLINE hn::Mask<Addresses> address_mask(LaneBits lanes) { return mask_of(Addresses(), lanes); }

  /// Stores the given lanes, and leaves the others unchanged.
  static HWY_INLINE void store_some(LaneBits lanes, Vector v, double* to)
  {
    hn::BlendedStore(v, mask(lanes), Doubles(), to);
  }
  static HWY_INLINE void store_some(LaneBits lanes, IntVector v, std::int32_t* to)
  {
    hn::BlendedStore(v, mask_of(Ints(), lanes), Ints(), to);
  }
  static HWY_INLINE void store_some(LaneBits lanes, FloatVector v, float* to)
  {
    hn::BlendedStore(v, mask_of(Floats(), lanes), Floats(), to);
  }

private:
  template <class Tag>
  static HWY_INLINE LaneBits bits_of(Tag tag, hn::Mask<Tag> mask)
  {
    alignas(8) std::uint8_t bytes[8] = {};
    hn::StoreMaskBits(tag, mask, bytes);
    return bytes[0];
  }

  template <class Tag>
  static HWY_INLINE hn::Mask<Tag> mask_of(Tag tag, LaneBits bits)
  {
    alignas(8) const std::uint8_t bytes[8] = { static_cast<std::uint8_t>(bits) };
    return hn::LoadMaskBits(tag, bytes);
  }
};

/// GCC makes a call of std::floor(), which saves and restores all vectors around it.
#if RIVULET_FUSED
HWY_INLINE double floor_of(double v)
{
  const hn::CappedTag<double, 1> one;
  return hn::GetLane(hn::Floor(hn::Set(one, v)));
}
#else
HWY_INLINE double floor_of(double v)
{
  return std::floor(v);
}
#endif

/// A single lane is a plain number: compilers make faster code of it than of vectors with one lane.
template <>
struct Width<1>
{
  using Vector = double;
  using IntVector = std::int32_t;
  using FloatVector = float;
  using Mask = bool;
  static constexpr std::size_t kLanes = 1;
  static constexpr LaneBits kAll = 1;

  template <class T>
  static HWY_INLINE T set(T x)
  {
    return x;
  }
  template <class T>
  static HWY_INLINE T load(const T* from)
  {
    return *from;
  }
  template <class T>
  static HWY_INLINE void store(T v, T* to)
  {
    *to = v;
  }
  static HWY_INLINE void store_floats(double v, float* to) { *to = static_cast<float>(v); }

  static HWY_INLINE double to_doubles(std::int32_t v) { return v; }
  static HWY_INLINE std::int32_t to_ints(double v) { return static_cast<std::int32_t>(v); }

  static HWY_INLINE double fused(double a, double b, double c) { return std::fma(a, b, c); }
  static HWY_INLINE double fused_from(double a, double b, double c) { return std::fma(-a, b, c); }
  static HWY_INLINE double floor(double v) { return floor_of(v); }
  static HWY_INLINE double sqrt(double v) { return std::sqrt(v); }
  static HWY_INLINE double abs(double v) { return std::fabs(v); }
  static HWY_INLINE double min(double a, double b) { return a < b ? a : b; }
  static HWY_INLINE double max(double a, double b) { return a > b ? a : b; }

  static HWY_INLINE bool equal(double a, double b) { return a == b; }
  static HWY_INLINE bool less(double a, double b) { return a < b; }
  static HWY_INLINE bool less_or_equal(double a, double b) { return a <= b; }
  static HWY_INLINE double select(bool mask, double yes, double no) { return mask ? yes : no; }

  static HWY_INLINE LaneBits bits(bool mask) { return mask ? 1 : 0; }
  static HWY_INLINE LaneBits equal_bits(float a, float b) { return bits(a == b); }
  static HWY_INLINE LaneBits between_bits(std::int32_t v, std::int32_t low, std::int32_t high)
  {
    return bits(v >= low && v < high);
  }
  static HWY_INLINE bool mask(LaneBits lanes) { return lanes != 0; }

  template <class T>
  static HWY_INLINE void store_some(LaneBits lanes, T v, T* to)
  {
    if (lanes != 0)
    {
      *to = v;
    }
  }
};

/// a + t (b - a)
template <class W>
HWY_INLINE typename W::Vector mix_of(typename W::Vector a, typename W::Vector b, typename W::Vector t)
{
  return W::fused(t, b - a, a);
}

/// (1 - t) a + t b: exactly a for t = 0, and exactly b for t = 1, where both are finite.
template <class W>
HWY_INLINE typename W::Vector mix_ends_of(typename W::Vector a, typename W::Vector b, typename W::Vector t)
{
  return W::fused(t, b, a - t * a);
}

/// x, y and z of each lane's vector.
template <class W>
struct Triple
{
  using Vector = typename W::Vector;
  Vector x;
  Vector y;
  Vector z;

  static HWY_INLINE Triple load(const double (*from)[W::kLanes])
  {
    return { W::load(from[0]), W::load(from[1]), W::load(from[2]) };
  }
  static HWY_INLINE Triple zero() { return { W::set(0.0), W::set(0.0), W::set(0.0) }; }
  /// The same vector in all lanes.
  static HWY_INLINE Triple set(const double* from) { return { W::set(from[0]), W::set(from[1]), W::set(from[2]) }; }
  HWY_INLINE void store(double (*to)[W::kLanes]) const
  {
    W::store(x, to[0]);
    W::store(y, to[1]);
    W::store(z, to[2]);
  }
  HWY_INLINE void store_some(LaneBits lanes, double (*to)[W::kLanes]) const
  {
    W::store_some(lanes, x, to[0]);
    W::store_some(lanes, y, to[1]);
    W::store_some(lanes, z, to[2]);
  }
};

template <class W>
HWY_INLINE Triple<W> mix(const Triple<W>& a, const Triple<W>& b, typename W::Vector t)
{
  return { mix_of<W>(a.x, b.x, t), mix_of<W>(a.y, b.y, t), mix_of<W>(a.z, b.z, t) };
}

/// The vector, with zeros in the lanes of a mask.
template <class W, class Mask>
HWY_INLINE Triple<W> or_zero(const Triple<W>& a, Mask zero)
{
  const auto of = [&](typename W::Vector x) HWY_ATTR
  {
    return W::select(zero, W::set(0.0), x);
  };
  return { of(a.x), of(a.y), of(a.z) };
}

template <class W>
HWY_INLINE Triple<W> mix_ends(const Triple<W>& a, const Triple<W>& b, typename W::Vector t)
{
  return { mix_ends_of<W>(a.x, b.x, t), mix_ends_of<W>(a.y, b.y, t), mix_ends_of<W>(a.z, b.z, t) };
}

template <class W>
HWY_INLINE Triple<W> subtract(const Triple<W>& a, const Triple<W>& b)
{
  return { a.x - b.x, a.y - b.y, a.z - b.z };
}

/// (a.x b.x + a.y b.y) + a.z b.z, nothing fused.
template <class W>
HWY_INLINE typename W::Vector dot(const Triple<W>& a, const Triple<W>& b)
{
  return (a.x * b.x + a.y * b.y) + a.z * b.z;
}

template <class W>
HWY_INLINE typename W::Vector length_of(const Triple<W>& v)
{
  return W::sqrt(dot(v, v));
}

template <class W>
HWY_INLINE Triple<W> scale(typename W::Vector by, const Triple<W>& v)
{
  return { by * v.x, by * v.y, by * v.z };
}

/// by v + to
template <class W>
HWY_INLINE Triple<W> scale_add(typename W::Vector by, const Triple<W>& v, const Triple<W>& to)
{
  return { W::fused(by, v.x, to.x), W::fused(by, v.y, to.y), W::fused(by, v.z, to.z) };
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
