// SPDX-License-Identifier: BSD-3-Clause
// Trilinear interpolation of 3-component values in one cell, and its gradient. Included once per target by the
// Kernel*.cxx files.
#if defined(RIVULET_SAMPLING_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_SAMPLING_INL_H
#undef RIVULET_SAMPLING_INL_H
#else
#define RIVULET_SAMPLING_INL_H
#endif

#include "Base/Box.h"
#include "Trace/Kernel/Lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// The eight corner values of a cell: `low` is that of its lower corner, `upper` the distances to the others, in
/// scalars.
template <class Scalar>
struct CellRows
{
  const Scalar* low;
  const Long3& upper;

  [[nodiscard]] HWY_INLINE const Scalar* row(int j, int k) const
  {
    return low + (j ? upper[1] : 0) + (k ? upper[2] : 0);
  }
};

/// Both ends of a row of two values; Contiguous says that they lie next to each other.
template <bool Contiguous, class Scalar>
HWY_INLINE void load_row(const Scalar* from, std::int64_t upper, Lanes4& left, Lanes4& right)
{
  if constexpr (Contiguous)
  {
    load3_twice(from, left, right);
  }
  else
  {
    left = load3(from);
    right = load3(from + upper);
  }
}

template <bool Contiguous, class Scalar>
HWY_INLINE Lanes4 trilinear(const CellRows<Scalar>& rows, const double* fraction)
{
  const Lanes4 x = broadcast(fraction[0]);
  const auto along_x = [&](int j, int k) HWY_ATTR
  {
    Lanes4 left;
    Lanes4 right;
    load_row<Contiguous>(rows.row(j, k), rows.upper[0], left, right);
    return mix(left, right, x);
  };
  const Lanes4 y = broadcast(fraction[1]);
  const Lanes4 front = mix(along_x(0, 0), along_x(1, 0), y);
  const Lanes4 back = mix(along_x(0, 1), along_x(1, 1), y);
  return mix(front, back, broadcast(fraction[2]));
}

/// gradient[i] = derivative of the value by the fraction along axis i; 0 along flat axes.
template <class Scalar>
HWY_INLINE void trilinear_gradient(const CellRows<Scalar>& rows, const double* fraction, double gradient[3][4])
{
  const Lanes4 x = broadcast(fraction[0]);
  const Lanes4 y = broadcast(fraction[1]);
  const Lanes4 z = broadcast(fraction[2]);
  Lanes4 value[2][2]; // at x, by j and k
  Lanes4 slope[2][2];
  for (int k = 0; k < 2; ++k)
  {
    for (int j = 0; j < 2; ++j)
    {
      Lanes4 left;
      Lanes4 right;
      load_row<false>(rows.row(j, k), rows.upper[0], left, right);
      value[k][j] = mix(left, right, x);
      slope[k][j] = subtract(right, left);
    }
  }
  store4(gradient[0], mix(mix(slope[0][0], slope[0][1], y), mix(slope[1][0], slope[1][1], y), z));
  store4(gradient[1], mix(subtract(value[0][1], value[0][0]), subtract(value[1][1], value[1][0]), z));
  store4(gradient[2], subtract(mix(value[1][0], value[1][1], y), mix(value[0][0], value[0][1], y)));
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
