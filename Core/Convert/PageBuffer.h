// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A large page-aligned block of memory, zeroed, backed by huge pages where the kernel has them: copies into it then
/// cost a five-hundredth of the page faults. Movable; freed by the destructor.
///
///     Result<PageBuffer> buffer = PageBuffer::allocate(64 * kMiB);
///     read(..., buffer->data());
#pragma once

#include "Base/Result.h"

#include <cstddef>
#include <utility>

namespace rivulet
{

class PageBuffer
{
public:
  PageBuffer() = default;
  PageBuffer(PageBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr))
    , bytes_(std::exchange(other.bytes_, 0))
  {
  }
  PageBuffer& operator=(PageBuffer&& other) noexcept
  {
    std::swap(data_, other.data_);
    std::swap(bytes_, other.bytes_);
    return *this;
  }
  PageBuffer(const PageBuffer&) = delete;
  PageBuffer& operator=(const PageBuffer&) = delete;
  ~PageBuffer();

  /// Fails with BudgetTooSmall when the system has no such memory.
  [[nodiscard]] static Result<PageBuffer> allocate(std::int64_t bytes);

  [[nodiscard]] std::byte* data() const { return data_; }

private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

} // namespace rivulet
