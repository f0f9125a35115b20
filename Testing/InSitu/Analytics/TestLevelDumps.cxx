// SPDX-License-Identifier: BSD-3-Clause
// store on fields with levels: dumps, read back by the reader of SAMRAI's dumps.
#include "Amr/ReadPatchData.h"
#include "Amr/SamraiSummary.h"
#include "InSitu/Analytics/Atoms.h"
#include "InSitu/Analytics/LevelFlow.h"
#include "InSitu/Analytics/PluginHost.h"
#include "Io/Series/FieldSeries.h"
#include "Io/Writes/TemporaryPlace.h"
#include "Support/LoweredLimit.h"

#include <cmath>
#include <cstdlib>
#include <gmock/gmock.h>
#include <sys/stat.h>

namespace
{

namespace fs = std::filesystem;
using namespace rivulet;
using namespace rivulet::test;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::vector<double> wind(const Vec3& x)
{
  return { std::sin(3.0 * x[0]) + x[1], x[2] * x[2] - 0.25, 1.0 / (2.0 + x[0]) };
}

/// The levels of a step: they move, and some steps have fewer.
std::vector<AmrMeshLevel> levels_at(std::int64_t step)
{
  std::vector<AmrMeshLevel> levels = levels_from_corner(three_levels());
  if (step % 3 == 1)
  {
    levels[1].boxes = { { { 4, 10, 6 }, { 20, 30, 34 } }, { { 20, 10, 6 }, { 24, 12, 8 } } };
    levels[2].boxes = { { { 32, 60, 48 }, { 72, 104, 96 } }, { { 16, 40, 24 }, { 20, 44, 25 } } };
  }
  if (step % 3 == 2)
  {
    levels[2].boxes.clear();
  }
  return levels;
}

/// Summaries of the dumps that the index lists, as a reader finds them.
std::vector<DumpStep> steps_in(const std::string& folder)
{
  const std::vector<std::string> paths{ folder + "/dumps.visit" };
  const auto index = find_dumps(paths, built_in_names(), {});
  if (index)
  {
    EXPECT_THAT(index->notes, IsEmpty());
  }
  return index ? index->dumps : std::vector<DumpStep>();
}

std::vector<std::int64_t> cycles_in(const std::string& folder)
{
  std::vector<std::int64_t> cycles;
  for (const DumpStep& step : steps_in(folder))
  {
    cycles.push_back(step.cycle);
  }
  return cycles;
}

template <class T>
void expect_values(const PatchVariable& read, const std::vector<double>& values)
{
  ASSERT_EQ(read.state, PatchVariable::State::Read);
  const auto* const there = reinterpret_cast<const T*>(read.values.data());
  for (std::size_t i = 0; i < values.size(); ++i)
  {
    ASSERT_EQ(there[i], static_cast<T>(values[i])) << i;
  }
}

std::vector<double> values_at_cells(const Grid& grid, const Box& cells, const Components& function)
{
  std::vector<double> values;
  for (std::int64_t i = 0; i < cells.count(); ++i)
  {
    Int3 at = from_row_major(i, cells.size());
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      at[axis] += cells.begin[axis];
    }
    const std::vector<double> value = function(position_of(grid, Centering::Cell, at));
    values.insert(values.end(), value.begin(), value.end());
  }
  return values;
}

/// Compares the ranges of the summary with the values.
void expect_ranges(AmrDump& dump, PatchData& data)
{
  for (std::size_t variable = 0; variable < dump.variables.size(); ++variable)
  {
    ASSERT_TRUE(read_samrai_ranges(dump, static_cast<int>(variable)));
    const std::vector<AmrComponent>& components = dump.variables[variable].components;
    for (std::size_t patch = 0; patch < dump.patches.size(); ++patch)
    {
      const PatchVariable& read = data.at(patch, variable);
      for (std::size_t component = 0; component < components.size(); ++component)
      {
        double least = INFINITY;
        double most = -INFINITY;
        for (std::int64_t i = 0; i < volume(read.size); ++i)
        {
          const auto at = static_cast<std::size_t>(i) * components.size() + component;
          const double value = read.type == StoredType::Float32
                                   ? static_cast<double>(reinterpret_cast<const float*>(read.values.data())[at])
                                   : reinterpret_cast<const double*>(read.values.data())[at];
          least = std::min(least, value);
          most = std::max(most, value);
        }
        const AmrRange& range = components[component].ranges.at(patch);
        EXPECT_TRUE(range.stored);
        EXPECT_EQ(range.minimum, least);
        EXPECT_EQ(range.maximum, most);
      }
    }
  }
}

