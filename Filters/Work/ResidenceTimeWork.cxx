// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/ResidenceTimeWork.h"

#include "Base/Times.h"
#include "Filters/Output/ResidenceOutput.h"
#include "Filters/Run/RunReport.h"
#include "Pipeline/ErrorReport.h"
#include "vtkAlgorithm.h"
#include "vtkCellArray.h"
#include "vtkDataSet.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPoints.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>

namespace rivulet
{

namespace
{

/// The points of blocks that became one dataset, with their arrays, as vertices.
void take_points(vtkDataSet& seeds, vtkDataSet& output)
{
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> vertices;
  for (vtkIdType i = 0; i < seeds.GetNumberOfPoints(); ++i)
  {
    const vtkIdType point = points->InsertNextPoint(seeds.GetPoint(i));
    vertices->InsertNextCell(1, &point);
  }
  vtkPolyData& to = *vtkPolyData::SafeDownCast(&output);
  to.SetPoints(points);
  to.SetVerts(vertices);
  to.GetPointData()->ShallowCopy(seeds.GetPointData());
}

} // namespace

WorkTraits ResidenceTimeWork::read_settings()
{
  take_settings();
  regions_.set(settings().regions);
  const bool labels = settings().regions.kind == RegionChoice::Kind::Labels;
  return { .doing = "following particles", .reason_for_steps = labels ? "labels are looked at at each time step" : "" };
}

/// The frame, within the times of the field; without one, their beginning in the direction of time.
double ResidenceTimeWork::release_at(const std::vector<double>& times, double frame) const
{
  const double first = settings().backward ? times.back() : times.front();
  return std::isnan(frame) ? first : std::clamp(frame, times.front(), times.back());
}

std::optional<NextIntervals> ResidenceTimeWork::expected(const std::vector<double>& times, double time) const
{
  const std::int32_t interval = interval_in(times, release_at(times, time), sign());
  return NextIntervals{ { interval, interval }, settings().backward };
}

double ResidenceTimeWork::time(const std::vector<double>& times) const
{
  return asked_.value_or(release_at(times, std::nan("")));
}

/// Looks whether surfaces stay where they are. Seeds are taken at the release.
Result<bool> ResidenceTimeWork::take(
    vtkInformationVector** ports, double frame, const std::vector<double>& times, bool anew)
{
  const double asked = time(times);
  Result<std::optional<double>> next = regions_.look(*ports[2], asked, { times.front(), times.back() }, anew);
  if (!next)
  {
    return forward_error(next);
  }
  vtkInformation* const seeds = ports[1]->GetInformationObject(0);
  const bool may_move = seeds != nullptr && seeds->Has(vtkStreamingDemandDrivenPipeline::TIME_STEPS()) != 0;
  const double release = release_at(times, frame);
  const std::optional<double> of_seeds = may_move && release != asked ? std::optional(release) : std::nullopt;
  const std::optional<double> wanted = next->has_value() ? *next : of_seeds;
  asked_ = wanted ? wanted : asked_;
  return wanted.has_value();
}

Result<bool> ResidenceTimeWork::prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same)
{
  if (pass.grows)
  {
    return cannot_follow_a_simulation();
  }
  if (Result<void> good = check_options(); !good)
  {
    return forward_error(good);
  }
  field_ = vtkDataObject::GetData(pass.inputs[0], 0);
  seeds_ = vtkDataSet::GetData(pass.inputs[1], 0);
  if (seeds_ == nullptr || seeds_->GetNumberOfPoints() == 0)
  {
    return fail(ErrorCode::BadArgument, "the seed source has no points", "give it points, or choose another");
  }
  const double limit = settings().backward ? times.front() : times.back();
  const double start = release_at(times, pass.time);
  const double most = std::fabs(limit - start);
  const double end =
      settings().duration > 0.0 && settings().duration < most ? start + sign() * settings().duration : limit;
  const vtkMTimeType changed = std::max(regions_.take(*pass.inputs[2]), seeds_->GetMTime());
  const bool again = same && done_ && changed == inputs_time_ && start == query_.start && end == query_.end;
  inputs_time_ = changed;
  query_.start = start;
  query_.end = end;
  return again;
}

Result<void> ResidenceTimeWork::begin(FlowSteps& steps, bool again)
{
  steps_ = &steps;
  if (again)
  {
    return {};
  }
  march_.reset();
  result_ = {};
  done_ = false;
  if (Result<void> made = regions_.make(field_, steps.flow().field()); !made)
  {
    return made;
  }
  query_.regions = regions_.regions().regions;
  steps.check_each([this](vtkDataObject& input, double time) { return regions_.check_labels(input, time); });
  const auto [first, last] = ranks_.part().share(seeds_->GetNumberOfPoints());
  std::vector<Vec3> places(static_cast<std::size_t>(last - first));
  for (std::size_t i = 0; i < places.size(); ++i)
  {
    seeds_->GetPoint(first + static_cast<vtkIdType>(i), places[i].data());
  }
  march_.emplace(places, query_);
  interval_ = interval_in(steps.times(), query_.start, sign());
  return {};
}

