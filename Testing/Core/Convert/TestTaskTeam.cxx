// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/TaskTeam.h"

#include <array>
#include <gtest/gtest.h>

namespace rivulet
{

TEST(TaskTeam, every_task_runs_once_with_memory_of_its_thread)
{
  std::int64_t last = 0;
  std::int64_t total = 0;
  const ByteProgress progress = [&](std::int64_t done, std::int64_t all)
  {
    last = done;
    total = all;
  };
  TaskTeam team(nullptr, progress);
  std::array<std::atomic<int>, 100> ran{};
  const auto task = [&](std::int64_t number, std::byte* buffer)
  {
    buffer[0] = buffer[kMiB - 1] = std::byte{ 1 };
    ++ran[static_cast<std::size_t>(number)];
    team.add_done(10);
    return Result<void>();
  };
  ASSERT_TRUE(team.run({ .tasks = 100, .workers = 3, .buffer_bytes = kMiB, .total_bytes = 1000 }, task, nullptr));
  for (const std::atomic<int>& times : ran)
  {
    EXPECT_EQ(times, 1);
  }
  EXPECT_FALSE(team.stopped());
  team.show_progress();
  EXPECT_EQ(last, 1000);
  EXPECT_EQ(total, 1000);
}

TEST(TaskTeam, an_error_ends_the_team)
{
  const ByteProgress silent;
  TaskTeam team(nullptr, silent);
  std::int64_t ran = 0;
  const auto task = [&ran](std::int64_t number, std::byte*)
  {
    ++ran;
    return number == 4 ? Result<void>(fail(ErrorCode::CannotWrite, "no room", {})) : Result<void>();
  };
  const Result<void> result = team.run({ .tasks = 100, .workers = 1, .buffer_bytes = 1 }, task, nullptr);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::CannotWrite);
  EXPECT_EQ(ran, 5);
  EXPECT_TRUE(team.stopped());
}

TEST(TaskTeam, cancelling_is_no_error)
{
  std::atomic<bool> cancel{ false };
  const ByteProgress silent;
  TaskTeam team(&cancel, silent);
  const auto task = [&cancel](std::int64_t number, std::byte*)
  {
    cancel = number == 4;
    return Result<void>();
  };
  ASSERT_TRUE(team.run({ .tasks = 100, .workers = 1, .buffer_bytes = 1 }, task, nullptr));
  EXPECT_TRUE(team.stopped());
}

TEST(TaskTeam, memory_that_the_system_has_not_is_an_error)
{
  const ByteProgress silent;
  TaskTeam team(nullptr, silent);
  const auto task = [](std::int64_t, std::byte*)
  {
    return Result<void>();
  };
  const Result<void> result =
      team.run({ .tasks = 1, .workers = 1, .buffer_bytes = std::int64_t{ 1 } << 60 }, task, nullptr);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, ErrorCode::BudgetTooSmall);
}

} // namespace rivulet
