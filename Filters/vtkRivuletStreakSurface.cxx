// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletStreakSurface.h"

#include "Filters/Output/SurfaceOutput.h"
#include "Filters/Seeds/ReleaseTimes.h"
#include "Filters/Seeds/SeedShapes.h"
#include "Filters/Seeds/StillInputs.h"
#include "Filters/Steps/FrozenField.h"
#include "Filters/Steps/UnsteadyWork.h"
#include "Pipeline/ErrorReport.h"
#include "Trace/Advect/ParticleSharing.h"
#include "Trace/FlowSurface.h"
#include "Trace/FlowSurface/MeshDomain.h"
#include "Trace/FlowSurface/PointAttributes.h"
#include "Trace/FlowSurface/StreakDomain.h"
#include "vtkDataSet.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkMath.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <sstream>

vtkStandardNewMacro(vtkRivuletStreakSurface);

using namespace rivulet;

class vtkRivuletStreakSurface::Work final : public UnsteadyWork
{
public:
  explicit Work(vtkRivuletStreakSurface& filter)
    : filter_(filter)
  {
  }

  [[nodiscard]] bool backward() const override { return false; }
  [[nodiscard]] int least_steps() const override { return stream() ? 1 : 2; }
  [[nodiscard]] rivulet::TimeInterpolation interpolation(rivulet::TimeInterpolation of_filter) const override
  {
    return stream() ? rivulet::TimeInterpolation::Linear : of_filter;
  }
  [[nodiscard]] bool communicates() const override { return true; }
  [[nodiscard]] std::optional<std::int32_t> first_interval(
      const std::vector<double>& times, double time) const override;
  [[nodiscard]] double seeds_time(const std::vector<double>& times) const override
  {
    return seeds_asked_.value_or(std::clamp(filter_.ReleaseStart, times.front(), times.back()));
  }
  [[nodiscard]] Result<bool> take_seeds(const UnsteadyPass& pass, const std::vector<double>& times, bool anew) override;
  [[nodiscard]] Result<void> check_growth() const override;
  [[nodiscard]] Result<bool> prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same) override;
  void begin(FlowSteps& steps, bool again) override;
  [[nodiscard]] Result<void> opened() override;
  [[nodiscard]] std::optional<IntervalRange> next() const override;
  [[nodiscard]] std::int64_t intervals() const override { return intervals_; }
  [[nodiscard]] Result<void> go_on(const IntervalRange& part, const RunOptions& run) override;
  [[nodiscard]] Result<void> finish(RunReport& report, bool stopped) override;
  void fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts) override;
  void warn(const UnsteadyPass& pass, const RunReport& report) override;
  [[nodiscard]] std::shared_ptr<const Error> data_error() const override
  {
    const std::shared_ptr<const Error> of_surface = march_ ? march_->surface().data_error : nullptr;
    return of_surface || !attributes_ ? of_surface : attributes_->data_error;
  }
  [[nodiscard]] std::string doing() const override { return "tracing the surface"; }
  [[nodiscard]] std::string left_after_stop(const RunReport&) const override
  {
    return "the surface is as far as it was refined, without the arrays of the input";
  }

private:
  /// The seeds of a request.
  struct Seeds
  {
    std::vector<std::vector<Vec3>> curves;
    SeedMesh mesh;

    [[nodiscard]] bool operator==(const Seeds& other) const
    {
      return curves == other.curves && mesh.points == other.mesh.points && mesh.triangles == other.mesh.triangles;
    }
  };

  [[nodiscard]] bool stream() const { return filter_.SurfaceType == STREAM_SURFACE; }
  [[nodiscard]] Result<void> check(vtkDataSet* seeds) const;
  [[nodiscard]] Result<void> make_march();
  [[nodiscard]] Result<std::unique_ptr<const SurfaceDomain>> domain() const;
  [[nodiscard]] double column_spacing(const StreakRelease& release) const;
  [[nodiscard]] SurfaceCriteria criteria() const;
  [[nodiscard]] Result<AdvectionContext> context_for(const IntervalRange& part);
  [[nodiscard]] std::int32_t present_step() const;
  [[nodiscard]] std::int32_t present_interval() const;
  [[nodiscard]] double surface_time() const { return stream() ? filter_.StreamTime : time_; }
  /// Whether a simulation that runs has not come to the first release, or to its second step.
  [[nodiscard]] bool waits() const
  {
    return grows_ && march_ == nullptr && (time_ == times_.front() || time_ < filter_.ReleaseStart);
  }

  vtkRivuletStreakSurface& filter_;
  FlowSteps* steps_ = nullptr;
  std::vector<double> times_; ///< of the input's steps
  double time_ = 0.0;
  double asked_for_ = std::numeric_limits<double>::quiet_NaN(); ///< step of a stream surface in march_
  StillInputs still_;                                           ///< seed curves that are released again and again
  std::optional<double> seeds_asked_;                           ///< none: at the first release
  Seeds wanted_;
  Seeds seeds_; ///< of the march
  Ranks ranks_;
  ParticleSharing* sharing_ = nullptr; ///< of the present go_on(); nullptr: there is one rank
  std::unique_ptr<FlowSurfaceMarch> march_;
  FrozenField frozen_; ///< of stream surfaces
  bool begun_ = false;
  bool grows_ = false; ///< while a simulation runs: the last of the times is still to come
  std::int64_t intervals_ = 1;
  std::optional<PointAttributes> attributes_; ///< at the points of the surface
};

