// SPDX-License-Identifier: BSD-3-Clause
// Four doubles at a time (x, y, z and one unused lane), for whatever instruction set this is compiled for. The unused
// lane may hold anything; it never feeds the others. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_LANES_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_LANES_INL_H
#undef RIVULET_LANES_INL_H
#else
#define RIVULET_LANES_INL_H
#endif

#include "hwy/highway.h"

#include <cmath>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL

namespace hn = hwy::HWY_NAMESPACE;
using Doubles = hn::FixedTag<double, 4>;
using Floats = hn::FixedTag<float, 4>;
using Ints = hn::FixedTag<std::int32_t, 4>;
using Lanes4 = hn::Vec<Doubles>;

HWY_INLINE Lanes4 broadcast(double x)
{
  return hn::Set(Doubles(), x);
}
HWY_INLINE Lanes4 load4(const double* from)
{
  return hn::LoadU(Doubles(), from);
}
HWY_INLINE void store4(double* to, const Lanes4& v)
{
  hn::StoreU(v, Doubles(), to);
}
HWY_INLINE Lanes4 add(const Lanes4& a, const Lanes4& b)
{
  return hn::Add(a, b);
}
HWY_INLINE Lanes4 subtract(const Lanes4& a, const Lanes4& b)
{
  return hn::Sub(a, b);
}
HWY_INLINE Lanes4 multiply(const Lanes4& a, const Lanes4& b)
{
  return hn::Mul(a, b);
}
HWY_INLINE Lanes4 divide(const Lanes4& a, const Lanes4& b)
{
  return hn::Div(a, b);
}
HWY_INLINE Lanes4 multiply_add(const Lanes4& a, const Lanes4& b, const Lanes4& c)
{
  return hn::MulAdd(a, b, c);
}
HWY_INLINE Lanes4 round_down(const Lanes4& v)
{
  return hn::Floor(v);
}
HWY_INLINE Lanes4 clamp(const Lanes4& v, double limit)
{
  return hn::Max(hn::Min(v, broadcast(limit)), broadcast(-limit));
}

/// to = from + whole, lane by lane; whole holds integers within the range of int.
HWY_INLINE void add_whole(const Lanes4& whole, const std::int32_t* from, std::int32_t* to)
{
  const auto shift = hn::DemoteTo(Ints(), whole);
  hn::StoreU(hn::Add(hn::LoadU(Ints(), from), shift), Ints(), to);
}

/// Three values from memory, nothing read beyond them.
HWY_INLINE Lanes4 load3(const double* from)
{
  return hn::MaskedLoad(hn::FirstN(Doubles(), 3), Doubles(), from);
}
HWY_INLINE Lanes4 load3(const float* from)
{
  return hn::PromoteTo(Doubles(), hn::MaskedLoad(hn::FirstN(Floats(), 3), Floats(), from));
}

/// Two triples that lie next to each other.
HWY_INLINE void load3_twice(const double* from, Lanes4& first, Lanes4& second)
{
  first = hn::LoadU(Doubles(), from);
  second = load3(from + 3);
}
HWY_INLINE void load3_twice(const float* from, Lanes4& first, Lanes4& second)
{
  first = hn::PromoteTo(Doubles(), hn::LoadU(Floats(), from));
  second = hn::PromoteTo(Doubles(), hn::Shuffle0321(hn::LoadU(Floats(), from + 2)));
}

HWY_INLINE double squared_length(const Lanes4& v)
{
  const Lanes4 squares = hn::Mul(v, v);
  const double x = hn::ExtractLane(squares, 0);
  const double y = hn::ExtractLane(squares, 1);
  const double z = hn::ExtractLane(squares, 2);
  return (x + y) + z;
}

HWY_INLINE double lane(const Lanes4& v, std::size_t i)
{
  return hn::ExtractLane(v, i);
}

#else // any other target: one lane at a time, std::fma for the same bits

struct Lanes4
{
  double lane[4];
};

template <class Function>
HWY_INLINE Lanes4 each_lane(const Function& f)
{
  return { { f(0), f(1), f(2), f(3) } };
}

HWY_INLINE Lanes4 broadcast(double x)
{
  return { { x, x, x, x } };
}
HWY_INLINE Lanes4 load4(const double* from)
{
  return { { from[0], from[1], from[2], from[3] } };
}
HWY_INLINE void store4(double* to, const Lanes4& v)
{
  std::copy(v.lane, v.lane + 4, to);
}
HWY_INLINE Lanes4 add(const Lanes4& a, const Lanes4& b)
{
  return each_lane([&](int i) { return a.lane[i] + b.lane[i]; });
}
HWY_INLINE Lanes4 subtract(const Lanes4& a, const Lanes4& b)
{
  return each_lane([&](int i) { return a.lane[i] - b.lane[i]; });
}
HWY_INLINE Lanes4 multiply(const Lanes4& a, const Lanes4& b)
{
  return each_lane([&](int i) { return a.lane[i] * b.lane[i]; });
}
HWY_INLINE Lanes4 divide(const Lanes4& a, const Lanes4& b)
{
  return each_lane([&](int i) { return a.lane[i] / b.lane[i]; });
}
HWY_INLINE Lanes4 multiply_add(const Lanes4& a, const Lanes4& b, const Lanes4& c)
{
  return each_lane([&](int i) { return std::fma(a.lane[i], b.lane[i], c.lane[i]); });
}
HWY_INLINE Lanes4 round_down(const Lanes4& v)
{
  return each_lane([&](int i) { return std::floor(v.lane[i]); });
}
HWY_INLINE Lanes4 clamp(const Lanes4& v, double limit)
{
  return each_lane([&](int i) { return std::max(-limit, std::min(limit, v.lane[i])); }); // no number: the limit
}
HWY_INLINE void add_whole(const Lanes4& whole, const std::int32_t* from, std::int32_t* to)
{
  for (int i = 0; i < 3; ++i)
  {
    to[i] = from[i] + static_cast<std::int32_t>(whole.lane[i]);
  }
}
template <class Scalar>
HWY_INLINE Lanes4 load3(const Scalar* from)
{
  return { { from[0], from[1], from[2], 0.0 } };
}
template <class Scalar>
HWY_INLINE void load3_twice(const Scalar* from, Lanes4& first, Lanes4& second)
{
  first = load3(from);
  second = load3(from + 3);
}
HWY_INLINE double squared_length(const Lanes4& v)
{
  return (v.lane[0] * v.lane[0] + v.lane[1] * v.lane[1]) + v.lane[2] * v.lane[2];
}
HWY_INLINE double lane(const Lanes4& v, std::size_t i)
{
  return v.lane[i];
}

#endif

HWY_INLINE Lanes4 make4(double x, double y, double z)
{
  alignas(32) const double lanes[4] = { x, y, z, 0.0 };
  return load4(lanes);
}

/// a + t (b - a)
HWY_INLINE Lanes4 mix(const Lanes4& a, const Lanes4& b, const Lanes4& t)
{
  return multiply_add(t, subtract(b, a), a);
}

/// The matrix with the given columns, times v.
HWY_INLINE Lanes4 transform(const Lanes4* columns, const Lanes4& v)
{
  const Lanes4 xy = multiply_add(columns[1], broadcast(lane(v, 1)), multiply(columns[0], broadcast(lane(v, 0))));
  return multiply_add(columns[2], broadcast(lane(v, 2)), xy);
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
