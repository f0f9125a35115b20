// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Everything that can go wrong, while the simulation goes on.
#include "Support/LoweredLimit.h"
#include "TestSimulation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mpi.h>

#include <filesystem>
#include <fstream>
#include <thread>

namespace rivulet::test
{
namespace
{

using Json = nlohmann::json;
using testing::HasSubstr;

/// A session of one faulty and one sound analytics, 10 steps long.
struct Outcome
{
  int executed = 0;        ///< steps with RIVULET_OK
  std::vector<int> others; ///< steps that the sound analytics have had
  std::string message;
  int finalize = 0;
  Json summary;
};

Outcome run_beside(Json faulty, const std::string& policy, const Json& more = {}, const char* on_error = "stop")
{
  Workplace place;
  faulty["on_error"] = on_error;
  Json configuration{ { "policy", policy },
    { "analytics", { faulty, { { "name", "sound" }, { "plugin", "recorder_mpi" } } } } };
  configuration.update(more.is_null() ? Json::object() : more);
  rivulet_insitu* insitu = place.open(configuration);
  EXPECT_NE(insitu, nullptr) << rivulet_insitu_message(nullptr);
  Outcome outcome;
  TestSimulation simulation;
  for (int step = 0; step < 10; ++step)
  {
    outcome.executed += simulation.advance(insitu, step) == RIVULET_OK ? 1 : 0;
  }
  if (policy != "synchronous" && outcome.executed == 10)
  {
    // With the last step done, nothing more can be reported.
    while (place.steps_of("sound").size() < 10)
    {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  outcome.message = rivulet_insitu_message(insitu);
  outcome.finalize = rivulet_insitu_finalize(&insitu);
  outcome.others = place.steps_of("sound");
  outcome.summary = place.summary();
  return outcome;
}

class Faults : public testing::TestWithParam<std::string>
{
};

INSTANTIATE_TEST_SUITE_P(All, Faults, testing::Values("synchronous", "asynchronous", "static", "dynamic", "task"),
    [](const auto& each) { return each.param; });

void expect_switched_off(const Outcome& outcome, const std::string& name, int executions, const std::string& why)
{
  EXPECT_EQ(outcome.executed, 10) << why;
  EXPECT_EQ(outcome.others.size(), 10U) << why;
  EXPECT_EQ(outcome.finalize, RIVULET_OK) << why;
  EXPECT_EQ(outcome.summary["analytics"][name]["executions"]["min"], executions) << why;
  EXPECT_THAT(outcome.message, HasSubstr(why));
}

TEST_P(Faults, OfPluginsSwitchThemOff)
{
  const std::vector<std::pair<std::string, std::string>> faults{ { "throw",
                                                                     "step 2: execute has thrown: as the test asks" },
    { "throw_int", "step 2: execute has thrown something that is no std::exception" },
    { "memory", "step 2: execute has thrown: std::bad_alloc" }, { "code", "step 2: execute has returned 3" },
    { "loop", "step 2: execute has thrown: in a loop" } };
  for (const auto& [fault, message] : faults)
  {
    const Json faulty{ { "name", "faulty" }, { "options", { { "fault", fault }, { "at", 2 } } } };
    expect_switched_off(run_beside(faulty, GetParam()), "faulty", 2, message);
  }
}

// The rest of the run is as it would have been.
TEST_P(Faults, OfPluginsCostTheirSteps)
{
  for (const char* const plugin : { "faulty", "faulty_mpi" })
  {
    const Json faulty{ { "name", plugin }, { "options", { { "fault", "throw" }, { "at", 2 }, { "until", 5 } } } };
    const Outcome outcome = run_beside(faulty, GetParam(), {}, "skip");
    EXPECT_EQ(outcome.executed, 10);
    EXPECT_EQ(outcome.others.size(), 10U);
    EXPECT_EQ(outcome.finalize, RIVULET_OK);
    EXPECT_EQ(outcome.summary["analytics"][plugin]["executions"]["min"], 7);
    EXPECT_EQ(outcome.summary["analytics"][plugin]["failures"]["max"], 3);
  }
}

TEST_P(Faults, ThatGoOnAreToldAtTheFirstSecondAndFourth)
{
  testing::internal::CaptureStderr();
  const Json faulty{ { "name", "faulty" }, { "options", { { "fault", "throw" }, { "at", 1 }, { "until", 8 } } } };
  (void)run_beside(faulty, GetParam(), {}, "skip");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("faulty, step 1: execute has thrown: as the test asks"));
  EXPECT_THAT(said, HasSubstr("(failure number 2 in turn)"));
  EXPECT_THAT(said, HasSubstr("(failure number 4 in turn)"));
  EXPECT_THAT(said, testing::Not(HasSubstr("(failure number 3 in turn)")));
  EXPECT_THAT(said, HasSubstr("faulty, step 8: execute succeeds again, after 7 failures in turn"));
}

TEST_P(Faults, OfMpiAreReturnedToThePlugin)
{
  const Json faulty{ { "name", "faulty_mpi" }, { "options", { { "fault", "mpi" }, { "at", 1 } } } };
  expect_switched_off(run_beside(faulty, GetParam()), "faulty_mpi", 1,
      "faulty_mpi, step 1: execute has returned 9 after an error of MPI: MPI_ERR_RANK");
}

TEST_P(Faults, OfMpiThatThePluginDoesNotLookAtSwitchItOff)
{
  const Json faulty{ { "name", "faulty_mpi" }, { "options", { { "fault", "mpi_unseen" }, { "at", 1 } } } };
  expect_switched_off(run_beside(faulty, GetParam()), "faulty_mpi", 1,
      "faulty_mpi, step 1: execute has returned 0 after an error of MPI: MPI_ERR_RANK");
}

TEST_P(Faults, OfOneRankSwitchAnalyticsWithMpiOffEverywhere)
{
  const int last = ranks() - 1;
  const Json faulty{ { "name", "faulty_mpi" }, { "options", { { "fault", "throw" }, { "rank", last }, { "at", 3 } } } };
  const Outcome outcome = run_beside(faulty, GetParam());
  expect_switched_off(outcome, "faulty_mpi", 3, rank() == last ? "as the test asks" : "");
  // Ranks that have succeeded with that step have no other one.
  EXPECT_EQ(outcome.summary["analytics"]["faulty_mpi"]["executions"]["max"], ranks() == 1 ? 3 : 4);
  EXPECT_EQ(outcome.summary["analytics"]["faulty_mpi"]["failures"]["max"], 1);
}

TEST_P(Faults, OfOneRankLeaveLocalAnalyticsOnElsewhere)
{
  const Json faulty{ { "name", "faulty" }, { "options", { { "fault", "throw" }, { "rank", 0 }, { "at", 3 } } } };
  const Outcome outcome = run_beside(faulty, GetParam());
  expect_switched_off(outcome, "faulty", 3, rank() == 0 ? "as the test asks" : "");
  EXPECT_EQ(outcome.summary["analytics"]["faulty"]["executions"]["max"], ranks() == 1 ? 3 : 10);
}

TEST_P(Faults, OfPluginFilesAreReportedOnce)
{
  for (const std::string name : { "faulty", "faulty_mpi" })
  {
    for (const int of_rank : { -1, 0 })
    {
      const Json refuses{ { "name", name }, { "options", { { "fault", "create" }, { "rank", of_rank } } } };
      const bool here = of_rank < 0 || rank() == of_rank;
      const Outcome outcome = run_beside(refuses, GetParam());
      expect_switched_off(outcome, name, 0, here ? name + ": create has returned 7" : "");
      EXPECT_EQ(outcome.summary["analytics"][name]["executions"]["max"],
          ranks() > 1 && of_rank == 0 && name == "faulty" ? 10 : 0);
    }
  }
  expect_switched_off(
      run_beside({ { "name", "nowhere" } }, GetParam()), "nowhere", 0, "there is no plugin nowhere.so in");
  expect_switched_off(run_beside({ { "name", "wrong_abi" } }, GetParam()), "wrong_abi", 0,
      "the plugin is made for version 3 of the interface, this runtime has 2");
  expect_switched_off(run_beside({ { "name", "wrong_functions" } }, GetParam()), "wrong_functions", 0,
      "the plugin lacks create, execute or destroy");
  expect_switched_off(run_beside({ { "name", "wrong_symbol" } }, GetParam()), "wrong_symbol", 0,
      "the plugin has no symbol rivulet_analytics_entry");
}

TEST(PluginFiles, ThatOthersCouldChangeAreRefused)
{
  Workplace place;
  const std::string folder = place.file("plugins");
  const std::string file = folder + "/recorder.so";
  if (rank() == 0)
  {
    std::filesystem::create_directory(folder);
    std::filesystem::copy_file(RIVULET_TEST_PLUGINS "/recorder.so", file);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  using std::filesystem::perms;
  for (const auto& [path, right] : { std::pair{ file, perms::others_write }, std::pair{ folder, perms::group_write } })
  {
    std::filesystem::permissions(path, right, std::filesystem::perm_options::add);
    rivulet_insitu* insitu = place.open({ { "plugins", { folder } }, { "analytics", { { { "name", "recorder" } } } } });
    EXPECT_THAT(rivulet_insitu_message(insitu), HasSubstr(path + ": others may write to it"));
    EXPECT_THAT(rivulet_insitu_message(insitu), HasSubstr("chmod go-w"));
    EXPECT_EQ(rivulet_insitu_wants(insitu, 0), 0);
    rivulet_insitu_finalize(&insitu);
    std::filesystem::permissions(path, right, std::filesystem::perm_options::remove);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  std::ofstream(file) << "no library";
  rivulet_insitu* insitu = place.open({ { "plugins", { folder } }, { "analytics", { { { "name", "recorder" } } } } });
  EXPECT_THAT(rivulet_insitu_message(insitu), HasSubstr("the plugin cannot be loaded"));
  rivulet_insitu_finalize(&insitu);
}

/// Analytics that see the session's end stop in time; others are left behind.
TEST(Hanging, EndsWhereAnalyticsListen)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "finalize_limit", 0.2 },
      { "analytics", { { { "name", "faulty" }, { "options", { { "fault", "hang" } } } } } } });
  TestSimulation simulation;
  EXPECT_EQ(simulation.advance(insitu, 0), RIVULET_OK);
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
}

/// The limit counts from the last sign of progress: what was accepted is analysed.
TEST(Hanging, EndsAfterAllStepsWhereEachIsInTime)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "finalize_limit", 0.5 }, { "buffers", 6 },
      { "analytics", { { { "name", "faulty" }, { "options", { { "milliseconds", 250 } } } } } } });
  TestSimulation simulation;
  for (int step = 0; step < 6; ++step)
  {
    EXPECT_EQ(simulation.advance(insitu, step), RIVULET_OK);
  }
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  EXPECT_EQ(place.summary()["analytics"]["faulty"]["executions"]["min"], 6);
}

