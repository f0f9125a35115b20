// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/FixedSeeds.h"

#include <algorithm>
#include <compare>

namespace rivulet
{

namespace
{

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
  const double first_sign = direction == TraceDirection::Backward ? -1.0 : 1.0;
  std::optional<Mesh::Place> found;
  for (std::size_t seed = 0; seed < seeds.size(); ++seed)
  {
    const double time = seeds[seed].time;
    // A seed that releases more follows itself.
    if (seed == 0 || seeds[seed].point != seeds[seed - 1].point ||
        (context.mesh().moves() && time != seeds[seed - 1].time))
    {
      found = context.mesh().enter(seeds[seed].point, context.moment_of(time, first_sign));
    }
    if (!found || !context.within_times(time))
    {
      outside_.push_back(static_cast<std::int64_t>(seed));
      continue;
    }
    const auto add = [&](double sign, std::size_t id)
    {
      const std::int32_t interval = context.is_unsteady() ? context.interval_of(time, sign) : 0;
      const BrickKey key = context.key_of(context.item_of(found->brick, interval));
      order.push_back({ source.storage_order(key), context.mesh().sort_number(found->at), found_releases.size() });
      found_releases.push_back({ .id = static_cast<std::int64_t>(id),
          .point = seeds[seed].point,
          .time = time,
          .sign = sign,
          .end = seeds[seed].end,
          .brick = found->brick,
          .at = found->at });
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
