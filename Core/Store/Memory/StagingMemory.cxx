// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/StagingMemory.h"

#include "Base/Bytes.h"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace rivulet
{

StagingMemory::StagingMemory(std::int64_t limit)
  : limit_(limit)
  , lease_({ .use = MemoryUse::Staging,
        .minimum = kLargest,
        .reclaim = [this](std::int64_t bytes)
        {
          return reclaim(bytes);
        } })
{
}

std::size_t StagingMemory::size_number(std::int64_t bytes)
{
  const auto pieces = static_cast<std::uint64_t>((std::max(bytes, kSmallest) + kSmallest - 1) / kSmallest);
  return static_cast<std::size_t>(std::countr_zero(std::bit_ceil(pieces)));
}

std::byte* StagingMemory::take(std::int64_t bytes)
{
  const std::lock_guard lock(mutex_);
  return take_locked(bytes);
}

std::byte* StagingMemory::take_or_wait(std::int64_t bytes)
{
  std::unique_lock lock(mutex_);
  std::byte* memory = take_locked(bytes);
  while (memory == nullptr && used_ > 0)
  {
    returned_.wait(lock);
    memory = take_locked(bytes);
  }
  return memory;
}

bool StagingMemory::idle() const
{
  const std::lock_guard lock(mutex_);
  return used_ == 0;
}

std::byte* StagingMemory::take_locked(std::int64_t bytes)
{
  const std::size_t number = size_number(bytes);
  const std::int64_t size = kSmallest << number;
  if (!spare_[number].empty())
  {
    used_ += size;
    std::byte* memory = spare_[number].back();
    spare_[number].pop_back();
    return memory;
  }
  drop_spare(limit_ - size);
  if ((held_ + size > limit_ && used_ > 0) || !count(size))
  {
    return nullptr;
  }
  auto* memory = static_cast<std::byte*>(std::aligned_alloc(kPage, static_cast<std::size_t>(size)));
  if (memory == nullptr)
  {
    lease_.give_back(size);
    return nullptr;
  }
  held_ += size;
  used_ += size;
  peak_ = std::max(peak_, held_);
  return memory;
}

bool StagingMemory::count(std::int64_t bytes)
{
  if (lease_.try_take(bytes))
  {
    return true;
  }
  drop_spare(0);
  if (used_ > 0)
  {
    return lease_.try_take(bytes);
  }
  lease_.take(bytes);
  return true;
}

/// Another thread may hold the mutex while it waits for its turn to reclaim.
std::int64_t StagingMemory::reclaim(std::int64_t bytes)
{
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock)
  {
    return 0;
  }
  const std::int64_t before = held_;
  drop_spare(before - bytes);
  return before - held_;
}

void StagingMemory::give_back(std::byte* memory, std::int64_t bytes)
{
  const std::size_t number = size_number(bytes);
  const std::lock_guard lock(mutex_);
  spare_[number].push_back(memory);
  used_ -= kSmallest << number;
  drop_spare(limit_);
  returned_.notify_all();
}

void StagingMemory::set_limit(std::int64_t bytes)
{
  const std::lock_guard lock(mutex_);
  limit_ = bytes;
  drop_spare(limit_);
}

std::int64_t StagingMemory::peak() const
{
  const std::lock_guard lock(mutex_);
  return peak_;
}

// Frees spare pieces until at most `most` bytes are held.
void StagingMemory::drop_spare(std::int64_t most)
{
  for (std::size_t number = 0; number < kSizes; ++number)
  {
    for (; held_ > most && !spare_[number].empty(); spare_[number].pop_back())
    {
      std::free(spare_[number].back());
      lease_.give_back(kSmallest << number);
      held_ -= kSmallest << number;
    }
  }
}

} // namespace rivulet
