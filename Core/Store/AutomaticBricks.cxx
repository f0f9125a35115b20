// SPDX-License-Identifier: BSD-3-Clause
#include "Store/AutomaticBricks.h"

#include <algorithm>

namespace rivulet
{

Result<std::shared_ptr<FileBricks>> AutomaticBricks::open(Field&& field, std::int64_t budget)
{
  const StrategyChoice first = choose_strategy(AccessStrategy::Automatic, field.facts);
  std::shared_ptr<AutomaticBricks> bricks(new AutomaticBricks(std::move(field)));
  if (Result<void> opened = bricks->begin_with(first, budget); !opened)
  {
    return forward_error(opened);
  }
  return bricks;
}

Result<void> AutomaticBricks::begin_with(const StrategyChoice& choice, std::int64_t budget)
{
  Result<void> opened = change_to(choice, budget);
  if (opened || choice.strategy != AccessStrategy::MemoryMap)
  {
    return opened;
  }
  // It is the system that refuses to map it, or there is something wrong with the file: this tells.
  field_.facts.mapped = false;
  return change_to(instead_of_mapping(opened.error()), budget);
}

Result<void> AutomaticBricks::change_to(const StrategyChoice& choice, std::int64_t budget)
{
  std::unique_lock lock(mutex_);
  auto known = std::find_if(opened_.begin(), opened_.end(),
      [&](const Opened& each) { return each.strategy == choice.strategy && each.direct == choice.direct; });
  std::shared_ptr<FileBricks> source = known != opened_.end() ? known->source : nullptr;
  lock.unlock();
  if (source == nullptr)
  {
    StrategyChoice without_reason = choice;
    without_reason.reason.clear(); // said here
    Result<std::shared_ptr<FileBricks>> opened = field_.open(std::move(without_reason), budget);
    if (!opened)
    {
      return forward_error(opened);
    }
    source = std::move(*opened);
  }
  FileBricks* before = now_.load();
  if (before != nullptr && before != source.get())
  {
    before->set_memory_budget(1);
  }
  source->set_memory_budget(budget);
  lock.lock();
  if (known == opened_.end())
  {
    opened_.push_back({ choice.strategy, choice.direct, source });
  }
  reason_ = choice.reason + field_.note;
  now_.store(source.get(), std::memory_order_release);
  return {};
}

void AutomaticBricks::prepare(const Workload& workload)
{
  const std::lock_guard choosing(choosing_);
  const MeasuredStorage measured = field_.measure(workload);
  const std::int64_t budget = memory_budget();
  StorageFacts facts = field_.facts;
  facts.budget = budget;
  StrategyChoice choice = choose_for_run(facts, measured, workload);
  Result<void> changed = change_to(choice, budget);
  field_.facts.mapped = field_.facts.mapped && (changed || choice.strategy != AccessStrategy::MemoryMap);
  const std::lock_guard lock(mutex_);
  probed_bytes_ += measured.bytes_read;
  if (!changed)
  {
    reason_ += " It could not be changed: " + changed.error().describe();
  }
}

std::vector<FileBricks*> AutomaticBricks::all() const
{
  const std::lock_guard lock(mutex_);
  std::vector<FileBricks*> sources;
  std::transform(opened_.begin(), opened_.end(), std::back_inserter(sources),
      [](const Opened& each) { return each.source.get(); });
  return sources;
}

// A request may have gone to any of them.
void AutomaticBricks::withdraw(BrickWaiter& waiter)
{
  for (FileBricks* source : all())
  {
    source->withdraw(waiter);
  }
}

SourceStatistics AutomaticBricks::statistics() const
{
  SourceStatistics sum;
  for (const FileBricks* source : all())
  {
    const SourceStatistics each = source->statistics();
    const std::int64_t peak = std::max(sum.peak_bytes, each.peak_bytes); // one at a time has more than what is pinned
    sum += each;
    sum.peak_bytes = peak;
  }
  const std::lock_guard lock(mutex_);
  sum.bytes_read += probed_bytes_;
  return sum;
}

std::string AutomaticBricks::strategy_reason() const
{
  const std::lock_guard lock(mutex_);
  return reason_ + now().strategy_reason();
}

void AutomaticBricks::set_memory_budget(std::int64_t bytes)
{
  const std::lock_guard choosing(choosing_);
  now().set_memory_budget(bytes);
}

} // namespace rivulet
