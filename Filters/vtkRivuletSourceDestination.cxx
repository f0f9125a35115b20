// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletSourceDestination.h"

#include "Base/Times.h"
#include "Filters/Output/HitOutput.h"
#include "Filters/Output/PathOutput.h"
#include "Filters/Seeds/FlowRegions.h"
#include "Filters/Seeds/ReleaseTimes.h"
#include "Filters/Seeds/StillInputs.h"
#include "Filters/Steps/UnsteadyWork.h"
#include "Pipeline/ErrorReport.h"
#include "Trace/PathlineMarch.h"
#include "Trace/SourceDestination.h"
#include "vtkCellData.h"
#include "vtkCompositeDataSet.h"
#include "vtkDataSet.h"
#include "vtkFieldData.h"
#include "vtkImplicitFunction.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkObjectFactory.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkTable.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

vtkStandardNewMacro(vtkRivuletSourceDestination);

using namespace rivulet;

/// First the hits, then the lines of the particles with hits.
class vtkRivuletSourceDestination::Work final : public UnsteadyWork
{
public:
  explicit Work(vtkRivuletSourceDestination& filter)
    : filter_(filter)
  {
  }

  [[nodiscard]] bool backward() const override { return filter_.IntegrationDirection == BACKWARD; }
  [[nodiscard]] bool communicates() const override { return true; }
  [[nodiscard]] std::optional<std::int32_t> first_interval(
      const std::vector<double>& times, double time) const override;
  [[nodiscard]] double seeds_time(const std::vector<double>& times) const override;
  [[nodiscard]] Result<bool> take_seeds(const UnsteadyPass& pass, const std::vector<double>& times, bool anew) override;
  [[nodiscard]] std::string reason_for_steps() const override
  {
    const bool labels = filter_.SourceKind == LABELS || filter_.DestinationKind == LABELS;
    return labels ? "labels are looked at at each time step" : "";
  }
  [[nodiscard]] Result<void> check_step(vtkDataObject& input, double time) override;
  [[nodiscard]] Result<bool> prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same) override;
  void begin(FlowSteps& steps, bool again) override;
  [[nodiscard]] Result<void> opened() override;
  [[nodiscard]] std::optional<IntervalRange> next() const override;
  [[nodiscard]] std::int64_t intervals() const override;
  [[nodiscard]] std::optional<double> share_of_all(double share) const override;
  [[nodiscard]] Result<void> go_on(const IntervalRange& part, const RunOptions& run) override;
  [[nodiscard]] Result<void> finish(RunReport& report, bool stopped) override;
  void fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts) override;
  void warn(const UnsteadyPass& pass, const RunReport& report) override;
  [[nodiscard]] std::shared_ptr<const Error> data_error() const override { return error_; }
  [[nodiscard]] std::string doing() const override { return lines_ ? "tracing lines" : "following particles"; }
  [[nodiscard]] std::string left_after_stop(const RunReport& report) const override;

private:
  [[nodiscard]] Result<FlowRegions> regions(bool of_source) const;
  [[nodiscard]] Result<std::vector<SeedSet>> seeds() const;
  [[nodiscard]] std::array<double, 2> release_span(const std::vector<double>& times) const;
  [[nodiscard]] Result<std::vector<double>> release_times() const;
  [[nodiscard]] PathlineOptions options() const;
  [[nodiscard]] std::int32_t first_release_interval() const;
  [[nodiscard]] Result<void> join();
  void begin_lines();

  vtkRivuletSourceDestination& filter_;
  FlowSteps* steps_ = nullptr;
  Ranks ranks_;
  std::array<std::vector<vtkSmartPointer<vtkDataObject>>, 2> surfaces_; ///< of the sources and destinations
  vtkSmartPointer<vtkDataObject> field_;                                ///< input
  std::array<StillInputs, 2> still_;                                    ///< of the ports of surfaces
  std::optional<double> surfaces_asked_;
  vtkMTimeType surfaces_time_ = 0;
  FlowRegions sources_;
  FlowRegions destinations_;
  SourceDestinationQuery query_; ///< without regions
  std::optional<HitMarch> march_;
  bool joined_ = false;
  SourceDestinationResult result_; ///< of all ranks, once it is joined
  std::vector<HitGroup> groups_;   ///< of the lines of this rank
  std::unique_ptr<PathlineMarch> lines_;
  double lines_end_ = 0.0; ///< time of a step that all lines have ended before
  std::optional<PathlineFrame> frame_;
  TraceStatistics counted_;
  std::shared_ptr<const Error> error_;
};

