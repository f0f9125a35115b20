// SPDX-License-Identifier: BSD-3-Clause
#include "Io/Series/StepTimes.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rivulet
{

namespace
{

/// Interval from a step to the nearer one beside it; infinite if it is alone.
double interval_at(std::span<const double> times, std::size_t step)
{
  double interval = std::numeric_limits<double>::infinity();
  if (step > 0)
  {
    interval = times[step] - times[step - 1];
  }
  return step + 1 < times.size() ? std::min(interval, times[step + 1] - times[step]) : interval;
}

} // namespace

std::int64_t find_step(std::span<const double> there, std::span<const double> times, std::size_t step)
{
  const double time = times[step];
  if (there.empty())
  {
    return -1;
  }
  auto nearest = static_cast<std::size_t>(std::lower_bound(there.begin(), there.end(), time) - there.begin());
  if (nearest == there.size() || (nearest > 0 && time - there[nearest - 1] < there[nearest] - time))
  {
    --nearest;
  }
  const double interval = std::min(interval_at(there, nearest), interval_at(times, step));
  const double rounding = 4 * std::numeric_limits<double>::epsilon() * std::fabs(time);
  const double slack = std::isfinite(interval) ? kSameStep * interval : rounding;
  return std::fabs(time - there[nearest]) <= slack ? static_cast<std::int64_t>(nearest) : -1;
}

std::size_t steps_before(std::span<const double> there, double time)
{
  const std::int64_t same = find_step(there, std::span(&time, 1), 0);
  return same >= 0 ? static_cast<std::size_t>(same)
                   : static_cast<std::size_t>(std::lower_bound(there.begin(), there.end(), time) - there.begin());
}

bool times_increase(const std::vector<std::optional<double>>& times)
{
  std::optional<double> before;
  for (const std::optional<double>& time : times)
  {
    if (time && before && !(*time > *before))
    {
      return false;
    }
    before = time ? time : before;
  }
  return true;
}

/// Beyond the first and the last known time, steps follow in the interval that is nearest; in intervals of 1 if only
/// one time is known.
std::vector<double> times_between(const std::vector<std::optional<double>>& times)
{
  std::vector<std::size_t> known;
  std::vector<double> all(times.size());
  for (std::size_t step = 0; step < times.size(); ++step)
  {
    if (times[step])
    {
      known.push_back(step);
    }
  }
  for (std::size_t step = 0; step < times.size(); ++step)
  {
    auto after = static_cast<std::size_t>(std::lower_bound(known.begin(), known.end(), step) - known.begin());
    if (times[step] || known.size() == 1)
    {
      all[step] = times[step].value_or(*times[known[0]] + (static_cast<double>(step) - static_cast<double>(known[0])));
      continue;
    }
    after = std::clamp<std::size_t>(after, 1, known.size() - 1);
    const std::size_t begin = known[after - 1];
    const std::size_t end = known[after];
    const double share = (static_cast<double>(step) - static_cast<double>(begin)) / static_cast<double>(end - begin);
    all[step] = *times[begin] + share * (*times[end] - *times[begin]);
  }
  return all;
}

} // namespace rivulet