TEST(Hanging, NamesTheStepsThatAreLeftOutAtTheEnd)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "finalize_limit", 0.2 }, { "buffers", 3 },
      { "analytics", { { { "name", "faulty" }, { "options", { { "fault", "hang" } } } } } } });
  TestSimulation simulation;
  for (std::int64_t step = 0; step < 3; ++step)
  {
    EXPECT_EQ(simulation.advance(insitu, step), RIVULET_OK);
  }
  testing::internal::CaptureStderr();
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("no time for the last steps, 2 of them"));
}

TEST(Hanging, DoesNotHoldUpTheSimulation)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "finalize_limit", 0.2 }, { "wait_limit", 0.2 },
      { "analytics", { { { "name", "faulty" }, { "options", { { "fault", "deaf" } } } } } } });
  TestSimulation simulation;
  EXPECT_EQ(simulation.advance(insitu, 0), RIVULET_OK);
  EXPECT_EQ(simulation.advance(insitu, 1), RIVULET_ERROR_HANGS);
  EXPECT_THAT(rivulet_insitu_message(insitu), HasSubstr("while faulty was at work"));
  EXPECT_EQ(simulation.advance(insitu, 2), std::nullopt); // not wanted any more
  EXPECT_EQ(rivulet_insitu_execute(insitu, 2, 0), RIVULET_ERROR_HANGS);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_ERROR_HANGS);
  EXPECT_EQ(insitu, nullptr);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(4));
  EXPECT_EQ(place.summary()["session"]["copied_steps"]["max"], 1);
}

