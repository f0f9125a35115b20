// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Streamlines.h"

#include "Trace/TraceLines.h"

namespace rivulet
{

Result<TracedLines> trace_streamlines(
    const TraceField& field, std::span<const Vec3> seeds, const StreamlineOptions& options, const RunOptions& run)
{
  Result<Problem> problem = Problem::steady(field, options);
  if (!problem)
  {
    return forward_error(problem);
  }
  std::vector<PathSeed> starts;
  starts.reserve(seeds.size());
  for (const Vec3& seed : seeds)
  {
    starts.push_back({ .point = seed });
  }
  return trace_lines(*problem, starts, run);
}

} // namespace rivulet
