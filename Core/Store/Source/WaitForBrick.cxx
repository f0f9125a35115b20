// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Source/WaitForBrick.h"

#include <thread>

namespace rivulet
{

BrickPin wait_for_brick(BrickSource& source, const BrickKey& key, std::shared_ptr<const Error>& error)
{
  BrickInquiry inquiry(source);
  Lookup found = inquiry.get(key);
  while (found.state == Lookup::State::Miss)
  {
    inquiry.wait(std::chrono::minutes(1));
    found = inquiry.get(key);
  }
  error = found.state == Lookup::State::Failed ? found.error : error;
  return std::move(found.pin);
}

Lookup BrickInquiry::get(const BrickKey& key)
{
  if (requested_)
  {
    const std::lock_guard lock(mutex_);
    if (!arrived_)
    {
      return {};
    }
    requested_ = false;
    arrived_ = false;
    if (found_.state != Lookup::State::Miss)
    {
      return std::move(found_);
    }
  }
  Lookup found = source_.try_get(key);
  if (found.state == Lookup::State::Miss)
  {
    source_.request(key, *this);
    requested_ = true;
  }
  return found;
}

void BrickInquiry::wait(std::chrono::milliseconds most)
{
  std::unique_lock lock(mutex_);
  condition_.wait_for(lock, most, [this] { return arrived_; });
  const bool ask_again = arrived_ && found_.state == Lookup::State::Miss;
  lock.unlock();
  if (ask_again)
  {
    // A synchronous source answers at once, although all its slots may still be pinned by others.
    std::this_thread::sleep_for(std::chrono::microseconds(20));
  }
}

bool BrickInquiry::answer_missing()
{
  const std::lock_guard lock(mutex_);
  return requested_ && !arrived_;
}

void BrickInquiry::brick_arrived(const BrickKey&, Lookup&& found)
{
  // Notified under the lock: the inquiry may be destroyed as soon as it is released.
  const std::lock_guard lock(mutex_);
  found_ = std::move(found);
  arrived_ = true;
  condition_.notify_one();
}

} // namespace rivulet