std::optional<std::int32_t> vtkRivuletStreakSurface::Work::first_interval(
    const std::vector<double>& times, double time) const
{
  if (march_ != nullptr && !stream())
  {
    return {};
  }
  const double from = stream() && !std::isnan(time) ? time : filter_.ReleaseStart;
  return times.size() < 2 ? 0 : interval_in(times, std::clamp(from, times.front(), times.back()), 1.0);
}

/// Seeds are those of their release: of a stream surface at the time of the frame. Those of a streak surface must stay.
Result<bool> vtkRivuletStreakSurface::Work::take_seeds(
    const UnsteadyPass& pass, const std::vector<double>& times, bool anew)
{
  const double asked = seeds_time(times);
  const double first = std::clamp(filter_.ReleaseStart, times.front(), times.back());
  vtkInformation* const info = pass.inputs[1]->GetInformationObject(0);
  const bool may_move = info != nullptr && info->Has(vtkStreamingDemandDrivenPipeline::TIME_STEPS()) != 0;
  if (filter_.SurfaceType != STREAK_SURFACE)
  {
    const bool at_frame = stream() && !std::isnan(pass.time);
    const double wanted = at_frame ? std::clamp(pass.time, times.front(), times.back()) : first;
    seeds_asked_ = may_move && wanted != asked ? wanted : seeds_asked_;
    return may_move && wanted != asked;
  }
  Result<std::optional<double>> next = still_.look(*pass.inputs[1], asked, { first, times.back() }, anew, "seed curve");
  if (!next)
  {
    return forward_error(next);
  }
  seeds_asked_ = *next ? *next : seeds_asked_;
  return next->has_value();
}

/// The last step not after the time.
std::int32_t vtkRivuletStreakSurface::Work::present_step() const
{
  return static_cast<std::int32_t>(std::upper_bound(times_.begin(), times_.end(), time_) - times_.begin()) - 1;
}

/// An interval with the time, and with the present step.
std::int32_t vtkRivuletStreakSurface::Work::present_interval() const
{
  return stream() || times_.size() < 2
             ? std::max(0, std::min(present_step(), static_cast<std::int32_t>(times_.size()) - 2))
             : interval_in(times_, time_, -1.0);
}

Result<void> vtkRivuletStreakSurface::Work::check(vtkDataSet* seeds) const
{
  if (seeds == nullptr || seeds->GetNumberOfPoints() == 0)
  {
    return fail(ErrorCode::BadArgument, "the seed source has no points", "give it points, or choose another");
  }
  if (filter_.MaximumNumberOfSteps < 0)
  {
    return fail(ErrorCode::BadArgument, "Maximum Steps is negative", "set Maximum Steps to a number of steps");
  }
  if (!stream() && !grows_ && !(filter_.ReleaseStart <= times_.back()))
  {
    std::ostringstream text;
    text << "Release Start is " << filter_.ReleaseStart << ", and the last time of the input is " << times_.back();
    return fail(ErrorCode::BadArgument, text.str(), "set Release Start to a time of the input");
  }
  if (stream() && !(filter_.StreamTime > 0.0 && std::isfinite(filter_.StreamTime)))
  {
    return fail(ErrorCode::BadArgument, "Stream Time is not positive", "set Stream Time to a time along streamlines");
  }
  return {};
}

