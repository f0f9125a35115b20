// SPDX-License-Identifier: BSD-3-Clause
#include "Base/PageSlabs.h"
#include "Parallel/Team.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <optional>
#include <set>
#include <unistd.h>
#include <vector>

namespace rivulet::test
{
namespace
{

TEST(PageSlabs, ArraysOfAnySizeKeepTheirBytes)
{
  PageSlabs slabs;
  std::vector<SlabBuffer> arrays;
  for (std::size_t i = 0; i < 600; ++i)
  {
    const std::size_t size = i % 97 == 0 ? (std::size_t{ 3 } << 20) + i : 1 + 37 * i;
    arrays.emplace_back(slabs, size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arrays.back().data()) % 64, 0U);
    std::memset(arrays.back().data(), static_cast<int>(i % 251), size);
  }
  for (std::size_t i = 0; i < arrays.size(); ++i)
  {
    for (const std::byte value : { *arrays[i].begin(), *(arrays[i].end() - 1) })
    {
      ASSERT_EQ(std::to_integer<std::size_t>(value), i % 251) << i;
    }
  }
}

TEST(PageSlabs, NoBytesAreNoMemory)
{
  PageSlabs slabs;
  SlabBuffer none(slabs, 0);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.release(), nullptr);
  free_slab_memory(nullptr);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // which keep what is freed, and shadows of it

std::int64_t resident_bytes()
{
  std::int64_t all = 0;
  std::int64_t resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

TEST(PageSlabs, FewBytesDoNotTakeAHugePage)
{
  constexpr std::int64_t kEach = 100'000;
  std::vector<SlabBuffer> arrays;
  const std::int64_t before = resident_bytes();
  for (int i = 0; i < 100; ++i)
  {
    PageSlabs slabs;
    slabs.expect(2 * kEach);
    for (int part = 0; part < 2; ++part)
    {
      arrays.emplace_back(slabs, kEach);
      std::memset(arrays.back().data(), 1, kEach);
    }
  }
  EXPECT_LT(resident_bytes() - before, 2 * 200 * kEach);
}

#endif

/// Nor is each of those a slab of its own.
TEST(PageSlabs, MoreThanWasExpected)
{
  PageSlabs slabs;
  slabs.expect(1000);
  std::vector<SlabBuffer> arrays;
  for (int i = 0; i < 100; ++i)
  {
    arrays.emplace_back(slabs, 100 * (i % 10 + 1));
    std::memset(arrays.back().data(), i, arrays.back().size());
  }
  std::set<std::uintptr_t> slabs_used;
  for (const SlabBuffer& array : arrays)
  {
    slabs_used.insert(reinterpret_cast<std::uintptr_t>(array.data()) >> 21U);
  }
  EXPECT_LE(slabs_used.size(), 8U);
  for (int i = 0; i < 100; ++i)
  {
    const SlabBuffer& array = arrays[static_cast<std::size_t>(i)];
    EXPECT_TRUE(std::all_of(array.begin(), array.end(), [&](std::byte value) { return value == std::byte(i); })) << i;
  }
}

TEST(PageSlabs, ArraysOutliveWhatCutThemAndAreFreedAnywhere)
{
  std::vector<void*> taken;
  {
    std::optional<PageSlabs> slabs(std::in_place);
    for (int i = 0; i < 5000; ++i)
    {
      SlabBuffer array(*slabs, 4096);
      std::memset(array.data(), i % 200, array.size());
      taken.push_back(array.release());
    }
  }
  for (std::size_t i = 0; i < taken.size(); ++i)
  {
    ASSERT_EQ(static_cast<unsigned char*>(taken[i])[4095], i % 200);
  }
  run_team(4,
      [&](int thread)
      {
        for (auto i = static_cast<std::size_t>(thread); i < taken.size(); i += 4)
        {
          free_slab_memory(taken[i]);
        }
      });
}

} // namespace
} // namespace rivulet::test
