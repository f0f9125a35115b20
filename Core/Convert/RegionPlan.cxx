// SPDX-License-Identifier: BSD-3-Clause
#include "Convert/RegionPlan.h"

#include "Base/Bytes.h"

namespace rivulet
{

namespace
{

// Bytes of one write. Smaller direct writes do not keep a disk busy. Larger batches do not fit the second-level cache,
// in which a batch is packed, measured and summed.
constexpr std::int64_t kBatchTarget = kMiB;
constexpr int kRegionsPerWorker = 4;

std::int64_t values_of(const BrickLayout& layout, std::size_t tuple_bytes, const Int3& bricks)
{
  return lattice_of(layout, Box{ { 0, 0, 0 }, bricks }).count() * static_cast<std::int64_t>(tuple_bytes);
}

// Bytes of values and CurvePlaces of a region.
std::int64_t bytes_of(const BrickLayout& layout, std::size_t tuple_bytes, const Int3& bricks)
{
  return values_of(layout, tuple_bytes, bricks) + volume(bricks) * static_cast<std::int64_t>(sizeof(CurvePlace));
}

// Grows one side up to `most` bricks while the region has at most `limit` bytes.
void grow(
    Int3& sides, int axis, std::int32_t most, const BrickLayout& layout, std::size_t tuple_bytes, std::int64_t limit)
{
  const auto side = static_cast<std::size_t>(axis);
  std::int32_t fits = sides[side];
  std::int32_t too_many = std::max(fits, most) + 1;
  while (too_many - fits > 1)
  {
    const std::int32_t middle = fits + (too_many - fits) / 2;
    sides[side] = middle;
    (bytes_of(layout, tuple_bytes, sides) <= limit ? fits : too_many) = middle;
  }
  sides[side] = fits;
}

// Grows the shortest side repeatedly. Runs of the curve are longest in cubes.
Int3 grow_evenly(const BrickLayout& layout, std::size_t tuple_bytes, std::int64_t limit)
{
  Int3 sides{ 1, 1, 1 };
  std::array<bool, 3> open{ true, true, true };
  while (open[0] || open[1] || open[2])
  {
    std::size_t shortest = 3;
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      if (open[axis] && (shortest == 3 || sides[axis] < sides[shortest]))
      {
        shortest = axis;
      }
    }
    Int3 larger = sides;
    ++larger[shortest];
    open[shortest] = larger[shortest] <= layout.grid.count[shortest] && bytes_of(layout, tuple_bytes, larger) <= limit;
    sides = open[shortest] ? larger : sides;
  }
  return sides;
}

// Number of bricks that cover `points` lattice points along an axis; all bricks without a preference.
std::int32_t bricks_for(const BrickLayout& layout, std::size_t axis, std::int32_t points)
{
  const std::int32_t all = layout.grid.count[axis];
  return points <= 0 || points >= layout.grid.lattice[axis]
             ? all
             : std::min(all, (points + layout.cells[axis] - 1) / layout.cells[axis]);
}

Int3 choose_sides(
    const BrickLayout& layout, std::size_t tuple_bytes, const Int3& preferred, std::int64_t room, std::int64_t target)
{
  if (preferred == Int3{ 0, 0, 0 })
  {
    return grow_evenly(layout, tuple_bytes, target);
  }
  // Rows and planes may go beyond the target, because they make reads contiguous. Depth may not.
  Int3 sides{ 1, 1, 1 };
  grow(sides, 0, bricks_for(layout, 0, preferred[0]), layout, tuple_bytes, room);
  grow(sides, 1, bricks_for(layout, 1, preferred[1]), layout, tuple_bytes, room);
  grow(sides, 2, bricks_for(layout, 2, preferred[2]), layout, tuple_bytes, target);
  return sides;
}

} // namespace

Box lattice_of(const BrickLayout& layout, const Box& bricks)
{
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t cells = layout.cells[axis];
    const std::int64_t end = (bricks.end[axis] - 1) * cells + layout.nodes[axis];
    box.begin[axis] = static_cast<std::int32_t>(bricks.begin[axis] * cells);
    box.end[axis] = static_cast<std::int32_t>(std::min<std::int64_t>(layout.grid.lattice[axis], end));
  }
  return box;
}

std::int64_t owned_points(const BrickLayout& layout, const Int3& brick)
{
  std::int64_t points = 1;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    const std::int64_t begin = std::int64_t{ brick[axis] } * layout.cells[axis];
    const bool last = brick[axis] + 1 == layout.grid.count[axis];
    points *= last ? layout.grid.lattice[axis] - begin : layout.cells[axis];
  }
  return points;
}

Box RegionPlan::brick_box(const BrickLayout& layout, std::int64_t region) const
{
  const Int3 at = from_row_major(region, count);
  Box box;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    box.begin[axis] = at[axis] * bricks[axis];
    box.end[axis] = std::min(layout.grid.count[axis], box.begin[axis] + bricks[axis]);
  }
  return box;
}

Result<RegionPlan> plan_regions(
    const BrickLayout& layout, std::size_t tuple_bytes, const Int3& preferred, const RegionLimits& limits)
{
  const std::int64_t brick = layout.encoding == Encoding::Plain ? 0 : round_up(layout.values, kPage);
  const std::int64_t least = bytes_of(layout, tuple_bytes, { 1, 1, 1 }) + layout.stride + brick;
  if (limits.memory < least)
  {
    return fail(ErrorCode::BudgetTooSmall,
        "one brick needs " + format_bytes(least) + " of memory, the limit is " + format_bytes(limits.memory),
        "allow more memory or choose smaller bricks");
  }
  RegionPlan plan;
  plan.workers = static_cast<int>(std::clamp<std::int64_t>(limits.memory / least, 1, std::max(1, limits.workers)));
  const std::int64_t share = limits.memory / plan.workers;
  const std::int64_t batch = std::min({ kBatchTarget, share / 4, layout.stride * layout.grid.size() });
  plan.batch_bytes = std::max(layout.stride, batch / layout.stride * layout.stride);

  plan.brick_bytes = brick;

  const std::int64_t room = std::min(share - plan.batch_bytes - brick, limits.most);
  const std::int64_t whole = bytes_of(layout, tuple_bytes, layout.grid.count);
  const std::int64_t target =
      std::min({ room, limits.target, whole / (std::int64_t{ kRegionsPerWorker } * plan.workers) });
  plan.bricks = choose_sides(layout, tuple_bytes, preferred, room, target);
  plan.region_bytes = values_of(layout, tuple_bytes, plan.bricks);
  plan.worker_bytes = bytes_of(layout, tuple_bytes, plan.bricks) + plan.batch_bytes + brick;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    plan.count[axis] = (layout.grid.count[axis] + plan.bricks[axis] - 1) / plan.bricks[axis];
  }
  return plan;
}

} // namespace rivulet
