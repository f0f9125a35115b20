// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Descriptions of dumps as bytes and back, for other processes of the same program: one reads a summary, all have it.
/// Of no use in files.
#pragma once

#include "Amr/Dump.h"
#include "Amr/DumpIndex.h"

#include <cstddef>
#include <span>
#include <vector>

namespace rivulet
{

[[nodiscard]] std::vector<std::byte> to_bytes(const AmrDump& dump);
[[nodiscard]] std::vector<std::byte> to_bytes(const DumpIndex& index);
/// The ranges of all components of a variable.
[[nodiscard]] std::vector<std::byte> ranges_to_bytes(const AmrVariable& variable);

/// Corrupt if the bytes are none of to_bytes().
[[nodiscard]] Result<AmrDump> dump_from_bytes(std::span<const std::byte> bytes);
[[nodiscard]] Result<DumpIndex> index_from_bytes(std::span<const std::byte> bytes);
[[nodiscard]] Result<void> ranges_from_bytes(std::span<const std::byte> bytes, AmrVariable& variable);

} // namespace rivulet
