// SPDX-License-Identifier: BSD-3-Clause
#include "vtkRivuletUnsteadyFilter.h"

#include "Filters/Input/FilterInput.h"
#include "Filters/Input/WholeInput.h"
#include "Filters/Run/RunReport.h"
#include "Filters/Run/SharedTracing.h"
#include "Filters/Seeds/SeedsInPlane.h"
#include "Filters/Steps/StepRequests.h"
#include "Filters/Steps/UnsteadyRequest.h"
#include "Filters/Steps/UnsteadyWork.h"
#include "Pipeline/RunProgress.h"
#include "Store/Memory/MemoryAccount.h"
#include "vtkDataObject.h"
#include "vtkDataSetAttributes.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"
#include "vtkSmartPointer.h"
#include "vtkStreamingDemandDrivenPipeline.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <vector>

using namespace rivulet;
using Pipeline = vtkStreamingDemandDrivenPipeline;

/// One execution. Every rank takes the same path through pass(), because the steps are collective.
class vtkRivuletUnsteadyFilter::Run
{
public:
  Run(vtkRivuletUnsteadyFilter& filter, const UnsteadyPass& pass)
    : filter_(filter)
    , request_(*filter.Kept)
    , work_(*request_.work)
    , pass_(pass)
    , input_(vtkDataObject::GetData(pass.inputs[0], 0))
  {
  }

  /// Returns whether the input is needed at another step.
  [[nodiscard]] Result<bool> pass();

private:
  [[nodiscard]] Result<std::vector<double>> times() const;
  [[nodiscard]] bool has_same_times(const std::vector<double>& times) const;
  [[nodiscard]] Result<void> advance(bool goes_on);
  void show_nothing();
  [[nodiscard]] Result<bool> produce();
  [[nodiscard]] Result<bool> take_seeds();
  [[nodiscard]] Result<void> start();
  [[nodiscard]] Result<void> check_growth() const;
  [[nodiscard]] Result<bool> prepare(std::vector<double>& times);
  void grow(std::vector<double> times);
  [[nodiscard]] std::int64_t find_most_bytes() const;
  [[nodiscard]] bool input_is_empty() const;
  [[nodiscard]] Result<void> take(bool asked_for, bool empty);
  [[nodiscard]] Result<void> open();
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] double seconds() const;
  [[nodiscard]] bool out_of_seconds() const;
  [[nodiscard]] Result<bool> work();
  [[nodiscard]] Result<void> go_through(const IntervalRange& range);
  [[nodiscard]] Result<void> give();
  void fill();

  vtkRivuletUnsteadyFilter& filter_;
  UnsteadyRequest& request_;
  UnsteadyWork& work_;
  const UnsteadyPass& pass_;
  vtkSmartPointer<vtkDataObject> input_;
  Ranks ranks_;
  bool same_ = false;                   ///< whether filter, input and times are those of the request before
  std::optional<RunProgress> progress_; ///< of the last run
};

Result<std::vector<double>> vtkRivuletUnsteadyFilter::Run::times() const
{
  return request_.times(*pass_.inputs[0]->GetInformationObject(0));
}

/// Whether a field has the times that were there before; of a simulation that runs, before the one that is to come.
bool vtkRivuletUnsteadyFilter::Run::has_same_times(const std::vector<double>& times) const
{
  const std::vector<double>& before = request_.steps->times();
  if (!pass_.grows)
  {
    return before == times;
  }
  return times.size() >= before.size() && std::equal(before.begin(), before.end() - 1, times.begin());
}

/// Returns whether the seeds are needed at another time.
Result<bool> vtkRivuletUnsteadyFilter::Run::take_seeds()
{
  const vtkMTimeType seeds = pipeline_time(filter_, 1);
  std::int64_t anew = !request_.seeds_wanted && (request_.steps == nullptr || request_.settings != filter_.GetMTime() ||
                                                    request_.seeds != seeds)
                          ? 1
                          : 0;
  ranks_.max({ &anew, 1 });
  request_.seeds = seeds;
  bool more = false;
  Result<void> good = ranks_.agree(within_memory(
      [&]() -> Result<void>
      {
        Result<std::vector<double>> all = times();
        Result<bool> wanted = all ? work_.take_seeds(pass_, *all, anew > 0) : forward_error(all);
        more = wanted && *wanted;
        return wanted ? Result<void>{} : forward_error(wanted);
      }));
  return good ? Result<bool>(more) : forward_error(good);
}

