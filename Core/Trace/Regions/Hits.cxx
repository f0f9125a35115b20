// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Regions/Hits.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <tuple>

namespace rivulet
{

void add_hits(std::vector<Hit>& to, std::vector<Hit> more)
{
  const auto is_before = [](const Hit& a, const Hit& b)
  {
    return std::tie(a.seed, a.release_time, a.destination, a.source) <
           std::tie(b.seed, b.release_time, b.destination, b.source);
  };
  std::sort(more.begin(), more.end(), is_before);
  const auto old = static_cast<std::ptrdiff_t>(to.size());
  to.insert(to.end(), more.begin(), more.end());
  std::inplace_merge(to.begin(), to.begin() + old, to.end(), is_before);
}

void join_hits(SourceDestinationResult& to, const SourceDestinationResult& more)
{
  const auto add = [](auto& sums, const auto& terms)
  {
    std::transform(sums.begin(), sums.end(), terms.begin(), sums.begin(), std::plus<>());
  };
  add_hits(to.hits, more.hits);
  add(to.released, more.released);
  add(to.hit_counts, more.hit_counts);
  add(to.ends, more.ends);
  to.particles += more.particles;
  to.outside += more.outside;
  to.steps += more.steps;
  to.seconds = std::max(to.seconds, more.seconds);
  to.stall_seconds += more.stall_seconds;
  to.cancelled = to.cancelled || more.cancelled;
  to.data_error = to.data_error ? to.data_error : more.data_error;
}

Result<std::vector<std::int64_t>> arrival_histograms(
    const SourceDestinationResult& result, std::span<const double> edges, ArrivalTime time)
{
  const auto increases = [](double a, double b)
  {
    return !(a < b);
  };
  if (edges.size() < 2 || std::adjacent_find(edges.begin(), edges.end(), increases) != edges.end())
  {
    return fail(ErrorCode::BadArgument, "the bins of a histogram of arrival times do not increase",
        "give two or more increasing edges");
  }
  const std::size_t bins = edges.size() + 1;
  std::vector<std::int64_t> counts(result.hit_counts.size() * bins, 0);
  for (const Hit& hit : result.hits)
  {
    const double at = time == ArrivalTime::OfField ? hit.arrival_time : std::fabs(hit.arrival_time - hit.release_time);
    const auto above = at == edges.back() ? edges.end() - 1 : std::upper_bound(edges.begin(), edges.end(), at);
    const std::size_t pair =
        static_cast<std::size_t>(hit.source) * result.destinations() + static_cast<std::size_t>(hit.destination);
    ++counts[pair * bins + static_cast<std::size_t>(above - edges.begin())];
  }
  return counts;
}

std::vector<PathSeed> seeds_of(std::span<const Hit> hits)
{
  std::vector<PathSeed> seeds;
  const Hit* before = nullptr;
  for (const Hit& hit : hits)
  {
    if (before == nullptr || before->seed != hit.seed || before->release_time != hit.release_time)
    {
      seeds.push_back({ hit.release_point, hit.release_time, hit.arrival_time });
    }
    PathSeed& seed = seeds.back();
    if (std::fabs(hit.arrival_time - seed.time) > std::fabs(seed.end - seed.time))
    {
      seed.end = hit.arrival_time;
    }
    before = &hit;
  }
  return seeds;
}

} // namespace rivulet