std::optional<std::int32_t> vtkRivuletSourceDestination::Work::first_interval(
    const std::vector<double>& times, double) const
{
  if (joined_)
  {
    return {};
  }
  return interval_in(times, release_span(times)[0], backward() ? -1.0 : 1.0);
}

double vtkRivuletSourceDestination::Work::seeds_time(const std::vector<double>& times) const
{
  const double first = release_span(times)[0];
  return surfaces_asked_.value_or(first);
}

/// Looks whether surfaces stay where they are: regions do not change with time.
Result<bool> vtkRivuletSourceDestination::Work::take_seeds(
    const UnsteadyPass& pass, const std::vector<double>& times, bool anew)
{
  const double asked = seeds_time(times);
  const double first = release_span(times)[0];
  const std::array<double, 2> range{ backward() ? times.front() : first, backward() ? first : times.back() };
  bool more = false;
  for (std::size_t i = 0; i < 2; ++i)
  {
    if ((i == 0 ? filter_.SourceKind : filter_.DestinationKind) != SURFACES)
    {
      continue;
    }
    const std::string role = i == 0 ? "source surface" : "destination surface";
    Result<std::optional<double>> next = still_.at(i).look(*pass.inputs[i + 1], asked, range, anew, role);
    if (!next)
    {
      return forward_error(next);
    }
    surfaces_asked_ = next->has_value() ? *next : surfaces_asked_;
    more = more || next->has_value();
  }
  return more;
}

/// Regions of labels do not change with time.
Result<void> vtkRivuletSourceDestination::Work::check_step(vtkDataObject& input, double time)
{
  auto* const dataset = vtkDataSet::SafeDownCast(&input);
  for (const bool of_source : { true, false })
  {
    const FlowRegions& regions = of_source ? sources_ : destinations_;
    const std::string& array = of_source ? filter_.SourceLabelArray : filter_.DestinationLabelArray;
    if (!march_ || dataset == nullptr || regions.labels.empty())
    {
      continue;
    }
    Result<bool> same = has_labels(*dataset, array, regions);
    if (!same)
    {
      return forward_error(same);
    }
    if (!*same)
    {
      std::ostringstream text;
      text << "the labels \"" << array << "\" change with time: at time " << time << " they are others than before";
      return fail(ErrorCode::Unsupported, text.str(), "make regions of labels that stay");
    }
  }
  return {};
}

Result<bool> vtkRivuletSourceDestination::Work::prepare(const UnsteadyPass& pass, const std::vector<double>&, bool same)
{
  if (filter_.MaximumNumberOfSteps < 0)
  {
    return fail(ErrorCode::BadArgument, "Maximum Steps is negative", "set Maximum Steps to a number of steps");
  }
  vtkMTimeType changed = 0;
  for (int port = 1; port < 3; ++port)
  {
    std::vector<vtkSmartPointer<vtkDataObject>>& surfaces = surfaces_.at(static_cast<std::size_t>(port) - 1);
    surfaces.clear();
    for (int i = 0; i < pass.inputs[port]->GetNumberOfInformationObjects(); ++i)
    {
      surfaces.emplace_back(vtkDataObject::GetData(pass.inputs[port], i));
      changed = std::max(changed, surfaces.back()->GetMTime());
    }
  }
  field_ = vtkDataObject::GetData(pass.inputs[0], 0);
  const bool again = same && joined_ && changed == surfaces_time_;
  surfaces_time_ = changed;
  return again;
}

