// SPDX-License-Identifier: BSD-3-Clause
// What asynchronous reads have to bear beyond the contract of every source (TestSourceContract.cxx).
#include "Core/Store/BrickReader.h"
#include "Core/Store/CountingWaiter.h"
#include "Parallel/Team.h"
#include "Store/Access/AsyncBricks.h"
#include "Store/Field/OpenField.h"
#include "Store/Locate/RecordLocator.h"
#include "Support/FaultyReads.h"
#include "Support/NoMoreThreads.h"
#include "Support/TemporaryFolder.h"

#include <gtest/gtest.h>
#include <iterator>
#include <optional>
#include <system_error>
#include <thread>

namespace rivulet::test
{

namespace
{

/// Keeps what it is handed.
class KeepingWaiter final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey&, Lookup&& found) override
  {
    found_ = std::move(found);
    arrived_ = true;
    arrived_.notify_one();
  }
  [[nodiscard]] Lookup& wait()
  {
    arrived_.wait(false);
    return found_;
  }

private:
  Lookup found_;
  std::atomic<bool> arrived_{ false };
};

/// The engine that may be used, and whether past the page cache.
using Way = std::tuple<bool, bool>;

class AsyncReads : public testing::TestWithParam<Way>
{
protected:
  AsyncReads() { write_field(path_, small_field({ 0.0, 0.5 })); }

  [[nodiscard]] Result<std::shared_ptr<LocatedBricks>> open_with(const AsyncBricks::Wrap& wrap, std::int64_t budget)
  {
    const std::shared_ptr<RecordLocator> records = *RecordLocator::open({ path_ }, true);
    const auto [io_uring, direct] = GetParam();
    return AsyncBricks::open({ records, records->change_guard(), direct, AsyncBricks::kGap }, budget,
        { .io_uring = io_uring, .wrap = wrap });
  }
  std::shared_ptr<LocatedBricks> open(const ReadFaults& faults, std::int64_t budget = 64 << 20)
  {
    auto field = open_with([&](std::unique_ptr<ReadEngine> engine)
        { return std::make_unique<FaultyReads>(std::move(engine), faults); },
        budget);
    EXPECT_TRUE(field) << field.error().describe();
    return *field;
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("field.rvf");
};

/// All bricks asked for at once, then fetched in the order of their numbers.
std::int64_t wrong_after_asking_for_all(BrickSource& source)
{
  CountingWaiter waiter;
  const std::vector<BrickKey> keys = all_keys(source);
  for (const BrickKey& key : keys)
  {
    source.request(key, waiter);
  }
  waiter.wait_for(static_cast<int>(keys.size()));
  const std::int64_t wrong = wrong_in_all(source);
  EXPECT_EQ(waiter.calls, static_cast<int>(keys.size()));
  return wrong;
}

} // namespace

TEST_P(AsyncReads, BearAnswersThatFallShort)
{
  EXPECT_EQ(wrong_in_all(*open({ .short_answers = 2 })), 0);
  EXPECT_EQ(wrong_after_asking_for_all(*open({ .short_answers = 2 })), 0);
}

TEST_P(AsyncReads, BearASystemThatIsBusy)
{
  EXPECT_EQ(wrong_after_asking_for_all(*open({ .busy_answers = 3 })), 0);
}

TEST_P(AsyncReads, BearAnswersOutOfOrder)
{
  EXPECT_EQ(wrong_after_asking_for_all(*open({ .short_answers = 1, .out_of_order = true })), 0);
}

TEST_P(AsyncReads, LoseOnlyTheBrickThatCannotBeRead)
{
  const BrickKey bad{ 0, 1, 9 };
  const std::int64_t offset = offset_of(path_, bad);
  const auto source = open({ .bad_byte = offset + 100 });
  EXPECT_EQ(wrong_after_asking_for_all(*source), 1);
  const Lookup found = source->try_get(bad);
  ASSERT_EQ(found.state, Lookup::State::Failed);
  EXPECT_EQ(found.error->code, ErrorCode::CannotRead);
  EXPECT_EQ(found.error->path, path_);
  EXPECT_EQ(found.error->offset, offset);
  EXPECT_EQ(found.error->sys_errno, EIO);
}

TEST_P(AsyncReads, TakeInNeighboursWithOneRead)
{
  const auto source = open({});
  EXPECT_EQ(wrong_after_asking_for_all(*source), 0);
  EXPECT_EQ(source->statistics().bricks_read, static_cast<std::int64_t>(all_keys(*source).size()));
}

TEST_P(AsyncReads, WorkWithASingleSlot)
{
  const auto source = open({ .short_answers = 1 }, open({})->working_minimum(1));
  CountingWaiter never_comes;
  for (std::int64_t brick = 0; brick < 10; ++brick)
  {
    source->request({ 0, 0, brick }, never_comes);
  }
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_EQ(never_comes.calls, 10);
  EXPECT_LE(source->statistics().peak_bytes, source->memory_budget());
}

TEST_P(AsyncReads, HandOverBricksThatStayUntilTheyAreLetGo)
{
  const auto source = open({}, open({})->working_minimum(1));
  KeepingWaiter first;
  KeepingWaiter second;
  source->request({ 0, 0, 3 }, first);
  source->request({ 0, 0, 3 }, second);
  for (KeepingWaiter* waiter : { &first, &second })
  {
    const Lookup& found = waiter->wait();
    if (found.state == Lookup::State::Ready) // the second may have come when the first had been answered
    {
      EXPECT_EQ(wrong_values(found.pin.view(), { 0, 0, 3 }, source->bricks(0)), 0);
    }
  }
  ASSERT_EQ(first.wait().state, Lookup::State::Ready);
  CountingWaiter third;
  source->request({ 0, 0, 4 }, third);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(third.calls, 0); // the only slot is theirs
  EXPECT_EQ(wrong_values(first.wait().pin.view(), { 0, 0, 3 }, source->bricks(0)), 0);
  first.wait() = {};
  second.wait() = {};
  EXPECT_EQ(wrong_in_all(*source), 0);
}

