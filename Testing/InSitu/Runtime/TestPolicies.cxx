// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Sessions without faults: each policy shows analytics the same bytes, in the same order.
#include "TestSimulation.h"

#include <gtest/gtest.h>

#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <thread>

namespace rivulet::test
{
namespace
{

using Json = nlohmann::json;

const std::vector<std::string> kPolicies{ "synchronous", "asynchronous", "static", "dynamic", "task" };

std::vector<int> numbers(int begin, int end, int step = 1)
{
  std::vector<int> list;
  for (int i = begin; i < end; i += step)
  {
    list.push_back(i);
  }
  return list;
}

/// Without the last word, which names the thread.
std::vector<std::string> without_thread(std::vector<std::string> lines)
{
  for (std::string& line : lines)
  {
    line.resize(line.find(" thread "));
  }
  return lines;
}

std::vector<std::string> record(const std::string& policy, int buffers, int particles = 1000)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "policy", policy }, { "buffers", buffers },
      { "analytics",
          { { { "name", "local" }, { "plugin", "recorder" } }, { { "name", "recorder_mpi" }, { "every", 3 } } } } });
  EXPECT_NE(insitu, nullptr);
  TestSimulation simulation(particles);
  for (int step = 0; step < 20; ++step)
  {
    EXPECT_EQ(simulation.advance(insitu, step), RIVULET_OK);
  }
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  EXPECT_EQ(insitu, nullptr);
  EXPECT_EQ(place.steps_of("local"), numbers(0, 20));
  EXPECT_EQ(place.steps_of("recorder_mpi"), numbers(0, 20, 3));
  std::vector<std::string> lines = without_thread(place.lines_of("local"));
  const std::vector<std::string> more = without_thread(place.lines_of("recorder_mpi"));
  lines.insert(lines.end(), more.begin(), more.end());
  return lines;
}

TEST(Policies, ShowAnalyticsTheSameBytes)
{
  const std::vector<std::string> wanted = record("synchronous", 1); // which copies nothing
  std::vector<std::string> different(wanted.begin(), wanted.begin() + 20);
  EXPECT_EQ(std::unique(different.begin(), different.end()), different.end());
  for (const std::string& policy : kPolicies)
  {
    for (const int buffers : { 1, 3 })
    {
      EXPECT_EQ(record(policy, buffers), wanted) << policy << ", buffers: " << buffers;
    }
  }
}

TEST(Policies, TakeNoParticlesAtAll)
{
  const std::vector<std::string> wanted = record("synchronous", 1, 0);
  EXPECT_EQ(record("dynamic", 2, 0), wanted);
  EXPECT_EQ(record("task", 2, 0), wanted);
}

TEST(Policies, TakeStepsWithNothingPublished)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "analytics", { { { "name", "recorder" } } } } });
  EXPECT_EQ(rivulet_insitu_execute(insitu, 0, 0), RIVULET_OK);
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  ASSERT_EQ(place.lines_of("recorder").size(), 1U);
  EXPECT_NE(place.lines_of("recorder")[0].find("sets 0 fields 0"), std::string::npos);
}

TEST(Policies, RunAnalyticsOnTheThreadThatTheyPromise)
{
  for (const std::string& policy : kPolicies)
  {
    Workplace place;
    rivulet_insitu* insitu = place.open({ { "policy", policy }, { "analytics", { { { "name", "recorder" } } } } });
    TestSimulation simulation;
    simulation.advance(insitu, 0);
    rivulet_insitu_finalize(&insitu);
    ASSERT_EQ(place.lines_of("recorder").size(), 1U);
    const bool on_main = place.lines_of("recorder")[0].ends_with("thread main");
    EXPECT_EQ(on_main, policy == "synchronous") << policy;
  }
}

TEST(Policies, RunAsOftenAsConfigured)
{
  Workplace place;
  rivulet_insitu* insitu = place.open(
      { { "analytics", { { { "name", "a" }, { "plugin", "recorder" }, { "every", 5 }, { "first", 3 } },
                           { { "name", "b" }, { "plugin", "recorder" }, { "every", 4 }, { "repeat", 2 } } } } });
  TestSimulation simulation;
  std::vector<int> wanted;
  for (int step = 0; step < 16; ++step)
  {
    if (simulation.advance(insitu, step))
    {
      wanted.push_back(step);
    }
  }
  rivulet_insitu_finalize(&insitu);
  EXPECT_EQ(wanted, (std::vector{ 0, 3, 4, 8, 12, 13 }));
  EXPECT_EQ(place.steps_of("a"), (std::vector{ 3, 8, 13 }));
  EXPECT_EQ(place.steps_of("b"), (std::vector{ 0, 0, 4, 4, 8, 8, 12, 12 }));
  const Json summary = place.summary();
  EXPECT_EQ(summary["analytics"]["a"]["executions"]["max"], 3);
  EXPECT_EQ(summary["analytics"]["b"]["executions"]["min"], 8);
  EXPECT_EQ(summary["session"]["copied_steps"]["mean"], 6);
}