/// Whether the work can go on with the steps of a simulation as they come.
Result<void> vtkRivuletUnsteadyFilter::Run::check_growth() const
{
  if (filter_.TimeInterpolation == CUBIC_IN_TIME)
  {
    return fail(ErrorCode::Unsupported, "cubic interpolation in time takes a step that the simulation has yet to make",
        "set Time Interpolation to Linear; or let the analytics store write the steps, and use the filter on them");
  }
  return work_.check_growth();
}

Result<bool> vtkRivuletUnsteadyFilter::Run::prepare(std::vector<double>& times)
{
  Result<std::vector<double>> all = this->times();
  if (!all)
  {
    return forward_error(all);
  }
  times = std::move(*all);
  if (Result<void> can_grow = pass_.grows ? check_growth() : Result<void>{}; !can_grow)
  {
    return forward_error(can_grow);
  }
  same_ = request_.steps != nullptr && request_.settings == filter_.GetMTime() &&
          (pass_.grows || request_.input == pipeline_time(filter_, 0)) && has_same_times(times);
  Result<bool> serves = work_.prepare(pass_, times, same_);
  if (serves && !*serves && !request_.simulation.is_first() && pass_.grows)
  {
    return fail(ErrorCode::Unsupported,
        "the particles of earlier steps are others: the filter, its seeds or their releases have changed while the "
        "simulation runs",
        "leave them as they are from the first step on");
  }
  return serves;
}

/// Begins a request, with the results so far or anew if anything has changed on any rank.
Result<void> vtkRivuletUnsteadyFilter::Run::start()
{
  std::vector<double> times;
  bool again = false;
  Result<void> good = ranks_.agree(within_memory(
      [&]() -> Result<void>
      {
        Result<bool> serves = prepare(times);
        again = serves && *serves;
        return serves ? Result<void>{} : forward_error(serves);
      }));
  if (!good)
  {
    return good;
  }
  std::array<std::int64_t, 2> others{ same_ ? 0 : 1, again ? 0 : 1 };
  ranks_.sum(others);
  return ranks_.agree(within_memory(
      [&]() -> Result<void>
      {
        if (others[0] > 0)
        {
          const auto choose = [&filter = filter_](vtkDataSet& dataset)
          {
            return filter.GetVectorChoice(dataset);
          };
          request_.steps = std::make_unique<FlowSteps>(filter_, choose, std::move(times),
              work_.interpolation(static_cast<rivulet::TimeInterpolation>(filter_.TimeInterpolation)));
          request_.steps->take_each(work_.reason_for_steps());
          grow(request_.steps->times());
          request_.settings = filter_.GetMTime();
          request_.input = pipeline_time(filter_, 0);
        }
        else
        {
          grow(std::move(times));
        }
        request_.report = {};
        request_.ran = false;
        request_.stopped = false;
        request_.start = std::chrono::steady_clock::now();
        request_.open = false;
        request_.intervals_done = 0;
        request_.taken_before = request_.steps->taken();
        request_.most_bytes = find_most_bytes();
        work_.begin(*request_.steps, others[1] == 0);
        return {};
      }));
}

void vtkRivuletUnsteadyFilter::Run::grow(std::vector<double> times)
{
  if (pass_.grows)
  {
    request_.steps->grow(std::move(times));
  }
}

/// Memory for the steps of a pipeline. Of a simulation that runs only those are kept that the next interval needs.
std::int64_t vtkRivuletUnsteadyFilter::Run::find_most_bytes() const
{
  if (pass_.grows)
  {
    return 0;
  }
  const std::int64_t budget = work_.settings(filter_.GetRunSettings()).memory_budget;
  return budget > 0 ? budget : default_memory_budget() / 2;
}

