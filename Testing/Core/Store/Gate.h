// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A place that one thread reaches and does not leave before another says so.
///
///     gate.pass();               // the one: "I am here", and waits
///     gate.wait_for(1);          // the other: until so many are here
///     ... gate.open();           // now, and from now on, all may go on
///
/// Any thread.
#pragma once

#include <condition_variable>
#include <mutex>

namespace rivulet::test
{

class Gate
{
public:
  void pass()
  {
    std::unique_lock lock(mutex_);
    ++reached_;
    changed_.notify_all();
    changed_.wait(lock, [this] { return open_; });
  }
  void wait_for(int count)
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return reached_ >= count; });
  }
  void open()
  {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  [[nodiscard]] int reached()
  {
    const std::lock_guard lock(mutex_);
    return reached_;
  }

private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int reached_ = 0;
  bool open_ = false;
};

} // namespace rivulet::test
