// SPDX-License-Identifier: BSD-3-Clause
#include "Store/WaitForBrick.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace rivulet
{

namespace
{

/// Sleeps until the brick it waits for has arrived.
class SleepingWaiter final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey&) override
  {
    const std::lock_guard lock(mutex_);
    arrived_ = true;
    condition_.notify_one();
  }
  void wait()
  {
    std::unique_lock lock(mutex_);
    condition_.wait(lock, [this] { return arrived_; });
  }

private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool arrived_ = false;
};

} // namespace

BrickPin wait_for_brick(BrickSource& source, const BrickKey& key, std::shared_ptr<const Error>& error)
{
  for (;;)
  {
    Lookup found = source.try_get(key);
    if (found.state == Lookup::State::Ready)
    {
      return std::move(found.pin);
    }
    if (found.state == Lookup::State::Failed)
    {
      error = found.error;
      return {};
    }
    SleepingWaiter waiter;
    source.request(key, waiter);
    waiter.wait();
    // A synchronous source answers at once, although all its places may still be pinned by others.
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

} // namespace rivulet
