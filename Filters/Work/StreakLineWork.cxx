// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/StreakLineWork.h"

#include "Trace/Lines/StreakLines.h"
#include "Trace/SamplePoints.h"
#include "vtkDataObject.h"
#include "vtkFieldData.h"
#include "vtkInformationVector.h"
#include "vtkPolyData.h"

#include <algorithm>

namespace rivulet
{

WorkTraits StreakLineWork::read_settings()
{
  WorkTraits traits = PathlineWork::read_settings();
  traits.doing = "tracing streak lines";
  return traits;
}

Result<void> StreakLineWork::begin(FlowSteps& steps, bool again)
{
  heads_.reset();
  return PathlineWork::begin(steps, again);
}

/// Number of the last release at or before the time of the frame; -1: there was none.
std::int64_t StreakLineWork::last_release() const
{
  const ReleaseTable releases = table();
  const std::span<const PathSeed> of_seed =
      releases.particles.first(std::min(releases.particles.size(), static_cast<std::size_t>(releases.releases)));
  const auto after = std::upper_bound(of_seed.begin(), of_seed.end(), time(),
      [](double time, const PathSeed& particle) { return time < particle.time; });
  return after - of_seed.begin() - 1;
}

/// Whether the time of the frame lies after a release and before the end of all, so that lines do not end at their
/// seeds by themselves.
bool StreakLineWork::releases_between() const
{
  const std::int64_t last = last_release();
  const ReleaseTable releases = table();
  const bool over = settings().releases.kind == ReleaseChoice::Kind::Repeatedly && time() > settings().releases.end;
  return last >= 0 && !over && !seeds_move() && releases.particles[static_cast<std::size_t>(last)].time < time();
}

std::vector<Vec3> StreakLineWork::heads() const
{
  const ReleaseTable releases = table();
  std::vector<Vec3> seeds;
  for (std::size_t i = 0; i < releases.particles.size(); i += static_cast<std::size_t>(releases.releases))
  {
    seeds.push_back(releases.particles[i].point);
  }
  return seeds;
}

/// After the particles of earlier releases, the particles at the seeds.
std::optional<NextIntervals> StreakLineWork::next() const
{
  const std::optional<NextIntervals> next = PathlineWork::next();
  if (next || heads_)
  {
    return next;
  }
  const std::int32_t interval = interval_in(steps().times(), time(), -1.0);
  return NextIntervals{ .range = { interval, interval }, .backward = false };
}

Result<void> StreakLineWork::go_on(const IntervalRange& part, const RunOptions& run)
{
  if (PathlineWork::next())
  {
    return PathlineWork::go_on(part, run);
  }
  heads_.emplace();
  if (!releases_between())
  {
    return {};
  }
  Result<AdvectionContext> context = context_for(part, true);
  if (!context)
  {
    return forward_error(context);
  }
  Result<TracedLines> samples = sample_points(heads(), time(), *context, run);
  if (!samples)
  {
    return forward_error(samples);
  }
  *heads_ = std::move(*samples);
  return {};
}

void StreakLineWork::fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts)
{
  const LineOutputOptions options = line_output();
  const TracedLines none;
  Streaks streaks = connect_streaks(frame().particles, heads_ ? *heads_ : none, table().releases, last_release());
  fill_streaks(streaks, time(), steps().flow(), table(), options, *vtkPolyData::GetData(pass.outputs, 0));
  fill_releases(frame().lines.seeds, table(), TraceDirection::Forward, *vtkPolyData::GetData(pass.outputs, 1));
  add_count("LinesCut", report.lines_cut, facts);
}

} // namespace rivulet
