// SPDX-License-Identifier: BSD-3-Clause
// The kernel for a type of velocities on grids. Included once per target by each of the Kernel*.cxx files for these.
#if defined(RIVULET_GRID_KERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef RIVULET_GRID_KERNEL_INL_H
#undef RIVULET_GRID_KERNEL_INL_H
#else
#define RIVULET_GRID_KERNEL_INL_H
#endif

#include "Trace/Kernel/GridLanes-inl.h"
#include "Trace/Kernel/Kernel-inl.h"
#include "Trace/Kernel/KernelVariants.h"

HWY_BEFORE_NAMESPACE();
namespace rivulet
{
namespace HWY_NAMESPACE
{

template <class Scalar, bool Unsteady>
void advance_of(const GridCall& on)
{
  on.grid.uniform() ? advance_on<Scalar, UniformLanes, Unsteady>(on)
                    : advance_on<Scalar, RectilinearLanes, Unsteady>(on);
}

} // namespace HWY_NAMESPACE
} // namespace rivulet
HWY_AFTER_NAMESPACE();
#endif
