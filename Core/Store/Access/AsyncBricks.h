// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bricks that are read while the callers do other work.
///
/// try_get() looks into the cache and request() leaves a request; neither waits for the disk. One thread of the source
/// (BrickFetcher.h) reads, checks and hands over.
///
/// With a local cache (LocalCacheReads.h) bricks that it has are not read from the field's own files.
///
/// If extents are converted, an eighth of the budget is staging memory: at least 256 KiB and at most
/// ExtentReader::kMostStaging.
///
/// Threads, lifetime and errors as in BrickSource.h. The destructor waits for reads under way and answers every
/// request. Bytes.
#pragma once

#include "Parallel/Team.h"
#include "Store/Access/LocatedBricks.h"
#include "Store/Cache/FetchedCache.h"
#include "Store/LocalCache/LocalCacheReads.h"
#include "Store/Read/ExtentReader.h"

#include <algorithm>
#include <functional>

namespace rivulet
{

class AsyncBricks final : public LocatedBricks
{
public:
  /// A function that wraps the engine, for tests with an engine that fails.
  using Wrap = std::function<std::unique_ptr<ReadEngine>(std::unique_ptr<ReadEngine>)>;

  /// Largest gap, in bytes, between rows that are read at once. With kFarGap, for storage far away, reads are nearly
  /// whole blocks.
  static constexpr std::int64_t kGap = std::int64_t{ 32 } * 1024;
  static constexpr std::int64_t kFarGap = std::int64_t{ 128 } * 1024;

  struct Reading
  {
    bool io_uring = true;
    std::shared_ptr<LocalCache> local_cache{}; ///< nullptr: none
    LocalCache::IfBusy if_busy = LocalCache::IfBusy::Drop;
    Wrap wrap{};
  };

  /// Throws std::system_error if the system gives no threads.
  [[nodiscard]] static Result<std::shared_ptr<LocatedBricks>> open(
      const ExtentReader::Setup& setup, std::int64_t memory_budget, const Reading& reading);

  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    return locator().exists(key) ? cache_.find({ key, 0 }) : no_such_brick();
  }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override;
  void withdraw(BrickWaiter& waiter) override { cache_.withdraw(waiter); }
  void prefetch(std::span<const BrickKey> keys, std::int64_t priority) override;
  /// One per core: threads that do not wait for reads only take turns, and keep the thread that reads from its core.
  [[nodiscard]] int useful_threads(int wanted) const override { return std::min(wanted, resolve_threads(0)); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override;
  [[nodiscard]] SourceStatistics statistics() const override;
  [[nodiscard]] std::string reader() const override;
  [[nodiscard]] std::int64_t memory_budget() const override { return budget_.load(std::memory_order_relaxed); }
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] std::int64_t held_bytes() const override { return cache_.held_bytes(); }
  [[nodiscard]] bool holds(const BrickKey& key) override { return cache_.settled(key); }
  [[nodiscard]] Result<void> health() override { return reader_.health(); }

private:
  AsyncBricks(const ExtentReader::Setup& setup, std::int64_t memory_budget);
  void start(std::unique_ptr<ReadEngine> engine);
  void unpin(void* token) override { cache_.unpin(token); }

  std::atomic<std::int64_t> budget_{ 0 };
  std::string engine_name_;
  std::shared_ptr<LocalCache> local_cache_;
  std::shared_ptr<LocalCacheCounts> counts_ = std::make_shared<LocalCacheCounts>();
  ExtentReader reader_;
  FetchedCache cache_; ///< last member: its thread uses the members above until it is destroyed
};

} // namespace rivulet
