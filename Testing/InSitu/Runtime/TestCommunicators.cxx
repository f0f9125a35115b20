// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// MPI that has no more communicators. This file's MPI_Comm_dup takes the place of MPI's own in the whole program.
#include "TestSimulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mpi.h>

namespace
{

int duplications = 0; ///< since the last test began
int refused = -1;     ///< of them, on the last rank; -1: none

} // namespace

extern "C" int MPI_Comm_dup(MPI_Comm comm, MPI_Comm* copy)
{
  const int done = PMPI_Comm_dup(comm, copy); // collective: ranks that succeed need this one
  return duplications++ == refused && rivulet::test::rank() == rivulet::test::ranks() - 1 ? MPI_ERR_NO_MEM : done;
}

namespace rivulet::test
{
namespace
{

using Json = nlohmann::json;
using testing::HasSubstr;

class Communicators : public testing::TestWithParam<std::string>
{
protected:
  void TearDown() override { refused = -1; }

  static void refuse(int number)
  {
    duplications = 0;
    refused = number;
  }

  static Json configuration()
  {
    const Json with_mpi{ { "name", "with" }, { "plugin", "recorder_mpi" } };
    const Json local{ { "name", "without" }, { "plugin", "recorder" } };
    return { { "policy", GetParam() }, { "analytics", { with_mpi, local } } };
  }

  /// Advances a session of 4 steps to its end and returns what it said.
  static std::string run(Workplace& place)
  {
    rivulet_insitu* insitu = place.open(configuration());
    EXPECT_NE(insitu, nullptr) << rivulet_insitu_message(nullptr);
    TestSimulation simulation;
    for (int step = 0; step < 4; ++step)
    {
      EXPECT_EQ(simulation.advance(insitu, step), RIVULET_OK);
    }
    const std::string said = rivulet_insitu_message(insitu);
    EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
    return said;
  }
};

INSTANTIATE_TEST_SUITE_P(All, Communicators,
    testing::Values("synchronous", "asynchronous", "static", "dynamic", "task"),
    [](const auto& each) { return each.param; });

TEST_P(Communicators, OfTheSessionAreNeededByAll)
{
  Workplace place;
  refuse(0);
  EXPECT_EQ(place.open(configuration()), nullptr);
  EXPECT_THAT(rivulet_insitu_message(nullptr), HasSubstr("no more communicators"));
}

TEST_P(Communicators, OfAnalyticsSwitchThemOffOnAllRanks)
{
  const int most = GetParam() == "synchronous" ? 1 : 2; // one for all that run beside the simulation, too
  for (int number = 1; number <= most; ++number)
  {
    Workplace place;
    refuse(number);
    EXPECT_THAT(run(place), HasSubstr("no more communicators")) << number;
    EXPECT_EQ(place.steps_of("with").size(), 0U) << number;
    EXPECT_EQ(place.steps_of("without").size(), 4U) << number;
  }
}

TEST_P(Communicators, AreCountedByTheseTests)
{
  Workplace place;
  refuse(-1);
  EXPECT_EQ(run(place), "");
  EXPECT_EQ(duplications, GetParam() == "synchronous" ? 2 : 3);
  EXPECT_EQ(place.steps_of("with").size(), 4U);
}

} // namespace
} // namespace rivulet::test
