// SPDX-License-Identifier: BSD-3-Clause
#include "Curve/Hilbert.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <ostream>
#include <random>
#include <set>
#include <vector>

namespace rivulet
{

namespace
{

/// Largest difference of two points along any axis.
int chebyshev(const Int3& a, const Int3& b)
{
  return std::max({ std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2]) });
}

/// Mean number of stretches of 64 bricks of the file, as a read-ahead would fetch them, that a box of 4 x 4 x 4 bricks
/// needs.
template <class Number>
double mean_stretches(Number&& number)
{
  std::mt19937 random(7);
  const int boxes = 500;
  std::size_t stretches = 0;
  for (int box = 0; box < boxes; ++box)
  {
    const auto corner = from_row_major(static_cast<std::int64_t>(random() % 262144), { 64, 64, 64 });
    std::set<std::int64_t> needed;
    for (std::int64_t i = 0; i < 64; ++i)
    {
      const Int3 at = from_row_major(i, { 4, 4, 4 });
      needed.insert(number(Int3{ corner[0] + at[0], corner[1] + at[1], corner[2] + at[2] }) / 64);
    }
    stretches += needed.size();
  }
  return static_cast<double>(stretches) / boxes;
}

} // namespace

class CurveOf : public testing::TestWithParam<Int3>
{
};

TEST_P(CurveOf, VisitsEveryPointOnce)
{
  const HilbertCurve curve(GetParam());
  std::vector<bool> seen(static_cast<std::size_t>(curve.size()), false);
  for (std::int64_t index = 0; index < curve.size(); ++index)
  {
    const Int3 at = curve.at(index);
    ASSERT_TRUE((Box{ { 0, 0, 0 }, curve.dims() }.contains(at)));
    const auto number = static_cast<std::size_t>(row_major(at, curve.dims()));
    ASSERT_FALSE(seen[number]);
    seen[number] = true;
    ASSERT_EQ(curve.index(at), index);
  }
}

TEST_P(CurveOf, GoesFromNeighbourToNeighbour)
{
  const HilbertCurve curve(GetParam());
  Int3 before = curve.at(0);
  for (std::int64_t index = 1; index < curve.size(); ++index)
  {
    const Int3 at = curve.at(index);
    ASSERT_EQ(chebyshev(before, at), 1) << "at " << index;
    before = at;
  }
}

INSTANTIATE_TEST_SUITE_P(Boxes, CurveOf,
    testing::Values(Int3{ 1, 1, 1 }, Int3{ 17, 1, 1 }, Int3{ 1, 17, 1 }, Int3{ 1, 1, 17 }, Int3{ 2, 2, 2 },
        Int3{ 3, 3, 3 }, Int3{ 8, 8, 8 }, Int3{ 13, 11, 7 }, Int3{ 7, 11, 13 }, Int3{ 11, 13, 7 }, Int3{ 31, 31, 31 },
        Int3{ 64, 1, 64 }, Int3{ 1, 37, 23 }, Int3{ 41, 29, 1 }, Int3{ 100, 2, 3 }, Int3{ 2, 100, 3 },
        Int3{ 2, 3, 100 }, Int3{ 65, 40, 7 }, Int3{ 40, 40, 20 }, Int3{ 5, 47, 48 }, Int3{ 29, 1, 28 }));

TEST(HilbertCurve, FitsAllSmallBoxes)
{
  for (std::int64_t number = 0; number < 9 * 9 * 9; ++number)
  {
    const Int3 less = from_row_major(number, { 9, 9, 9 });
    const HilbertCurve curve({ less[0] + 1, less[1] + 1, less[2] + 1 });
    Int3 before = curve.at(0);
    for (std::int64_t index = 0; index < curve.size(); ++index)
    {
      const Int3 at = curve.at(index);
      ASSERT_EQ(curve.index(at), index);
      ASSERT_LE(chebyshev(before, at), 1);
      before = at;
    }
  }
}

TEST(HilbertCurve, TakesOnlyStraightStepsThroughCubesOfPowersOfTwo)
{
  const HilbertCurve curve({ 16, 16, 16 });
  Int3 before = curve.at(0);
  for (std::int64_t index = 1; index < curve.size(); ++index)
  {
    const Int3 at = curve.at(index);
    ASSERT_EQ(std::abs(at[0] - before[0]) + std::abs(at[1] - before[1]) + std::abs(at[2] - before[2]), 1);
    before = at;
  }
}

TEST(HilbertCurve, FindsItsWayBackInHugeBoxes)
{
  for (const Int3& dims : { Int3{ 1 << 20, 1 << 20, 1 << 20 }, { 1048573, 999983, 7 }, { 3, 1 << 30, 1 << 28 } })
  {
    const HilbertCurve curve(dims);
    std::mt19937_64 random(1);
    for (int i = 0; i < 2000; ++i)
    {
      const auto index = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(curve.size()));
      ASSERT_EQ(curve.index(curve.at(index)), index);
    }
    EXPECT_EQ(curve.index(curve.at(curve.size() - 1)), curve.size() - 1);
  }
}

TEST(HilbertCurve, StartsAtTheCornerAndEndsAlongTheLongestSide)
{
  EXPECT_EQ(HilbertCurve({ 8, 8, 8 }).at(0), (Int3{ 0, 0, 0 }));
  EXPECT_EQ(HilbertCurve({ 4, 16, 8 }).at(4 * 16 * 8 - 1), (Int3{ 0, 15, 0 }));
}

TEST(HilbertCurve, KeepsNeighboursTogetherBetterThanRowsDo)
{
  const Int3 dims{ 72, 70, 68 };
  const HilbertCurve curve(dims);
  const double hilbert = mean_stretches([&](const Int3& at) { return curve.index(at); });
  const double rows = mean_stretches([&](const Int3& at) { return row_major(at, dims); });
  RecordProperty("hilbert", std::to_string(hilbert));
  RecordProperty("rows", std::to_string(rows));
  EXPECT_LT(hilbert, 0.6 * rows);
}

} // namespace rivulet
