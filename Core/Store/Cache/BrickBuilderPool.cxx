// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Cache/BrickBuilderPool.h"

#include "Base/SyncPoint.h"

#include <algorithm>
#include <exception>
#include <new>

namespace rivulet
{

BrickBuilderPool::BrickBuilderPool(const BrickPlaces& places, BrickLoader& loader, std::function<int()> at_once)
  : BrickFiller(places)
  , loader_(loader)
  , at_once_(std::move(at_once))
{
  threads_.reserve(kMost);
  threads_.emplace_back([this] { run(); });
}

BrickBuilderPool::~BrickBuilderPool()
{
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  RIVULET_SYNC_POINT("BrickBuilderPool: are to end");
  woken_.notify_all();
  for (std::thread& thread : threads_)
  {
    thread.join();
  }
  answer_all();
}

void BrickBuilderPool::notify()
{
  const std::lock_guard lock(mutex_);
  ++news_;
  if (called_ < idle_)
  {
    ++called_;
    woken_.notify_one();
  }
  else if (!stopping_ && static_cast<int>(threads_.size()) < std::min(kMost, at_once_()))
  {
    try
    {
      threads_.emplace_back([this] { run(); });
    }
    catch (const std::exception&) // std::system_error or std::bad_alloc: the other threads make the brick later
    {
    }
  }
}

void BrickBuilderPool::run()
{
  std::unique_lock lock(mutex_);
  while (!stopping_)
  {
    const std::int64_t seen = news_;
    bool made = false;
    if (busy_ < at_once_())
    {
      ++busy_;
      lock.unlock();
      made = make_one();
      lock.lock();
      --busy_;
    }
    if (!made)
    {
      rest(lock, seen);
    }
  }
}

/// Waits until the notification count exceeds `seen`.
void BrickBuilderPool::rest(std::unique_lock<std::mutex>& lock, std::int64_t seen)
{
  ++idle_;
  woken_.wait(lock, [&] { return stopping_ || news_ != seen; });
  --idle_;
  called_ = std::max(0, called_ - 1);
}

Result<LoadedBrick> BrickBuilderPool::load(const WantedBrick& brick, const Slot& slot)
{
  try
  {
    return loader_.load(brick.key, slot.data);
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::BudgetTooSmall, "the system refused memory to put a brick together",
        "lower the Memory Budget, or raise the limit of addresses (ulimit -v)");
  }
}

bool BrickBuilderPool::make_one()
{
  const std::optional<WantedBrick> brick = table().take_best();
  if (!brick)
  {
    RIVULET_SYNC_POINT("BrickBuilderPool: found nothing to make");
    return false;
  }
  Slot* slot = take_slot(*brick);
  if (slot == nullptr)
  {
    ask_for_slot(*brick);
    return false;
  }
  deliver(*brick, *slot, load(*brick, *slot));
  return true;
}

} // namespace rivulet
