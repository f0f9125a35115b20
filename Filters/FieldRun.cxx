// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/FieldRun.h"

#include "Base/Bytes.h"
#include "Parallel/Team.h"

#include <algorithm>

namespace rivulet
{

FieldRun::FieldRun(Flow& flow, const RunSettings& settings)
  : flow_(flow)
  , settings_(settings)
{
}

FieldRun::~FieldRun()
{
  for (const Entry& entry : entries_)
  {
    entry.field->set_memory_budget(entry.budget_before);
  }
  for (const StoreEntry& entry : stores_)
  {
    entry.store->set_memory_budget(entry.budget_before);
  }
}

Result<int> FieldRun::begin()
{
  for (const std::shared_ptr<LazyField>& field : flow_.lazy_fields())
  {
    Entry& entry = entries_.emplace_back(Entry{ field, field->source(), field->memory_budget(), {} });
    if (settings_.memory_budget > 0)
    {
      field->set_memory_budget(settings_.memory_budget);
    }
    if (Result<void> changed = change_strategy(entry); !changed)
    {
      return forward_error(changed);
    }
    entry.before = entry.source->statistics();
  }
  for (const std::shared_ptr<BudgetedStore>& store : flow_.stores())
  {
    stores_.push_back({ store, store->memory_budget(), store->statistics() });
    if (settings_.memory_budget > 0)
    {
      store->set_memory_budget(settings_.memory_budget);
    }
  }
  int threads = resolve_threads(settings_.threads);
  while (settings_.threads == 0 && threads > 1 && !fits(threads))
  {
    --threads;
  }
  if (!fits(threads))
  {
    return tl::unexpected(too_small(threads));
  }
  return threads;
}

Result<void> FieldRun::change_strategy(Entry& entry)
{
  const bool in_use = settings_.strategy == entry.source->strategy() && !entry.source->chooses_for_each_run();
  if (settings_.strategy == AccessStrategy::Automatic || in_use)
  {
    return {};
  }
  const std::int64_t budget = entry.field->memory_budget();
  Result<std::shared_ptr<FileBricks>> opened =
      open_field({ entry.source->path() }, { .strategy = settings_.strategy, .memory_budget = budget });
  if (!opened)
  {
    return forward_error(opened);
  }
  if ((*opened)->info().times.size() != entry.source->info().times.size())
  {
    return {}; // one file of a series: only the reader can open all of it
  }
  flow_.replace_source(entry.source.get(), *opened);
  entry.field->set_memory_budget(1); // the reader's own cache makes room
  entry.source = std::move(*opened);
  return {};
}

bool FieldRun::fits(int threads) const
{
  const auto in_budget = [threads](const auto& source)
  {
    return source->working_minimum(threads) <= source->memory_budget();
  };
  return std::all_of(entries_.begin(), entries_.end(), [&](const Entry& entry) { return in_budget(entry.source); }) &&
         std::all_of(stores_.begin(), stores_.end(), [&](const StoreEntry& entry) { return in_budget(entry.store); });
}

Error FieldRun::too_small(int threads) const
{
  const auto describe = [threads](const auto& source)
  {
    const std::int64_t needed = source->working_minimum(threads);
    return Error{ .code = ErrorCode::BudgetTooSmall,
      .what = "the memory budget of " + format_bytes(source->memory_budget()) + " is below the " +
              format_bytes(needed) + " that " + std::to_string(threads) +
              (threads == 1 ? " thread needs" : " threads need"),
      .remedy = "set Memory Budget to " + std::to_string((needed + kMiB - 1) / kMiB) + " MiB or more",
      .path = source->path() };
  };
  const auto refused = std::find_if(entries_.begin(), entries_.end(),
      [threads](const Entry& entry) { return entry.source->working_minimum(threads) > entry.source->memory_budget(); });
  return refused != entries_.end() ? describe(refused->source) : describe(stores_.front().store);
}

SourceStatistics FieldRun::statistics() const
{
  SourceStatistics sum;
  for (const Entry& entry : entries_)
  {
    const SourceStatistics now = entry.source->statistics();
    sum.bytes_read += now.bytes_read - entry.before.bytes_read;
    sum.bricks_read += now.bricks_read - entry.before.bricks_read;
    sum.cache_hits += now.cache_hits - entry.before.cache_hits;
    sum.cache_misses += now.cache_misses - entry.before.cache_misses;
    sum.stall_seconds += now.stall_seconds - entry.before.stall_seconds;
    // A peak of an earlier run is not this one's; the budget bounds this one's.
    sum.peak_bytes += now.peak_bytes > entry.before.peak_bytes
                          ? now.peak_bytes
                          : std::min(now.peak_bytes, entry.source->memory_budget());
  }
  for (const StoreEntry& entry : stores_)
  {
    const SourceStatistics now = entry.store->statistics();
    sum.bytes_read += now.bytes_read - entry.before.bytes_read;
    sum.bricks_read += now.bricks_read - entry.before.bricks_read;
    sum.cache_hits += now.cache_hits - entry.before.cache_hits;
    sum.cache_misses += now.cache_misses - entry.before.cache_misses;
    sum.stall_seconds += now.stall_seconds - entry.before.stall_seconds;
    sum.peak_bytes += std::min(now.peak_bytes, entry.store->memory_budget());
  }
  return sum;
}

} // namespace rivulet