void vtkRivuletSourceDestination::Work::begin(FlowSteps& steps, bool again)
{
  steps_ = &steps;
  frame_.reset();
  if (again)
  {
    return;
  }
  march_.reset();
  lines_.reset();
  groups_.clear();
  joined_ = false;
  result_ = {};
  counted_ = {};
  error_ = nullptr;
}

Result<FlowRegions> vtkRivuletSourceDestination::Work::regions(bool of_source) const
{
  const std::string role = of_source ? "source" : "destination";
  switch (of_source ? filter_.SourceKind : filter_.DestinationKind)
  {
  case SURFACES:
  {
    const auto& kept = surfaces_.at(of_source ? 0 : 1);
    std::vector<vtkDataObject*> surfaces(kept.begin(), kept.end());
    return surface_regions(surfaces, role);
  }
  case LABELS:
  {
    auto* const dataset = vtkDataSet::SafeDownCast(field_);
    if (dataset == nullptr)
    {
      return fail(ErrorCode::Unsupported, "labels of composite data are no regions",
          "use an implicit function or closed surfaces, or Resample To Image");
    }
    return label_regions(*dataset, steps_->flow().field(),
        of_source ? filter_.SourceLabelArray : filter_.DestinationLabelArray,
        of_source ? filter_.SourceLabels : filter_.DestinationLabels);
  }
  default:
    return function_regions(of_source ? filter_.SourceFunction : filter_.DestinationFunction, role);
  }
}

/// A lattice in the bounds of each source region.
Result<std::vector<SeedSet>> vtkRivuletSourceDestination::Work::seeds() const
{
  std::vector<SeedSet> sets;
  for (std::size_t i = 0; i < sources_.regions.size(); ++i)
  {
    const WorldBox& bounds = sources_.regions[i].bounds;
    const Grid& grid = steps_->flow().field().grid;
    Result<SeedSet> set = filter_.SeedSpacing > 0.0
                              ? lattice_seeds(bounds, grid, filter_.SeedSpacing)
                              : lattice_seeds(bounds, grid, std::int64_t{ filter_.NumberOfSeeds });
    if (!set)
    {
      return forward_error(set);
    }
    set->source = static_cast<std::int32_t>(i);
    sets.push_back(std::move(*set));
  }
  return sets;
}

/// Start and end of the releases in the direction of time. The defaults are the whole time of the field: backward they
/// stand for it from its end to its beginning, where nothing could start.
std::array<double, 2> vtkRivuletSourceDestination::Work::release_span(const std::vector<double>& times) const
{
  const double start = std::clamp(filter_.ReleaseStart, times.front(), times.back());
  const double end = std::clamp(filter_.ReleaseEnd, times.front(), times.back());
  if (!backward())
  {
    return { start, end };
  }
  return { start == times.front() ? times.back() : start, end == times.back() ? times.front() : end };
}

Result<std::vector<double>> vtkRivuletSourceDestination::Work::release_times() const
{
  const std::vector<double>& times = steps_->times();
  const double sign = backward() ? -1.0 : 1.0;
  const auto [start, end] = release_span(times);
  std::vector<double> releases{ start };
  if (filter_.ReleaseInterval > 0.0 && (end - start) * sign > 0.0)
  {
    static constexpr double kMost = 1e6;
    const double count = std::fabs(end - start) / filter_.ReleaseInterval;
    if (count > kMost)
    {
      return fail(ErrorCode::BadArgument, "each seed releases more than a million particles", "raise Release Interval");
    }
    releases = repeated_times(start, end, filter_.ReleaseInterval, times);
  }
  const double limit = backward() ? times.front() : times.back();
  if (start == limit)
  {
    return fail(ErrorCode::BadArgument,
        "particles released at time " + format_time(start) + " have no time left: the input ends there",
        "set another Release Start");
  }
  std::erase_if(releases, [&](double time) { return (limit - time) * sign < 0.0; });
  return releases;
}

PathlineOptions vtkRivuletSourceDestination::Work::options() const
{
  PathlineOptions options;
  filter_.SetStepOptions(options);
  options.direction = backward() ? TraceDirection::Backward : TraceDirection::Forward;
  options.maximum_time = filter_.Duration;
  options.terminal_speed = 0.0;
  options.compute_vorticity = false;
  return options;
}

