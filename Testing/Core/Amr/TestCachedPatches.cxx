// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Patches of a dump with a local cache: the values are those of the files, whatever the cache has.
#include "Amr/CachedPatches.h"
#include "Amr/PatchStore.h"
#include "Core/Amr/MadeDump.h"
#include "Support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <thread>

namespace rivulet::test
{
namespace
{

const char* const kMade = "--cells 24 24 24 --levels 2 --patches 3 --variable name=a,type=f8 "
                          "--variable name=v,shape=vector,ghosts=1 --variable name=few,missing=L1";

class CachedPatchReading : public testing::Test
{
protected:
  CachedPatchReading()
  {
    // The identity of a file that has just been written is not known for sure.
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    patches_.resize(dump_.patches.size());
    std::iota(patches_.begin(), patches_.end(), 0);
  }
  std::shared_ptr<LocalCache> open_cache() { return *LocalCache::open({ folder_.file("cache"), 32 * kMiB }); }
  PatchData read(std::shared_ptr<LocalCache> cache, bool ghosts = false, std::vector<std::int32_t> variables = { 0, 1 })
  {
    PatchReader reader;
    PatchReadOptions options{ .keep_ghosts = ghosts };
    options.local_cache = cache;
    Result<PatchData> data = reader.read(dump_, patches_, variables, options);
    if (cache)
    {
      cache->flush();
    }
    return std::move(*data);
  }
  static void expect_same(PatchData& a, PatchData& b)
  {
    ASSERT_EQ(a.values.size(), b.values.size());
    for (std::size_t i = 0; i < a.values.size(); ++i)
    {
      const PatchVariable& one = a.values[i];
      const PatchVariable& other = b.values[i];
      EXPECT_EQ(one.state, other.state);
      EXPECT_EQ(one.type, other.type);
      EXPECT_EQ(one.components, other.components);
      EXPECT_EQ(one.size, other.size);
      ASSERT_EQ(one.values.size(), other.values.size());
      EXPECT_TRUE(std::equal(one.values.begin(), one.values.end(), other.values.begin()));
    }
  }

  const MadeDump made_{ kMade };
  AmrDump dump_ = made_.open();
  std::vector<std::int32_t> patches_;
  TemporaryFolder folder_;
};

TEST_F(CachedPatchReading, IsServedByTheRunBefore)
{
  PatchData expected = read(nullptr);
  PatchData first = read(open_cache());
  expect_same(first, expected);
  EXPECT_EQ(first.statistics.bytes_from_local_cache, 0);
  PatchData second = read(open_cache());
  expect_same(second, expected);
  EXPECT_EQ(second.statistics.bytes_read, 0);
  EXPECT_GT(second.statistics.bytes_from_local_cache, 0);
}

TEST_F(CachedPatchReading, KeepsGhostLayersApart)
{
  read(open_cache());
  PatchData expected = read(nullptr, true);
  PatchData ghosts = read(open_cache(), true);
  expect_same(ghosts, expected);
  EXPECT_EQ(read(open_cache(), true).statistics.bytes_read, 0);
  PatchData without = read(nullptr);
  PatchData again = read(open_cache());
  expect_same(again, without);
}

TEST_F(CachedPatchReading, ReadsVariablesThatSomePatchesLack)
{
  PatchData expected = read(nullptr, false, { 0, 2 });
  for (int turn = 0; turn < 2; ++turn)
  {
    PatchData data = read(open_cache(), false, { 0, 2 });
    expect_same(data, expected);
  }
}

TEST_F(CachedPatchReading, ReadsFilesThatHaveChangedAnew)
{
  read(open_cache());
  for (const std::string& file : dump_.files)
  {
    std::filesystem::last_write_time(file, std::filesystem::last_write_time(file) + std::chrono::seconds(5));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  PatchData again = read(open_cache());
  EXPECT_GT(again.statistics.bytes_read, 0);
  EXPECT_EQ(again.statistics.bytes_from_local_cache, 0);
}

TEST_F(CachedPatchReading, ReadsDamagedValuesFromTheFiles)
{
  PatchData expected = read(nullptr);
  read(open_cache());
  {
    std::fstream file(folder_.file("cache") + "/" + kCacheFileName, std::ios::in | std::ios::out | std::ios::binary);
    const CacheShape shape(*CacheShape::header_for(32 * kMiB, 0));
    for (std::int64_t at = shape.place_of_values(0); at < shape.place_of_values(2); at += 2 * kPage)
    {
      file.seekp(at + 17);
      file.put('x');
    }
  }
  PatchData again = read(open_cache());
  expect_same(again, expected);
  EXPECT_GT(again.statistics.bytes_read, 0);
}

TEST_F(CachedPatchReading, ServesPatchesOnDemand)
{
  PatchStore first(made_.open(), 0, open_cache());
  PatchStore plain(made_.open(), 0);
  for (const std::int32_t patch : patches_)
  {
    ASSERT_TRUE(first.hold(patch, 1));
  }
  open_cache()->flush();
  PatchStore second(made_.open(), 0, open_cache());
  for (const std::int32_t patch : patches_)
  {
    const auto held = second.hold(patch, 1);
    const auto expected = plain.hold(patch, 1);
    ASSERT_TRUE(held && expected);
    ASSERT_EQ((*held)->values.size(), (*expected)->values.size());
    EXPECT_TRUE(std::equal((*held)->values.begin(), (*held)->values.end(), (*expected)->values.begin()));
  }
  EXPECT_EQ(second.statistics().bytes_read, 0);
  EXPECT_GT(second.statistics().bytes_from_local_cache, 0);
}

} // namespace
} // namespace rivulet::test
