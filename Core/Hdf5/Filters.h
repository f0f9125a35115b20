// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Decodes chunks that HDF5 filters have encoded: deflate, shuffle, fletcher32 (verified), and lz4 and zstd if their
/// libraries were found when Rivulet was built.
///
/// Sizes are in bytes. One thread at a time for each decoder.
#pragma once

#include "Base/Result.h"
#include "Hdf5/Layout.h"

#include <span>

namespace rivulet::hdf5
{

/// True if this build decodes all filters of a dataset.
[[nodiscard]] bool can_undo(const std::vector<Filter>& filters);

/// Decoder with memory that is used again for each chunk.
class ChunkDecoder
{
public:
  /// The `chunk_bytes` bytes of values of a chunk from its stored bytes. Requires can_undo(). `skipped` is
  /// Chunk::skipped. The result is valid until the next call and as long as `stored`. Fails with Corrupt if the stored
  /// bytes are not the output of a filter, or if a checksum does not match.
  [[nodiscard]] Result<std::span<const std::byte>> decode(const std::vector<Filter>& filters, std::uint32_t skipped,
      std::span<const std::byte> stored, std::size_t chunk_bytes);

private:
  [[nodiscard]] Result<std::span<const std::byte>> undo(
      const Filter& filter, std::span<const std::byte> from, std::size_t most_bytes, std::vector<std::byte>& to);

  std::vector<std::byte> memory_[2]; ///< input and output of a filter, in turn
};

} // namespace rivulet::hdf5
