// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Access/CachedBricks.h"

#include "Parallel/Team.h"

#include <algorithm>

namespace rivulet
{

CachedBricks::CachedBricks(const ExtentReader::Setup& setup, std::int64_t memory_budget)
  : LocatedBricks(setup.locator)
  , reader_(setup)
  , cache_(*this, *this, { .slot_bytes = setup.locator->slot_bytes(), .bytes_of = bytes_of_bricks() })
{
  set_memory_budget(memory_budget);
}

Result<std::shared_ptr<LocatedBricks>> CachedBricks::open(const ExtentReader::Setup& setup, std::int64_t memory_budget)
{
  std::shared_ptr<CachedBricks> bricks(new CachedBricks(setup, memory_budget));
  Result<void> opened = bricks->reader_.open_files();
  return opened ? Result<std::shared_ptr<LocatedBricks>>(std::move(bricks)) : forward_error(opened);
}

/// The cache uses one slot even if its share is smaller.
void CachedBricks::set_memory_budget(std::int64_t bytes)
{
  budget_.store(bytes, std::memory_order_relaxed);
  const std::int64_t staging = reader_.staging_share(bytes, available_threads() * StagingMemory::kLargest);
  reader_.staging().set_limit(staging);
  cache_.set_memory_budget(std::max<std::int64_t>(1, bytes - staging));
}

SourceStatistics CachedBricks::statistics() const
{
  SourceStatistics statistics = cache_.statistics();
  statistics.peak_bytes += reader_.staging().peak();
  return statistics;
}

} // namespace rivulet
