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

/// Sleeps until it is handed the brick it waits for.
class SleepingWaiter final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey&, Lookup&& found) override
  {
    const std::lock_guard lock(mutex_);
    found_ = std::move(found);
    arrived_ = true;
    condition_.notify_one();
  }
  [[nodiscard]] Lookup wait()
  {
    std::unique_lock lock(mutex_);
    condition_.wait(lock, [this] { return arrived_; });
    return std::move(found_);
  }

private:
  std::mutex mutex_;
  std::condition_variable condition_;
  bool arrived_ = false;
  Lookup found_;
};

} // namespace

BrickPin wait_for_brick(BrickSource& source, const BrickKey& key, std::shared_ptr<const Error>& error)
{
  Lookup found = source.try_get(key);
  while (found.state == Lookup::State::Miss)
  {
    SleepingWaiter waiter;
    source.request(key, waiter);
    found = waiter.wait();
    if (found.state == Lookup::State::Miss)
    {
      // A synchronous source answers at once, although all its places may still be pinned by others.
      std::this_thread::sleep_for(std::chrono::microseconds(20));
      found = source.try_get(key);
    }
  }
  error = found.state == Lookup::State::Failed ? found.error : error;
  return std::move(found.pin);
}

} // namespace rivulet
