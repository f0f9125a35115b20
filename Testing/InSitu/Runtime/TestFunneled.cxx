// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// MPI without threads: analytics that use it run within execute(), others beside the simulation.
#include "TestSimulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rivulet::test
{
namespace
{

TEST(Funneled, RunsAnalyticsWithMpiOnTheSimulationsThread)
{
  for (const std::string policy : { "asynchronous", "static", "dynamic", "task" })
  {
    Workplace place;
    rivulet_insitu* insitu = place.open(
        { { "policy", policy }, { "analytics", { { { "name", "recorder" } }, { { "name", "recorder_mpi" } } } } });
    const std::string message = rivulet_insitu_message(insitu);
    EXPECT_EQ(message.find("MPI was not initialised with MPI_THREAD_MULTIPLE") != std::string::npos, rank() == 0);
    TestSimulation simulation;
    for (int step = 0; step < 5; ++step)
    {
      EXPECT_EQ(simulation.advance(insitu, step), RIVULET_OK);
    }
    EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
    EXPECT_THAT(
        place.lines_of("recorder"), testing::AllOf(testing::SizeIs(5), testing::Each(testing::EndsWith("other"))));
    EXPECT_THAT(
        place.lines_of("recorder_mpi"), testing::AllOf(testing::SizeIs(5), testing::Each(testing::EndsWith("main"))));
  }
}

} // namespace
} // namespace rivulet::test