/// Without refinement each particle goes on from step to step.
Result<void> vtkRivuletStreakSurface::Work::check_growth() const
{
  if (filter_.Sampling != DENSE)
  {
    return fail(ErrorCode::Unsupported,
        "an adaptive surface traces new particles from their releases, through steps of the simulation that are gone",
        "set Sampling to Dense; or let the analytics store write the steps, and use the filter on them");
  }
  return {};
}

Result<bool> vtkRivuletStreakSurface::Work::prepare(
    const UnsteadyPass& pass, const std::vector<double>& times, bool same)
{
  times_ = times;
  grows_ = pass.grows;
  time_ = grows_                  ? times[times.size() - 2]
          : std::isnan(pass.time) ? times.back()
                                  : std::clamp(pass.time, times.front(), times.back());
  wanted_ = {};
  vtkDataSet* const seeds = vtkDataSet::GetData(pass.inputs[1], 0);
  if (Result<void> good = check(seeds); !good)
  {
    return forward_error(good);
  }
  if (filter_.SurfaceType == TIME_SURFACE)
  {
    Result<SeedMesh> mesh = triangles_of(*seeds);
    if (!mesh)
    {
      return forward_error(mesh);
    }
    wanted_.mesh = std::move(*mesh);
  }
  else
  {
    Result<std::vector<std::vector<Vec3>>> curves = curves_of(*seeds);
    if (!curves)
    {
      return forward_error(curves);
    }
    wanted_.curves = std::move(*curves);
  }
  if (grows_)
  {
    return same && wanted_ == seeds_ && (march_ == nullptr || march_->grow(times_));
  }
  const bool same_flow = !stream() || asked_for_ == times_[static_cast<std::size_t>(present_step())];
  return same && march_ != nullptr && wanted_ == seeds_ && same_flow;
}

void vtkRivuletStreakSurface::Work::begin(FlowSteps& steps, bool again)
{
  steps_ = &steps;
  begun_ = false;
  attributes_.reset();
  if (!again)
  {
    march_.reset();
    seeds_ = std::move(wanted_);
  }
}

SurfaceCriteria vtkRivuletStreakSurface::Work::criteria() const
{
  SurfaceCriteria criteria;
  criteria.adaptive = filter_.Sampling == ADAPTIVE;
  criteria.largest_edge = filter_.LargestEdge > 0.0 ? filter_.LargestEdge : steps_->flow().longest_side() / 40.0;
  criteria.largest_angle = filter_.LargestAngle >= 180.0 ? 4.0 : vtkMath::RadiansFromDegrees(filter_.LargestAngle);
  criteria.most_levels = filter_.MaximumLevel;
  criteria.boundary_levels = std::min(filter_.BoundaryLevel, filter_.MaximumLevel);
  criteria.tear_length = filter_.TearLength > 0.0 ? filter_.TearLength : 4.0 * criteria.largest_edge;
  criteria.most_vertices = filter_.MaximumVertices;
  return criteria;
}

/// Distance of the columns of an adaptive surface, world: a line may have any number of points on it. Columns that are
/// farther apart than edges may be make long and thin cells where the surface is stretched, and more vertices (note
/// 0014). The base takes a quarter of the vertices at most.
double vtkRivuletStreakSurface::Work::column_spacing(const StreakRelease& release) const
{
  const double duration = stream() ? filter_.StreamTime : std::max(0.0, times_.back() - release.start);
  const double rows = duration / release.interval + 2.0;
  const double least = 4.0 * rows * length_of(seeds_.curves) / static_cast<double>(filter_.MaximumVertices);
  return std::max(criteria().largest_edge, least);
}

Result<std::unique_ptr<const SurfaceDomain>> vtkRivuletStreakSurface::Work::domain() const
{
  const double first = stream() ? 0.0 : std::max(filter_.ReleaseStart, times_.front());
  const auto result = [](auto domain) -> Result<std::unique_ptr<const SurfaceDomain>>
  {
    if (!domain)
    {
      return forward_error(domain);
    }
    return std::unique_ptr<const SurfaceDomain>(std::move(*domain));
  };
  if (filter_.SurfaceType == TIME_SURFACE)
  {
    return result(MeshDomain::create(seeds_.mesh.points, seeds_.mesh.triangles, first));
  }
  StreakRelease release;
  release.start = first;
  release.interval = stream()                        ? filter_.StreamTime / filter_.StreamRows
                     : filter_.ReleaseInterval > 0.0 ? filter_.ReleaseInterval
                     : grows_                        ? times_[1] - times_[0]
                                                     : mean_interval(times_);
  if (filter_.Sampling == DENSE)
  {
    release.base_level = filter_.DenseLevel;
    return result(StreakDomain::create(seeds_.curves, release));
  }
  return result(StreakDomain::create(respaced(seeds_.curves, column_spacing(release)), release));
}

