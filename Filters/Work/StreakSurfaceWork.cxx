// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/StreakSurfaceWork.h"

#include "Filters/Output/SurfaceOutput.h"
#include "Filters/Seeds/ReleaseTimes.h"
#include "Pipeline/ErrorReport.h"
#include "Trace/Advect/ParticleSharing.h"
#include "Trace/FlowSurface/MeshDomain.h"
#include "Trace/FlowSurface/StreakDomain.h"
#include "vtkAlgorithm.h"
#include "vtkDataSet.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

namespace rivulet
{

WorkTraits StreakSurfaceWork::read_settings()
{
  take_settings();
  return { .doing = "tracing the surface", .least_steps = stream() ? 1 : 2, .communicates = true };
}

std::optional<NextIntervals> StreakSurfaceWork::expected(const std::vector<double>& times, double time) const
{
  if (march_ != nullptr && !stream())
  {
    return {};
  }
  const double from = stream() && !std::isnan(time) ? time : settings().release_start;
  const std::int32_t interval =
      times.size() < 2 ? 0 : interval_in(times, std::clamp(from, times.front(), times.back()), 1.0);
  return NextIntervals{ { interval, interval } };
}

double StreakSurfaceWork::time(const std::vector<double>& times) const
{
  return seeds_asked_.value_or(std::clamp(settings().release_start, times.front(), times.back()));
}

/// Seeds are taken at their release, of a stream surface at the time of the frame. A streak surface's seeds must stay.
Result<bool> StreakSurfaceWork::take(
    vtkInformationVector** ports, double frame, const std::vector<double>& times, bool anew)
{
  const double asked = time(times);
  const double first = std::clamp(settings().release_start, times.front(), times.back());
  vtkInformation* const info = ports[1]->GetInformationObject(0);
  const bool may_move = info != nullptr && info->Has(vtkStreamingDemandDrivenPipeline::TIME_STEPS()) != 0;
  if (settings().kind != Kind::Streak)
  {
    const bool at_frame = stream() && !std::isnan(frame);
    const double wanted = at_frame ? std::clamp(frame, times.front(), times.back()) : first;
    seeds_asked_ = may_move && wanted != asked ? wanted : seeds_asked_;
    return may_move && wanted != asked;
  }
  Result<std::optional<double>> next = still_.look(*ports[1], asked, { first, times.back() }, anew, "seed curve");
  if (!next)
  {
    return forward_error(next);
  }
  seeds_asked_ = *next ? *next : seeds_asked_;
  return next->has_value();
}

/// The last step not after the time.
std::int32_t StreakSurfaceWork::present_step() const
{
  return static_cast<std::int32_t>(std::upper_bound(times_.begin(), times_.end(), time_) - times_.begin()) - 1;
}

/// An interval with the time, and with the present step.
std::int32_t StreakSurfaceWork::present_interval() const
{
  return stream() || times_.size() < 2
             ? std::max(0, std::min(present_step(), static_cast<std::int32_t>(times_.size()) - 2))
             : interval_in(times_, time_, -1.0);
}

Result<void> StreakSurfaceWork::check(vtkDataSet* seeds) const
{
  if (seeds == nullptr || seeds->GetNumberOfPoints() == 0)
  {
    return fail(ErrorCode::BadArgument, "the seed source has no points", "give it points, or choose another");
  }
  if (!stream() && !grows_ && !(settings().release_start <= times_.back()))
  {
    std::ostringstream text;
    text << "Release Start is " << settings().release_start << ", and the last time of the input is " << times_.back();
    return fail(ErrorCode::BadArgument, text.str(), "set Release Start to a time of the input");
  }
  if (stream() && !(settings().stream_time > 0.0 && std::isfinite(settings().stream_time)))
  {
    return fail(ErrorCode::BadArgument, "Stream Time is not positive", "set Stream Time to a time along streamlines");
  }
  return check_options();
}

Result<void> StreakSurfaceWork::want(vtkDataSet& seeds)
{
  wanted_ = {};
  if (settings().kind == Kind::Time)
  {
    Result<SeedMesh> mesh = triangles_of(seeds);
    if (!mesh)
    {
      Error error = mesh.error();
      error.what = "a time surface needs the surface of the seed source: " + error.what;
      return tl::unexpected(std::move(error));
    }
    wanted_.mesh = std::move(*mesh);
    return {};
  }
  Result<std::vector<std::vector<Vec3>>> curves = curves_of(seeds);
  if (!curves)
  {
    return forward_error(curves);
  }
  wanted_.curves = std::move(*curves);
  return {};
}

Result<bool> StreakSurfaceWork::prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same)
{
  if (pass.grows && settings().criteria.adaptive)
  {
    return fail(ErrorCode::Unsupported,
        "an adaptive surface traces new particles from their releases, through steps of the simulation that are gone",
        "set Sampling to Dense; or let the analytics store write the steps, and use the filter on them");
  }
  times_ = times;
  grows_ = pass.grows;
  time_ = grows_                  ? times[times.size() - 2]
          : std::isnan(pass.time) ? times.back()
                                  : std::clamp(pass.time, times.front(), times.back());
  vtkDataSet* const seeds = vtkDataSet::GetData(pass.inputs[1], 0);
  Result<void> good = check(seeds);
  good = good ? want(*seeds) : good;
  if (!good)
  {
    return forward_error(good);
  }
  if (grows_)
  {
    return same && wanted_ == seeds_ && (march_ == nullptr || march_->grow(times_));
  }
  const bool same_flow = !stream() || asked_for_ == times_[static_cast<std::size_t>(present_step())];
  return same && march_ != nullptr && wanted_ == seeds_ && same_flow;
}

