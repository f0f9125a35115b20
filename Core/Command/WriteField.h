// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Writes a source as a field file or, if the name ends in .rvs, as a store.
#pragma once

#include "Command/Arguments.h"

namespace rivulet::command
{

struct WrittenField
{
  std::string size;              ///< as in "444.0 KiB, 2.47 times the 179.9 KiB of the plain values"
  std::int64_t source_bytes = 0; ///< bytes of the values written
  std::int64_t memory_bytes = 0; ///< bytes of all threads' buffers
  int threads = 0;
};

/// Ctrl-C cancels. Fails as convert() and convert_to_store() do.
[[nodiscard]] Result<WrittenField> write_field(
    LatticeReader& reader, const std::string& target, const WriteOptions& options, const ByteProgress& progress);

} // namespace rivulet::command
