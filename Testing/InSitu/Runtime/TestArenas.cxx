// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// How many threads work where, by each policy. There are eight virtual cores; loop bodies sleep, so that eight threads
/// fit on any machine.
#include "Parallel/TaskOrder.h"
#include "Plugins/Crowd.h"
#include "TestSimulation.h"

#include <gtest/gtest.h>

#include <tbb/parallel_for.h>

#include <algorithm>
#include <filesystem>

namespace rivulet::test
{
namespace
{

using std::chrono::milliseconds;
constexpr std::chrono::seconds kPatience{ 60 };

class Arenas : public testing::Test
{
protected:
  void open(const nlohmann::json& policy, int bodies)
  {
    nlohmann::json configuration{ { "analytics",
        { { { "name", "crowd" }, { "options", { { "bodies", bodies } } } } } } };
    configuration.update(policy);
    insitu_ = place_.open(configuration);
    ASSERT_NE(insitu_, nullptr) << rivulet_insitu_message(nullptr);
    analytics_.stranger = std::this_thread::get_id();
  }

  void TearDown() override
  {
    analytics_.held = false;
    if (insitu_ != nullptr)
    {
      EXPECT_EQ(rivulet_insitu_finalize(&insitu_), RIVULET_OK);
    }
    EXPECT_EQ(simulation_.slot_shared + analytics_.slot_shared, 0);
  }

  /// Hands a step to the plugin, which works for analytics_.
  void analyse()
  {
    const std::int64_t address = reinterpret_cast<std::int64_t>(&analytics_);
    const rivulet_array array{ "crowd", RIVULET_INT64, 1, &address };
    const double zero = 0;
    rivulet_particles particles{};
    particles.name = "crowd";
    particles.count = 1;
    particles.x = particles.y = particles.z = &zero;
    particles.arrays = 1;
    particles.array = &array;
    visits_before_ = analytics_.visits;
    rivulet_insitu_publish_particles(insitu_, &particles);
    EXPECT_EQ(rivulet_insitu_execute(insitu_, step_++, 0), RIVULET_OK);
  }

  /// As analyse(), but analytics go on until they are waited for.
  void begin_to_analyse()
  {
    analytics_.held = true;
    analyse();
    wait_until_analytics_are_at_work();
  }

  /// A parallel region of the simulation, again until `wanted` threads have been in it at once, a minute at most.
  /// Returns the most threads that were.
  int compute(int bodies, int wanted)
  {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    simulation_.most = 0;
    simulation_.wanted = wanted;
    while (simulation_.most < wanted && std::chrono::steady_clock::now() < deadline)
    {
      compute(bodies);
    }
    simulation_.wanted = 0;
    return simulation_.most;
  }

  void compute(int bodies)
  {
    struct Work
    {
      Crowd* crowd;
      int bodies;
    } work{ &simulation_, bodies };
    rivulet_insitu_run(
        insitu_,
        [](void* data)
        {
          const auto& mine = *static_cast<Work*>(data);
          TaskOrder order;
          tbb::parallel_for(
              0, mine.bodies,
              [&](int) RIVULET_NOT_SANITIZED
              {
                const TaskOrder::Task task(order);
                mine.crowd->visit();
              },
              tbb::simple_partitioner());
        },
        &work);
  }

  /// The simulation is sequential until analytics have ended. Returns the most threads that were in them at once.
  int wait_for_analytics()
  {
    analytics_.held = false;
    while (analytics_.executing)
    {
      std::this_thread::sleep_for(milliseconds(1));
    }
    return analytics_.most;
  }

  /// After analyse().
  void wait_until_analytics_are_at_work()
  {
    while (analytics_.visits == visits_before_)
    {
      std::this_thread::sleep_for(milliseconds(1));
    }
  }

  /// The simulation is sequential until so many threads have been in analytics at once, a minute at most. After
  /// begin_to_analyse().
  void expect_in_analytics(int threads)
  {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    analytics_.wanted = threads;
    while (analytics_.most < threads && std::chrono::steady_clock::now() < deadline)
    {
      std::this_thread::sleep_for(milliseconds(1));
    }
    EXPECT_EQ(analytics_.most, threads);
  }

