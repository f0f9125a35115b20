// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Buffer.h"

#include <new>
#include <sys/mman.h>

namespace rivulet
{

void* allocate_on_heap(std::size_t bytes)
{
  static constexpr std::size_t kHugePage = std::size_t{ 1 } << 21;
  if (bytes == 0)
  {
    return nullptr;
  }
  const bool large = bytes >= 2 * kHugePage;
  // Rounded up for aligned_alloc. The rest after the last whole huge page stays on small pages, and of these only
  // touched ones are taken.
  void* memory =
      large ? std::aligned_alloc(kHugePage, (bytes + kHugePage - 1) / kHugePage * kHugePage) : std::malloc(bytes);
  if (memory == nullptr)
  {
    throw std::bad_alloc();
  }
#ifdef MADV_HUGEPAGE
  if (large)
  {
    ::madvise(memory, bytes / kHugePage * kHugePage, MADV_HUGEPAGE); // a hint: kernels without huge pages refuse it
  }
#endif
  return memory;
}

} // namespace rivulet
