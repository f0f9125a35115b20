// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Source/WholeArray.h"

#include <algorithm>
#include <sys/mman.h>

namespace rivulet
{

std::unique_ptr<CopiedArray> CopiedArray::of_bytes(std::int64_t bytes)
{
  const std::int64_t length = std::max<std::int64_t>(bytes, 1);
  void* room =
      ::mmap(nullptr, static_cast<std::size_t>(length), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return room == MAP_FAILED ? nullptr
                            : std::unique_ptr<CopiedArray>(new CopiedArray(static_cast<std::byte*>(room), length));
}

CopiedArray::~CopiedArray()
{
  guard_.reset();
  ::munmap(room_, static_cast<std::size_t>(bytes_));
}

void CopiedArray::seal()
{
  guard_ = WriteGuard::over(room_, bytes_);
  if (guard_ != nullptr && ::mprotect(room_, static_cast<std::size_t>(bytes_), PROT_READ) != 0)
  {
    guard_.reset();
  }
}

} // namespace rivulet
