// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/PathRecorder.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace rivulet
{

namespace
{

/// Points of a block of a path. A march that goes from time step to time step adds a few points to each path in a run.
std::int32_t block_points(const AdvectionContext& context)
{
  static constexpr std::int32_t kLeast = 8;
  static constexpr std::int32_t kMost = 64;
  if (!context.is_unsteady())
  {
    return kMost;
  }
  const std::int64_t intervals = std::int64_t{ context.intervals()[1] } - context.intervals()[0] + 1;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(kLeast * intervals, kLeast, kMost));
}

} // namespace

void PathRecorder::prepare(const AdvectionContext& context, int workers)
{
  for (int i = 0; i < workers; ++i)
  {
    stores_.push_back(std::make_unique<LineStore>(context.layout(), room_, block_points(context)));
    if (last_points_only_)
    {
      stores_.back()->keep_last_points();
    }
    if (surfaces_ != nullptr)
    {
      logs_.push_back(std::make_unique<CrossingLog>(*surfaces_));
    }
  }
}

void PathRecorder::ended(int worker, const Particle& particle)
{
  TracedPath& path = paths_[static_cast<std::size_t>(particle.task)];
  path = { .chain = particle.path.chain,
    .reason = particle.reason,
    .length = particle.length,
    .time = particle.time,
    .steps = particle.steps };
  if (path.chain.points < least_points_)
  {
    store_of(worker)->clear(path.chain);
  }
}

std::vector<Crossing> PathRecorder::crossings() const
{
  std::vector<Crossing> all;
  for (const std::unique_ptr<CrossingLog>& log : logs_)
  {
    std::copy_if(log->crossings().begin(), log->crossings().end(), std::back_inserter(all),
        [this](const Crossing& each) // borrowed particles that were not given back have other ids
        { return each.id >= 0 && each.id < static_cast<std::int64_t>(paths_.size()); });
  }
  const auto seeds = static_cast<std::int64_t>(paths_.size() / 2); // later ids go backward
  std::sort(all.begin(), all.end(),
      [seeds](const Crossing& a, const Crossing& b)
      {
        const double sign = a.id < seeds ? 1.0 : -1.0;
        return std::make_tuple(a.id, sign * a.time, a.length, a.surface) <
               std::make_tuple(b.id, sign * b.time, b.length, b.surface);
      });
  return all;
}

} // namespace rivulet
