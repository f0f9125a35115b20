// SPDX-License-Identifier: BSD-3-Clause
// The choice of Automatic by page cache, number of lines and budget. The fastest way in each of these situations was
// measured (Benchmarks/README.md, strategies).
#include "Base/Bytes.h"
#include "Store/Field/ChooseStrategy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

using testing::HasSubstr;

const Workload kManyLines{ .threads = 2, .at_once = 250 };
const Workload kFewLines{ .threads = 2, .at_once = 4 };
const Workload kOneLine{ .threads = 1, .at_once = 1 };

const StorageFacts kAmple{ .bytes = 1'277 * kMiB, .budget = 2 * kGiB };
const StorageFacts kTight{ .bytes = 1'277 * kMiB, .budget = 64 * kMiB };

AccessStrategy chosen(const StorageFacts& facts, std::optional<double> cached, const Workload& workload)
{
  return choose_for_run(facts, cached, workload).strategy;
}

StorageFacts over_network(StorageFacts facts)
{
  facts.network = "NFS";
  return facts;
}

StorageFacts of_blocks(StorageFacts facts)
{
  facts.mapped = false;
  facts.shared_pages = true;
  return facts;
}

} // namespace

TEST(ChooseForRun, MapsBricksThatAreInThePageCache)
{
  for (const Workload& workload : { kManyLines, kFewLines, kOneLine })
  {
    EXPECT_EQ(chosen(kAmple, 1.0, workload), AccessStrategy::MemoryMap);
  }
  EXPECT_THAT(choose_for_run(kAmple, 1.0, kManyLines).reason, HasSubstr("page cache"));
}

TEST(ChooseForRun, CopiesFromThePageCacheWhatTheBudgetCannotHold)
{
  EXPECT_EQ(chosen(kTight, 1.0, kManyLines), AccessStrategy::BufferedCache);
  EXPECT_EQ(chosen(kTight, 1.0, kOneLine), AccessStrategy::MemoryMap) << "one line comes to few bricks";
}

TEST(ChooseForRun, ReadsManyBricksAtOnceForManyLines)
{
  for (const std::optional<double> cached : { std::optional(0.0), std::optional(0.05), std::optional<double>() })
  {
    const StrategyChoice choice = choose_for_run(kAmple, cached, kManyLines);
    EXPECT_EQ(choice.strategy, AccessStrategy::Asynchronous);
    EXPECT_TRUE(choice.direct);
  }
}

TEST(ChooseForRun, KeepsInThePageCacheWhatHasToComeAgain)
{
  const StrategyChoice choice = choose_for_run(kTight, 0.0, kManyLines);
  EXPECT_EQ(choice.strategy, AccessStrategy::Asynchronous);
  EXPECT_FALSE(choice.direct);
  StorageFacts large = kTight;
  large.fits_in_memory = false;
  EXPECT_TRUE(choose_for_run(large, 0.0, kManyLines).direct) << "it would not stay there";
}

TEST(ChooseForRun, ReadsTheMissingHalfThroughThePageCache)
{
  const StrategyChoice choice = choose_for_run(kAmple, 0.5, kManyLines);
  EXPECT_EQ(choice.strategy, AccessStrategy::Asynchronous);
  EXPECT_FALSE(choice.direct);
}

TEST(ChooseForRun, WaitsWhereThereIsNothingElseToDo)
{
  for (const Workload& workload : { kFewLines, kOneLine })
  {
    EXPECT_EQ(chosen(kAmple, 0.0, workload), AccessStrategy::MemoryMap);
    EXPECT_EQ(chosen(kTight, 0.0, workload), AccessStrategy::MemoryMap);
  }
  EXPECT_THAT(choose_for_run(kAmple, 0.0, kOneLine).reason, HasSubstr("few lines"));
}

TEST(ChooseForRun, NeverMapsOverANetwork)
{
  for (const double cached : { 0.0, 0.5, 1.0 })
  {
    for (const Workload& workload : { kManyLines, kFewLines, kOneLine })
    {
      EXPECT_NE(chosen(over_network(kAmple), cached, workload), AccessStrategy::MemoryMap);
    }
  }
  EXPECT_EQ(chosen(over_network(kAmple), 0.0, kManyLines), AccessStrategy::Asynchronous);
  EXPECT_TRUE(choose_for_run(over_network(kAmple), 0.0, kManyLines).far);
  EXPECT_EQ(chosen(over_network(kAmple), 0.0, kOneLine), AccessStrategy::Asynchronous) << "for prefetch";
  EXPECT_EQ(chosen(over_network(kAmple), 1.0, kOneLine), AccessStrategy::BufferedCache);
}

TEST(ChooseForRun, ReadsPastThePageCacheOverANetwork)
{
  StorageFacts tight = kTight;
  tight.fits_in_memory = true;
  EXPECT_FALSE(choose_for_run(tight, 0.0, kManyLines).direct) << "bricks come again";
  EXPECT_TRUE(choose_for_run(over_network(tight), 0.0, kManyLines).direct);
  EXPECT_TRUE(choose_for_run(over_network(tight), 0.0, kOneLine).direct);
  EXPECT_FALSE(choose_for_run(over_network(tight), 0.3, kManyLines).direct) << "some are in the page cache";
}

TEST(ChooseForRun, ReadsThePiecesOfABrickAtOnceEvenForOneLine)
{
  EXPECT_EQ(chosen(of_blocks(kAmple), 0.0, kOneLine), AccessStrategy::Asynchronous);
  EXPECT_FALSE(choose_for_run(of_blocks(kAmple), 0.0, kOneLine).direct) << "neighbours lie in the same pages";
  EXPECT_EQ(chosen(of_blocks(kAmple), 1.0, kOneLine), AccessStrategy::BufferedCache);
}

TEST(ChooseForRun, GoesByTheKindOfFileSystemWhereBricksDoNotBeginOnPages)
{
  StorageFacts misaligned = kAmple;
  misaligned.page_aligned = false;
  EXPECT_EQ(chosen(misaligned, 0.0, kManyLines), AccessStrategy::BufferedCache);
}

TEST(ReasonToKeep, IsThatMostOfTheFirstBricksAreHeld)
{
  for (const Workload& workload : { kManyLines, kOneLine })
  {
    EXPECT_THAT(reason_to_keep({ .bytes = 1, .first_share = 0.6 }, workload), HasSubstr("still in memory"));
  }
}

TEST(ReasonToKeep, IsThatLinesAreFewAndBricksAreHeld)
{
  for (const Workload& workload : { kFewLines, kOneLine })
  {
    EXPECT_THAT(reason_to_keep({ .bytes = 1, .first_share = 0.0 }, workload), HasSubstr("few lines"));
    EXPECT_EQ(reason_to_keep({}, workload), "");
  }
}

TEST(ReasonToKeep, IsNoneForManyLinesThatBeginElsewhere)
{
  EXPECT_EQ(reason_to_keep({ .bytes = 1 * kGiB, .first_share = 0.5 }, kManyLines), "");
}

} // namespace rivulet::test
