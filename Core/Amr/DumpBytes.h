// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Conversion of descriptions of dumps to bytes and back. One process reads a summary and sends it to the other
/// processes of the same program. The bytes depend on the machine and the version, and must not be stored in files.
///
/// Any thread may call any function.
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
/// Bytes of a variable with the ranges of its components.
[[nodiscard]] std::vector<std::byte> ranges_to_bytes(const AmrVariable& variable);

/// Fails with Corrupt if the bytes are not from to_bytes() of the same type.
[[nodiscard]] Result<AmrDump> dump_from_bytes(std::span<const std::byte> bytes);
[[nodiscard]] Result<DumpIndex> index_from_bytes(std::span<const std::byte> bytes);
/// Replaces `variable`. Fails with Corrupt, and leaves it unchanged, if the bytes are not from ranges_to_bytes().
[[nodiscard]] Result<void> ranges_from_bytes(std::span<const std::byte> bytes, AmrVariable& variable);

} // namespace rivulet
