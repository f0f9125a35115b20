// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/KernelTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Trace/Kernel/KernelUnsteadyFloat32.cxx"
#include "hwy/foreach_target.h" // must come first: includes this file once per instruction set

#include "Trace/Kernel/GridKernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

void unsteady_float32(const GridCall& on)
{
  advance_of<float, true>(on);
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rivulet
{

HWY_EXPORT(unsteady_float32);

void advance_unsteady_float32(const GridCall& on)
{
  HWY_DYNAMIC_DISPATCH(unsteady_float32)(on);
}

} // namespace rivulet
#endif
