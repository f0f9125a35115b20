// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Steps/UnsteadyRun.h"

#include "Filters/Steps/StepRequests.h"
#include "Store/Memory/MemoryAccount.h"
#include "vtkAlgorithm.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkNew.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace rivulet
{

namespace
{

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start)
{
  return std::chrono::duration<double>(Clock::now() - start).count();
}

} // namespace

UnsteadyRun::UnsteadyRun(
    vtkAlgorithm& filter, const UnsteadySettings& settings, UnsteadyRequest& request, const UnsteadyPass& pass)
  : filter_(filter)
  , settings_(settings)
  , request_(request)
  , work_(*request.work)
  , pass_(pass)
  , run_(filter, settings.of_all, request.report)
  , input_(vtkDataObject::GetData(pass.inputs[0], 0))
  , goes_on_(request.under_way)
{
}

Result<bool> UnsteadyRun::pass(UnsteadyFacts& facts)
{
  if (Result<void> whole = run_.make_whole(input_, *pass_.inputs[0]->GetInformationObject(0)); !whole)
  {
    return forward_error(whole);
  }
  if (!goes_on_)
  {
    Result<bool> seeds = take_seeds();
    request_.seeds_wanted = seeds && *seeds;
    if (!seeds || *seeds)
    {
      return seeds;
    }
    if (Result<void> started = start(); !started)
    {
      return forward_error(started);
    }
    request_.under_way = true;
    if (!request_.at_asked && !request_.steps->opened())
    {
      return true;
    }
  }
  Result<void> good = advance();
  return good ? produce(facts) : forward_error(good);
}

/// Returns whether the seeds are needed at another time.
Result<bool> UnsteadyRun::take_seeds()
{
  const vtkMTimeType seeds = pipeline_time(filter_, 1);
  const bool anew = run_.on_any_rank(
      !request_.seeds_wanted &&
      (request_.steps == nullptr || request_.settings != settings_.of_all.changed || request_.seeds != seeds));
  request_.seeds = seeds;
  TimedInputs* const inputs = work_.other_inputs();
  bool more = false;
  Result<void> good = run_.together(
      [&]() -> Result<void>
      {
        Result<std::vector<double>> times = request_.times(*pass_.inputs[0]->GetInformationObject(0));
        if (!times || inputs == nullptr)
        {
          return times ? Result<void>{} : forward_error(times);
        }
        Result<bool> wanted = inputs->take(pass_.inputs, pass_.time, *times, anew);
        more = wanted && *wanted;
        return wanted ? Result<void>{} : forward_error(wanted);
      });
  return good ? Result<bool>(more) : forward_error(good);
}

/// Whether a field has the times that were there before; of a simulation that runs, before the one that is to come.
bool UnsteadyRun::has_same_times(const std::vector<double>& times) const
{
  const std::vector<double>& before = request_.steps->times();
  if (!pass_.grows)
  {
    return before == times;
  }
  return times.size() >= before.size() && std::equal(before.begin(), before.end() - 1, times.begin());
}

