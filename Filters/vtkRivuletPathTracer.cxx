// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletPathTracer.h"

#include "Filters/FilterInput.h"
#include "Filters/FlowSteps.h"
#include "Filters/PathOutput.h"
#include "Filters/ReleaseTimes.h"
#include "Filters/RunReport.h"
#include "Filters/StepRequests.h"
#include "Pipeline/RunProgress.h"
#include "Trace/PathlineMarch.h"
#include "vtkDataSet.h"
#include "vtkDataSetAttributes.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkObjectFactory.h"
#include "vtkPolyData.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <cmath>
#include <limits>

vtkStandardNewMacro(vtkRivuletPathTracer);

using namespace rivulet;

/// The lines so far. They are used again for another time while nothing that they depend on has changed.
struct vtkRivuletPathTracer::March
{
  vtkMTimeType settings = 0; ///< MTime of the filter
  vtkMTimeType input = 0;    ///< MTime of the pipeline of port 0
  std::int64_t first_seed = 0;
  std::int64_t releases = 1;
  std::unique_ptr<FlowSteps> steps;
  std::unique_ptr<PathlineMarch> lines;

  // The present request, which may take several executions of the input's pipeline.
  bool under_way = false;
  double time = 0.0;
  std::int32_t asked = 0;    ///< step that the input was asked for
  std::int32_t interval = 0; ///< interval for which it was
  std::int64_t taken_before = 0;
  std::int64_t intervals_done = 0;
  std::int64_t intervals = 1;
  RunReport report;
  bool stopped = false;
};

/// One execution. Every rank takes the same path through pass(), because the steps are collective.
class vtkRivuletPathTracer::Run
{
public:
  Run(vtkRivuletPathTracer& filter, vtkInformationVector** inputs, vtkInformationVector* outputs, double requested)
    : filter_(filter)
    , march_(*filter.Kept)
    , input_info_(*inputs[0]->GetInformationObject(0))
    , input_(vtkDataObject::GetData(inputs[0], 0))
    , seeds_(vtkDataSet::GetData(inputs[1], 0))
    , outputs_{ vtkPolyData::GetData(outputs, 0), vtkPolyData::GetData(outputs, 1), vtkPolyData::GetData(outputs, 2) }
    , requested_(requested)
  {
  }

  /// Returns whether the input is needed at another step.
  [[nodiscard]] Result<bool> pass();

private:
  /// The particles that a request needs, and the times of the input.
  struct Wanted
  {
    std::vector<double> times;
    std::vector<PathSeed> particles; ///< of this rank
    double first_release = 0.0;      ///< of all ranks
    std::int64_t first_seed = 0;
    std::int64_t releases = 1;
  };

  [[nodiscard]] Result<void> start();
  [[nodiscard]] Result<void> prepare();
  [[nodiscard]] Result<void> begin(bool anew);
  [[nodiscard]] Result<void> check_settings() const;
  void start_anew();
  [[nodiscard]] Result<void> take();
  [[nodiscard]] Result<bool> work();
  [[nodiscard]] Result<void> go_through(const IntervalRange& range, bool ahead);
  [[nodiscard]] Result<void> trace(const IntervalRange& range, bool ahead, int threads);
  [[nodiscard]] Result<void> give();
  void fill(const RunReport& report);
  void add_field_data(const RunReport& report);
  void warn(const RunReport& report);
  [[nodiscard]] PathlineOptions options() const;
  [[nodiscard]] ReleaseChoice releases() const;
  [[nodiscard]] bool backward() const { return filter_.IntegrationDirection == BACKWARD; }

  vtkRivuletPathTracer& filter_;
  March& march_;
  vtkInformation& input_info_;
  vtkDataObject* input_;
  vtkDataSet* seeds_;
  std::array<vtkPolyData*, 3> outputs_;
  double requested_;
  Ranks ranks_;
  Wanted wanted_;
  bool again_ = false;                  ///< whether the lines so far serve the request on this rank
  std::optional<RunProgress> progress_; ///< of the last run
  std::optional<PathlineFrame> frame_;
};

ReleaseChoice vtkRivuletPathTracer::Run::releases() const
{
  return { .kind = static_cast<ReleaseChoice::Kind>(filter_.Release),
    .every_nth = filter_.ForceReinjectionEveryNSteps,
    .start = filter_.ReleaseStart,
    .end = filter_.ReleaseEnd,
    .interval = filter_.ReleaseInterval,
    .times = filter_.ReleaseTimes,
    .array = filter_.ReleaseArray };
}

