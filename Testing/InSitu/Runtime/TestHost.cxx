// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// All that a simulation can observe of its process is the same with analytics as without, also if these change it:
/// actions of signals, the locale, and the floating-point environment, whose traps end no analytics.
#include "TestSimulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <dlfcn.h>
#include <tbb/parallel_for.h>
#include <thread>

namespace rivulet::test
{
namespace
{

constexpr int kTraps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW;
constexpr std::array kSignals{ SIGTERM, SIGINT, SIGUSR1, SIGFPE, SIGPIPE, SIGHUP };

void own_handler(int /*number*/) {}
void later_handler(int /*number*/) {}

/// A simulation with handlers and traps of its own, until the end of the test.
class Host : public testing::TestWithParam<std::string>
{
protected:
  Host()
  {
    for (std::size_t i = 0; i < kSignals.size(); ++i)
    {
      struct sigaction own = {};
      own.sa_handler = own_handler;
      sigaction(kSignals[i], &own, &before_[i]);
    }
    std::feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(kTraps);
  }
  ~Host() override
  {
    fedisableexcept(FE_ALL_EXCEPT);
    std::feclearexcept(FE_ALL_EXCEPT);
    for (std::size_t i = 0; i < kSignals.size(); ++i)
    {
      sigaction(kSignals[i], &before_[i], nullptr);
    }
  }

  static void expect_own(const std::string& when, void (*of_usr1)(int) = own_handler)
  {
    for (const int number : kSignals)
    {
      struct sigaction now = {};
      sigaction(number, nullptr, &now);
      EXPECT_EQ(now.sa_handler, number == SIGUSR1 ? of_usr1 : own_handler) << when << ", signal " << number;
    }
    EXPECT_EQ(fegetexcept(), kTraps) << when;
    EXPECT_EQ(std::fetestexcept(kTraps), 0) << when;
    EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C") << when;
  }

private:
  std::array<struct sigaction, kSignals.size()> before_{};
};

INSTANTIATE_TEST_SUITE_P(All, Host, testing::Values("synchronous", "asynchronous", "static", "dynamic", "task"),
    [](const auto& each) { return each.param; });

} // namespace

TEST_P(Host, KeepsWhatAnalyticsChange)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "policy", GetParam() }, { "analytics", { { { "name", "rude" } } } } });
  ASSERT_NE(insitu, nullptr);
  expect_own("after initialize");
  TestSimulation simulation;
  for (int step = 0; step < 10; ++step)
  {
    EXPECT_EQ(simulation.advance(insitu, step), RIVULET_OK);
    EXPECT_EQ(fegetexcept(), kTraps);
  }
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  expect_own("after finalize");
  EXPECT_EQ(place.summary()["analytics"]["rude"]["executions"]["min"], 10);
  EXPECT_EQ(place.summary()["analytics"]["rude"]["failures"]["max"], 0);
}

// A handler that the simulation installs while analytics run is its own, and stays.
TEST_P(Host, MayChangeItsHandlersBesideAnalytics)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "policy", GetParam() }, { "analytics", { { { "name", "rude" } } } } });
  ASSERT_NE(insitu, nullptr);
  TestSimulation simulation;
  for (int step = 0; step < 21; ++step)
  {
    simulation.advance(insitu, step);
    std::signal(SIGUSR1, step % 2 == 0 ? later_handler : own_handler);
  }
  rivulet_insitu_finalize(&insitu);
  expect_own("at the end", later_handler);
}

// Loops of the simulation in its own arena have its traps, on all threads.
// The loader has two locks, which a session that lists libraries must not take in the other order.
TEST_P(Host, MayLoadAndUnloadLibrariesBesideAnalytics)
{
  std::atomic<bool> ends{ false };
  std::thread loads(
      [&]
      {
        while (!ends)
        {
          void* const library = ::dlopen(RIVULET_TEST_PLUGINS "/wrong_symbol.so", RTLD_NOW | RTLD_LOCAL);
          EXPECT_NE(library, nullptr);
          ::dlclose(library);
        }
      });
  for (int session = 0; session < 8; ++session)
  {
    Workplace place;
    rivulet_insitu* insitu = place.open({ { "policy", GetParam() }, { "analytics", { { { "name", "recorder" } } } } });
    EXPECT_NE(insitu, nullptr);
    TestSimulation simulation(10);
    (void)simulation.advance(insitu, 0);
    EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  }
  ends = true;
  loads.join();
}

TEST_P(Host, HasItsTrapsInItsOwnLoops)
{
  Workplace place;
  rivulet_insitu* insitu =
      place.open({ { "policy", GetParam() }, { "cores", 4 }, { "analytics", { { { "name", "rude" } } } } });
  ASSERT_NE(insitu, nullptr);
  TestSimulation simulation;
  std::atomic<int> without{ 0 };
  for (int step = 0; step < 5; ++step)
  {
    simulation.advance(insitu, step);
    const auto loop = [](void* count)
    {
      tbb::parallel_for(0, 200,
          [count](int)
          {
            if (fegetexcept() != kTraps)
            {
              ++*static_cast<std::atomic<int>*>(count);
            }
          });
    };
    rivulet_insitu_run(insitu, loop, &without);
  }
  rivulet_insitu_finalize(&insitu);
  EXPECT_EQ(without, 0);
}

} // namespace rivulet::test
