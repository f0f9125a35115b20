// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Lines/PathRecorder.h"

namespace rivulet
{

void PathRecorder::prepare(const AdvectionContext& context, int workers)
{
  for (int i = 0; i < workers; ++i)
  {
    stores_.push_back(std::make_unique<LineStore>(context.layout(), room_));
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

} // namespace rivulet
