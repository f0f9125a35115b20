// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Who reads what next, among the threads of one call: files that must be searched, patches of a file that was, and
/// tasks that were found.
///
///     while (std::optional<Work> work = queue.next(stop)) { ...; queue.done(*work); }
///
/// Any thread, all functions; files are added before the first thread comes.
#pragma once

#include "Amr/ReadTask.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <variant>

namespace rivulet
{

using Work = std::variant<FileJob*, PatchBatch, ReadTask>;

class WorkQueue
{
public:
  void add_file(FileIndex& index, std::vector<std::size_t>&& patches);

  /// Waits while others may still find something. Nothing if all is done, or once `stop` is set.
  [[nodiscard]] std::optional<Work> next(const std::atomic<bool>& stop);

  /// What was found at a file, by one who has not done with it.
  void put(FileJob& job, std::vector<ReadTask>&& tasks);
  void put(FileJob& job, std::vector<PatchBatch>&& batches);

  /// To be called for each piece of work.
  void done(const Work& work);

private:
  [[nodiscard]] std::optional<Work> take();

  std::deque<FileJob> files_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Work> found_;
  std::size_t next_file_ = 0;
  std::size_t may_find_ = 0; ///< files and batches that are not done
};

} // namespace rivulet
