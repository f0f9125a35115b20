// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Field/StageField.h"

#include "Store/Source/VisitBricks.h"

#include <algorithm>
#include <new>
#include <numeric>

namespace rivulet
{

namespace
{

constexpr std::size_t kAtATime = 512; // bricks between two looks at progress and cancel

/// Bytes of all values, each counted once.
std::int64_t bytes_of(const FieldInfo& info)
{
  std::int64_t bytes = 0;
  for (const Variable& variable : info.variables)
  {
    bytes += volume(info.grid.lattice(variable.centering)) * static_cast<std::int64_t>(variable.tuple_bytes()) *
             static_cast<std::int64_t>(info.times.size());
  }
  return bytes;
}

std::int64_t bytes_of(const BrickView& view)
{
  return volume(view.lattice.size()) * view.components * static_cast<std::int64_t>(size_of(view.type));
}

std::int64_t room_in(const LocalCache& cache)
{
  const CacheShape& shape = cache.file().shape();
  return shape.segments() * shape.segment_bytes();
}

tl::unexpected<Error> does_not_fit(const LocalCache& cache, std::int64_t bytes)
{
  return fail(ErrorCode::BadArgument,
      "the field takes " + format_bytes(bytes) + ", its local cache has room for " + format_bytes(room_in(cache)),
      "set a larger limit for the cache", cache.file().path());
}

Result<void> check_room(const FileBricks& field)
{
  const LocalCache* cache = field.local_cache();
  if (cache == nullptr)
  {
    return fail(ErrorCode::BadArgument, "the field has no local cache. " + field.strategy_reason(),
        "name a folder on a local disk", field.path());
  }
  const std::int64_t wanted = bytes_of(field.info());
  return wanted > room_in(*cache) ? Result<void>(does_not_fit(*cache, wanted)) : Result<void>();
}

/// Bricks of one variable at one step, in the order of the storage.
std::vector<BrickKey> keys_of(const FileBricks& field, int variable, int step)
{
  std::vector<BrickKey> keys(static_cast<std::size_t>(field.bricks(variable).size()), { variable, step, 0 });
  std::vector<std::pair<std::int64_t, std::int64_t>> order(keys.size());
  for (std::size_t i = 0; i < keys.size(); ++i)
  {
    keys[i].index = static_cast<std::int64_t>(i);
    order[i] = { field.storage_order(keys[i]), keys[i].index };
  }
  std::sort(order.begin(), order.end());
  std::transform(order.begin(), order.end(), keys.begin(),
      [&](const auto& each) {
        return BrickKey{ variable, step, each.second };
      });
  return keys;
}

class Stage
{
public:
  Stage(FileBricks& field, const StageOptions& options)
    : field_(field)
    , options_(options)
    , total_(bytes_of(field.info()))
  {
  }

  Result<void> read(const std::vector<BrickKey>& keys)
  {
    for (std::size_t begin = 0; begin < keys.size(); begin += kAtATime)
    {
      if (options_.cancel != nullptr && options_.cancel->load())
      {
        return fail(ErrorCode::Cancelled, "the staging was stopped; it goes on where it was", {}, field_.path());
      }
      const std::span all(keys);
      const std::size_t end = std::min(keys.size(), begin + kAtATime);
      const std::size_t after = std::min(keys.size(), end + kAtATime);
      field_.prefetch(all.subspan(end, after - end), 1);
      visit_bricks(
          field_, all.subspan(begin, end - begin), [this](const BrickKey&, const Lookup& found) { take(found); });
      if (options_.progress)
      {
        options_.progress(std::min(done_, total_), total_);
      }
    }
    return {};
  }

  [[nodiscard]] StageReport& report() { return report_; }

private:
  void take(const Lookup& found)
  {
    ++report_.bricks;
    if (found.state == Lookup::State::Ready)
    {
      done_ += bytes_of(found.pin.view());
      return;
    }
    ++report_.bad;
    report_.error = report_.error ? report_.error : *found.error;
  }

  FileBricks& field_;
  const StageOptions& options_;
  const std::int64_t total_;
  std::int64_t done_ = 0;
  StageReport report_;
};

Result<StageReport> stage_all(FileBricks& field, const StageOptions& options)
{
  LocalCache& cache = *field.local_cache();
  const LocalCache::Counts before = cache.counts();
  Stage stage(field, options);
  for (std::size_t step = 0; step < field.info().times.size(); ++step)
  {
    for (std::size_t variable = 0; variable < field.info().variables.size(); ++variable)
    {
      const auto number = static_cast<std::int32_t>(variable);
      if (!field.info().is_stored(number, static_cast<std::int32_t>(step)))
      {
        continue;
      }
      if (Result<void> read = stage.read(keys_of(field, number, static_cast<int>(step))); !read)
      {
        return forward_error(read);
      }
    }
  }
  cache.flush();
  StageReport& report = stage.report();
  const SourceStatistics statistics = field.statistics();
  report.bytes_read = statistics.bytes_read;
  report.bytes_present = statistics.bytes_from_local_cache;
  report.left_out = cache.counts().dropped - before.dropped;
  report.trouble = cache.trouble();
  // Records are larger than their values: the bricks staged first may have been evicted for the rest.
  if (const std::int64_t taken = report.bytes_read + report.bytes_present; taken > room_in(cache))
  {
    return does_not_fit(cache, taken);
  }
  return report;
}

} // namespace

Result<StageReport> stage_field(FileBricks& field, const StageOptions& options)
{
  if (Result<void> room = check_room(field); !room)
  {
    return forward_error(room);
  }
  try
  {
    return stage_all(field, options);
  }
  catch (const std::bad_alloc&)
  {
    return fail(
        ErrorCode::BudgetTooSmall, "there is no memory for the list of bricks", "close other programs", field.path());
  }
}

} // namespace rivulet
