// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Kernel/KernelTargets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "Trace/Kernel/KernelUnstructured.cxx"
#include "hwy/foreach_target.h" // must come first: includes this file once per instruction set

#include "Trace/Kernel/Kernel-inl.h"
#include "Trace/Kernel/UnstructuredLanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

void unstructured(const UnstructuredCall& on)
{
  on.call.context.is_unsteady() ? advance_on<double, UnstructuredLanes, true>(on)
                                : advance_on<double, UnstructuredLanes, false>(on);
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace rivulet
{

HWY_EXPORT(unstructured);

void UnstructuredMesh::advance(const KernelCall& call) const
{
  HWY_DYNAMIC_DISPATCH(unstructured)(UnstructuredCall{ call, *this });
}

} // namespace rivulet
#endif
