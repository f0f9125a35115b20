// SPDX-License-Identifier: BSD-3-Clause
#include "Store/AssembledBricks.h"

#include "Parallel/Team.h"
#include "Store/BlockCut.h"
#include "Store/MemoryAccount.h"

#include <algorithm>
#include <limits>

namespace rivulet
{

namespace
{

constexpr std::int64_t kMostAtOnce = 256 * kKiB;
constexpr std::int64_t kBuffer = kMostAtOnce + 2 * kPage;

} // namespace

AssembledBricks::AssembledBricks(BlockField&& blocks, std::string path, StrategyChoice&& choice, std::int64_t budget,
    const std::shared_ptr<SeenFiles>& seen)
  : BlockBricks(std::move(blocks), cut_all(blocks), std::move(path), std::move(choice))
  , budget_(budget)
  , files_(strategy() == AccessStrategy::DirectCache, seen)
  , maps_(seen)
  , residency_(*this, map_share(budget))
  , most_accesses_(buffers_for(budget))
  , cache_(*this, *this, { .slot_bytes = largest_brick(field()), .memory_budget = cache_share(budget) })
{
}

AssembledBricks::~AssembledBricks()
{
  MemoryAccount::process().give_back(MemoryUse::Staging, mapped() ? 0 : accesses_ * kBuffer);
}

std::int64_t AssembledBricks::buffers_for(std::int64_t budget) const
{
  const std::int64_t threads = available_threads();
  return mapped() ? std::numeric_limits<std::int64_t>::max()
                  : std::clamp<std::int64_t>(budget / 8 / kBuffer, 1, threads);
}

// One fetch must fit.
std::int64_t AssembledBricks::map_share(std::int64_t budget) const
{
  return mapped() ? std::max(kBuffer, budget / 8) : 0;
}

// The cache uses one slot whatever this says.
std::int64_t AssembledBricks::cache_share(std::int64_t budget) const
{
  const std::int64_t others = mapped() ? map_share(budget) : buffers_for(budget) * kBuffer;
  return std::max<std::int64_t>(1, budget - others);
}

// An eighth, or one buffer, is for others than the cache.
std::int64_t AssembledBricks::working_minimum(int workers) const
{
  const std::int64_t slots = workers * cache_.slot_bytes();
  return slots + slots / 7 + kBuffer;
}

std::int64_t AssembledBricks::storage_order(const BrickKey& key) const
{
  return block_order(variable(key), bricks(key.variable), key.index);
}

void AssembledBricks::set_memory_budget(std::int64_t bytes)
{
  const std::int64_t budget = bytes > 0 ? bytes : default_memory_budget();
  budget_.store(budget, std::memory_order_relaxed);
  {
    const std::lock_guard lock(accesses_mutex_);
    most_accesses_ = buffers_for(budget);
    drop_spare_accesses();
  }
  access_returned_.notify_all();
  residency_.set_budget(map_share(budget));
  cache_.set_memory_budget(cache_share(budget));
}

SourceStatistics AssembledBricks::statistics() const
{
  SourceStatistics statistics = cache_.statistics();
  const std::lock_guard lock(accesses_mutex_);
  statistics.peak_bytes += residency_.peak() + peak_buffers_;
  return statistics;
}

Result<void> AssembledBricks::health()
{
  return mapped() ? maps_.health() : files_.health();
}

// The first is had whatever the process's limit says; others wait for one that comes back.
bool AssembledBricks::count_buffer() const
{
  MemoryAccount& account = MemoryAccount::process();
  if (mapped() || account.try_take(MemoryUse::Staging, kBuffer))
  {
    return true;
  }
  if (accesses_ == 0)
  {
    account.take(MemoryUse::Staging, kBuffer);
  }
  return accesses_ == 0;
}

std::unique_ptr<BlockAccess> AssembledBricks::take_access()
{
  std::unique_lock lock(accesses_mutex_);
  access_returned_.wait(
      lock, [this] { return !spare_accesses_.empty() || (accesses_ < most_accesses_ && count_buffer()); });
  if (spare_accesses_.empty())
  {
    ++accesses_;
    peak_buffers_ = std::max(peak_buffers_, mapped() ? 0 : accesses_ * kBuffer);
    return make_access();
  }
  std::unique_ptr<BlockAccess> access = std::move(spare_accesses_.back());
  spare_accesses_.pop_back();
  return access;
}

void AssembledBricks::return_access(std::unique_ptr<BlockAccess> access)
{
  {
    const std::lock_guard lock(accesses_mutex_);
    spare_accesses_.push_back(std::move(access));
    drop_spare_accesses();
  }
  access_returned_.notify_one();
}

// Those that a smaller budget has no place for.
void AssembledBricks::drop_spare_accesses()
{
  for (; accesses_ > most_accesses_ && !spare_accesses_.empty(); --accesses_)
  {
    spare_accesses_.pop_back();
    MemoryAccount::process().give_back(MemoryUse::Staging, mapped() ? 0 : kBuffer);
  }
}

std::unique_ptr<BlockAccess> AssembledBricks::make_access()
{
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
  return LoadedBrick{ dense_view(where, box, slot), bytes };
}

} // namespace rivulet
