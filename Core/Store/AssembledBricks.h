// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Bricks put together from plain blocks when they are wanted, in a cache of our own: for values that cannot be used as
/// they lie in their files. Bytes come from mapped files, through the page cache, or past it. Use open_bov().
///
/// Besides the cache's slots, every thread that loads a brick needs a buffer of 256 KiB: as many threads may load at a
/// time as have theirs in an eighth of the budget, one at least; others wait. Where files are mapped there are no
/// buffers, but an eighth of the budget is for pages that stay mapped. So all memory counts, and is bounded.
///
/// Threads, lifetime and errors as in BrickSource.h. Bytes.
#pragma once

#include "Io/DirectAccess.h"
#include "Store/BlockBricks.h"
#include "Store/BlockSpans.h"
#include "Store/BrickCache.h"
#include "Store/Residency.h"

#include <condition_variable>

namespace rivulet
{

class AssembledBricks final : public BlockBricks, private BrickLoader, private ResidentOwner
{
public:
  AssembledBricks(BlockField&& field, std::string path, StrategyChoice&& choice, std::int64_t budget,
      const std::shared_ptr<SeenFiles>& seen);
  ~AssembledBricks() override;

  [[nodiscard]] Lookup try_get(const BrickKey& key) override
  {
    return exists(key) ? cache_.try_get(key) : no_such_brick();
  }
  void request(const BrickKey& key, BrickWaiter& waiter) override { cache_.request(key, waiter); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override;
  [[nodiscard]] std::int64_t storage_order(const BrickKey& key) const override;
  [[nodiscard]] SourceStatistics statistics() const override;
  [[nodiscard]] std::int64_t memory_budget() const override { return budget_.load(std::memory_order_relaxed); }
  void set_memory_budget(std::int64_t bytes) override;
  [[nodiscard]] Result<void> health() override;

private:
  [[nodiscard]] bool mapped() const { return strategy() == AccessStrategy::MemoryMap; }
  [[nodiscard]] std::int64_t buffers_for(std::int64_t budget) const;
  [[nodiscard]] std::int64_t map_share(std::int64_t budget) const;
  [[nodiscard]] std::int64_t cache_share(std::int64_t budget) const;

  [[nodiscard]] bool count_buffer() const;
  [[nodiscard]] std::unique_ptr<BlockAccess> take_access();
  [[nodiscard]] std::unique_ptr<BlockAccess> make_access();
  void return_access(std::unique_ptr<BlockAccess> access);
  void drop_spare_accesses();
  [[nodiscard]] Result<LoadedBrick> load(const BrickKey& key, std::byte* slot) override;
  [[nodiscard]] std::int64_t drop(std::int64_t bytes) override;
  void unpin(void* token) override { cache_.unpin(token); }

  std::atomic<std::int64_t> budget_;
  BlockFiles files_;
  MappedBlocks maps_;
  Residency residency_;               ///< of the mappings
  mutable std::mutex accesses_mutex_; ///< guards what follows, up to the cache
  std::condition_variable access_returned_;
  std::vector<std::unique_ptr<BlockAccess>> spare_accesses_;
  std::int64_t accesses_ = 0; ///< that exist, spare or not
  std::int64_t most_accesses_;
  std::int64_t peak_buffers_ = 0;
  BrickCache cache_;
};

} // namespace rivulet
