// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Cache/RequestTable.h"

#include <algorithm>

namespace rivulet
{

namespace
{

bool same_run(const BrickKey& a, const BrickKey& b)
{
  return a.variable == b.variable && a.step == b.step;
}

} // namespace

void tell(const std::vector<BrickAnswer>& answers)
{
  for (const BrickAnswer& answer : answers)
  {
    answer.waiter->brick_arrived(answer.key, {});
  }
}

void RequestTable::join(const WantedBrick& brick, BrickWaiter& waiter, std::int64_t particles)
{
  const auto entry = entries_.find(brick.number);
  if (entry == entries_.end())
  {
    queue_new(
        brick, { .key = brick.key, .particles = particles, .turn = turns_++, .queued = true, .waiters = { &waiter } });
    return;
  }
  entry->second.waiters.push_back(&waiter);
  ahead_ -= std::exchange(entry->second.ahead, false) ? 1 : 0;
  const Rank before = rank(*entry);
  entry->second.particles += particles;
  if (entry->second.queued)
  {
    auto place = queue_.extract(before);
    place.value() = rank(*entry);
    queue_.insert(std::move(place));
  }
}

void RequestTable::queue_new(const WantedBrick& brick, Entry&& entry)
{
  const auto added = entries_.emplace(brick.number, std::move(entry)).first;
  try
  {
    queue_.insert(rank(*added));
  }
  catch (const std::bad_alloc&)
  {
    entries_.erase(added); // no read would ever remove it
    throw;
  }
}

RequestTable::Entries::iterator RequestTable::erase(Entries::iterator entry)
{
  ahead_ -= entry->second.ahead ? 1 : 0;
  return entries_.erase(entry);
}

WantedBrick RequestTable::take(Entries::value_type& entry)
{
  queue_.erase(rank(entry));
  entry.second.queued = false;
  return { entry.second.key, entry.first, entry.second.ahead };
}

std::optional<WantedBrick> RequestTable::take_best(bool also_ahead)
{
  const std::lock_guard lock(mutex_);
  const auto best = queue_.empty() ? entries_.end() : entries_.find(std::get<3>(*queue_.begin()));
  if (best == entries_.end() || (best->second.ahead && !also_ahead))
  {
    return std::nullopt;
  }
  return take(*best);
}

std::optional<WantedBrick> RequestTable::take_after(const WantedBrick& near, std::int64_t first, std::int64_t last)
{
  const std::lock_guard lock(mutex_);
  for (auto at = entries_.lower_bound(first); at != entries_.end() && at->first <= last; ++at)
  {
    if (at->second.queued && same_run(at->second.key, near.key))
    {
      return take(*at);
    }
  }
  return std::nullopt;
}

std::optional<WantedBrick> RequestTable::take_before(const WantedBrick& near, std::int64_t first, std::int64_t last)
{
  const std::lock_guard lock(mutex_);
  for (auto after = entries_.upper_bound(last); after != entries_.begin();)
  {
    const auto at = std::prev(after);
    if (at->first < first)
    {
      break;
    }
    if (at->second.queued && same_run(at->second.key, near.key))
    {
      return take(*at);
    }
    after = at;
  }
  return std::nullopt;
}

void RequestTable::put_back(const WantedBrick& brick)
{
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(brick.number);
  if (entry->second.waiters.empty())
  {
    erase(entry); // all its waiters withdrew meanwhile, or it never had any
    return;
  }
  entry->second.queued = true;
  queue_.insert(rank(*entry));
}

std::vector<BrickAnswer> RequestTable::finish(std::int64_t number)
{
  const std::lock_guard lock(mutex_);
  std::vector<BrickAnswer> answers;
  const auto entry = entries_.find(number);
  for (BrickWaiter* waiter : entry->second.waiters)
  {
    answers.push_back({ entry->second.key, waiter });
  }
  erase(entry);
  return answers;
}

/// Returns the next entry. A brick without waiters is removed from the queue.
RequestTable::Entries::iterator RequestTable::withdraw(
    Entries::iterator entry, const BrickWaiter& waiter, std::vector<BrickAnswer>& answers)
{
  std::vector<BrickWaiter*>& waiters = entry->second.waiters;
  const auto gone = std::partition(waiters.begin(), waiters.end(), [&](BrickWaiter* each) { return each != &waiter; });
  const bool last = gone == waiters.begin() && gone != waiters.end();
  for (auto each = gone; each != waiters.end(); ++each)
  {
    answers.push_back({ entry->second.key, *each });
  }
  waiters.erase(gone, waiters.end());
  if (last && entry->second.queued)
  {
    queue_.erase(rank(*entry));
    return erase(entry);
  }
  return std::next(entry);
}

std::vector<BrickAnswer> RequestTable::withdraw(const BrickWaiter& waiter)
{
  const std::lock_guard lock(mutex_);
  std::vector<BrickAnswer> answers;
  for (auto entry = entries_.begin(); entry != entries_.end();)
  {
    entry = withdraw(entry, waiter, answers);
  }
  return answers;
}

std::vector<BrickAnswer> RequestTable::withdraw_queued()
{
  const std::lock_guard lock(mutex_);
  std::vector<BrickAnswer> answers;
  for (const Rank& each : queue_)
  {
    const auto entry = entries_.find(std::get<3>(each));
    for (BrickWaiter* waiter : entry->second.waiters)
    {
      answers.push_back({ entry->second.key, waiter });
    }
    erase(entry);
  }
  queue_.clear();
  return answers;
}

} // namespace rivulet
