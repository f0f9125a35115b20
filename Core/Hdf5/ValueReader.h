// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Reads the values of a dataset without libhdf5. Filters are decoded; the byte order stays that of the file.
///
///     ValueReader reader; // one per thread
///     Result<std::span<const std::byte>> values = reader.read(file, held, dataset);
///
/// Bytes that a BufferedFile already holds are not read again. A run of values can be read alone if the dataset is
/// contiguous or has chunks of one dimension. Each chunk that the run touches is decoded, and the last one is kept for
/// the next run.
///
/// One thread at a time for each reader. Addresses are in bytes, runs in values.
#pragma once

#include "Hdf5/BufferedFile.h"
#include "Hdf5/ChunkTree.h"
#include "Hdf5/Filters.h"
#include "Io/Reads/ReadAhead.h"

#include <memory>

namespace rivulet::hdf5
{

/// Location of the values of one dataset. A dump has hundreds of thousands of datasets, which share their forms.
struct DatasetIndex
{
  std::shared_ptr<const DatasetForm> form;
  std::uint64_t address = kUndefinedAddress; ///< as DatasetLayout::address
  std::vector<Chunk> chunks;                 ///< Chunked only
};

/// Index of a dataset with its chunks, if can_read(). Fails as list_chunks().
[[nodiscard]] Result<DatasetIndex> index_dataset(BufferedFile& file, DatasetLayout&& layout);

/// Consecutive values of a dataset.
struct Run
{
  std::int64_t first = 0; ///< index of the first value
  std::int64_t count = 0; ///< number of values
};

/// True if the values can be read without libhdf5.
[[nodiscard]] bool can_read(const DatasetForm& form);
/// True if runs of the values can be read alone.
[[nodiscard]] bool can_read_runs(const DatasetForm& form);

/// Appends to `parts` the bytes of the file that hold a run, in the order of its values. Values that were not written
/// have none.
void add_parts(const DatasetIndex& dataset, Run run, std::vector<FilePart>& parts);

class ValueReader
{
public:
  ValueReader() = default;
  ValueReader(const ValueReader&) = delete; // a copy would keep a chunk in the memory of another reader
  ValueReader& operator=(const ValueReader&) = delete;

  /// All values, dimension 0 slowest. The result is valid until the next call and as long as `held`, which may be
  /// nullptr, keeps its blocks. Fails with CannotRead, Truncated or Corrupt; errors name the file.
  [[nodiscard]] Result<std::span<const std::byte>> read(
      const File& file, BufferedFile* held, const DatasetIndex& dataset);

  /// The same into `out`, which has room for dataset.form->bytes() bytes.
  [[nodiscard]] Result<void> read_into(
      const File& file, BufferedFile* held, const DatasetIndex& dataset, std::byte* out);

  /// A run within the dataset. Requires can_read_runs(). The result is valid until the next call. The file must not
  /// change as long as this reader is used.
  [[nodiscard]] Result<std::span<const std::byte>> read_run(const File& file, const DatasetIndex& dataset, Run run);
  [[nodiscard]] Result<void> read_run_into(const File& file, const DatasetIndex& dataset, Run run, std::byte* out);

  /// Bytes read from files, without bytes that came from `held`.
  [[nodiscard]] std::int64_t bytes_read() const { return bytes_read_; }

private:
  [[nodiscard]] Result<void> read_chunks(
      const File& file, BufferedFile* held, const DatasetIndex& dataset, std::byte* out);
  [[nodiscard]] Result<void> read_run_of_chunks(const File& file, const DatasetIndex& dataset, Run run, std::byte* out);
  [[nodiscard]] Result<std::span<const std::byte>> stored_chunk(
      const File& file, BufferedFile* held, const Chunk& chunk);
  /// Decoded values of a chunk.
  [[nodiscard]] Result<std::span<const std::byte>> decoded_chunk(
      const File& file, BufferedFile* held, const DatasetForm& form, const Chunk& chunk);

  /// Memory for values from `offset` of a file, with the same position within a page as in the file, so that direct
  /// reads are possible.
  [[nodiscard]] std::byte* room(std::size_t bytes, std::int64_t offset);

  ChunkDecoder decoder_;
  std::vector<std::byte> values_;
  std::vector<std::byte> stored_;
  /// Chunk whose decoded values are kept.
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
