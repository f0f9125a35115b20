// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/PathRecorder.h"

#include <algorithm>
#include <cstring>

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
  const std::int64_t intervals = std::int64_t{ context.held()[1] } - context.held()[0] + 1;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(kLeast * intervals, kLeast, kMost));
}

} // namespace

void PathRecorder::prepare(const AdvectionContext& context, int workers)
{
  for (int i = 0; i < workers; ++i)
  {
    stores_.push_back(std::make_unique<LineStore>(context.layout(), room_, block_points(context)));
    if (surfaces_ != nullptr)
    {
      logs_.push_back(std::make_unique<CrossingLog>(*surfaces_));
    }
  }
  if (last_points_only_)
  {
    last_blocks_.resize(paths_.size());
    last_records_ = Buffer<std::byte>(paths_.size() * static_cast<std::size_t>(context.layout().bytes));
  }
}

/// Moves the last point out of the store, whose blocks are much larger than a point.
void PathRecorder::keep_last_point(int worker, std::size_t path)
{
  LineStore& store = *store_of(worker);
  PointChain& chain = paths_[path].chain;
  const auto bytes = static_cast<std::size_t>(store.layout().bytes);
  PointBlock& block = last_blocks_[path];
  block.records = last_records_.data() + path * bytes;
  block.used = 1;
  std::memcpy(block.records, chain.tail->records + bytes * static_cast<std::size_t>(chain.tail->used - 1), bytes);
  store.clear(chain);
  chain = { &block, &block, 1 };
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
  else if (last_points_only_)
  {
    keep_last_point(worker, static_cast<std::size_t>(particle.task));
  }
}

} // namespace rivulet
