// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The stored values of one dataset, filters undone, still in the byte order of the file.
///
///     ValueReader reader; // one per thread
///     Result<std::span<const std::byte>> values = reader.read(file, held, dataset);
///
/// Values whose bytes BufferedFile already holds are not read again. Of a dataset that is contiguous, or in chunks of
/// one dimension, a run of values can be read alone, at the cost of the chunks that it touches; the chunk where one run
/// ends is not decoded again for the run that begins there.
#pragma once

#include "Hdf5/BufferedFile.h"
#include "Hdf5/ChunkTree.h"
#include "Hdf5/Filters.h"
#include "Io/ReadAhead.h"

#include <memory>

namespace rivulet::hdf5
{

/// Where the values of one dataset are. A dump has hundreds of thousands, which share what they have in common.
struct DatasetIndex
{
  std::shared_ptr<const DatasetForm> form;
  std::uint64_t address = kUndefinedAddress; ///< as DatasetLayout::address
  std::vector<Chunk> chunks;                 ///< Chunked only
};

/// With the chunks of one that can_read(). Fails as list_chunks().
[[nodiscard]] Result<DatasetIndex> index_dataset(BufferedFile& file, DatasetLayout&& layout);

/// Consecutive values of a dataset.
struct Run
{
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// Whether the values can be read without the library.
[[nodiscard]] bool can_read(const DatasetForm& form);
/// Whether runs of them can be read alone.
[[nodiscard]] bool can_read_runs(const DatasetForm& form);

/// Where these values lie in the file, in their order; nothing of those that were not written.
void add_parts(const DatasetIndex& dataset, Run run, std::vector<FilePart>& parts);

class ValueReader
{
public:
  /// All values, dimension 0 slowest. Good until the next call, and as long as `held` (may be nullptr) keeps its
  /// blocks. Fails with CannotRead, Truncated or Corrupt; errors name the file.
  [[nodiscard]] Result<std::span<const std::byte>> read(
      const File& file, BufferedFile* held, const DatasetIndex& dataset);

  /// The same into `out`, which has room for layout.bytes().
  [[nodiscard]] Result<void> read_into(
      const File& file, BufferedFile* held, const DatasetIndex& dataset, std::byte* out);

  /// A run within the dataset, where can_read_runs(). Good until the next call. The file must stay as it is as long
  /// as this reader is used.
  [[nodiscard]] Result<std::span<const std::byte>> read_run(const File& file, const DatasetIndex& dataset, Run run);
  [[nodiscard]] Result<void> read_run_into(const File& file, const DatasetIndex& dataset, Run run, std::byte* out);

  [[nodiscard]] std::int64_t bytes_read() const { return bytes_read_; }

private:
  [[nodiscard]] Result<void> read_chunks(
      const File& file, BufferedFile* held, const DatasetIndex& dataset, std::byte* out);
  [[nodiscard]] Result<void> read_run_of_chunks(const File& file, const DatasetIndex& dataset, Run run, std::byte* out);
  [[nodiscard]] Result<std::span<const std::byte>> stored_chunk(
      const File& file, BufferedFile* held, const Chunk& chunk);
  /// Its values, filters undone.
  [[nodiscard]] Result<std::span<const std::byte>> decoded_chunk(
      const File& file, BufferedFile* held, const DatasetForm& form, const Chunk& chunk);

  /// For values from that place of a file: as they lie in its pages, so that they may come past the page cache.
  [[nodiscard]] std::byte* room(std::size_t bytes, std::int64_t offset);

  ChunkDecoder decoder_;
  std::vector<std::byte> values_;
  std::vector<std::byte> stored_;
  /// The chunk of a file whose values are still there.
  struct Last
  {
    std::string path;
    std::uint64_t address = kUndefinedAddress;
    std::span<const std::byte> values;

    [[nodiscard]] bool is(const Chunk& chunk, const File& file, std::size_t bytes) const;
  };
  Last last_;
  std::int64_t bytes_read_ = 0;
};

} // namespace rivulet::hdf5
