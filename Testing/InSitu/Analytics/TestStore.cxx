// SPDX-License-Identifier: BSD-3-Clause
// store against a store that one process writes with StoreWriter and write_box, byte by byte.
#include "Convert/Verifier.h"
#include "InSitu/Analytics/Atoms.h"
#include "InSitu/Analytics/Flow.h"
#include "InSitu/Analytics/PluginHost.h"
#include "Io/FieldFile/FieldRules.h"
#include "Io/FieldFile/WriteBox.h"
#include "Io/Series/FieldSeries.h"
#include "Io/Series/StoreWriter.h"

#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace
{

using namespace rivulet;
using namespace rivulet::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kUuid = "00112233-4455-6677-8899-aabbccddeeff";
const std::array kTimes{ 0.0, 0.5, 2.0 };

struct Layout
{
  int centring;
  bool as_nodes;
  Int3 cells;
  bool uneven = false;      ///< along z
  bool curvilinear = false; ///< with nodes at node_at()
};

/// Nodes along z of a field that is uneven there.
std::vector<double> uneven_places(const Layout& layout)
{
  std::vector<double> places;
  for (int k = 0; layout.uneven && k <= layout.cells[2]; ++k)
  {
    places.push_back(0.25 * k * k);
  }
  return places;
}

/// What the store has to be, by the plainest way there is.
FieldInfo expected_info(const Layout& layout)
{
  FieldInfo info;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    info.grid.nodes[axis] = layout.cells[axis] + (layout.as_nodes ? 0 : 1);
    info.grid.origin[axis] = kFlowOrigin[axis] + (layout.as_nodes ? kFlowSpacing[axis] / 2 : 0.0);
    info.grid.spacing[axis] = kFlowSpacing[axis];
  }
  if (layout.uneven)
  {
    Grid grid;
    grid.kind = Grid::Kind::Rectilinear;
    grid.nodes = info.grid.nodes;
    info.grid = grid;
    const std::vector<double> z = uneven_places(layout);
    for (int i = 0; i < info.grid.nodes[2]; ++i)
    {
      const auto at = static_cast<std::size_t>(i);
      info.grid.axes[2].push_back(layout.as_nodes ? (z[at] + z[at + 1]) / 2 : z[at]);
    }
    for (std::size_t axis = 0; axis < 2; ++axis)
    {
      for (int i = 0; i < info.grid.nodes[axis]; ++i)
      {
        info.grid.axes[axis].push_back(kFlowOrigin[axis] + kFlowSpacing[axis] * (i + (layout.as_nodes ? 0.5 : 0.0)));
      }
    }
  }
  const bool cells = layout.centring == RIVULET_CELLS && !layout.as_nodes;
  const Centering centring = cells ? Centering::Cell : Centering::Node;
  info.variables = { { "velocity", ScalarType::Float32, 3, centring },
    { "pressure", ScalarType::Float64, 1, centring } };
  if (layout.curvilinear)
  {
    add_points(info, ScalarType::Float64);
  }
  info.ranges.resize(info.variables.size());
  return info;
}

void write_alone(const std::string& path, const Layout& layout)
{
  auto store = StoreWriter::open(path, { .uuid = kUuid });
  ASSERT_TRUE(store) << store.error().describe();
  FieldInfo info = expected_info(layout);
  for (const double time : kTimes)
  {
    info.times = { time };
    if (layout.curvilinear)
    {
      info.points_steps = { time == 0.5 ? -1 : 0 }; // it moves at time 2
    }
    auto step = (*store)->begin_step(info);
    ASSERT_TRUE(step) << step.error().describe();
    const Box all{ { 0, 0, 0 }, info.grid.lattice(info.variables[0].centering) };
    std::vector<float> velocity;
    std::vector<double> pressure;
    for (std::int64_t i = 0; i < all.count(); ++i)
    {
      const Int3 point = from_row_major(i, all.end);
      for (const double value : velocity_at(point, time))
      {
        velocity.push_back(static_cast<float>(value));
      }
      pressure.push_back(pressure_at(point, time));
    }
    const std::array<const void*, 2> values{ velocity.data(), pressure.data() };
    for (int variable = 0; variable < 2; ++variable)
    {
      const auto tuple = static_cast<std::int64_t>(info.variables[static_cast<std::size_t>(variable)].tuple_bytes());
      const ConstStridedBox box{ all, static_cast<const std::byte*>(values[static_cast<std::size_t>(variable)]),
        dense_strides(all, tuple) };
      ASSERT_TRUE(write_box(**step, variable, 0, box, bricks_within((*step)->layout(variable), all)));
    }
    if ((*step)->wants(2, 0))
    {
      const Box nodes{ { 0, 0, 0 }, info.grid.nodes };
      std::vector<double> places;
      for (std::int64_t i = 0; i < nodes.count(); ++i)
      {
        const std::array<double, 3> place = node_at(from_row_major(i, nodes.end), time);
        places.insert(places.end(), place.begin(), place.end());
      }
      const ConstStridedBox box{ nodes, reinterpret_cast<const std::byte*>(places.data()), dense_strides(nodes, 24) };
      ASSERT_TRUE(write_box(**step, 2, 0, box, bricks_within((*step)->layout(2), nodes)));
    }
    ASSERT_TRUE((*step)->finish());
  }
}