Result<void> vtkRivuletStreakSurface::Work::make_march()
{
  Result<std::unique_ptr<const SurfaceDomain>> surface = domain();
  if (!surface)
  {
    return forward_error(surface);
  }
  SurfaceRanks ranks{ .rank = ranks_.rank(),
    .ranks = ranks_.size(),
    .exchange = {},
    .idle_ranks = ranks_.size() - filter_.GetTracingPart().parts };
  if (ranks_.size() > 1)
  {
    ranks.exchange = [this](bool good, std::span<EndState> ends, std::span<const std::size_t> offsets)
    {
      if (sharing_ != nullptr && !offsets.empty()) // other ranks may wait for particles of this one
      {
        sharing_->meet();
      }
      std::int64_t bad = good ? 0 : 1;
      ranks_.sum({ &bad, 1 });
      if (bad > 0 || ends.empty())
      {
        return bad == 0;
      }
      const auto rank = static_cast<std::size_t>(ranks_.rank());
      const std::span<const EndState> mine = ends.subspan(offsets[rank], offsets[rank + 1] - offsets[rank]);
      const std::vector<std::byte> all = ranks_.gather(std::as_bytes(mine));
      std::memcpy(ends.data(), all.data(), all.size());
      return true;
    };
  }
  const std::vector<double> times = stream() ? std::vector<double>{ 0.0, filter_.StreamTime } : times_;
  march_ = std::make_unique<FlowSurfaceMarch>(std::move(*surface), times, criteria(), std::move(ranks));
  asked_for_ = times_[static_cast<std::size_t>(present_step())];
  return {};
}

Result<void> vtkRivuletStreakSurface::Work::opened()
{
  std::int64_t dropped = steps_->dropped() ? 1 : 0;
  ranks_.max({ &dropped, 1 });
  if (waits())
  {
    attributes_.emplace();
    return {};
  }
  if (march_ == nullptr)
  {
    if (Result<void> made = make_march(); !made)
    {
      return made;
    }
  }
  // Where steps were dropped, a walk back to the release of a vertex asks the pipeline for them again, which costs more
  // than vertices that are traced ahead of their need.
  static constexpr double kReserve = 0.2; // of the largest edge
  march_->set_reserve(dropped > 0 ? kReserve : 0.0);
  begun_ = true;
  Result<void> good = march_->begin(surface_time()); // before the first release to the empty surface
  if (good && !stream() && time_ < filter_.ReleaseStart)
  {
    attributes_.emplace();
  }
  const std::optional<IntervalRange> range = march_->next();
  intervals_ = 2 + (range ? range->last - range->first + 1 : 0);
  return good;
}

std::optional<IntervalRange> vtkRivuletStreakSurface::Work::next() const
{
  if (!begun_ || attributes_)
  {
    return {};
  }
  const std::optional<IntervalRange> range = march_->next();
  if (range && !stream())
  {
    return range;
  }
  return IntervalRange{ present_interval(), present_interval() };
}

Result<AdvectionContext> vtkRivuletStreakSurface::Work::context_for(const IntervalRange& part)
{
  PathlineOptions options;
  filter_.SetStepOptions(options);
  options.maximum_time = filter_.MaximumTime;
  const TraceField* field = &steps_->field();
  std::vector<double> times = times_;
  if (stream())
  {
    times = { 0.0, filter_.StreamTime };
    if (Result<void> good = frozen_.freeze(*field, present_step(), filter_.StreamTime); !good)
    {
      return forward_error(good);
    }
    field = &frozen_.field();
  }
  Result<AdvectionContext> context = flow_surface_context(*field, times, options);
  if (context)
  {
    context->hold(stream() ? 0 : part.first, stream() ? 0 : part.last);
  }
  return context;
}

