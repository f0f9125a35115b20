// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// All values of an array as plain memory, for users who ask for nothing but a pointer: VTK's filters, numpy. They may
/// write through it although they should not. What they write is theirs: it stays in this memory, reaches neither the
/// file nor anybody who was given other memory, and written() tells.
///
///     std::unique_ptr<CopiedArray> copy = CopiedArray::of_bytes(bytes);
///     ... fill copy->room() ...
///     copy->seal();                   // from now on writes are noticed
///
/// Threads: everything from any thread; room() is filled before the array is handed out. Bytes.
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
  /// Whether anybody wrote to the values: they are not those of the file any more.
  [[nodiscard]] virtual bool written() const = 0;
  /// Memory that was taken for it, save what a mapping brings in.
  [[nodiscard]] virtual std::int64_t bytes() const = 0;
};

/// Values that were copied to memory.
class CopiedArray : public WholeArray
{
public:
  /// nullptr if there is no such memory.
  [[nodiscard]] static std::unique_ptr<CopiedArray> of_bytes(std::int64_t bytes);
  ~CopiedArray() override;

  [[nodiscard]] std::byte* room() { return room_; }
  /// Where the system refuses, writes are not noticed.
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
