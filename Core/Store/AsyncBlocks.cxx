// SPDX-License-Identifier: BSD-3-Clause
#include "Store/AsyncBlocks.h"

#include "Store/BlockCut.h"
#include "Store/BlockReads.h"
#include "Store/MemoryAccount.h"

#include <algorithm>

namespace rivulet
{

AsyncBlocks::AsyncBlocks(BlockField&& blocks, std::string path, StrategyChoice&& choice, const OpenOptions& options,
    const std::shared_ptr<SeenFiles>& seen, const Wrap& wrap, std::int64_t gap)
  : BlockBricks(std::move(blocks), cut_all(blocks), std::move(path), std::move(choice))
  , budget_(options.memory_budget)
  , files_(reads_directly(), seen)
  , staging_(staging_share(options.memory_budget))
  , cache_(*this, { .slot_bytes = largest_brick(field()), .memory_budget = cache_share(options.memory_budget) })
{
  std::unique_ptr<ReadEngine> engine =
      open_read_engine({}, options.io_uring ? EngineChoice::Best : EngineChoice::Threads);
  reason_ = BlockBricks::strategy_reason() + " They are read by " + engine->name() + ".";
  const BlockReads::Field from{ field(), grids(), files_, staging_, reads_directly() };
  cache_.start(std::make_unique<BlockReads>(from, gap), wrap ? wrap(std::move(engine)) : std::move(engine));
}

std::int64_t AsyncBlocks::staging_share(std::int64_t budget)
{
  return std::clamp(budget / 8, StagingMemory::kLargest, kMostStaging);
}

// The cache uses one slot whatever this says.
std::int64_t AsyncBlocks::cache_share(std::int64_t budget)
{
  return std::max<std::int64_t>(1, budget - staging_share(budget));
}

std::int64_t AsyncBlocks::working_minimum(int workers) const
{
  const std::int64_t slots = workers * cache_.slot_bytes();
  return slots + slots / 7 + StagingMemory::kLargest;
}

WantedBrick AsyncBlocks::wanted(const BrickKey& key) const
{
  std::int64_t number = 0;
  const auto steps = static_cast<std::int64_t>(info().times.size());
  for (std::int32_t variable = 0; variable < key.variable; ++variable)
  {
    number += steps * bricks(variable).size();
  }
  return { key, number + key.step * bricks(key.variable).size() + key.index };
}

std::int64_t AsyncBlocks::storage_order(const BrickKey& key) const
{
  return block_order(variable(key), bricks(key.variable), key.index);
}

Lookup AsyncBlocks::try_get(const BrickKey& key)
{
  return exists(key) ? cache_.find(wanted(key)) : no_such_brick();
}

void AsyncBlocks::request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles)
{
  if (!exists(key))
  {
    waiter.brick_arrived(key, try_get(key));
    return;
  }
  cache_.request(wanted(key), waiter, particles);
}

void AsyncBlocks::set_memory_budget(std::int64_t bytes)
{
  const std::int64_t budget = bytes > 0 ? bytes : default_memory_budget();
  budget_.store(budget, std::memory_order_relaxed);
  staging_.set_limit(staging_share(budget));
  cache_.set_memory_budget(cache_share(budget));
}

SourceStatistics AsyncBlocks::statistics() const
{
  SourceStatistics statistics = cache_.statistics();
  statistics.peak_bytes += staging_.peak();
  return statistics;
}

} // namespace rivulet
