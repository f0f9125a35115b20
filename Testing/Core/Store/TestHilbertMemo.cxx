// SPDX-License-Identifier: BSD-3-Clause
#include "Store/Locate/HilbertMemo.h"

#include <gtest/gtest.h>

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

} // namespace rivulet::test
