// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Memory/Residency.h"

#include "Base/Bytes.h"
#include "Store/Memory/MappedPages.h"

#include <algorithm>
#include <thread>

namespace rivulet
{

namespace
{

constexpr std::int64_t kLongestInterval = 8 * kMiB;

} // namespace

Residency::Residency(ResidentOwner& owner, std::int64_t budget)
  : owner_(owner)
  , budget_(budget)
  , lease_({ .use = MemoryUse::MappedPages,
        .reclaim = [this](std::int64_t bytes)
        {
          return reclaim(bytes);
        } })
{
}

std::int64_t Residency::held() const
{
  return resident() + surplus_.load(std::memory_order_relaxed);
}

bool Residency::fits(std::int64_t resident, std::int64_t more) const
{
  return resident + surplus_.load(std::memory_order_relaxed) + more <= budget();
}

void Residency::arrive(std::int64_t bytes)
{
  std::int64_t resident = resident_.load(std::memory_order_relaxed);
  for (;;)
  {
    // The first brick is admitted for any budget: without one no thread goes on.
    if (resident != 0 && !fits(resident, bytes))
    {
      make_room(bytes);
      resident = resident_.load(std::memory_order_relaxed);
    }
    else if (resident_.compare_exchange_weak(resident, resident + bytes, std::memory_order_relaxed))
    {
      break;
    }
  }
  count(bytes);
  note_peak(resident + bytes);
  MappedPages::process().note_arrived(bytes);
  if (unwatched_.fetch_add(bytes, std::memory_order_relaxed) + bytes >= interval())
  {
    watch_surplus(unwatched_.exchange(0, std::memory_order_relaxed));
  }
}

/// At the process's limit, bricks of this mapping are dropped.
void Residency::count(std::int64_t bytes)
{
  if (!lease_.try_take(bytes))
  {
    {
      const std::lock_guard lock(mutex_);
      drop_until(held() / 4 * 3 - bytes);
    }
    lease_.take(bytes);
  }
}

void Residency::depart(std::int64_t bytes)
{
  resident_.fetch_sub(bytes, std::memory_order_relaxed);
  lease_.give_back(bytes);
}

void Residency::note_peak(std::int64_t resident)
{
  std::int64_t seen = peak_.load(std::memory_order_relaxed);
  while (seen < resident && !peak_.compare_exchange_weak(seen, resident, std::memory_order_relaxed))
  {
  }
}

std::int64_t Residency::interval() const
{
  return std::min(budget() / 64, kLongestInterval);
}

void Residency::set_budget(std::int64_t bytes)
{
  budget_.store(bytes, std::memory_order_relaxed);
  if (!fits(resident(), 0))
  {
    make_room(0);
  }
}

void Residency::make_room(std::int64_t bytes)
{
  const std::lock_guard lock(mutex_);
  if (!fits(resident(), bytes))
  {
    drop_until(budget() / 4 * 3 - bytes);
  }
}

std::int64_t Residency::reclaim(std::int64_t bytes)
{
  const std::lock_guard lock(mutex_);
  return drop_until(held() - bytes);
}

std::int64_t Residency::drop_until(std::int64_t target)
{
  std::int64_t all = 0;
  do
  {
    const std::int64_t before = file_backed_memory();
    const std::int64_t excess = held() - target;
    const std::int64_t dropped = owner_.drop(std::max<std::int64_t>(1, std::min(excess, resident())));
    if (dropped == 0)
    {
      // Counted bricks may not have been read yet: their threads are about to.
      surplus_.store(0, std::memory_order_relaxed);
      std::this_thread::yield();
      return all;
    }
    depart(dropped);
    all += dropped;
    const std::int64_t freed = before - file_backed_memory();
    MappedPages::process().note_freed(freed);
    const std::int64_t surplus = surplus_.load(std::memory_order_relaxed) - std::max<std::int64_t>(0, freed - dropped);
    surplus_.store(resident() == 0 ? 0 : std::max<std::int64_t>(0, surplus), std::memory_order_relaxed);
  } while (held() > std::max<std::int64_t>(0, target));
  return all;
}

void Residency::watch_surplus(std::int64_t arrived)
{
  const std::lock_guard lock(mutex_);
  const ProcessPages now{
    .bytes = file_backed_memory(), .arrived = MappedPages::process().arrived(), .freed = MappedPages::process().freed()
  };
  const std::int64_t all = now.arrived - seen_.arrived;
  const std::int64_t unexplained = now.bytes - seen_.bytes - all + (now.freed - seen_.freed);
  if (seen_.arrived > 0 && all > 0)
  {
    // Several fields may be read at once: each gets its share. Pages that the kernel had mapped before a brick arrived
    // do not grow then, so that the surplus becomes smaller.
    const double share = std::min(1.0, static_cast<double>(arrived) / static_cast<double>(all));
    const auto mine = static_cast<std::int64_t>(share * static_cast<double>(unexplained));
    surplus_.store(
        std::max<std::int64_t>(0, surplus_.load(std::memory_order_relaxed) + mine), std::memory_order_relaxed);
  }
  seen_ = now;
  if (!fits(resident(), 0))
  {
    drop_until(budget() / 4 * 3);
  }
}

} // namespace rivulet
