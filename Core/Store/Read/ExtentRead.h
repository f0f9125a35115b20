// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One read of an extent, or of several that lie close together in a file, each to its own place in memory; and the
/// interpretation of the system's answers.
///
///     ExtentRead read(file, direct);
///     read.add_behind({ .load = &load, .extent = 0, .begin = offset, .wanted = n, .length = n, .memory = to });
///     engine.submit(read.prepare());
///     switch (read.judge(answer)) { Again: prepare and submit once more; Split: read each piece by itself; Done: }
///     Result<void> there = read.outcome(piece);
///
/// One thread at a time. Bytes.
#pragma once

#include "Io/Files/DataFiles.h"
#include "Io/Reads/ReadEngine.h"
#include "Store/Cache/RequestTable.h"
#include "Store/Locate/BrickLocator.h"
#include "Store/Memory/SlotLists.h"
#include "Store/Read/ReadProgress.h"

#include <optional>
#include <vector>

namespace rivulet
{

/// A brick that is being read.
struct BrickLoad
{
  WantedBrick wanted;
  std::byte* memory = nullptr; ///< memory of the brick
  Slot* slot = nullptr;        ///< slot with that memory, if it is one
  std::vector<Extent> extents{};
  std::size_t next = 0; ///< index of the first extent without a read
  int under_way = 0;    ///< number of extents being read
  std::int64_t bytes_read = 0;
  std::optional<Error> error{}; ///< the first error
};

class ExtentRead final : public FileRead
{
public:
  struct Piece
  {
    BrickLoad* load = nullptr;
    std::size_t extent = 0;  ///< index in the load's extents
    std::int64_t begin = 0;  ///< offset in the file
    std::int64_t wanted = 0; ///< bytes from `begin` on
    std::int64_t length = 0; ///< bytes of the read: up to the end of a page, which may lie beyond the end of the file
    std::byte* memory = nullptr;
    bool staged = false; ///< whether the memory is staging memory instead of the brick's
  };
  enum class Next : std::uint8_t
  {
    Again,
    Split,
    Done
  };

  /// Direct reads continue at whole pages only.
  ExtentRead(std::shared_ptr<const DataFile> of_file, bool direct)
    : file_(std::move(of_file))
    , progress_(direct)
  {
    descriptor = file_->descriptor();
  }
  void add_before(const Piece& piece) { pieces_.insert(pieces_.begin(), piece); }
  void add_behind(const Piece& piece) { pieces_.push_back(piece); }

  /// The read of the bytes that are still missing.
  FileRead& prepare();
  /// `answer`: the result of preadv, or a negative errno.
  [[nodiscard]] Next judge(std::int64_t answer);

  [[nodiscard]] const std::shared_ptr<const DataFile>& data_file() const { return file_; }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  /// Bytes between the pieces.
  [[nodiscard]] std::int64_t gaps() const;
  /// After Done: fails with CannotRead, or with Truncated at the end of the file, if the piece was not read completely.
  [[nodiscard]] Result<void> outcome(const Piece& piece) const;

private:
  [[nodiscard]] std::int64_t begin() const { return pieces_.front().begin; }

  std::shared_ptr<const DataFile> file_; ///< stays open until the answer
  std::vector<Piece> pieces_;            ///< in the order of `begin`
  ReadProgress progress_;                ///< counted from begin()
};

} // namespace rivulet
