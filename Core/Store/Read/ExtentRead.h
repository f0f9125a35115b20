// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One read of an extent, or of several that lie near each other in a file, each to its own place in memory; and the
/// meaning of the system's answer.
///
///     ExtentRead read(file, direct);
///     read.add_behind({ .load = &load, .extent = 0, .begin = offset, .wanted = bytes, .length = bytes, .memory = to
///     }); engine.submit(read.prepare()); switch (read.judge(answer)) { Again: prepare and submit once more; Split:
///     read each piece by itself; Done: } Result<void> there = read.outcome(piece);
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
  std::byte* memory = nullptr; ///< of the brick
  Slot* slot = nullptr;        ///< that the memory is of, where it is one
  std::vector<Extent> extents{};
  std::size_t next = 0; ///< number of the first extent that is not being read yet
  int under_way = 0;    ///< extents that are being read
  std::int64_t bytes_read = 0;
  std::optional<Error> error{}; ///< the first
};

class ExtentRead final : public FileRead
{
public:
  struct Piece
  {
    BrickLoad* load = nullptr;
    std::size_t extent = 0;  ///< of the load
    std::int64_t begin = 0;  ///< in the file
    std::int64_t wanted = 0; ///< bytes from there
    std::int64_t length = 0; ///< bytes of the read: up to a page's end, which may lie behind the file's
    std::byte* memory = nullptr;
    bool staged = false; ///< the memory is not the brick's
  };
  enum class Next : std::uint8_t
  {
    Again,
    Split,
    Done
  };

  /// Direct reads go on at whole pages only. `known_memory`: reads go to few places of each slot.
  ExtentRead(std::shared_ptr<const DataFile> of_file, bool direct, bool known_memory)
    : file_(std::move(of_file))
    , progress_(direct)
    , known_memory_(known_memory)
  {
    descriptor = file_->descriptor();
  }
  void add_before(const Piece& piece) { pieces_.insert(pieces_.begin(), piece); }
  void add_behind(const Piece& piece) { pieces_.push_back(piece); }

  /// Names the bytes that are still missing.
  FileRead& prepare();
  /// `answer` as preadv gives it, or a negative errno.
  [[nodiscard]] Next judge(std::int64_t answer);

  [[nodiscard]] const std::shared_ptr<const DataFile>& data_file() const { return file_; }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }
  /// Bytes between the pieces.
  [[nodiscard]] std::int64_t gaps() const;
  /// After Done: CannotRead, or Truncated at the file's end, if the piece is not there as a whole.
  [[nodiscard]] Result<void> outcome(const Piece& piece) const;

private:
  [[nodiscard]] std::int64_t begin() const { return pieces_.front().begin; }

  std::shared_ptr<const DataFile> file_; ///< stays open until the answer
  std::vector<Piece> pieces_;            ///< by begin
  ReadProgress progress_;                ///< from begin()
  bool known_memory_;
};

} // namespace rivulet