/// Whether no rank has a cell of the input. Readers say so that a step cannot be read, and give nothing.
bool vtkRivuletUnsteadyFilter::Run::input_is_empty() const
{
  std::int64_t cells = input_->GetNumberOfElements(vtkDataObject::CELL);
  ranks_.max({ &cells, 1 });
  return cells == 0;
}

/// Takes the input as it is now, if it was asked for, or the particles need it. `empty`: on all ranks.
Result<void> vtkRivuletUnsteadyFilter::Run::take(bool asked_for, bool empty)
{
  FlowSteps& steps = *request_.steps;
  std::int32_t interval = request_.asked;
  if (steps.opened())
  {
    const std::optional<IntervalRange> next = work_.next();
    if (!next || !request_.at_asked || steps.holds(request_.asked))
    {
      return {};
    }
    interval = work_.backward() ? next->last : next->first;
    if (!asked_for && steps.missing_for(interval, work_.backward()) != request_.asked)
    {
      return {};
    }
  }
  if (empty && steps.opened() && !steps.as_bricks())
  {
    steps.lose(request_.asked, { .code = ErrorCode::CannotRead,
                                   .what = "the input is empty, so that particles end before it",
                                   .remedy = "see the messages of its reader",
                                   .path = {} });
    return {};
  }
  if (Result<void> in_time = check_time(*input_, steps.times(), request_.asked); !in_time)
  {
    return in_time;
  }
  if (Result<void> good = work_.check_step(*input_, steps.times()[static_cast<std::size_t>(request_.asked)]); !good)
  {
    return good;
  }
  return steps.take(*input_, request_.asked, interval, request_.most_bytes);
}

/// Lets the work know the input, once for a request.
Result<void> vtkRivuletUnsteadyFilter::Run::open()
{
  if (request_.open)
  {
    return {};
  }
  request_.open = true;
  return ranks_.agree(within_memory([this] { return work_.opened(); }));
}

/// The outputs at the first step of a simulation: a path needs two.
void vtkRivuletUnsteadyFilter::Run::show_nothing()
{
  for (int port = 0; port < filter_.GetNumberOfOutputPorts(); ++port)
  {
    vtkDataObject::GetData(pass_.outputs, port)->Initialize();
  }
}

/// Takes the input, and lets the work know it.
Result<void> vtkRivuletUnsteadyFilter::Run::advance(bool goes_on)
{
  const bool empty = input_is_empty();
  Result<void> good = ranks_.agree(within_memory([&] { return take(goes_on, empty); }));
  return good ? open() : good;
}

Result<bool> vtkRivuletUnsteadyFilter::Run::pass()
{
  const WholeInput input{ filter_, *pass_.inputs[0]->GetInformationObject(0), ranks_ };
  if (Result<void> whole = make_whole(input_, input, filter_.GetRunSettings().memory_budget); !whole)
  {
    return forward_error(whole);
  }
  const bool goes_on = request_.under_way;
  Result<bool> seeds = goes_on ? Result<bool>(false) : take_seeds();
  request_.seeds_wanted = seeds && *seeds;
  if (!seeds || *seeds)
  {
    return seeds;
  }
  Result<void> good = goes_on ? Result<void>{} : start();
  request_.under_way = good.has_value();
  if (good && !request_.at_asked && !request_.steps->opened())
  {
    return true;
  }
  good = good ? advance(goes_on) : good;
  return good ? produce() : forward_error(good);
}

/// Goes on, and gives the results if all of them are there.
Result<bool> vtkRivuletUnsteadyFilter::Run::produce()
{
  if (pass_.grows && request_.simulation.is_first() && !work_.shows_first_step())
  {
    show_nothing();
    return false;
  }
  Result<bool> more = work();
  if (!more || *more)
  {
    return more;
  }
  Result<void> good = give();
  return good ? Result<bool>(false) : forward_error(good);
}

/// Whether one more step of the pipeline can be held. Particles go through many intervals at once in less time than
/// through one after the other. The same on all ranks.
bool vtkRivuletUnsteadyFilter::Run::has_room() const
{
  std::int64_t full = request_.steps->has_room(request_.most_bytes) ? 0 : 1;
  ranks_.sum({ &full, 1 });
  return full == 0;
}

