// SPDX-License-Identifier: BSD-3-Clause
#include "ScarceMemory.h"

#include <cstdlib>
#include <new>

namespace
{

thread_local long allocations_left = -1;

} // namespace

bool rivulet::test::set_allocations_left(long left)
{
  const bool waiting = allocations_left >= 0;
  allocations_left = left;
  return waiting;
}

void* operator new(std::size_t size)
{
  void* const made = allocations_left == 0 ? nullptr : std::malloc(size == 0 ? 1 : size);
  allocations_left -= allocations_left >= 0 ? 1 : 0;
  return made != nullptr ? made : throw std::bad_alloc();
}

void operator delete(void* memory) noexcept
{
  std::free(memory);
}

void operator delete(void* memory, std::size_t /*size*/) noexcept
{
  std::free(memory);
}
