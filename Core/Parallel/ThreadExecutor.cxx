// SPDX-License-Identifier: BSD-3-Clause
#include "Parallel/ThreadExecutor.h"

#include <algorithm>
#include <vector>

namespace rivulet
{

namespace
{

/// Threads for workers first ... workers() - 1; fewer if the system has no memory or no number for more of them.
std::vector<std::thread> start_threads(int first, SlicedRun& run)
{
  std::vector<std::thread> team;
  try
  {
    team.reserve(static_cast<std::size_t>(std::max(run.workers() - first, 0)));
    for (int worker = first; worker < run.workers(); ++worker)
    {
      team.emplace_back([&run, worker] { run.run_to_end(worker); });
    }
  }
  catch (const std::exception&) // std::system_error or std::bad_alloc: the caller runs the remaining workers
  {
  }
  return team;
}

} // namespace

void ThreadExecutor::run_all(SlicedRun& run)
{
  // With several workers, workers on other threads may need the hooks after the caller's own worker has ended.
  const bool watches = run.watched() && !(run.brief() && run.workers() == 1);
  const int first = watches ? 0 : 1;
  std::vector<std::thread> team = start_threads(first, run);
  const int started = static_cast<int>(team.size());
  watches ? run.watch_until(started) : run.run_to_end(0);
  for (int worker = first + started; worker < run.workers(); ++worker)
  {
    run.run_to_end(worker);
  }
  for (std::thread& thread : team)
  {
    thread.join();
  }
}

Executor& executor_or_threads(Executor* executor)
{
  static ThreadExecutor threads;
  return executor != nullptr ? *executor : threads;
}

} // namespace rivulet
