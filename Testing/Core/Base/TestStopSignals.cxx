// SPDX-License-Identifier: BSD-3-Clause
#include "Base/StopSignals.h"

#include <csignal>
#include <gtest/gtest.h>
#include <optional>

namespace rivulet
{
namespace
{

volatile std::sig_atomic_t old_handler_ran = 0;

extern "C" void old_handler(int)
{
  old_handler_ran = old_handler_ran + 1;
}

class AnOldHandler : public ::testing::Test
{
protected:
  void SetUp() override
  {
    old_handler_ran = 0;
    std::signal(SIGUSR1, old_handler);
  }
  void TearDown() override { std::signal(SIGUSR1, SIG_DFL); }
};

TEST_F(AnOldHandler, DoesNotSeeTheFirstSignal)
{
  const StopSignals stop({ SIGUSR1 });
  EXPECT_FALSE(stop.requested());
  std::raise(SIGUSR1);
  EXPECT_TRUE(stop.requested());
  EXPECT_EQ(old_handler_ran, 0);
}

TEST_F(AnOldHandler, GetsTheSecondSignalAndThoseAfter)
{
  const StopSignals stop({ SIGUSR1 });
  std::raise(SIGUSR1);
  std::raise(SIGUSR1);
  EXPECT_EQ(old_handler_ran, 1);
  std::raise(SIGUSR1);
  EXPECT_EQ(old_handler_ran, 2);
}

TEST_F(AnOldHandler, IsPutBack)
{
  std::optional<StopSignals> stop(std::in_place, std::vector<int>{ SIGUSR1 });
  stop.reset();
  std::raise(SIGUSR1);
  EXPECT_EQ(old_handler_ran, 1);
}

TEST_F(AnOldHandler, IsPutBackWhenSomethingIsThrown)
{
  try
  {
    const StopSignals stop({ SIGUSR1 });
    throw std::bad_alloc();
  }
  catch (const std::bad_alloc&)
  {
  }
  std::raise(SIGUSR1);
  EXPECT_EQ(old_handler_ran, 1);
}

TEST_F(AnOldHandler, IsBehindTheOutermostOfTwo)
{
  const StopSignals outer({ SIGUSR1 });
  {
    const StopSignals inner({ SIGUSR1 });
    std::raise(SIGUSR1);
    EXPECT_TRUE(inner.requested());
    EXPECT_FALSE(outer.requested());
  }
  std::raise(SIGUSR1);
  EXPECT_TRUE(outer.requested());
  EXPECT_EQ(old_handler_ran, 0);
  std::raise(SIGUSR1);
  EXPECT_EQ(old_handler_ran, 1);
}

TEST(StopSignalsDeathTest, ASecondSignalEndsTheProcessWhereNothingElseWasToHappen)
{
  EXPECT_EXIT(
      {
        std::signal(SIGINT, SIG_DFL);
        const StopSignals stop({ SIGINT });
        std::raise(SIGINT);
        std::raise(SIGINT);
      },
      ::testing::KilledBySignal(SIGINT), "");
}

} // namespace
} // namespace rivulet
