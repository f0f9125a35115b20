// SPDX-License-Identifier: BSD-3-Clause
// pathlines against those traced from a store of the same steps, bit for bit.
#include "InSitu/Analytics/PathlineRun.h"
#include "Store/Field/OpenField.h"
#include "Trace/Contract/PathSeed.h"
#include "Trace/Contract/TracedLines.h"
#include "Trace/Contract/TraceField.h"
#include "Trace/Contract/TraceOptions.h"
#include "Trace/Pathlines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace
{

using namespace rivulet;
using namespace rivulet::test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// The same from a store.
std::map<int, Line> traced(const std::string& store, const std::vector<Vec3>& seeds)
{
  const auto source = open_field({ store }, {});
  EXPECT_TRUE(source) << source.error().describe();
  TraceField field;
  field.grid = (*source)->info().grid;
  field.velocity = { source->get(), 0, 0 };
  field.attributes = { { "velocity", { source->get(), 0, 0 } }, { "pressure", { source->get(), 1, 0 } } };
  std::vector<PathSeed> releases;
  for (const Vec3& seed : seeds)
  {
    releases.push_back({ seed, kTimes.front() });
  }
  PathlineOptions options;
  options.compute_vorticity = false;
  const Result<TracedLines> lines = trace_pathlines(field, {}, releases, options, {});
  EXPECT_TRUE(lines) << lines.error().describe();
  std::map<int, Line> all;
  for (const TracedLine& each : lines->lines)
  {
    Line& line = all[each.seed];
    const auto* const pressure = reinterpret_cast<const double*>(lines->attributes[1].values.data());
    for (std::int64_t point = each.first_point; point < each.first_point + each.points; ++point)
    {
      line.points.insert(line.points.end(), lines->points.data() + 3 * point, lines->points.data() + 3 * point + 3);
      line.times.push_back(lines->time[static_cast<std::size_t>(point)]);
      line.pressure.push_back(pressure[point]);
    }
  }
  return all;
}

} // namespace

TEST(Pathlines, AreThoseOfTheStoreForAnyRanksAndThreads)
{
  for (const int slots : { 1, 3 })
  {
    const SharedFolder folder;
    {
      PluginHost store(
          "store", R"({"sync": false})", { .output = folder.path(), .slots = slots, .comm = MPI_COMM_WORLD });
      PathlineRun run({ .output = folder.path(), .slots = slots, .comm = MPI_COMM_WORLD });
      for (std::size_t step = 0; step < kTimes.size(); ++step)
      {
        EXPECT_EQ(run.step(step), 0) << run.host().said();
        const auto& snapshot = run.flow().snapshot(static_cast<std::int64_t>(step), kTimes[step]);
        EXPECT_EQ(store.execute(snapshot), 0) << store.said();
      }
      EXPECT_THAT(run.host().messages(), IsEmpty());
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
    {
      const std::map<int, Line> expected = traced(folder.file("store.rvs"), kSeeds);
      ASSERT_EQ(expected.size(), 4U) << "one seed lies outside";
      EXPECT_LT(expected.at(2).times.back(), kTimes.back()) << "one line leaves the domain";
      EXPECT_GT(expected.at(0).times.size(), kTimes.size());
      EXPECT_TRUE(joined(folder.path()) == expected);
    }
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

TEST(Pathlines, HaveAVertexForEachParticleOnItsWay)
{
  const TemporaryFolder folder;
  PathlineRun({ .output = folder.path() }).steps(0, kTimes.size());
  EXPECT_THAT(text_of(folder.file("pathlines-00000000.vtp")), HasSubstr("NumberOfVerts=\"5\" NumberOfLines=\"0\""));
  EXPECT_THAT(text_of(folder.file("pathlines-00000001.vtp")), HasSubstr("NumberOfVerts=\"4\" NumberOfLines=\"4\""));
  const std::string last = folder.file("pathlines-00000006.vtp");
  EXPECT_THAT(text_of(last), HasSubstr("NumberOfVerts=\"3\""));
  const auto reasons = values_of<std::int32_t>(last, "ReasonForTermination");
  EXPECT_EQ(std::count(reasons.begin(), reasons.begin() + 3, 0), 3) << "vertices of particles on their way";
  EXPECT_THAT(text_of(folder.file("pathlines.vtp.series")), HasSubstr("pathlines-00000006.vtp"));
}

TEST(Pathlines, RefuseWhatTheyCannotFollow)
{
  const TemporaryFolder folder;
  PluginHost host("pathlines", kPathlineOptions, { .output = folder.path() });
  Flow flow(kCells, RIVULET_NODES, turning);
  flow.add_block({ { 0, 0, 0 }, kCells });
  EXPECT_EQ(host.execute(flow.snapshot(0, 1.0)), 0) << host.said();
  EXPECT_NE(host.execute(flow.snapshot(1, 1.0)), 0);
  EXPECT_THAT(host.said(), HasSubstr("the time 1 is not after that of the step before, 1"));
  flow.field().origin[0] += 1.0;
  EXPECT_NE(host.execute(flow.snapshot(2, 2.0)), 0);
  EXPECT_THAT(host.said(), HasSubstr("the grid of the field is another one"));
  flow.field().origin[0] -= 1.0;
  EXPECT_EQ(host.execute(flow.snapshot(3, 3.0)), 0) << "a step that was refused is left out: " << host.said();
  PluginHost small("pathlines", R"({"points": [[5, 3, 2.3]], "limit_mib": 1})", { .output = folder.path() });
  Flow large({ 40, 40, 40 }, RIVULET_NODES, turning); // 0.8 MiB a step
  large.add_block({ { 0, 0, 0 }, { 40, 40, 40 } });
  EXPECT_NE(small.execute(large.snapshot(0, 0.0)), 0);
  EXPECT_THAT(small.said(), HasSubstr("Raise \"limit_mib\""));
}
