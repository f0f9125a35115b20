// SPDX-License-Identifier: BSD-3-Clause
#include "Store/HeldBricks.h"

#include <algorithm>
#include <vector>

namespace rivulet
{

void HeldBricks::keep(std::int64_t number, BrickPin&& pin, std::size_t waiters)
{
  const std::lock_guard lock(mutex_);
  const Clock::time_point now = Clock::now();
  oldest_ = bricks_.empty() ? now : oldest_;
  bricks_.insert_or_assign(number, Held{ std::move(pin), waiters, now });
  any_.store(true, std::memory_order_relaxed);
}

void HeldBricks::fetched(std::int64_t number)
{
  BrickPin last;
  const std::lock_guard lock(mutex_);
  const auto held = bricks_.find(number);
  if (held != bricks_.end() && --held->second.waiters == 0)
  {
    last = std::move(held->second.pin);
    bricks_.erase(held);
    any_.store(!bricks_.empty(), std::memory_order_relaxed);
  }
}

void HeldBricks::let_go_old(Clock::time_point now, Clock::duration age)
{
  std::vector<BrickPin> old;
  const std::lock_guard lock(mutex_);
  if (bricks_.empty() || now - oldest_ < age)
  {
    return;
  }
  oldest_ = now;
  for (auto held = bricks_.begin(); held != bricks_.end();)
  {
    if (now - held->second.since >= age)
    {
      old.push_back(std::move(held->second.pin));
      held = bricks_.erase(held);
      continue;
    }
    oldest_ = std::min(oldest_, held->second.since);
    ++held;
  }
  any_.store(!bricks_.empty(), std::memory_order_relaxed);
}

void HeldBricks::let_go_all()
{
  let_go_old(Clock::time_point::max(), Clock::duration::zero());
}

} // namespace rivulet