Result<void> vtkRivuletStreakSurface::Work::go_on(const IntervalRange& part, const RunOptions& run)
{
  Result<AdvectionContext> context = context_for(part);
  if (!context)
  {
    return forward_error(context);
  }
  if (march_->next())
  {
    sharing_ = run.sharing;
    Result<void> good = march_->go_on(*context, run);
    return good || good.error().code != ErrorCode::Cancelled ? good : Result<void>{};
  }
  attributes_.emplace();
  const FlowSurface& surface = march_->surface();
  if (ranks_.rank() > 0 || surface.points.empty())
  {
    return {};
  }
  Result<PointAttributes> attributes = attributes_at(*context, surface.points, surface.time, run);
  if (!attributes)
  {
    const bool stopped = attributes.error().code == ErrorCode::Cancelled;
    return stopped ? Result<void>{} : forward_error(attributes);
  }
  *attributes_ = std::move(*attributes);
  return {};
}

Result<void> vtkRivuletStreakSurface::Work::finish(RunReport& report, bool stopped)
{
  if (march_ == nullptr)
  {
    return {};
  }
  if (stopped)
  {
    march_->stop();
  }
  report.trace.integration_steps += march_->surface().statistics.steps;
  return {};
}

void vtkRivuletStreakSurface::Work::fill(const UnsteadyPass& pass, const RunReport&, vtkFieldData& facts)
{
  if (march_ == nullptr)
  {
    return;
  }
  const FlowSurface& surface = march_->surface();
  const FlowSurfaceStatistics& counted = surface.statistics;
  add_count("Vertices", counted.vertices, facts);
  add_count("LostVertices", counted.lost, facts);
  add_count("TornTriangles", counted.torn, facts);
  std::int64_t started = counted.started;
  ranks_.sum({ &started, 1 });
  add_count("VerticesStarted", started, facts);
  if (ranks_.rank() == 0 && !surface.points.empty())
  {
    attributes_ = attributes_ ? std::move(attributes_) : PointAttributes{};
    fill_surface(surface, *attributes_, steps_->flow(), *vtkPolyData::GetData(pass.outputs, 0));
  }
}

void vtkRivuletStreakSurface::Work::warn(const UnsteadyPass&, const RunReport&)
{
  if (ranks_.rank() > 0 || march_ == nullptr || march_->surface().statistics.vertices == 0)
  {
    return;
  }
  const FlowSurfaceStatistics& counted = march_->surface().statistics;
  Error warning;
  warning.code = ErrorCode::BadArgument;
  if (counted.lost == counted.vertices)
  {
    warning.what = "there is no surface, because all " + std::to_string(counted.vertices) +
                   " particles are outside the grid or have left it";
    warning.remedy = "move the seeds into the grid, or go to an earlier time";
    report_warning(&filter_, warning);
  }
  if (counted.limited)
  {
    warning.what = "the surface is coarser than asked for, because it has Maximum Vertices points";
    warning.remedy = "raise Largest Edge or Maximum Vertices";
    report_warning(&filter_, warning);
  }
}

vtkRivuletStreakSurface::vtkRivuletStreakSurface()
{
  this->SetNumberOfInputPorts(2);
}

vtkRivuletStreakSurface::~vtkRivuletStreakSurface() = default;

std::unique_ptr<UnsteadyWork> vtkRivuletStreakSurface::MakeWork()
{
  return std::make_unique<Work>(*this);
}

void vtkRivuletStreakSurface::SetSourceData(vtkDataSet* source)
{
  this->SetInputData(1, source);
}

void vtkRivuletStreakSurface::SetSourceConnection(vtkAlgorithmOutput* output)
{
  this->SetInputConnection(1, output);
}

void vtkRivuletStreakSurface::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SurfaceType: " << this->SurfaceType << "\n"
     << indent << "ReleaseStart: " << this->ReleaseStart << "\n"
     << indent << "ReleaseInterval: " << this->ReleaseInterval << "\n"
     << indent << "StreamTime: " << this->StreamTime << "\n"
     << indent << "StreamRows: " << this->StreamRows << "\n"
     << indent << "Sampling: " << this->Sampling << "\n"
     << indent << "DenseLevel: " << this->DenseLevel << "\n"
     << indent << "LargestEdge: " << this->LargestEdge << "\n"
     << indent << "LargestAngle: " << this->LargestAngle << "\n"
     << indent << "MaximumLevel: " << this->MaximumLevel << "\n"
     << indent << "BoundaryLevel: " << this->BoundaryLevel << "\n"
     << indent << "TearLength: " << this->TearLength << "\n"
     << indent << "MaximumVertices: " << this->MaximumVertices << "\n"
     << indent << "MaximumTime: " << this->MaximumTime << "\n";
}
