// SPDX-License-Identifier: BSD-3-Clause
// Field files that are cut short while they are open.
#include "Core/Store/BrickReader.h"
#include "Support/TemporaryFolder.h"

#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>

namespace rivulet::test
{

namespace
{

class CutShort : public testing::Test
{
protected:
  CutShort() { write_field(path, small_field()); }

  std::shared_ptr<FileBricks> open(AccessStrategy strategy, bool verify = true)
  {
    return *open_field({ path }, { .strategy = strategy, .memory_budget = 64 << 20, .verify = verify });
  }
  /// Removes the brick and all that follows.
  void cut() { std::filesystem::resize_file(path, static_cast<std::uintmax_t>(offset_of(path, key))); }

  static float first_float(const Lookup& found) { return *static_cast<const float*>(found.pin.view().data); }

  TemporaryFolder folder;
  std::string path = folder.file("field.rvf");
  BrickKey key{ 0, 0, 11 };
};

void expect_truncated(const Lookup& found, const std::string& path, std::int64_t offset = -1)
{
  ASSERT_EQ(found.state, Lookup::State::Failed);
  EXPECT_EQ(found.error->code, ErrorCode::Truncated);
  EXPECT_EQ(found.error->path, path);
  EXPECT_FALSE(found.error->remedy.empty());
  EXPECT_TRUE(offset < 0 || found.error->offset == offset) << found.error->offset;
}

} // namespace

TEST_F(CutShort, UnderAPinReadsNanThenFails)
{
  const auto source = open(AccessStrategy::MemoryMap);
  const Lookup found = source->try_get(key);
  ASSERT_EQ(found.state, Lookup::State::Ready);
  const std::int64_t offset = offset_of(path, key);
  cut();
  EXPECT_TRUE(std::isnan(first_float(found)));
  const Lookup again = source->try_get(key); // what a tracer does that met the NaN
  expect_truncated(again, path, offset);
}

TEST_F(CutShort, BeforeTheFirstTouchFails)
{
  const auto source = open(AccessStrategy::MemoryMap);
  cut();
  expect_truncated(source->try_get(key), path);
}

TEST_F(CutShort, WithoutVerificationReadsNanThenFails)
{
  const auto source = open(AccessStrategy::MemoryMap, false);
  cut();
  const Lookup found = source->try_get(key);
  ASSERT_EQ(found.state, Lookup::State::Ready);
  EXPECT_TRUE(std::isnan(first_float(found)));
  expect_truncated(source->try_get(key), path);
}

TEST_F(CutShort, LeavesOtherBricksReadable)
{
  const auto source = open(AccessStrategy::MemoryMap);
  std::int64_t before = 0;
  while (source->storage_order({ 0, 0, before }) > source->storage_order(key))
  {
    ++before;
  }
  cut();
  expect_truncated(source->try_get(key), path);
  const Lookup found = source->try_get({ 0, 0, before });
  ASSERT_EQ(found.state, Lookup::State::Ready);
  EXPECT_EQ(wrong_values(found.pin.view(), { 0, 0, before }, source->bricks(0)), 0);
}

TEST_F(CutShort, IsSeenByHealth)
{
  for (const AccessStrategy strategy : kStrategies)
  {
    write_field(path, small_field());
    const auto source = open(strategy);
    EXPECT_TRUE(source->health());
    cut();
    const Result<void> health = source->health();
    ASSERT_FALSE(health);
    EXPECT_EQ(health.error().code, ErrorCode::Truncated);
    EXPECT_EQ(health.error().path, path);
    EXPECT_GE(health.error().offset, 0);
  }
}

TEST_F(CutShort, FailsBricksThatAreReadIntoTheCache)
{
  for (const AccessStrategy strategy :
      { AccessStrategy::BufferedCache, AccessStrategy::DirectCache, AccessStrategy::Asynchronous })
  {
    write_field(path, small_field());
    const auto source = open(strategy);
    cut();
    expect_truncated(BrickReader(*source).get(key), path);
  }
}

TEST_F(CutShort, StaysSoInTheCacheWhatWasReadBefore)
{
  const auto source = open(AccessStrategy::BufferedCache);
  ASSERT_EQ(source->try_get(key).state, Lookup::State::Ready);
  cut();
  const Lookup found = source->try_get(key);
  ASSERT_EQ(found.state, Lookup::State::Ready);
  EXPECT_EQ(wrong_values(found.pin.view(), key, source->bricks(0)), 0);
}

} // namespace rivulet::test
