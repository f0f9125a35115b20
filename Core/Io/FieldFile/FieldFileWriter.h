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
#include "Io/FieldFile/FieldFile.h"
#include "Io/Writes/TakeName.h"

#include <functional>
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
  bool sparse = false;   ///< reserve nothing, and let finish() accept bricks that were never written: holes, which
                         ///< read as bricks without a trailer. For trials with files larger than the disk
  std::string uuid = {}; ///< the file's identity; a random one where empty. Files of the same values and the same
                         ///< identity have the same bytes
  std::int64_t direct_from = kGiB; ///< a file of so many bytes or more is written past the page cache, where it can be:
                                   ///< that is faster, and the cache has no room for it. Smaller ones stay cached
};

/// Fills one byte for each point (or cell) of plane k of the lattice, i fastest: 0 where it is visible.
using HiddenFiller = std::function<Result<void>(std::int32_t k, std::uint8_t* flags)>;

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

  /// Notes which points (or cells) are hidden at a step; steps for which this is not called have none. One thread, each
  /// centring and step once, in any order with the bricks.
  [[nodiscard]] virtual Result<void> hide(Centering centering, int step, const HiddenFiller& fill) = 0;

  /// Checks that every brick was written, writes ranges, sets `complete`, renames.
  [[nodiscard]] virtual Result<void> finish() = 0;

protected:
  FieldFileWriter() = default;
};

} // namespace rivulet
