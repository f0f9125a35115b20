// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Distribution of the patches of a dump over processes. Each process gets about the same number of cells. Patches of
/// one file stay together, so that few processes open it.
#pragma once

#include "Amr/Dump.h"

namespace rivulet
{

/// Patches of levels up to `finest` that process `part` of `parts` reads, in ascending order; 0 <= part < parts. Each
/// patch belongs to one process. The result depends on the arguments only, so that processes need not communicate. Any
/// thread.
[[nodiscard]] std::vector<std::int32_t> share_of_patches(const AmrDump& dump, int finest, int part, int parts);

} // namespace rivulet
