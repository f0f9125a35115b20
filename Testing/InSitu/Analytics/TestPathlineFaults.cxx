// SPDX-License-Identifier: BSD-3-Clause
// Faults of single steps of pathlines: the rest of the lines is as it would have been.
#include "InSitu/Analytics/PathlineRun.h"

#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

namespace
{

using namespace rivulet;
using namespace rivulet::test;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// Lets the file at a path fail, by a folder in its place.
class Obstacle
{
public:
  explicit Obstacle(std::string path)
    : path_(std::move(path))
  {
    std::filesystem::create_directories(path_ + "/full");
  }
  Obstacle(const Obstacle&) = delete;
  Obstacle& operator=(const Obstacle&) = delete;
  ~Obstacle() { std::filesystem::remove_all(path_); }

private:
  std::string path_;
};

std::map<int, Line> lines_without_fault()
{
  const TemporaryFolder folder;
  PathlineRun({ .output = folder.path() }).steps(0, kTimes.size());
  return joined(folder.path());
}

std::string list_of(const std::string& folder)
{
  return text_of(folder + "/pathlines.vtp.series");
}

} // namespace

TEST(PathlineFaults, LinesOfAFileThatFailsAreInTheNextOne)
{
  const std::map<int, Line> expected = lines_without_fault();
  for (const std::set<std::size_t>& bad : { std::set<std::size_t>{ 3 }, { 1 }, { 0, 1 }, { 2, 3, 4 } })
  {
    const SharedFolder folder;
    {
      PathlineRun run({ .output = folder.path(), .comm = MPI_COMM_WORLD });
      for (std::size_t step = 0; step < kTimes.size(); ++step)
      {
        std::optional<Obstacle> obstacle;
        if (bad.count(step) != 0)
        {
          if (world_rank() == 0)
          {
            obstacle.emplace(file_of(folder.path(), step));
          }
          EXPECT_EQ(run.step(step) != 0, world_rank() == 0) << "the first rank writes";
          continue;
        }
        EXPECT_EQ(run.step(step), 0) << run.host().said();
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
    {
      EXPECT_FALSE(std::filesystem::exists(file_of(folder.path(), *bad.begin())));
      EXPECT_TRUE(joined(folder.path()) == expected) << "without a file of step " << *bad.begin();
      EXPECT_THAT(list_of(folder.path()), Not(HasSubstr("0" + std::to_string(*bad.begin()) + ".vtp")));
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(PathlineFaults, AFileThatTheListLacksIsListedLater)
{
  const TemporaryFolder folder;
  const std::map<int, Line> expected = lines_without_fault();
  PathlineRun run({ .output = folder.path() });
  const std::string list = folder.file("pathlines.vtp.series");
  std::filesystem::create_directories(list);
  EXPECT_NE(run.step(0), 0);
  EXPECT_NE(run.step(1), 0);
  EXPECT_TRUE(std::filesystem::exists(file_of(folder.path(), 1))) << run.host().said();
  std::filesystem::remove_all(list);
  run.steps(2, kTimes.size());
  EXPECT_TRUE(joined(folder.path()) == expected) << "each interval once";
  const nlohmann::json entries = nlohmann::json::parse(std::ifstream(list)).at("files");
  ASSERT_EQ(entries.size(), kTimes.size());
  EXPECT_EQ(entries[1].at("name"), "pathlines-00000001.vtp");
}

TEST(PathlineFaults, LinesThatWaitHaveABound)
{
  const TemporaryFolder folder;
  const std::string options =
      R"({"plane": [[5, 3, 2.3], [6, 3, 2.3], [5, 3.5, 2.3]], "resolution": 120, "limit_mib": 1})"; // of a step 1 MiB
  PathlineRun run({ .output = folder.path() }, options);
  run.steps(0, 1);
  for (std::size_t step = 1; step < 5; ++step)
  {
    const Obstacle obstacle(file_of(folder.path(), step));
    EXPECT_NE(run.step(step), 0);
  }
  run.steps(5, 6);
  EXPECT_THAT(run.host().said(), AllOf(HasSubstr("take more than 1 MiB, and those of the oldest steps are dropped"),
                                     HasSubstr("lines that could not be written are missing, those of ")));
  const auto times = values_of<double>(file_of(folder.path(), 5), "SimulationTime");
  EXPECT_GE(times.front(), kTimes[1]);
  EXPECT_EQ(times.back(), kTimes[5]);
}

TEST(PathlineFaults, AStepThatFailsOnOneRankIsLeftOutOnAll)
{
  const SharedFolder folder;
  const SharedFolder without;
  for (const std::size_t bad : { 0, 3 })
  {
    {
      PathlineRun run({ .output = folder.path(), .comm = MPI_COMM_WORLD });
      PathlineRun other({ .output = without.path(), .comm = MPI_COMM_WORLD });
      for (std::size_t step = 0; step < kTimes.size(); ++step)
      {
        run.host().stop(step == bad && world_rank() == world_size() - 1);
        EXPECT_EQ(run.step(step) != 0, step == bad) << run.host().said();
        if (step != bad)
        {
          EXPECT_EQ(other.step(step), 0);
        }
      }
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (std::size_t step = 0; step < kTimes.size() && world_rank() == 0; ++step)
    {
      EXPECT_EQ(text_of(file_of(folder.path(), step)), text_of(file_of(without.path(), step))) << step;
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}
