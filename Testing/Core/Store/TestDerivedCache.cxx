// SPDX-License-Identifier: BSD-3-Clause
// Bricks that are made by threads of the cache, or by those who ask: the same promises, two ways to keep them.
#include "Core/Store/FetchedUnderTest.h"
#include "Store/Cache/DerivedCache.h"
#include "Store/Memory/MemoryAccount.h"
#include "Store/Source/WaitForBrick.h"
#include "Support/NoMoreThreads.h"

#include <gtest/gtest.h>
#include <optional>

namespace rivulet::test
{

namespace
{

constexpr std::int64_t kBricks = 10;

class MadeUnderTest final : public BrickSource
{
public:
  MadeUnderTest(std::int64_t slots, bool threads)
    : cache(*this, loader, kBricks, { .slot_bytes = kSlot, .memory_budget = slots * kSlot, .banks = 1 },
          threads ? std::function<int()>([] { return 1; }) : nullptr)
  {
    grid_.count = { kBricks, 1, 1 };
  }
  [[nodiscard]] const FieldInfo& info() const override { return info_; }
  [[nodiscard]] const BrickGrid& bricks(int) const override { return grid_; }
  [[nodiscard]] Lookup try_get(const BrickKey& key) override { return cache.try_get(key); }
  void request_for(const BrickKey& key, BrickWaiter& waiter, std::int64_t particles) override
  {
    cache.request(key, waiter, particles);
  }
  void withdraw(BrickWaiter& waiter) override { cache.withdraw(waiter); }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return workers * kSlot; }
  [[nodiscard]] SourceStatistics statistics() const override { return cache.statistics(); }

  GatedLoader loader;
  DerivedCache cache;

private:
  void unpin(void* token) override { cache.unpin(token); }

  FieldInfo info_;
  BrickGrid grid_;
};

class MadeBricks : public testing::TestWithParam<bool>
{
protected:
  [[nodiscard]] Lookup get(std::int64_t index)
  {
    std::shared_ptr<const Error> error;
    BrickPin pin = wait_for_brick(source, brick(index), error);
    return { pin ? Lookup::State::Ready : Lookup::State::Failed, std::move(pin), error };
  }

  MadeUnderTest source{ 3, GetParam() };
};

} // namespace

TEST_P(MadeBricks, AreMadeOnceAndKept)
{
  for (int pass = 0; pass < 2; ++pass)
  {
    for (const std::int64_t index : { 0, 9, 4 })
    {
      EXPECT_EQ(number_in(get(index)), index);
    }
  }
  EXPECT_EQ(source.loader.order(), (std::vector<std::int64_t>{ 0, 9, 4 }));
  EXPECT_EQ(source.statistics().cache_misses, 3);
  EXPECT_EQ(source.statistics().cache_hits, 3);
}

/// Bytes and bricks were read by those that the bricks are made of, and are counted there.
TEST_P(MadeBricks, AreNotReads)
{
  EXPECT_EQ(number_in(get(1)), 1);
  EXPECT_EQ(source.statistics().bytes_read, 0);
  EXPECT_EQ(source.statistics().bricks_read, 0);
  EXPECT_EQ(source.statistics().peak_bytes, kSlot);
}

TEST_P(MadeBricks, ThatDoNotExistFailWithoutBeingMade)
{
  for (const BrickKey& key :
      std::vector<BrickKey>{ { 0, 0, -1 }, { 0, 0, kBricks }, { 1, 0, 0 }, { 0, 1, 0 }, { -1, 0, 0 }, { 0, -1, 0 } })
  {
    const Lookup found = source.try_get(key);
    ASSERT_EQ(found.state, Lookup::State::Failed);
    EXPECT_EQ(found.error->code, ErrorCode::BadArgument);
    PatientWaiter waiter;
    source.request(key, waiter);
    ASSERT_EQ(waiter.calls(), 1U); // before request() returned
    EXPECT_EQ(waiter.wait_for(1).state, Lookup::State::Failed);
  }
  EXPECT_TRUE(source.loader.order().empty());
}

TEST_P(MadeBricks, ThatCannotBeMadeFailEachTimeWithOneAttempt)
{
  source.loader.bad = { 4 };
  const Lookup first = get(4);
  ASSERT_EQ(first.state, Lookup::State::Failed);
  EXPECT_EQ(get(4).error, first.error);
  EXPECT_EQ(source.loader.order().size(), 1U);
  EXPECT_EQ(number_in(get(5)), 5);
}

TEST_P(MadeBricks, GiveUpWhatIsOverASmallerBudget)
{
  const std::int64_t before = MemoryAccount::process().used();
  for (std::int64_t index = 0; index < 3; ++index)
  {
    EXPECT_EQ(number_in(get(index)), index);
  }
  EXPECT_EQ(number_in(get(9)), 9); // the oldest has gone for it, and nothing is under way now but its delivery
  source.cache.set_memory_budget(kSlot);
  EXPECT_EQ(source.cache.memory_budget(), kSlot);
  EXPECT_EQ(number_in(get(9)), 9);
  EXPECT_EQ(MemoryAccount::process().used(), before + kSlot);
}

TEST_P(MadeBricks, HaveTheDefaultBudgetForNone)
{
  source.cache.set_memory_budget(0);
  EXPECT_GE(source.cache.memory_budget(), 16 << 20);
  const MadeUnderTest other(0, GetParam());
  EXPECT_GE(other.cache.memory_budget(), 16 << 20);
  EXPECT_EQ(other.cache.slot_bytes(), kSlot);
}

INSTANTIATE_TEST_SUITE_P(By, MadeBricks, testing::Bool(),
    [](const auto& threads) { return threads.param ? "ThreadsOfTheCache" : "ThoseWhoAsk"; });

TEST(DerivedCache, LetsThoseWhoAskMakeBricksWhereThereAreNoThreads)
{
  std::optional<MadeUnderTest> source;
  {
    const NoMoreThreads refused;
    source.emplace(3, true);
  }
  const Lookup found = source->try_get(brick(7)); // at once
  ASSERT_EQ(found.state, Lookup::State::Ready);
  EXPECT_EQ(number_in(found), 7);
  PatientWaiter nobody;
  source->withdraw(nobody); // nothing to withdraw from
  EXPECT_EQ(nobody.calls(), 0U);
}

TEST(DerivedCache, DoesNotWaitForThreadsOfItsOwn)
{
  MadeUnderTest source(3, true);
  Gate& gate = source.loader.hold(7);
  EXPECT_EQ(source.try_get(brick(7)).state, Lookup::State::Miss);
  PatientWaiter waiter;
  source.request(brick(7), waiter);
  gate.wait_for(1);
  EXPECT_EQ(source.try_get(brick(7)).state, Lookup::State::Miss);
  source.withdraw(waiter);
  EXPECT_EQ(waiter.calls(), 1U);
  gate.open();
  std::shared_ptr<const Error> error;
  EXPECT_TRUE(wait_for_brick(source, brick(7), error));
  EXPECT_EQ(source.loader.order().size(), 1U);
}

} // namespace rivulet::test
