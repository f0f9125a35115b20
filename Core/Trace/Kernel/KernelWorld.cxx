// SPDX-License-Identifier: BSD-3-Clause
// The kernel for meshes whose cells are found one after the other, so that vectors have nothing to do: the code is
// compiled once.
#define HWY_COMPILE_ONLY_SCALAR
#include "Trace/Kernel/CurvilinearLanes-inl.h"
#include "Trace/Kernel/ForeignLanes-inl.h"
#include "Trace/Kernel/Kernel-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

template <template <class, class> class Lanes, bool Unsteady, class Call>
void advance_paths_or_ends(const Call& on)
{
  on.call.lines != nullptr ? advance_on<double, Lanes, RecordPath, Unsteady>(on)
                           : advance_on<double, Lanes, RecordEnd, Unsteady>(on);
}

template <template <class, class> class Lanes, class Call>
void advance_in_world(const Call& on)
{
  on.call.context.is_unsteady() ? advance_paths_or_ends<Lanes, true>(on) : advance_paths_or_ends<Lanes, false>(on);
}

} // namespace HWY_NAMESPACE

void ForeignMesh::advance(const KernelCall& call) const
{
  HWY_NAMESPACE::advance_in_world<HWY_NAMESPACE::ForeignLanes>(HWY_NAMESPACE::ForeignCall{ call, *this });
}

void CurvilinearMesh::advance(const KernelCall& call) const
{
  HWY_NAMESPACE::advance_in_world<HWY_NAMESPACE::CurvilinearLanes>(HWY_NAMESPACE::CurvilinearCall{ call, *this });
}

} // namespace rivulet
HWY_AFTER_NAMESPACE();
