// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Whether the files of a field of blocks are what their description says, as far as that shows without reading them.
#pragma once

#include "Io/Blocks/BlockField.h"
#include "Io/Files/DataFiles.h"

namespace rivulet
{

/// Every file of every step is there and long enough. Fails with NotFound, CannotRead or Truncated.
[[nodiscard]] Result<void> check_files(const BlockField& field);

/// Reads some kilobytes of a step that is there and fails with Corrupt if the floating-point numbers in it make no
/// sense in the byte order that is stated for them, but do in the other one. Does not mind files that cannot be read.
[[nodiscard]] Result<void> check_byte_order(const BlockVariable& variable, DataFiles& files);

} // namespace rivulet
