// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/SlotMemory.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <bit>
#include <sys/mman.h>
#include <utility>

namespace rivulet
{

namespace
{

constexpr std::int64_t kSlab = 64 * kMiB;
constexpr std::int64_t kFirstSlab = 4 * kMiB; ///< of slots that are not the largest: there may be few of them

void* map(std::int64_t bytes)
{
  return ::mmap(nullptr, static_cast<std::size_t>(bytes), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}

} // namespace

SlotMemory::~SlotMemory()
{
  lease_.end_reclaim();
  for (const auto& [size, pool] : pools_)
  {
    for (const Slab& slab : pool.slabs)
    {
      ::munmap(slab.begin, static_cast<std::size_t>(slab.bytes));
    }
  }
}

/// Sixteen sizes between a power of two and the next.
std::int64_t SlotMemory::size_for(std::int64_t bytes) const
{
  constexpr unsigned sizes = 16;
  const auto pages = static_cast<std::uint64_t>((std::max<std::int64_t>(1, bytes) + kPage - 1) / kPage);
  const std::uint64_t step = std::max<std::uint64_t>(1, std::bit_floor(pages) / sizes);
  return std::min(slot_bytes_, static_cast<std::int64_t>((pages + step - 1) / step * step) * kPage);
}

void SlotMemory::set_capacity(std::int64_t bytes)
{
  if (bytes < capacity_.exchange(bytes))
  {
    const std::lock_guard lock(mutex_);
    end_huge_pages(); // slabs may reach beyond the capacity now
  }
}

/// Adds a slab; a small one if the system refuses a larger address range.
bool SlotMemory::add_slab(Pool& pool, std::int64_t size)
{
  const std::int64_t wanted = size == slot_bytes_  ? kSlab
                              : pool.slabs.empty() ? kFirstSlab
                                                   : std::min(kSlab, 2 * pool.slabs.back().bytes);
  std::int64_t slots = std::max<std::int64_t>(1, wanted / size);
  std::int64_t bytes = slots * size;
  void* begin = map(bytes);
  while (begin == MAP_FAILED && slots > 1)
  {
    slots /= 2;
    bytes = slots * size;
    begin = map(bytes);
  }
  if (begin == MAP_FAILED)
  {
    return false;
  }
  // A huge page holds memory of slots that are not counted yet, but of none beyond the capacity.
  const bool fits = mapped_ + bytes <= capacity();
  ::madvise(begin, static_cast<std::size_t>(bytes), huge_ && fits ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  pool.slabs.push_back({ static_cast<std::byte*>(begin), bytes });
  pool.slab_used = 0;
  mapped_ += bytes;
  return true;
}

/// Whether there is address space for one more slot; adds a slab if needed.
bool SlotMemory::has_room(Pool& pool, std::int64_t size)
{
  const bool in_slab = !pool.slabs.empty() && pool.slab_used + size <= pool.slabs.back().bytes;
  return !pool.bare.empty() || in_slab || add_slab(pool, size);
}

Slot* SlotMemory::bare_slot(Pool& pool, std::int64_t size)
{
  if (!pool.bare.empty())
  {
    Slot* slot = pool.bare.back();
    pool.bare.pop_back();
    return slot;
  }
  if (!has_room(pool, size))
  {
    return nullptr;
  }
  // Reserved here, so that giving a slot back allocates nothing.
  if (pool.spare.capacity() == pool.slots || pool.bare.capacity() == pool.slots)
  {
    pool.spare.reserve(2 * pool.slots + 64);
    pool.bare.reserve(2 * pool.slots + 64);
  }
  Slot& slot = slots_.emplace_back();
  ++pool.slots;
  slot.data = pool.slabs.back().begin + pool.slab_used;
  slot.bytes = size;
  pool.slab_used += size;
  return &slot;
}

Slot* SlotMemory::spare_slot(std::int64_t size)
{
  const std::lock_guard lock(mutex_);
  std::vector<Slot*>& spare = pools_[size].spare;
  Slot* slot = spare.empty() ? nullptr : spare.back();
  if (slot != nullptr)
  {
    spare.pop_back();
    spare_bytes_ -= size;
  }
  return slot;
}

bool SlotMemory::reserve(std::int64_t size)
{
  std::int64_t held = held_.load();
  while (held + size <= capacity())
  {
    if (held_.compare_exchange_weak(held, held + size))
    {
      return true;
    }
  }
  return false;
}

Slot* SlotMemory::take(std::int64_t bytes)
{
  const std::int64_t size = size_for(bytes);
  if (Slot* slot = spare_slot(size))
  {
    return slot;
  }
  for (;;)
  {
    if (Slot* slot = reserve(size) ? new_slot(size) : nullptr)
    {
      return slot;
    }
    if (drop_spare(1) == 0) // of other sizes
    {
      return nullptr;
    }
  }
}

/// A slot that has been counted as held. If the account or the system has no memory for it, it is not counted any more.
Slot* SlotMemory::new_slot(std::int64_t size)
{
  if (lease_.try_take(size))
  {
    const std::lock_guard lock(mutex_);
    if (Slot* slot = bare_slot(pools_[size], size))
    {
      peak_.store(std::max(peak(), held()), std::memory_order_relaxed);
      return slot;
    }
    lease_.give_back(size);
  }
  held_.fetch_sub(size);
  return nullptr;
}

bool SlotMemory::can_take(std::int64_t bytes)
{
  const std::int64_t size = size_for(bytes);
  {
    const std::lock_guard lock(mutex_);
    Pool& pool = pools_[size];
    if (!pool.spare.empty())
    {
      return true;
    }
    if (size > capacity() - held() + spare_bytes_ || !has_room(pool, size))
    {
      return false;
    }
    if (spare_bytes_ >= size)
    {
      return true;
    }
  }
  const bool allowed = lease_.try_take(size);
  lease_.give_back(allowed ? size : 0);
  return allowed;
}

std::int64_t SlotMemory::available()
{
  const std::lock_guard lock(mutex_);
  return capacity() - held() + spare_bytes_;
}

void SlotMemory::give_back(Slot& slot)
{
  const std::lock_guard lock(mutex_);
  slot.state = Slot::State::Free;
  slot.error.reset();
  if (over_capacity())
  {
    free_pages(slot);
    return;
  }
  pools_[slot.bytes].spare.push_back(&slot);
  spare_bytes_ += slot.bytes;
}

/// Takes a spare slot of any size out of its list; nullptr if there is none.
Slot* SlotMemory::next_spare()
{
  for (auto& [size, pool] : pools_)
  {
    if (!pool.spare.empty())
    {
      Slot* slot = pool.spare.back();
      pool.spare.pop_back();
      spare_bytes_ -= size;
      return slot;
    }
  }
  return nullptr;
}

void SlotMemory::trim()
{
  const std::lock_guard lock(mutex_);
  Slot* slot = nullptr;
  while (over_capacity() && (slot = next_spare()) != nullptr)
  {
    free_pages(*slot);
  }
}

std::int64_t SlotMemory::drop_spare(std::int64_t bytes)
{
  const std::lock_guard lock(mutex_);
  std::int64_t dropped = 0;
  Slot* slot = nullptr;
  while (dropped < bytes && (slot = next_spare()) != nullptr)
  {
    dropped += slot->bytes;
    free_pages(*slot);
  }
  return dropped;
}

void SlotMemory::drop(Slot& slot)
{
  const std::lock_guard lock(mutex_);
  free_pages(slot);
}

/// The system would make huge pages again of the pages around a dropped slot, and fill the gap.
void SlotMemory::end_huge_pages()
{
  if (!std::exchange(huge_, false))
  {
    return;
  }
  for (const auto& [size, pool] : pools_)
  {
    for (const Slab& slab : pool.slabs)
    {
      ::madvise(slab.begin, static_cast<std::size_t>(slab.bytes), MADV_NOHUGEPAGE);
    }
    if (!pool.slabs.empty())
    {
      const Slab& last = pool.slabs.back();
      const std::int64_t used = round_up(pool.slab_used, kPage);
      ::madvise(last.begin + used, static_cast<std::size_t>(last.bytes - used), MADV_DONTNEED);
    }
  }
}

void SlotMemory::free_pages(Slot& slot)
{
  end_huge_pages();
  ::madvise(slot.data, static_cast<std::size_t>(slot.bytes), MADV_DONTNEED);
  pools_[slot.bytes].bare.push_back(&slot);
  held_.fetch_sub(slot.bytes);
  lease_.give_back(slot.bytes);
}

} // namespace rivulet
