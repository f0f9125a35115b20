// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Pathlines.h"

#include "Trace/Lines/TraceLines.h"

namespace rivulet
{

Result<TracedLines> trace_pathlines(const TraceField& field, std::span<const double> times,
    std::span<const PathSeed> seeds, const PathlineOptions& options, const RunOptions& run)
{
  std::vector<double> of_steps(times.begin(), times.end());
  if (of_steps.empty() && field.velocity.source != nullptr)
  {
    of_steps = field.velocity.source->info().times;
  }
  Result<AdvectionContext> context =
      AdvectionContext::unsteady(field, std::move(of_steps), { options.first_time, options.last_time }, options);
  if (!context)
  {
    return forward_error(context);
  }
  return trace_lines(*context, seeds, run);
}

} // namespace rivulet
