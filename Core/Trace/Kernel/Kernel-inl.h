// SPDX-License-Identifier: BSD-3-Clause
// The loop that gives particles to an Advector. Included once per target by each of the Kernel*.cxx files.
#if defined(RIVULET_KERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_KERNEL_INL_H
#undef RIVULET_KERNEL_INL_H
#else
#define RIVULET_KERNEL_INL_H
#endif

#include "Trace/Kernel/AdvectorBorder-inl.h"
#include "Trace/Kernel/AdvectorCrossings-inl.h"
#include "Trace/Kernel/AdvectorSampling-inl.h"
#include "Trace/Kernel/AdvectorSteps-inl.h"
#include "Trace/Kernel/PairedWidth-inl.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

/// Advances particles while there are at least `least` of them.
template <class Advector>
void advance_at_least(const typename Advector::Call& on, int least)
{
  const KernelCall& call = on.call;
  Advector advector(on);
  while (true)
  {
    while (!advector.full() && !call.waiting.empty())
    {
      advector.enter(*call.waiting.back());
      call.waiting.pop_back();
    }
    call.no_room = call.no_room || !advector.make_room();
    if (advector.count() < least || call.no_room || call.stop.load(std::memory_order_relaxed))
    {
      advector.flush(call.waiting, call.done);
      return;
    }
    advector.try_step(call.done);
  }
}

template <class Scalar, template <class, class> class Mesh, bool Unsteady, class Call>
void advance_on(const Call& on)
{
#if RIVULET_FUSED
  const KernelCall& call = on.call;
  if (call.waiting.size() > kWidest)
  {
    advance_at_least<Advector<Scalar, Mesh, Unsteady, 2 * kWidest>>(on, static_cast<int>(kWidest) + 1);
  }
#ifndef RIVULET_PAIRS_ONLY // Trace/CMakeLists.txt
  if (kWidest == 8 && call.waiting.size() > 4)
  {
    advance_at_least<Advector<Scalar, Mesh, Unsteady, kWidest>>(on, 5);
  }
  if (call.waiting.size() > 1)
  {
    advance_at_least<Advector<Scalar, Mesh, Unsteady, 4>>(on, 2);
  }
#endif
#endif
  advance_at_least<Advector<Scalar, Mesh, Unsteady, 1>>(on, 1);
  leave_wide_registers();
}

#undef RIVULET_ADVECTOR
#undef RIVULET_ADVECTOR_OF

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
