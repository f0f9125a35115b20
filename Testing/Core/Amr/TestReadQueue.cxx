// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/ReadQueue.h"
#include "Amr/ReadTurns.h"
#include "Parallel/Team.h"

#include <gtest/gtest.h>

#include <list>
#include <thread>

namespace rivulet::test
{
namespace
{

/// Files that nobody opens.
class Queue : public testing::Test
{
protected:
  void add_files(int count)
  {
    for (int i = 0; i < count; ++i)
    {
      queue_.add_file(indices_.emplace_back("file", pool_), {});
    }
  }

  hdf5::BlockPool pool_;
  std::list<FileIndex> indices_;
  ReadQueue queue_;
  std::atomic<bool> stop_{ false };
};

ReadTask task_of(FileJob& job)
{
  ReadTask task;
  task.job = &job;
  return task;
}

/// Searching a file adds batches and tasks, and a batch adds tasks: all are handed out once, and each file is left by
/// all who used it.
TEST_F(Queue, EveryPieceOfWorkIsHandedOutOnce)
{
  for (const int threads : { 1, 2, 8 })
  {
    ReadQueue queue;
    std::list<FileIndex> indices;
    constexpr int kFiles = 40;
    for (int i = 0; i < kFiles; ++i)
    {
      queue.add_file(indices.emplace_back("file", pool_), {});
    }
    std::atomic<int> files{ 0 };
    std::atomic<int> batches{ 0 };
    std::atomic<int> tasks{ 0 };
    std::atomic<int> in_use{ 0 };
    std::array<FileJob*, kFiles> jobs{};
    run_team(threads,
        [&](int)
        {
          while (const std::optional<Work> work = queue.next(stop_))
          {
            if (const auto* job = std::get_if<FileJob*>(&*work))
            {
              jobs[static_cast<std::size_t>(files++)] = *job;
              queue.put(**job, std::vector<ReadTask>(5, task_of(**job)));
              queue.put(**job, std::vector<PatchBatch>(3, PatchBatch{ *job, 0, 1 }));
            }
            else if (const auto* batch = std::get_if<PatchBatch>(&*work))
            {
              ++batches;
              queue.put(*batch->job, std::vector<ReadTask>(2, task_of(*batch->job)));
            }
            else
            {
              ++tasks;
            }
            queue.done(*work);
          }
        });
    EXPECT_EQ(files, kFiles);
    EXPECT_EQ(batches, 3 * kFiles);
    EXPECT_EQ(tasks, (5 + 3 * 2) * kFiles);
    for (const FileJob* job : jobs)
    {
      ASSERT_NE(job, nullptr);
      in_use += job->users.load();
    }
    EXPECT_EQ(in_use, 0) << "a file is still in use";
    EXPECT_FALSE(queue.next(stop_).has_value());
  }
}

TEST_F(Queue, AThreadWaitsForWorkThatAnotherMayAdd)
{
  add_files(1);
  const std::optional<Work> file = queue_.next(stop_);
  ASSERT_TRUE(file.has_value());
  std::atomic<bool> came{ false };
  std::thread waiting(
      [&]
      {
        const std::optional<Work> work = queue_.next(stop_);
        came = work && std::holds_alternative<ReadTask>(*work);
      });
  FileJob& job = *std::get<FileJob*>(*file);
  queue_.put(job, std::vector<ReadTask>{ task_of(job) });
  waiting.join();
  EXPECT_TRUE(came);
  queue_.done(*file);
  EXPECT_FALSE(queue_.next(stop_).has_value());
}

TEST_F(Queue, NothingIsHandedOutOnceStopped)
{
  add_files(3);
  ASSERT_TRUE(queue_.next(stop_).has_value());
  stop_ = true;
  EXPECT_FALSE(queue_.next(stop_).has_value());
}

TEST_F(Queue, WithoutFilesThereIsNothing)
{
  EXPECT_FALSE(queue_.next(stop_).has_value());
}

TEST(ReadTurns, NoMoreThreadsComputeThanThereAreTurns)
{
  ReadTurns turns(3);
  std::atomic<int> computing{ 0 };
  std::atomic<int> most{ 0 };
  run_team(8,
      [&](int)
      {
        for (int i = 0; i < 50; ++i)
        {
          const ReadTurns::Turn turn(turns);
          const int now = ++computing;
          int seen = most.load();
          while (now > seen && !most.compare_exchange_weak(seen, now))
          {
          }
          std::this_thread::yield();
          --computing;
        }
      });
  EXPECT_LE(most, 3);
  EXPECT_LE(turns.most(), 3);
}

/// Each thread waits until all are there, which they could not be if waiting took a turn.
TEST(ReadTurns, ThreadsThatWaitForStorageGiveTheirTurnAway)
{
  constexpr int kThreads = 6;
  ReadTurns turns(1);
  std::atomic<int> there{ 0 };
  run_team(kThreads,
      [&](int)
      {
        const ReadTurns::Turn turn(turns);
        turns.before_waiting();
        ++there;
        while (there < kThreads)
        {
          std::this_thread::yield();
        }
        turns.after_waiting();
      });
  EXPECT_EQ(turns.most(), kThreads);
}

} // namespace
} // namespace rivulet::test
