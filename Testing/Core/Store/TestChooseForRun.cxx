// SPDX-License-Identifier: BSD-3-Clause
// What Automatic takes, by storage, seeding and budget. The speeds are those of real devices; which way was the fastest
// there was measured (Benchmarks/README.md, strategies).
#include "Base/Bytes.h"
#include "Store/ChooseStrategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

using testing::HasSubstr;

const StorageSpeed kCloudDisk{ 0.00014, 42'000.0 };
const StorageSpeed kFarAway{ 0.0053, 6'000.0 };
const StorageSpeed kSpinning{ 0.008, 150.0 };

const Workload kManyLines{ .threads = 2, .particles = 1000, .at_once = 250, .longest_way = 355.0 };
const Workload kFewLines{ .threads = 2, .particles = 8, .at_once = 2, .longest_way = 355.0 };
const Workload kOneLine{ .threads = 1, .particles = 1, .at_once = 1, .longest_way = 1419.0 };

StorageFacts field_of(std::int64_t budget)
{
  return { .brick_cells = { 9, 9, 9 }, .brick_bytes = 12288, .bytes = 1'277 * kMiB, .budget = budget };
}

const StorageFacts kAmple = field_of(2 * kGiB);
const StorageFacts kTight = field_of(64 * kMiB);

MeasuredStorage storage(const StorageSpeed& speed, double cached)
{
  return { .speed = speed, .cached = cached, .bytes_read = 0 };
}

AccessStrategy chosen(const StorageFacts& facts, const MeasuredStorage& measured, const Workload& workload)
{
  return choose_for_run(facts, measured, workload).strategy;
}

StorageFacts over_network(StorageFacts facts)
{
  facts.network = "NFS";
  return facts;
}

} // namespace

TEST(ChooseForRun, MapsWhatIsInThePageCache)
{
  for (const Workload& workload : { kManyLines, kFewLines, kOneLine })
  {
    for (const StorageSpeed& speed : { kCloudDisk, kFarAway, kSpinning })
    {
      EXPECT_EQ(chosen(kAmple, storage(speed, 1.0), workload), AccessStrategy::MemoryMap);
    }
  }
  EXPECT_THAT(choose_for_run(kAmple, storage(kCloudDisk, 1.0), kManyLines).reason, HasSubstr("page cache"));
}

TEST(ChooseForRun, CopiesFromThePageCacheWhatTheBudgetCannotHold)
{
  EXPECT_EQ(chosen(kTight, storage(kCloudDisk, 1.0), kManyLines), AccessStrategy::BufferedCache);
  EXPECT_EQ(chosen(kTight, storage(kCloudDisk, 1.0), kOneLine), AccessStrategy::MemoryMap) << "this fits";
}

TEST(ChooseForRun, ReadsManyBricksAtOnceFromADeviceThatCan)
{
  for (const StorageSpeed& speed : { kCloudDisk, kFarAway })
  {
    const StrategyChoice choice = choose_for_run(kAmple, storage(speed, 0.0), kManyLines);
    EXPECT_EQ(choice.strategy, AccessStrategy::Asynchronous);
    EXPECT_TRUE(choice.direct);
    EXPECT_THAT(choice.reason, HasSubstr("a second at once"));
  }
}

TEST(ChooseForRun, KeepsInThePageCacheWhatHasToComeAgain)
{
  const StrategyChoice choice = choose_for_run(kTight, storage(kCloudDisk, 0.0), kManyLines);
  EXPECT_EQ(choice.strategy, AccessStrategy::Asynchronous);
  EXPECT_FALSE(choice.direct);
  StorageFacts large = kTight;
  large.fits_in_memory = false;
  EXPECT_TRUE(choose_for_run(large, storage(kCloudDisk, 0.0), kManyLines).direct) << "it would not stay there";
}

TEST(ChooseForRun, WaitsWhereThereIsNothingElseToDo)
{
  for (const Workload& workload : { kFewLines, kOneLine })
  {
    EXPECT_EQ(chosen(kAmple, storage(kCloudDisk, 0.0), workload), AccessStrategy::MemoryMap);
    EXPECT_EQ(chosen(kTight, storage(kFarAway, 0.0), workload), AccessStrategy::MemoryMap);
  }
  EXPECT_THAT(choose_for_run(kAmple, storage(kCloudDisk, 0.0), kOneLine).reason, HasSubstr("one line"));
}

TEST(ChooseForRun, WaitsForADeviceThatServesOneAtATime)
{
  EXPECT_EQ(chosen(kAmple, storage(kSpinning, 0.0), kManyLines), AccessStrategy::MemoryMap);
}

TEST(ChooseForRun, NeverMapsOverANetwork)
{
  for (const double cached : { 0.0, 0.5, 1.0 })
  {
    for (const Workload& workload : { kManyLines, kFewLines, kOneLine })
    {
      EXPECT_NE(chosen(over_network(kAmple), storage(kFarAway, cached), workload), AccessStrategy::MemoryMap);
    }
  }
  EXPECT_EQ(chosen(over_network(kAmple), storage(kFarAway, 0.0), kManyLines), AccessStrategy::Asynchronous);
  EXPECT_EQ(chosen(over_network(kAmple), storage(kFarAway, 0.0), kOneLine), AccessStrategy::BufferedCache);
}

TEST(ChooseForRun, ReadsTheMissingHalfThroughThePageCache)
{
  const StrategyChoice choice = choose_for_run(kAmple, storage(kFarAway, 0.5), kManyLines);
  EXPECT_EQ(choice.strategy, AccessStrategy::Asynchronous);
  EXPECT_FALSE(choice.direct);
}

TEST(ChooseForRun, ReadsThePiecesOfABrickAtOnceEvenForOneLine)
{
  StorageFacts blocks = kAmple;
  blocks.mapped = false;
  blocks.brick_reads = 20;
  EXPECT_EQ(chosen(blocks, storage(kFarAway, 0.0), kOneLine), AccessStrategy::Asynchronous);
  EXPECT_EQ(chosen(blocks, storage(kFarAway, 1.0), kOneLine), AccessStrategy::BufferedCache);
}

TEST(ChooseForRun, ReadsBlocksThroughThePageCacheAndOverLargerGapsWhereTheDeviceIsFarAway)
{
  StorageFacts blocks = kAmple;
  blocks.mapped = false;
  blocks.shared_pages = true;
  blocks.brick_reads = 20;
  const StrategyChoice near = choose_for_run(blocks, storage(kCloudDisk, 0.0), kManyLines);
  EXPECT_EQ(near.strategy, AccessStrategy::Asynchronous);
  EXPECT_FALSE(near.direct);
  EXPECT_FALSE(near.far);
  EXPECT_TRUE(choose_for_run(blocks, storage(kFarAway, 0.0), kManyLines).far);
}

TEST(ChooseForRun, GoesByTheKindOfFileSystemWhereTheStorageTellsNothing)
{
  const MeasuredStorage nothing;
  EXPECT_EQ(chosen(kAmple, nothing, kManyLines), AccessStrategy::MemoryMap);
  EXPECT_EQ(chosen(over_network(kAmple), nothing, kManyLines), AccessStrategy::Asynchronous);
  StorageFacts misaligned = kAmple;
  misaligned.page_aligned = false;
  EXPECT_EQ(chosen(misaligned, storage(kCloudDisk, 0.0), kManyLines), AccessStrategy::BufferedCache);
}

TEST(ChooseForRun, TakesAnUnknownPageCacheForAnEmptyOne)
{
  MeasuredStorage measured = storage(kCloudDisk, 0.0);
  measured.cached.reset();
  EXPECT_EQ(chosen(kAmple, measured, kManyLines), AccessStrategy::Asynchronous);
}

} // namespace rivulet::test