/// That a dump has these levels, with the values of the functions in every cell.
void expect_dump(const DumpStep& step, const std::vector<AmrMeshLevel>& levels)
{
  Result<AmrDump> dump = open_dump(step.path);
  ASSERT_TRUE(dump) << dump.error().describe();
  EXPECT_EQ(dump->dimensions, 3);
  EXPECT_EQ(dump->origin, levels.front().grid.origin);
  EXPECT_THAT(dump->notes, IsEmpty());
  ASSERT_EQ(dump->variables.size(), 2U);
  EXPECT_EQ(dump->variables[0].name, "velocity");
  EXPECT_EQ(dump->variables[0].components.size(), 3U);
  EXPECT_EQ(dump->variables[1].components.size(), 1U);
  Result<PatchData> data = read_patch_data(step.path, {}, {}, {});
  ASSERT_TRUE(data) << data.error().describe();
  std::size_t with_patches = 0;
  for (const AmrMeshLevel& level : levels)
  {
    with_patches += level.boxes.empty() ? 0 : 1;
  }
  ASSERT_EQ(dump->levels.size(), with_patches);
  for (std::size_t number = 0; number < with_patches; ++number)
  {
    const AmrLevel& read = dump->levels[number];
    const Grid& grid = levels[number].grid;
    EXPECT_EQ(read.ratio, levels[number].ratio);
    EXPECT_EQ(read.spacing, grid.spacing);
    std::vector<Box> boxes = levels[number].boxes;
    ASSERT_EQ(static_cast<std::size_t>(read.patches), boxes.size());
    for (std::int32_t i = read.first_patch; i < read.first_patch + read.patches; ++i)
    {
      const auto patch = static_cast<std::size_t>(i);
      const Box& cells = dump->patches[patch].cells;
      ASSERT_EQ(std::erase(boxes, cells), 1U);
      ASSERT_EQ(data->at(patch, 0).type, StoredType::Float32);
      ASSERT_EQ(data->at(patch, 1).type, StoredType::Float64);
      expect_values<float>(data->at(patch, 0), values_at_cells(grid, cells, wind));
      expect_values<double>(data->at(patch, 1), values_at_cells(grid, cells, height_at));
    }
  }
  expect_ranges(*dump, *data);
}

TEST(LevelDumps, HaveEveryValueOfAllRanksWhereverThePatchesAre)
{
  for (int spread = 0; spread < 3; ++spread)
  {
    const SharedFolder folder;
    {
      PluginHost host("store", spread == 0 ? "{}" : R"({"sync": false})",
          { .output = folder.path(), .slots = 1 + 2 * spread, .comm = MPI_COMM_WORLD });
      EXPECT_TRUE(host.wants("flow", "height"));
      for (std::int64_t step = 0; step < 4; ++step)
      {
        LevelFlow flow(levels_at(step), wind, true);
        flow.add_all(
            [&](std::size_t patch)
            {
              const int owner = spread == 0 ? world_size() - 1 : static_cast<int>(patch + 2) % world_size();
              return owner == world_rank();
            });
        rivulet_snapshot snapshot = flow.snapshot(10 * step, 0.5 * static_cast<double>(step));
        snapshot.first_step = 0;
        EXPECT_EQ(host.execute(snapshot), 0) << host.said();
      }
      EXPECT_THAT(host.messages(), IsEmpty());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const std::vector<DumpStep> steps = steps_in(folder.file("store.samrai"));
    ASSERT_EQ(steps.size(), 4U);
    for (std::int64_t step = 0; step < 4; ++step)
    {
      const DumpStep& there = steps[static_cast<std::size_t>(step)];
      EXPECT_EQ(there.cycle, 10 * step);
      EXPECT_EQ(there.time, 0.5 * static_cast<double>(step));
      expect_dump(there, levels_at(step));
    }
    EXPECT_FALSE(fs::exists(folder.file("store.rvs")));
    EXPECT_TRUE(fs::exists(folder.file("store.samrai/visit_dump.00030/processor_cluster.00000.samrai")));
    EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("store.samrai")), {}), 5)
        << "nothing is left beside them";
  }
}