Result<void> vtkRivuletSourceDestination::Work::opened()
{
  if (joined_)
  {
    return {};
  }
  Result<FlowRegions> from = regions(true);
  Result<FlowRegions> to = from ? regions(false) : Result<FlowRegions>(forward_error(from));
  if (!to)
  {
    return forward_error(to);
  }
  sources_ = std::move(*from);
  destinations_ = std::move(*to);
  Result<std::vector<SeedSet>> sets = seeds();
  if (!sets)
  {
    return forward_error(sets);
  }
  Result<std::vector<double>> releases = release_times();
  if (!releases)
  {
    return forward_error(releases);
  }
  query_ = {};
  query_.release_times = std::move(*releases);
  query_.end = backward() ? steps_->times().front() : steps_->times().back();
  query_.ends_at_first_hit = filter_.EndAtFirstHit;
  query_.part = ranks_.rank();
  query_.parts = ranks_.size();
  query_.idle_parts = ranks_.size() - filter_.GetTracingPart().parts;
  SourceDestinationQuery query = query_;
  query.sources = sources_.regions;
  query.destinations = destinations_.regions;
  query.seeds = std::move(*sets);
  Result<HitMarch> march = HitMarch::create(std::move(query), steps_->times(), options());
  if (!march)
  {
    return forward_error(march);
  }
  march_.emplace(std::move(*march));
  return {};
}

std::int32_t vtkRivuletSourceDestination::Work::first_release_interval() const
{
  return interval_in(steps_->times(), query_.release_times.front(), backward() ? -1.0 : 1.0);
}

/// After the hits, one call joins those of all ranks, in the interval with which the lines begin.
std::optional<IntervalRange> vtkRivuletSourceDestination::Work::next() const
{
  if (!joined_)
  {
    if (!march_)
    {
      return {};
    }
    const std::optional<IntervalRange> range = march_->next();
    return range ? range : IntervalRange{ first_release_interval(), first_release_interval() };
  }
  return lines_ && !frame_ ? lines_->plan(lines_end_).march : std::nullopt;
}

std::int64_t vtkRivuletSourceDestination::Work::intervals() const
{
  const std::optional<IntervalRange> range = next();
  return range ? range->last - range->first + 1 : 1;
}

/// Hits take most of the time.
std::optional<double> vtkRivuletSourceDestination::Work::share_of_all(double share) const
{
  static constexpr double kOfHits = 0.8;
  return joined_ ? kOfHits + (1.0 - kOfHits) * share : kOfHits * share;
}

Result<void> vtkRivuletSourceDestination::Work::join()
{
  if (joined_)
  {
    return {};
  }
  SourceDestinationResult mine = march_->take();
  march_.reset();
  counted_.integration_steps += mine.steps;
  counted_.stall_seconds += mine.stall_seconds;
  error_ = mine.data_error;
  const std::vector<std::byte> all = ranks_.gather(std::as_bytes(std::span<const Hit>(mine.hits)));
  std::vector<Hit> hits(all.size() / sizeof(Hit));
  std::memcpy(hits.data(), all.data(), all.size());
  mine.hits.clear();
  add_hits(mine.hits, std::move(hits));
  ranks_.sum(std::span<std::int64_t>(mine.released));
  ranks_.sum(std::span<std::int64_t>(mine.hit_counts));
  ranks_.sum({ &mine.particles, 1 });
  ranks_.sum({ &mine.outside, 1 });
  result_ = std::move(mine);
  joined_ = true;
  return {};
}