void expect_same_stores(const std::string& one, const std::string& other)
{
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(one))
  {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(text_of(entry.path().string()) == text_of(other + "/" + name)) << name;
    ++files;
    if (entry.path().extension() == ".rvf")
    {
      const auto file = FieldFile::open(other + "/" + name);
      ASSERT_TRUE(file) << file.error().describe();
      const auto report = verify(*file, {});
      EXPECT_TRUE(report && report->sound() && report->bricks > 0) << name;
    }
  }
  EXPECT_EQ(files, 5U); // description, index and steps
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(other), {}), 5);
}

std::string options_of(const Layout& layout)
{
  return R"({"uuid": ")" + std::string(kUuid) + R"(", "sync": false)" +
         (layout.as_nodes ? R"(, "cells": "nodes"})" : "}");
}

using StoreCase = std::tuple<Layout, Int3>;
class Stores : public ::testing::TestWithParam<StoreCase>
{
};
INSTANTIATE_TEST_SUITE_P(All, Stores,
    ::testing::Combine(
        ::testing::Values(Layout{ RIVULET_NODES, false, { 29, 20, 23 } },
            Layout{ RIVULET_CELLS, false, { 29, 20, 23 } }, Layout{ RIVULET_CELLS, true, { 29, 20, 23 } },
            Layout{ RIVULET_CELLS, true, { 40, 33, 1 } }, Layout{ RIVULET_NODES, false, { 7, 30, 5 } },
            Layout{ RIVULET_NODES, false, { 29, 20, 0 } }, Layout{ RIVULET_NODES, false, { 29, 20, 13 }, true },
            Layout{ RIVULET_CELLS, true, { 29, 20, 13 }, true },
            Layout{ RIVULET_NODES, false, { 29, 20, 13 }, false, true },
            Layout{ RIVULET_CELLS, false, { 29, 20, 13 }, false, true }),
        ::testing::Values(Int3{ 1, 1, 1 }, Int3{ 2, 1, 1 }, Int3{ 3, 4, 1 }, Int3{ 5, 2, 3 })));

TEST_P(Stores, HaveTheBytesOfOneWriter)
{
  const auto& [layout, parts] = GetParam();
  if (layout.cells[2] < parts[2] * 2 && parts[2] > 1)
  {
    GTEST_SKIP() << "too thin to be cut";
  }
  const SharedFolder folder;
  if (world_rank() == 0)
  {
    write_alone(folder.file("alone.rvs"), layout);
  }
  {
    PluginHost host("store", options_of(layout), { .output = folder.path(), .slots = 3, .comm = MPI_COMM_WORLD });
    ASSERT_EQ(host.created(), 0) << host.said();
    Flow flow(layout.cells, layout.centring);
    const std::vector<double> z = uneven_places(layout);
    flow.field().coordinates[2] = layout.uneven ? z.data() : nullptr;
    if (layout.curvilinear)
    {
      flow.make_curvilinear();
    }
    const std::vector<Box> boxes = cut_unevenly(layout.cells, parts);
    for (std::size_t number = 0; number < boxes.size(); ++number)
    {
      if (static_cast<int>(number * 7 / 3) % world_size() == world_rank())
      {
        const std::int32_t above = number % 2 == 0 ? 0 : RIVULET_NO_GHOSTS;
        flow.add_block(boxes[number], { 2, 0, 1 }, { above, 3, 0 });
      }
    }
    for (const double time : kTimes)
    {
      EXPECT_EQ(host.execute(flow.snapshot(0, time)), 0) << host.said();
    }
    EXPECT_THAT(host.messages(), IsEmpty());
  }
  MPI_Barrier(MPI_COMM_WORLD);
  if (world_rank() == 0)
  {
    expect_same_stores(folder.file("alone.rvs"), folder.file("store.rvs"));
  }
}

