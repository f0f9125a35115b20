// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/ReadQueue.h"

#include <chrono>
#include <iterator>

namespace rivulet
{

namespace
{

constexpr std::size_t kEnough = 64; ///< pieces of queued work that keep the other threads busy

} // namespace

void ReadQueue::add_file(FileIndex& index, std::vector<std::size_t>&& patches)
{
  files_.emplace_back(index, std::move(patches));
  ++may_find_;
}

/// Files come first until the queue has enough work for the other threads.
std::optional<Work> ReadQueue::take()
{
  const bool more_files = next_file_ < files_.size();
  if (more_files && found_.size() <= kEnough)
  {
    return Work(&files_[next_file_++]);
  }
  if (found_.empty())
  {
    return std::nullopt;
  }
  const Work work = found_.front();
  found_.pop_front();
  return work;
}

std::optional<Work> ReadQueue::next(const std::atomic<bool>& stop)
{
  std::unique_lock lock(mutex_);
  while (!stop.load(std::memory_order_relaxed))
  {
    std::optional<Work> work = take();
    if (work || may_find_ == 0)
    {
      return work;
    }
    changed_.wait_for(lock, std::chrono::milliseconds(20));
  }
  return std::nullopt;
}

void ReadQueue::put(FileJob& job, std::vector<ReadTask>&& tasks)
{
  job.users.fetch_add(static_cast<int>(tasks.size()));
  const std::lock_guard lock(mutex_);
  std::move(tasks.begin(), tasks.end(), std::back_inserter(found_));
  changed_.notify_all();
}

void ReadQueue::put(FileJob& job, std::vector<PatchBatch>&& batches)
{
  job.users.fetch_add(static_cast<int>(batches.size()));
  const std::lock_guard lock(mutex_);
  may_find_ += batches.size();
  std::move(batches.begin(), batches.end(), std::back_inserter(found_));
  changed_.notify_all();
}

void ReadQueue::done(const Work& work)
{
  if (const auto* task = std::get_if<ReadTask>(&work))
  {
    task->job->done_with_one();
    return;
  }
  FileJob* job = std::holds_alternative<PatchBatch>(work) ? std::get<PatchBatch>(work).job : std::get<FileJob*>(work);
  job->done_with_one();
  const std::lock_guard lock(mutex_);
  if (--may_find_ == 0)
  {
    changed_.notify_all();
  }
}

} // namespace rivulet
