// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/SlotMemory.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <sys/mman.h>
#include <utility>

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
  lease_.end_reclaim();
  for (const Slab& slab : slabs_)
  {
    ::munmap(slab.begin, static_cast<std::size_t>(slab.bytes));
  }
}

void SlotMemory::set_capacity(std::int64_t slots)
{
  if (slots < capacity_.exchange(slots))
  {
    const std::lock_guard lock(mutex_);
    end_huge_pages(); // slabs may reach beyond the capacity now
  }
}

/// Adds a slab; a small one if the system refuses a larger address range.
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
  // A huge page holds memory of slots that are not counted yet, but of none beyond the capacity.
  const bool fits = static_cast<std::int64_t>(slots_.size()) + slots <= capacity();
  ::madvise(begin, static_cast<std::size_t>(bytes), huge_ && fits ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
  slabs_.push_back({ static_cast<std::byte*>(begin), bytes });
  slab_used_ = 0;
  return true;
}

/// Whether there is address space for one more slot; adds a slab if needed.
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
  // Reserved here, so that giving a slot back allocates nothing.
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

Slot* SlotMemory::spare_slot()
{
  const std::lock_guard lock(mutex_);
  Slot* slot = spare_.empty() ? nullptr : spare_.back();
  if (slot != nullptr)
  {
    spare_.pop_back();
  }
  return slot;
}

bool SlotMemory::reserve()
{
  std::int64_t held = held_.load();
  while (held < capacity())
  {
    if (held_.compare_exchange_weak(held, held + 1))
    {
      return true;
    }
  }
  return false;
}

Slot* SlotMemory::take()
{
  Slot* slot = spare_slot();
  if (slot != nullptr || !reserve())
  {
    return slot;
  }
  if (lease_.try_take(slot_bytes_))
  {
    const std::lock_guard lock(mutex_);
    slot = bare_slot();
    if (slot != nullptr)
    {
      peak_.store(std::max(peak(), held()), std::memory_order_relaxed);
      return slot;
    }
    lease_.give_back(slot_bytes_);
  }
  held_.fetch_sub(1);
  return nullptr;
}

bool SlotMemory::can_take()
{
  {
    const std::lock_guard lock(mutex_);
    if (!spare_.empty() || held() >= capacity() || !has_room())
    {
      return !spare_.empty();
    }
  }
  const bool allowed = lease_.try_take(slot_bytes_);
  lease_.give_back(allowed ? slot_bytes_ : 0);
  return allowed;
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
  spare_.push_back(&slot);
}

void SlotMemory::trim()
{
  const std::lock_guard lock(mutex_);
  while (over_capacity() && !spare_.empty())
  {
    free_pages(*spare_.back());
    spare_.pop_back();
  }
}

std::int64_t SlotMemory::drop_spare(std::int64_t slots)
{
  const std::lock_guard lock(mutex_);
  std::int64_t dropped = 0;
  for (; dropped < slots && !spare_.empty(); ++dropped)
  {
    free_pages(*spare_.back());
    spare_.pop_back();
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
  for (const Slab& slab : slabs_)
  {
    ::madvise(slab.begin, static_cast<std::size_t>(slab.bytes), MADV_NOHUGEPAGE);
  }
  if (!slabs_.empty())
  {
    const Slab& last = slabs_.back();
    const std::int64_t used = round_up(slab_used_, kPage);
    ::madvise(last.begin + used, static_cast<std::size_t>(last.bytes - used), MADV_DONTNEED);
  }
}

void SlotMemory::free_pages(Slot& slot)
{
  if (on_drop_)
  {
    on_drop_(slot.data);
  }
  end_huge_pages();
  ::madvise(slot.data, static_cast<std::size_t>(slot_bytes_), MADV_DONTNEED);
  bare_.push_back(&slot);
  held_.fetch_sub(1);
  lease_.give_back(slot_bytes_);
}

} // namespace rivulet