/// Lines of this rank's share of the particles with hits.
void vtkRivuletSourceDestination::Work::begin_lines()
{
  const std::vector<HitGroup> groups = groups_of(result_.hits);
  if (!filter_.ComputeLines || groups.empty())
  {
    return;
  }
  const auto [first, last] = filter_.GetTracingPart().share(static_cast<std::int64_t>(groups.size()));
  groups_.assign(groups.begin() + first, groups.begin() + last);
  std::vector<PathSeed> seeds;
  if (!groups_.empty())
  {
    const std::size_t begin = groups_.front().first;
    const std::size_t end = groups_.back().first + groups_.back().count;
    seeds = seeds_of(std::span<const Hit>(result_.hits).subspan(begin, end - begin));
  }
  const double sign = backward() ? -1.0 : 1.0;
  double latest = result_.hits.front().arrival_time;
  for (const Hit& hit : result_.hits)
  {
    latest = (hit.arrival_time - latest) * sign > 0.0 ? hit.arrival_time : latest;
  }
  const std::vector<double>& times = steps_->times();
  const std::int32_t interval = interval_in(times, latest, -sign);
  lines_end_ = times[static_cast<std::size_t>(interval + (backward() ? 0 : 1))];
  lines_ = std::make_unique<PathlineMarch>(std::move(seeds), times, backward());
  for (const Hit& hit : result_.hits)
  {
    lines_->begin_at(hit.release_time);
  }
}

Result<void> vtkRivuletSourceDestination::Work::go_on(const IntervalRange& part, const RunOptions& run)
{
  if (!joined_ && !march_->next())
  {
    Result<void> joined = join();
    begin_lines();
    return joined;
  }
  Result<AdvectionContext> context = lines_ ? AdvectionContext::unsteady(steps_->field(), steps_->times(),
                                                  { steps_->times().front(), steps_->times().back() }, options())
                                            : hit_context(steps_->field(), steps_->times(), query_, options());
  if (!context)
  {
    return forward_error(context);
  }
  context->hold(part.first, part.last);
  return lines_ ? lines_->go_on(*context, run) : march_->go_on(*context, run);
}

Result<void> vtkRivuletSourceDestination::Work::finish(RunReport& report, bool)
{
  if (Result<void> joined = join(); !joined)
  {
    return joined;
  }
  if (lines_ && !frame_)
  {
    Result<PathlineFrame> frame = lines_->frame(lines_end_);
    if (!frame)
    {
      return forward_error(frame);
    }
    frame_ = std::move(*frame);
    error_ = error_ ? error_ : frame_->lines.data_error;
    counted_.integration_steps += lines_->take_statistics().integration_steps;
  }
  report.trace.integration_steps += counted_.integration_steps;
  report.trace.stall_seconds += counted_.stall_seconds;
  report.trace.seeds_outside += ranks_.rank() == 0 ? result_.outside : 0;
  counted_ = {};
  return {};
}

std::string vtkRivuletSourceDestination::Work::left_after_stop(const RunReport&) const
{
  return std::to_string(result_.hits.size()) + " hits were found so far";
}

void vtkRivuletSourceDestination::Work::fill(const UnsteadyPass& pass, const RunReport&, vtkFieldData& facts)
{
  if (frame_)
  {
    vtkPolyData& output = *vtkPolyData::GetData(pass.outputs, 0);
    const ReleaseTable table{ lines_->seeds(), 1, 0 };
    const LineOutputOptions options{ .velocity = steps_->vectors(), .rotation = false };
    fill_pathlines(frame_->lines, steps_->flow(), table, options, output);
    std::vector<HitGroup> of_lines;
    for (const TracedLine& line : frame_->lines.lines)
    {
      of_lines.push_back(groups_[static_cast<std::size_t>(line.seed)]);
    }
    vtkCellData& cells = *output.GetCellData();
    for (const char* name : { "SeedIds", "ParticleId", "InjectionStepId", "ReasonForTermination" })
    {
      cells.RemoveArray(name);
    }
    fill_line_hits(result_.hits, of_lines, cells);
  }
  if (ranks_.rank() == 0)
  {
    fill_hits(result_, *vtkPolyData::GetData(pass.outputs, 1));
    fill_counts(result_, sources_.names, destinations_.names, *vtkTable::GetData(pass.outputs, 2));
    fill_histograms(
        result_, sources_.names, destinations_.names, filter_.NumberOfBins, *vtkTable::GetData(pass.outputs, 3));
  }
  add_count("Particles", result_.particles, facts);
  add_count("Hits", static_cast<std::int64_t>(result_.hits.size()), facts);
}