PathlineOptions vtkRivuletPathTracer::Run::options() const
{
  PathlineOptions options;
  options.integrator = static_cast<Integrator>(filter_.IntegratorType);
  options.direction = backward() ? TraceDirection::Backward : TraceDirection::Forward;
  options.step_unit = static_cast<StepUnit>(filter_.IntegrationStepUnit);
  options.initial_step = filter_.InitialIntegrationStep;
  options.minimum_step = filter_.MinimumIntegrationStep;
  options.maximum_step = filter_.MaximumIntegrationStep;
  options.maximum_error = filter_.MaximumError;
  options.maximum_length =
      filter_.MaximumPropagation > 0.0 ? filter_.MaximumPropagation : std::numeric_limits<double>::infinity();
  options.maximum_time = filter_.MaximumTime;
  options.maximum_steps = filter_.MaximumNumberOfSteps;
  options.terminal_speed = filter_.TerminalSpeed;
  options.compute_vorticity = filter_.ComputeVorticity;
  options.rotation_scale = filter_.RotationScale;
  return options;
}

Result<void> vtkRivuletPathTracer::Run::check_settings() const
{
  if (filter_.MaximumNumberOfSteps < 0)
  {
    return fail(ErrorCode::BadArgument, "Maximum Steps is negative", "set Maximum Steps to a number of steps");
  }
  if (!std::isfinite(filter_.TerminalSpeed))
  {
    return fail(ErrorCode::BadArgument, "Terminal Speed is not a number", "set Terminal Speed to a speed");
  }
  if (seeds_ == nullptr || seeds_->GetNumberOfPoints() == 0)
  {
    return fail(ErrorCode::BadArgument, "the seed source has no points", "give it points, or choose another");
  }
  return {};
}

/// Finds out what the request needs, and whether the lines so far serve it.
Result<void> vtkRivuletPathTracer::Run::prepare()
{
  if (Result<void> good = check_settings(); !good)
  {
    return good;
  }
  Result<std::vector<double>> times = times_of(input_info_);
  if (!times)
  {
    return forward_error(times);
  }
  const ReleaseChoice choice = releases();
  Result<std::vector<double>> release = release_times(choice, *times, backward());
  if (!release)
  {
    return forward_error(release);
  }
  const auto [first, last] = ranks_.share(seeds_->GetNumberOfPoints());
  Result<std::vector<PathSeed>> particles = particles_of(*seeds_, *release, choice, first, last);
  if (!particles)
  {
    return forward_error(particles);
  }
  const auto same = [](const PathSeed& a, const PathSeed& b)
  {
    return a.point == b.point && a.time == b.time;
  };
  Result<double> begin = first_release(*seeds_, *release, choice, *times, backward());
  if (!begin)
  {
    return forward_error(begin);
  }
  again_ = march_.lines != nullptr && march_.settings == filter_.GetMTime() &&
           march_.input == pipeline_time(filter_, 0) && march_.steps->times() == *times && march_.first_seed == first &&
           std::ranges::equal(march_.lines->seeds(), *particles, same);
  wanted_ = { std::move(*times), std::move(*particles), *begin, first,
    std::max<std::int64_t>(1, static_cast<std::int64_t>(release->size())) };
  return {};
}

/// Begins with the lines so far, or anew if anything has changed.
Result<void> vtkRivuletPathTracer::Run::begin(bool anew)
{
  if (anew)
  {
    start_anew();
  }
  const std::vector<double>& times = march_.steps->times();
  const double wanted = filter_.TerminationTime != 0.0 ? filter_.TerminationTime : requested_;
  march_.time = std::isnan(wanted) ? times.front() : std::clamp(wanted, times.front(), times.back());
  march_.report = {};
  march_.stopped = false;
  march_.taken_before = march_.steps->taken();
  march_.intervals_done = 0;
  const PathlineMarch::Plan plan = march_.lines->plan(march_.time);
  march_.intervals = (plan.march ? plan.march->last - plan.march->first + 1 : 0) + (plan.ahead ? 1 : 0);
  return {};
}

void vtkRivuletPathTracer::Run::start_anew()
{
  const auto choose = [&filter = filter_](vtkDataSet& dataset)
  {
    return filter.GetVectorChoice(dataset);
  };
  march_.lines.reset(); // so that there are never two results in memory
  march_.steps = std::make_unique<FlowSteps>(filter_, choose, wanted_.times);
  march_.lines = std::make_unique<PathlineMarch>(std::move(wanted_.particles), wanted_.times, backward());
  march_.lines->begin_at(wanted_.first_release); // of all ranks' seeds
  march_.lines->set_tail(filter_.TailDuration);
  march_.first_seed = wanted_.first_seed;
  march_.releases = wanted_.releases;
  march_.settings = filter_.GetMTime();
  march_.input = pipeline_time(filter_, 0);
}

