// SPDX-License-Identifier: BSD-3-Clause
// streamlines through levels, against the tracer in the same patches.
#include "AmrMesh/AmrBricks.h"
#include "InSitu/Analytics/Atoms.h"
#include "InSitu/Analytics/LevelFlow.h"
#include "InSitu/Analytics/LineFile.h"
#include "InSitu/Analytics/PluginHost.h"
#include "Trace/Streamlines.h"

#include <cmath>
#include <gmock/gmock.h>

namespace
{

using namespace rivulet;
using namespace rivulet::test;
using ::testing::HasSubstr;

std::vector<double> bent(const Vec3& x)
{
  return { 0.5 - x[1] + x[2] * x[2], x[0] * (1.0 - x[1]), 0.25 * x[0] - 0.5 * x[2] };
}

/// Lines of the tracer through the levels, from a line of seeds.
TracedLines lines_through(std::vector<AmrMeshLevel> levels, const Vec3& from, const Vec3& to, int seeds)
{
  const auto mesh = std::make_shared<const AmrMesh>(*AmrMesh::create(std::move(levels)));
  AmrBricks velocity(mesh, std::make_shared<FunctionPatches>(*mesh, Centering::Cell, 3, bent), 0);
  AmrBricks height(mesh, std::make_shared<FunctionPatches>(*mesh, Centering::Cell, 1, height_at, "height"), 0);
  TraceField field;
  field.grid = mesh->level(0).grid;
  field.velocity = { &velocity, 0, 0 };
  field.attributes = { { "velocity", { &velocity, 0, 0 } }, { "height", { &height, 0, 0 } } };
  std::vector<Vec3> places;
  for (int i = 0; i < seeds; ++i)
  {
    const double share = static_cast<double>(i) / (seeds - 1);
    places.push_back({ from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1]),
        from[2] + share * (to[2] - from[2]) });
  }
  StreamlineOptions options;
  options.maximum_length = 5.0;
  options.compute_vorticity = false;
  Result<TracedLines> lines = trace_streamlines(field, places, options, { 1, {} });
  EXPECT_TRUE(lines.has_value());
  return std::move(*lines);
}

/// Values of the points of lines in the order of the seeds, forward before backward.
template <class T>
std::vector<T> in_order(const TracedLines& lines, const void* values, std::int64_t components)
{
  std::vector<TracedLine> order = lines.lines;
  std::stable_sort(
      order.begin(), order.end(), [](const TracedLine& a, const TracedLine& b) { return a.seed < b.seed; });
  std::vector<T> ordered;
  for (const TracedLine& line : order)
  {
    const T* const from = static_cast<const T*>(values) + components * line.first_point;
    ordered.insert(ordered.end(), from, from + components * line.points);
  }
  return ordered;
}

void expect_lines(const std::string& file, const TracedLines& lines)
{
  EXPECT_TRUE(values_of<float>(file, "Points") == in_order<float>(lines, lines.points.data(), 3));
  EXPECT_TRUE(values_of<double>(file, "IntegrationTime") == in_order<double>(lines, lines.time.data(), 1));
  EXPECT_TRUE(values_of<double>(file, "velocity") == in_order<double>(lines, lines.attributes[0].values.data(), 3));
  EXPECT_TRUE(values_of<double>(file, "height") == in_order<double>(lines, lines.attributes[1].values.data(), 1));
  EXPECT_EQ(values_of<std::int32_t>(file, "SeedIds").size(), lines.lines.size());
}

/// Levels with each patch cut in two along x.
std::vector<AmrMeshLevel> halved(std::vector<AmrMeshLevel> levels)
{
  for (AmrMeshLevel& level : levels)
  {
    std::vector<Box> boxes;
    for (const Box& box : level.boxes)
    {
      Box lower = box;
      Box upper = box;
      lower.end[0] = upper.begin[0] = box.begin[0] + box.size()[0] / 8 * 4; // no cell of a coarser level is cut
      boxes.push_back(upper);
      lower.empty() ? void() : boxes.push_back(lower);
    }
    level.boxes = boxes;
  }
  return levels;
}

constexpr const char* kOptions =
    R"({"line": [[-0.9, 0.8, 0.5], [0.9, -0.7, -0.4]], "resolution": 40, "length": 5, "attributes": ["height"]})";