TEST(LevelDumps, HaveChosenVariablesAndTypes)
{
  const TemporaryFolder folder;
  PluginHost host("store", R"({"variables": ["height"], "type": "float32", "path": "few/../my dumps.samrai"})",
      { .output = folder.path() });
  EXPECT_FALSE(host.wants("flow", "velocity"));
  LevelFlow flow(levels_at(0), wind);
  flow.add_all([](std::size_t) { return true; });
  ASSERT_EQ(host.execute(flow.snapshot(123456, 1.5)), 0) << host.said();
  const std::string summary = folder.file("my dumps.samrai/visit_dump.123456/summary.samrai");
  const Result<AmrDump> dump = open_dump(summary);
  ASSERT_TRUE(dump) << dump.error().describe();
  ASSERT_EQ(dump->variables.size(), 1U);
  Result<PatchData> data = read_patch_data(summary, {}, {}, {});
  ASSERT_TRUE(data);
  EXPECT_EQ(data->at(3, 0).type, StoredType::Float32);
}

/// A rank alone that writes dumps, of one level or of several.
class OneRun
{
public:
  OneRun(const std::string& folder, const std::string& options, std::int32_t start = RIVULET_RESTART)
    : host_("store", options, { .output = folder, .start = start })
  {
  }
  /// Code of the step. The run begins with its first step.
  int step(std::int64_t number)
  {
    LevelFlow flow(levels_at(number), wind, true);
    flow.add_all([](std::size_t) { return true; });
    rivulet_snapshot snapshot = flow.snapshot(number, 0.5 * static_cast<double>(number));
    first_ = first_ < 0 ? number : first_;
    snapshot.first_step = first_;
    snapshot.first_time = 0.5 * static_cast<double>(first_);
    return host_.execute(snapshot);
  }
  OneRun& steps(std::int64_t first, std::int64_t end)
  {
    for (std::int64_t number = first; number < end; ++number)
    {
      EXPECT_EQ(step(number), 0) << host_.said();
    }
    return *this;
  }
  [[nodiscard]] PluginHost& host() { return host_; }

private:
  PluginHost host_;
  std::int64_t first_ = -1;
};

const std::string kQuick = R"({"sync": false})";

TEST(LevelDumps, OfARestartedRunReplaceLaterOnesWhenItsFirstIsThere)
{
  const TemporaryFolder folder;
  const std::string dumps = folder.file("store.samrai");
  OneRun(folder.path(), kQuick).steps(0, 6);
  {
    OneRun restarted(folder.path(), kQuick);
    EXPECT_THAT(cycles_in(dumps), ElementsAre(0, 1, 2, 3, 4, 5)) << "until its first step is there";
    restarted.steps(3, 4);
    EXPECT_THAT(cycles_in(dumps), ElementsAre(0, 1, 2, 3));
    EXPECT_THAT(restarted.host().said(), HasSubstr("2 dumps of an earlier run, of step 3 and later ones, are removed"));
    EXPECT_FALSE(fs::exists(dumps + "/visit_dump.00004"));
    restarted.steps(4, 5);
  }
  EXPECT_THAT(cycles_in(dumps), ElementsAre(0, 1, 2, 3, 4));
  expect_dump(steps_in(dumps)[3], levels_at(3));
  EXPECT_EQ(std::distance(fs::directory_iterator(dumps), {}), 6) << "nothing is left beside them";
}

TEST(LevelDumps, OfAContinuedRunFollowTheLastAndANewOneIsRefused)
{
  const TemporaryFolder folder;
  const std::string dumps = folder.file("store.samrai");
  OneRun(folder.path(), kQuick, RIVULET_NEW).steps(0, 3);
  const auto written = fs::last_write_time(dumps + "/visit_dump.00002/summary.samrai");
  OneRun continued(folder.path(), kQuick, RIVULET_CONTINUE);
  continued.steps(1, 5);
  EXPECT_THAT(continued.host().said(), HasSubstr("steps up to 2 are there already, and are left out"));
  EXPECT_THAT(cycles_in(dumps), ElementsAre(0, 1, 2, 3, 4));
  EXPECT_EQ(fs::last_write_time(dumps + "/visit_dump.00002/summary.samrai"), written);
  for (const std::string& options : { kQuick, std::string(R"({"path": "store.samrai"})") })
  {
    OneRun refused(folder.path(), options, RIVULET_NEW);
    EXPECT_NE(refused.host().created(), 0);
    EXPECT_THAT(refused.host().said(), HasSubstr("\"start\": \"new\""));
  }
}

