// SPDX-License-Identifier: BSD-3-Clause
// A field whose strategy is chosen when a run begins, from a storage that the test makes up.
#include "Core/Store/BrickReader.h"
#include "Io/KnownStorage.h"
#include "Store/AutomaticBricks.h"
#include "Store/MeasureStorage.h"
#include "Support/SlowDisk/SlowDisk.h"
#include "Support/TemporaryFolder.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <thread>

namespace rivulet::test
{

namespace
{

const Workload kManyParticles{ .threads = 2, .particles = 3000, .at_once = 512 };
const Workload kOneParticle{ .threads = 1, .particles = 1, .at_once = 1 };
/// Serves many at once and is slow for one; read nothing to find out.
const MeasuredStorage kParallel{ .speed = StorageSpeed{ 0.005, 6000.0 }, .cached = 0.0, .bytes_read = 0 };
const MeasuredStorage kInMemory{ .speed = StorageSpeed{ 0.005, 6000.0 }, .cached = 1.0, .bytes_read = 0 };

class AutomaticField : public testing::Test
{
protected:
  AutomaticField() { write_field(path_, small_field({ 0.0, 0.5 })); }

  std::shared_ptr<FileBricks> open(std::int64_t budget = 64 << 20)
  {
    AutomaticBricks::Field field;
    field.open = [this](StrategyChoice&& choice, std::int64_t memory) -> Result<std::shared_ptr<FileBricks>>
    {
      ++opened_;
      return open_field({ path_ }, { .strategy = choice.strategy, .memory_budget = memory });
    };
    field.measure = [this](const Workload&)
    {
      return storage_;
    };
    auto source = AutomaticBricks::open(std::move(field), budget);
    EXPECT_TRUE(source) << source.error().describe();
    return *source;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("field.rvf");
  MeasuredStorage storage_ = kParallel;
  int opened_ = 0;
};

class CountingWaiter final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey&, Lookup&&) override { ++calls; }
  std::atomic<int> calls{ 0 };
};

} // namespace

TEST_F(AutomaticField, BeginsWithWhatNeedsNoLookAtTheStorage)
{
  const auto source = open();
  EXPECT_EQ(source->strategy(), AccessStrategy::MemoryMap);
  EXPECT_EQ(source->statistics().bytes_read, 0);
}

TEST_F(AutomaticField, ChangesWhenARunBeginsAndStaysRight)
{
  const auto source = open();
  EXPECT_EQ(wrong_in_all(*source), 0);
  source->prepare(kManyParticles);
  EXPECT_EQ(source->strategy(), AccessStrategy::Asynchronous) << source->strategy_reason();
  EXPECT_EQ(wrong_in_all(*source), 0);
  storage_ = kInMemory;
  source->prepare(kManyParticles);
  EXPECT_EQ(source->strategy(), AccessStrategy::MemoryMap) << source->strategy_reason();
  EXPECT_EQ(wrong_in_all(*source), 0);
}

TEST_F(AutomaticField, OpensEachWayOnce)
{
  const auto source = open();
  for (int turn = 0; turn < 3; ++turn)
  {
    storage_ = kParallel;
    source->prepare(kManyParticles);
    storage_ = kInMemory;
    source->prepare(kManyParticles);
  }
  EXPECT_EQ(opened_, 2);
}

TEST_F(AutomaticField, KeepsPinsFromBeforeAChange)
{
  const auto source = open();
  const Lookup pinned = BrickReader(*source).get({ 0, 1, 5 });
  source->prepare(kManyParticles);
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_EQ(wrong_values(pinned.pin.view(), { 0, 1, 5 }, source->bricks(0)), 0);
}

TEST_F(AutomaticField, GivesTheWholeBudgetToWhatIsInUse)
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

TEST_F(AutomaticField, CountsWhatTheLookAtTheStorageRead)
{
  const auto source = open();
  storage_.bytes_read = 12345;
  source->prepare(kOneParticle);
  EXPECT_EQ(source->statistics().bytes_read, 12345);
}

