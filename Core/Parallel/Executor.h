// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Interface between work that is cut into slices and the threads that run it.
///
///     ThreadExecutor executor;
///     executor.run(4, { [&](int worker) { return searchers[worker].slice(); } }, { .report = show_progress });
///
/// Work is shared by numbered workers. The work of each worker is a sequence of slices. A slice never waits, neither
/// for a brick nor for another worker. Hence an executor may run all workers in turn on one thread, and may run other
/// tasks between two slices. Only a source that reads in try_get() makes a slice last as long as one read.
///
///            slice() = Worked                     slice() = Done
///     +--> may run at once --------------------------------------> ended
///     |      | slice() = Waits
///     |      v
///     +--- later: wait() on a thread that may sleep, or another slice() after something else was done
///
/// The thread that called Executor::run() is the calling thread. The hooks of a Watch run on it alone, because only
/// this thread may talk to ParaView and MPI.
///
/// Executors: ThreadExecutor.h, ArenaExecutor.h. A simulation may derive one from Executor that runs slices on threads
/// of its own, as Examples/openmp_executor.cxx does.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

namespace rivulet
{

/// State of a worker after a slice.
enum class Slice : std::uint8_t
{
  Worked, ///< the next slice can do something at once
  Waits,  ///< the next slice can do something when a brick has arrived or another worker has worked
  Done    ///< there is no next slice
};

/// Work that is cut into slices.
struct SlicedWork
{
  /// Does one slice of a worker. Not called by two threads at once for the same worker.
  std::function<Slice(int worker)> slice;
  /// Sleeps until the worker's next slice can do something, 50 ms at most. Needed only where slices answer Waits.
  std::function<void(int worker)> wait{};
  /// All slices together take a few milliseconds: the calling thread may run the slices of a single worker, and call
  /// hooks between two of them. To start a thread would take longer than many such runs.
  bool brief = false;
};

/// Hooks that the calling thread calls while workers work. Both may be empty.
struct Watch
{
  std::function<void()> report{}; ///< called about every 100 ms: progress, health of files
  std::function<void()> poll{};   ///< called about every `interval`: requests of other ranks, a cancelled run
  std::chrono::microseconds interval{ 500 };
};

/// One call of Executor::run(), as the executor sees it. Its functions throw nothing: the first exception of a slice or
/// a hook is kept for the caller of Executor::run(), and a worker that throws has ended.
class SlicedRun
{
public:
  using Clock = std::chrono::steady_clock;

  SlicedRun(int workers, const SlicedWork& work, const Watch& watch);
  SlicedRun(const SlicedRun&) = delete;
  SlicedRun& operator=(const SlicedRun&) = delete;

  /// Number of workers: 0 ... workers() - 1.
  [[nodiscard]] int workers() const { return workers_; }
  [[nodiscard]] Slice slice(int worker);
  void wait(int worker);
  /// Calls slice() and wait() until the worker has ended. On the calling thread it calls look() between slices.
  void run_to_end(int worker);

  /// False if there are no hooks.
  [[nodiscard]] bool watched() const { return watch_.report || watch_.poll; }
  [[nodiscard]] bool brief() const { return work_.brief; }
  /// Calls the hooks that are due. For the calling thread, as often as it likes.
  void look();
  /// Calls the hooks until this many workers have ended. For the calling thread.
  void watch_until(int ended);

private:
  friend class Executor;

  template <class Function>
  void guard(const Function& function);
  void throw_again() const;

  int workers_;
  const SlicedWork& work_;
  const Watch& watch_;
  std::thread::id caller_ = std::this_thread::get_id();
  Clock::duration tick_; ///< time between two calls of look()
  Clock::time_point next_report_;
  Clock::time_point next_poll_;
  std::mutex mutex_; ///< guards the members below
  std::condition_variable someone_ended_;
  int ended_ = 0;
  std::exception_ptr thrown_;
};

/// Runs the workers of one task at a time for each calling thread.
class Executor
{
public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  /// Runs all workers to their ends. Workers may run one after the other: none may wait in a slice for another to
  /// begin.
  ///
  /// An exception of `work` or `watch` (std::bad_alloc: nothing else is thrown in Core) leaves here when all workers
  /// have ended; of several, the first. A worker that throws does not stop the others. Throws std::bad_alloc, too,
  /// where the system has no memory to begin.
  void run(int workers, const SlicedWork& work, const Watch& watch = {});

private:
  /// Calls run.slice() for each worker until it has ended, and on the calling thread run.look() meanwhile. Returns when
  /// no thread uses `run` any more.
  virtual void run_all(SlicedRun& run) = 0;
};

} // namespace rivulet
