// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The plugin `virtual_analytics`: a VirtualAnalysis of each step, which first takes the digest of its data. At the end
/// it writes the digests to the file seen.txt of the output folder. Options are those of VirtualAnalysis.h. It uses MPI
/// where it reduces, and then checks each sum.
#include "Need.h"
#include "Particles.h"
#include "VirtualAnalysis.h"

#include "InSitu/Runtime/rivulet_analytics.h"

#include <memory>
#include <string>
#include <vector>

namespace
{

using namespace rivulet::bench;

class InRuntime final : public Worker
{
public:
  explicit InRuntime(const rivulet_analytics_host* host)
    : host_(host)
  {
  }

  void parallel(std::int64_t pieces, const std::function<void()>& body) override
  {
    const auto pass_on = [](void* data, std::int64_t begin, std::int64_t end, std::int32_t)
    {
      for (std::int64_t piece = begin; piece < end; ++piece)
      {
        (*static_cast<const std::function<void()>*>(data))();
      }
    };
    host_->parallel(host_->runtime, pieces, 1, pass_on, const_cast<std::function<void()>*>(&body));
  }

  void reduce(std::int64_t bytes) override
  {
    const auto count = static_cast<std::size_t>(bytes) / sizeof(double);
    mine_.assign(count, host_->rank + 1.0);
    sums_.resize(count);
    need(MPI_Reduce(mine_.data(), sums_.data(), static_cast<int>(count), MPI_DOUBLE, MPI_SUM, 0, host_->comm) ==
             MPI_SUCCESS,
        "a reduction fails");
    const double sum = host_->ranks * (host_->ranks + 1) / 2.0;
    need(host_->rank > 0 || (sums_.front() == sum && sums_.back() == sum), "a reduction has another sum");
  }

private:
  const rivulet_analytics_host* host_;
  std::vector<double> mine_;
  std::vector<double> sums_;
};

struct Plugin
{
  explicit Plugin(const rivulet_analytics_host* host)
    : worker(host)
    , analysis(analysis_options(host->options))
    , output(host->output)
  {
  }

  InRuntime worker;
  VirtualAnalysis analysis;
  std::string output;
  SeenSteps seen;
};

int create(const rivulet_analytics_host* host, void** self)
{
  *self = new Plugin(host);
  return 0;
}

int execute(void* self, const rivulet_snapshot* snapshot)
{
  auto& plugin = *static_cast<Plugin*>(self);
  if (snapshot->particle_sets != 1)
  {
    return 1;
  }
  plugin.seen.add(snapshot->step, digest_of(snapshot->particles[0]));
  plugin.analysis.run(snapshot->step, plugin.worker);
  return 0;
}

void destroy(void* self)
{
  const std::unique_ptr<Plugin> plugin(static_cast<Plugin*>(self));
  plugin->seen.write(plugin->output + "/seen.txt");
}

std::int32_t asks_mpi(const char* options)
{
  return analysis_options(options).reduce_bytes > 0 ? 1 : 0;
}

const rivulet_analytics analytics = { RIVULET_ANALYTICS_ABI, 0, create, execute, destroy, asks_mpi, nullptr };

} // namespace

RIVULET_ANALYTICS_EXPORT const rivulet_analytics* rivulet_analytics_entry(void)
{
  return &analytics;
}
