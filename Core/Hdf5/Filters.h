// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Undoes the filters of one chunk: deflate, shuffle, fletcher32 (verified), and lz4 and zstd where their libraries
/// were there when this was built.
#pragma once

#include "Base/Result.h"
#include "Hdf5/Layout.h"

#include <span>

namespace rivulet::hdf5
{

/// Whether all filters of a dataset can be undone here.
[[nodiscard]] bool can_undo(const std::vector<Filter>& filters);

/// Memory for one thread's chunks; used again and again.
class ChunkDecoder
{
public:
  /// The values of a chunk of `chunk_bytes` from its stored bytes, where can_undo(). Good until the next call, and as
  /// long as `stored`. Fails with Corrupt if the stored bytes are not what a filter writes, or a checksum does not
  /// match.
  [[nodiscard]] Result<std::span<const std::byte>> decode(const std::vector<Filter>& filters, std::uint32_t skipped,
      std::span<const std::byte> stored, std::size_t chunk_bytes);

private:
  [[nodiscard]] Result<std::span<const std::byte>> undo(
      const Filter& filter, std::span<const std::byte> from, std::size_t most_bytes, std::vector<std::byte>& to);

  std::vector<std::byte> memory_[2]; ///< filters read from one and write to the other
};

} // namespace rivulet::hdf5
