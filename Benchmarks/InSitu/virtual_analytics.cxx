// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The plugin `virtual_analytics`: a VirtualAnalysis of each step, which first takes the digest of its data. At the end
/// it writes the digests to the file seen.txt of the output folder. Options are those of VirtualAnalysis.h.
#include "Particles.h"
#include "VirtualAnalysis.h"

#include "InSitu/Runtime/rivulet_analytics.h"

#include <memory>

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

private:
  const rivulet_analytics_host* host_;
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

const rivulet_analytics analytics = { RIVULET_ANALYTICS_ABI, 0, create, execute, destroy };

} // namespace

RIVULET_ANALYTICS_EXPORT const rivulet_analytics* rivulet_analytics_entry(void)
{
  return &analytics;
}
