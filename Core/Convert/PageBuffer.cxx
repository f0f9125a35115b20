// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/PageBuffer.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <cerrno>
#include <sys/mman.h>

namespace rivulet
{

PageBuffer::~PageBuffer()
{
  if (data_ != nullptr)
  {
    ::munmap(data_, bytes_);
  }
}

Result<PageBuffer> PageBuffer::allocate(std::int64_t bytes)
{
  PageBuffer buffer;
  buffer.bytes_ = static_cast<std::size_t>(round_up(std::max<std::int64_t>(bytes, 1), kPage));
  void* memory = ::mmap(nullptr, buffer.bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
  {
    return fail(ErrorCode::BudgetTooSmall, "the system refused " + format_bytes(bytes) + " of memory",
        "lower the memory limit", {}, -1, errno);
  }
  ::madvise(memory, buffer.bytes_, MADV_HUGEPAGE); // a wish; kernels without huge pages refuse it
  buffer.data_ = static_cast<std::byte*>(memory);
  return buffer;
}

} // namespace rivulet
