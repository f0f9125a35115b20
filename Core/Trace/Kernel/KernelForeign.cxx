// SPDX-License-Identifier: BSD-3-Clause
// The kernel for cells that another library finds, one after the other, so that vectors have nothing to do: the code is
// compiled once.
#define HWY_COMPILE_ONLY_SCALAR
#include "Trace/Kernel/ForeignLanes-inl.h"
#include "Trace/Kernel/Kernel-inl.h"
#include "Trace/Mesh/SteppedMesh.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{

using HWY_NAMESPACE::advance_on;
using HWY_NAMESPACE::ForeignLanes;

void ForeignMesh::advance(const KernelCall& call) const
{
  const ChangingMesh::About cells{ nullptr, cells_, nullptr, nullptr };
  const HWY_NAMESPACE::ForeignCall on{ call, *this, cells };
  call.context.is_unsteady() ? advance_on<double, ForeignLanes, true>(on) : advance_on<double, ForeignLanes, false>(on);
}

void ChangingMesh::advance(const KernelCall& call) const
{
  advance_on<double, ForeignLanes, true>(HWY_NAMESPACE::ForeignCall{ call, *this, cells_, true });
}

void SteppedMesh::advance(const KernelCall& call) const
{
  during(call.window.interval)->advance(call);
}

} // namespace rivulet
HWY_AFTER_NAMESPACE();
