// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Access/AsyncBricks.h"

#include "Store/Read/ReadScheduler.h"

#include <algorithm>

namespace rivulet
{

AsyncBricks::AsyncBricks(const ExtentReader::Setup& setup, std::int64_t memory_budget)
  : LocatedBricks(setup.locator)
  , reader_(setup)
  , cache_(*this, { .slot_bytes = setup.locator->slot_bytes(), .bytes_of = bytes_of_bricks() })
{
  set_memory_budget(memory_budget);
}

Result<std::shared_ptr<LocatedBricks>> AsyncBricks::open(
    const ExtentReader::Setup& setup, std::int64_t memory_budget, const Reading& reading)
{
  std::shared_ptr<AsyncBricks> bricks(new AsyncBricks(setup, memory_budget));
  if (Result<void> opened = bricks->reader_.open_files(); !opened)
  {
    return forward_error(opened);
  }
  std::unique_ptr<ReadEngine> engine = open_read_engine(reading.io_uring ? EngineChoice::Best : EngineChoice::Threads);
  bricks->engine_name_ = engine->name();
  bricks->local_cache_ = reading.local_cache;
  if (reading.local_cache)
  {
    bricks->reader_.name_contents();
  }
  engine = std::make_unique<LocalCacheReads>(
      std::move(engine), reading.local_cache, bricks->counts_, LocalCacheReads::Options{ .if_busy = reading.if_busy });
  bricks->start(reading.wrap ? reading.wrap(std::move(engine)) : std::move(engine));
  return bricks;
}

void AsyncBricks::start(std::unique_ptr<ReadEngine> engine)
{
  cache_.start(std::make_unique<ReadScheduler>(reader_), std::move(engine));
}

void AsyncBricks::request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles)
{
  if (!locator().exists(key))
  {
    waiter.brick_arrived(key, no_such_brick());
    return;
  }
  cache_.request({ key, locator().number(key) }, waiter, particles);
}

void AsyncBricks::prefetch(std::span<const BrickKey> keys, std::int64_t priority)
{
  for (const BrickKey& key : keys)
  {
    if (locator().exists(key))
    {
      cache_.prefetch({ key, locator().number(key) }, priority);
    }
  }
}

/// The cache uses one slot even if its share is smaller.
void AsyncBricks::set_memory_budget(std::int64_t bytes)
{
  budget_.store(bytes, std::memory_order_relaxed);
  const std::int64_t staging = reader_.staging_share(bytes, ExtentReader::kMostStaging);
  reader_.staging().set_limit(staging);
  cache_.set_memory_budget(std::max<std::int64_t>(1, bytes - staging));
}

std::int64_t AsyncBricks::working_minimum(int workers) const
{
  return reader_.working_minimum(workers, cache_.slot_bytes());
}

SourceStatistics AsyncBricks::statistics() const
{
  SourceStatistics statistics = cache_.statistics();
  statistics.peak_bytes += reader_.staging().peak();
  statistics.bytes_from_local_cache = counts_->bytes.load();
  statistics.bytes_read = std::max<std::int64_t>(0, statistics.bytes_read - statistics.bytes_from_local_cache);
  return statistics;
}

std::string AsyncBricks::reader() const
{
  return "They are read by " + engine_name_ + "." + report_on(local_cache_.get(), *counts_);
}

} // namespace rivulet
