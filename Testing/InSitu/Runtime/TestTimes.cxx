// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Times of steps: finite, and the same on all ranks.
#include "InSitu/Analytics/Flow.h"
#include "TestSimulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <mpi.h>

namespace rivulet::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A field in slabs along x, one for each rank.
class Slabs
{
public:
  Slabs() { flow_.add_block({ { 8 * rank() / ranks(), 0, 0 }, { 8 * (rank() + 1) / ranks(), 8, 8 } }); }

  /// Returns the code of execute.
  int advance(rivulet_insitu* insitu, int step, double time)
  {
    (void)flow_.snapshot(step, step);
    EXPECT_EQ(rivulet_insitu_publish_field(insitu, &flow_.field()), RIVULET_OK);
    return rivulet_insitu_execute(insitu, step, time);
  }

private:
  Flow flow_{ { 8, 8, 8 }, RIVULET_NODES,
    [](const Int3&, double)
    {
      return std::array<double, 3>{ 0.1, 0.0, 0.0 };
    } };
};

nlohmann::json configuration_of(const std::string& policy)
{
  return { { "policy", policy },
    { "analytics", { { { "name", "recorder_mpi" }, { "options", { { "first", true } } } },
                       { { "name", "store" }, { "options", { { "sync", false } } } },
                       { { "name", "pathlines" }, { "options", { { "points", { { 1, 1, 2.5 } } } } } } } } };
}

bool has_lines(const Workplace& place, int step)
{
  return std::filesystem::exists(place.file("pathlines-0000000" + std::to_string(step) + ".vtp"));
}

/// Number of steps in the store.
int steps_in_store(const Workplace& place)
{
  const std::filesystem::directory_iterator files(place.file("store.rvs"));
  return static_cast<int>(
      std::count_if(begin(files), end(files), [](const auto& file) { return file.path().extension() == ".rvf"; }));
}

} // namespace

TEST(Times, ThatDifferBetweenRanksCostTheirStepOnAllRanks)
{
  for (const std::string policy : { "synchronous", "dynamic", "task" })
  {
    for (const int wrong : { 0, 2 })
    {
      Workplace place;
      testing::internal::CaptureStderr();
      rivulet_insitu* insitu = place.open(configuration_of(policy));
      ASSERT_NE(insitu, nullptr);
      Slabs simulation;
      for (int step = 0; step < 4; ++step)
      {
        // The other ranks' time is before that of the step before.
        EXPECT_EQ(simulation.advance(insitu, step, step - (step == wrong && rank() > 0 ? 1.25 : 0.0)), RIVULET_OK);
      }
      EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
      MPI_Barrier(MPI_COMM_WORLD);
      const std::string said = testing::internal::GetCapturedStderr();
      if (ranks() > 1)
      {
        EXPECT_THAT(place.steps_of("recorder_mpi"), wrong == 0 ? ElementsAre(1, 2, 3) : ElementsAre(0, 1, 3));
        EXPECT_EQ(steps_in_store(place), 3);
        for (int step = 0; step < 4; ++step)
        {
          EXPECT_EQ(has_lines(place, step), step != wrong) << policy << ", step " << step;
        }
        EXPECT_THAT(said, HasSubstr(wrong == 0 ? "ranks hand over different times, -1.25 to 0; call execute with"
                                               : "ranks hand over different times, 0.75 to 2; call execute with"));
        for (const char* const name : { "recorder_mpi", "store", "pathlines" })
        {
          EXPECT_EQ(place.summary()["analytics"][name]["failures"]["max"], 1) << name;
        }
      }
      MPI_Barrier(MPI_COMM_WORLD);
    }
  }
}

TEST(Times, ThatAreNotFiniteCostTheirStepOnAllRanks)
{
  for (const std::string policy : { "synchronous", "dynamic", "task" })
  {
    Workplace place;
    rivulet_insitu* insitu = place.open(configuration_of(policy));
    ASSERT_NE(insitu, nullptr);
    Slabs simulation;
    const bool last = rank() == ranks() - 1;
    for (int step = 0; step < 5; ++step)
    {
      const bool bad = step == 3 || (step != 1 && step != 4 && last);
      const double time = !bad ? step : step == 3 ? std::numeric_limits<double>::infinity() : kNan;
      EXPECT_EQ(simulation.advance(insitu, step, time), bad ? RIVULET_ERROR_DATA : RIVULET_OK);
      if (bad)
      {
        EXPECT_THAT(rivulet_insitu_message(insitu),
            HasSubstr("step " + std::to_string(step) + " is left out: its time is " + (step == 3 ? "inf" : "nan") +
                      ". Call execute with a finite time"));
      }
    }
    EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
    MPI_Barrier(MPI_COMM_WORLD);
    const std::vector<std::string> lines = place.lines_of("recorder_mpi");
    ASSERT_EQ(lines.size(), 2U) << policy;
    EXPECT_THAT(lines[0], testing::AllOf(testing::StartsWith("step 1 "), testing::EndsWith(" first 1")));
    EXPECT_EQ(steps_in_store(place), 2);
    EXPECT_TRUE(has_lines(place, 1) && has_lines(place, 4) && !has_lines(place, 3));
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

} // namespace rivulet::test
