// SPDX-License-Identifier: BSD-3-Clause
// streamlines against circles, and one rank against two.
#include "InSitu/Analytics/Atoms.h"
#include "InSitu/Analytics/Flow.h"
#include "InSitu/Analytics/LineFile.h"
#include "InSitu/Analytics/PluginHost.h"

#include <cmath>
#include <cstdlib>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace
{

using namespace rivulet;
using namespace rivulet::test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Turns about the z axis through (4, 3) once in 2 pi: trilinear interpolation has no error.
std::array<double, 3> rotation(const Int3& node, double)
{
  const double x = kFlowOrigin[0] + kFlowSpacing[0] * node[0];
  const double y = kFlowOrigin[1] + kFlowSpacing[1] * node[1];
  return { 3.0 - y, x - 4.0, 0.0 };
}

const Int3 kCells{ 20, 20, 6 }; // the domain: [-1, 9] x [0.5, 5.5] x [2, 2.75]

TEST(Streamlines, AreCircles)
{
  const TemporaryFolder folder;
  PluginHost host("streamlines",
      R"({"line": [[5, 3, 2.3], [6, 3, 2.3]], "resolution": 5, "attributes": ["pressure"], "direction": "forward",
          "length": 3})",
      { .output = folder.path(), .slots = 2 });
  Flow flow(kCells, RIVULET_NODES, rotation);
  flow.add_block({ { 0, 0, 0 }, kCells });
  ASSERT_EQ(host.execute(flow.snapshot(4, 0.5)), 0) << host.said();
  EXPECT_THAT(host.messages(), IsEmpty());
  const std::string file = folder.file("streamlines-00000004.vtp");
  const auto points = values_of<float>(file, "Points");
  const auto times = values_of<double>(file, "IntegrationTime");
  const auto velocities = values_of<float>(file, "velocity");
  const auto ends = values_of<std::int64_t>(file, "offsets");
  EXPECT_EQ(values_of<std::int32_t>(file, "SeedIds"), (std::vector<std::int32_t>{ 0, 1, 2, 3, 4 }));
  EXPECT_EQ(values_of<std::int32_t>(file, "ReasonForTermination"), std::vector<std::int32_t>(5, 4)); // length
  ASSERT_EQ(ends.size(), 5U);
  ASSERT_EQ(points.size(), 3 * static_cast<std::size_t>(ends.back()));
  ASSERT_EQ(values_of<double>(file, "pressure").size(), times.size());
  std::size_t point = 0;
  for (std::size_t line = 0; line < ends.size(); ++line)
  {
    const double radius = 1.0 + 0.25 * static_cast<double>(line);
    for (; point < static_cast<std::size_t>(ends[line]); ++point)
    {
      EXPECT_NEAR(points[3 * point], 4.0 + radius * std::cos(times[point]), 1e-4);
      EXPECT_NEAR(points[3 * point + 1], 3.0 + radius * std::sin(times[point]), 1e-4);
      EXPECT_NEAR(points[3 * point + 2], 2.3, 1e-6);
      EXPECT_NEAR(velocities[3 * point], -radius * std::sin(times[point]), 1e-4);
    }
    EXPECT_NEAR(times[point - 1], 3.0 / radius, 1e-3);
  }
}

// At 4e9 floats are 256 apart.
TEST(Streamlines, AreCirclesFarFromTheOrigin)
{
  constexpr double kFar = 4e9;
  const TemporaryFolder folder;
  PluginHost host("streamlines",
      R"({"points": [[4000000005.5, 4000000003.0, 4000000002.3]], "direction": "forward", "length": 3})",
      { .output = folder.path() });
  Flow flow(kCells, RIVULET_NODES, rotation);
  flow.add_block({ { 0, 0, 0 }, kCells });
  for (double& origin : flow.field().origin)
  {
    origin += kFar;
  }
  ASSERT_EQ(host.execute(flow.snapshot(0, 0.5)), 0) << host.said();
  const std::string file = folder.file("streamlines-00000000.vtp");
  const auto points = values_of<double>(file, "Points");
  const auto times = values_of<double>(file, "IntegrationTime");
  ASSERT_GT(times.size(), 5U);
  ASSERT_EQ(points.size(), 3 * times.size());
  for (std::size_t point = 0; point < times.size(); ++point)
  {
    EXPECT_NEAR(points[3 * point] - kFar, 4.0 + 1.5 * std::cos(times[point]), 1e-4);
    EXPECT_NEAR(points[3 * point + 1] - kFar, 3.0 + 1.5 * std::sin(times[point]), 1e-4);
  }
  EXPECT_THAT(text_of(file), HasSubstr("\"Float64\" Name=\"Points\""));
}