void vtkRivuletSourceDestination::Work::warn(const UnsteadyPass&, const RunReport&)
{
  if (ranks_.rank() == 0 && result_.particles == 0)
  {
    Error warning;
    warning.code = ErrorCode::BadArgument;
    warning.what = "no particle is released, because no seed is in a source region and in the grid";
    warning.remedy = "move the regions, or raise Number Of Seeds";
    report_warning(&filter_, warning);
  }
}

vtkRivuletSourceDestination::vtkRivuletSourceDestination()
{
  this->SetNumberOfInputPorts(3);
  this->SetNumberOfOutputPorts(4);
}

vtkRivuletSourceDestination::~vtkRivuletSourceDestination() = default;

std::unique_ptr<UnsteadyWork> vtkRivuletSourceDestination::MakeWork()
{
  return std::make_unique<Work>(*this);
}

int vtkRivuletSourceDestination::FillInputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  if (port > 0)
  {
    info->Set(vtkAlgorithm::INPUT_IS_OPTIONAL(), 1);
    info->Set(vtkAlgorithm::INPUT_IS_REPEATABLE(), 1);
  }
  return 1;
}

int vtkRivuletSourceDestination::FillOutputPortInformation(int port, vtkInformation* info)
{
  info->Set(vtkDataObject::DATA_TYPE_NAME(), port < 2 ? "vtkPolyData" : "vtkTable");
  return 1;
}

vtkMTimeType vtkRivuletSourceDestination::GetMTime()
{
  vtkMTimeType time = this->Superclass::GetMTime();
  for (vtkImplicitFunction* const function : { this->SourceFunction.Get(), this->DestinationFunction.Get() })
  {
    time = function != nullptr ? std::max(time, function->GetMTime()) : time;
  }
  return time;
}

void vtkRivuletSourceDestination::SetSourceFunction(vtkImplicitFunction* function)
{
  if (this->SourceFunction != function)
  {
    this->SourceFunction = function;
    this->Modified();
  }
}

void vtkRivuletSourceDestination::SetDestinationFunction(vtkImplicitFunction* function)
{
  if (this->DestinationFunction != function)
  {
    this->DestinationFunction = function;
    this->Modified();
  }
}

void vtkRivuletSourceDestination::SetText(std::string& text, const char* to)
{
  const std::string other = to != nullptr ? to : "";
  if (text != other)
  {
    text = other;
    this->Modified();
  }
}

void vtkRivuletSourceDestination::AddLabel(std::vector<int>& labels, int label)
{
  labels.push_back(label);
  this->Modified();
}

void vtkRivuletSourceDestination::RemoveLabels(std::vector<int>& labels)
{
  labels.clear();
  this->Modified();
}

void vtkRivuletSourceDestination::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "SourceKind: " << this->SourceKind << "\n"
     << indent << "DestinationKind: " << this->DestinationKind << "\n"
     << indent << "SourceFunction: " << this->SourceFunction.Get() << "\n"
     << indent << "DestinationFunction: " << this->DestinationFunction.Get() << "\n"
     << indent << "SourceLabelArray: " << this->SourceLabelArray << "\n"
     << indent << "DestinationLabelArray: " << this->DestinationLabelArray << "\n"
     << indent << "NumberOfSeeds: " << this->NumberOfSeeds << "\n"
     << indent << "SeedSpacing: " << this->SeedSpacing << "\n"
     << indent << "IntegrationDirection: " << this->IntegrationDirection << "\n"
     << indent << "ReleaseStart: " << this->ReleaseStart << "\n"
     << indent << "ReleaseEnd: " << this->ReleaseEnd << "\n"
     << indent << "ReleaseInterval: " << this->ReleaseInterval << "\n"
     << indent << "Duration: " << this->Duration << "\n"
     << indent << "EndAtFirstHit: " << this->EndAtFirstHit << "\n"
     << indent << "ComputeLines: " << this->ComputeLines << "\n"
     << indent << "NumberOfBins: " << this->NumberOfBins << "\n";
}