/// Takes the input as it is now, if the lines need it.
Result<void> vtkRivuletPathTracer::Run::take()
{
  FlowSteps& steps = *march_.steps;
  const PathlineMarch::Plan plan = march_.lines->plan(march_.time);
  const std::optional<IntervalRange> next = plan.march ? plan.march : plan.ahead;
  if (!next && steps.opened())
  {
    return {};
  }
  const std::int32_t interval = !next ? march_.asked : backward() ? next->last : next->first;
  const bool wanted = !steps.opened() || steps.missing_for(interval, backward()) == march_.asked;
  if (!wanted)
  {
    return {};
  }
  if (Result<void> in_time = check_time(*input_, steps.times(), march_.asked); !in_time)
  {
    return in_time;
  }
  return steps.take(*input_, march_.asked, interval);
}

/// Begins a request.
Result<void> vtkRivuletPathTracer::Run::start()
{
  if (Result<void> good = ranks_.agree(within_memory([this] { return prepare(); })); !good)
  {
    return good;
  }
  std::int64_t others = again_ ? 0 : 1;
  ranks_.sum({ &others, 1 });
  return ranks_.agree(within_memory([&] { return begin(others > 0); }));
}

Result<bool> vtkRivuletPathTracer::Run::pass()
{
  Result<void> good = march_.under_way ? Result<void>{} : start();
  march_.under_way = good.has_value();
  good = good ? ranks_.agree(within_memory([this] { return take(); })) : good;
  if (!good)
  {
    return forward_error(good);
  }
  Result<bool> more = work();
  if (!more || *more)
  {
    return more;
  }
  good = give();
  return good ? Result<bool>(false) : forward_error(good);
}

/// Goes on as far as the steps that are there allow. Returns whether another one is needed.
Result<bool> vtkRivuletPathTracer::Run::work()
{
  for (;;)
  {
    const PathlineMarch::Plan plan = march_.lines->plan(march_.time);
    const bool ahead = !plan.march;
    const std::optional<IntervalRange> next = plan.march ? plan.march : plan.ahead;
    if (!next || march_.stopped)
    {
      return false;
    }
    const std::int32_t interval = backward() ? next->last : next->first;
    if (const std::optional<std::int32_t> missing = march_.steps->missing_for(interval, backward()))
    {
      march_.asked = *missing;
      march_.interval = interval;
      return true;
    }
    const IntervalRange range = ahead ? *next : march_.steps->at_once(*next, backward());
    if (Result<void> gone = go_through(range, ahead); !gone)
    {
      return forward_error(gone);
    }
    if (ahead)
    {
      return false;
    }
  }
}

Result<void> vtkRivuletPathTracer::Run::go_through(const IntervalRange& range, bool ahead)
{
  Result<int> threads = march_.steps->begin(range, filter_.GetRunSettings());
  Result<void> good = ranks_.agree(threads ? Result<void>{} : forward_error(threads));
  if (!good)
  {
    return good;
  }
  progress_.emplace(filter_, "tracing paths", &ranks_);
  good = within_memory([&] { return trace(range, ahead, *threads); });
  progress_->finish();
  march_.report.read += march_.steps->end();
  march_.report.access = march_.steps->access();
  march_.intervals_done += range.last - range.first + 1;
  march_.stopped = progress_->stopped();
  return ranks_.agree(std::move(good));
}

Result<void> vtkRivuletPathTracer::Run::trace(const IntervalRange& range, bool ahead, int threads)
{
  const double forever = std::numeric_limits<double>::infinity();
  std::array<double, 2> limits{ -forever, forever };
  if (ahead)
  {
    limits[backward() ? 0 : 1] = march_.time;
  }
  Result<AdvectionContext> context =
      AdvectionContext::unsteady(march_.steps->field(), march_.steps->times(), limits, options());
  if (!context)
  {
    return forward_error(context);
  }
  context->hold(range.first, range.last);
  RunOptions run;
  run.threads = threads;
  run.progress = [&, show = progress_->callback()](double share)
  {
    const auto here = static_cast<double>(range.last - range.first + 1);
    return show((static_cast<double>(march_.intervals_done) + here * share) / static_cast<double>(march_.intervals));
  };
  if (!ahead)
  {
    return march_.lines->go_on(*context, run);
  }
  Result<PathlineFrame> frame = march_.lines->frame_ahead(march_.time, *context, run);
  if (!frame)
  {
    return forward_error(frame);
  }
  frame_ = std::move(*frame);
  return {};
}

