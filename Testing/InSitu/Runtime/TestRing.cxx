// SPDX-License-Identifier: BSD-3-Clause
#include "InSitu/Runtime/Ring.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace rivulet::insitu
{
namespace
{

using Seconds = Ring::Seconds;

TEST(Ring, LetsEachSideWaitForTheOther)
{
  Ring ring(2);
  std::array<std::int64_t, 2> buffers{ -1, -1 }; // the ring alone orders all accesses
  std::vector<std::int64_t> seen;
  std::thread analytics(
      [&]
      {
        while (const auto ticket = ring.take())
        {
          seen.push_back(buffers[static_cast<std::size_t>(ticket->buffer)]);
          EXPECT_EQ(ticket->step, ticket->sequence * 10);
          ring.done(*ticket);
        }
      });
  for (std::int64_t step = 0; step < 2000; ++step)
  {
    const auto buffer = ring.acquire(Seconds(60));
    ASSERT_TRUE(buffer);
    buffers[static_cast<std::size_t>(*buffer)] = step;
    EXPECT_EQ(ring.put(*buffer, step * 10, true), step);
  }
  ring.close();
  analytics.join();
  ASSERT_EQ(seen.size(), 2000U);
  for (std::size_t i = 0; i < seen.size(); ++i)
  {
    EXPECT_EQ(seen[i], static_cast<std::int64_t>(i));
  }
  EXPECT_EQ(ring.first_unfinished(), 2000);
}

TEST(Ring, IsFullUntilAnalyticsAreDone)
{
  Ring ring(2);
  EXPECT_EQ(ring.try_take(), std::nullopt);
  ring.put(*ring.acquire(Seconds(0)), 0, true);
  EXPECT_FALSE(ring.full());
  ring.put(*ring.acquire(Seconds(0)), 1, false);
  EXPECT_TRUE(ring.full());
  EXPECT_EQ(ring.acquire(Seconds(0.01)), std::nullopt);
  const auto first = ring.take();
  EXPECT_TRUE(ring.full()); // taken, not done
  EXPECT_TRUE(first->whole);
  ring.done(*first);
  EXPECT_FALSE(ring.full());
  EXPECT_FALSE(ring.take()->whole);
}

TEST(Ring, DropsOnlyStepsThatWait)
{
  Ring ring(3);
  for (int step = 0; step < 3; ++step)
  {
    ring.put(*ring.acquire(Seconds(0)), step, true);
  }
  EXPECT_EQ(ring.first_waiting(), 0);
  const auto taken = ring.take();
  EXPECT_EQ(ring.first_waiting(), 1);
  EXPECT_FALSE(ring.drop(0));
  EXPECT_TRUE(ring.drop(2)); // not the oldest: another rank has begun it
  EXPECT_FALSE(ring.drop(2));
  EXPECT_EQ(ring.first_unfinished(), 0) << "it is executed, whatever was dropped behind it";
  EXPECT_EQ(ring.put(*ring.acquire(Seconds(0)), 3, true), 3);
  ring.done(*taken);
  EXPECT_EQ(ring.first_unfinished(), 1);
  EXPECT_EQ(ring.take()->step, 1);
  EXPECT_EQ(ring.take()->step, 3);
  EXPECT_EQ(ring.first_waiting(), 4);
}

TEST(Ring, BeginsNothingWhileHeld)
{
  Ring ring(1);
  ring.hold(true);
  ring.put(*ring.acquire(Seconds(0)), 0, true);
  std::atomic<bool> taken{ false };
  std::thread analytics(
      [&]
      {
        EXPECT_TRUE(ring.take());
        taken = true;
      });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(taken);
  EXPECT_EQ(ring.first_waiting(), 0);
  ring.hold(false);
  analytics.join();
}

TEST(Ring, RunsErrandsOnTheOtherThread)
{
  Ring ring(1);
  EXPECT_FALSE(ring.ask([] { FAIL(); }, true)); // nobody is there
  std::thread analytics([&] { EXPECT_FALSE(ring.take()); });
  std::thread::id where;
  EXPECT_TRUE(ring.ask([&] { where = std::this_thread::get_id(); }, false));
  EXPECT_EQ(where, analytics.get_id());
  ring.close();
  analytics.join();
}

} // namespace
} // namespace rivulet::insitu
