// SPDX-License-Identifier: BSD-3-Clause
#include "Particles/Statistics.h"
#include "Plugin/Options.h"

#include <algorithm>

namespace
{

using namespace rivulet;

constexpr std::int64_t kBlocksAtOnce = 64; ///< about 200 us

/// One loop over the blocks of all columns. Their moments are kept, and merged in order.
std::vector<Moments> reduce(const Host& host, const std::vector<Column>& columns)
{
  const std::int64_t count = columns.front().count;
  const std::int64_t blocks = (count + kBlock - 1) / kBlock;
  std::vector<Moments> parts(columns.size() * static_cast<std::size_t>(blocks));
  host.for_ranges(static_cast<std::int64_t>(parts.size()), kBlocksAtOnce,
      [&](std::int64_t begin, std::int64_t end, int) noexcept
      {
        for (std::int64_t part = begin; part < end; ++part)
        {
          const std::int64_t first = part % blocks * kBlock;
          parts[static_cast<std::size_t>(part)] =
              moments_of(columns[static_cast<std::size_t>(part / blocks)], first, std::min(count, first + kBlock));
        }
      });
  std::vector<Moments> all(columns.size());
  for (std::size_t part = 0; part < parts.size(); ++part)
  {
    Moments& value = all[part / static_cast<std::size_t>(blocks)];
    value = merge(value, parts[part]);
  }
  return all;
}

struct StatisticsPar
{
  static Result<std::unique_ptr<Analytics>> create(const Host& host) { return Statistics::create(host, reduce); }
  static bool asks_mpi(const char* options) { return has_flag(options, "global"); }
};

} // namespace

RIVULET_ANALYTICS(StatisticsPar, 1)
