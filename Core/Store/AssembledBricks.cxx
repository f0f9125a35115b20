// SPDX-License-Identifier: BSD-3-Clause
#include "Store/AssembledBricks.h"

#include "Parallel/Team.h"
#include "Store/BlockCut.h"
#include "Store/MemoryPool.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr std::int64_t kMostAtOnce = 256 * kKiB;

std::vector<BrickGrid> cut_all(const BlockField& field)
{
  std::vector<BrickGrid> grids;
  std::transform(field.variables.begin(), field.variables.end(), std::back_inserter(grids),
      [&field](const BlockVariable& variable) { return cut_blocks(variable, field.info.grid); });
  return grids;
}

std::int64_t largest_brick(const BlockField& field)
{
  std::int64_t largest = 0;
  for (const BlockVariable& variable : field.variables)
  {
    largest = std::max(largest, brick_bytes(cut_blocks(variable, field.info.grid), variable.variable));
  }
  return largest;
}

} // namespace

AssembledBricks::AssembledBricks(BlockField&& blocks, std::string path, StrategyChoice&& choice, std::int64_t budget)
  : BlockBricks(std::move(blocks), cut_all(blocks), std::move(path), std::move(choice))
  , budget_(budget)
  , files_(strategy() == AccessStrategy::DirectCache)
  , residency_(*this, map_share(budget))
  , cache_(*this, *this, { .slot_bytes = largest_brick(field()), .memory_budget = cache_share(budget) })
{
}

AssembledBricks::~AssembledBricks()
{
  MemoryPool::process().give_back(accesses_.load() * buffer_bytes());
}

std::int64_t AssembledBricks::buffer_bytes() const
{
  return mapped() ? 0 : kMostAtOnce + 2 * kPage;
}

std::int64_t AssembledBricks::map_share(std::int64_t budget) const
{
  return mapped() ? budget / 8 : 0;
}

// The cache uses one slot whatever the budget.
std::int64_t AssembledBricks::cache_share(std::int64_t budget) const
{
  return std::max<std::int64_t>(1, budget - map_share(budget) - available_threads() * buffer_bytes());
}

std::int64_t AssembledBricks::working_minimum(int workers) const
{
  const std::int64_t buffers = std::max(workers, available_threads()) * buffer_bytes();
  const std::int64_t slots = workers * cache_.slot_bytes() + buffers;
  return mapped() ? slots + slots / 4 : slots;
}

// Blocks one after the other, and within a block as its values lie.
std::int64_t AssembledBricks::storage_order(const BrickKey& key) const
{
  const BlockVariable& where = variable(key);
  const Int3 begin = brick_values(bricks(key.variable), where.variable.centering, key.index).begin;
  const Int3& block = where.block;
  const Int3 number{ begin[0] / block[0], begin[1] / block[1], begin[2] / block[2] };
  const Int3 inside{ begin[0] % block[0], begin[1] % block[1], begin[2] % block[2] };
  return row_major(number, where.blocks()) * volume(block) + row_major(inside, block);
}

void AssembledBricks::set_memory_budget(std::int64_t bytes)
{
  const std::int64_t budget = bytes > 0 ? bytes : default_memory_budget();
  budget_.store(budget, std::memory_order_relaxed);
  cache_.set_memory_budget(cache_share(budget));
  residency_.set_budget(map_share(budget));
}

SourceStatistics AssembledBricks::statistics() const
{
  SourceStatistics statistics = cache_.statistics();
  statistics.peak_bytes += residency_.peak() + accesses_.load(std::memory_order_relaxed) * buffer_bytes();
  return statistics;
}

Result<void> AssembledBricks::health()
{
  return mapped() ? maps_.health() : files_.health();
}

std::unique_ptr<BlockAccess> AssembledBricks::take_access()
{
  {
    const std::lock_guard lock(accesses_mutex_);
    if (!spare_accesses_.empty())
    {
      std::unique_ptr<BlockAccess> access = std::move(spare_accesses_.back());
      spare_accesses_.pop_back();
      return access;
    }
  }
  accesses_.fetch_add(1, std::memory_order_relaxed);
  MemoryPool::process().take(buffer_bytes());
  switch (strategy())
  {
  case AccessStrategy::MemoryMap:
    return std::make_unique<MappedAccess>(maps_, residency_, kMostAtOnce);
  case AccessStrategy::DirectCache:
    return std::make_unique<DirectAccess>(files_, kMostAtOnce);
  default:
    return std::make_unique<PositionedAccess>(files_, kMostAtOnce);
  }
}

void AssembledBricks::return_access(std::unique_ptr<BlockAccess> access)
{
  const std::lock_guard lock(accesses_mutex_);
  spare_accesses_.push_back(std::move(access));
}

std::int64_t AssembledBricks::drop(std::int64_t)
{
  const std::int64_t all = residency_.resident();
  maps_.drop_all();
  return all;
}

Result<LoadedBrick> AssembledBricks::load(const BrickKey& key, std::byte* slot)
{
  const BlockVariable& where = variable(key);
  const Box box = brick_values(bricks(key.variable), where.variable.centering, key.index);
  std::unique_ptr<BlockAccess> access = take_access();
  const std::int64_t before = access->bytes_read();
  Result<void> done = assemble(where, key.step, box, *access, slot);
  const std::int64_t bytes = access->bytes_read() - before;
  return_access(std::move(access));
  if (!done)
  {
    return forward_error(done);
  }
  const std::int64_t row = std::int64_t{ where.variable.components } * box.size()[0];
  const Long3 stride{ where.variable.components, row, row * box.size()[1] };
  return LoadedBrick{ { slot, where.variable.type, where.variable.components, box, stride }, bytes };
}

} // namespace rivulet
