// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Bytes.h"
#include "Store/Memory/SharedBudget.h"

#include <gmock/gmock.h>

namespace rivulet::test
{
namespace
{

/// Does what the test says it did.
class ToldStore final : public BudgetedStore
{
public:
  ToldStore(std::int64_t piece, std::string path)
    : piece_(piece)
    , path_(std::move(path))
  {
  }

  [[nodiscard]] std::string path() const override { return path_; }
  [[nodiscard]] std::int64_t memory_budget() const override { return budget_; }
  void set_memory_budget(std::int64_t bytes) override { budget_ = bytes; }
  [[nodiscard]] std::int64_t working_minimum(int workers) const override { return workers * piece_; }
  [[nodiscard]] SourceStatistics statistics() const override { return did; }

  SourceStatistics did;

private:
  std::int64_t piece_;
  std::string path_;
  std::int64_t budget_ = 7 * kMiB;
};

struct Shared
{
  std::shared_ptr<ToldStore> patches = std::make_shared<ToldStore>(4 * kMiB, "run/summary.samrai");
  std::shared_ptr<ToldStore> first = std::make_shared<ToldStore>(kMiB, "");
  std::shared_ptr<ToldStore> second = std::make_shared<ToldStore>(kMiB, "");

  void join(SharedBudget& budget) const
  {
    budget.add(first);
    budget.add(patches, { .weight = 6, .in_background = true });
    budget.add(second);
  }
};

TEST(SharedBudget, GivesEachItsMinimumAndAShareOfTheRest)
{
  const Shared shared;
  SharedBudget budget(24 * kMiB);
  shared.join(budget);
  ASSERT_TRUE(budget.fits(2));
  budget.share_out(2); // minima: 4 + 2 + 2
  EXPECT_EQ(shared.patches->memory_budget(), (4 + 12) * kMiB);
  EXPECT_EQ(shared.first->memory_budget(), (2 + 2) * kMiB);
  EXPECT_EQ(shared.second->memory_budget(), (2 + 2) * kMiB);
}

TEST(SharedBudget, PutsBudgetsBack)
{
  const Shared shared;
  {
    SharedBudget budget(100 * kMiB);
    shared.join(budget);
    budget.share_out(1);
    EXPECT_NE(shared.patches->memory_budget(), 7 * kMiB);
  }
  EXPECT_EQ(shared.patches->memory_budget(), 7 * kMiB);
  EXPECT_EQ(shared.second->memory_budget(), 7 * kMiB);
}

TEST(SharedBudget, SaysWhatWouldDo)
{
  const Shared shared;
  SharedBudget budget(9 * kMiB);
  shared.join(budget);
  EXPECT_TRUE(budget.fits(2));
  EXPECT_FALSE(budget.fits(3));
  const Error error = budget.too_small(3);
  EXPECT_EQ(error.code, ErrorCode::BudgetTooSmall);
  EXPECT_EQ(error.what, "the memory budget of 9 MiB is below the 10 MiB that 3 threads need");
  EXPECT_EQ(error.remedy, "set Memory Budget to 10 MiB or more");
  EXPECT_EQ(error.path, "run/summary.samrai");
}

TEST(SharedBudget, OfOnePartTellsOfTheWhole)
{
  const Shared shared;
  SharedBudget budget(9 * kMiB);
  shared.join(budget);
  const Error error = budget.too_small(3, 1, 2);
  EXPECT_EQ(error.what, "the memory budget of 18 MiB is below the 20 MiB that 3 threads need");
  EXPECT_EQ(error.remedy, "set Memory Budget to 20 MiB or more");
}

TEST(SharedBudget, KnowsWhatRunsToComeNeed)
{
  const Shared shared;
  SharedBudget budget(12 * kMiB);
  shared.join(budget);
  EXPECT_TRUE(budget.fits(3));
  budget.expect(1.5);
  EXPECT_FALSE(budget.fits(3));
  EXPECT_EQ(budget.too_small(3).remedy, "set Memory Budget to 15 MiB or more");
}

TEST(SharedBudget, CountsWhatWasDoneSinceTheyWereAdded)
{
  const Shared shared;
  shared.patches->did = { .bytes_read = 100, .bricks_read = 1, .peak_bytes = 90 * kMiB };
  SharedBudget budget(24 * kMiB);
  shared.join(budget);
  budget.share_out(2);
  shared.patches->did = { .bytes_read = 150, .bricks_read = 3, .peak_bytes = 90 * kMiB, .stall_seconds = 0.5 };
  shared.first->did = { .cache_hits = 5, .cache_misses = 2, .peak_bytes = 3 * kMiB, .stall_seconds = 0.25 };
  const SourceStatistics done = budget.statistics();
  EXPECT_EQ(done.bytes_read, 50);
  EXPECT_EQ(done.bricks_read, 2);
  EXPECT_EQ(done.cache_hits, 5);
  EXPECT_EQ(done.cache_misses, 2);
  EXPECT_EQ(done.stall_seconds, 0.25); // nobody waited for the patches themselves
  // What the patches held before this run says nothing about it; their share does.
  EXPECT_EQ(done.peak_bytes, (16 + 3) * kMiB);
}

} // namespace
} // namespace rivulet::test
