// SPDX-License-Identifier: BSD-3-Clause
#include "Support/FaultyBricks.h"

#include "Generate/CounterRandom.h"

#include <chrono>

namespace rivulet::test
{

FaultyBricks::FaultyBricks(BrickSource& inner, const Options& options)
  : ForwardingSource(inner)
  , options_(options)
{
  if (options.answer == Answer::Later || options.answer == Answer::LaterNewestFirst ||
      options.answer == Answer::LaterInRandomOrder)
  {
    announcer_ = std::thread([this] { announce_all(); });
  }
}

FaultyBricks::~FaultyBricks()
{
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (announcer_.joinable())
  {
    announcer_.join();
  }
  while (!waiting_.empty())
  {
    deliver(0);
  }
}

void FaultyBricks::fail(const BrickKey& key)
{
  const std::lock_guard lock(mutex_);
  failing_.insert(key);
}

void FaultyBricks::set_health(Result<void> health)
{
  const std::lock_guard lock(mutex_);
  health_ = std::move(health);
}

Result<void> FaultyBricks::health()
{
  const std::lock_guard lock(mutex_);
  return health_ ? ForwardingSource::health() : health_;
}

std::vector<BrickKey> FaultyBricks::waiting() const
{
  const std::lock_guard lock(mutex_);
  std::vector<BrickKey> keys;
  for (const Request& request : waiting_)
  {
    keys.push_back(request.key);
  }
  return keys;
}

std::int64_t FaultyBricks::requests() const
{
  const std::lock_guard lock(mutex_);
  return requests_;
}

std::int64_t FaultyBricks::misses() const
{
  const std::lock_guard lock(mutex_);
  return misses_;
}

Lookup FaultyBricks::failed() const
{
  Error error = rivulet::fail(ErrorCode::CannotRead, "the brick cannot be read", "", "faulty").value();
  return { Lookup::State::Failed, {}, std::make_shared<const Error>(std::move(error)) };
}

Lookup FaultyBricks::try_get(const BrickKey& key)
{
  {
    const std::lock_guard lock(mutex_);
    if (options_.answer != Answer::Ready)
    {
      const auto arrived = hits_left_.find(key);
      if (arrived == hits_left_.end())
      {
        ++misses_;
        return {};
      }
      if (--arrived->second == 0)
      {
        hits_left_.erase(arrived);
      }
    }
    if (failing_.contains(key))
    {
      return failed();
    }
  }
  return ForwardingSource::try_get(key);
}

void FaultyBricks::request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t)
{
  {
    const std::lock_guard lock(mutex_);
    ++requests_;
    if (options_.answer == Answer::Ready || options_.answer == Answer::AtOnce)
    {
      hits_left_[key] = options_.hits;
    }
    else
    {
      waiting_.push_back({ key, &waiter });
      wake_.notify_all();
      return;
    }
  }
  waiter.brick_arrived(key, options_.hands_over ? try_get(key) : Lookup{});
}

FaultyBricks::Request FaultyBricks::take(std::size_t which)
{
  const Request chosen = waiting_[which];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(which));
  hits_left_[chosen.key] = options_.hits;
  return chosen;
}

void FaultyBricks::deliver(std::size_t which)
{
  std::unique_lock lock(mutex_);
  const Request chosen = take(which);
  lock.unlock();
  chosen.waiter->brick_arrived(chosen.key, options_.hands_over ? try_get(chosen.key) : Lookup{});
}

std::size_t FaultyBricks::choose()
{
  switch (options_.answer)
  {
  case Answer::LaterNewestFirst:
    return waiting_.size() - 1;
  case Answer::LaterInRandomOrder:
    return static_cast<std::size_t>(
        CounterRandom(options_.seed).uniform_pair(drawn_++)[0] * static_cast<double>(waiting_.size()));
  default:
    return 0;
  }
}

void FaultyBricks::announce_all()
{
  std::unique_lock lock(mutex_);
  for (;;)
  {
    wake_.wait(lock, [this] { return stopping_ || !waiting_.empty(); });
    wake_.wait_for(lock, std::chrono::milliseconds(options_.gather > 1 ? 1 : 0),
        [this] { return stopping_ || waiting_.size() >= static_cast<std::size_t>(options_.gather); });
    if (waiting_.empty())
    {
      return; // stopping, and nobody is left waiting
    }
    const Request chosen = take(choose());
    lock.unlock();
    chosen.waiter->brick_arrived(chosen.key, options_.hands_over ? try_get(chosen.key) : Lookup{});
    lock.lock();
  }
}

SourceStatistics FaultyBricks::statistics() const
{
  SourceStatistics result = ForwardingSource::statistics();
  const std::lock_guard lock(mutex_);
  result.cache_misses += misses_;
  return result;
}

} // namespace rivulet::test
