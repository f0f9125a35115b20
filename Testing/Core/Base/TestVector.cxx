// SPDX-License-Identifier: BSD-3-Clause
#include "Base/Vector.h"

#include <gtest/gtest.h>

namespace rivulet
{

TEST(Vector, DifferenceLeadsFromTheSecondToTheFirst)
{
  EXPECT_EQ(difference({ 1, 5, 2 }, { 4, 3, 2 }), (Vec3{ -3, 2, 0 }));
}

TEST(Vector, ProductsOfAxesAndOfAnyTwo)
{
  EXPECT_EQ(cross({ 1, 0, 0 }, { 0, 1, 0 }), (Vec3{ 0, 0, 1 }));
  const Vec3 a{ 2, -3, 5 };
  const Vec3 b{ 7, 1, -4 };
  EXPECT_EQ(cross(a, b), (Vec3{ 7, 43, 23 }));
  EXPECT_EQ(dot(a, b), -9.0);
  EXPECT_EQ(dot(cross(a, b), a), 0.0);
  EXPECT_EQ(dot(cross(a, b), b), 0.0);
}

TEST(Vector, LengthsOfTriples)
{
  EXPECT_EQ(length_of({ 2, -3, 6 }), 7.0);
  EXPECT_EQ(distance({ 3, 1, 1 }, { 1, 4, -5 }), 7.0);
  EXPECT_EQ(distance({ 1e8, 0, 0 }, { 1e8, 0, 0 }), 0.0);
}

} // namespace rivulet
