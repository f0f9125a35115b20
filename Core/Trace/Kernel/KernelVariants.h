// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The kernel of grids for each type of field. Each is compiled in its own file for several instruction sets: one file
/// with all would take a compiler several minutes.
#pragma once

#include "Trace/Kernel/GridWindow.h"

namespace rivulet
{

void advance_steady_float32(const GridCall& on);
void advance_steady_float64(const GridCall& on);
void advance_unsteady_float32(const GridCall& on);
void advance_unsteady_float64(const GridCall& on);

} // namespace rivulet
