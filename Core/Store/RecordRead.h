// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// One read of one or several records that lie near each other in a file, each into its own slot; and what to make of
/// the system's answer.
///
///     RecordRead read(file, stride, direct);
///     read.add_behind({ wanted, offset, slot, slot->data });
///     engine.submit(read.prepare());
///     switch (read.judge(answer)) { Again: prepare and submit once more; Split: read each brick by itself; Done: }
///     Result<void> there = read.outcome(brick, path);
///
/// One thread at a time. Bytes.
#pragma once

#include "Base/Result.h"
#include "Io/ReadEngine.h"
#include "Store/ReadProgress.h"
#include "Store/RequestTable.h"
#include "Store/SlotLists.h"

#include <deque>

namespace rivulet
{

class RecordRead final : public FileRead
{
public:
  struct Brick
  {
    WantedBrick wanted;
    std::int64_t offset = 0; ///< of its record in the file
    Slot* slot = nullptr;
    std::byte* to = nullptr; ///< where in the slot the record goes
  };
  enum class Next : std::uint8_t
  {
    Again,
    Split,
    Done
  };

  /// All records are `stride` bytes long. Direct reads go on at whole pages only.
  RecordRead(std::int32_t of_file, std::int64_t stride, bool direct)
    : stride_(stride)
    , progress_(direct)
  {
    file = of_file;
  }
  void add_before(const Brick& brick) { bricks_.push_front(brick); }
  void add_behind(const Brick& brick) { bricks_.push_back(brick); }

  /// Names the bytes that are still missing.
  FileRead& prepare();
  /// `answer` as preadv gives it, or a negative errno.
  [[nodiscard]] Next judge(std::int64_t answer);

  [[nodiscard]] const std::deque<Brick>& bricks() const { return bricks_; }
  [[nodiscard]] std::int64_t bytes() const { return end() - begin(); }
  /// Bytes between the bricks.
  [[nodiscard]] std::int64_t gaps() const { return bytes() - stride_ * static_cast<std::int64_t>(bricks_.size()); }
  /// After Done: CannotRead or Truncated if the brick's record is not there as a whole.
  [[nodiscard]] Result<void> outcome(const Brick& brick, const std::string& path) const;

private:
  [[nodiscard]] std::int64_t begin() const { return bricks_.front().offset; }
  [[nodiscard]] std::int64_t end() const { return bricks_.back().offset + stride_; }

  std::int64_t stride_;
  std::deque<Brick> bricks_; ///< by offset
  ReadProgress progress_;    ///< from begin()
};

} // namespace rivulet