TEST(Configurations, ThatDifferBetweenRanksAreRefused)
{
  Workplace place;
  EXPECT_EQ(place.open({ { "buffers", 1 + rank() } }) == nullptr, ranks() > 1);
  if (ranks() == 1)
  {
    GTEST_SKIP() << "needs two ranks";
  }
  EXPECT_EQ(place.code(), RIVULET_ERROR_CONFIG);
  EXPECT_THAT(rivulet_insitu_message(nullptr), HasSubstr("ranks have different configurations"));
}

TEST(Configurations, ThatOneRankCannotReadAreRefusedByAll)
{
  Workplace place;
  EXPECT_EQ(place.open_text(rank() == ranks() - 1 ? "{ \"cores\": }" : "{}"), nullptr);
  EXPECT_EQ(place.code(), RIVULET_ERROR_CONFIG);
  EXPECT_THAT(rivulet_insitu_message(nullptr),
      rank() == ranks() - 1 ? HasSubstr("line 1, column 12") : HasSubstr("the configuration of rank"));
  // All functions do nothing without a session.
  rivulet_insitu* none = nullptr;
  bool ran = false;
  EXPECT_EQ(rivulet_insitu_wants(none, 0), 0);
  EXPECT_EQ(rivulet_insitu_execute(none, 0, 0), RIVULET_OK);
  EXPECT_EQ(rivulet_insitu_run(
                none, [](void* data) { *static_cast<bool*>(data) = true; }, &ran),
      RIVULET_OK);
  EXPECT_TRUE(ran);
  EXPECT_EQ(rivulet_insitu_finalize(&none), RIVULET_OK);
}