SurfaceCriteria StreakSurfaceWork::criteria() const
{
  SurfaceCriteria criteria = settings().criteria;
  if (criteria.largest_edge <= 0.0)
  {
    criteria.largest_edge = steps_->flow().longest_side() / 40.0;
  }
  if (criteria.tear_length <= 0.0)
  {
    criteria.tear_length = 4.0 * criteria.largest_edge;
  }
  return criteria;
}

/// Distance of the columns of an adaptive surface, world: a line may have any number of points on it. Columns that are
/// farther apart than edges may be make long and thin cells where the surface is stretched, and more vertices (note
/// 0014). The base takes a quarter of the vertices at most.
double StreakSurfaceWork::column_spacing(const StreakRelease& release) const
{
  const double duration = stream() ? settings().stream_time : std::max(0.0, times_.back() - release.start);
  const double rows = duration / release.interval + 2.0;
  const double least = 4.0 * rows * length_of(seeds_.curves) / static_cast<double>(settings().criteria.most_vertices);
  return std::max(criteria().largest_edge, least);
}

StreakRelease StreakSurfaceWork::release() const
{
  StreakRelease release;
  release.start = stream() ? 0.0 : std::max(settings().release_start, times_.front());
  release.interval = stream()                            ? settings().stream_time / settings().stream_rows
                     : settings().release_interval > 0.0 ? settings().release_interval
                     : grows_                            ? times_[1] - times_[0]
                                                         : mean_interval(times_);
  return release;
}

Result<std::unique_ptr<const SurfaceDomain>> StreakSurfaceWork::domain() const
{
  const auto result = [](auto domain) -> Result<std::unique_ptr<const SurfaceDomain>>
  {
    if (!domain)
    {
      return forward_error(domain);
    }
    return std::unique_ptr<const SurfaceDomain>(std::move(*domain));
  };
  if (settings().kind == Kind::Time)
  {
    return result(MeshDomain::create(seeds_.mesh.points, seeds_.mesh.triangles, release().start));
  }
  StreakRelease release = this->release();
  if (!settings().criteria.adaptive)
  {
    release.base_level = settings().dense_level;
    return result(StreakDomain::create(seeds_.curves, release));
  }
  return result(StreakDomain::create(respaced(seeds_.curves, column_spacing(release)), release));
}