/// The simulation is three times as fast as analytics: with one buffer it waits, with many it does not.
TEST(WhenFull, WaitsAndLosesNothing)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "policy", "static" }, { "analytics_threads", 2 },
      { "analytics", { { { "name", "recorder_mpi" }, { "options", { { "milliseconds", 20 } } } } } } });
  TestSimulation simulation;
  for (int step = 0; step < 10; ++step)
  {
    EXPECT_EQ(simulation.advance(insitu, step), RIVULET_OK);
  }
  rivulet_insitu_finalize(&insitu);
  EXPECT_EQ(place.steps_of("recorder_mpi"), numbers(0, 10));
  const Json summary = place.summary()["session"];
  // Nine steps wait for the 20 ms of the one before.
  EXPECT_GE(summary["simulation_waits_s"]["min"].get<double>(), 9 * 0.015);
  EXPECT_GE(summary["analytics_active_s"]["min"].get<double>(), 10 * 0.02);
  EXPECT_EQ(summary["skipped_steps"]["max"], 0);
  EXPECT_EQ(summary["dropped_steps"]["max"], 0);
}

/// Steps come one after the other, much faster than analytics. Counts that must hold: each step is executed, skipped or
/// dropped, and the same ones on all ranks.
void check_losses(const std::string& when_full, const std::string& plugin, int buffers)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "when_full", when_full }, { "buffers", buffers },
      { "analytics", { { { "name", plugin }, { "options", { { "milliseconds", 30 } } } } } } });
  TestSimulation simulation;
  int skipped = 0;
  for (int step = 0; step < 40; ++step)
  {
    const std::optional<int> code = simulation.advance(insitu, step);
    ASSERT_TRUE(code == RIVULET_OK || code == RIVULET_SKIPPED);
    skipped += code == RIVULET_SKIPPED ? 1 : 0;
    // One rank is slower, so that ranks differ in what their analytics have begun.
    std::this_thread::sleep_for(std::chrono::milliseconds(rank() == 1 ? 3 : 1));
  }
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  const std::vector<int> steps = place.steps_of(plugin);
  const Json summary = place.summary()["session"];
  const int dropped = summary["dropped_steps"][rank() == 0 ? "min" : "max"].get<int>();
  EXPECT_TRUE(std::is_sorted(steps.begin(), steps.end()));
  EXPECT_FALSE(steps.empty());
  EXPECT_GT(skipped + dropped, 0);
  if (plugin == "recorder_mpi" || ranks() == 1)
  {
    EXPECT_EQ(static_cast<int>(steps.size()) + skipped + dropped, 40);
    int agreed = static_cast<int>(std::accumulate(steps.begin(), steps.end(), 0));
    MPI_Allreduce(MPI_IN_PLACE, &agreed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    EXPECT_EQ(agreed, std::accumulate(steps.begin(), steps.end(), 0));
  }
  if (when_full == "skip")
  {
    EXPECT_EQ(steps.front(), 0); // where the oldest are dropped, it may be one, before another rank has begun it
    EXPECT_EQ(dropped, 0);
  }
  else if (buffers > 1)
  {
    EXPECT_GT(dropped, 0);
    EXPECT_EQ(steps.back(), 39); // the newest is never the one to be dropped
  }
}

TEST(WhenFull, SkipsNewSteps)
{
  check_losses("skip", "recorder", 1);
  check_losses("skip", "recorder", 3);
  check_losses("skip", "recorder_mpi", 2);
}

TEST(WhenFull, DropsTheOldest)
{
  check_losses("drop_oldest", "recorder", 1); // nothing ever waits: steps are skipped
  check_losses("drop_oldest", "recorder", 2);
  check_losses("drop_oldest", "recorder_mpi", 3);
}

TEST(Trace, NamesEachThreadAndWhatItDid)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "trace", "trace.json" }, { "buffer_mib", 1 },
      { "analytics", { { { "name", "recorder" }, { "options", { { "milliseconds", 5 } } } } } } });
  TestSimulation simulation;
  for (int step = 0; step < 3; ++step)
  {
    rivulet_insitu_run(
        insitu, [](void*) { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }, nullptr);
    EXPECT_EQ(rivulet_insitu_before_parallel(insitu), RIVULET_OK);
    EXPECT_EQ(rivulet_insitu_after_parallel(insitu), RIVULET_OK);
    simulation.advance(insitu, step);
  }
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  MPI_Barrier(MPI_COMM_WORLD);
  const Json trace = Json::parse(place.text_of("trace.json"));
  std::map<std::string, int> events;
  for (const Json& event : trace["traceEvents"])
  {
    if (event["pid"] == rank())
    {
      ++events[event["ph"] == "M" ? event["args"]["name"].get<std::string>()
                                  : event["cat"].get<std::string>() + " " + event["name"].get<std::string>()];
      EXPECT_TRUE(event["ph"] == "M" || event["dur"].get<double>() >= 0);
    }
  }
  EXPECT_EQ(events["simulation master"], 1);
  EXPECT_EQ(events["analytics master"], 1);
  EXPECT_EQ(events["simulation parallel"], 6);
  EXPECT_EQ(events["simulation sequential"], 7);
  EXPECT_EQ(events["simulation copy"], 3);
  EXPECT_EQ(events["simulation wait"], 3);
  EXPECT_EQ(events["analytics recorder"], 3);
}

} // namespace
} // namespace rivulet::test
