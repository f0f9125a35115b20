// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The checksum of a stretch of a file, however long: it is read in pieces.
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