/// Seconds since the beginning of the request.
double vtkRivuletUnsteadyFilter::Run::seconds() const
{
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - request_.start).count();
}

/// Whether the request has taken Maximum Seconds. The same on all ranks.
bool vtkRivuletUnsteadyFilter::Run::out_of_seconds() const
{
  const double most = filter_.MaximumSeconds;
  std::int64_t late = most > 0.0 && seconds() >= most ? 1 : 0;
  ranks_.max({ &late, 1 });
  return late > 0;
}

/// Goes on as far as the steps that are there allow. Returns whether another one is needed.
Result<bool> vtkRivuletUnsteadyFilter::Run::work()
{
  while (!request_.stopped)
  {
    const std::optional<IntervalRange> next = work_.next();
    if (!next)
    {
      return false;
    }
    if (out_of_seconds())
    {
      request_.report.out_of_seconds = true;
      request_.stopped = true;
      return false;
    }
    const std::int32_t interval = work_.backward() ? next->last : next->first;
    if (const std::optional<std::int32_t> missing = request_.steps->missing_for(interval, work_.backward()))
    {
      request_.asked = *missing;
      return true;
    }
    const IntervalRange now = request_.steps->at_once(*next, work_.backward());
    if (now != *next && has_room())
    {
      request_.asked = *request_.steps->missing_for(work_.backward() ? now.first - 1 : now.last + 1, work_.backward());
      return true;
    }
    if (Result<void> gone = go_through(now); !gone)
    {
      return forward_error(gone);
    }
  }
  return false;
}

Result<void> vtkRivuletUnsteadyFilter::Run::go_through(const IntervalRange& range)
{
  Result<int> threads = request_.steps->begin(range, work_.settings(filter_.BeginRunSettings()));
  Result<void> good = ranks_.agree(threads ? Result<void>{} : forward_error(threads));
  if (!good)
  {
    return good;
  }
  const auto start = std::chrono::steady_clock::now();
  progress_.emplace(filter_, work_.doing(), work_.communicates() ? nullptr : &ranks_);
  const double here = range.last - range.first + 1;
  const double all = std::max(1.0, static_cast<double>(work_.intervals()));
  RunOptions run;
  run.threads = *threads;
  run.most_particles = request_.steps->most_particles();
  if (filter_.MaximumSeconds > 0.0)
  {
    static constexpr double kLeast = 1e-6;
    run.maximum_seconds = std::max(filter_.MaximumSeconds - seconds(), kLeast);
  }
  run.progress = [&, show = progress_->callback()](double share)
  {
    const double of_intervals = (static_cast<double>(request_.intervals_done) + here * share) / all;
    return show(std::min(1.0, work_.share_of_all(share).value_or(of_intervals)));
  };
  SharedTracing shared(ranks_, filter_.GetTracingPart(), request_.steps->ranked());
  shared.attach(run);
  good = within_memory([&] { return work_.go_on(range, run); });
  shared.close([&] { (void)run.progress(1.0); });
  request_.report.particles_lent += shared.particles_lent();
  if (const std::optional<RankedStatistics> bricks = shared.bricks())
  {
    request_.report.bricks_shared = request_.report.bricks_shared.value_or(RankedStatistics{});
    *request_.report.bricks_shared += *bricks;
  }
  progress_->finish();
  const SourceStatistics read = request_.steps->end();
  const std::int64_t peak = std::max(request_.report.read.peak_bytes, read.peak_bytes); // intervals come one by one
  request_.report.read += read;
  request_.report.read.peak_bytes = peak;
  request_.report.access = request_.steps->access();
  request_.report.trace.trace_seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  request_.intervals_done += range.last - range.first + 1;
  request_.ran = true;
  std::int64_t stopped = progress_->stopped() ? 1 : 0;
  ranks_.max({ &stopped, 1 });
  request_.stopped = stopped > 0;
  return ranks_.agree(std::move(good));
}

