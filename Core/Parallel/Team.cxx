// SPDX-License-Identifier: BSD-3-Clause
#include "Parallel/Team.h"

#include <chrono>
#include <condition_variable>
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

void run_with_caller(int threads, const std::function<void(int)>& work)
{
  std::vector<std::thread> team;
  team.reserve(static_cast<std::size_t>(threads));
  for (int worker = 1; worker < threads; ++worker)
  {
    team.emplace_back(work, worker);
  }
  work(0);
  for (std::thread& thread : team)
  {
    thread.join();
  }
}

} // namespace

void run_team(int threads, const std::function<void(int)>& work, const std::function<void()>& watch)
{
  if (!watch)
  {
    run_with_caller(threads, work);
    return;
  }
  std::mutex mutex;
  std::condition_variable finished;
  int running = threads;
  std::vector<std::thread> team;
  team.reserve(static_cast<std::size_t>(threads));
  for (int worker = 0; worker < threads; ++worker)
  {
    team.emplace_back(
        [&, worker]
        {
          work(worker);
          const std::lock_guard lock(mutex);
          if (--running == 0)
          {
            finished.notify_one();
          }
        });
  }
  std::unique_lock lock(mutex);
  while (!finished.wait_for(lock, std::chrono::milliseconds(100), [&] { return running == 0; }))
  {
    lock.unlock();
    watch();
    lock.lock();
  }
  lock.unlock();
  for (std::thread& thread : team)
  {
    thread.join();
  }
}

} // namespace rivulet
