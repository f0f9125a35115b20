// SPDX-License-Identifier: BSD-3-Clause
// What every BrickSource promises, asked of each of them.
#include "Core/Store/BrickReader.h"
#include "Support/TemporaryFolder.h"

#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <thread>

namespace rivulet::test
{

namespace
{

class CountingWaiter final : public BrickWaiter
{
public:
  void brick_arrived(const BrickKey& key, Lookup&&) override
  {
    last = key;
    ++calls;
  }
  BrickKey last;
  std::atomic<int> calls{ 0 };
};

class FileSources : public testing::TestWithParam<AccessStrategy>
{
protected:
  FileSources() { write_field(path_, small_field({ 0.0, 0.5 })); }

  std::shared_ptr<FileBricks> open(std::int64_t budget = 64 << 20, bool verify = true)
  {
    auto field = open_field({ path_ }, { .strategy = GetParam(), .memory_budget = budget, .verify = verify });
    EXPECT_TRUE(field) << field.error().describe();
    return *field;
  }
  /// The smallest budget that a number of threads may have.
  std::int64_t minimum(int threads) { return open()->working_minimum(threads); }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("field.rvf");
};

/// Visits random bricks; returns what was wrong with them.
std::int64_t hammer(BrickSource& source, int visits, unsigned seed)
{
  BrickReader reader(source);
  std::mt19937 random(seed);
  const std::vector<BrickKey> keys = all_keys(source);
  std::int64_t wrong = 0;
  for (int i = 0; i < visits; ++i)
  {
    const BrickKey& key = keys[random() % keys.size()];
    const Lookup found = reader.get(key);
    wrong += found.state == Lookup::State::Ready ? wrong_values(found.pin.view(), key, source.bricks(key.variable)) : 1;
  }
  return wrong;
}

std::int64_t hammer_together(BrickSource& source, int threads, int visits)
{
  std::atomic<std::int64_t> wrong{ 0 };
  std::vector<std::jthread> team;
  for (int i = 0; i < threads; ++i)
  {
    team.emplace_back([&, i] { wrong += hammer(source, visits, static_cast<unsigned>(i)); });
  }
  team.clear();
  return wrong;
}

} // namespace

TEST(ArraySource, HoldsEveryValue)
{
  const FieldInfo info = small_field();
  const std::vector<double> pressure = all_values(info, 1);
  ArrayBricks source(info.grid, { { info.variables[1], pressure.data() } });
  const Lookup found = source.try_get({ 0, 0, 0 });
  ASSERT_EQ(found.state, Lookup::State::Ready);
  EXPECT_EQ(wrong_values(found.pin.view(), { 1, 0, 0 }, source.bricks(0)), 0);
}

TEST(ArraySource, TellsAWaiterOnce)
{
  const FieldInfo info = small_field();
  const std::vector<float> values(static_cast<std::size_t>(volume(info.grid.nodes)));
  ArrayBricks source(info.grid, { { { "zero", ScalarType::Float32, 1, Centering::Node }, values.data() } });
  CountingWaiter waiter;
  source.request({ 0, 0, 0 }, waiter);
  EXPECT_EQ(waiter.calls, 1);
}

TEST_P(FileSources, UseTheStrategyAskedFor)
{
  EXPECT_EQ(open()->strategy(), GetParam()) << open()->strategy_reason();
}

TEST_P(FileSources, HoldEveryValueOfEveryBrick)
{
  EXPECT_EQ(wrong_in_all(*open()), 0);
}

TEST_P(FileSources, HoldEveryValueAtTheSmallestBudget)
{
  const auto source = open(minimum(1));
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_LE(source->statistics().peak_bytes, minimum(1));
}

TEST_P(FileSources, ServeThreadsAtTheirWorkingMinimum)
{
  for (const int threads : { 1, 2, 5 })
  {
    const auto source = open(minimum(threads));
    EXPECT_EQ(hammer_together(*source, threads, 400), 0);
    EXPECT_LE(source->statistics().peak_bytes, minimum(threads));
  }
}

TEST_P(FileSources, ServeThreadsWithRoomToSpare)
{
  const auto source = open();
  EXPECT_EQ(hammer_together(*source, 4, 400), 0);
  const SourceStatistics statistics = source->statistics();
  EXPECT_EQ(statistics.cache_hits + statistics.cache_misses, 4 * 400);
}

TEST_P(FileSources, ReadEachBrickOnceIfAllFit)
{
  const auto source = open();
  const auto bricks = static_cast<std::int64_t>(all_keys(*source).size());
  EXPECT_EQ(wrong_in_all(*source) + wrong_in_all(*source), 0);
  const SourceStatistics statistics = source->statistics();
  EXPECT_EQ(statistics.bricks_read, bricks);
  EXPECT_EQ(statistics.cache_misses, bricks);
  EXPECT_EQ(statistics.cache_hits, bricks);
}

TEST_P(FileSources, CountTheBytesOfRecords)
{
  const auto source = open();
  const Lookup found = BrickReader(*source).get({ 0, 0, 3 });
  EXPECT_EQ(source->statistics().bytes_read, 4096); // 5^3 nodes of 12 bytes and the trailer
  // Nobody waits inside an asynchronous source.
  EXPECT_EQ(source->statistics().stall_seconds > 0.0, GetParam() != AccessStrategy::Asynchronous);
}

TEST_P(FileSources, KeepAPinnedBrickWhileOthersComeAndGo)
{
  const auto source = open(minimum(2));
  const BrickKey kept{ 0, 1, 5 };
  const Lookup pinned = BrickReader(*source).get(kept);
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_EQ(wrong_values(pinned.pin.view(), kept, source->bricks(0)), 0);
}

TEST_P(FileSources, PinABrickTwice)
{
  const auto source = open(minimum(2));
  Lookup first = BrickReader(*source).get({ 1, 0, 2 });
  const Lookup second = BrickReader(*source).get({ 1, 0, 2 });
  first.pin.release();
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_EQ(wrong_values(second.pin.view(), { 1, 0, 2 }, source->bricks(1)), 0);
}

TEST_P(FileSources, RefuseBricksThatDoNotExist)
{
  const auto source = open();
  for (const BrickKey& key :
      std::vector<BrickKey>{ { 3, 0, 0 }, { -1, 0, 0 }, { 0, 2, 0 }, { 0, 0, -1 }, { 0, 0, source->bricks(0).size() } })
  {
    EXPECT_EQ(source->try_get(key).state, Lookup::State::Failed);
  }
}

TEST_P(FileSources, TellAWaiterExactlyOnce)
{
  const auto source = open();
  CountingWaiter waiter;
  source->request({ 0, 0, 3 }, waiter);
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_EQ(waiter.calls, 1);
  EXPECT_EQ(waiter.last, (BrickKey{ 0, 0, 3 }));
}

TEST_P(FileSources, FailABrickThatIsDamagedAndNoOther)
{
  const BrickKey bad{ 0, 1, 9 };
  damage_byte(path_, offset_of(path_, bad) + 17);
  const auto source = open();
  EXPECT_EQ(wrong_in_all(*source), 1);
  const Lookup found = source->try_get(bad);
  ASSERT_EQ(found.state, Lookup::State::Failed);
  EXPECT_EQ(found.error->code, ErrorCode::Corrupt);
  EXPECT_EQ(found.error->path, path_);
  EXPECT_EQ(found.error->offset, offset_of(path_, bad));
  EXPECT_NE(found.error->remedy.find("rivulet verify"), std::string::npos);
}

TEST_P(FileSources, TakeADamagedBrickOnTrustIfTold)
{
  const BrickKey bad{ 0, 1, 9 };
  damage_byte(path_, offset_of(path_, bad) + 17);
  const auto source = open(64 << 20, false);
  EXPECT_EQ(wrong_in_all(*source), 1);
  EXPECT_EQ(source->try_get(bad).state, Lookup::State::Ready);
}

TEST_P(FileSources, FindABrickInAnothersPlace)
{
  // A record with a trailer that is right for another brick.
  std::vector<char> record(4096);
  std::FILE* file = std::fopen(path_.c_str(), "r+b");
  std::fseek(file, offset_of(path_, { 0, 0, 4 }), SEEK_SET);
  ASSERT_EQ(std::fread(record.data(), 1, record.size(), file), record.size());
  std::fseek(file, offset_of(path_, { 0, 0, 8 }), SEEK_SET);
  ASSERT_EQ(std::fwrite(record.data(), 1, record.size(), file), record.size());
  std::fclose(file);
  const auto source = open();
  EXPECT_EQ(BrickReader(*source).get({ 0, 0, 8 }).state, Lookup::State::Failed);
}

TEST_P(FileSources, DropWhatIsOverASmallerBudget)
{
  const auto source = open();
  EXPECT_EQ(wrong_in_all(*source), 0);
  source->set_memory_budget(minimum(1));
  EXPECT_EQ(source->memory_budget(), minimum(1));
  const std::int64_t before = source->statistics().bricks_read;
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_GT(source->statistics().bricks_read, before + 100); // hardly any was kept
}

TEST_P(FileSources, UseALargerBudget)
{
  const auto source = open(minimum(1));
  source->set_memory_budget(64 << 20);
  EXPECT_EQ(wrong_in_all(*source), 0);
  const std::int64_t before = source->statistics().bricks_read;
  EXPECT_EQ(wrong_in_all(*source), 0);
  EXPECT_EQ(source->statistics().bricks_read, before);
}

TEST_P(FileSources, ServeThreadsWhileTheBudgetChanges)
{
  const auto source = open();
  std::atomic<std::int64_t> wrong{ 0 };
  std::jthread reader([&] { wrong += hammer_together(*source, 3, 300); });
  for (int i = 0; i < 50; ++i)
  {
    source->set_memory_budget(minimum(i % 2 == 0 ? 3 : 300));
  }
  reader.join();
  EXPECT_EQ(wrong, 0);
}

TEST_P(FileSources, OrderBricksAsTheyLieInTheFile)
{
  const auto source = open();
  const std::int64_t first = offset_of(path_, { 0, 1, 0 }) - 4096 * source->storage_order({ 0, 1, 0 });
  for (const int index : { 1, 5, 17, 40, 71 })
  {
    const BrickKey key{ 0, 1, index };
    EXPECT_EQ(offset_of(path_, key), first + 4096 * source->storage_order(key));
  }
}

TEST_P(FileSources, KnowRangesOfBricks)
{
  const auto ranges = open()->brick_ranges(1, 0);
  ASSERT_TRUE(ranges);
  ASSERT_EQ(ranges->size(), static_cast<std::size_t>(open()->bricks(1).size()));
  EXPECT_EQ((*ranges)[0][0], static_cast<float>(value_at({ 1, 0, 0 }, 0, { 0, 0, 0 })));
  EXPECT_FALSE(open()->brick_ranges(1, 7));
}

TEST_P(FileSources, AreHealthyUntilTheFileIsReplaced)
{
  const auto source = open();
  EXPECT_TRUE(source->health());
  write_field(path_, small_field({ 0.0, 0.5 }));
  const Result<void> health = source->health();
  ASSERT_FALSE(health);
  EXPECT_EQ(health.error().path, path_);
  EXPECT_EQ(wrong_in_all(*source), 0); // the file it opened is still there
}

INSTANTIATE_TEST_SUITE_P(Strategies, FileSources, testing::ValuesIn(kStrategies),
    [](const auto& strategy)
    {
      std::string name = name_of(strategy.param);
      std::erase(name, ' ');
      return name;
    });

} // namespace rivulet::test