/// Fills the outputs.
Result<void> vtkRivuletPathTracer::Run::give()
{
  Result<void> good = within_memory(
      [&]() -> Result<void>
      {
        if (!frame_)
        {
          Result<PathlineFrame> frame = march_.lines->frame(march_.time);
          if (!frame)
          {
            return forward_error(frame);
          }
          frame_ = std::move(*frame);
        }
        return {};
      });
  if (good = ranks_.agree(std::move(good)); !good)
  {
    return good;
  }
  RunReport& report = march_.report;
  report.trace = march_.lines->take_statistics();
  const std::size_t way = backward() ? 1 : 0;
  report.trace.seeds_outside = std::count_if(frame_->lines.seeds.begin(), frame_->lines.seeds.end(),
      [way](const SeedFate& fate) { return fate.reason[way] == Termination::SeedOutside; });
  count_ends(frame_->lines.seeds, report);
  combine(ranks_, report);
  filter_.SetReport(report);
  filter_.InputLayout = march_.steps->layout();
  filter_.TimeAccess = march_.steps->way();
  filter_.StepsRequested = march_.steps->taken() - march_.taken_before;
  std::shared_ptr<const Error> error = frame_->lines.data_error;
  Result<void> filled = within_memory(
      [&]() -> Result<void>
      {
        fill(report);
        return {};
      });
  if (!filled)
  {
    for (vtkPolyData* output : outputs_)
    {
      output->Initialize(); // outputs are complete or empty
    }
    error = std::make_shared<const Error>(std::move(filled.error()));
  }
  warn(report);
  filter_.Unfinished = march_.stopped || !filled;
  (void)report_data_error(filter_, ranks_, error);
  return {};
}

void vtkRivuletPathTracer::Run::fill(const RunReport& report)
{
  const FlowInput& flow = march_.steps->flow();
  const ReleaseTable table{ march_.lines->seeds(), march_.releases, march_.first_seed };
  const LineOutputOptions options{ .velocity = march_.steps->vectors(), .rotation = filter_.ComputeVorticity };
  fill_pathlines(frame_->lines, flow, table, options, *outputs_[0]);
  fill_particles(frame_->particles, flow, table, options, *outputs_[1]);
  fill_releases(frame_->lines.seeds, table, backward(), *outputs_[2]);
  add_field_data(report);
}

void vtkRivuletPathTracer::Run::add_field_data(const RunReport& report)
{
  vtkNew<vtkFieldData> statistics;
  add_report(report, *statistics);
  add_count("LinesCut", report.lines_cut, *statistics);
  add_count("StepsRequested", filter_.StepsRequested, *statistics);
  for (vtkPolyData* output : outputs_)
  {
    output->GetFieldData()->PassData(input_->GetFieldData());
    output->GetFieldData()->PassData(statistics);
    if (!std::isnan(requested_))
    {
      output->GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), requested_);
    }
  }
}

void vtkRivuletPathTracer::Run::warn(const RunReport& report)
{
  if (march_.stopped)
  {
    progress_->keep_what_is_there(
        describe_ends(report, Termination::Cancelled) + ", and arrays other than the vectors hold NaN", kRunAgain);
  }
  warn_of_left_out(filter_, ranks_, march_.steps->flow().left_out());
  RunReport of_seeds = report;
  std::int64_t particles = static_cast<std::int64_t>(march_.lines->seeds().size());
  ranks_.sum({ &particles, 1 });
  of_seeds.trace.seeds_outside = report.trace.seeds_outside == particles ? seeds_->GetNumberOfPoints() : 0;
  warn_if_all_outside(filter_, ranks_, of_seeds, { &march_.steps->flow(), 1 }, *seeds_);
}

vtkRivuletPathTracer::vtkRivuletPathTracer()
  : Kept(std::make_unique<March>())
{
  this->SetNumberOfInputPorts(2);
  this->SetNumberOfOutputPorts(3);
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::VECTORS);
}

vtkRivuletPathTracer::~vtkRivuletPathTracer() = default;

void vtkRivuletPathTracer::SetSourceData(vtkDataSet* source)
{
  this->SetInputData(1, source);
}

void vtkRivuletPathTracer::SetSourceConnection(vtkAlgorithmOutput* output)
{
  this->SetInputConnection(1, output);
}

void vtkRivuletPathTracer::AddReleaseTime(double time)
{
  this->ReleaseTimes.push_back(time);
  this->Modified();
}

void vtkRivuletPathTracer::RemoveAllReleaseTimes()
{
  this->ReleaseTimes.clear();
  this->Modified();
}

