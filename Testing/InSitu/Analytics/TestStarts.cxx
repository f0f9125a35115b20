// SPDX-License-Identifier: BSD-3-Clause
// Results of an earlier run: files of steps, tables, and lists of series.
#include "InSitu/Analytics/Atoms.h"
#include "InSitu/Analytics/Flow.h"
#include "InSitu/Analytics/PluginHost.h"
#include "Support/TemporaryFolder.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <nlohmann/json.hpp>
#include <set>

namespace
{

using namespace rivulet;
using namespace rivulet::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Particles on a line, for runs whose steps begin anywhere.
class OneRun
{
public:
  OneRun(const std::string& folder, std::string name, std::string options, std::int32_t start = RIVULET_RESTART)
    : host_(name, options, { .output = folder, .start = start })
  {
    set_.name = "atoms";
    set_.count = 3;
    set_.x = set_.y = set_.z = set_.vx = set_.vy = set_.vz = places_.data();
    flow_.add_block({ { 0, 0, 0 }, { 8, 8, 8 } });
  }

  /// Steps [first, end), with times of half a unit.
  OneRun& steps(std::int64_t first, std::int64_t end)
  {
    for (std::int64_t step = first; step < end; ++step)
    {
      rivulet_snapshot snapshot = flow_.snapshot(step, 0.5 * static_cast<double>(step));
      snapshot.particle_sets = 1;
      snapshot.particles = &set_;
      EXPECT_EQ(host_.execute(snapshot), 0) << host_.said();
    }
    return *this;
  }
  [[nodiscard]] PluginHost& host() { return host_; }

private:
  std::array<double, 3> places_{ 0.25, 0.5, 0.75 };
  rivulet_particles set_{};
  Flow flow_{ { 8, 8, 8 }, RIVULET_NODES,
    [](const Int3&, double)
    {
      return std::array<double, 3>{ 1.0, 0.0, 0.0 };
    } };
  PluginHost host_;
};

std::set<std::string> names_in(const TemporaryFolder& folder)
{
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
  {
    names.insert(entry.path().filename().string());
  }
  return names;
}

/// The first numbers of the rows of a table.
std::vector<int> steps_in(const std::string& path)
{
  std::vector<int> steps;
  std::ifstream file(path);
  std::string row;
  std::getline(file, row);
  while (std::getline(file, row))
  {
    steps.push_back(std::stoi(row));
  }
  return steps;
}

std::vector<double> times_in(const std::string& path)
{
  std::vector<double> times;
  const nlohmann::json list = nlohmann::json::parse(std::ifstream(path));
  for (const auto& entry : list.at("files"))
  {
    times.push_back(entry.at("time").get<double>());
  }
  return times;
}

const std::string kLines = R"({"line": [[-0.5, 1, 2.2], [-0.5, 2, 2.8]], "resolution": 2})";

} // namespace

TEST(Starts, ARestartedRunRemovesTheFilesOfLaterStepsWithItsFirst)
{
  const TemporaryFolder folder;
  std::ofstream(folder.file("histogram-notes.csv")) << "mine";
  OneRun(folder.path(), "histogram", R"({"bins": 4})").steps(0, 6);
  OneRun restarted(folder.path(), "histogram", R"({"bins": 4})");
  EXPECT_EQ(names_in(folder).size(), 7U) << "until the first step is there";
  restarted.steps(3, 4);
  EXPECT_THAT(names_in(folder), ElementsAre("histogram-00000000.csv", "histogram-00000001.csv",
                                    "histogram-00000002.csv", "histogram-00000003.csv", "histogram-notes.csv"));
  EXPECT_THAT(restarted.host().said(), HasSubstr("2 files of an earlier run, of step 3 and later ones, are removed"));
  restarted.steps(4, 5);
  EXPECT_EQ(names_in(folder).size(), 6U);
}

TEST(Starts, ARestartOnFewerRanksTakesCareOfTheFilesOfTheOthers)
{
  const TemporaryFolder folder;
  for (const char* name : { "write_dat.0007-00000003.dat", "write_dat.0007-00000001.dat", "other.0007-00000003.dat" })
  {
    std::ofstream(folder.file(name)) << "of an earlier run";
  }
  std::ofstream(folder.file("statistics.0007.csv"))
      << "step,time,value,count,not_finite,mean,min,max,standard_deviation\n1,0.5\n3,1.5\n";
  OneRun(folder.path(), "write_dat", "{}").steps(2, 3);
  EXPECT_THAT(names_in(folder), ElementsAre("other.0007-00000003.dat", "statistics.0007.csv",
                                    "write_dat.0000-00000002.dat", "write_dat.0007-00000001.dat"));
  OneRun(folder.path(), "statistics", R"({"of": ["x"]})").steps(2, 3);
  EXPECT_THAT(steps_in(folder.file("statistics.0007.csv")), ElementsAre(1));
}