TEST(Calls, OutOfOrderDoNothing)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "analytics", { { { "name", "recorder" } } } } });
  int code = 0;
  std::thread([&] { code = rivulet_insitu_execute(insitu, 0, 0); }).join();
  EXPECT_EQ(code, RIVULET_ERROR_ORDER);
  EXPECT_THAT(rivulet_insitu_message(insitu), HasSubstr("rivulet_insitu_execute was called by another thread"));
  EXPECT_EQ(rivulet_insitu_wants(insitu, 0), 1);
  std::string message;
  std::thread(
      [&]
      {
        code = rivulet_insitu_wants(insitu, 0);
        message = rivulet_insitu_message(insitu);
      })
      .join();
  EXPECT_EQ(code, 0);
  EXPECT_THAT(rivulet_insitu_message(insitu), HasSubstr("rivulet_insitu_wants was called by another thread"));
  EXPECT_THAT(message, HasSubstr("rivulet_insitu_message was called by another thread"));
  std::thread([&] { code = rivulet_insitu_finalize(&insitu); }).join();
  EXPECT_EQ(code, RIVULET_ERROR_ORDER);
  ASSERT_NE(insitu, nullptr);
  EXPECT_EQ(rivulet_insitu_after_parallel(insitu), RIVULET_ERROR_ORDER);
  EXPECT_EQ(rivulet_insitu_before_parallel(insitu), RIVULET_OK);
  EXPECT_EQ(rivulet_insitu_before_parallel(insitu), RIVULET_ERROR_ORDER);
  EXPECT_EQ(rivulet_insitu_after_parallel(insitu), RIVULET_OK);
  struct Inside
  {
    rivulet_insitu* insitu;
    int code;
  } inside{ insitu, 0 };
  rivulet_insitu_run(
      insitu,
      [](void* data)
      {
        auto* const mine = static_cast<Inside*>(data);
        mine->code = rivulet_insitu_execute(mine->insitu, 0, 0);
      },
      &inside);
  EXPECT_EQ(inside.code, RIVULET_ERROR_ORDER);
  rivulet_insitu_finalize(&insitu);
  EXPECT_EQ(place.lines_of("recorder").size(), 0U);
}

TEST(Data, ThatIsNotWholeLeavesTheStepOutEverywhere)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "analytics", { { { "name", "recorder_mpi" } } } } });
  TestSimulation simulation;
  for (int step = 0; step < 4; ++step)
  {
    simulation.fill(step);
    rivulet_particles particles = simulation.particles();
    const bool bad = step == 1 && rank() == ranks() - 1;
    particles.y = bad ? nullptr : particles.y;
    EXPECT_EQ(rivulet_insitu_publish_particles(insitu, &particles), bad ? RIVULET_ERROR_DATA : RIVULET_OK);
    EXPECT_EQ(rivulet_insitu_execute(insitu, step, 0), bad ? RIVULET_ERROR_DATA : RIVULET_OK);
  }
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  EXPECT_EQ(place.steps_of("recorder_mpi"), (std::vector{ 0, 2, 3 }));
}

#ifdef RIVULET_CAN_HAVE_LITTLE_MEMORY

TEST(Memory, ThatIsRefusedLeavesTheStepOutEverywhere)
{
  Workplace place;
  rivulet_insitu* insitu = place.open({ { "analytics", { { { "name", "recorder_mpi" } } } } });
  TestSimulation small;
  TestSimulation large(2'000'000); // 130 MB
  EXPECT_EQ(small.advance(insitu, 0), RIVULET_OK);
  int code = 0;
  {
    std::optional<LoweredLimit> little;
    if (rank() == ranks() - 1)
    {
      little.emplace(RLIMIT_AS, memory_and(64 << 20));
    }
    code = large.advance(insitu, 1).value_or(1);
  }
  EXPECT_EQ(code, rank() == ranks() - 1 ? RIVULET_ERROR_MEMORY : RIVULET_OK);
  if (rank() == ranks() - 1)
  {
    EXPECT_THAT(rivulet_insitu_message(insitu), HasSubstr("step 1 is left out: there is no memory for a copy of"));
  }
  EXPECT_EQ(large.advance(insitu, 2), RIVULET_OK);
  EXPECT_EQ(small.advance(insitu, 3), RIVULET_OK);
  EXPECT_EQ(rivulet_insitu_finalize(&insitu), RIVULET_OK);
  EXPECT_EQ(place.steps_of("recorder_mpi"), (std::vector{ 0, 2, 3 }));
  EXPECT_EQ(place.summary()["session"]["steps_left_out_for_memory_or_data"]["max"], 1);
}

#endif

} // namespace
} // namespace rivulet::test
