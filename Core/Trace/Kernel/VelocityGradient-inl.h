// SPDX-License-Identifier: BSD-3-Clause
// Derivatives of velocities. Included once per target by the Kernel*.cxx files.
#if defined(RIVULET_VELOCITY_GRADIENT_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_VELOCITY_GRADIENT_INL_H
#undef RIVULET_VELOCITY_GRADIENT_INL_H
#else
#define RIVULET_VELOCITY_GRADIENT_INL_H
#endif

#include "Trace/Kernel/Width-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Derivatives along the axes of the cell.
template <class W>
struct Gradient
{
  Triple<W> by_index[3];
};

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
