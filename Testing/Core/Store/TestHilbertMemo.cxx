// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Locate/HilbertMemo.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <set>
#include <thread>
#include <vector>

namespace rivulet::test
{

TEST(HilbertMemo, AgreesWithTheCurveThoughEntriesCollide)
{
  const Int3 dims{ 61, 47, 29 }; // more bricks than entries
  const HilbertCurve curve(dims);
  const HilbertMemo memo(dims);
  std::int64_t wrong = 0;
  for (int pass = 0; pass < 2; ++pass)
  {
    for (std::int64_t index = 0; index < volume(dims); index += 1 + pass)
    {
      const std::int64_t truth = curve.index(from_row_major(index, dims));
      wrong += memo.index(index) == truth && memo.index(index) == truth ? 0 : 1;
    }
  }
  EXPECT_EQ(wrong, 0);
}

TEST(HilbertMemo, ServesGridsWhoseNumbersDoNotFitItsEntries)
{
  const Int3 dims{ 4096, 4096, 4096 };
  const HilbertMemo memo(dims);
  const std::int64_t last = volume(dims) - 1;
  EXPECT_EQ(memo.index(last), HilbertCurve(dims).index({ 4095, 4095, 4095 }));
  EXPECT_EQ(memo.index(0), 0);
}

/// Numbers that would fit an entry and end in ones, with answers that would not fit and spill over these.
TEST(HilbertMemo, GivesTheSameAnswerAgainThoughItDoesNotFit)
{
  const Int3 dims{ 4096, 4096, 4096 };
  const HilbertCurve curve(dims);
  const HilbertMemo memo(dims);
  std::int64_t largest = 0;
  for (const Int3& at : { Int3{ 4094, 0, 0 }, Int3{ 4094, 4095, 0 }, Int3{ 4094, 2048, 255 } })
  {
    const std::int64_t number = row_major(at, dims);
    ASSERT_LT(number, 0xfffffffe);
    EXPECT_EQ(memo.index(number), curve.index(at));
    EXPECT_EQ(memo.index(number), curve.index(at));
    largest = std::max(largest, curve.index(at));
  }
  EXPECT_GT(largest, 0xffffffff);
}

TEST(HilbertMemo, ServesGridsOfOneBrickAndFlatOnes)
{
  EXPECT_EQ(HilbertMemo({ 1, 1, 1 }).index(0), 0);
  const Int3 flat{ 7, 1, 5 };
  const HilbertMemo memo(flat);
  EXPECT_EQ(memo.dims(), flat);
  std::set<std::int64_t> places;
  for (std::int64_t index = 0; index < volume(flat); ++index)
  {
    places.insert(memo.index(index));
  }
  EXPECT_EQ(static_cast<std::int64_t>(places.size()), volume(flat));
  EXPECT_EQ(*places.rbegin(), volume(flat) - 1);
}

/// Numbers that differ by a multiple of the entries share one: a thread must never take the answer of the other.
TEST(HilbertMemo, NeverMixesQuestionsOfDifferentThreads)
{
  const Int3 dims{ 64, 64, 32 };
  const HilbertCurve curve(dims);
  const HilbertMemo memo(dims);
  std::atomic<std::int64_t> wrong{ 0 };
  std::vector<std::jthread> team;
  for (std::int64_t thread = 0; thread < 4; ++thread)
  {
    team.emplace_back(
        [&, thread]
        {
          for (std::int64_t turn = 0; turn < 20000; ++turn)
          {
            const std::int64_t index = turn % 16 + 32768 * ((turn + thread) % 4);
            wrong += memo.index(index) == curve.index(from_row_major(index, dims)) ? 0 : 1;
          }
        });
  }
  team.clear();
  EXPECT_EQ(wrong, 0);
}

} // namespace rivulet::test
