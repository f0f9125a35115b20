// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// An address range of any size that reads as NaN, as float and as double, and takes almost no memory: the same few
/// pages, mapped again and again. Written values stay in private pages of the writer's process.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rivulet
{

class NanRegion
{
public:
  explicit NanRegion(std::int64_t bytes);
  NanRegion(const NanRegion&) = delete;
  NanRegion& operator=(const NanRegion&) = delete;
  ~NanRegion();

  /// nullptr only if the address space has no room.
  [[nodiscard]] void* data() const { return data_; }

private:
  void* data_ = nullptr;
  std::size_t bytes_;
};

} // namespace rivulet
