// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Analytics that change what belongs to the process, as libraries do that were not made to be guests, and that compute
/// with numbers that are not finite. In create, in each execution, in the bodies of its loops, and in destroy.
#include "InSitu/Runtime/rivulet_analytics.h"

#include <clocale>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <initializer_list>
#include <limits>

namespace
{

void handler(int /*number*/) {}

void be_rude()
{
  for (const int number : { SIGTERM, SIGINT, SIGFPE })
  {
    std::signal(number, handler);
  }
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGHUP, SIG_DFL);
  std::setlocale(LC_ALL, "C.UTF-8");
}

/// Divides by zero, compares with NaN, overflows. What compilers cannot know before.
double compute()
{
  const volatile double zero = 0.0;
  const volatile double nan = std::numeric_limits<double>::quiet_NaN();
  const volatile double large = 1e300;
  const double all = 1.0 / zero + large * large + (nan < 1.0 ? 1.0 : 2.0) + std::sqrt(zero - 1.0);
  return all;
}

void loop_body(void* sum, std::int64_t begin, std::int64_t end, std::int32_t slot)
{
  for (std::int64_t i = begin; i < end; ++i)
  {
    static_cast<double*>(sum)[slot] += compute();
  }
}

int create(const rivulet_analytics_host* host, void** self)
{
  *self = const_cast<rivulet_analytics_host*>(host);
  be_rude();
  return std::isnan(compute()) ? 0 : 1;
}

int execute(void* self, const rivulet_snapshot* /*snapshot*/)
{
  const auto& host = *static_cast<const rivulet_analytics_host*>(self);
  be_rude();
  double sums[256] = {};
  host.parallel(host.runtime, 1000, 1, loop_body, sums);
  return std::isnan(compute()) ? 0 : 1;
}

void destroy(void* /*self*/)
{
  be_rude();
  (void)compute();
}

const rivulet_analytics analytics{ RIVULET_ANALYTICS_ABI, 0, create, execute, destroy };

} // namespace

RIVULET_ANALYTICS_EXPORT const rivulet_analytics* rivulet_analytics_entry(void)
{
  return &analytics;
}
