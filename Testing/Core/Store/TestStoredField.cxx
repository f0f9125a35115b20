// SPDX-License-Identifier: BSD-3-Clause
// A field whose strategy changes while it is open: on request, or when a run begins.
#include "Core/Io/BovFixture.h"
#include "Core/Store/BrickReader.h"
#include "Core/Store/CountingWaiter.h"
#include "Store/Locate/BlockCut.h"
#include "Support/NoMoreThreads.h"
#include "Support/TemporaryFolder.h"

#include <filesystem>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

namespace rivulet::test
{

namespace
{

/// Nothing is said of where the particles begin, so that nothing is known of the page cache.
const Workload kManyParticles{ .threads = 2, .at_once = 512 };
const Workload kOneParticle{ .threads = 1, .at_once = 1 };

class FieldThatChanges : public testing::Test
{
protected:
  FieldThatChanges() { write_field(path_, small_field({ 0.0, 0.5 })); }

  std::shared_ptr<FileBricks> open(AccessStrategy strategy = AccessStrategy::Automatic, std::int64_t budget = 64 << 20)
  {
    auto source = open_field({ path_ }, { .strategy = strategy, .memory_budget = budget });
    EXPECT_TRUE(source) << source.error().describe();
    return *source;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("field.rvf");
};

/// A workload that names all bricks of a step as those in which particles begin.
Workload beginning_in(FileBricks& source, std::int32_t step, Workload workload)
{
  for (std::int64_t index = 0; index < source.bricks(0).size(); ++index)
  {
    workload.first_bricks.push_back({ 0, step, index });
  }
  return workload;
}

/// Bricks of one BOV file that do not hold what they must, whatever the cut.
int wrong_bov_bricks(BrickSource& source, const BovCase& what)
{
  int wrong = 0;
  for (std::int64_t index = 0; index < source.bricks(0).size(); ++index)
  {
    const Lookup found = BrickReader(source).get({ 0, 0, index });
    const Box box = brick_values(source.bricks(0), Centering::Node, index);
    const bool right = found.state == Lookup::State::Ready && found.pin.view().lattice == box &&
                       as_doubles(found.pin.view().data, found.pin.view().type, what.components * box.count()) ==
                           expected_values(what, box);
    wrong += right ? 0 : 1;
  }
  return wrong;
}

} // namespace

TEST_F(FieldThatChanges, ReadsInPlaceByEveryStrategyThatIsAskedFor)
{
  const auto source = open(AccessStrategy::BufferedCache);
  for (int round = 0; round < 2; ++round)
  {
    for (const AccessStrategy strategy : kStrategies)
    {
      ASSERT_TRUE(source->set_strategy(strategy));
      EXPECT_EQ(source->asked_strategy(), strategy);
      EXPECT_EQ(source->strategy(), strategy) << source->strategy_reason();
      EXPECT_EQ(source->memory_budget(), 64 << 20);
      EXPECT_EQ(wrong_in_all(*source), 0) << name_of(strategy);
    }
  }
}

TEST_F(FieldThatChanges, KeepsAllFilesOfASeries)
{
  write_field(folder_.file("later.rvf"), small_field({ 1.0 }), 2);
  const auto source = *open_field({ path_, folder_.file("later.rvf") }, { .memory_budget = 64 << 20 });
  for (const AccessStrategy strategy : kStrategies)
  {
    ASSERT_TRUE(source->set_strategy(strategy));
    EXPECT_EQ(source->info().times.size(), 3U);
    EXPECT_EQ(wrong_in_all(*source), 0) << name_of(strategy);
  }
}

TEST_F(FieldThatChanges, ChecksOrDoesNotAsBefore)
{
  const BrickKey bad{ 0, 1, 9 };
  damage_byte(path_, offset_of(path_, bad) + 100);
  for (const bool verify : { true, false })
  {
    const auto source = *open_field({ path_ }, { .memory_budget = 64 << 20, .verify = verify });
    for (const AccessStrategy strategy : kStrategies)
    {
      ASSERT_TRUE(source->set_strategy(strategy));
      EXPECT_EQ(BrickReader(*source).get(bad).state, verify ? Lookup::State::Failed : Lookup::State::Ready);
    }
  }
}

TEST_F(FieldThatChanges, MayBeCutAnew)
{
  const BovCase what{ .lattice = { 70, 30, 30 }, .components = 3, .offset = 8 };
  const auto source = *open_field({ write_bov_case(folder_, what) }, { .memory_budget = 64 << 20 });
  EXPECT_EQ(source->bricks(0).size(), 1);
  EXPECT_EQ(wrong_bov_bricks(*source, what), 0);
  ASSERT_TRUE(source->set_strategy(AccessStrategy::Asynchronous));
  EXPECT_GT(source->bricks(0).size(), 1);
  EXPECT_EQ(wrong_bov_bricks(*source, what), 0);
  ASSERT_TRUE(source->set_strategy(AccessStrategy::Automatic));
  source->prepare(kManyParticles);
  EXPECT_EQ(source->strategy(), AccessStrategy::MemoryMap);
  EXPECT_EQ(source->bricks(0).size(), 1);
  EXPECT_EQ(wrong_bov_bricks(*source, what), 0);
}

TEST_F(FieldThatChanges, BeginsAutomaticallyWithoutReading)
{
  const auto source = open();
  EXPECT_EQ(source->asked_strategy(), AccessStrategy::Automatic);
  EXPECT_EQ(source->strategy(), AccessStrategy::MemoryMap);
  EXPECT_EQ(source->statistics().bytes_read, 0);
}

TEST_F(FieldThatChanges, ChoosesWhenARunBegins)
{
  const auto source = open();
  EXPECT_EQ(wrong_in_all(*source), 0);
  source->prepare(kOneParticle);
  EXPECT_EQ(source->strategy(), AccessStrategy::MemoryMap) << source->strategy_reason();
  EXPECT_EQ(wrong_in_all(*source), 0);
  source->prepare(kManyParticles);
  EXPECT_EQ(source->strategy(), AccessStrategy::Asynchronous) << source->strategy_reason();
  EXPECT_EQ(wrong_in_all(*source), 0);
}

TEST_F(FieldThatChanges, ReadsBricksOnceInRunsOfManyAndOfFewParticles)
{
  const auto source = open();
  source->prepare(kManyParticles);
  EXPECT_EQ(wrong_in_all(*source), 0);
  for (int run = 0; run < 4; ++run)
  {
    // What was read has come into the page cache, too.
    source->prepare(beginning_in(*source, 0, run % 2 == 0 ? kOneParticle : kManyParticles));
    EXPECT_EQ(source->strategy(), AccessStrategy::Asynchronous) << source->strategy_reason();
    EXPECT_THAT(source->strategy_reason(), testing::HasSubstr("as in the run before"));
    EXPECT_EQ(wrong_in_all(*source), 0);
  }
  EXPECT_EQ(source->statistics().bricks_read, std::ssize(all_keys(*source)));
}

TEST_F(FieldThatChanges, KeepsTheStrategyOfManyForFewThatBeginElsewhere)
{
  const auto source = open();
  source->prepare(kManyParticles);
  EXPECT_EQ(BrickReader(*source).get({ 0, 0, 4 }).state, Lookup::State::Ready);
  source->prepare(beginning_in(*source, 1, kOneParticle));
  EXPECT_EQ(source->strategy(), AccessStrategy::Asynchronous) << source->strategy_reason();
}

TEST_F(FieldThatChanges, ChoosesAnewForManyThatBeginElsewhere)
{
  const auto source = open();
  EXPECT_EQ(wrong_in_all(*source), 0); // into the page cache
  source->prepare(kManyParticles);
  for (std::int64_t index = 0; index < source->bricks(0).size(); ++index)
  {
    EXPECT_EQ(BrickReader(*source).get({ 0, 0, index }).state, Lookup::State::Ready);
  }
  source->prepare(beginning_in(*source, 0, kManyParticles));
  EXPECT_EQ(source->strategy(), AccessStrategy::Asynchronous) << source->strategy_reason();
  source->prepare(beginning_in(*source, 1, kManyParticles));
  EXPECT_EQ(source->strategy(), AccessStrategy::MemoryMap) << source->strategy_reason();
}

TEST_F(FieldThatChanges, ChoosesAnewWhereASmallerBudgetDroppedTheBricks)
{
  const auto source = open();
  EXPECT_EQ(wrong_in_all(*source), 0); // into the page cache
  source->prepare(kManyParticles);
  EXPECT_EQ(wrong_in_all(*source), 0);
  source->set_memory_budget(source->working_minimum(2));
  source->prepare(beginning_in(*source, 0, kManyParticles));
  EXPECT_EQ(source->strategy(), AccessStrategy::BufferedCache) << source->strategy_reason();
  EXPECT_EQ(wrong_in_all(*source), 0);
}

TEST_F(FieldThatChanges, KeepsBricksWhenItIsNoLongerAskedForAStrategy)
{
  const auto source = open();
  for (int run = 0; run < 3; ++run)
  {
    ASSERT_TRUE(source->set_strategy(AccessStrategy::BufferedCache));
    EXPECT_EQ(wrong_in_all(*source), 0);
    ASSERT_TRUE(source->set_strategy(AccessStrategy::Automatic));
    EXPECT_EQ(source->asked_strategy(), AccessStrategy::Automatic);
  }
  source->prepare(beginning_in(*source, 0, kManyParticles));
  EXPECT_EQ(source->strategy(), AccessStrategy::BufferedCache) << source->strategy_reason();
  EXPECT_EQ(source->statistics().bricks_read, std::ssize(all_keys(*source)));
}

TEST_F(FieldThatChanges, DoesNotChooseForARunWithoutParticles)
{
  const auto source = open();
  source->prepare({ .threads = 1, .at_once = 0 });
  EXPECT_EQ(source->strategy(), AccessStrategy::MemoryMap);
  EXPECT_THAT(source->strategy_reason(), testing::HasSubstr("fits into the memory"));
}

TEST_F(FieldThatChanges, SeesThatItsFirstBricksAreInThePageCache)
{
  const auto source = open();
  EXPECT_EQ(wrong_in_all(*source), 0);
  Workload many = kManyParticles;
  many.first_bricks = { { 0, 0, 0 }, { 0, 0, 3 }, { 0, 0, 7 } };
  source->prepare(many);
  EXPECT_EQ(source->strategy(), AccessStrategy::MemoryMap) << source->strategy_reason();
  EXPECT_NE(source->strategy_reason().find("page cache"), std::string::npos) << source->strategy_reason();
}

TEST_F(FieldThatChanges, DoesNotChooseWhereAStrategyWasAskedFor)
{
  const auto source = open(AccessStrategy::BufferedCache);
  source->prepare(kManyParticles);
  EXPECT_EQ(source->strategy(), AccessStrategy::BufferedCache);
}

TEST_F(FieldThatChanges, KeepsPinsFromBeforeAChange)
{
  const auto source = open();
  const Lookup mapped = BrickReader(*source).get({ 0, 1, 5 });
  source->prepare(kManyParticles);
  const Lookup cached = BrickReader(*source).get({ 0, 1, 6 });
  ASSERT_TRUE(source->set_strategy(AccessStrategy::DirectCache));
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_EQ(wrong_values(mapped.pin.view(), { 0, 1, 5 }, source->bricks(0)), 0);
  EXPECT_EQ(wrong_values(cached.pin.view(), { 0, 1, 6 }, source->bricks(0)), 0);
}

TEST_F(FieldThatChanges, GivesTheWholeBudgetToTheAccessInUse)
{
  const auto source = open();
  const std::int64_t budget = source->working_minimum(7);
  source->set_memory_budget(budget);
  EXPECT_EQ(wrong_in_all(*source), 0);
  source->prepare(kManyParticles);
  EXPECT_EQ(source->memory_budget(), budget);
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_LE(source->statistics().peak_bytes, budget);
}

TEST_F(FieldThatChanges, AddsUpWhatAllOfItReads)
{
  const auto source = open();
  const auto bricks = static_cast<std::int64_t>(all_keys(*source).size());
  EXPECT_EQ(wrong_in_all(*source), 0);
  source->prepare(kManyParticles);
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_EQ(source->statistics().bricks_read, 2 * bricks);
}

TEST_F(FieldThatChanges, AnswersWhoeverWithdraws)
{
  const auto source = open();
  source->prepare(kManyParticles);
  CountingWaiter waiter;
  source->request({ 0, 0, 4 }, waiter);
  source->prepare(kOneParticle);
  source->withdraw(waiter);
  EXPECT_EQ(wrong_in_all(*source), 0);
  source->request({ 0, 0, 4 }, waiter);
  for (int turn = 0; turn < 1000 && waiter.calls < 2; ++turn)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(waiter.calls, 2);
}

TEST_F(FieldThatChanges, ServesARunBeneathWhichItChanges)
{
  const auto source = open(AccessStrategy::Automatic, open()->working_minimum(4));
  std::atomic<std::int64_t> wrong{ 0 };
  std::jthread other([&] { wrong += wrong_in_all(*source) + wrong_in_all(*source); });
  for (int turn = 0; turn < 20; ++turn)
  {
    source->prepare(turn % 2 == 0 ? kManyParticles : kOneParticle);
    EXPECT_TRUE(source->set_strategy(kStrategies[turn % 4]));
    EXPECT_TRUE(source->set_strategy(AccessStrategy::Automatic));
  }
  EXPECT_EQ(wrong_in_all(*source), 0);
  other.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(FieldThatChanges, GoesOnWithOneCacheWhereTheSystemGivesNoThreads)
{
  const auto source = open();
  const NoMoreThreads refused;
  for (int run = 0; run < 3; ++run)
  {
    source->prepare(kManyParticles);
    EXPECT_EQ(source->strategy(), AccessStrategy::BufferedCache);
    EXPECT_NE(source->strategy_reason().find("no threads"), std::string::npos) << source->strategy_reason();
    EXPECT_EQ(wrong_in_all(*source), 0);
  }
  EXPECT_EQ(source->statistics().bricks_read, std::ssize(all_keys(*source)));
}

TEST_F(FieldThatChanges, StaysAsItIsWhereItCannotBeChanged)
{
  const auto source = open();
  std::filesystem::remove(path_);
  source->prepare(kManyParticles);
  EXPECT_EQ(source->strategy(), AccessStrategy::MemoryMap);
  EXPECT_NE(source->strategy_reason().find(path_), std::string::npos) << source->strategy_reason();
  const Result<void> changed = source->set_strategy(AccessStrategy::BufferedCache);
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::NotFound);
  EXPECT_EQ(source->asked_strategy(), AccessStrategy::Automatic);
  EXPECT_EQ(wrong_in_all(*source), 0);
}

TEST_F(FieldThatChanges, NeverGoesOnWithAnotherFile)
{
  const auto source = open();
  // The same grid and variables, other values: records that look right.
  write_field(folder_.file("other.rvf"), small_field({ 0.0, 0.5 }), 1);
  std::filesystem::rename(folder_.file("other.rvf"), path_);
  source->prepare(kManyParticles);
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_FALSE(source->set_strategy(AccessStrategy::DirectCache));
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_FALSE(source->health());
}

} // namespace rivulet::test