Result<void> vtkRivuletUnsteadyFilter::Run::give()
{
  RunReport& report = request_.report;
  Result<void> good = ranks_.agree(within_memory([&] { return work_.finish(report, request_.stopped); }));
  if (!good)
  {
    return good;
  }
  combine(ranks_, report);
  if (request_.ran)
  {
    filter_.SetReport(report); // else the panel goes on to tell of the last run
  }
  filter_.InputLayout = request_.steps->layout();
  filter_.TimeAccess = request_.steps->way();
  filter_.StepsRequested = static_cast<int>(request_.steps->taken() - request_.taken_before);
  std::shared_ptr<const Error> error = work_.data_error();
  const Result<void> filled = within_memory(
      [&]() -> Result<void>
      {
        fill();
        return {};
      });
  if (!filled)
  {
    for (int port = 0; port < filter_.GetNumberOfOutputPorts(); ++port)
    {
      vtkDataObject::GetData(pass_.outputs, port)->Initialize(); // outputs are complete or empty
    }
    error = std::make_shared<const Error>(filled.error());
  }
  const bool late = report.out_of_seconds || report.lines_out_of_seconds > 0;
  if (late)
  {
    warn_of_seconds(filter_, ranks_, work_.left_after_stop(report), filter_.MaximumSeconds);
  }
  else if (request_.stopped)
  {
    progress_->keep_what_is_there(work_.left_after_stop(report), kRunAgain);
  }
  warn_of_left_out(filter_, ranks_, request_.steps->flow().left_out());
  warn_of_missing(filter_, ranks_, request_.steps->take_missing());
  warn_of(filter_, ranks_, request_.steps->take_suspects());
  work_.warn(pass_, report);
  filter_.Unfinished = request_.stopped || late || !filled;
  (void)report_data_error(filter_, ranks_, error);
  return {};
}

void vtkRivuletUnsteadyFilter::Run::fill()
{
  vtkNew<vtkFieldData> facts;
  add_report(request_.report, *facts);
  add_count("StepsRequested", filter_.StepsRequested, *facts);
  work_.fill(pass_, request_.report, *facts);
  for (int port = 0; port < filter_.GetNumberOfOutputPorts(); ++port)
  {
    vtkDataObject& output = *vtkDataObject::GetData(pass_.outputs, port);
    output.GetFieldData()->PassData(input_->GetFieldData());
    output.GetFieldData()->PassData(facts);
    if (!std::isnan(pass_.time))
    {
      output.GetInformation()->Set(vtkDataObject::DATA_TIME_STEP(), pass_.time);
    }
  }
}

vtkRivuletUnsteadyFilter::vtkRivuletUnsteadyFilter()
  : Kept(std::make_unique<UnsteadyRequest>())
{
  this->SetInputArrayToProcess(0, 0, 0, vtkDataObject::FIELD_ASSOCIATION_POINTS, vtkDataSetAttributes::VECTORS);
}

vtkRivuletUnsteadyFilter::~vtkRivuletUnsteadyFilter() = default;

void vtkRivuletUnsteadyFilter::SetStepOptions(TraceOptions& options) const
{
  options.integrator = static_cast<Integrator>(this->IntegratorType);
  options.step_unit = static_cast<StepUnit>(this->IntegrationStepUnit);
  options.initial_step = this->InitialIntegrationStep;
  options.minimum_step = this->MinimumIntegrationStep;
  options.maximum_step = this->MaximumIntegrationStep;
  options.maximum_error = this->MaximumError;
  options.maximum_steps = this->MaximumNumberOfSteps;
  options.time_interpolation = static_cast<rivulet::TimeInterpolation>(this->TimeInterpolation);
}

int vtkRivuletUnsteadyFilter::FillInputPortInformation(int, vtkInformation* info)
{
  // Any data object: the filter's own message about an unsupported type is clearer than the pipeline's, and for
  // composite seeds the pipeline would execute the filter once for each block.
  info->Set(vtkAlgorithm::INPUT_REQUIRED_DATA_TYPE(), "vtkDataObject");
  return 1;
}

