// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Team of threads for numbered tasks. Each thread has a buffer and takes the next task in turn. The team ends when all
/// tasks are done, a task fails, or the caller cancels.
///
///     TaskTeam team(options.cancel, options.progress);
///     const auto task = [&](std::int64_t number, std::byte* buffer) { ...; team.add_done(bytes); return written; };
///     Result<void> ran = team.run({ .tasks = 100, .workers = 4, .buffer_bytes = kMiB, .total_bytes = all }, task,
///     &reader);
///
/// The calling thread calls `progress` about ten times a second, and checks from time to time that the source's files
/// have not changed. Any thread may call stopped() and add_done().
#pragma once

#include "Convert/Converter.h"

#include <mutex>
#include <optional>

namespace rivulet
{

struct TaskPlan
{
  std::int64_t tasks = 0;
  int workers = 1;               ///< number of threads
  std::int64_t buffer_bytes = 0; ///< page-aligned memory of each thread, zeroed at the start
  std::int64_t total_bytes = 0;  ///< sum of add_done() when all is done
};

class TaskTeam
{
public:
  using Task = std::function<Result<void>(std::int64_t number, std::byte* buffer)>;

  /// Both must outlive the team.
  TaskTeam(const std::atomic<bool>* cancel, const ByteProgress& progress)
    : cancel_(cancel)
    , progress_(progress)
  {
  }

  /// Fails with the first error of a task, with BudgetTooSmall if the system refuses a buffer, or with an error of
  /// LatticeReader::check_unchanged(). `source` may be nullptr. Returns without an error if the caller cancelled: see
  /// stopped().
  [[nodiscard]] Result<void> run(const TaskPlan& plan, const Task& task, LatticeReader* source);

  /// True after an error, and after the caller cancelled.
  [[nodiscard]] bool stopped() const;
  void add_done(std::int64_t bytes) { done_.fetch_add(bytes, std::memory_order_relaxed); }
  void show_progress() const;

private:
  void work(const TaskPlan& plan, const Task& task);
  void stop(Error error);

  const std::atomic<bool>* cancel_;
  const ByteProgress& progress_;
  std::int64_t total_ = 0;
  std::atomic<std::int64_t> next_{ 0 };
  std::atomic<std::int64_t> done_{ 0 };
  std::atomic<bool> failed_{ false };
  std::mutex mutex_;
  std::optional<Error> error_; ///< guarded by mutex_
};

} // namespace rivulet