TEST_F(AutomaticField, AddsUpWhatAllOfItReads)
{
  const auto source = open();
  const auto bricks = static_cast<std::int64_t>(all_keys(*source).size());
  EXPECT_EQ(wrong_in_all(*source), 0);
  source->prepare(kManyParticles);
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_EQ(source->statistics().bricks_read, 2 * bricks);
}

TEST_F(AutomaticField, AnswersWhoeverWithdraws)
{
  const auto source = open();
  source->prepare(kManyParticles);
  CountingWaiter waiter;
  source->request({ 0, 0, 4 }, waiter);
  storage_ = kInMemory;
  source->prepare(kManyParticles);
  source->withdraw(waiter);
  EXPECT_EQ(wrong_in_all(*source), 0);
  source->request({ 0, 0, 4 }, waiter);
  for (int turn = 0; turn < 1000 && waiter.calls < 2; ++turn)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(waiter.calls, 2);
}

TEST_F(AutomaticField, ServesARunBeneathWhichItChanges)
{
  const auto source = open(open()->working_minimum(4));
  std::atomic<std::int64_t> wrong{ 0 };
  std::jthread other([&] { wrong += wrong_in_all(*source) + wrong_in_all(*source); });
  for (int turn = 0; turn < 20; ++turn)
  {
    storage_ = turn % 2 == 0 ? kParallel : kInMemory;
    source->prepare(kManyParticles);
  }
  EXPECT_EQ(wrong_in_all(*source), 0);
  other.join();
  EXPECT_EQ(wrong, 0);
}

TEST_F(AutomaticField, StaysAsItIsWhereItCannotBeChanged)
{
  const auto source = open();
  std::filesystem::remove(path_);
  source->prepare(kManyParticles);
  EXPECT_EQ(source->strategy(), AccessStrategy::MemoryMap);
  EXPECT_NE(source->strategy_reason().find(path_), std::string::npos) << source->strategy_reason();
  EXPECT_EQ(wrong_in_all(*source), 0);
}

TEST_F(AutomaticField, NeverGoesOnWithAnotherFile)
{
  const auto source = *open_field({ path_ }, { .memory_budget = 64 << 20 });
  // The same grid and variables, other values: records that look right.
  write_field(folder_.file("other.rvf"), small_field({ 0.0, 0.5 }), 1);
  std::filesystem::rename(folder_.file("other.rvf"), path_);
  source->prepare(kManyParticles);
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_FALSE(source->health());
}

TEST(MeasuredStorages, AreMeasuredOncePerDevice)
{
  const TemporaryFolder folder;
  write_field(folder.file("field.rvf"), small_field());
  SlowDisk disk(folder.path(), { "--latency", "5" });
  if (!disk.mounted())
  {
    GTEST_SKIP() << disk.why_not();
  }
  KnownStorage known("");
  const ProbeArea area{ .path = disk.file("field.rvf"), .begin = 4096, .end = 800'000, .request = 4096 };
  const MeasuredStorage first = measure_storage(area, { 8192 }, true, known);
  ASSERT_TRUE(first.speed);
  EXPECT_GE(first.speed->latency, 0.005);
  EXPECT_GT(first.bytes_read, 0);
  const MeasuredStorage second = measure_storage(area, { 8192 }, true, known);
  EXPECT_EQ(second.bytes_read, 0);
  EXPECT_EQ(second.speed->latency, first.speed->latency);
}

TEST(MeasuredStorages, AreUnknownWhereThereIsNoFile)
{
  KnownStorage known("");
  const MeasuredStorage nothing =
      measure_storage({ .path = "/no/such/file", .end = 1 << 20, .request = 4096 }, { 0 }, true, known);
  EXPECT_FALSE(nothing.speed);
  EXPECT_FALSE(nothing.cached);
  EXPECT_EQ(nothing.bytes_read, 0);
}

} // namespace rivulet::test
