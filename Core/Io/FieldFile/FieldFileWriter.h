// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Writes a Rivulet field file: created under a temporary name in the target's folder, laid out by HDF5 at once, filled
/// by offset from any number of threads, then marked complete and renamed. Whatever happens before finish() leaves
/// nothing under the final name; the temporary file is removed unless the process is killed.
///
///     Result<std::unique_ptr<FieldFileWriter>> writer = FieldFileWriter::create("flow.rvf", info, {});
///     for each step, variable, brick:  (*writer)->write_brick(key, payload);      // any order, any thread
///     (*writer)->finish();
#pragma once

#include "Base/Bytes.h"
#include "Io/FieldFile/FieldFile.h"
#include "Io/Writes/PublishFile.h"
#include "Io/Writes/TemporaryPlace.h"

#include <functional>
#include <memory>
#include <span>

namespace rivulet
{

struct FieldFileOptions
{
  Int3 brick_cells = kUsualBrick; ///< ignored along axes of one node
  Encoding encoding = Encoding::Plain;
  OnExisting existing =
      OnExisting::Replace; ///< rule for an existing file of that name, in create() and again in finish()
  bool sync = false;       ///< fsync file and folder in finish()
  bool sparse = false;     ///< reserve nothing, and let finish() accept bricks that were never written: holes, read as
                           ///< bricks without a trailer. For trials with files larger than the disk
  std::string uuid = {}; ///< the file's identity; random if empty. Files of the same values and the same identity have
                         ///< the same bytes
  /// Files of so many bytes or more are written past the page cache where the file system allows it: faster, and the
  /// cache has no room for them. Smaller files stay cached.
  std::int64_t direct_from = kGiB;
  /// Identity of the file with the places of the nodes of a curvilinear grid, if the field is described without them.
  std::string points_in{};
  std::string called{};                    ///< name of the file in messages; its path if empty
  Abandoned abandoned = Abandoned::Remove; ///< treatment of files left by killed writers of the same file
};

/// Fills one byte for each point (or cell) of plane k of the lattice, i fastest: 0 if it is visible.
using HiddenFiller = std::function<Result<void>(std::int32_t k, std::uint8_t* flags)>;

class FieldFileWriter
{
public:
  /// Refuses grids without cells, 0 or more than 9 components, duplicate or empty names, times that do not increase,
  /// and a disk without room for the whole file (posix_fallocate).
  [[nodiscard]] static Result<std::unique_ptr<FieldFileWriter>> create(
      const std::string& path, const FieldInfo& info, const FieldFileOptions& options);

  /// Joins another process that writes the file (SharedWriting.h), with the same `info` and `options` as it. Such a
  /// writer hides nothing, and its finish() only brings its bricks to the file. Fails with BadArgument, or CannotWrite
  /// where the owner's file cannot be opened.
  [[nodiscard]] static Result<std::unique_ptr<FieldFileWriter>> join(
      std::span<const std::byte> invitation, const FieldInfo& info, const FieldFileOptions& options);

  FieldFileWriter(const FieldFileWriter&) = delete;
  FieldFileWriter& operator=(const FieldFileWriter&) = delete;
  virtual ~FieldFileWriter() = default; ///< removes the temporary file unless finish() succeeded

  [[nodiscard]] virtual const BrickLayout& layout(int variable) const = 0;
  /// Whether bricks of a variable at a step are to be written. Not of points that stay as they are at the step before.
  [[nodiscard]] virtual bool wants(int variable, int step) const = 0;

  /// Writes one brick. `values` holds layout.values bytes: the lattice box of the brick, components fastest, then i,
  /// j, k; points outside the lattice repeat the last one inside. Computes checksum and ranges. Any thread, each brick
  /// once. Writes the file twice for each brick: bricks of a few kB are several times as fast in runs.
  [[nodiscard]] virtual Result<void> write_brick(const BrickKey& key, const void* values) = 0;

  /// Turns the values of one brick into the payload of `record`, layout.stride bytes, for write_run(). Fails with
  /// BadArgument where the encoding cannot hold them. Any thread.
  [[nodiscard]] virtual Result<void> encode(int variable, const void* values, void* record) const = 0;

  /// Writes `count` bricks that are consecutive along the Hilbert curve from `first_hilbert` on, in one call. `records`
  /// holds count * stride bytes with payloads filled in; trailers are computed here, in place.
  [[nodiscard]] virtual Result<void> write_run(
      int variable, int step, std::int64_t first_hilbert, std::int64_t count, void* records) = 0;

  /// Stores the hidden points (or cells) of a step; steps without a call have none. One thread, each centring and step
  /// once, in any order with the bricks.
  [[nodiscard]] virtual Result<void> hide(Centering centering, int step, const HiddenFiller& fill) = 0;

  /// Checks that every brick was written, writes ranges, sets `complete`, renames.
  [[nodiscard]] virtual Result<void> finish() = 0;

  /// For other processes that are to write bricks of this file. Only of a writer that was created.
  [[nodiscard]] virtual std::vector<std::byte> invitation() const = 0;
  /// The bricks that a joined writer has written, for add(). After its finish().
  [[nodiscard]] virtual std::vector<std::byte> contribution() const = 0;
  /// Notes the bricks that another process has written. Before finish(). Fails with BadArgument on bricks that this or
  /// a third process has written, too.
  [[nodiscard]] virtual Result<void> add(std::span<const std::byte> contribution) = 0;

protected:
  FieldFileWriter() = default;
};

} // namespace rivulet
