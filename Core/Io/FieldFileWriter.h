// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Writes a Rivulet field file: created under a temporary name in the target's folder, laid out by HDF5 at once, filled
/// by offset from any number of threads, then marked complete and renamed. Whatever happens before finish() leaves
/// nothing under the final name; the temporary file is removed unless the process is killed.
///
///     auto writer = FieldFileWriter::create("flow.rvf", info, {});
///     for each step, variable, brick:  writer->write_brick(key, payload);      // any order, any thread
///     writer->finish();
#pragma once

#include "Base/Bytes.h"
#include "Io/FieldFile.h"
#include "Io/TakeName.h"

#include <memory>

namespace rivulet
{

/// Of float vectors, so that a record fills its pages: three of plain values, two of 16-bit ones.
[[nodiscard]] constexpr Int3 usual_brick_cells(Encoding encoding)
{
  return encoding == Encoding::Plain ? Int3{ 9, 9, 9 } : Int3{ 10, 10, 10 };
}

struct FieldFileOptions
{
  Int3 brick_cells = usual_brick_cells(Encoding::Plain); ///< ignored along axes of one node
  Encoding encoding = Encoding::Plain;
  Existing existing = Existing::Replace; ///< a file that has the name, in create() and still in finish()
  bool sync = false;                     ///< fsync file and folder in finish()
  bool sparse = false; ///< reserve nothing, and let finish() accept bricks that were never written: holes, which
                       ///< read as bricks without a trailer. For trials with files larger than the disk
  std::int64_t direct_from = kGiB; ///< a file of so many bytes or more is written past the page cache, where it can be:
                                   ///< that is faster, and the cache has no room for it. Smaller ones stay cached
};

class FieldFileWriter
{
public:
  /// Refuses grids without cells, 0 or more than 9 components, duplicate or empty names, times that do not increase,
  /// and a disk without room for the whole file (posix_fallocate).
  [[nodiscard]] static Result<std::unique_ptr<FieldFileWriter>> create(
      const std::string& path, const FieldInfo& info, const FieldFileOptions& options);

  FieldFileWriter(const FieldFileWriter&) = delete;
  FieldFileWriter& operator=(const FieldFileWriter&) = delete;
  virtual ~FieldFileWriter() = default; ///< removes the temporary file unless finish() succeeded

  [[nodiscard]] virtual const BrickLayout& layout(int variable) const = 0;

  /// Writes one brick. `values` holds layout.values bytes: the lattice box of the brick, components fastest, then i,
  /// j, k; points outside the lattice repeat the last one inside. Computes checksum and ranges. Any thread, each brick
  /// once.
  [[nodiscard]] virtual Result<void> write_brick(const BrickKey& key, const void* values) = 0;

  /// Turns the values of one brick into the payload of `record`, layout.stride bytes, for write_run(). Fails with
  /// BadArgument where the encoding cannot hold them. Any thread.
  [[nodiscard]] virtual Result<void> encode(int variable, const void* values, void* record) const = 0;

  /// Writes `count` bricks that are consecutive along the Hilbert curve from `first_hilbert` in one call. `records`
  /// holds count * stride bytes whose payloads are filled in; trailers are computed here, in place.
  [[nodiscard]] virtual Result<void> write_run(
      int variable, int step, std::int64_t first_hilbert, std::int64_t count, void* records) = 0;

  /// Checks that every brick was written, writes ranges, sets `complete`, renames.
  [[nodiscard]] virtual Result<void> finish() = 0;

protected:
  FieldFileWriter() = default;
};

} // namespace rivulet
