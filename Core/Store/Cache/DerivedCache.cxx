// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Cache/DerivedCache.h"

#include "Store/Memory/MemoryAccount.h"

#include <system_error>

namespace rivulet
{

std::function<std::int64_t(const BrickKey&)> bytes_in(const BrickCut& cut, const Variable& variable)
{
  return [&cut, tuple = static_cast<std::int64_t>(variable.tuple_bytes())](const BrickKey& key)
  {
    return cut.nodes_of(key.index) * tuple;
  };
}

DerivedCache::DerivedCache(BrickSource& owner, BrickLoader& loader, std::int64_t bricks,
    const BrickCacheOptions& options, const std::function<int()>& at_once, std::int32_t steps)
  : bricks_(bricks)
  , steps_(steps)
{
  BrickCacheOptions known = options;
  known.use = MemoryUse::MadeBricks;
  known.memory_budget = options.memory_budget > 0 ? options.memory_budget : default_memory_budget();
  if (at_once)
  {
    try
    {
      later_ = std::make_unique<FetchedCache>(owner, known);
      later_->start(loader, at_once);
      return;
    }
    catch (const std::system_error&) // the system gives no thread
    {
      later_.reset();
    }
  }
  at_once_ = std::make_unique<BrickCache>(owner, loader, known);
}

bool DerivedCache::exists(const BrickKey& key) const
{
  return key.index >= 0 && key.index < bricks_ && key.variable == 0 && key.step >= 0 && key.step < steps_;
}

Lookup DerivedCache::try_get(const BrickKey& key)
{
  if (!exists(key))
  {
    return { Lookup::State::Failed, {},
      std::make_shared<const Error>(Error{ ErrorCode::BadArgument, "there is no such brick", {}, {} }) };
  }
  return later_ ? later_->find({ key, order(key) }) : at_once_->try_get(key);
}

void DerivedCache::request(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles)
{
  if (!exists(key))
  {
    waiter.brick_arrived(key, try_get(key));
    return;
  }
  later_ ? later_->request({ key, order(key) }, waiter, particles) : at_once_->request(key, waiter);
}

void DerivedCache::withdraw(const BrickWaiter& waiter)
{
  if (later_)
  {
    later_->withdraw(waiter);
  }
}

void DerivedCache::unpin(void* token)
{
  later_ ? later_->unpin(token) : at_once_->unpin(token);
}

std::int64_t DerivedCache::slot_bytes() const
{
  return later_ ? later_->slot_bytes() : at_once_->slot_bytes();
}

std::int64_t DerivedCache::memory_budget() const
{
  return later_ ? later_->memory_budget() : at_once_->memory_budget();
}

void DerivedCache::set_memory_budget(std::int64_t bytes)
{
  const std::int64_t budget = bytes > 0 ? bytes : default_memory_budget();
  later_ ? later_->set_memory_budget(budget) : at_once_->set_memory_budget(budget);
}

SourceStatistics DerivedCache::statistics() const
{
  const SourceStatistics cache = later_ ? later_->statistics() : at_once_->statistics();
  return { .cache_hits = cache.cache_hits, .cache_misses = cache.cache_misses, .peak_bytes = cache.peak_bytes };
}

} // namespace rivulet
