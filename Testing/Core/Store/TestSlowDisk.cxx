// SPDX-License-Identifier: BSD-3-Clause
// Field files on a disk that is slow or fails: every brick is right or refused, whatever the strategy.
#include "Core/Store/BrickReader.h"
#include "Support/SlowDisk/SlowDisk.h"

#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

class SlowReads : public testing::TestWithParam<AccessStrategy>
{
protected:
  SlowReads()
    : disk_(folder_.path(), { "--latency", "0.5", "--depth", "8" })
  {
    write_field(folder_.file("field.rvf"), small_field({ 0.0, 0.5 }));
  }
  void SetUp() override
  {
    if (!disk_.mounted())
    {
      GTEST_SKIP() << disk_.why_not();
    }
  }
  std::shared_ptr<FileBricks> open()
  {
    auto field = open_field({ disk_.file("field.rvf") }, { .strategy = GetParam(), .memory_budget = 64 << 20 });
    EXPECT_TRUE(field) << field.error().describe();
    return *field;
  }
  /// Bricks that are refused; wrong values are failures of the test.
  std::int64_t refused(BrickSource& source)
  {
    BrickReader reader(source);
    std::int64_t count = 0;
    for (const BrickKey& key : all_keys(source))
    {
      const Lookup found = reader.get(key);
      count += found.state == Lookup::State::Failed ? 1 : 0;
      if (found.state == Lookup::State::Ready)
      {
        EXPECT_EQ(wrong_values(found.pin.view(), key, source.bricks(key.variable)), 0);
      }
    }
    return count;
  }

  TemporaryFolder folder_;
  SlowDisk disk_;
};

} // namespace

TEST_P(SlowReads, AreRight)
{
  EXPECT_EQ(refused(*open()), 0);
}

TEST_P(SlowReads, LoseOnlyWhatCannotBeRead)
{
  const BrickKey bad{ 0, 1, 9 };
  const auto source = open();
  const std::int64_t offset = offset_of(folder_.file("field.rvf"), bad);
  disk_.set_faults("eio " + std::to_string(offset) + " " + std::to_string(offset + 4096) + "\n");
  const std::int64_t lost = refused(*source);
  EXPECT_GE(lost, 1);
  EXPECT_LE(lost, 32); // the kernel's own reads are larger than a brick
  EXPECT_EQ(BrickReader(*source).get(bad).state, Lookup::State::Failed);
}

TEST_P(SlowReads, NeverTakeAShortAnswerForTheWhole)
{
  const auto source = open();
  // The page cache fills up by zeros what it did not get of a page, and only the checksum finds out.
  const bool through_page_cache =
      GetParam() == AccessStrategy::MemoryMap || GetParam() == AccessStrategy::BufferedCache;
  disk_.set_faults(through_page_cache ? "short 1000\n" : "short 5000\n");
  EXPECT_EQ(refused(*source) > 0, through_page_cache);
}

TEST_P(SlowReads, ComeAgainWhereTheDiskIsBusy)
{
  const auto source = open();
  disk_.set_faults("busy 3\n");
  const std::int64_t lost = refused(*source);
  if (GetParam() == AccessStrategy::Asynchronous)
  {
    EXPECT_EQ(lost, 0);
  }
}

TEST_P(SlowReads, EndWhenTheFileIsCutShort)
{
  const auto source = open();
  EXPECT_EQ(refused(*source), 0);
  std::filesystem::resize_file(folder_.file("field.rvf"), 100'000);
  const auto again = open_field({ disk_.file("field.rvf") }, { .strategy = GetParam() });
  EXPECT_FALSE(again);
  EXPECT_FALSE(source->health());
}

INSTANTIATE_TEST_SUITE_P(Strategies, SlowReads, testing::ValuesIn(kStrategies),
    [](const auto& strategy)
    {
      std::string name = name_of(strategy.param);
      std::erase(name, ' ');
      return name;
    });

} // namespace rivulet::test
