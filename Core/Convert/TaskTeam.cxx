// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/TaskTeam.h"

#include "Parallel/Team.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <memory>
#include <sys/mman.h>

namespace rivulet
{

namespace
{

using Clock = std::chrono::steady_clock;

struct Unmap
{
  std::size_t bytes = 0;
  void operator()(std::byte* memory) const { ::munmap(memory, bytes); }
};
using Pages = std::unique_ptr<std::byte[], Unmap>;

/// Zeroed memory, with huge pages where the kernel has them: they take a five-hundredth of the page faults.
Result<Pages> allocate_pages(std::int64_t bytes)
{
  const auto whole = static_cast<std::size_t>(round_up(std::max<std::int64_t>(bytes, 1), kPage));
  void* memory = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
  {
    return fail(ErrorCode::BudgetTooSmall, "the system refused " + format_bytes(bytes) + " of memory",
        "lower the memory limit", {}, -1, errno);
  }
  ::madvise(memory, whole, MADV_HUGEPAGE); // only advice; kernels without huge pages refuse it
  return Pages(static_cast<std::byte*>(memory), Unmap{ whole });
}

/// Checks from time to time that a source has not changed, so that a long conversion of overwritten files ends soon.
/// The checks take at most about a hundredth of the time, for any number of files.
class SourceWatch
{
public:
  explicit SourceWatch(LatticeReader* source)
    : source_(source)
  {
  }

  [[nodiscard]] Result<void> look()
  {
    const Clock::time_point start = Clock::now();
    if (source_ == nullptr || start < next_)
    {
      return {};
    }
    Result<void> same = source_->check_unchanged();
    next_ = Clock::now() + std::max<Clock::duration>(std::chrono::seconds(1), 100 * (Clock::now() - start));
    return same;
  }

private:
  LatticeReader* source_;
  Clock::time_point next_ = Clock::now() + std::chrono::seconds(1);
};

} // namespace

Result<void> TaskTeam::run(const TaskPlan& plan, const Task& task, LatticeReader* source)
{
  total_ = plan.total_bytes;
  SourceWatch watch(source);
  const auto tell = [&]
  {
    if (Result<void> same = watch.look(); !same)
    {
      stop(std::move(same.error()));
    }
    show_progress();
  };
  run_team(
      plan.workers, [&](int) { work(plan, task); }, tell);
  // Before task errors, because a changed source can cause them.
  if (Result<void> same = source != nullptr ? source->check_unchanged() : Result<void>(); !same)
  {
    return same;
  }
  return error_ ? Result<void>(tl::unexpected(std::move(*error_))) : Result<void>();
}

void TaskTeam::work(const TaskPlan& plan, const Task& task)
{
  const Result<Pages> buffer = allocate_pages(plan.buffer_bytes);
  if (!buffer)
  {
    stop(buffer.error());
  }
  while (!stopped())
  {
    const std::int64_t number = next_.fetch_add(1, std::memory_order_relaxed);
    if (number >= plan.tasks)
    {
      return;
    }
    if (Result<void> done = task(number, buffer->get()); !done)
    {
      stop(std::move(done.error()));
    }
  }
}

bool TaskTeam::stopped() const
{
  return failed_.load(std::memory_order_relaxed) || (cancel_ != nullptr && cancel_->load());
}

void TaskTeam::stop(Error error)
{
  const std::lock_guard lock(mutex_);
  if (!error_)
  {
    error_ = std::move(error);
  }
  failed_.store(true, std::memory_order_relaxed);
}

void TaskTeam::show_progress() const
{
  if (progress_)
  {
    progress_(done_.load(std::memory_order_relaxed), total_);
  }
}

} // namespace rivulet