TEST_P(AsyncReads, HandOverErrors)
{
  const auto source = open({});
  KeepingWaiter waiter;
  source->request({ 0, 0, -1 }, waiter);
  EXPECT_EQ(waiter.wait().state, Lookup::State::Failed);
}

TEST_P(AsyncReads, AnswerEveryRequestWhenTheFieldIsClosed)
{
  CountingWaiter waiter;
  std::size_t asked = 0;
  {
    const auto source = open({ .short_answers = 1, .out_of_order = true });
    for (const BrickKey& key : all_keys(*source))
    {
      source->request(key, waiter);
      ++asked;
    }
  }
  EXPECT_EQ(waiter.calls, static_cast<int>(asked));
}

TEST_P(AsyncReads, AnswerSoonWhoeverWithdraws)
{
  const auto source = open({}, open({})->working_minimum(1));
  const Lookup only_slot = BrickReader(*source).get({ 0, 0, 3 });
  CountingWaiter waiter;
  source->request({ 0, 0, 4 }, waiter);
  source->request({ 0, 0, 5 }, waiter);
  source->withdraw(waiter);
  waiter.wait_for(2);
  EXPECT_EQ(waiter.calls, 2);
}

TEST_P(AsyncReads, BringBricksThatNobodyWaitsForYet)
{
  const auto source = open({});
  const std::vector<BrickKey> keys = all_keys(*source);
  source->prefetch(std::vector<BrickKey>{ { 0, 0, -1 }, { 9, 0, 0 } }, 1);
  for (int turn = 0; turn < 2000 && source->statistics().bricks_read < std::ssize(keys); ++turn)
  {
    source->prefetch(keys, 1); // it takes some at a time
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(source->statistics().bricks_prefetched, std::ssize(keys));
  EXPECT_EQ(source->statistics().prefetched_used, 0);
  EXPECT_EQ(source->statistics().bricks_read, std::ssize(keys));
  for (const BrickKey& key : keys)
  {
    const Lookup found = source->try_get(key);
    ASSERT_EQ(found.state, Lookup::State::Ready);
    EXPECT_EQ(wrong_values(found.pin.view(), key, source->bricks(key.variable)), 0);
  }
  EXPECT_EQ(source->statistics().prefetched_used, std::ssize(keys));
  source->prefetch(keys, 1);
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_EQ(source->statistics().prefetched_used, std::ssize(keys)) << "each counts once";
  EXPECT_EQ(source->statistics().bricks_read, std::ssize(keys));
}

TEST_P(AsyncReads, ReachWhoeverWaitsForASlot)
{
  const auto source = open({}, open({})->working_minimum(1));
  Lookup only_slot = BrickReader(*source).get({ 0, 0, 3 });
  CountingWaiter waiter;
  source->request({ 0, 0, 4 }, waiter);
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(waiter.calls, 0);
  only_slot.pin.release();
  for (int turn = 0; turn < 1000 && waiter.calls == 0; ++turn)
  {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(waiter.calls, 1);
  EXPECT_EQ(BrickReader(*source).get({ 0, 0, 4 }).state, Lookup::State::Ready);
}

TEST_P(AsyncReads, GoOnWhereNobodyFetchesWhatHeAskedFor)
{
  const auto source = open({}, open({})->working_minimum(2));
  CountingWaiter gone;
  source->request({ 0, 0, 3 }, gone);
  source->request({ 0, 0, 4 }, gone);
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_EQ(gone.calls, 2);
}

TEST_P(AsyncReads, SayWhoReads)
{
  const std::string reason = open({})->reader();
  EXPECT_NE(reason.find(std::get<0>(GetParam()) ? "They are read by " : "They are read by threads"), std::string::npos)
      << reason;
}

TEST_P(AsyncReads, HaveUseForAThreadPerCore)
{
  const int cores = resolve_threads(0);
  const std::shared_ptr<LocatedBricks> source = open({});
  EXPECT_EQ(source->useful_threads(1), 1);
  EXPECT_EQ(source->useful_threads(cores + 62), cores);
}

TEST_P(AsyncReads, SayThatTheirOwnThreadIsRefused)
{
  std::optional<NoMoreThreads> refused;
  const auto refuse = [&](std::unique_ptr<ReadEngine> engine)
  {
    refused.emplace();
    return engine;
  };
  EXPECT_THROW((void)open_with(refuse, 64 << 20), std::system_error);
}

TEST(AsyncReadsRefused, AreDoneWithoutWhereThereAreNoThreads)
{
  const TemporaryFolder folder;
  write_field(folder.file("field.rvf"), small_field({ 0.0, 0.5 }));
  const NoMoreThreads refused;
  const auto source = open_field({ folder.file("field.rvf") },
      { .strategy = AccessStrategy::Asynchronous, .memory_budget = std::int64_t{ 1 } << 20 });
  ASSERT_TRUE(source) << source.error().describe();
  EXPECT_NE((*source)->strategy_reason().find("no thread"), std::string::npos) << (*source)->strategy_reason();
  EXPECT_EQ(wrong_in_all(**source), 0);
}

INSTANTIATE_TEST_SUITE_P(Ways, AsyncReads, testing::Combine(testing::Bool(), testing::Bool()),
    [](const auto& way)
    {
      return std::string(std::get<0>(way.param) ? "BestEngine" : "Threads") +
             (std::get<1>(way.param) ? "Direct" : "ThroughThePageCache");
    });

} // namespace rivulet::test
