// SPDX-License-Identifier: BSD-3-Clause
#include "Parallel/ThreadExecutor.h"
#include "Support/NoMoreThreads.h"
#include "Support/RoundRobinExecutor.h"
#ifdef RIVULET_HAVE_TBB
#include "Parallel/ArenaExecutor.h"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#endif

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <new>
#include <string>

namespace rivulet::test
{
namespace
{

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;
using std::chrono::milliseconds;

std::unique_ptr<Executor> make_executor(const std::string& name)
{
#ifdef RIVULET_HAVE_TBB
  if (name == "Arena")
  {
    return std::make_unique<ArenaExecutor>();
  }
#endif
  if (name == "Threads")
  {
    return std::make_unique<ThreadExecutor>();
  }
  return std::make_unique<RoundRobinExecutor>();
}

std::vector<std::string> executors()
{
  std::vector<std::string> names{ "Threads", "RoundRobin" };
#ifdef RIVULET_HAVE_TBB
  names.emplace_back("Arena");
#endif
  return names;
}

/// Workers of some slices each.
class Workers
{
public:
  Workers(int workers, int slices)
    : done_(static_cast<std::size_t>(workers))
    , users_(done_.size())
    , slices_(slices)
  {
  }

  Slice slice(int worker)
  {
    const auto number = static_cast<std::size_t>(worker);
    shared_ += users_[number].fetch_add(1);
    const bool last = ++done_[number] == slices_;
    users_[number].fetch_sub(1);
    return last ? Slice::Done : Slice::Worked;
  }

