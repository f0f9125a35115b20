// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletStreakLine.h"

#include "Filters/Work/PathlineWork.h"
#include "Trace/Lines/StreakLines.h"
#include "Trace/SamplePoints.h"
#include "vtkDataSet.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"

#include <algorithm>

vtkStandardNewMacro(vtkRivuletStreakLine);

using namespace rivulet;

class vtkRivuletStreakLine::Work final : public PathlineWork
{
public:
  explicit Work(vtkRivuletStreakLine& filter)
    : PathlineWork(filter)
    , filter_(filter)
  {
  }

  void begin(FlowSteps& steps, bool again) override;
  [[nodiscard]] std::optional<IntervalRange> next() const override;
  [[nodiscard]] Result<void> go_on(const IntervalRange& part, const RunOptions& run) override;
  [[nodiscard]] std::string doing() const override { return "tracing streak lines"; }
  void fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts) override;

private:
  [[nodiscard]] PathlineSettings settings_now() const override;
  [[nodiscard]] std::int64_t last_release() const;
  [[nodiscard]] bool releases_between() const;
  [[nodiscard]] std::vector<Vec3> heads() const;

  vtkRivuletStreakLine& filter_;
  std::optional<TracedLines> heads_; ///< particles released at the time of the frame, which end the lines
};

PathlineSettings vtkRivuletStreakLine::Work::settings_now() const
{
  PathlineSettings settings{ .backward = false,
    .static_seeds = false,
    .releases = { .kind = filter_.Release == REPEATEDLY ? ReleaseChoice::Kind::Repeatedly
                                                        : ReleaseChoice::Kind::AtFirstStep,
        .every_nth = filter_.ForceReinjectionEveryNSteps,
        .start = filter_.ReleaseStart,
        .end = filter_.ReleaseEnd,
        .interval = filter_.ReleaseInterval,
        .times = {},
        .array = {} },
    .time = filter_.TerminationTime,
    .tail = 0.0,
    .paths = false,
    .options = {},
    .part = filter_.GetTracingPart() };
  PathlineOptions& options = settings.options;
  filter_.SetStepOptions(options);
  options.maximum_time = filter_.MaximumTime;
  options.terminal_speed = filter_.TerminalSpeed;
  options.compute_vorticity = filter_.ComputeVorticity;
  return settings;
}

void vtkRivuletStreakLine::Work::begin(FlowSteps& steps, bool again)
{
  PathlineWork::begin(steps, again);
  heads_.reset();
}

/// Number of the last release at or before the time of the frame; -1: there was none.
std::int64_t vtkRivuletStreakLine::Work::last_release() const
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
bool vtkRivuletStreakLine::Work::releases_between() const
{
  const std::int64_t last = last_release();
  const ReleaseTable releases = table();
  const bool over = filter_.Release == REPEATEDLY && time() > filter_.ReleaseEnd;
  return last >= 0 && !over && !seeds_move() && releases.particles[static_cast<std::size_t>(last)].time < time();
}

std::vector<Vec3> vtkRivuletStreakLine::Work::heads() const
{
  const ReleaseTable releases = table();
  std::vector<Vec3> seeds;
  for (std::size_t i = 0; i < releases.particles.size(); i += static_cast<std::size_t>(releases.releases))
  {
    seeds.push_back(releases.particles[i].point);
  }
  return seeds;
}

/// After the particles of earlier releases, those at the seeds.
std::optional<IntervalRange> vtkRivuletStreakLine::Work::next() const
{
  const std::optional<IntervalRange> range = PathlineWork::next();
  if (range || heads_)
  {
    return range;
  }
  const std::int32_t interval = interval_in(steps().times(), time(), -1.0);
  return IntervalRange{ interval, interval };
}

Result<void> vtkRivuletStreakLine::Work::go_on(const IntervalRange& part, const RunOptions& run)
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

void vtkRivuletStreakLine::Work::fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts)
{
  const LineOutputOptions options{ .velocity = steps().vectors(), .rotation = filter_.ComputeVorticity };
  const TracedLines none;
  Streaks streaks = connect_streaks(frame().particles, heads_ ? *heads_ : none, table().releases, last_release());
  fill_streaks(streaks, time(), steps().flow(), table(), options, *vtkPolyData::GetData(pass.outputs, 0));
  fill_releases(frame().lines.seeds, table(), TraceDirection::Forward, *vtkPolyData::GetData(pass.outputs, 1));
  add_count("LinesCut", report.lines_cut, facts);
}

vtkRivuletStreakLine::vtkRivuletStreakLine()
{
  this->SetNumberOfInputPorts(2);
  this->SetNumberOfOutputPorts(2);
}

vtkRivuletStreakLine::~vtkRivuletStreakLine() = default;

std::unique_ptr<UnsteadyWork> vtkRivuletStreakLine::MakeWork()
{
  return std::make_unique<Work>(*this);
}

void vtkRivuletStreakLine::SetSourceData(vtkDataSet* source)
{
  this->SetInputData(1, source);
}

void vtkRivuletStreakLine::SetSourceConnection(vtkAlgorithmOutput* output)
{
  this->SetInputConnection(1, output);
}

void vtkRivuletStreakLine::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "Release: " << this->Release << "\n"
     << indent << "ForceReinjectionEveryNSteps: " << this->ForceReinjectionEveryNSteps << "\n"
     << indent << "ReleaseStart: " << this->ReleaseStart << "\n"
     << indent << "ReleaseEnd: " << this->ReleaseEnd << "\n"
     << indent << "ReleaseInterval: " << this->ReleaseInterval << "\n"
     << indent << "TerminationTime: " << this->TerminationTime << "\n"
     << indent << "MaximumTime: " << this->MaximumTime << "\n"
     << indent << "TerminalSpeed: " << this->TerminalSpeed << "\n"
     << indent << "ComputeVorticity: " << this->ComputeVorticity << "\n";
}
