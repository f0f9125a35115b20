// SPDX-License-Identifier: BSD-3-Clause
#include "Parallel/Team.h"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <sched.h>
#include <thread>
#include <vector>

namespace rivulet
{

int available_threads()
{
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof(allowed), &allowed) == 0 && CPU_COUNT(&allowed) > 0)
  {
    return CPU_COUNT(&allowed);
  }
  const unsigned count = std::thread::hardware_concurrency();
  return count == 0 ? 1 : static_cast<int>(count);
}

int resolve_threads(int threads)
{
  return threads > 0 ? threads : available_threads();
}

namespace
{

/// Threads for workers first ... end - 1: fewer where the system has no memory, or no number, for more of them.
std::vector<std::thread> start_threads(int first, int end, const std::function<void(int)>& run)
{
  std::vector<std::thread> team;
  try
  {
    team.reserve(static_cast<std::size_t>(end - first));
    for (int worker = first; worker < end; ++worker)
    {
      team.emplace_back(run, worker);
    }
  }
  catch (const std::exception&) // std::system_error or std::bad_alloc: the caller takes over what is left
  {
  }
  return team;
}

void join_all(std::vector<std::thread>& team)
{
  for (std::thread& thread : team)
  {
    thread.join();
  }
}

/// Keeps the first exception of a team until all are done.
class FirstException
{
public:
  template <class Function>
  void guard(const Function& function)
  {
    try
    {
      function();
    }
    catch (...)
    {
      const std::lock_guard lock(mutex_);
      first_ = first_ ? first_ : std::current_exception();
    }
  }

  void throw_again() const
  {
    if (first_)
    {
      std::rethrow_exception(first_);
    }
  }

private:
  std::mutex mutex_;
  std::exception_ptr first_;
};

void run_with_caller(int threads, const std::function<void(int)>& work)
{
  std::vector<std::thread> team = start_threads(1, threads, work);
  work(0);
  for (int worker = 1 + static_cast<int>(team.size()); worker < threads; ++worker)
  {
    work(worker);
  }
  join_all(team);
}

/// The calling thread calls `watch` every 100 ms.
void run_and_watch(int threads, const std::function<void(int)>& work, const std::function<void()>& watch)
{
  std::mutex mutex;
  std::condition_variable finished;
  int done = 0;
  const auto run = [&](int worker)
  {
    work(worker);
    const std::lock_guard lock(mutex);
    ++done;
    finished.notify_one();
  };
  std::vector<std::thread> team = start_threads(0, threads, run);
  const int started = static_cast<int>(team.size());
  std::unique_lock lock(mutex);
  while (!finished.wait_for(lock, std::chrono::milliseconds(100), [&] { return done == started; }))
  {
    lock.unlock();
    watch();
    lock.lock();
  }
  lock.unlock();
  join_all(team);
  for (int worker = started; worker < threads; ++worker)
  {
    work(worker);
  }
}

} // namespace

void run_team(int threads, const std::function<void(int)>& work, const std::function<void()>& watch)
{
  FirstException thrown;
  const auto guarded_work = [&](int worker)
  {
    thrown.guard([&] { work(worker); });
  };
  const auto guarded_watch = [&]
  {
    thrown.guard(watch);
  };
  watch ? run_and_watch(threads, guarded_work, guarded_watch) : run_with_caller(threads, guarded_work);
  thrown.throw_again();
}

} // namespace rivulet
