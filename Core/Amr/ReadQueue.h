// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Queue of work for the threads of one call: files whose datasets must be located, batches of patches, and tasks.
///
///     while (std::optional<Work> work = queue.next(stop)) { ...; queue.done(*work); }
///
/// Any thread may call any function; all files must be added before the first call of next().
#pragma once

#include "Amr/ReadTask.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <variant>

namespace rivulet
{

using Work = std::variant<FileJob*, PatchBatch, ReadTask>;

class ReadQueue
{
public:
  void add_file(FileIndex& index, std::vector<std::size_t>&& patches);

  /// Next piece of work. Waits while other threads may add some. Nothing if all is done or `stop` is true.
  [[nodiscard]] std::optional<Work> next(const std::atomic<bool>& stop);

  /// Adds work of a file. Called by a thread before its done() for that file or batch.
  void put(FileJob& job, std::vector<ReadTask>&& tasks);
  void put(FileJob& job, std::vector<PatchBatch>&& batches);

  /// Ends a piece of work. Called once for each result of next().
  void done(const Work& work);

private:
  [[nodiscard]] std::optional<Work> take();

  std::deque<FileJob> files_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> found_;
  std::size_t next_file_ = 0;
  std::size_t may_find_ = 0; ///< files and batches in work, which may add more
};

} // namespace rivulet