  Workplace place_;
  rivulet_insitu* insitu_ = nullptr;
  Crowd simulation_;
  Crowd analytics_;
  int step_ = 0;
  std::int64_t visits_before_ = 0;
};

TEST_F(Arenas, SynchronousGivesAllCoresToEither)
{
  open({ { "policy", "synchronous" } }, 400);
  EXPECT_EQ(compute(100, 8), 8);
  analytics_.wanted = 8;
  analyse();
  EXPECT_EQ(analytics_.most, 8);
  EXPECT_GE(analytics_.visits, 400);
  EXPECT_TRUE(analytics_.stranger_was_here); // the simulation's thread works for them
  EXPECT_LE(analytics_.most_slot, 7);
}

TEST_F(Arenas, StaticNeverMixes)
{
  open({ { "policy", "static" }, { "analytics_threads", 3 } }, 150);
  EXPECT_EQ(compute(100, 5), 5);
  begin_to_analyse();
  simulation_.stranger = analytics_.master.load();
  EXPECT_EQ(compute(100, 5), 5); // beside analytics
  expect_in_analytics(3);
  EXPECT_EQ(wait_for_analytics(), 3);
  EXPECT_EQ(compute(100, 5), 5); // nobody comes to help
  EXPECT_GE(analytics_.visits, 150);
  EXPECT_EQ(analytics_.most_slot, 2);
  EXPECT_FALSE(simulation_.stranger_was_here);
  EXPECT_FALSE(analytics_.stranger_was_here);
}

/// With equal priorities analytics could keep a worker.
TEST_F(Arenas, DynamicMovesWorkersToAnalyticsAndBack)
{
  open({ { "policy", "dynamic" }, { "analytics_threads", 3 }, { "priority", "low" } }, 400);
  EXPECT_EQ(compute(100, 7), 7); // all but the analytics master thread
  begin_to_analyse();
  simulation_.stranger = analytics_.master.load();
  expect_in_analytics(3);
  EXPECT_EQ(compute(150, 7), 7); // workers are back although analytics have not ended
  EXPECT_TRUE(analytics_.executing);
  EXPECT_EQ(wait_for_analytics(), 3);
  EXPECT_EQ(compute(100, 7), 7);
  EXPECT_GE(analytics_.visits, 400);
  EXPECT_EQ(analytics_.most_slot, 2);
  EXPECT_FALSE(simulation_.stranger_was_here);
  EXPECT_FALSE(analytics_.stranger_was_here);
}

/// Both sides always have work for all workers. With a low priority the analytics master thread is nearly alone, one of
/// eight threads. With equal priorities, workers go to either side.
TEST_F(Arenas, PriorityDecidesWhoGetsWorkers)
{
  constexpr int kRegions = 12;
  constexpr int kBodies = 35;
  std::int64_t low = 0;
  for (const std::string priority : { "low", "normal" })
  {
    open({ { "policy", "dynamic" }, { "analytics_threads", 7 }, { "priority", priority } }, 2000);
    analytics_.most = 0;
    begin_to_analyse();
    expect_in_analytics(7);
    const std::int64_t before = analytics_.visits;
    for (int region = 0; region < kRegions; ++region)
    {
      compute(kBodies);
    }
    const std::int64_t beside = analytics_.visits - before;
    EXPECT_TRUE(analytics_.executing);
    EXPECT_GE(beside, kRegions * kBodies / 14);
    EXPECT_GT(beside, low + low / 2);
    low = beside;
    wait_for_analytics();
    EXPECT_EQ(rivulet_insitu_finalize(&insitu_), RIVULET_OK);
  }
}

TEST_F(Arenas, AsynchronousSharesOneArena)
{
  open({ { "policy", "asynchronous" } }, 200);
  EXPECT_EQ(compute(100, 7), 7); // the eighth place is the analytics master thread's
  begin_to_analyse();
  EXPECT_GE(compute(100, 2), 2);
  wait_for_analytics();
  EXPECT_LE(analytics_.most, 8);
  EXPECT_GE(analytics_.most, 2);
  EXPECT_GE(analytics_.visits, 200);
}

TEST_F(Arenas, TaskNeedsNoMasterThread)
{
  open({ { "policy", "task" }, { "analytics_threads", 3 } }, 200);
  EXPECT_EQ(compute(100, 8), 8);
  begin_to_analyse();
  expect_in_analytics(3);
  EXPECT_EQ(wait_for_analytics(), 3);
  EXPECT_EQ(compute(100, 8), 8);
  EXPECT_FALSE(analytics_.stranger_was_here);
}

/// Of all threads of this process.
int fewest_cores_of_a_thread()
{
  int fewest = CPU_SETSIZE;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task"))
  {
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(std::stoi(thread.path().filename().string()), sizeof(allowed), &allowed) == 0)
    {
      fewest = std::min(fewest, CPU_COUNT(&allowed));
    }
  }
  return fewest;
}

/// Two real cores: analytics have the first one, the simulation within run() the second. Elsewhere it is free.
TEST_F(Arenas, BindsThreadsWhereThereAreCoresForAll)
{
  Crowd outside;
  outside.look_at_cores();
  if (outside.cores < 2 || ranks() > 1)
  {
    GTEST_SKIP() << "needs two cores, which no other rank uses";
  }
  for (const std::string policy : { "static", "dynamic", "task" })
  {
    open({ { "policy", policy }, { "cores", 2 }, { "analytics_threads", 1 } }, 4);
    analyse();
    wait_until_analytics_are_at_work();
    wait_for_analytics();
    EXPECT_EQ(analytics_.cores, 1) << policy;
    EXPECT_EQ(analytics_.first_core, outside.first_core) << policy;
    rivulet_insitu_run(
        insitu_, [](void* crowd) { static_cast<Crowd*>(crowd)->look_at_cores(); }, &simulation_);
    EXPECT_EQ(simulation_.cores, policy == "static" ? 1 : outside.cores.load()) << policy;
    EXPECT_EQ(simulation_.first_core != outside.first_core, policy == "static") << policy;
    EXPECT_EQ(rivulet_insitu_finalize(&insitu_), RIVULET_OK);
    simulation_.look_at_cores();
    EXPECT_EQ(simulation_.cores, outside.cores) << policy;
    EXPECT_EQ(fewest_cores_of_a_thread(), outside.cores) << policy; // workers may still be in their arena
  }
}

} // namespace
} // namespace rivulet::test
