// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The stored values of one dataset, filters undone, still in the byte order of the file.
///
///     ValueReader reader; // one per thread
///     Result<std::span<const std::byte>> values = reader.read(file, held, dataset);
///
/// Values whose bytes FileBytes already holds are not read again.
#pragma once

#include "Hdf5/ChunkTree.h"
#include "Hdf5/FileBytes.h"
#include "Hdf5/Filters.h"

namespace rivulet::hdf5
{

/// A dataset and its chunks, if it has any.
struct DatasetIndex
{
  DatasetLayout layout;
  std::vector<Chunk> chunks;
};

/// Whether the values can be read without the library.
[[nodiscard]] bool can_read(const DatasetLayout& layout);

class ValueReader
{
public:
  /// All values, dimension 0 slowest. Good until the next call, and as long as `held` (may be nullptr) keeps its
  /// blocks. Fails with CannotRead, Truncated or Corrupt; errors name the file.
  [[nodiscard]] Result<std::span<const std::byte>> read(
      const File& file, const FileBytes* held, const DatasetIndex& dataset);

  /// The same into `out`, which has room for layout.bytes().
  [[nodiscard]] Result<void> read_into(
      const File& file, const FileBytes* held, const DatasetIndex& dataset, std::byte* out);

  [[nodiscard]] std::int64_t bytes_read() const { return bytes_read_; }

private:
  [[nodiscard]] Result<void> read_chunks(
      const File& file, const FileBytes* held, const DatasetIndex& dataset, std::byte* out);
  [[nodiscard]] Result<std::span<const std::byte>> stored_chunk(
      const File& file, const FileBytes* held, const Chunk& chunk);

  ChunkDecoder decoder_;
  std::vector<std::byte> values_;
  std::vector<std::byte> stored_;
  std::int64_t bytes_read_ = 0;
};

} // namespace rivulet::hdf5