/// A store of this rank alone.
int run_alone(Flow& flow, const std::string& options, const TemporaryFolder& folder, std::string& said,
    const std::vector<double>& times = { 0.0 })
{
  PluginHost host("store", options, { .output = folder.path() });
  int code = host.created();
  for (std::size_t i = 0; code == 0 && i < times.size(); ++i)
  {
    code = host.execute(flow.snapshot(static_cast<std::int64_t>(i), times[i]));
  }
  said = host.said();
  return code;
}

TEST(Store, TakesChosenVariablesAsOtherTypes)
{
  const TemporaryFolder folder;
  std::string said;
  Flow flow({ 12, 11, 10 }, RIVULET_NODES);
  flow.add_block({ { 0, 0, 0 }, { 12, 11, 10 } });
  EXPECT_EQ(run_alone(flow, R"({"variables": ["pressure"], "type": "float32", "path": "p.rvs", "brick": [4, 5, 6]})",
                folder, said),
      0)
      << said;
  const auto series = FieldSeries::open({ folder.file("p.rvs") });
  ASSERT_TRUE(series) << series.error().describe();
  ASSERT_EQ(series->info.variables.size(), 1U);
  EXPECT_EQ(series->info.variables[0].name, "pressure");
  EXPECT_EQ(series->info.variables[0].type, ScalarType::Float32);
}

/// Runs steps 0, 1, ... at these times, each run with a flow of its own; the times of the store afterwards.
std::vector<double> times_after(const TemporaryFolder& folder, std::int32_t start, const std::vector<double>& times,
    std::string& said, const Int3& cells = { 12, 11, 10 })
{
  Flow flow(cells, RIVULET_NODES);
  flow.add_block({ { 0, 0, 0 }, cells });
  PluginHost host("store", R"({"sync": false})", { .output = folder.path(), .start = start });
  int failures = host.created();
  for (std::size_t step = 0; step < times.size(); ++step)
  {
    failures += host.execute(flow.snapshot(static_cast<std::int64_t>(step), times[step]));
  }
  said = host.said();
  EXPECT_TRUE(failures == 0 || start == RIVULET_NEW) << said;
  const auto series = FieldSeries::open({ folder.file("store.rvs") });
  return series ? series->info.times : std::vector<double>();
}

TEST(Store, ReplacesTheStepsFromTheFirstTimeOfARestartedRun)
{
  const TemporaryFolder folder;
  std::string said;
  EXPECT_THAT(times_after(folder, RIVULET_RESTART, { 0, 0.3, 0.6, 0.9 }, said), ElementsAre(0, 0.3, 0.6, 0.9));
  EXPECT_EQ(said, "");
  EXPECT_THAT(times_after(folder, RIVULET_RESTART, {}, said), ElementsAre(0, 0.3, 0.6, 0.9)) << "a run without a step";
  EXPECT_THAT(times_after(folder, RIVULET_RESTART, { 0.6 }, said), ElementsAre(0, 0.3, 0.6));
  EXPECT_THAT(said, HasSubstr("from the time 0.6 on, 2 of 4, are replaced"));
  EXPECT_THAT(times_after(folder, RIVULET_RESTART, { 0.9, 1.2 }, said), ElementsAre(0, 0.3, 0.6, 0.9, 1.2));
  EXPECT_EQ(said, "") << "nothing is replaced";
  EXPECT_THAT(times_after(folder, RIVULET_RESTART, { 0.2, 0.5 }, said), ElementsAre(0, 0.2, 0.5));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1) << "nothing is left beside it";
  EXPECT_THAT(times_after(folder, RIVULET_RESTART, { 0, 5 }, said, { 9, 8, 7 }), ElementsAre(0, 5))
      << "where nothing stays the field may be another one";
}

TEST(Store, CutsAtTheFirstTimeOfTheRunEvenIfThatStepIsNotWanted)
{
  const TemporaryFolder folder;
  std::string said;
  EXPECT_THAT(times_after(folder, RIVULET_RESTART, { 0, 1, 2, 3 }, said).size(), 4U);
  Flow flow({ 12, 11, 10 }, RIVULET_NODES);
  flow.add_block({ { 0, 0, 0 }, { 12, 11, 10 } });
  (void)flow.snapshot(7, 1.5); // which no analytics wants
  PluginHost host("store", R"({"sync": false})", { .output = folder.path() });
  EXPECT_EQ(host.execute(flow.snapshot(8, 2.5)), 0) << host.said();
  EXPECT_THAT(FieldSeries::open({ folder.file("store.rvs") })->info.times, ElementsAre(0, 1, 2.5));
}

