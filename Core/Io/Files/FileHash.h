// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Checksum of a range of a file, of any length: it is read in pieces.
///
///     Result<std::uint64_t> sum = hash_of(file, table.offset, bytes);
///
/// Any thread. Bytes.
#pragma once

#include "Io/Files/File.h"

namespace rivulet
{

/// XXH3-64, seed 0. Fails as File::pread_full() does.
[[nodiscard]] Result<std::uint64_t> hash_of(const File& file, std::int64_t offset, std::int64_t bytes);

} // namespace rivulet
