// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/PathRecorder.h"

#include <cstring>

namespace rivulet
{

void PathRecorder::prepare(const AdvectionContext& context, int workers)
{
  for (int i = 0; i < workers; ++i)
  {
    stores_.push_back(std::make_unique<LineStore>(context.layout(), room_));
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
