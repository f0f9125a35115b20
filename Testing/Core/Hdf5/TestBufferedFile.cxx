// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/BufferedFile.h"
#include "Support/PageCache.h"
#include "Support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <optional>
#include <random>
#include <vector>

namespace rivulet::test
{
namespace
{

using hdf5::BufferedFile;

constexpr std::int64_t kMiB = std::int64_t{ 1 } << 20;
constexpr std::int64_t kSize = 48 * kMiB;

/// A file whose byte number i is i / 4096, of which a byte holds the rest.
class LargeFile : public ::testing::Test
{
protected:
  LargeFile()
  {
    std::vector<char> bytes(static_cast<std::size_t>(kSize));
    for (std::size_t i = 0; i < bytes.size(); ++i)
    {
      bytes[i] = static_cast<char>(i >> 12U);
    }
    std::ofstream(path_, std::ios::binary).write(bytes.data(), kSize);
  }

  static void expect_bytes(std::span<const std::byte> bytes, std::uint64_t address)
  {
    for (std::size_t at = 0; at < bytes.size(); at = std::min(at + 997, std::max(at + 1, bytes.size() - 1)))
    {
      ASSERT_EQ(std::to_integer<std::uint64_t>(bytes[at]), (address + at) >> 12U & 0xff) << address << " + " << at;
    }
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("large");
};

TEST_F(LargeFile, ViewsStayGoodWhileMuchMoreIsRead)
{
  const File file = *File::open(path_, File::Mode::Read);
  for (const std::int64_t wanted : { kSize, std::int64_t{ 0 } })
  {
    BufferedFile bytes(file, kSize, wanted, nullptr);
    std::vector<std::span<const std::byte>> views;
    for (std::int64_t at = 0; at + kMiB < kSize; at += kMiB / 2 + 77)
    {
      const auto view = bytes.view(static_cast<std::uint64_t>(at), 5000);
      ASSERT_TRUE(view.has_value());
      views.push_back(*view);
    }
    for (std::size_t i = 0; i < views.size(); ++i)
    {
      expect_bytes(views[i], i * (kMiB / 2 + 77));
    }
  }
}

TEST_F(LargeFile, SmallReadsHoldLittle)
{
  const File file = *File::open(path_, File::Mode::Read);
  hdf5::BlockPool pool;
  BufferedFile bytes(file, kSize, kSize, &pool);
  for (std::uint64_t at = 0; at + 5000 < kSize; at += 4099)
  {
    const auto view = bytes.small(at, 5000);
    ASSERT_TRUE(view.has_value());
    expect_bytes(*view, at);
  }
  EXPECT_LT(bytes.bytes_read(), kSize + kSize / 10);
  bytes.trim();
  EXPECT_TRUE(bytes.held(0, 10).empty());
}

/// As datasets lie in files: values, then what describes them, which is looked at first; now and then a group
/// elsewhere.
TEST_F(LargeFile, ReadsWhatLiesInOrderOnceWhateverIsLookedAtInBetween)
{
  constexpr std::uint64_t kValues = 85'000;
  constexpr std::uint64_t kStep = kValues + 600;
  const File file = *File::open(path_, File::Mode::Read);
  hdf5::BlockPool pool;
  BufferedFile bytes(file, kSize, kSize, &pool);
  std::int64_t elsewhere = 0;
  for (std::uint64_t at = 0; at + 2 * kStep < kSize; at += kStep)
  {
    if (at / kStep % 25 == 24)
    {
      const std::uint64_t far = kSize - 1000 - at / 2;
      ++elsewhere;
      const auto view = bytes.view(far, 300);
      ASSERT_TRUE(view.has_value());
      expect_bytes(*view, far);
    }
    const auto description = bytes.view(at + kValues, 500);
    ASSERT_TRUE(description.has_value());
    expect_bytes(*description, at + kValues);
    const auto values = bytes.small(at, kValues);
    ASSERT_TRUE(values.has_value());
    expect_bytes(*values, at);
  }
  EXPECT_LT(bytes.bytes_read(), kSize + (elsewhere + 1) * BufferedFile::kMuch);
}

/// In no order, near the last place, and in runs: whatever is asked for is there, and stays until it may go.
TEST_F(LargeFile, AnyViewsHoldWhatTheFileHolds)
{
  const File file = *File::open(path_, File::Mode::Read);
  std::mt19937_64 random(7);
  const auto below = [&](std::uint64_t end)
  {
    return random() % end;
  };
  for (const std::int64_t wanted : { kSize, std::int64_t{ 0 } })
  {
    hdf5::BlockPool pool;
    BufferedFile bytes(file, kSize, wanted, &pool);
    std::vector<std::pair<std::uint64_t, std::span<const std::byte>>> good;
    std::uint64_t near = 0;
    for (int turn = 0; turn < 3000; ++turn)
    {
      const std::uint64_t size = 1 + below(turn % 3 == 0 ? 300'000 : 3'000);
      const std::uint64_t jump = below(8) == 0 ? below(kSize) : near + below(200'000);
      const std::uint64_t at = std::min<std::uint64_t>(jump >= 100'000 ? jump - below(100'000) : jump, kSize - size);
      near = at + size;
      if (below(10) == 0)
      {
        good.clear();
        bytes.trim();
      }
      const auto view = bytes.view(at, size);
      ASSERT_TRUE(view.has_value());
      ASSERT_EQ(view->size(), size);
      good.emplace_back(at, *view);
      for (const auto& [address, seen] : good)
      {
        expect_bytes(seen, address);
      }
    }
  }
}

/// A damaged file may lead to the same place again and again.
TEST_F(LargeFile, WhatLiesInTwoBlocksIsNotCopiedForEver)
{
  const File file = *File::open(path_, File::Mode::Read);
  BufferedFile bytes(file, kSize, 0, nullptr);
  constexpr std::uint64_t kHalf = kSize / 2;
  ASSERT_TRUE(bytes.view(0, kHalf).has_value());
  ASSERT_TRUE(bytes.view(kHalf, kSize - kHalf).has_value());
  const std::byte* before = nullptr;
  int places = 0; // in memory
  for (int turn = 0; turn < 50; ++turn)
  {
    const auto view = bytes.view(1, kSize - 2);
    ASSERT_TRUE(view.has_value());
    expect_bytes(*view, 1);
    places += view->data() == before ? 0 : 1;
    before = view->data();
  }
  EXPECT_LE(places, 3);
}

TEST_F(LargeFile, WhatIsAskedForIsNotReadYet)
{
  constexpr std::int64_t kAsked = 20 * kMiB;
  const std::optional<File> file = cold_file(path_);
  if (!file)
  {
    GTEST_SKIP() << "files are always in memory here";
  }
  BufferedFile bytes(*file, kSize, 0, nullptr);
  for (const std::uint64_t at : { std::uint64_t{ kAsked }, std::uint64_t{ kSize }, ~std::uint64_t{ 0 } })
  {
    bytes.prefetch(at);
  }
  EXPECT_TRUE(comes_into_cache(path_, kAsked, kAsked + BufferedFile::kLittle));
  EXPECT_EQ(cached_pages(path_, 0, kMiB), 0);
  EXPECT_EQ(bytes.bytes_read(), 0);
  EXPECT_TRUE(bytes.held(0, 1).empty());
  const auto view = bytes.view(kSize - 10, 10);
  ASSERT_TRUE(view.has_value());
  expect_bytes(*view, kSize - 10);
}

TEST_F(LargeFile, ASmallFileIsReadAsAWholeForManyPiecesNearEachOtherUnlessItIsCached)
{
  const std::optional<File> file = cold_file(path_);
  if (!file)
  {
    GTEST_SKIP() << "files are always in memory here";
  }
  constexpr std::int64_t kPieces = BufferedFile::kWhole / BufferedFile::kNear;
  BufferedFile far(*file, BufferedFile::kWhole, { 100 * kPieces, kPieces / 2 }, nullptr);
  ASSERT_TRUE(far.view(BufferedFile::kWhole / 2, 10).has_value());
  EXPECT_LE(far.bytes_read(), BufferedFile::kLittle);
  BufferedFile near(*file, BufferedFile::kWhole, { 100 * kPieces, kPieces }, nullptr);
  ASSERT_TRUE(near.view(BufferedFile::kWhole / 2, 10).has_value());
  EXPECT_EQ(near.bytes_read(), BufferedFile::kWhole);
  EXPECT_TRUE(near.much_wanted());
  BufferedFile again(*file, BufferedFile::kWhole, { 100 * kPieces, kPieces }, nullptr);
  ASSERT_TRUE(again.view(BufferedFile::kWhole / 2, 10).has_value());
  const bool told = file->is_cached(0); // not every file system tells
  EXPECT_LE(again.bytes_read(), told ? BufferedFile::kLittle : BufferedFile::kWhole);
}

TEST_F(LargeFile, ManyPiecesOfALargeFileAreAskedForAheadAndNotReadThrough)
{
  const std::optional<File> file = cold_file(path_);
  if (!file)
  {
    GTEST_SKIP() << "files are always in memory here";
  }
  BufferedFile bytes(*file, kSize, { kSize / 100, kSize / BufferedFile::kNear }, nullptr);
  ASSERT_TRUE(bytes.view(0, 100).has_value());
  const std::int64_t second = bytes.bytes_read();
  ASSERT_TRUE(bytes.view(static_cast<std::uint64_t>(second), 100).has_value());
  EXPECT_TRUE(comes_into_cache(path_, second, second + BufferedFile::kReadAhead));
  EXPECT_LE(bytes.bytes_read(), 4 * BufferedFile::kLittle);
}

TEST_F(LargeFile, BlocksOfLittleThatIsWantedStaySmall)
{
  const File file = *File::open(path_, File::Mode::Read);
  BufferedFile bytes(file, kSize, 0, nullptr);
  for (std::uint64_t at = 0; at + kMiB < kSize; at += kMiB)
  {
    ASSERT_TRUE(bytes.view(at, 100).has_value());
  }
  EXPECT_LE(bytes.bytes_read(), kSize / kMiB * BufferedFile::kLittle);
}

} // namespace
} // namespace rivulet::test
