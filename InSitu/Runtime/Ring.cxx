// SPDX-License-Identifier: BSD-3-Clause
#include "Ring.h"

#include <algorithm>

namespace rivulet::insitu
{

Ring::Ring(int buffers)
{
  for (int buffer = buffers - 1; buffer >= 0; --buffer)
  {
    free_.push_back(buffer);
  }
}

std::optional<int> Ring::acquire(Seconds limit)
{
  std::unique_lock lock(mutex_);
  const bool got = analytics_done_.wait_for(lock, limit, [this] { return !free_.empty(); });
  if (!got)
  {
    return std::nullopt;
  }
  const int buffer = free_.back();
  free_.pop_back();
  return buffer;
}

std::int64_t Ring::put(int buffer, std::int64_t step, bool whole)
{
  const std::lock_guard lock(mutex_);
  waiting_.push_back({ handed_, step, buffer, whole });
  data_ready_.notify_one();
  return handed_++;
}

bool Ring::ask(const std::function<void()>& errand, bool now)
{
  std::unique_lock lock(mutex_);
  if (now && !idle_)
  {
    return false;
  }
  errand_ = errand;
  data_ready_.notify_one();
  analytics_done_.wait(lock, [this] { return !errand_; });
  return true;
}

void Ring::close()
{
  const std::lock_guard lock(mutex_);
  closed_ = true;
  data_ready_.notify_one();
}

bool Ring::full() const
{
  const std::lock_guard lock(mutex_);
  return free_.empty();
}

std::int64_t Ring::first_waiting() const
{
  const std::lock_guard lock(mutex_);
  return waiting_.empty() ? handed_ : waiting_.front().sequence;
}

void Ring::hold(bool held)
{
  const std::lock_guard lock(mutex_);
  held_ = held;
  data_ready_.notify_one();
}

bool Ring::drop(std::int64_t sequence)
{
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(
      waiting_.begin(), waiting_.end(), [sequence](const Ticket& each) { return each.sequence == sequence; });
  if (found == waiting_.end())
  {
    return false;
  }
  free_.push_back(found->buffer);
  waiting_.erase(found);
  return true;
}

std::int64_t Ring::first_unfinished() const
{
  const std::lock_guard lock(mutex_);
  const std::int64_t waiting = waiting_.empty() ? handed_ : waiting_.front().sequence;
  return running_.value_or(waiting);
}

Ticket Ring::take_front()
{
  const Ticket ticket = waiting_.front();
  waiting_.pop_front();
  running_ = ticket.sequence;
  return ticket;
}

std::optional<Ticket> Ring::take()
{
  std::unique_lock lock(mutex_);
  while (true)
  {
    const auto since = std::chrono::steady_clock::now();
    idle_ = true;
    data_ready_.wait(lock, [this] { return errand_ || may_take() || (closed_ && waiting_.empty()); });
    idle_ = false;
    idle_seconds_ += Seconds(std::chrono::steady_clock::now() - since).count();
    if (!errand_)
    {
      return waiting_.empty() ? std::nullopt : std::optional(take_front());
    }
    lock.unlock();
    errand_(); // ask() neither reads nor writes it before it is reset below
    lock.lock();
    errand_ = nullptr;
    analytics_done_.notify_one();
  }
}

std::optional<Ticket> Ring::try_take()
{
  std::unique_lock lock(mutex_);
  data_ready_.wait(lock, [this] { return !held_; });
  return waiting_.empty() ? std::nullopt : std::optional(take_front());
}

void Ring::done(const Ticket& ticket)
{
  const std::lock_guard lock(mutex_);
  free_.push_back(ticket.buffer);
  running_.reset();
  analytics_done_.notify_one();
}

double Ring::idle_seconds() const
{
  const std::lock_guard lock(mutex_);
  return idle_seconds_;
}

} // namespace rivulet::insitu