TEST(Streamlines, AreTheSameForAnyRanksAndThreads)
{
  const std::string options = R"({"plane": [[0, 1, 2.1], [8, 1, 2.1], [0, 5, 2.6]], "resolution": 7})";
  for (const int centring : { RIVULET_NODES, RIVULET_CELLS })
  {
    const TemporaryFolder own;
    PluginHost alone("streamlines", options, { .output = own.path() });
    Flow whole(kCells, centring, rotation);
    whole.add_block({ { 0, 0, 0 }, kCells });
    EXPECT_EQ(alone.execute(whole.snapshot(0, 1.0)), 0) << alone.said();
    const std::string expected = text_of(own.file("streamlines-00000000.vtp"));
    EXPECT_GT(expected.size(), 10'000U);

    const SharedFolder folder;
    PluginHost host("streamlines", options, { .output = folder.path(), .slots = 3, .comm = MPI_COMM_WORLD });
    Flow part(kCells, centring, rotation);
    const std::vector<Box> boxes = cut_unevenly(kCells, { 3, 2, 2 });
    for (std::size_t number = 0; number < boxes.size(); ++number)
    {
      if (static_cast<int>(number) % world_size() == world_rank())
      {
        part.add_block(boxes[number]);
      }
    }
    EXPECT_EQ(host.execute(part.snapshot(0, 1.0)), 0) << host.said();
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_TRUE(text_of(folder.file("streamlines-00000000.vtp")) == expected) << centring;
  }
}

TEST(Streamlines, OfFewerSeedsThanRanksAndOfSeedsOutside)
{
  const SharedFolder folder;
  PluginHost host("streamlines", R"({"points": [[100, 0, 0]], "attributes": ["pressure"]})",
      { .output = folder.path(), .comm = MPI_COMM_WORLD });
  Flow flow(kCells, RIVULET_NODES, rotation);
  if (world_rank() == 0)
  {
    flow.add_block({ { 0, 0, 0 }, kCells });
  }
  EXPECT_EQ(host.execute(flow.snapshot(0, 1.0)), 0) << host.said();
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_THAT(text_of(folder.file("streamlines-00000000.vtp")), HasSubstr("NumberOfLines=\"0\""));
  EXPECT_THAT(host.said(), HasSubstr(world_rank() + 1 == world_size() ? "1 seeds lie outside" : ""));
}

/// The folder of RIVULET_LINES stays, for ParaView (test_paraview_lines.py).
TEST(Streamlines, MakeASeriesThatGoesOn)
{
  const TemporaryFolder temporary;
  const char* const kept = std::getenv("RIVULET_LINES");
  const std::string folder = kept != nullptr ? kept : temporary.path().string();
  const auto run = [&](const std::vector<std::pair<std::int64_t, double>>& steps)
  {
    Flow flow(kCells, RIVULET_NODES, rotation);
    flow.add_block({ { 0, 0, 0 }, kCells });
    PluginHost host("streamlines", R"({"points": [[5, 3, 2.3], [6, 3, 2.3]], "length": 3})", { .output = folder });
    for (const auto& [step, time] : steps)
    {
      EXPECT_EQ(host.execute(flow.snapshot(step, time)), 0) << host.said();
    }
  };
  run({ { 0, 0.0 }, { 10, 0.25 }, { 20, 0.5 } });
  run({ { 10, 0.25 }, { 15, 1.5 } }); // from a restart at step 10
  const std::string list = text_of(folder + "/streamlines.vtp.series");
  for (const char* words :
      { "streamlines-00000000.vtp", "streamlines-00000010.vtp", "streamlines-00000015.vtp", "1.5" })
  {
    EXPECT_THAT(list, HasSubstr(words));
  }
  EXPECT_EQ(list.find("streamlines-00000020.vtp"), std::string::npos);
}

TEST(Streamlines, RefuseWhatTheyCannotTrace)
{
  const TemporaryFolder folder;
  Flow flow({ 100, 100, 100 }, RIVULET_CELLS, rotation);
  flow.add_block({ { 0, 0, 0 }, { 100, 100, 100 } });
  PluginHost large("streamlines", R"({"points": [[0, 0, 0]], "limit_mib": 11})", { .output = folder.path() });
  EXPECT_NE(large.execute(flow.snapshot(0, 0.0)), 0);
  EXPECT_THAT(large.said(), HasSubstr("the field \"flow\" takes 12 MiB on each rank, and streamlines may take 11"));
  PluginHost scalar("streamlines", R"({"points": [[0, 0, 0]], "velocity": "pressure"})", { .output = folder.path() });
  EXPECT_NE(scalar.execute(flow.snapshot(0, 0.0)), 0);
  EXPECT_THAT(scalar.said(), HasSubstr("\"pressure\" has not three components"));
  PluginHost unknown("streamlines", R"({"points": [[0, 0, 0]], "velocity": "wind"})", { .output = folder.path() });
  EXPECT_NE(unknown.execute(flow.snapshot(0, 0.0)), 0);
  EXPECT_THAT(unknown.said(), HasSubstr("the field \"flow\" has no variable \"wind\""));
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

} // namespace
