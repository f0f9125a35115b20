// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/RegionPlan.h"
#include "Sources.h"

#include <gtest/gtest.h>

namespace rivulet
{

namespace
{

using test::layout_for;

RegionPlan plan_for(const BrickLayout& layout, const Int3& preferred, std::int64_t memory, int workers = 2)
{
  RegionLimits limits;
  limits.memory = memory;
  limits.workers = workers;
  Result<RegionPlan> plan = plan_regions(layout, 12, preferred, limits);
  EXPECT_TRUE(plan.has_value());
  return plan.value_or(RegionPlan{});
}

// How often each brick is in a region.
std::vector<int> visits(const BrickLayout& layout, const RegionPlan& plan)
{
  std::vector<int> counts(static_cast<std::size_t>(layout.grid.size()), 0);
  for (std::int64_t region = 0; region < plan.size(); ++region)
  {
    const Box box = plan.brick_box(layout, region);
    for (std::int64_t number = 0; number < box.count(); ++number)
    {
      const Int3 at = from_row_major(number, box.size());
      const Int3 brick{ at[0] + box.begin[0], at[1] + box.begin[1], at[2] + box.begin[2] };
      ++counts[static_cast<std::size_t>(row_major(brick, layout.grid.count))];
    }
  }
  return counts;
}

} // namespace

TEST(RegionPlan, covers_every_brick_once_whatever_the_memory)
{
  const BrickLayout layout = layout_for({ 100, 57, 41 }, { 9, 9, 9 }, 12);
  for (const std::int64_t memory : { 40 * kKiB, 300 * kKiB, 5 * kMiB, kGiB })
  {
    for (const Int3& preferred : { Int3{ 0, 0, 0 }, Int3{ 100, 57, 0 }, Int3{ 32, 32, 32 } })
    {
      const std::vector<int> counts = visits(layout, plan_for(layout, preferred, memory));
      EXPECT_EQ(counts, std::vector<int>(counts.size(), 1)) << memory;
    }
  }
}

TEST(RegionPlan, holds_to_the_memory_limit)
{
  const BrickLayout layout = layout_for({ 400, 400, 400 }, { 9, 9, 9 }, 12);
  for (const std::int64_t memory : { 60 * kKiB, kMiB, 37 * kMiB, 300 * kMiB })
  {
    const RegionPlan plan = plan_for(layout, { 400, 400, 0 }, memory, 4);
    EXPECT_LE(plan.workers * plan.worker_bytes, memory);
    EXPECT_EQ(plan.batch_bytes % layout.stride, 0);
  }
}

TEST(RegionPlan, takes_whole_planes_of_a_row_major_source)
{
  const BrickLayout layout = layout_for({ 512, 512, 512 }, { 9, 9, 9 }, 12);
  const RegionPlan plan = plan_for(layout, { 512, 512, 0 }, kGiB);
  EXPECT_EQ(plan.bricks[0], layout.grid.count[0]);
  EXPECT_EQ(plan.bricks[1], layout.grid.count[1]);
  EXPECT_GT(plan.bricks[2], 1);
}

TEST(RegionPlan, falls_back_to_rows_when_a_layer_does_not_fit)
{
  const BrickLayout layout = layout_for({ 512, 512, 512 }, { 9, 9, 9 }, 12);
  const RegionPlan plan = plan_for(layout, { 512, 512, 0 }, 4 * kMiB);
  EXPECT_EQ(plan.bricks[0], layout.grid.count[0]);
  EXPECT_LT(plan.bricks[1], layout.grid.count[1]);
  EXPECT_EQ(plan.bricks[2], 1);
}

TEST(RegionPlan, falls_back_to_parts_of_a_row)
{
  const BrickLayout layout = layout_for({ 5000, 50, 50 }, { 9, 9, 9 }, 12);
  const RegionPlan plan = plan_for(layout, { 5000, 50, 0 }, 500 * kKiB);
  EXPECT_LT(plan.bricks[0], layout.grid.count[0]);
  EXPECT_GT(plan.bricks[0], 1);
}

TEST(RegionPlan, makes_cubes_where_the_source_does_not_care)
{
  const BrickLayout layout = layout_for({ 2000, 2000, 2000 }, { 9, 9, 9 }, 12);
  const RegionPlan plan = plan_for(layout, { 0, 0, 0 }, kGiB);
  EXPECT_LE(std::abs(plan.bricks[0] - plan.bricks[2]), 1);
  EXPECT_GT(plan.bricks[0], 4);
}

TEST(RegionPlan, follows_the_blocks_of_the_source)
{
  const BrickLayout layout = layout_for({ 1024, 1024, 1024 }, { 9, 9, 9 }, 12);
  const RegionPlan plan = plan_for(layout, { 128, 128, 128 }, kGiB);
  EXPECT_EQ(plan.bricks, (Int3{ 15, 15, 15 }));
}

TEST(RegionPlan, uses_fewer_workers_when_memory_is_short)
{
  const BrickLayout layout = layout_for({ 100, 100, 100 }, { 9, 9, 9 }, 12);
  EXPECT_EQ(plan_for(layout, { 0, 0, 0 }, 80 * kKiB, 16).workers, 3);
}

TEST(RegionPlan, refuses_memory_below_one_brick_and_says_how_much_it_takes)
{
  const BrickLayout layout = layout_for({ 100, 100, 100 }, { 9, 9, 9 }, 12);
  RegionLimits limits;
  limits.memory = 20000;
  const Result<RegionPlan> plan = plan_regions(layout, 12, { 0, 0, 0 }, limits);
  ASSERT_FALSE(plan.has_value());
  EXPECT_EQ(plan.error().code, ErrorCode::BudgetTooSmall);
  EXPECT_NE(plan.error().what.find("23.7 KiB"), std::string::npos) << plan.error().what;
}

TEST(RegionPlan, counts_every_lattice_point_once)
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
