// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// An address range of any size that stands for values that cannot be had, and takes almost no memory: the same few
/// pages, mapped again and again. It reads as NaN, as float and as double, or as 0, for whole numbers. Written values
/// stay in private pages of the writer's process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rivulet
{

class MissingRegion
{
public:
  enum Value
  {
    NaN,
    Zero
  };

  MissingRegion(std::int64_t bytes, Value value);
  MissingRegion(const MissingRegion&) = delete;
  MissingRegion& operator=(const MissingRegion&) = delete;
  ~MissingRegion();

  /// nullptr only if the address space has no room.
  [[nodiscard]] void* data() const { return data_; }

private:
  void fill_with_nan();

  void* data_ = nullptr;
  std::size_t bytes_;
};

} // namespace rivulet
