// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Access/AsyncBricks.h"

#include "Store/Read/ExtentReads.h"

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
  std::unique_ptr<ReadEngine> engine =
      open_read_engine({}, reading.io_uring ? EngineChoice::Best : EngineChoice::Threads);
  bricks->engine_name_ = engine->name();
  if (!reading.service.empty())
  {
    bricks->service_ = std::make_shared<ServiceCounts>();
    auto asked = std::make_unique<ServiceReads>(
        std::move(engine), [address = reading.service] { return open_byte_service(address); }, 0, bricks->service_);
    bricks->service_reads_ = asked.get();
    bricks->set_memory_budget(memory_budget);
    bricks->reader_.name_contents();
    engine = std::move(asked);
  }
  bricks->start(reading.wrap ? reading.wrap(std::move(engine)) : std::move(engine));
  return bricks;
}

void AsyncBricks::start(std::unique_ptr<ReadEngine> engine)
{
  cache_.start(std::make_unique<ExtentReads>(reader_), std::move(engine), locator().read_places());
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

void AsyncBricks::cancel(const BrickKey& key, BrickWaiter& waiter)
{
  if (locator().exists(key))
  {
    cache_.cancel(locator().number(key), waiter);
  }
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
  const std::int64_t service = service_ ? std::min(kMostService, bytes / 8) : 0;
  service_bytes_.store(service);
  if (service_reads_ != nullptr)
  {
    service_reads_->set_memory(service);
  }
  cache_.set_memory_budget(std::max<std::int64_t>(1, bytes - staging - service));
}

/// With a service, an eighth of the budget is for that.
std::int64_t AsyncBricks::working_minimum(int workers) const
{
  const std::int64_t bricks = reader_.working_minimum(workers, cache_.slot_bytes());
  return service_ ? bricks + bricks / 6 + 1 : bricks;
}

SourceStatistics AsyncBricks::statistics() const
{
  SourceStatistics statistics = cache_.statistics();
  statistics.peak_bytes += reader_.staging().peak() + service_bytes_.load();
  if (service_)
  {
    statistics.bytes_from_service = service_->bytes.load();
    statistics.bytes_read = std::max<std::int64_t>(0, statistics.bytes_read - statistics.bytes_from_service);
  }
  return statistics;
}

std::string AsyncBricks::reader() const
{
  std::string text = "They are read by " + engine_name_ + ".";
  if (service_)
  {
    text += " The service had " + std::to_string(service_->found.load()) + " of " +
            std::to_string(service_->found.load() + service_->missing.load()) +
            " reads that it was asked for, and got " + std::to_string(service_->kept.load()) + ".";
    const std::string trouble = service_->trouble();
    text += trouble.empty() ? "" : " Trouble with it, for which files were read: " + trouble;
  }
  return text;
}

} // namespace rivulet
