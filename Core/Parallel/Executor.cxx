// SPDX-License-Identifier: BSD-3-Clause
#include "Parallel/Executor.h"

#include <algorithm>

namespace rivulet
{

namespace
{

constexpr std::chrono::milliseconds kReportInterval{ 100 };

} // namespace

SlicedRun::SlicedRun(int workers, const SlicedWork& work, const Watch& watch)
  : workers_(workers)
  , work_(work)
  , watch_(watch)
  , tick_(watch.poll ? std::min<Clock::duration>(watch.interval, kReportInterval) : kReportInterval)
  , next_report_(Clock::now() + kReportInterval)
  , next_poll_(Clock::now() + watch.interval)
{
}

template <class Function>
void SlicedRun::guard(const Function& function)
{
  try
  {
    function();
  }
  catch (...)
  {
    const std::lock_guard lock(mutex_);
    thrown_ = thrown_ ? thrown_ : std::current_exception();
  }
}

void SlicedRun::throw_again() const
{
  if (thrown_)
  {
    std::rethrow_exception(thrown_);
  }
}

Slice SlicedRun::slice(int worker)
{
  Slice after = Slice::Done; // also if it throws
  guard([&] { after = work_.slice(worker); });
  if (after == Slice::Done)
  {
    const std::lock_guard lock(mutex_);
    ++ended_;
    someone_ended_.notify_one();
  }
  return after;
}

void SlicedRun::wait(int worker)
{
  guard([&] { work_.wait(worker); });
}

void SlicedRun::run_to_end(int worker)
{
  const bool looks = watched() && std::this_thread::get_id() == caller_;
  for (Slice after = slice(worker); after != Slice::Done; after = slice(worker))
  {
    if (after == Slice::Waits)
    {
      wait(worker);
    }
    if (looks)
    {
      look();
    }
  }
}

void SlicedRun::look()
{
  const Clock::time_point now = Clock::now();
  if (watch_.poll && now >= next_poll_)
  {
    guard(watch_.poll);
    next_poll_ = Clock::now() + watch_.interval;
  }
  if (watch_.report && now >= next_report_)
  {
    guard(watch_.report);
    next_report_ = Clock::now() + kReportInterval;
  }
}

void SlicedRun::watch_until(int ended)
{
  std::unique_lock lock(mutex_);
  while (!someone_ended_.wait_for(lock, tick_, [&] { return ended_ >= ended; }))
  {
    lock.unlock();
    look();
    lock.lock();
  }
}

void Executor::run(int workers, const SlicedWork& work, const Watch& watch)
{
  SlicedRun run(workers, work, watch);
  run_all(run);
  run.throw_again();
}

} // namespace rivulet
