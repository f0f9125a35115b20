// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/BrickPacker.h"
#include "Sources.h"

#include <gtest/gtest.h>

namespace rivulet
{

namespace
{

// A brick cut out of a whole lattice of one float each, whose values are their row-major numbers.
std::vector<float> packed(const BrickLayout& layout, const Int3& brick)
{
  std::vector<float> values(static_cast<std::size_t>(volume(layout.grid.lattice)));
  for (std::size_t point = 0; point < values.size(); ++point)
  {
    values[point] = static_cast<float>(point);
  }
  std::vector<float> payload(static_cast<std::size_t>(volume(layout.nodes)), -1.0F);
  const BoxView whole{ Box{ { 0, 0, 0 }, layout.grid.lattice }, reinterpret_cast<const std::byte*>(values.data()) };
  pack_brick(layout, sizeof(float), whole, brick, reinterpret_cast<std::byte*>(payload.data()));
  return payload;
}

} // namespace

TEST(BrickPacker, takes_the_layer_it_shares_with_the_next_brick)
{
  const BrickLayout layout = test::layout_for({ 5, 3, 3 }, { 2, 2, 2 }, 4);
  const std::vector<float> payload = packed(layout, { 1, 0, 0 });
  EXPECT_EQ(payload[0], 2.0F);
  EXPECT_EQ(payload[2], 4.0F);
  EXPECT_EQ(payload[3], 7.0F);
  EXPECT_EQ(payload[26], 44.0F);
}

TEST(BrickPacker, repeats_the_last_points_outside_the_lattice)
{
  const BrickLayout layout = test::layout_for({ 4, 2, 1 }, { 2, 2, 2 }, 4);
  const std::vector<float> expected{ 2, 3, 3, 6, 7, 7, 6, 7, 7 };
  EXPECT_EQ(packed(layout, { 1, 0, 0 }), expected);
}

TEST(BrickPacker, counts_every_lattice_point_once)
{
  for (const Int3& lattice : { Int3{ 10, 10, 10 }, Int3{ 23, 11, 1 }, Int3{ 1, 1, 5 }, Int3{ 19, 20, 21 } })
  {
    const BrickLayout layout = test::layout_for(lattice, { 9, 9, 9 }, 4);
    std::int64_t points = 0;
    for (std::int64_t number = 0; number < layout.grid.size(); ++number)
    {
      points += owned_points(layout, from_row_major(number, layout.grid.count));
    }
    EXPECT_EQ(points, volume(lattice));
  }
}

} // namespace rivulet
