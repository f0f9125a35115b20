// SPDX-License-Identifier: BSD-3-Clause
#include "Parallel/ArenaExecutor.h"

#include "Parallel/CalmFloats.h"
#include "Parallel/TaskOrder.h"

#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>
#include <deque>
#include <optional>

namespace rivulet
{

namespace
{

using Clock = SlicedRun::Clock;

constexpr std::chrono::milliseconds kTurn{ 10 };
constexpr std::chrono::microseconds kNap{ 200 };

/// Workers of a run, and their states: a ready worker may take a turn.
///
///     ready --take()--> taken --give_back(Worked)--> ready
///                             --give_back(Waits)---> waits --another has worked, or sleep()--> ready
///                             --give_back(Done)----> gone
class Turns
{
public:
  explicit Turns(SlicedRun& run)
    : run_(run)
    , left_(run.workers())
    , most_helpers_(std::min(tbb::this_task_arena::max_concurrency(), run.workers()) - 1)
  {
    for (int worker = 0; worker < run.workers(); ++worker)
    {
      ready_.push_back(worker);
    }
  }

  /// On the calling thread, until all workers have ended.
  void run_to_end()
  {
    call_helpers();
    while (!ended())
    {
      if (const std::optional<int> worker = take())
      {
        turn(*worker, run_.watched());
      }
      else
      {
        sleep();
      }
    }
    helpers_group_.wait(); // the last ones find nothing to do
  }

private:
  [[nodiscard]] bool ended()
  {
    const std::lock_guard lock(mutex_);
    return left_ == 0;
  }

  std::optional<int> take()
  {
    const std::lock_guard lock(mutex_);
    if (ready_.empty())
    {
      return std::nullopt;
    }
    const int worker = ready_.front();
    ready_.pop_front();
    return worker;
  }

  void turn(int worker, bool looks)
  {
    const CalmFloats calm; // the arena may be a simulation's
    const Clock::time_point end = Clock::now() + kTurn;
    bool worked = false;
    Slice after = Slice::Worked;
    while (after == Slice::Worked && Clock::now() < end)
    {
      after = run_.slice(worker);
      worked = worked || after != Slice::Waits;
      if (looks)
      {
        run_.look();
      }
    }
    give_back(worker, after, worked);
    call_helpers();
  }

  void give_back(int worker, Slice after, bool worked)
  {
    const std::lock_guard lock(mutex_);
    if (worked)
    {
      ready_.insert(ready_.end(), waits_.begin(), waits_.end());
      waits_.clear();
    }
    if (after == Slice::Done)
    {
      --left_;
    }
    else
    {
      (after == Slice::Worked ? ready_ : waits_).push_back(worker);
    }
    changed_.notify_one();
  }

  /// As many tasks as there are turns to take, and threads for them.
  void call_helpers()
  {
    int called = 0;
    {
      const std::lock_guard lock(mutex_);
      called = std::min(most_helpers_ - helpers_, static_cast<int>(ready_.size()));
      helpers_ += std::max(called, 0);
    }
    for (; called > 0; --called)
    {
      helpers_group_.run(
          [this] RIVULET_NOT_SANITIZED
          {
            const TaskOrder::Task task(order_);
            help();
          });
    }
  }

  void help()
  {
    {
      const std::lock_guard lock(mutex_);
      --helpers_; // it takes a turn now, and may call its own successor
    }
    if (const std::optional<int> worker = take())
    {
      turn(*worker, false);
    }
  }

  /// Until a turn has ended elsewhere. Where workers wait for something else, they are tried again after a while.
  void sleep()
  {
    std::optional<int> waits;
    {
      std::unique_lock lock(mutex_);
      if (left_ > 0 && ready_.empty() && (run_.watched() || waits_.empty()))
      {
        changed_.wait_for(lock, kNap);
      }
      if (!run_.watched() && ready_.empty() && !waits_.empty())
      {
        waits = waits_.front();
        waits_.pop_front();
      }
      ready_.insert(ready_.end(), waits_.begin(), waits_.end());
      waits_.clear();
    }
    if (waits)
    {
      run_.wait(*waits);
      give_back(*waits, Slice::Worked, false);
    }
    if (run_.watched())
    {
      run_.look();
    }
  }

  SlicedRun& run_;
  std::mutex mutex_; ///< guards the members below, without the group
  std::condition_variable changed_;
  std::deque<int> ready_;
  std::deque<int> waits_;
  int left_;
  int helpers_ = 0; ///< tasks that have not begun
  int most_helpers_;
  TaskOrder order_;
  tbb::task_group helpers_group_;
};

} // namespace

void ArenaExecutor::run_all(SlicedRun& run)
{
  Turns(run).run_to_end();
}

} // namespace rivulet
