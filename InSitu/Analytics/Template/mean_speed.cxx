// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Template of an analytics: the mean speed of the particles of all ranks, as a message of each step.
///
/// It needs the interface alone, no library of Rivulet. Documentation/write-analytics.md goes through it.
#include "rivulet_analytics.h"

#include <cmath>
#include <string>
#include <vector>

namespace
{

struct MeanSpeed
{
  const rivulet_analytics_host* host; // valid until destroy
};

/// Sum of one slot, on a cache line of its own.
struct alignas(64) Sum
{
  double speeds = 0.0;
};

struct Loop
{
  const rivulet_particles* set;
  std::vector<Sum> sums; // of each slot
};

void add_speeds(void* data, int64_t begin, int64_t end, int32_t slot)
{
  auto& loop = *static_cast<Loop*>(data);
  const rivulet_particles& set = *loop.set;
  double sum = 0.0;
  for (int64_t i = begin; i < end; ++i)
  {
    sum += std::sqrt(set.vx[i] * set.vx[i] + set.vy[i] * set.vy[i] + set.vz[i] * set.vz[i]);
  }
  loop.sums[static_cast<std::size_t>(slot)].speeds += sum;
}

int create(const rivulet_analytics_host* host, void** self)
{
  *self = new MeanSpeed{ host }; // host->options would be read here
  return 0;
}

int execute(void* self, const rivulet_snapshot* snapshot)
{
  const rivulet_analytics_host& host = *static_cast<MeanSpeed*>(self)->host;
  double totals[3] = { 0.0, 0.0, 1.0 }; // speeds, particles, failed
  const rivulet_particles* set = snapshot->particle_sets > 0 ? &snapshot->particles[0] : nullptr;
  if (set != nullptr && (set->count == 0 || (set->vx != nullptr && set->vy != nullptr && set->vz != nullptr)))
  {
    Loop loop{ set, std::vector<Sum>(static_cast<std::size_t>(host.slots)) };
    host.parallel(host.runtime, set->count, 65536, add_speeds, &loop); // about 100 us for each call
    totals[1] = static_cast<double>(set->count);
    totals[2] = 0.0;
    for (const Sum& sum : loop.sums)
    {
      totals[0] += sum.speeds;
    }
  }
  MPI_Allreduce(MPI_IN_PLACE, totals, 3, MPI_DOUBLE, MPI_SUM, host.comm); // a rank that has failed takes part, too
  if (host.rank == 0)
  {
    const std::string text = totals[2] > 0.0 ? "mean_speed needs particles with velocities on all ranks"
                                             : "mean speed " + std::to_string(totals[0] / totals[1]);
    host.message(host.runtime, totals[2] > 0.0 ? RIVULET_ERROR : RIVULET_NOTE, text.c_str());
  }
  return totals[2] > 0.0 ? 1 : 0;
}

void destroy(void* self)
{
  delete static_cast<MeanSpeed*>(self);
}

const rivulet_analytics kMeanSpeed = { RIVULET_ANALYTICS_ABI, 1 /* uses MPI */, create, execute, destroy };

} // namespace

RIVULET_ANALYTICS_EXPORT const rivulet_analytics* rivulet_analytics_entry(void)
{
  return &kMeanSpeed;
}
