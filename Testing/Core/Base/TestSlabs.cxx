// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Slabs.h"
#include "Parallel/Team.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

namespace rivulet::test
{
namespace
{

TEST(Slabs, ArraysOfAnySizeKeepTheirBytes)
{
  Slabs slabs;
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

TEST(Slabs, NoBytesAreNoMemory)
{
  Slabs slabs;
  SlabBuffer none(slabs, 0);
  EXPECT_TRUE(none.empty());
  EXPECT_EQ(none.release(), nullptr);
  free_slab_memory(nullptr);
}

TEST(Slabs, ArraysOutliveWhatCutThemAndAreFreedAnywhere)
{
  std::vector<void*> taken;
  {
    std::optional<Slabs> slabs(std::in_place);
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
