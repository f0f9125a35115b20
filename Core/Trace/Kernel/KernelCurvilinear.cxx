// SPDX-License-Identifier: BSD-3-Clause
// Cells are found one after the other, so that vectors have nothing to do: the code is compiled once.
#define HWY_COMPILE_ONLY_SCALAR
#include "Trace/Kernel/CurvilinearLanes-inl.h"
#include "Trace/Kernel/Kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

template <bool Unsteady>
void advance_curvilinear(const CurvilinearCall& on)
{
  on.call.lines != nullptr ? advance_on<double, CurvilinearLanes, RecordPath, Unsteady>(on)
                           : advance_on<double, CurvilinearLanes, RecordEnd, Unsteady>(on);
}

} // namespace HWY_NAMESPACE

void CurvilinearMesh::advance(const KernelCall& call) const
{
  const HWY_NAMESPACE::CurvilinearCall on{ call, *this };
  call.context.is_unsteady() ? HWY_NAMESPACE::advance_curvilinear<true>(on)
                             : HWY_NAMESPACE::advance_curvilinear<false>(on);
}

} // namespace rivulet
HWY_AFTER_NAMESPACE();
