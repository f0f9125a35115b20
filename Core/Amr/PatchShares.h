// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Which patches each of several processes reads: about as many cells each, patches of one file together, so that a
/// file is opened by few.
#pragma once

#include "Amr/Dump.h"

namespace rivulet
{

/// The patches, up to level `finest`, of process `part` of `parts`; every patch is somebody's. Sorted by number. The
/// same on every process, without a word between them.
[[nodiscard]] std::vector<std::int32_t> share_of_patches(const AmrDump& dump, int finest, int part, int parts);

} // namespace rivulet
