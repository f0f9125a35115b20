// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Analytics whose loop bodies sleep and count each other: how many threads work for analytics at once. The counts are
/// in Crowd.h, which the test gets by its address, handed over as a particle array named "crowd".
#include "Crowd.h"

#include "InSitu/Runtime/rivulet_analytics.h"

#include <nlohmann/json.hpp>

namespace
{

struct Work
{
  rivulet::test::Crowd* crowd;
  std::int64_t least; ///< visits, after which analytics that were held end
};

struct Options
{
  const rivulet_analytics_host* host;
  int bodies;
};

int create(const rivulet_analytics_host* host, void** self)
{
  *self = new Options{ host, nlohmann::json::parse(host->options).value("bodies", 100) };
  return 0;
}

int execute(void* self, const rivulet_snapshot* snapshot)
{
  const auto& mine = *static_cast<Options*>(self);
  auto* const crowd = reinterpret_cast<rivulet::test::Crowd*>(
      static_cast<const std::int64_t*>(snapshot->particles[0].array[0].data)[0]);
  crowd->master = std::this_thread::get_id();
  crowd->look_at_cores();
  crowd->executing = true;
  const Work work{ crowd, crowd->visits + mine.bodies };
  constexpr int kEndless = 200'000; // more than a minute's
  mine.host->parallel(
      mine.host->runtime, crowd->held ? kEndless : mine.bodies, 1,
      [](void* data, std::int64_t begin, std::int64_t end, std::int32_t slot)
      {
        const auto& all = *static_cast<const Work*>(data);
        for (; begin < end && (all.crowd->held || all.crowd->visits < all.least); ++begin)
        {
          all.crowd->visit_slot(slot);
        }
      },
      const_cast<Work*>(&work));
  crowd->executing = false;
  return 0;
}

void destroy(void* self)
{
  delete static_cast<Options*>(self);
}

const rivulet_analytics analytics{ RIVULET_ANALYTICS_ABI, 0, create, execute, destroy };

} // namespace

RIVULET_ANALYTICS_EXPORT const rivulet_analytics* rivulet_analytics_entry(void)
{
  return &analytics;
}
