// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Buffer.h"

#include <gtest/gtest.h>
#include <numeric>

namespace rivulet::test
{

TEST(Buffer, HoldsValues)
{
  Buffer<int> buffer(4);
  std::iota(buffer.begin(), buffer.end(), 10);
  EXPECT_EQ(buffer.size(), 4U);
  EXPECT_EQ(buffer[3], 13);
}

TEST(Buffer, HandsItsMemoryOver)
{
  Buffer<double> buffer(2);
  buffer[1] = 3.0;
  double* values = buffer.release();
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(values[1], 3.0);
  std::free(values);
}

TEST(Buffer, OfNothingIsNull)
{
  Buffer<double> buffer(0);
  EXPECT_TRUE(buffer.empty());
  EXPECT_EQ(buffer.release(), nullptr);
}

} // namespace rivulet::test
