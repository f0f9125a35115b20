// SPDX-License-Identifier: BSD-3-Clause
// What asynchronous reads of plain blocks have to bear beyond what every way to read them does (TestBovBricks.cxx).
#include "Base/Bytes.h"
#include "Core/Io/BovFixture.h"
#include "Core/Store/BrickReader.h"
#include "Core/Store/CountingWaiter.h"
#include "Io/Blocks/BovSeries.h"
#include "Store/Access/AsyncBricks.h"
#include "Store/Locate/BlockLocator.h"
#include "Support/FaultyReads.h"
#include "Support/SlowDisk/SlowDisk.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <thread>

namespace rivulet::test
{

namespace
{

/// The engine that may be used, whether past the page cache, and whether all is in one file.
using Way = std::tuple<bool, bool, bool>;

class BlockReadsAtOnce : public testing::TestWithParam<Way>
{
protected:
  BlockReadsAtOnce()
  {
    what_.block = std::get<2>(GetParam()) ? Int3{ 0, 0, 0 } : Int3{ 37, 14, 13 };
    header_ = write_bov_case(folder_, what_);
  }

  std::shared_ptr<LocatedBricks> open(
      const ReadFaults& faults, std::int64_t budget = 64 * kMiB, std::int64_t gap = 4096)
  {
    const auto blocks = std::make_shared<BlockLocator>(
        std::make_shared<const BlockField>(*bov_field({ header_ })), header_, BlockCutting::Bricks);
    return *AsyncBricks::open({ blocks, std::make_shared<FileChangeGuard>(), std::get<1>(GetParam()), gap }, budget,
        { .io_uring = std::get<0>(GetParam()),
            .wrap = [faults](std::unique_ptr<ReadEngine> engine)
            {
              return std::make_unique<FaultyReads>(std::move(engine), faults);
            } });
  }
  /// Bricks that do not hold what they must, all asked for at once.
  int wrong_bricks(BrickSource& source)
  {
    CountingWaiter waiter;
    const std::int64_t count = source.bricks(0).size();
    for (std::int64_t index = 0; index < count; ++index)
    {
      source.request({ 0, 0, index }, waiter);
    }
    waiter.wait_for(static_cast<int>(count));
    int wrong = 0;
    for (std::int64_t index = 0; index < count; ++index)
    {
      const Lookup found = BrickReader(source).get({ 0, 0, index });
      const Box box = brick_values(source.bricks(0), Centering::Node, index);
      const bool right =
          found.state == Lookup::State::Ready && found.pin.view().lattice == box &&
          as_doubles(found.pin.view().data, found.pin.view().type, 3 * box.count()) == expected_values(what_, box);
      wrong += right ? 0 : 1;
    }
    EXPECT_EQ(waiter.calls, count);
    return wrong;
  }

  TemporaryFolder folder_;
  BovCase what_{ .lattice = { 74, 28, 26 }, .format = "INT", .big = true, .components = 3, .offset = 20 };
  std::string header_;
};

} // namespace

TEST_P(BlockReadsAtOnce, BearAnswersThatFallShort)
{
  EXPECT_EQ(wrong_bricks(*open({ .short_answers = 2 })), 0);
}

TEST_P(BlockReadsAtOnce, BearASystemThatIsBusy)
{
  EXPECT_EQ(wrong_bricks(*open({ .busy_answers = 3 })), 0);
}

TEST_P(BlockReadsAtOnce, BearAnswersOutOfOrder)
{
  EXPECT_EQ(wrong_bricks(*open({ .short_answers = 1, .out_of_order = true })), 0);
}

TEST_P(BlockReadsAtOnce, AreRightWhateverTheyReadTogether)
{
  for (const std::int64_t gap : { std::int64_t{ 0 }, std::int64_t{ 100 }, kMiB })
  {
    EXPECT_EQ(wrong_bricks(*open({ .out_of_order = true }, 64 * kMiB, gap)), 0) << gap;
  }
}

TEST_P(BlockReadsAtOnce, LoseOnlyTheBricksThatCannotBeRead)
{
  // The first value of every file: where there is one file, only the first brick has to do with it.
  const auto source = open({ .bad_byte = what_.offset }, 64 * kMiB, 0);
  const int lost = wrong_bricks(*source);
  EXPECT_GE(lost, 1);
  EXPECT_TRUE(what_.many() || lost < source->bricks(0).size()) << lost;
  std::int64_t failed = 0;
  for (std::int64_t index = 0; index < source->bricks(0).size(); ++index)
  {
    const Lookup found = BrickReader(*source).get({ 0, 0, index });
    if (found.state == Lookup::State::Failed)
    {
      ++failed;
      EXPECT_EQ(found.error->code, ErrorCode::CannotRead);
      EXPECT_EQ(found.error->sys_errno, EIO);
      EXPECT_GE(found.error->offset, 0);
    }
  }
  EXPECT_EQ(failed, lost);
}

TEST_P(BlockReadsAtOnce, WorkWithASingleSlotAndPiece)
{
  const auto source = open({ .short_answers = 1 }, open({})->working_minimum(1));
  EXPECT_EQ(wrong_bricks(*source), 0);
  EXPECT_LE(source->statistics().peak_bytes, source->memory_budget());
}

TEST_P(BlockReadsAtOnce, AnswerEveryRequestWhenTheFieldIsClosed)
{
  CountingWaiter waiter;
  std::int64_t asked = 0;
  {
    const auto source = open({ .short_answers = 1, .out_of_order = true });
    for (; asked < source->bricks(0).size(); ++asked)
    {
      source->request({ 0, 0, asked }, waiter);
    }
  }
  EXPECT_EQ(waiter.calls, asked);
}

TEST_P(BlockReadsAtOnce, AnswerSoonWhoeverWithdraws)
{
  const auto source = open({}, open({})->working_minimum(1));
  const Lookup only_slot = BrickReader(*source).get({ 0, 0, 1 });
  CountingWaiter waiter;
  source->request({ 0, 0, 2 }, waiter);
  source->request({ 0, 0, 3 }, waiter);
  source->withdraw(waiter);
  waiter.wait_for(2);
  EXPECT_EQ(waiter.calls, 2);
}

TEST_P(BlockReadsAtOnce, SayWhoReads)
{
  const std::string reason = open({})->reader();
  EXPECT_NE(reason.find(std::get<0>(GetParam()) ? "They are read by " : "They are read by threads"), std::string::npos)
      << reason;
}

INSTANTIATE_TEST_SUITE_P(Ways, BlockReadsAtOnce, testing::Combine(testing::Bool(), testing::Bool(), testing::Bool()),
    [](const auto& way)
    {
      return std::string(std::get<0>(way.param) ? "BestEngine" : "Threads") +
             (std::get<1>(way.param) ? "Direct" : "ThroughThePageCache") +
             (std::get<2>(way.param) ? "OfOneFile" : "OfManyFiles");
    });

} // namespace rivulet::test
