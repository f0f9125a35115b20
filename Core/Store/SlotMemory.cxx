// SPDX-License-Identifier: BSD-3-Clause
#include "Store/SlotMemory.h"

#include "Base/Bytes.h"
#include "Store/MemoryPool.h"

#include <algorithm>
#include <sys/mman.h>

namespace rivulet
{

namespace
{

constexpr std::int64_t kSlab = 64 * kMiB;

void* map(std::int64_t bytes)
{
  return ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

} // namespace

SlotMemory::~SlotMemory()
{
  for (const Slab& slab : slabs_)
  {
    ::munmap(slab.begin, static_cast<std::size_t>(slab.bytes));
  }
  MemoryPool::process().give_back(held() * slot_bytes_);
}

/// A small one where the system refuses the addresses for more.
bool SlotMemory::add_slab()
{
  std::int64_t slots = std::max<std::int64_t>(1, kSlab / slot_bytes_);
  std::int64_t bytes = slots * slot_bytes_;
  void* begin = map(bytes);
  while (begin == MAP_FAILED && slots > 1)
  {
    slots /= 2;
    bytes = slots * slot_bytes_;
    begin = map(bytes);
  }
  if (begin == MAP_FAILED)
  {
    return false;
  }
  // A huge page would hold memory that no slot accounts for.
  ::madvise(begin, static_cast<std::size_t>(bytes), MADV_NOHUGEPAGE);
  slabs_.push_back({ static_cast<std::byte*>(begin), bytes });
  slab_used_ = 0;
  return true;
}

/// For one slot more, if the system has it.
bool SlotMemory::has_room()
{
  const bool in_slab = !slabs_.empty() && slab_used_ + slot_bytes_ <= slabs_.back().bytes;
  return !bare_.empty() || in_slab || add_slab();
}

Slot* SlotMemory::bare_slot()
{
  if (!bare_.empty())
  {
    Slot* slot = bare_.back();
    bare_.pop_back();
    return slot;
  }
  if (!has_room())
  {
    return nullptr;
  }
  // Who gives a slot back needs no memory for it.
  if (spare_.capacity() == slots_.size() || bare_.capacity() == slots_.size())
  {
    spare_.reserve(2 * slots_.size() + 64);
    bare_.reserve(2 * slots_.size() + 64);
  }
  Slot& slot = slots_.emplace_back();
  slot.data = slabs_.back().begin + slab_used_;
  slab_used_ += slot_bytes_;
  return &slot;
}

Slot* SlotMemory::take()
{
  const std::lock_guard lock(mutex_);
  if (!spare_.empty())
  {
    Slot* slot = spare_.back();
    spare_.pop_back();
    return slot;
  }
  if (held() >= capacity() || !MemoryPool::process().try_take(slot_bytes_))
  {
    return nullptr;
  }
  Slot* slot = bare_slot();
  if (slot == nullptr)
  {
    MemoryPool::process().give_back(slot_bytes_);
    return nullptr;
  }
  held_.store(held() + 1, std::memory_order_relaxed);
  peak_.store(std::max(peak(), held()), std::memory_order_relaxed);
  return slot;
}

bool SlotMemory::can_take()
{
  const std::lock_guard lock(mutex_);
  const MemoryPool& pool = MemoryPool::process();
  return !spare_.empty() || (held() < capacity() && slot_bytes_ <= pool.cap() - pool.used() && has_room());
}

void SlotMemory::give_back(Slot& slot)
{
  const std::lock_guard lock(mutex_);
  slot.state = Slot::State::Free;
  slot.error.reset();
  if (over_capacity())
  {
    drop(slot);
    return;
  }
  spare_.push_back(&slot);
}

void SlotMemory::trim()
{
  const std::lock_guard lock(mutex_);
  while (over_capacity() && !spare_.empty())
  {
    drop(*spare_.back());
    spare_.pop_back();
  }
}

void SlotMemory::drop(Slot& slot)
{
  if (on_drop_)
  {
    on_drop_(slot.data);
  }
  ::madvise(slot.data, static_cast<std::size_t>(slot_bytes_), MADV_DONTNEED);
  bare_.push_back(&slot);
  held_.store(held() - 1, std::memory_order_relaxed);
  MemoryPool::process().give_back(slot_bytes_);
}

} // namespace rivulet