  /// Slices that began while another of the same worker was under way.
  [[nodiscard]] int shared() const { return shared_; }
  [[nodiscard]] bool done(int worker) const { return done_[static_cast<std::size_t>(worker)] == slices_; }
  [[nodiscard]] bool all_done() const
  {
    return std::all_of(done_.begin(), done_.end(), [this](const auto& done) { return done == slices_; });
  }

private:
  std::vector<std::atomic<int>> done_;
  std::vector<std::atomic<int>> users_;
  int slices_;
  std::atomic<int> shared_{ 0 };
};

class AnyExecutor : public testing::TestWithParam<std::string>
{
protected:
  std::unique_ptr<Executor> executor_ = make_executor(GetParam());
};

TEST_P(AnyExecutor, RunsEachWorkerUntilItIsDone)
{
  for (const bool watched : { false, true })
  {
    for (const int workers : { 1, 2, 7 })
    {
      Workers work(workers, 1000);
      Watch watch;
      if (watched)
      {
        watch.poll = [] {
        };
      }
      executor_->run(workers,
          { [&](int worker)
              {
                return work.slice(worker);
              } },
          watch);
      EXPECT_TRUE(work.all_done());
      EXPECT_EQ(work.shared(), 0);
    }
  }
}

/// Each worker needs what the other one did last.
TEST_P(AnyExecutor, ResumesWorkersThatWaitForEachOther)
{
  constexpr int kRounds = 200;
  std::atomic<int> turn{ 0 };
  std::atomic<int> waits{ 0 };
  const auto slice = [&](int worker)
  {
    const int now = turn.load();
    if (now % 2 != worker)
    {
      return now >= kRounds ? Slice::Done : Slice::Waits;
    }
    turn.store(now + 1);
    return now + 1 >= kRounds ? Slice::Done : Slice::Worked;
  };
  const auto wait = [&](int)
  {
    ++waits;
    std::this_thread::yield();
  };
  executor_->run(2, { slice, wait }, { .report = [] {
  } });
  EXPECT_GE(turn, kRounds);
  EXPECT_TRUE(GetParam() != "RoundRobin" || waits == 0);
}

TEST_P(AnyExecutor, HandsOnTheFirstExceptionWhenAllWorkersHaveEnded)
{
  for (const bool watched : { false, true })
  {
    Workers others(4, 50);
    const auto slice = [&](int worker)
    {
      if (worker == 2)
      {
        (void)others.slice(worker);
        throw std::bad_alloc();
      }
      return others.slice(worker);
    };
    Watch watch;
    if (watched)
    {
      watch.report = [] {
      };
    }
    EXPECT_THROW(executor_->run(4, { slice }, watch), std::bad_alloc);
    EXPECT_TRUE(others.done(0) && others.done(1) && others.done(3));
  }
}

TEST_P(AnyExecutor, HandsOnAnExceptionOfAHook)
{
  std::atomic<bool> polled{ false };
  std::atomic<int> ended{ 0 };
  const auto slice = [&](int)
  {
    const bool last = polled;
    ended += last ? 1 : 0;
    return last ? Slice::Done : Slice::Worked;
  };
  const auto poll = [&]
  {
    polled = true;
    throw std::bad_alloc();
  };
  EXPECT_THROW(executor_->run(2, { slice }, { .poll = poll }), std::bad_alloc);
  EXPECT_EQ(ended, 2);
}

/// A hook that is due every 200 us runs at least once per millisecond. The bound is a quarter of that, because other
/// programs may use the machine.
TEST_P(AnyExecutor, PollsOftenAndReportsRarelyOnTheCallingThread)
{
  constexpr milliseconds kWork{ 250 };
  constexpr microseconds kInterval{ 200 };
  const Clock::time_point start = Clock::now();
  int polls = 0;
  int reports = 0;
  int elsewhere = 0;
  const auto slice = [&](int)
  {
    std::this_thread::sleep_for(microseconds(50));
    return Clock::now() - start > kWork ? Slice::Done : Slice::Worked;
  };
  const auto count = [&, caller = std::this_thread::get_id()](int& calls)
  {
    ++calls;
    elsewhere += std::this_thread::get_id() == caller ? 0 : 1;
  };
  executor_->run(2, { slice }, { [&] { count(reports); }, [&] { count(polls); }, kInterval });
  const auto took = Clock::now() - start;
  EXPECT_GE(polls, kWork / milliseconds(1) / 4);
  EXPECT_LE(polls, took / kInterval);
  EXPECT_GE(reports, 1);
  EXPECT_LE(reports, took / milliseconds(100));
  EXPECT_EQ(elsewhere, 0);
}

INSTANTIATE_TEST_SUITE_P(All, AnyExecutor, testing::ValuesIn(executors()), [](const auto& each) { return each.param; });

TEST(RoundRobinExecutor, RunsEverythingOnTheCallingThread)
{
  const std::thread::id caller = std::this_thread::get_id();
  int elsewhere = 0;
  Workers work(3, 10);
  RoundRobinExecutor executor;
  executor.run(3, { [&](int worker)
                      {
                        elsewhere += std::this_thread::get_id() == caller ? 0 : 1;
                        return work.slice(worker);
                      } });
  EXPECT_TRUE(work.all_done());
  EXPECT_EQ(elsewhere, 0);
  EXPECT_EQ(executor.slices(), 30);
}

#ifndef __SANITIZE_THREAD__

TEST(ThreadExecutor, StillWatchesWhereThereAreNoThreads)
{
  const NoMoreThreads refused;
  int polls = 0;
  ThreadExecutor().run(2,
      { [&](int)
          {
            return polls > 3 ? Slice::Done : Slice::Worked;
          } },
      { .poll = [&]
          {
            ++polls;
          } });
  EXPECT_GT(polls, 3);
}

#endif

// A worker may wait for what only polls bring, such as a brick of another rank, after all others have ended.
TEST(ThreadExecutor, PollsUntilTheLastWorkerOfABriefRunHasEnded)
{
  ThreadExecutor executor;
  const auto deadline = Clock::now() + std::chrono::seconds(5);
  std::atomic<int> polls{ 0 };
  std::atomic<bool> first_has_ended{ false };
  std::atomic<int> polls_before{ 0 };
  const auto slice = [&](int worker)
  {
    if (worker == 0)
    {
      polls_before = polls.load();
      first_has_ended = true;
      return Slice::Done;
    }
    const bool polled = first_has_ended && polls > polls_before + 3;
    return polled || Clock::now() > deadline ? Slice::Done : Slice::Waits;
  };
  const auto wait = [](int)
  {
    std::this_thread::sleep_for(milliseconds(1));
  };
  executor.run(2, { slice, wait, true },
      { .poll = [&]
          {
            ++polls;
          } });
  EXPECT_LT(Clock::now(), deadline);
}

TEST(ThreadExecutor, DoesABriefRunOnTheCallingThreadAndPollsBetweenSlices)
{
  ThreadExecutor executor;
  const std::thread::id caller = std::this_thread::get_id();
  int slices = 0;
  int polls = 0;
  const auto slice = [&](int)
  {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    std::this_thread::sleep_for(milliseconds(1));
    return ++slices == 20 ? Slice::Done : Slice::Worked;
  };
  executor.run(1, { .slice = slice, .brief = true },
      { .poll = [&]
          {
            ++polls;
          } });
  EXPECT_EQ(slices, 20);
  EXPECT_GE(polls, 15);
}

#ifdef RIVULET_HAVE_TBB

/// No worker ever comes: the calling thread must do it all, and workers that wait for each other must have their turns.
TEST(ArenaExecutor, EndsOnTheCallingThreadAlone)
{
  for (const bool watched : { false, true })
  {
    int turn = 0;
    int polls = 0;
    int elsewhere = 0;
    const auto slice = [&, caller = std::this_thread::get_id()](int worker)
    {
      elsewhere += std::this_thread::get_id() == caller ? 0 : 1;
      const bool mine = turn % 3 == worker;
      turn += mine ? 1 : 0;
      return turn >= 300 ? Slice::Done : mine ? Slice::Worked : Slice::Waits;
    };
    Watch watch;
    if (watched)
    {
      watch = { .poll = [&] { ++polls; }, .interval = microseconds(1) };
    }
    tbb::task_arena(1).execute(
        [&]
        {
          ArenaExecutor().run(3,
              { slice,
                  [](int) {
                  } },
              watch);
        });
    EXPECT_GE(turn, 300);
    EXPECT_EQ(elsewhere, 0);
    EXPECT_EQ(polls > 0, watched);
  }
}

/// Slices sleep, so that four threads fit on any machine.
TEST(ArenaExecutor, UsesTheThreadsOfItsArena)
{
  const tbb::global_control four(tbb::global_control::max_allowed_parallelism, 4);
  std::atomic<int> now{ 0 };
  std::atomic<int> most{ 0 };
  std::atomic<int> slices{ 0 };
  const auto slice = [&](int)
  {
    const int others = ++now;
    int before = most;
    while (before < others && !most.compare_exchange_weak(before, others))
    {
    }
    std::this_thread::sleep_for(milliseconds(2));
    --now;
    return ++slices > 400 ? Slice::Done : Slice::Worked;
  };
  tbb::task_arena(4).execute([&] { ArenaExecutor().run(8, { slice }); });
  EXPECT_EQ(most, 4);
  most = 0;
  slices = 0;
  tbb::task_arena(2).execute([&] { ArenaExecutor().run(8, { slice }); });
  EXPECT_EQ(most, 2);
}

/// A worker whose brick comes from elsewhere sleeps in wait(), on the calling thread.
TEST(ArenaExecutor, SleepsWhereAllWait)
{
  std::atomic<bool> arrived{ false };
  std::thread disk(
      [&]
      {
        std::this_thread::sleep_for(milliseconds(30));
        arrived = true;
      });
  int waits = 0;
  int slices = 0;
  const auto slice = [&](int)
  {
    ++slices;
    return arrived ? Slice::Done : Slice::Waits;
  };
  const auto wait = [&](int)
  {
    ++waits;
    std::this_thread::sleep_for(milliseconds(5));
  };
  ArenaExecutor().run(1, { slice, wait });
  disk.join();
  EXPECT_GT(waits, 0);
  EXPECT_LE(slices, waits + 1);
}

#endif

} // namespace
} // namespace rivulet::test
