// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bricks that are read by the thread that needs them, into a cache of our own, through the page cache (pread) or past
/// it (O_DIRECT): hilbert-user and native-user of Jiang et al., "Multi-Threaded Streamline Tracing for Data-Intensive
/// Architectures", LDAV 2014.
///
/// If extents are converted, an eighth of the budget is staging memory: at least 256 KiB, at most 256 KiB per thread.
///
/// Threads, lifetime and errors as in BrickSource.h. Bytes.
#pragma once

#include "Store/Access/LocatedBricks.h"
#include "Store/Cache/BrickCache.h"
#include "Store/Read/ExtentReader.h"

namespace rivulet
{

class CachedBricks final : public LocatedBricks, private BrickLoader
{
public:
  [[nodiscard]] static Result<std::shared_ptr<LocatedBricks>> open(
      const ExtentReader::Setup& setup, std::int64_t memory_budget);

  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    return locator().exists(key) ? cache_.try_get(key) : no_such_brick();
  }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t) override
  {
    locator().exists(key) ? cache_.request(key, waiter) : waiter.brick_arrived(key, no_such_brick());
  }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override
  {
    return reader_.working_minimum(workers, cache_.slot_bytes());
  }
  [[nodiscard]] SourceStatistics statistics() const override;
  [[nodiscard]] std::int64_t memory_budget() const override { return budget_.load(std::memory_order_relaxed); }
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] std::int64_t held_bytes() const override { return cache_.held_bytes(); }
  [[nodiscard]] bool holds(const BrickKey& key) override { return cache_.settled(key); }
  [[nodiscard]] Result<void> health() override { return reader_.health(); }

private:
  CachedBricks(const ExtentReader::Setup& setup, std::int64_t memory_budget);
  [[nodiscard]] Result<LoadedBrick> load(const BrickKey& key, std::byte* slot) override
  {
    return reader_.read_now(key, slot);
  }
  void unpin(void* token) override { cache_.unpin(token); }

  std::atomic<std::int64_t> budget_{ 0 };
  ExtentReader reader_;
  BrickCache cache_;
};

} // namespace rivulet
