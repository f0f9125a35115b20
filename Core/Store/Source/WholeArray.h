// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// All values of an array as plain memory, for users that need a plain pointer: VTK's filters, numpy. They may write
/// through it although they should not. Written values stay in this memory: they reach neither the file nor users with
/// other memory, and written() reports it.
///
///     std::unique_ptr<CopiedArray> copy = CopiedArray::of_bytes(bytes);
///     ... fill copy->room() ...
///     copy->seal();                   // from now on writes are detected
///
/// Threads: any; room() is filled before the array is handed out. Bytes.
#pragma once

#include "Io/Files/WriteGuard.h"

#include <cstddef>

namespace rivulet
{

class WholeArray
{
public:
  WholeArray() = default;
  WholeArray(const WholeArray&) = delete;
  WholeArray& operator=(const WholeArray&) = delete;
  virtual ~WholeArray() = default;

  [[nodiscard]] virtual void* values() const = 0;
  /// Whether any user wrote to the values, so that they are not the file's any more.
  [[nodiscard]] virtual bool written() const = 0;
  /// Bytes of memory that were allocated for it; pages of a mapping do not count.
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

/// Values that were copied to memory.
class CopiedArray : public WholeArray
{
public:
  /// nullptr if the system refuses the memory.
  [[nodiscard]] static std::unique_ptr<CopiedArray> of_bytes(std::int64_t bytes);
  ~CopiedArray() override;

  [[nodiscard]] std::byte* room() { return room_; }
  /// From now on writes are detected, unless the system refuses it.
  void seal();

  [[nodiscard]] void* values() const override { return room_; }
  [[nodiscard]] bool written() const override { return guard_ != nullptr && guard_->written(); }
  [[nodiscard]] std::int64_t bytes() const override { return bytes_; }

private:
  CopiedArray(std::byte* room, std::int64_t bytes)
    : room_(room)
    , bytes_(bytes)
  {
  }

  std::byte* room_;
  std::int64_t bytes_;
  std::unique_ptr<WriteGuard> guard_;
};

} // namespace rivulet
