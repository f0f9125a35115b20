// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/SamplePoints.h"

#include "Trace/Contract/NoMemory.h"
#include "Trace/PathlineMarch.h"

#include <new>

namespace rivulet
{

Result<TracedLines> sample_points(
    std::span<const Vec3> points, double time, const AdvectionContext& context, const RunOptions& run)
{
  try
  {
    std::vector<PathSeed> seeds;
    seeds.reserve(points.size());
    for (const Vec3& point : points)
    {
      seeds.push_back({ point, time });
    }
    AdvectionContext at_time = context;
    at_time.end_at(time);
    PathlineMarch march(std::move(seeds), context.times(), false);
    march.keep_ends_only();
    Result<PathlineFrame> frame = march.frame_ahead(time, at_time, run);
    if (!frame)
    {
      return forward_error(frame);
    }
    frame->particles.data_error = frame->lines.data_error;
    frame->particles.cancelled = frame->lines.cancelled;
    return std::move(frame->particles);
  }
  catch (const std::bad_alloc&)
  {
    return tl::unexpected(*no_memory_for("sample the arrays at so many points"));
  }
}

} // namespace rivulet
