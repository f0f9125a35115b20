// SPDX-License-Identifier: BSD-3-Clause
#include "Hdf5/BlockPool.h"
#include "Hdf5/BufferedFile.h"
#include "Support/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <latch>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace rivulet::test
{
namespace
{

using hdf5::BlockPool;

constexpr std::size_t kSmall = BlockPool::kLent[0];
constexpr std::size_t kLarge = BlockPool::kLent[1];

TEST(BlockPool, BlocksHaveOneOfTwoSizesWhereThatIsWorthwhile)
{
  BlockPool pool;
  const std::vector<std::pair<std::size_t, std::size_t>> sizes{ { 0, 0 }, { 1, 1 },
    { BlockPool::kWorthwhile - 1, BlockPool::kWorthwhile - 1 }, { BlockPool::kWorthwhile, kSmall }, { kSmall, kSmall },
    { kSmall + 1, kLarge }, { kLarge, kLarge }, { kLarge + 1, kLarge + 1 } };
  for (const auto& [wanted, given] : sizes)
  {
    EXPECT_EQ(pool.take(wanted).size(), given);
  }
}

TEST(BlockPool, ABlockThatComesBackServesTheNextOfItsSize)
{
  BlockPool pool;
  for (const std::size_t size : { kSmall, kLarge })
  {
    Buffer<std::byte> block = pool.take(size);
    const std::byte* const place = block.data();
    pool.give_back(std::move(block));
    const Buffer<std::byte> other = pool.take(size == kSmall ? kLarge : kSmall);
    EXPECT_NE(other.data(), place);
    for (const std::size_t wanted : { size, size - 1 })
    {
      Buffer<std::byte> next = pool.take(wanted);
      EXPECT_EQ(next.data(), place);
      EXPECT_EQ(next.size(), size);
      pool.give_back(std::move(next));
    }
  }
}

TEST(BlockPool, BlocksOfOtherSizesAreNotLent)
{
  BlockPool pool;
  for (const std::size_t size : { std::size_t{ 0 }, kSmall - 1, kSmall + 1, kLarge - 1, kLarge + 1 })
  {
    pool.give_back(Buffer<std::byte>(size));
  }
  EXPECT_EQ(pool.take(kSmall - 1).size(), kSmall);
  EXPECT_EQ(pool.take(kLarge - 1).size(), kLarge);
}

TEST(BlockPool, BlocksOutliveTheClearingAndTheEndOfTheirPool)
{
  std::optional<BlockPool> pool(std::in_place);
  Buffer<std::byte> first = pool->take(kSmall);
  Buffer<std::byte> second = pool->take(kLarge);
  pool->give_back(pool->take(kSmall));
  pool->clear();
  std::fill(first.begin(), first.end(), std::byte{ 1 });
  const std::byte* const place = first.data();
  pool->give_back(std::move(first));
  EXPECT_EQ(pool->take(kSmall).data(), place) << "a pool that was cleared is used on";
  pool.reset();
  std::fill(second.begin(), second.end(), std::byte{ 2 });
  EXPECT_EQ(second[kLarge - 1], std::byte{ 2 });
}

TEST(BlockPool, ThreadsHaveBlocksOfTheirOwn)
{
  constexpr int kThreads = 4;
  BlockPool pool;
  std::latch begin(kThreads);
  std::atomic<int> taken_away = 0;
  const auto work = [&](int thread)
  {
    const auto mine = std::byte{ static_cast<unsigned char>(thread) };
    begin.arrive_and_wait();
    for (int turn = 0; turn < 50000; ++turn)
    {
      Buffer<std::byte> block = pool.take(turn % 8 == 0 ? kLarge : kSmall);
      block[0] = mine;
      if (turn % 16 == 0)
      {
        std::this_thread::yield(); // another thread with this block would write into it now
      }
      taken_away += block[0] == mine ? 0 : 1;
      pool.give_back(std::move(block));
    }
  };
  {
    std::vector<std::jthread> team;
    team.reserve(kThreads);
    for (int thread = 0; thread < kThreads; ++thread)
    {
      team.emplace_back(work, thread);
    }
  }
  EXPECT_EQ(taken_away, 0);
}

TEST(BlockPool, BlocksOfAFileServeTheNextFile)
{
  const TemporaryFolder folder;
  std::ofstream(folder.file("file"), std::ios::binary) << std::string(kSmall, 'x');
  const File file = *File::open(folder.file("file"), File::Mode::Read);
  BlockPool pool;
  const std::byte* place = nullptr;
  for (int turn = 0; turn < 3; ++turn)
  {
    hdf5::BufferedFile bytes(file, kSmall, kSmall, &pool);
    const auto view = bytes.view(0, 10);
    ASSERT_TRUE(view.has_value());
    EXPECT_TRUE(turn == 0 || view->data() == place);
    place = view->data();
  }
}

} // namespace
} // namespace rivulet::test