/// Hands the ends of this rank's particles to all ranks. Fails on all of them if one cannot go on.
Result<void> StreakSurfaceWork::exchange(
    Result<void> mine, std::span<EndState> ends, std::span<const std::size_t> offsets)
{
  if (sharing_ != nullptr && !offsets.empty()) // other ranks may wait for particles of this one
  {
    sharing_->meet();
  }
  if (Result<void> agreed = ranks_.agree(std::move(mine)); !agreed || ends.empty())
  {
    return agreed;
  }
  const auto rank = static_cast<std::size_t>(ranks_.rank());
  const std::span<const EndState> own = ends.subspan(offsets[rank], offsets[rank + 1] - offsets[rank]);
  Result<std::vector<EndState>> all = ranks_.gather(own);
  if (!all)
  {
    return forward_error(all);
  }
  std::copy(all->begin(), all->end(), ends.begin());
  return {};
}

Result<void> StreakSurfaceWork::make_march()
{
  Result<std::unique_ptr<const SurfaceDomain>> surface = domain();
  if (!surface)
  {
    return forward_error(surface);
  }
  SurfaceRanks ranks{ .rank = ranks_.rank(), .ranks = ranks_.size() };
  if (ranks_.size() > 1)
  {
    ranks.exchange = [this](Result<void> mine, std::span<EndState> ends, std::span<const std::size_t> offsets)
    {
      return exchange(std::move(mine), ends, offsets);
    };
  }
  const std::vector<double> times = stream() ? std::vector<double>{ 0.0, settings().stream_time } : times_;
  march_ = std::make_unique<FlowSurfaceMarch>(std::move(*surface), times, criteria(), std::move(ranks));
  asked_for_ = times_[static_cast<std::size_t>(present_step())];
  return {};
}

Result<void> StreakSurfaceWork::begin(FlowSteps& steps, bool again)
{
  steps_ = &steps;
  begun_ = false;
  attributes_.reset();
  if (!again)
  {
    march_.reset();
    seeds_ = std::move(wanted_);
  }
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
  if (good && !stream() && time_ < settings().release_start)
  {
    attributes_.emplace();
  }
  const std::optional<IntervalRange> range = march_->next();
  intervals_ = 2 + (range ? range->count() : 0);
  return good;
}

std::optional<NextIntervals> StreakSurfaceWork::next() const
{
  if (!begun_ || attributes_)
  {
    return {};
  }
  const std::optional<IntervalRange> range = march_->next();
  const IntervalRange present{ present_interval(), present_interval() };
  return NextIntervals{ .range = range && !stream() ? *range : present, .of = intervals_ };
}

Result<AdvectionContext> StreakSurfaceWork::context_for(const IntervalRange& part)
{
  const TraceField* field = &steps_->field();
  std::vector<double> times = times_;
  if (stream())
  {
    times = { 0.0, settings().stream_time };
    if (Result<void> good = frozen_.freeze(*field, present_step(), settings().stream_time); !good)
    {
      return forward_error(good);
    }
    field = &frozen_.field();
  }
  Result<AdvectionContext> context = flow_surface_context(*field, times, settings().options);
  if (context)
  {
    context->set_intervals(stream() ? 0 : part.first, stream() ? 0 : part.last);
  }
  return context;
}

Result<void> StreakSurfaceWork::go_on(const IntervalRange& part, const RunOptions& run)
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

Result<WorkEnd> StreakSurfaceWork::finish(RunReport& report, bool stopped)
{
  if (march_ == nullptr)
  {
    return WorkEnd{};
  }
  if (stopped)
  {
    march_->stop();
  }
  report.trace.integration_steps += march_->surface().statistics.steps;
  const std::shared_ptr<const Error>& of_surface = march_->surface().data_error;
  return WorkEnd{ of_surface || !attributes_ ? of_surface : attributes_->data_error,
    "the surface is as far as it was refined, without the arrays of the input" };
}

void StreakSurfaceWork::fill(const UnsteadyPass& pass, const RunReport&, vtkFieldData& facts)
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

void StreakSurfaceWork::warn(const UnsteadyPass&, const RunReport&)
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
    report_warning(&filter(), warning);
  }
  if (counted.limited)
  {
    warning.what = "the surface is coarser than asked for, because it has Maximum Vertices points";
    warning.remedy = "raise Largest Edge or Maximum Vertices";
    report_warning(&filter(), warning);
  }
}

} // namespace rivulet