TEST(LevelDumps, AStepThatComesAgainIsReplacedWhole)
{
  const TemporaryFolder folder;
  const std::string dumps = folder.file("store.samrai");
  OneRun run(folder.path(), kQuick);
  run.steps(0, 3);
  std::ofstream(dumps + "/visit_dump.00001/notes") << "of the old one";
  EXPECT_EQ(run.step(1), 0);
  EXPECT_THAT(cycles_in(dumps), ElementsAre(0, 1, 2));
  EXPECT_FALSE(fs::exists(dumps + "/visit_dump.00001/notes"));
  expect_dump(steps_in(dumps)[1], levels_at(1));
}

TEST(LevelDumps, OfAKilledRunAreWholeOrNotThere)
{
  const TemporaryFolder folder;
  const std::string dumps = folder.file("store.samrai");
  OneRun(folder.path(), kQuick).steps(0, 4);
  // While it wrote step 4.
  Result<TemporaryPlace> place = TemporaryPlace::folder(dumps + "/visit_dump.00004");
  ASSERT_TRUE(place);
  const std::string half_written = place->path();
  std::ofstream(half_written + "/processor_cluster.00000.samrai") << "half";
  place->forget();
  fs::create_directory(half_written + "-old");
  // Before the index had step 3.
  std::ofstream(dumps + "/dumps.visit") << "visit_dump.00000/summary.samrai\nvisit_dump.00001/summary.samrai\n"
                                        << "visit_dump.00002/summary.samrai\nvisit_dump.00";
  OneRun continued(folder.path(), kQuick, RIVULET_CONTINUE);
  continued.steps(2, 3);
  EXPECT_FALSE(fs::exists(half_written));
  EXPECT_FALSE(fs::exists(half_written + "-old"));
  continued.steps(3, 5);
  EXPECT_THAT(continued.host().said(), HasSubstr("steps up to 2 are there already"));
  EXPECT_THAT(cycles_in(dumps), ElementsAre(0, 1, 2, 3, 4));
  expect_dump(steps_in(dumps)[3], levels_at(3));
  // A step whose folder a user has removed.
  fs::remove_all(dumps + "/visit_dump.00004");
  OneRun(folder.path(), kQuick, RIVULET_CONTINUE).steps(4, 6);
  EXPECT_THAT(cycles_in(dumps), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(LevelDumps, HaveThePermissionsOfTheFolderAroundThem)
{
  const TemporaryFolder folder;
  fs::create_directory(folder.file("store.samrai"));
  ::chmod(folder.file("store.samrai").c_str(), 0750);
  OneRun(folder.path(), kQuick).steps(0, 1);
  struct stat status = {};
  ASSERT_EQ(::stat(folder.file("store.samrai/visit_dump.00000").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0750U);
}

TEST(LevelDumps, FailOnAllRanksWhereOneHasNoRoomAndLeaveNothing)
{
  const SharedFolder folder;
  PluginHost host("store", kQuick, { .output = folder.path(), .slots = 2, .comm = MPI_COMM_WORLD });
  LevelFlow flow(levels_at(0), wind, true);
  const bool last = world_rank() == world_size() - 1;
  flow.add_all([&](std::size_t patch)
      { return patch % static_cast<std::size_t>(world_size()) == 0 ? world_rank() == 0 : last; });
  for (const bool little : { true, false, true })
  {
    const LoweredLimit limit(RLIMIT_FSIZE, little && last ? 100'000 : RLIM_INFINITY);
    EXPECT_EQ(host.execute(flow.snapshot(little ? 1 : 0, 0.0)) == 0, !little);
    MPI_Barrier(MPI_COMM_WORLD);
    EXPECT_THAT(host.said(), HasSubstr(last ? "the process may write files of" : "failed on another rank"));
    EXPECT_FALSE(fs::exists(folder.file("store.samrai/visit_dump.00001")));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  EXPECT_THAT(cycles_in(folder.file("store.samrai")), ElementsAre(0));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("store.samrai")), {}), 2);
}

/// The folder of RIVULET_DUMPS stays, for ParaView (test_paraview_dumps.py).
TEST(LevelDumps, AreWrittenBesideTheLinesThroughThem)
{
  const TemporaryFolder temporary;
  const char* const kept = std::getenv("RIVULET_DUMPS");
  const std::string folder = kept != nullptr ? kept : temporary.path().string();
  PluginHost lines("streamlines",
      R"({"line": [[-0.875, 0.75, 0.5], [0.875, -0.75, -0.5]], "resolution": 9, "length": 4, "attributes": ["height"]})",
      { .output = folder, .slots = 2 });
  OneRun run(folder, kQuick);
  for (std::int64_t step = 0; step < 3; ++step)
  {
    LevelFlow flow(levels_at(step), wind, true);
    flow.add_all([](std::size_t) { return true; });
    EXPECT_EQ(lines.execute(flow.snapshot(step, 0.5 * static_cast<double>(step))), 0) << lines.said();
    EXPECT_EQ(run.step(step), 0) << run.host().said();
  }
  EXPECT_THAT(cycles_in(folder + "/store.samrai"), ElementsAre(0, 1, 2));
}

/// The message of a step that cannot be stored.
template <class Change>
std::string refusal(const std::string& options, const Change& change)
{
  const TemporaryFolder folder;
  PluginHost host("store", options, { .output = folder.path() });
  LevelFlow flow(levels_at(0), wind);
  flow.add_all([](std::size_t) { return true; });
  change(flow);
  EXPECT_NE(host.execute(flow.snapshot(0, 0.0)), 0);
  EXPECT_THAT(cycles_in(folder.file("store.samrai")), IsEmpty());
  return host.said();
}

TEST(LevelDumps, RefuseWhatTheyCannotHave)
{
  const auto nothing = [](LevelFlow&) {
  };
  for (const char* option :
      { R"("cells": "cells")", R"("brick": [4, 4, 4])", R"("encoding": "plain")", R"("uuid": "1")" })
  {
    EXPECT_THAT(refusal("{" + std::string(option) + "}", nothing), HasSubstr("has no meaning for the dumps"));
    EXPECT_THAT(refusal(R"({"path": "a.samrai", )" + std::string(option) + "}", nothing), HasSubstr("has no meaning"));
  }
  EXPECT_THAT(refusal(R"({"path": "flow.rvs"})", nothing),
      HasSubstr("the field \"flow\" has 3 levels, which a store cannot have. Set \"path\" to a name that ends in"));
  EXPECT_THAT(refusal("{}", [](LevelFlow& flow) { flow.variables()[1].name = "a/b"; }),
      HasSubstr("the variable \"a/b\" of the field \"flow\" cannot be in a dump"));
  EXPECT_THAT(refusal("{}", [](LevelFlow& flow) { flow.variables()[1].type = RIVULET_INT64; }),
      HasSubstr("the variable \"height\" of the field \"flow\" has values of integers"));
  EXPECT_THAT(refusal("{}", [](LevelFlow& flow) { flow.blocks()[0].cells[2] = 19; }),
      HasSubstr("level 0 of the field \"flow\" does not cover the domain"));
  EXPECT_THAT(refusal("{}",
                  [](LevelFlow& flow) {
                    flow.add(1, { { 30, 20, 30 }, { 38, 32, 38 } });
                  }),
      HasSubstr("overlap on level 1 of the field \"flow\""));
  EXPECT_THAT(refusal(R"({"path": "/proc/no/x.samrai"})", nothing), HasSubstr("/proc/no/x.samrai"));
}

TEST(LevelDumps, GoOnWhereAStepHasOneLevelOnly)
{
  const TemporaryFolder folder;
  const auto one_level = []
  {
    std::vector<AmrMeshLevel> levels = levels_at(0);
    levels.resize(1);
    return levels;
  };
  const auto run = [&](const std::string& options, std::vector<AmrMeshLevel> levels, std::int64_t step)
  {
    PluginHost host("store", options, { .output = folder.path() });
    LevelFlow flow(std::move(levels), wind, true);
    flow.add_all([](std::size_t) { return true; });
    const int code = host.execute(flow.snapshot(step, static_cast<double>(step)));
    return code == 0 ? std::string() : host.said();
  };
  EXPECT_EQ(run(R"({"path": "named.samrai"})", one_level(), 0), "");
  expect_dump(steps_in(folder.file("named.samrai"))[0], one_level());
  EXPECT_EQ(run("{}", levels_at(0), 0), "");
  EXPECT_EQ(run("{}", one_level(), 1), "") << "there are dumps already";
  EXPECT_THAT(cycles_in(folder.file("store.samrai")), ElementsAre(0, 1));
  fs::remove_all(folder.file("store.samrai"));
  EXPECT_EQ(run("{}", one_level(), 0), "");
  EXPECT_TRUE(FieldSeries::open({ folder.file("store.rvs") }));
}

} // namespace