TEST(LevelLines, AreTheBytesOfTheTracerForAnyRanksThreadsAndPatches)
{
  const std::vector<AmrMeshLevel> levels = levels_from_corner(three_levels());
  const TracedLines expected = lines_through(levels, { -0.9, 0.8, 0.5 }, { 0.9, -0.7, -0.4 }, 40);
  ASSERT_GT(expected.points.size(), 10'000U);
  for (int spread = 0; spread < 4; ++spread)
  {
    const SharedFolder folder;
    PluginHost host("streamlines", kOptions, { .output = folder.path(), .slots = 1 + spread, .comm = MPI_COMM_WORLD });
    LevelFlow flow(spread == 3 ? halved(levels) : levels, bent);
    flow.add_all(
        [&](std::size_t patch)
        {
          const int owner = spread == 0 ? 0 : spread == 1 ? world_size() - 1 : static_cast<int>(patch) % world_size();
          return owner == world_rank();
        });
    if (spread == 2)
    {
      std::reverse(flow.blocks().begin(), flow.blocks().end());
    }
    EXPECT_EQ(host.execute(flow.snapshot(3, 1.0)), 0) << host.said();
    MPI_Barrier(MPI_COMM_WORLD);
    expect_lines(folder.file("streamlines-00000003.vtp"), expected);
  }
}

TEST(LevelLines, GoThroughThePatchesOfEachStep)
{
  const std::vector<AmrMeshLevel> levels = levels_from_corner(three_levels());
  std::vector<AmrMeshLevel> moved = levels;
  moved[1].boxes = { { { 4, 10, 6 }, { 20, 30, 34 } } };
  moved[2].boxes = { { { 32, 60, 48 }, { 72, 104, 96 } } };
  std::vector<AmrMeshLevel> coarse = levels;
  coarse[1].boxes.clear();
  coarse[2].boxes.clear();
  const SharedFolder folder;
  PluginHost host("streamlines", kOptions, { .output = folder.path(), .slots = 2, .comm = MPI_COMM_WORLD });
  std::int64_t step = 0;
  for (const auto& at : { levels, moved, coarse })
  {
    LevelFlow flow(at, bent);
    flow.add_all([](std::size_t patch) { return static_cast<int>(patch) % world_size() == world_rank(); });
    EXPECT_EQ(host.execute(flow.snapshot(step, 1.0)), 0) << host.said();
    MPI_Barrier(MPI_COMM_WORLD);
    std::vector<AmrMeshLevel> filled = at;
    filled.resize(at[1].boxes.empty() ? 1 : 3);
    expect_lines(folder.file("streamlines-0000000" + std::to_string(step) + ".vtp"),
        lines_through(filled, { -0.9, 0.8, 0.5 }, { 0.9, -0.7, -0.4 }, 40));
    ++step;
  }
}

TEST(LevelLines, GoThroughOneLayerOfCells)
{
  std::vector<AmrMeshLevel> levels = levels_from_corner(flat_levels());
  for (AmrMeshLevel& level : levels)
  {
    level.grid.nodes[2] = 2; // a layer has a depth in a simulation
  }
  const TemporaryFolder folder;
  PluginHost host("streamlines",
      R"({"line": [[-0.9, 0.8, 0.52], [0.9, -0.7, 0.52]], "resolution": 12, "length": 5, "attributes": ["height"]})",
      { .output = folder.path() });
  LevelFlow flow(levels, bent);
  flow.add_all([](std::size_t) { return true; });
  ASSERT_EQ(host.execute(flow.snapshot(0, 0.0)), 0) << host.said();
  expect_lines(
      folder.file("streamlines-00000000.vtp"), lines_through(levels, { -0.9, 0.8, 0.52 }, { 0.9, -0.7, 0.52 }, 12));
}

TEST(LevelLines, NeedTheRoomOfThePatchesOnly)
{
  std::vector<AmrMeshLevel> levels = levels_from_corner(three_levels());
  std::int64_t cells = 0;
  for (const AmrMeshLevel& level : levels)
  {
    for (const Box& box : level.boxes)
    {
      cells += box.count();
    }
  }
  const std::int64_t mib = cells * 4 * 8 / (1 << 20) + 1;
  const TracedLines expected = lines_through(levels, { -0.9, 0.8, 0.5 }, { 0.9, -0.7, -0.4 }, 40);
  for (const std::int64_t limit : { mib - 1, mib })
  {
    const TemporaryFolder folder;
    const std::string options = kOptions;
    PluginHost host("streamlines",
        options.substr(0, options.size() - 1) + ", \"limit_mib\": " + std::to_string(limit) + "}",
        { .output = folder.path(), .slots = 3 });
    LevelFlow flow(levels, bent);
    flow.add_all([](std::size_t) { return true; });
    EXPECT_EQ(host.execute(flow.snapshot(0, 0.0)) == 0, limit == mib);
    if (limit == mib)
    {
      expect_lines(folder.file("streamlines-00000000.vtp"), expected);
      continue;
    }
    EXPECT_THAT(host.said(), HasSubstr("the patches of the field \"flow\" take " + std::to_string(mib) +
                                       " MiB on each rank, and streamlines may take " + std::to_string(mib - 1)));
  }
}

/// A fault of a field with levels, and words of the message.
struct Fault
{
  const char* name;
  std::function<void(LevelFlow&)> make;
  const char* words;
};

const std::array kFaults{
  Fault{ "Overlap",
      [](LevelFlow& flow) {
        flow.add(1, { { 30, 20, 30 }, { 38, 32, 38 } });
      },
      "patch 3 of rank 0 and patch 6 of rank 0 overlap on level 1 of the field \"flow\" from (30, 20, 30) to (36, 30, "
      "34)" },
  Fault{ "Outside", [](LevelFlow& flow) { flow.blocks()[2].begin[1] = 30; },
      "patch 2 of this rank, of level 1 of the field \"flow\", does not lie in the domain along y: it has cells 30 to "
      "48 of "
      "40" },
  Fault{ "Level", [](LevelFlow& flow) { flow.blocks()[3].level = 3; },
      "patch 3 of this rank is of level 3, and the field \"flow\" has 3 levels" },
  Fault{ "Ratio", [](LevelFlow& flow) { flow.ratios()[4] = 0; },
      "level 2 of the field \"flow\" has 0 cells along y in a cell of level 1" },
  Fault{ "NoRatio", [](LevelFlow& flow) { flow.field().ratio = nullptr; }, "has 3 levels, and no ratios" },
  Fault{ "Gap", [](LevelFlow& flow) { flow.blocks()[0].cells[2] = 19; },
      "level 0 of the field \"flow\" does not cover the domain: no rank publishes the cell (0, 0, 19)" },
  Fault{ "NoPatches",
      [](LevelFlow& flow) { flow.blocks().erase(flow.blocks().begin() + 2, flow.blocks().begin() + 5); },
      "level 1 of the field \"flow\" has no patches, and level 2 has some" },
  Fault{ "Nodes", [](LevelFlow& flow) { flow.field().centring = RIVULET_NODES; },
      "the field \"flow\" has 3 levels, and its values are at nodes" },
  Fault{ "Uneven",
      [](LevelFlow& flow)
      {
        static const std::array<double, 21> places{};
        flow.field().coordinates[0] = places.data();
      },
      "the field \"flow\" has 3 levels, and is rectilinear" },
};

TEST(LevelLines, RefuseWhatCannotBe)
{
  for (const Fault& fault : kFaults)
  {
    const TemporaryFolder folder;
    PluginHost host("streamlines", kOptions, { .output = folder.path() });
    LevelFlow flow(levels_from_corner(three_levels()), bent);
    flow.add_all([](std::size_t) { return true; });
    fault.make(flow);
    EXPECT_NE(host.execute(flow.snapshot(0, 0.0)), 0) << fault.name;
    EXPECT_THAT(host.said(), HasSubstr(fault.words)) << fault.name;
  }
  const TemporaryFolder folder;
  LevelFlow flow(levels_from_corner(three_levels()), bent);
  flow.add_all([](std::size_t) { return true; });
  PluginHost cells("streamlines", R"({"points": [[0, 0, 0]], "cells": "nodes"})", { .output = folder.path() });
  EXPECT_NE(cells.execute(flow.snapshot(0, 0.0)), 0);
  EXPECT_THAT(
      cells.said(), HasSubstr("the option \"cells\" has no meaning for the field \"flow\", which has 3 levels"));
  PluginHost paths("pathlines", R"({"points": [[0, 0, 0]]})", { .output = folder.path() });
  EXPECT_NE(paths.execute(flow.snapshot(0, 0.0)), 0);
  EXPECT_THAT(paths.said(), HasSubstr("the field \"flow\" has 3 levels"));
}

TEST(LevelLines, FailOnAllRanksIfOneFailsOrPublishesOtherLevels)
{
  const SharedFolder folder;
  const bool last = world_rank() == world_size() - 1;
  for (const bool fault : { true, false })
  {
    if (!fault && world_size() == 1)
    {
      continue;
    }
    PluginHost host("streamlines", kOptions, { .output = folder.path(), .comm = MPI_COMM_WORLD });
    LevelFlow flow(levels_from_corner(three_levels()), bent);
    flow.add_all([](std::size_t patch) { return static_cast<int>(patch) % world_size() == world_rank(); });
    if (last && fault)
    {
      flow.blocks().front().begin[0] = 35;
    }
    else if (last)
    {
      flow.ratios()[5] = 8;
    }
    EXPECT_NE(host.execute(flow.snapshot(0, 0.0)), 0);
    EXPECT_THAT(host.said(), HasSubstr(!fault ? "ranks publish different domains"
                                       : last ? "does not lie in the domain"
                                              : "failed on another rank"));
  }
}

} // namespace
