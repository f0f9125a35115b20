// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/KernelTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Trace/Kernel/KernelCurvilinear.cxx"
#include "hwy/foreach_target.h" // must come first: includes this file once per instruction set

#include "Trace/Kernel/CurvilinearLanes-inl.h"
#include "Trace/Kernel/Kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

void curvilinear(const CurvilinearCall& on)
{
  on.call.context.is_unsteady() ? advance_on<double, CurvilinearLanes, true>(on)
                                : advance_on<double, CurvilinearLanes, false>(on);
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rivulet
{

HWY_EXPORT(curvilinear);

void CurvilinearMesh::advance(const KernelCall& call) const
{
  HWY_DYNAMIC_DISPATCH(curvilinear)(CurvilinearCall::make(call, *this));
}

} // namespace rivulet
#endif
