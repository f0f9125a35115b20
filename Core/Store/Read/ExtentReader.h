// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The common part of reading a locator's bricks, with and without waiting: the reads for an extent, and the treatment
/// of their bytes.
///
///     reader.plan(load);                                     // finds the extents
///     auto read = reader.begin(load, 0, Memory::Now);        // nullptr: no staging memory now
///     ... submit read->prepare(), judge the answer ...
///     reader.take_in(*read);
///     Result<LoadedBrick> brick = reader.finish(load);
///
/// Threads: any; a load and a read belong to one thread. Bytes.
#pragma once

#include "Store/Cache/BrickCache.h"
#include "Store/Memory/StagingMemory.h"
#include "Store/Read/ExtentRead.h"

namespace rivulet
{

class ExtentReader
{
public:
  static constexpr std::int64_t kMostStaging = 32 << 20;
  static constexpr std::int64_t kFewFiles =
      4; ///< files of a field that stay open, so that threads need not look them up

  enum class Memory : std::uint8_t
  {
    Now, ///< fail if there is none
    Wait ///< wait until another piece comes back
  };
  struct Setup
  {
    std::shared_ptr<BrickLocator> locator;
    std::shared_ptr<FileChangeGuard> seen;
    bool direct = false;  ///< past the page cache
    std::int64_t gap = 0; ///< largest gap, in bytes, between consecutive pieces that are read at once
  };

  explicit ExtentReader(const Setup& setup);

  [[nodiscard]] BrickLocator& locator() const { return *locator_; }

  /// From now on reads name the contents of their file (FileRead::contents). Call before the first read.
  void name_contents() { names_contents_ = true; }

  /// Opens the first files: any that is sound tells whether they can be read this way.
  [[nodiscard]] Result<void> open_files();
  /// Fails if a file was cut short, written to or replaced.
  [[nodiscard]] Result<void> health() { return files_.health(); }

  /// Finds the extents of the brick that the load names.
  void plan(BrickLoad& load) const;
  /// The read of one extent; nullptr if there is no staging memory for it now. Fails as DataFiles::open() does, and if
  /// the system has no memory.
  [[nodiscard]] Result<std::unique_ptr<ExtentRead>> begin(BrickLoad& load, std::size_t extent, Memory memory);
  /// Adds the only extent of another brick in the same file.
  static void add(ExtentRead& read, BrickLoad& load, bool behind);
  /// A read of one piece of another read, after Split.
  [[nodiscard]] std::unique_ptr<ExtentRead> alone(const ExtentRead& read, const ExtentRead::Piece& piece) const;
  /// Notes outcome, values and bytes of each piece in its load.
  void take_in(const ExtentRead& read);
  /// The same for a read that will not be done.
  void give_up(const ExtentRead& read, const Error& error);
  /// The brick when all its extents were taken in; or its first error.
  [[nodiscard]] Result<LoadedBrick> finish(BrickLoad& load) const;

  /// Reads a whole brick, and waits for it.
  [[nodiscard]] Result<LoadedBrick> read_now(const BrickKey& key, std::byte* slot);

  [[nodiscard]] StagingMemory& staging() { return staging_; }
  [[nodiscard]] const StagingMemory& staging() const { return staging_; }
  /// The most staging memory of a field whose extents are converted; 0 for other fields.
  [[nodiscard]] std::int64_t staging_share(std::int64_t budget, std::int64_t most) const;
  /// Bytes that `workers` threads, each with one brick, need at least.
  [[nodiscard]] std::int64_t working_minimum(int workers, std::int64_t slot_bytes) const;

private:
  [[nodiscard]] std::unique_ptr<ExtentRead> read_of(
      std::shared_ptr<const DataFile> file, const ExtentRead::Piece& piece) const;
  [[nodiscard]] ExtentRead::Piece piece_of(BrickLoad& load, std::size_t extent, Memory memory) const;
  void release(const ExtentRead::Piece& piece);
  [[nodiscard]] Result<void> read_extent(BrickLoad& load, std::size_t extent);
  [[nodiscard]] Result<std::shared_ptr<const DataFile>> file(std::int64_t number);

  const std::shared_ptr<BrickLocator> locator_;
  const bool direct_;
  bool names_contents_ = false;
  const SpanLimits limits_;
  DataFiles files_;
  std::vector<std::shared_ptr<const DataFile>> opened_; ///< by number, the first few; immutable after open_files()
  StagingMemory staging_;
};

} // namespace rivulet