TEST(Starts, ATableLosesTheRowsThatAreWrittenAnew)
{
  const TemporaryFolder folder;
  const std::string table = folder.file("statistics.0000.csv");
  for (int run = 0; run < 2; ++run)
  {
    OneRun(folder.path(), "statistics", R"({"of": ["x"]})").steps(0, 5);
    EXPECT_THAT(steps_in(table), ElementsAre(0, 1, 2, 3, 4)) << "the same run twice";
  }
  OneRun(folder.path(), "statistics", R"({"of": ["x"]})").steps(3, 7);
  EXPECT_THAT(steps_in(table), ElementsAre(0, 1, 2, 3, 4, 5, 6));
  {
    OneRun run(folder.path(), "statistics", R"({"of": ["x"]})", RIVULET_CONTINUE);
    run.steps(5, 9);
    EXPECT_THAT(run.host().said(), HasSubstr("steps up to 6 are there already"));
  }
  EXPECT_THAT(steps_in(table), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8));
  std::ofstream(table, std::ios::app) << "9,4.5,x,3"; // a row that was torn
  OneRun(folder.path(), "statistics", R"({"of": ["x"]})").steps(9, 10);
  EXPECT_THAT(steps_in(table), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  OneRun other(folder.path(), "statistics", R"({"of": ["x"]})", RIVULET_NEW);
  EXPECT_NE(other.host().created(), 0);
  EXPECT_THAT(other.host().said(), HasSubstr("\"start\": \"new\""));
}

TEST(Starts, AContinuedRunLeavesOutStepsThatAreThereAndANewOneIsRefused)
{
  const TemporaryFolder folder;
  const std::string first = folder.file("histogram-00000001.csv");
  OneRun(folder.path(), "histogram", R"({"bins": 4})", RIVULET_NEW).steps(0, 3);
  std::ofstream(first) << "kept";
  OneRun(folder.path(), "histogram", R"({"bins": 4})", RIVULET_CONTINUE).steps(1, 5);
  std::string text;
  std::getline(std::ifstream(first), text);
  EXPECT_EQ(text, "kept");
  EXPECT_EQ(names_in(folder).size(), 5U);
  for (const char* name : { "histogram", "radial", "write_dat" })
  {
    OneRun(folder.path(), name, name == std::string("radial") ? R"({"cutoff": 0.1})" : "{}").steps(0, 1);
    OneRun refused(folder.path(), name, name == std::string("radial") ? R"({"cutoff": 0.1})" : "{}", RIVULET_NEW);
    EXPECT_NE(refused.host().created(), 0) << name;
    EXPECT_THAT(refused.host().said(), HasSubstr("an earlier run has left this")) << name;
  }
}

TEST(Starts, AListOfASeriesGoesOnAndIsCut)
{
  const TemporaryFolder folder;
  const std::string list = folder.file("streamlines.vtp.series");
  OneRun(folder.path(), "streamlines", kLines).steps(0, 5);
  EXPECT_THAT(times_in(list), ElementsAre(0, 0.5, 1, 1.5, 2));
  OneRun(folder.path(), "streamlines", kLines).steps(3, 4);
  EXPECT_THAT(times_in(list), ElementsAre(0, 0.5, 1, 1.5)) << "the rest is of the run before";
  OneRun(folder.path(), "streamlines", kLines, RIVULET_CONTINUE).steps(2, 6);
  EXPECT_THAT(times_in(list), ElementsAre(0, 0.5, 1, 1.5, 2, 2.5));
  // As a failure of power may leave it.
  std::filesystem::resize_file(list, std::filesystem::file_size(list) - 30);
  OneRun(folder.path(), "streamlines", kLines).steps(6, 7);
  EXPECT_THAT(times_in(list), ElementsAre(0, 0.5, 1, 1.5, 2, 3)) << "of its whole entries";
  std::ofstream(list) << "another file";
  OneRun other(folder.path(), "streamlines", kLines);
  Flow flow({ 8, 8, 8 }, RIVULET_NODES);
  flow.add_block({ { 0, 0, 0 }, { 8, 8, 8 } });
  EXPECT_NE(other.host().execute(flow.snapshot(7, 3.5)), 0);
  EXPECT_THAT(other.host().said(), HasSubstr("no list of a series"));
}

TEST(Starts, AnEntryOfAListIsWrittenAtItsEnd)
{
  const TemporaryFolder folder;
  const std::string list = folder.file("streamlines.vtp.series");
  OneRun run(folder.path(), "streamlines", kLines);
  run.steps(0, 2);
  std::filesystem::create_hard_link(list, folder.file("link"));
  run.steps(2, 4);
  EXPECT_EQ(std::filesystem::hard_link_count(list), 2U) << "it is the same file";
  EXPECT_THAT(times_in(list), ElementsAre(0, 0.5, 1, 1.5));
  std::filesystem::remove(list);
  run.steps(4, 5);
  EXPECT_THAT(times_in(list), ElementsAre(2)) << "a list that was removed begins anew";
}

TEST(Starts, AnalyticsWantWhatTheyUse)
{
  const TemporaryFolder folder;
  OneRun statistics(folder.path(), "statistics", R"({"set": "atoms", "of": ["vx"]})");
  EXPECT_TRUE(statistics.host().wants("atoms", "vx"));
  EXPECT_FALSE(statistics.host().wants("atoms", "x"));
  EXPECT_FALSE(statistics.host().wants("others", "vx"));
  OneRun lines(folder.path(), "streamlines", kLines);
  EXPECT_TRUE(lines.host().wants("flow", "velocity"));
  EXPECT_FALSE(lines.host().wants("flow", "pressure"));
  OneRun store(folder.path(), "store", "{}");
  EXPECT_TRUE(store.host().wants("flow", "pressure"));
}
