// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The kernel for each type of field, each compiled in a file of its own for several instruction sets: together they
/// would take a compiler several minutes.
#pragma once

#include "Trace/Kernel/Kernel.h"

namespace rivulet
{

void advance_steady_float32(const KernelCall& call);
void advance_steady_float64(const KernelCall& call);
void advance_unsteady_float32(const KernelCall& call);
void advance_unsteady_float64(const KernelCall& call);

} // namespace rivulet
