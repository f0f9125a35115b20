// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Checks the files of a field of blocks against their description, with little or no reading.
#pragma once

#include "Io/Blocks/BlockField.h"
#include "Io/Files/DataFiles.h"

namespace rivulet
{

/// Checks that every file of every step is there and long enough. Fails with NotFound, CannotRead or Truncated.
[[nodiscard]] Result<void> check_files(const BlockField& field);

/// Reads some kilobytes of one step. Fails with Corrupt if its floating-point numbers make no sense in the stated byte
/// order but do in the other one. Files that cannot be read are skipped.
[[nodiscard]] Result<void> check_byte_order(const BlockVariable& variable, DataFiles& files);

} // namespace rivulet
