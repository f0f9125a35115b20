// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Field/StoredField.h"

#include "Base/Bytes.h"
#include "Io/Files/CachedPages.h"
#include "Store/Access/AsyncBricks.h"
#include "Store/Access/CachedBricks.h"
#include "Store/Access/MappedBricks.h"
#include "Store/Hints/HintStore.h"
#include "Store/Memory/MemoryAccount.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <system_error>

namespace rivulet
{

namespace
{

// Over larger gaps two reads are cheaper than one that also copies unwanted bytes out of the page cache.
constexpr std::int64_t kBufferedGap = 8 * kKiB;
// A disk reads so many bytes in about the time of a seek.
constexpr std::int64_t kDirectGap = 64 * kKiB;

std::int64_t gap_of(const StrategyChoice& choice)
{
  switch (choice.strategy)
  {
  case AccessStrategy::Asynchronous:
    return choice.far ? AsyncBricks::kFarGap : AsyncBricks::kGap;
  case AccessStrategy::DirectCache:
    return kDirectGap;
  default:
    return kBufferedGap;
  }
}

} // namespace

StoredField::StoredField(Layout layout, const OpenOptions& options)
  : layout_(std::move(layout))
  , io_uring_(options.io_uring)
  , hints_folder_(options.hints)
  , more_hints_folder_(options.more_hints)
  , if_busy_(options.local_cache.keep_all ? LocalCache::IfBusy::Wait : LocalCache::IfBusy::Drop)
  , asked_(options.strategy)
{
}

StoredField::~StoredField() = default;

Result<std::shared_ptr<FileBricks>> StoredField::open(Layout layout, const OpenOptions& options)
{
  std::shared_ptr<StoredField> field(new StoredField(std::move(layout), options));
  field->open_local_cache(options.local_cache);
  Result<void> opened = field->take_up(options.strategy, options.memory_budget);
  return opened ? Result<std::shared_ptr<FileBricks>>(std::move(field)) : forward_error(opened);
}

/// Without a usable cache, the field is read without one.
void StoredField::open_local_cache(const LocalCacheOptions& options)
{
  CacheChoice choice = local_cache_for(layout_.bricks->path(), options);
  if (choice.trouble)
  {
    layout_.notices.push_back(choice.why_not);
  }
  local_cache_ = std::move(choice.cache);
  why_no_cache_ = std::move(choice.why_not);
}

StrategyChoice StoredField::choose(AccessStrategy strategy) const
{
  const bool for_cache = strategy == AccessStrategy::Automatic && local_cache_ != nullptr;
  StrategyChoice choice = choose_strategy(for_cache ? AccessStrategy::Asynchronous : strategy, layout_.facts);
  choice.reason =
      for_cache ? "Bricks are read while others are traced, because a local cache keeps them." : choice.reason;
  if (choice.strategy == AccessStrategy::MemoryMap && layout_.in_place == nullptr)
  {
    choice = { AccessStrategy::BufferedCache, "Bricks are read through the page cache." };
  }
  if (choice.strategy != AccessStrategy::MemoryMap && !layout_.why_not_in_place.empty())
  {
    choice.reason += " " + layout_.why_not_in_place;
  }
  if (choice.strategy != AccessStrategy::Asynchronous && local_cache_ != nullptr)
  {
    choice.reason += " The local cache is not used: only asynchronous reads use it.";
  }
  // Neighbouring bricks share pages.
  choice.direct = choice.direct && !(layout_.facts.shared_pages && layout_.facts.fits_in_memory);
  return choice;
}

Result<void> StoredField::take_up(AccessStrategy strategy, std::int64_t budget)
{
  const StrategyChoice choice = choose(strategy);
  Result<void> opened = change_to(choice, budget);
  if (opened || strategy != AccessStrategy::Automatic || choice.strategy != AccessStrategy::MemoryMap)
  {
    return opened;
  }
  // Opening the field in another way tells whether the system refuses mappings or the file is bad.
  layout_.facts.mapped = false;
  return change_to(instead_of_mapping(opened.error()), budget);
}

Result<std::shared_ptr<LocatedBricks>> StoredField::open_access(StrategyChoice& choice, std::int64_t budget)
{
  if (choice.strategy == AccessStrategy::MemoryMap)
  {
    return MappedBricks::open(layout_.in_place, layout_.seen, budget);
  }
  ExtentReader::Setup setup{ layout_.bricks, layout_.seen, choice.direct, gap_of(choice) };
  if (choice.strategy == AccessStrategy::Asynchronous)
  {
    try
    {
      return AsyncBricks::open(
          setup, budget, { .io_uring = io_uring_, .local_cache = local_cache_, .if_busy = if_busy_ });
    }
    catch (const std::system_error&) // the system gives no thread
    {
      choice = without_threads();
    }
  }
  setup.direct = choice.strategy == AccessStrategy::DirectCache;
  setup.gap = gap_of(choice);
  return CachedBricks::open(setup, budget);
}

/// The access for the choice: one that was in use before, or a new one.
Result<std::shared_ptr<LocatedBricks>> StoredField::open_known(StrategyChoice& choice, std::int64_t budget)
{
  {
    const std::lock_guard lock(mutex_);
    const auto known = std::find_if(opened_.begin(), opened_.end(),
        [&](const Opened& each)
        { return each.wanted.strategy == choice.strategy && each.wanted.direct == choice.direct; });
    if (known != opened_.end())
    {
      choice = known->got.strategy == choice.strategy ? choice : known->got;
      return known->bricks;
    }
  }
  const StrategyChoice wanted = choice;
  Result<std::shared_ptr<LocatedBricks>> opened = open_access(choice, budget);
  if (opened)
  {
    const std::lock_guard lock(mutex_);
    opened_.push_back({ wanted, choice, *opened });
  }
  return opened;
}

Result<void> StoredField::change_to(StrategyChoice choice, std::int64_t budget)
{
  Result<std::shared_ptr<LocatedBricks>> opened = open_known(choice, budget);
  if (!opened)
  {
    return forward_error(opened);
  }
  LocatedBricks* before = now_.load();
  if (before != nullptr && before != opened->get())
  {
    before->set_memory_budget(1);
  }
  (*opened)->set_memory_budget(budget);
  const std::lock_guard lock(mutex_);
  strategy_ = choice.strategy;
  reason_ = choice.reason;
  now_.store(opened->get(), std::memory_order_release);
  return {};
}

Result<void> StoredField::set_strategy(AccessStrategy strategy)
{
  const std::lock_guard choosing(choosing_);
  if (strategy == asked_strategy())
  {
    return {};
  }
  if (strategy == AccessStrategy::Automatic && local_cache_ == nullptr && !has_own_cut() && now().held_bytes() > 0)
  {
    const std::lock_guard lock(mutex_);
    asked_ = strategy;
    reason_ = "Bricks are read as before until a run begins.";
    return {};
  }
  Result<void> changed = take_up(strategy, now().memory_budget());
  if (changed)
  {
    const std::lock_guard lock(mutex_);
    asked_ = strategy;
  }
  return changed;
}

/// The cached share of the first extents of the bricks in which particles begin. Only extents in one file count, which
/// for one step are most.
std::optional<double> StoredField::cached_share_of(const Workload& workload) const
{
  std::vector<std::int64_t> offsets;
  std::optional<std::int64_t> file;
  for (const BrickKey& key : workload.first_bricks)
  {
    std::vector<Extent> extents;
    if (layout_.bricks->exists(key))
    {
      layout_.bricks->find_extents(key, { 0, kPage }, extents);
      file = file.value_or(extents.front().file);
    }
    if (!extents.empty() && extents.front().file == *file)
    {
      offsets.push_back(extents.front().offset);
    }
  }
  return file ? cached_share(layout_.bricks->file(*file).path, offsets) : std::nullopt;
}

HeldBricks StoredField::held_for(const Workload& workload) const
{
  const std::vector<BrickKey>& first = workload.first_bricks;
  const auto held = std::count_if(first.begin(), first.end(), [this](const BrickKey& key) { return now().holds(key); });
  const auto all = static_cast<double>(std::max<std::size_t>(1, first.size()));
  return { .bytes = now().held_bytes(), .first_share = static_cast<double>(held) / all };
}

void StoredField::prepare(const Workload& workload)
{
  const std::lock_guard choosing(choosing_);
  choose_for(workload);
  open_hints();
}

/// Only asynchronous reads use hints.
void StoredField::open_hints()
{
  const std::uint64_t identity = layout_.bricks->identity();
  if (hints_folder_.empty() || identity == 0 || strategy() != AccessStrategy::Asynchronous || hints_ != nullptr)
  {
    return;
  }
  std::array<char, 24> name{};
  std::snprintf(name.data(), name.size(), "/%016llx", static_cast<unsigned long long>(identity));
  const std::string more = more_hints_folder_.empty() ? std::string() : more_hints_folder_ + name.data();
  auto book = std::make_unique<HintStore>(hints_folder_ + name.data(), identity, more);
  const std::lock_guard lock(mutex_);
  hints_ = std::move(book);
}

HintStore* StoredField::hints()
{
  const std::lock_guard lock(mutex_);
  return strategy_ == AccessStrategy::Asynchronous ? hints_.get() : nullptr;
}

/// A mapping with its own cut into bricks is kept. A run without particles reads nothing.
void StoredField::choose_for(const Workload& workload)
{
  const bool own_cut = strategy() == AccessStrategy::MemoryMap && has_own_cut();
  if (asked_strategy() != AccessStrategy::Automatic || local_cache_ != nullptr || own_cut || workload.at_once == 0)
  {
    return;
  }
  if (std::string kept = reason_to_keep(held_for(workload), workload); !kept.empty())
  {
    const std::lock_guard lock(mutex_);
    reason_ = std::move(kept);
    return;
  }
  StorageFacts facts = layout_.facts;
  facts.budget = memory_budget();
  facts.mapped = facts.mapped && layout_.in_place == layout_.bricks;
  StrategyChoice choice = choose_for_run(facts, cached_share_of(workload), workload);
  const bool map = choice.strategy == AccessStrategy::MemoryMap;
  Result<void> changed = change_to(std::move(choice), facts.budget);
  layout_.facts.mapped = layout_.facts.mapped && (changed || !map);
  if (!changed)
  {
    const std::lock_guard lock(mutex_);
    reason_ += " It could not be changed: " + changed.error().describe();
  }
}

std::vector<LocatedBricks*> StoredField::all() const
{
  const std::lock_guard lock(mutex_);
  std::vector<LocatedBricks*> accesses;
  std::transform(opened_.begin(), opened_.end(), std::back_inserter(accesses),
      [](const Opened& each) { return each.bricks.get(); });
  return accesses;
}

// Any access may have got a request.
void StoredField::withdraw(BrickWaiter& waiter)
{
  for (LocatedBricks* access : all())
  {
    access->withdraw(waiter);
  }
}

SourceStatistics StoredField::statistics() const
{
  SourceStatistics sum;
  for (const LocatedBricks* access : all())
  {
    const SourceStatistics each = access->statistics();
    // At each time only one access holds more than pinned bricks.
    const std::int64_t peak = std::max(sum.peak_bytes, each.peak_bytes);
    sum += each;
    sum.peak_bytes = peak;
  }
  return sum;
}

AccessStrategy StoredField::strategy() const
{
  const std::lock_guard lock(mutex_);
  return strategy_;
}

AccessStrategy StoredField::asked_strategy() const
{
  const std::lock_guard lock(mutex_);
  return asked_;
}

std::string StoredField::strategy_reason() const
{
  const std::lock_guard lock(mutex_);
  const std::string reader = now().reader();
  const std::string notice = hints_ && !hints_->notice().empty() ? " " + hints_->notice() : std::string();
  const std::string cache = why_no_cache_.empty() ? std::string() : " " + why_no_cache_;
  return (reader.empty() ? reason_ : reason_ + " " + reader) + cache + notice;
}

void StoredField::set_memory_budget(std::int64_t bytes)
{
  const std::lock_guard choosing(choosing_);
  now().set_memory_budget(bytes > 0 ? bytes : default_memory_budget());
}

} // namespace rivulet
