// SPDX-License-Identifier: BSD-3-Clause
#include "Parallel/Team.h"

#include "Parallel/ThreadExecutor.h"

#include <sched.h>
#include <thread>

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

void run_team(int threads, const std::function<void(int)>& work, const std::function<void()>& watch)
{
  const auto whole = [&work](int worker)
  {
    work(worker);
    return Slice::Done;
  };
  executor_or_threads(nullptr).run(threads, { whole }, { .report = watch });
}

} // namespace rivulet
