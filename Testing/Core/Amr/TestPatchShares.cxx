// SPDX-License-Identifier: BSD-3-Clause
#include "Amr/PatchShares.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

namespace rivulet::test
{
namespace
{

AmrDump random_dump(std::mt19937& random, std::int32_t patches, std::int32_t files, std::int32_t longest)
{
  AmrDump dump;
  dump.patches.resize(static_cast<std::size_t>(patches));
  for (std::int32_t i = 0; i < patches; ++i)
  {
    AmrPatch& patch = dump.patches[static_cast<std::size_t>(i)];
    patch.level = i * 3 / patches;
    patch.file = static_cast<std::int32_t>(random() % static_cast<unsigned>(files));
    for (std::int32_t& end : patch.cells.end)
    {
      end = 1 + static_cast<std::int32_t>(random() % static_cast<unsigned>(longest));
    }
  }
  return dump;
}

TEST(PatchShares, EachPatchOfTheLevelsBelongsToOneProcess)
{
  std::mt19937 random(1);
  for (int turn = 0; turn < 200; ++turn)
  {
    const AmrDump dump = random_dump(random, 1 + static_cast<std::int32_t>(random() % 60), 5, 9);
    const int parts = 1 + static_cast<int>(random() % 9);
    const int finest = static_cast<int>(random() % 3);
    std::vector<std::int32_t> all;
    for (int part = 0; part < parts; ++part)
    {
      const std::vector<std::int32_t> mine = share_of_patches(dump, finest, part, parts);
      ASSERT_TRUE(std::is_sorted(mine.begin(), mine.end()));
      all.insert(all.end(), mine.begin(), mine.end());
    }
    std::sort(all.begin(), all.end());
    std::vector<std::int32_t> expected;
    for (std::size_t i = 0; i < dump.patches.size(); ++i)
    {
      if (dump.patches[i].level <= finest)
      {
        expected.push_back(static_cast<std::int32_t>(i));
      }
    }
    ASSERT_EQ(all, expected) << turn;
  }
}

/// The shares differ by a patch at each of their two ends.
TEST(PatchShares, SharesHaveAboutTheSameCells)
{
  std::mt19937 random(2);
  for (int turn = 0; turn < 100; ++turn)
  {
    const AmrDump dump = random_dump(random, 100, 10, 8);
    std::int64_t cells = 0;
    std::int64_t largest = 0;
    for (const AmrPatch& patch : dump.patches)
    {
      cells += patch.cells.count();
      largest = std::max(largest, patch.cells.count());
    }
    for (int part = 0; part < 4; ++part)
    {
      std::int64_t mine = 0;
      for (const std::int32_t number : share_of_patches(dump, 2, part, 4))
      {
        mine += dump.patches[static_cast<std::size_t>(number)].cells.count();
      }
      ASSERT_LE(std::abs(mine - cells / 4), largest + 1) << turn;
    }
  }
}

/// Shares are contiguous in the order of files: a process shares only its first and its last file with others.
TEST(PatchShares, AFileIsOpenedByFewProcesses)
{
  std::mt19937 random(3);
  const AmrDump dump = random_dump(random, 300, 30, 6);
  std::map<std::int32_t, std::set<int>> readers;
  constexpr int kParts = 5;
  for (int part = 0; part < kParts; ++part)
  {
    for (const std::int32_t number : share_of_patches(dump, 2, part, kParts))
    {
      readers[dump.patches[static_cast<std::size_t>(number)].file].insert(part);
    }
  }
  std::size_t opened = 0;
  for (const auto& [file, parts] : readers)
  {
    opened += parts.size();
  }
  EXPECT_LE(opened, readers.size() + kParts - 1);
}

TEST(PatchShares, MoreProcessesThanPatchesLeaveSomeWithout)
{
  std::mt19937 random(4);
  const AmrDump dump = random_dump(random, 3, 1, 4);
  std::size_t patches = 0;
  for (int part = 0; part < 50; ++part)
  {
    patches += share_of_patches(dump, 2, part, 50).size();
  }
  EXPECT_EQ(patches, 3U);
}

} // namespace
} // namespace rivulet::test
