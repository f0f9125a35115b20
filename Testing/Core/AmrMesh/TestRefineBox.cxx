// SPDX-License-Identifier: BSD-3-Clause
#include "AmrMesh/RefineBox.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace rivulet::test
{
namespace
{

TEST(RefineBox, CoarseningTakesAllCellsThatAreTouched)
{
  std::mt19937 random(4);
  for (int turn = 0; turn < 2000; ++turn)
  {
    Box fine;
    Int3 ratio;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      fine.begin[axis] = static_cast<std::int32_t>(random() % 40) - 20;
      fine.end[axis] = fine.begin[axis] + 1 + static_cast<std::int32_t>(random() % 9);
      ratio[axis] = 1 + static_cast<std::int32_t>(random() % 5);
    }
    const Box coarse = coarsen(fine, ratio);
    const Box around = refine(coarse, ratio);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      ASSERT_LE(around.begin[axis], fine.begin[axis]);
      ASSERT_GE(around.end[axis], fine.end[axis]);
      ASSERT_LT(fine.begin[axis] - around.begin[axis], ratio[axis]);
      ASSERT_LT(around.end[axis] - fine.end[axis], ratio[axis]);
    }
    ASSERT_EQ(coarsen(around, ratio), coarse);
    ASSERT_EQ(covered_by(around, ratio), coarse);
  }
}

TEST(RefineBox, RefiningStopsAtTheEndsOfAllIndices)
{
  using Limits = std::numeric_limits<std::int32_t>;
  const Box fine = refine({ { Limits::min() / 2, -1, 0 }, { Limits::max() / 2, 1, 1 } }, { 4, 4, 4 });
  EXPECT_EQ(fine, (Box{ { Limits::min(), -4, 0 }, { Limits::max(), 4, 4 } }));
}

/// Whether every part of a coarser cell lies in the box.
bool covers(const Box& fine, const Int3& cell, const Int3& ratio)
{
  const Box parts = refine({ cell, { cell[0] + 1, cell[1] + 1, cell[2] + 1 } }, ratio);
  return intersect(parts, fine) == parts;
}

TEST(RefineBox, ABoxCoversTheCellsWhosePartsItHas)
{
  std::mt19937 random(5);
  for (int turn = 0; turn < 200; ++turn)
  {
    Box fine;
    Int3 ratio;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      fine.begin[axis] = static_cast<std::int32_t>(random() % 40) - 20;
      fine.end[axis] = fine.begin[axis] + 1 + static_cast<std::int32_t>(random() % 9);
      ratio[axis] = 1 + static_cast<std::int32_t>(random() % 4);
    }
    const Box touched = coarsen(fine, ratio);
    const Box covered = covered_by(fine, ratio);
    Int3 at;
    for (at[2] = touched.begin[2]; at[2] < touched.end[2]; ++at[2])
    {
      for (at[1] = touched.begin[1]; at[1] < touched.end[1]; ++at[1])
      {
        for (at[0] = touched.begin[0]; at[0] < touched.end[0]; ++at[0])
        {
          ASSERT_EQ(covered.contains(at), covers(fine, at, ratio));
        }
      }
    }
    ASSERT_TRUE(covered.empty() || intersect(touched, covered) == covered);
  }
}

} // namespace
} // namespace rivulet::test