TEST(Store, ContinuesAfterTheLastStepAndRefusesAnOldOneIfItIsToBeNew)
{
  const TemporaryFolder folder;
  std::string said;
  EXPECT_THAT(times_after(folder, RIVULET_NEW, { 0, 1, 2 }, said), ElementsAre(0, 1, 2));
  EXPECT_THAT(times_after(folder, RIVULET_CONTINUE, { 1, 1.5, 2, 3 }, said), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(said, HasSubstr("steps up to the time 2 are there already"));
  EXPECT_THAT(times_after(folder, RIVULET_NEW, { 4 }, said), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(said, HasSubstr("\"start\": \"new\""));
}

/// A fault of a field, and words of the message.
struct Fault
{
  const char* name;
  std::function<void(Flow&)> make;
  const char* words;
};

class StoreFaults : public ::testing::TestWithParam<Fault>
{
};

const Box kLower{ { 0, 0, 0 }, { 12, 6, 10 } };
const Box kUpper{ { 0, 6, 0 }, { 12, 11, 10 } };

INSTANTIATE_TEST_SUITE_P(All, StoreFaults,
    ::testing::Values(Fault{ "Missing", [](Flow& flow) { flow.add_block(kLower); },
                          "no rank publishes the cell (0, 6, 0) and 599 others" },
        Fault{ "Overlap",
            [](Flow& flow)
            {
              flow.add_block(kLower);
              flow.add_block(kUpper);
              flow.add_block({ { 3, 5, 2 }, { 4, 7, 4 } });
            },
            "blocks of ranks 0 and 0 overlap from (3, 5, 2) to (4, 6, 4)" },
        Fault{ "Outside",
            [](Flow& flow) {
              flow.add_block({ { 0, 6, 0 }, { 12, 12, 10 } });
            },
            "a block of the field \"flow\" does not lie in the domain along y" },
        Fault{ "Levels", [](Flow& flow) { flow.field().levels = 2; }, "the field \"flow\" has 2 levels" },
        Fault{ "Spacing", [](Flow& flow) { flow.field().spacing[2] = 0; }, "no sound origin and spacing along z" },
        Fault{ "Integers", [](Flow& flow) { flow.variables()[1].type = RIVULET_INT32; },
            "the variable \"pressure\" of the field \"flow\" has values of integers" },
        Fault{ "Components", [](Flow& flow) { flow.variables()[0].components = 10; }, "has 10 components" },
        Fault{ "NoVariable", [](Flow& flow) { flow.variables()[1].name = "p"; }, "no variable \"pressure\"" }),
    [](const auto& test) { return test.param.name; });

TEST_P(StoreFaults, AreNamed)
{
  const TemporaryFolder folder;
  std::string said;
  Flow flow({ 12, 11, 10 }, RIVULET_CELLS);
  GetParam().make(flow);
  EXPECT_NE(run_alone(flow, R"({"variables": ["velocity", "pressure"], "sync": false})", folder, said), 0);
  EXPECT_THAT(said, HasSubstr(GetParam().words));
  const auto series = FieldSeries::open({ folder.file("store.rvs") });
  EXPECT_FALSE(series); // no step is there
}

TEST(Store, FailsOnAllRanksIfOneFails)
{
  const SharedFolder folder;
  PluginHost host("store", R"({"sync": false})", { .output = folder.path(), .comm = MPI_COMM_WORLD });
  const bool last = world_rank() == world_size() - 1;
  Flow flow({ 12, 11, 10 }, RIVULET_CELLS);
  flow.add_block(world_rank() == 0 ? kLower : kUpper);
  flow.field().levels = last ? 3 : 1;
  EXPECT_NE(host.execute(flow.snapshot(0, 0.0)), 0);
  EXPECT_THAT(host.said(), HasSubstr(last ? "3 levels" : "failed on another rank"));
}

TEST(Store, RefusesDomainsThatDifferBetweenRanks)
{
  if (world_size() < 2)
  {
    GTEST_SKIP() << "needs two ranks";
  }
  const SharedFolder folder;
  PluginHost host("store", "{}", { .output = folder.path(), .comm = MPI_COMM_WORLD });
  Flow flow({ 12, 11, 10 + world_rank() }, RIVULET_CELLS);
  EXPECT_NE(host.execute(flow.snapshot(0, 0.0)), 0);
  EXPECT_THAT(host.said(), HasSubstr("ranks publish different domains"));
}

TEST(Store, NamesAPlaceThatCannotBeWritten)
{
  const TemporaryFolder folder;
  const PluginHost host("store", R"({"path": "/proc/no/store.rvs"})", { .output = folder.path() });
  EXPECT_NE(host.created(), 0);
  EXPECT_THAT(host.said(), HasSubstr("/proc/no/store.rvs"));
}

} // namespace
