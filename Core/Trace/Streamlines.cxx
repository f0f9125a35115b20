// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Streamlines.h"

#include "Trace/Lines/TraceLines.h"

namespace rivulet
{

Result<TracedLines> trace_streamlines(
    const TraceField& field, std::span<const Vec3> seeds, const StreamlineOptions& options, const RunOptions& run)
{
  Result<AdvectionContext> context = AdvectionContext::steady(field, options);
  if (!context)
  {
    return forward_error(context);
  }
  std::vector<PathSeed> starts;
  starts.reserve(seeds.size());
  for (const Vec3& seed : seeds)
  {
    starts.push_back({ .point = seed });
  }
  return trace_lines(*context, starts, run);
}

} // namespace rivulet