int vtkRivuletUnsteadyFilter::RequestUpdateExtent(
    vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  const auto for_each_input = [&](int first_port, const auto& use)
  {
    for (int port = first_port; port < this->GetNumberOfInputPorts(); ++port)
    {
      for (int i = 0; i < inputVector[port]->GetNumberOfInformationObjects(); ++i)
      {
        use(*inputVector[port]->GetInformationObject(i));
      }
    }
  };
  for_each_input(0, [](vtkInformation& input) { request_all_of(input); });
  vtkInformation& field = *inputVector[0]->GetInformationObject(0);
  UnsteadyRequest& kept = *this->Kept;
  if (kept.work == nullptr)
  {
    kept.work = this->MakeWork();
  }
  if (!kept.under_way)
  {
    kept.simulation.look_at(*this, field);
  }
  const Result<std::vector<double>> times = kept.times(field);
  if (!times)
  {
    return 1; // RequestData says so
  }
  const bool has_steps = field.Has(Pipeline::TIME_STEPS()) != 0;
  const double of_step = kept.choose_step(*times, requested_time(*request, *outputVector));
  const double time = kept.choose_time(*this, *times, of_step, has_steps);
  if (has_steps)
  {
    field.Set(Pipeline::UPDATE_TIME_STEP(), time);
  }
  const double of_others = kept.shared ? time : kept.others_time;
  for_each_input(1, [of_others](vtkInformation& input) { input.Set(Pipeline::UPDATE_TIME_STEP(), of_others); });
  return 1;
}

int vtkRivuletUnsteadyFilter::RequestData(
    vtkInformation* request, vtkInformationVector** inputVector, vtkInformationVector* outputVector)
{
  if (!this->Kept->under_way)
  {
    this->Unfinished = false;
  }
  if (this->Kept->work == nullptr)
  {
    this->Kept->work = this->MakeWork();
  }
  UnsteadyRequest& kept = *this->Kept;
  if (!kept.under_way && kept.others_wanted)
  {
    kept.others.take(*this, inputVector, kept.others_time, kept.shared);
  }
  vtkInformationVector** const all = kept.others.with_field(inputVector);
  std::vector<vtkInformationVector*> inputs(all, all + this->GetNumberOfInputPorts());
  const vtkSmartPointer<vtkInformationVector> moved =
      this->SeedsInPlane && inputs.size() > 1 ? seeds_in_plane(*inputs[0], *inputs[1]) : nullptr;
  if (moved != nullptr)
  {
    inputs[1] = moved;
  }
  const UnsteadyPass pass{ inputs.data(), outputVector, requested_time(*request, *outputVector), kept.grows() };
  const Result<bool> more = Run(*this, pass).pass();
  if (more && *more)
  {
    request->Set(Pipeline::CONTINUE_EXECUTING(), 1);
    return 1;
  }
  request->Remove(Pipeline::CONTINUE_EXECUTING());
  this->Kept->under_way = false;
  this->Kept->seeds_wanted = false;
  if (!more || this->Unfinished)
  {
    this->Kept = std::make_unique<UnsteadyRequest>(); // results with a gap are not gone on with
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

void vtkRivuletUnsteadyFilter::PrintSelf(ostream& os, vtkIndent indent)
{
  this->Superclass::PrintSelf(os, indent);
  os << indent << "IntegratorType: " << this->IntegratorType << "\n"
     << indent << "IntegrationStepUnit: " << this->IntegrationStepUnit << "\n"
     << indent << "InitialIntegrationStep: " << this->InitialIntegrationStep << "\n"
     << indent << "MinimumIntegrationStep: " << this->MinimumIntegrationStep << "\n"
     << indent << "MaximumIntegrationStep: " << this->MaximumIntegrationStep << "\n"
     << indent << "MaximumError: " << this->MaximumError << "\n"
     << indent << "MaximumNumberOfSteps: " << this->MaximumNumberOfSteps << "\n"
     << indent << "TimeInterpolation: " << this->TimeInterpolation << "\n"
     << indent << "MaximumSeconds: " << this->MaximumSeconds << "\n";
}