Result<bool> UnsteadyRun::prepare(std::vector<double>& times)
{
  Result<std::vector<double>> all = request_.times(*pass_.inputs[0]->GetInformationObject(0));
  if (!all)
  {
    return forward_error(all);
  }
  times = std::move(*all);
  if (pass_.grows && settings_.interpolation == TimeInterpolation::Cubic)
  {
    return fail(ErrorCode::Unsupported, "cubic interpolation in time takes a step that the simulation has yet to make",
        "set Time Interpolation to Linear; or let the analytics store write the steps, and use the filter on them");
  }
  same_ = request_.steps != nullptr && request_.settings == settings_.of_all.changed &&
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
Result<void> UnsteadyRun::start()
{
  std::vector<double> times;
  bool again = false;
  Result<void> good = run_.together(
      [&]() -> Result<void>
      {
        Result<bool> serves = prepare(times);
        again = serves && *serves;
        return serves ? Result<void>{} : forward_error(serves);
      });
  if (!good)
  {
    return good;
  }
  std::array<std::int64_t, 2> others{ same_ ? 0 : 1, again ? 0 : 1 };
  run_.ranks().sum(others);
  request_.serves = others[1] == 0;
  good = run_.together(
      [&]() -> Result<void>
      {
        make_steps(std::move(times), others[0] > 0);
        start_report();
        return {};
      });
  return good && request_.steps->opened() ? run_.together([this] { return begin(); }) : good;
}

void UnsteadyRun::make_steps(std::vector<double> times, bool anew)
{
  if (anew)
  {
    const bool interpolates = request_.traits.least_steps > 1;
    request_.steps = std::make_unique<FlowSteps>(filter_, settings_.of_all.choose, std::move(times),
        interpolates ? settings_.interpolation : TimeInterpolation::Linear);
    request_.steps->take_each(request_.traits.reason_for_steps);
    times = request_.steps->times();
    request_.settings = settings_.of_all.changed;
    request_.input = pipeline_time(filter_, 0);
  }
  if (pass_.grows)
  {
    request_.steps->grow(std::move(times));
  }
}

void UnsteadyRun::start_report()
{
  request_.report = {};
  request_.ran = false;
  request_.stopped = false;
  request_.start = Clock::now();
  request_.begun = false;
  request_.intervals_done = 0;
  request_.taken_before = request_.steps->taken();
  request_.most_bytes = find_most_bytes();
}

RunSettings UnsteadyRun::share_of(RunSettings settings) const
{
  settings.budget_parts = request_.traits.budget_parts;
  settings.memory_budget /= settings.budget_parts;
  return settings;
}

/// Bytes for the steps of a pipeline. 0 for a simulation that runs: only steps that the next interval needs are kept.
std::int64_t UnsteadyRun::find_most_bytes() const
{
  if (pass_.grows)
  {
    return 0;
  }
  const std::int64_t budget = share_of(settings_.of_all.run).memory_budget;
  return budget > 0 ? budget : default_memory_budget() / 2;
}

/// Lets the work begin, once for a request.
Result<void> UnsteadyRun::begin()
{
  if (request_.begun)
  {
    return {};
  }
  request_.begun = true;
  return work_.begin(*request_.steps, request_.serves);
}

/// Takes the input, and lets the work begin.
Result<void> UnsteadyRun::advance()
{
  const bool empty = input_is_empty();
  Result<void> good = run_.together([&] { return take(empty); });
  return good ? run_.together([this] { return begin(); }) : good;
}

/// Whether no rank has a cell of the input. Readers say so that a step cannot be read, and give nothing.
bool UnsteadyRun::input_is_empty() const
{
  return run_.on_all_ranks(input_->GetNumberOfElements(vtkDataObject::CELL) == 0);
}

/// Takes the input as it is now, if it was asked for, or the particles need it. `empty`: on all ranks.
Result<void> UnsteadyRun::take(bool empty)
{
  FlowSteps& steps = *request_.steps;
  std::int32_t interval = request_.asked;
  if (steps.opened())
  {
    const std::optional<NextIntervals> next = work_.next();
    if (!next || !request_.at_asked || steps.holds(request_.asked))
    {
      return {};
    }
    interval = next->first();
    if (!goes_on_ && steps.missing_for(*next) != request_.asked)
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
  return steps.take(*input_, request_.asked, interval, request_.most_bytes);
}

/// The outputs at the first step of a simulation: a path needs two.
void UnsteadyRun::show_nothing()
{
  for (int port = 0; port < pass_.outputs->GetNumberOfInformationObjects(); ++port)
  {
    vtkDataObject::GetData(pass_.outputs, port)->Initialize();
  }
}

/// Goes on, and gives the results if all of them are there.
Result<bool> UnsteadyRun::produce(UnsteadyFacts& facts)
{
  if (pass_.grows && request_.simulation.is_first() && !request_.traits.shows_first_step)
  {
    show_nothing();
    return false;
  }
  Result<bool> more = work();
  if (!more || *more)
  {
    return more;
  }
  Result<void> good = give(facts);
  return good ? Result<bool>(false) : forward_error(good);
}

/// Whether one more step of the pipeline can be held. Particles go through many intervals at once in less time than
/// through one after the other. The same on all ranks.
bool UnsteadyRun::has_room() const
{
  return run_.on_all_ranks(request_.steps->has_room(request_.most_bytes));
}

/// Seconds since the beginning of the request.
double UnsteadyRun::seconds() const
{
  return seconds_since(request_.start);
}

/// Whether the request has taken Maximum Seconds. The same on all ranks.
bool UnsteadyRun::out_of_seconds() const
{
  const double most = settings_.of_all.maximum_seconds;
  return run_.on_any_rank(most > 0.0 && seconds() >= most);
}

/// Goes on as far as the steps that are there allow. Returns whether another one is needed.
Result<bool> UnsteadyRun::work()
{
  while (!request_.stopped)
  {
    const std::optional<NextIntervals> next = work_.next();
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
    if (const std::optional<std::int32_t> missing = request_.steps->missing_for(*next))
    {
      request_.asked = *missing;
      return true;
    }
    const NextIntervals now = request_.steps->at_once(*next);
    if (now.range != next->range && has_room())
    {
      request_.asked = *request_.steps->missing_for(now.following());
      return true;
    }
    if (Result<void> gone = go_through(now); !gone)
    {
      return forward_error(gone);
    }
  }
  return false;
}

/// Progress of work on intervals, as that of the whole request.
std::function<bool(double)> UnsteadyRun::progress_of(const NextIntervals& next)
{
  const auto all = static_cast<double>(std::max<std::int64_t>(next.of, 1));
  const auto done = static_cast<double>(request_.intervals_done);
  const std::array<double, 2> shown =
      next.shown.value_or(std::array<double, 2>{ done / all, (done + next.range.count()) / all });
  return [show = run_.progress(), shown](double share)
  {
    return show(std::min(1.0, shown[0] + (shown[1] - shown[0]) * share));
  };
}

Result<void> UnsteadyRun::go_through(const NextIntervals& next)
{
  FlowSteps& steps = *request_.steps;
  Result<int> threads = steps.begin(next.range, share_of(settings_.of_all.begin_run()));
  Result<void> good = run_.ranks().agree(threads ? Result<void>{} : forward_error(threads));
  if (!good)
  {
    return good;
  }
  const auto start = Clock::now();
  run_.show_progress(request_.traits.doing, request_.traits.communicates);
  RunOptions options;
  options.threads = *threads;
  options.most_particles = steps.most_particles();
  if (settings_.of_all.maximum_seconds > 0.0)
  {
    static constexpr double kLeast = 1e-6;
    options.maximum_seconds = std::max(settings_.of_all.maximum_seconds - seconds(), kLeast);
  }
  options.progress = progress_of(next);
  good = run_.advance(options, steps.ranked(), [&](const RunOptions& run) { return work_.go_on(next.range, run); });
  count(steps.end(), next, seconds_since(start));
  request_.stopped = run_.on_any_rank(run_.stopped());
  return run_.ranks().agree(std::move(good));
}

void UnsteadyRun::count(const SourceStatistics& read, const NextIntervals& gone, double seconds)
{
  RunReport& report = request_.report;
  const std::int64_t peak = std::max(report.read.peak_bytes, read.peak_bytes); // intervals come one by one
  report.read += read;
  report.read.peak_bytes = peak;
  report.access = request_.steps->access();
  report.trace.trace_seconds += seconds;
  request_.intervals_done += gone.range.count();
  request_.ran = true;
}

Result<void> UnsteadyRun::give(UnsteadyFacts& facts)
{
  RunReport& report = request_.report;
  WorkEnd end;
  Result<void> good = run_.together(
      [&]() -> Result<void>
      {
        Result<WorkEnd> ended = work_.finish(report, request_.stopped);
        end = ended ? std::move(*ended) : WorkEnd{};
        return ended ? Result<void>{} : forward_error(ended);
      });
  if (!good)
  {
    return good;
  }
  run_.combine_report();
  if (request_.ran)
  {
    facts.report = report; // else the panel goes on to tell of the last run
  }
  facts.layout = request_.steps->layout();
  facts.time_access = request_.steps->way();
  facts.steps_requested = static_cast<int>(request_.steps->taken() - request_.taken_before);
  const std::shared_ptr<const Error> unfilled = run_.fill(*pass_.outputs, [&] { fill(facts.steps_requested); });
  const bool late = report.out_of_seconds || report.lines_out_of_seconds > 0;
  warn(end, late);
  facts.unfinished = request_.stopped || late || unfilled != nullptr;
  (void)report_data_error(filter_, run_.ranks(), unfilled ? unfilled : end.error);
  return {};
}

void UnsteadyRun::warn(const WorkEnd& end, bool late)
{
  const RunReport& report = request_.report;
  const Ranks& ranks = run_.ranks();
  if (late)
  {
    const std::string left = end.left.empty() ? describe_ends(report, Termination::OutOfSeconds) : end.left;
    warn_of_seconds(filter_, ranks, left, settings_.of_all.maximum_seconds);
  }
  else if (request_.stopped)
  {
    run_.keep_what_is_there(end.left.empty() ? describe_ends(report, Termination::Cancelled) +
                                                   ", and arrays other than the vectors hold NaN"
                                             : end.left);
  }
  warn_of_left_out(filter_, ranks, request_.steps->flow().left_out());
  warn_of_missing(filter_, ranks, request_.steps->take_missing());
  warn_of(filter_, ranks, request_.steps->take_suspects());
  work_.warn(pass_, report);
}

void UnsteadyRun::fill(int steps_requested)
{
  vtkNew<vtkFieldData> facts;
  add_report(request_.report, *facts);
  add_count("StepsRequested", steps_requested, *facts);
  work_.fill(pass_, request_.report, *facts);
  for (int port = 0; port < pass_.outputs->GetNumberOfInformationObjects(); ++port)
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

} // namespace rivulet
