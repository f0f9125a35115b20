// SPDX-License-Identifier: BSD-3-Clause
#include "Particles/Statistics.h"
#include "Plugin/Options.h"

#include <algorithm>

namespace
{

using namespace rivulet;

std::vector<Moments> reduce(const Host&, const std::vector<Column>& columns)
{
  std::vector<Moments> all;
  for (const Column& column : columns)
  {
    Moments& value = all.emplace_back();
    for (std::int64_t begin = 0; begin < column.count; begin += kBlock)
    {
      value = merge(value, moments_of(column, begin, std::min(column.count, begin + kBlock)));
    }
  }
  return all;
}

struct StatisticsSeq
{
  static Result<std::unique_ptr<Analytics>> create(const Host& host) { return Statistics::create(host, reduce); }
  static bool asks_mpi(const char* options) { return has_flag(options, "global"); }
};

} // namespace

RIVULET_ANALYTICS(StatisticsSeq, 1)