void vtkRivuletPathTracer::SetReleaseArray(const char* name)
{
  const std::string array = name != nullptr ? name : "";
  if (this->ReleaseArray != array)
  {
    this->ReleaseArray = array;
    this->Modified();
  }
}

int vtkRivuletPathTracer::FillInputPortInformation(int port, vtkInformation* info)
{
  // Any data object on port 0: the filter's own message about an unsupported type is clearer than the pipeline's.
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), port == 0 ? "vtkDataObject" : "vtkDataSet");
  return 1;
}

int vtkRivuletPathTracer::RequestUpdateExtent(
    vtkInformation*, vtkInformationVector** inputVector, vtkInformationVector*)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  vtkInformation& field = *inputVector[0]->GetInformationObject(0);
  vtkInformation& seeds = *inputVector[1]->GetInformationObject(0);
  request_all_of(field);
  request_all_of(seeds);
  const Result<std::vector<double>> times = times_of(field);
  if (!times)
  {
    return 1; // RequestData says so
  }
  March& march = *this->Kept;
  if (!march.under_way && march.lines == nullptr)
  {
    march.asked = this->IntegrationDirection == BACKWARD ? static_cast<std::int32_t>(times->size()) - 1 : 0;
  }
  // Between two requests the last step stays, so that the input is not executed for a time that is not needed.
  march.asked = std::min(march.asked, static_cast<std::int32_t>(times->size()) - 1);
  field.Set(Pipeline::UPDATE_TIME_STEP(), (*times)[static_cast<std::size_t>(march.asked)]);
  // Seeds are those of one time: the first, backward the last.
  seeds.Set(Pipeline::UPDATE_TIME_STEP(), this->IntegrationDirection == BACKWARD ? times->back() : times->front());
  return 1;
}

int vtkRivuletPathTracer::RequestData(
    vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  using Pipeline = vtkStreamingDemandDrivenPipeline;
  if (!this->Kept->under_way)
  {
    this->Unfinished = false;
  }
  const double time = requested_time(*request, *outputVector);
  const Result<bool> more = Run(*this, inputVector, outputVector, time).pass();
  if (more && *more)
  {
    request->Set(Pipeline::CONTINUE_EXECUTING(), 1);
    return 1;
  }
  request->Remove(Pipeline::CONTINUE_EXECUTING());
  this->Kept->under_way = false;
  if (!more || this->Unfinished)
  {
    this->Kept = std::make_unique<March>(); // lines with a gap are not gone on with
  }
  if (!more)
  {
    this->Unfinished = true;
    this->InputLayout.clear();
    this->TimeAccess.clear();
    this->StepsRequested = 0;
    this->ForgetReport();
    return refuse(*this, more.error());
  }
  return 1;
}

void vtkRivuletPathTracer::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "IntegrationDirection: " << this->IntegrationDirection << "\n"
     << indent << "Release: " << this->Release << "\n"
     << indent << "ReleaseStart: " << this->ReleaseStart << "\n"
     << indent << "ReleaseEnd: " << this->ReleaseEnd << "\n"
     << indent << "ReleaseInterval: " << this->ReleaseInterval << "\n"
     << indent << "NumberOfReleaseTimes: " << this->ReleaseTimes.size() << "\n"
     << indent << "ReleaseArray: " << this->ReleaseArray << "\n"
     << indent << "ForceReinjectionEveryNSteps: " << this->ForceReinjectionEveryNSteps << "\n"
     << indent << "TerminationTime: " << this->TerminationTime << "\n"
     << indent << "TailDuration: " << this->TailDuration << "\n"
     << indent << "IntegratorType: " << this->IntegratorType << "\n"
     << indent << "IntegrationStepUnit: " << this->IntegrationStepUnit << "\n"
     << indent << "InitialIntegrationStep: " << this->InitialIntegrationStep << "\n"
     << indent << "MinimumIntegrationStep: " << this->MinimumIntegrationStep << "\n"
     << indent << "MaximumIntegrationStep: " << this->MaximumIntegrationStep << "\n"
     << indent << "MaximumError: " << this->MaximumError << "\n"
     << indent << "MaximumNumberOfSteps: " << this->MaximumNumberOfSteps << "\n"
     << indent << "MaximumPropagation: " << this->MaximumPropagation << "\n"
     << indent << "MaximumTime: " << this->MaximumTime << "\n"
     << indent << "TerminalSpeed: " << this->TerminalSpeed << "\n"
     << indent << "ComputeVorticity: " << this->ComputeVorticity << "\n"
     << indent << "RotationScale: " << this->RotationScale << "\n";
}
