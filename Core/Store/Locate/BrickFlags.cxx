// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Locate/BrickFlags.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace rivulet
{

BrickFlags::BrickFlags(std::int64_t count)
  : count_(count)
{
  void* words = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (words == MAP_FAILED)
  {
    throw std::bad_alloc();
  }
  words_ = static_cast<std::atomic<std::uint64_t>*>(words); // zeroed pages are valid lock-free atomics
}

BrickFlags::~BrickFlags()
{
  ::munmap(static_cast<void*>(words_), bytes());
}

std::size_t BrickFlags::bytes() const
{
  return static_cast<std::size_t>(count_ / kPerWord + 1) * sizeof(std::uint64_t);
}

std::int64_t BrickFlags::skip_empty(std::int64_t from) const
{
  while (from < count_ && word(from).load(std::memory_order_relaxed) == 0)
  {
    from = (from / kPerWord + 1) * kPerWord;
  }
  return std::min(from, count_);
}

} // namespace rivulet