std::optional<NextIntervals> ResidenceTimeWork::next() const
{
  if (!march_ || no_time_left())
  {
    return {};
  }
  const std::int32_t last = interval_in(steps_->times(), query_.end, -sign());
  const std::int32_t first = interval_in(steps_->times(), query_.start, sign());
  if (static_cast<double>(last - interval_) * sign() < 0.0)
  {
    return {};
  }
  return NextIntervals{ { std::min(interval_, last), std::max(interval_, last) }, settings().backward,
    std::abs(last - first) + 1 };
}

Result<void> ResidenceTimeWork::go_on(const IntervalRange& part, const RunOptions& run)
{
  Result<AdvectionContext> context = residence_context(steps_->field(), steps_->times(), query_, settings().options);
  if (!context)
  {
    return forward_error(context);
  }
  context->set_intervals(part.first, part.last);
  interval_ = settings().backward ? part.first - 1 : part.last + 1;
  return march_->go_on(*context, run);
}

/// After a stop between two intervals: particles that could go on end there.
void ResidenceTimeWork::mark_cut(Termination reason)
{
  for (EndState& end : result_.ends)
  {
    const bool on_its_way = end.reason == Termination::OutOfTime && end.time != query_.end;
    end.reason = on_its_way || end.reason == Termination::None ? reason : end.reason;
  }
}

/// Gathers the results of all ranks.
Result<void> ResidenceTimeWork::gather()
{
  const auto all_of = [this]<class Value>(std::vector<Value>& values) -> Result<void>
  {
    Result<std::vector<Value>> all = ranks_.gather(std::span<const Value>(values));
    if (!all)
    {
      return forward_error(all);
    }
    values = std::move(*all);
    return {};
  };
  const std::int64_t first = ranks_.part().share(seeds_->GetNumberOfPoints()).first;
  for (Crossing& visit : result_.visits)
  {
    visit.id += first;
  }
  Result<void> gathered = all_of(result_.stays);
  gathered = gathered ? all_of(result_.ends) : gathered;
  return gathered ? all_of(result_.visits) : gathered;
}

Result<WorkEnd> ResidenceTimeWork::finish(RunReport& report, bool stopped)
{
  if (march_)
  {
    Result<void> taken = ranks_.agree(within_memory( // all ranks come to gather()
        [this]() -> Result<void>
        {
          result_ = march_->take();
          return {};
        }));
    march_.reset();
    if (!taken)
    {
      return forward_error(taken);
    }
    report.trace.integration_steps += result_.steps;
    report.trace.seeds_outside += std::count_if(result_.ends.begin(), result_.ends.end(),
        [](const EndState& end) { return end.reason == Termination::SeedOutside; });
    if (stopped)
    {
      mark_cut(report.out_of_seconds ? Termination::OutOfSeconds : Termination::Cancelled);
    }
    if (Result<void> gathered = gather(); !gathered)
    {
      return forward_error(gathered);
    }
    done_ = !stopped;
  }
  return WorkEnd{ result_.data_error, "particles have gone as far as they came, and their durations are those so far" };
}

void ResidenceTimeWork::fill(const UnsteadyPass& pass, const RunReport&, vtkFieldData& facts)
{
  if (ranks_.rank() == 0)
  {
    vtkDataSet& output = *vtkDataSet::GetData(pass.outputs, 0);
    output.IsA(seeds_->GetClassName()) != 0 ? output.ShallowCopy(seeds_) : take_points(*seeds_, output);
    fill_residence(result_, regions_.regions().names, output);
    fill_visits(result_.visits, *vtkPolyData::GetData(pass.outputs, 1));
  }
  add_count("Visits", static_cast<std::int64_t>(result_.visits.size()), facts);
}

void ResidenceTimeWork::warn(const UnsteadyPass&, const RunReport& report)
{
  warn_if_all_outside(filter(), ranks_, report, { &steps_->flow(), 1 }, *seeds_);
  if (ranks_.rank() == 0 && no_time_left())
  {
    Error warning;
    warning.code = ErrorCode::BadArgument;
    warning.what = "particles released at time " + format_time(query_.start) +
                   " have no time left, because the input ends there: their times are NaN";
    warning.remedy = settings().backward ? "go to a later time" : "go to an earlier time";
    report_warning(&filter(), warning);
  }
}

} // namespace rivulet
