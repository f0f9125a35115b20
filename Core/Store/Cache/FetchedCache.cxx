// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Cache/FetchedCache.h"

#include "Store/Cache/BrickBuilderPool.h"

#include <algorithm>

namespace rivulet
{

namespace
{

/// Upper limits on prefetched bricks, queued or being read: a number, and 1 / kShareAhead of the cache.
constexpr std::int64_t kMostAhead = 64;
constexpr std::int64_t kShareAhead = 8;

} // namespace

void FetchedCache::start(std::unique_ptr<BrickReads> reads, std::unique_ptr<ReadEngine> engine)
{
  filler_ = std::make_unique<BrickFetcher>(BrickPlaces{ cache_, requests_ }, std::move(reads), std::move(engine));
}

void FetchedCache::start(BrickLoader& loader, std::function<int()> at_once)
{
  filler_ = std::make_unique<BrickBuilderPool>(BrickPlaces{ cache_, requests_ }, loader, std::move(at_once));
}

void FetchedCache::request(const WantedBrick& brick, BrickWaiter& waiter, std::int64_t particles)
{
  const auto settled = [&]
  {
    return cache_.settled(brick.key) || cache_.without_memory(brick.key);
  };
  if (!requests_.add(brick, waiter, particles, settled))
  {
    waiter.brick_arrived(brick.key, cache_.find(brick.key));
    return;
  }
  filler_->notify();
}

void FetchedCache::prefetch(const WantedBrick& brick, std::int64_t priority)
{
  const std::int64_t most = std::min(kMostAhead, cache_.memory_budget() / cache_.slot_bytes() / kShareAhead);
  if (requests_.prefetch(brick, priority, most, [&] { return cache_.settled(brick.key); }))
  {
    filler_->notify();
  }
}

} // namespace rivulet
