// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Ghost layers of patches as cells of the patches. Private to the module.
///
///     const Int3 layers = common_ghosts(dump, variables);
///     AmrDump grown = with_ghosts(dump, layers);     // read as any other; fill_amr() marks the layers
#pragma once

#include "Amr/Dump.h"

#include <span>

namespace rivulet
{

/// Number of layers along each axis that all variables have, because arrays of one grid must agree.
[[nodiscard]] Int3 common_ghosts(const AmrDump& dump, std::span<const std::int32_t> variables);

/// Dump with patches that have `layers` more cells on every side, as far as these lie in the box around the coarsest
/// level, and variables with as many ghost layers less. Every variable that is read must have at least `layers`.
/// Children stay the same. Boxes of a level overlap.
[[nodiscard]] AmrDump with_ghosts(const AmrDump& dump, const Int3& layers);

/// A box with `layers` more cells on every side.
[[nodiscard]] Box grow(const Box& box, const Int3& layers);

} // namespace rivulet
