// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/FixedSeeds.h"

#include <algorithm>
#include <compare>

namespace rivulet
{

namespace
{

/// Spreads the lowest 21 bits of `x`: they become every third bit of the result.
std::uint64_t spread(std::uint64_t x)
{
  x &= 0x1fffff;
  x = (x | x << 32) & 0x001f00000000ffff;
  x = (x | x << 16) & 0x001f0000ff0000ff;
  x = (x | x << 8) & 0x100f00f00f00f00f;
  x = (x | x << 4) & 0x10c30c30c30c30c3;
  x = (x | x << 2) & 0x1249249249249249;
  return x;
}

/// The Morton number of a cell.
std::int64_t cell_order(const CellPosition& at)
{
  const auto bits = [&](std::size_t axis)
  {
    return spread(static_cast<std::uint64_t>(at.cell[axis]));
  };
  return static_cast<std::int64_t>(bits(0) | bits(1) << 1 | bits(2) << 2);
}

/// Sort keys of a release, and its place among the unsorted ones: these are small, so that sorting moves few bytes.
struct Order
{
  std::int64_t brick = 0;
  std::int64_t cell = 0;
  std::size_t release = 0;

  auto operator<=>(const Order&) const = default; // NOLINT(modernize-use-nullptr): clang-tidy 14 errs
};

} // namespace

FixedSeeds::FixedSeeds(const AdvectionContext& context, std::span<const PathSeed> seeds)
{
  const TraceDirection direction = context.options().direction;
  const BrickSource& source = *context.field().velocity.source;
  const std::size_t ways = direction == TraceDirection::Both ? 2 : 1;
  std::vector<Release> found_releases;
  std::vector<Order> order;
  found_releases.reserve(ways * seeds.size());
  order.reserve(ways * seeds.size());
  std::optional<std::pair<CellPosition, std::int64_t>> found;
  for (std::size_t seed = 0; seed < seeds.size(); ++seed)
  {
    const double time = seeds[seed].time;
    if (seed == 0 || seeds[seed].point != seeds[seed - 1].point) // a seed that releases more follows itself
    {
      found = context.mesh().locate(seeds[seed].point);
    }
    if (!found || !context.within_times(time))
    {
      outside_.push_back(static_cast<std::int64_t>(seed));
      continue;
    }
    const auto add = [&](double sign, std::size_t id)
    {
      const std::int32_t interval = context.is_unsteady() ? context.interval_of(time, sign) : 0;
      const BrickKey key = context.key_of(context.item_of(found->second, interval));
      order.push_back({ source.storage_order(key), cell_order(found->first), found_releases.size() });
      found_releases.push_back({ .id = static_cast<std::int64_t>(id),
          .point = seeds[seed].point,
          .time = time,
          .sign = sign,
          .end = seeds[seed].end,
          .brick = found->second,
          .at = found->first });
    };
    if (direction != TraceDirection::Backward)
    {
      add(1.0, seed);
    }
    if (direction != TraceDirection::Forward)
    {
      add(-1.0, seeds.size() + seed);
    }
  }
  std::sort(order.begin(), order.end());
  releases_.reserve(order.size());
  for (const Order& each : order)
  {
    releases_.push_back(found_releases[each.release]);
  }
}

ParticleSource::Supply FixedSeeds::take(std::int64_t most, std::vector<Release>& to)
{
  const std::int64_t count = expected();
  const std::int64_t first = next_.fetch_add(most, std::memory_order_relaxed);
  if (first >= count)
  {
    // Keeps the counter from overflowing while others finish.
    next_.store(count, std::memory_order_relaxed);
    return Supply::None;
  }
  const std::int64_t last = std::min(count, first + most);
  to.insert(to.end(), releases_.begin() + first, releases_.begin() + last);
  return Supply::More;
}

} // namespace rivulet
