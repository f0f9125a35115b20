// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/StreamTracerRun.h"

#include "Filters/Output/LineOutput.h"
#include "vtkCellData.h"
#include "vtkDataSet.h"
#include "vtkFieldData.h"
#include "vtkInformation.h"
#include "vtkInformationVector.h"
#include "vtkPointData.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace rivulet
{

namespace
{

/// Lengths and coordinates beyond this come from bounds that ParaView did not know: a proxy that is made before its
/// input was updated has lengths of -2e299 and seeds at 1e299. (From image data: a length of -2, and seeds around 0.)
constexpr double kNoBounds = 1e290;
constexpr const char* kLength = "a length, or update the input before the filter is made: UpdatePipeline(proxy=input)";

/// Fails if `good` is false. `label`: the setting's name in the user interface.
Result<void> check_setting(const char* label, double value, const std::string& wanted, bool good)
{
  std::ostringstream text;
  text << label << " is " << value;
  return good ? Result<void>{}
              : fail(ErrorCode::BadArgument, text.str(), std::string("set ") + label + " to " + wanted);
}

/// Shares geometry and arrays, but neither field data nor the pipeline's information.
void pass_lines(vtkPolyData& from, vtkPolyData& to)
{
  to.CopyStructure(&from);
  to.GetPointData()->ShallowCopy(from.GetPointData());
  to.GetCellData()->ShallowCopy(from.GetCellData());
}

} // namespace

StreamTracerRun::StreamTracerRun(vtkAlgorithm& filter, const StreamTracerSettings& settings, StreamTracerKept& kept,
    vtkInformationVector** inputs, vtkInformationVector& outputs)
  : filter_(filter)
  , settings_(settings)
  , kept_(kept)
  , run_(filter, settings.of_all, report_)
  , connection_(*inputs[0]->GetInformationObject(0))
  , outputs_(outputs)
  , input_(vtkDataObject::GetData(inputs[0], 0))
  , source_(vtkDataSet::GetData(inputs[1], 0))
  , lines_(*vtkPolyData::GetData(&outputs, 0))
  , seeds_(*vtkPolyData::GetData(&outputs, 1))
{
}

Result<void> StreamTracerRun::check_settings() const
{
  if (settings_.on_surface)
  {
    return fail(ErrorCode::BadArgument, "Surface Streamlines is on, and this filter does not keep lines on a surface",
        "turn it off; on a flat grid, take the component across it away with Calculator");
  }
  const StreamlineOptions& options = settings_.options;
  const double length = options.maximum_length;
  const auto steps = static_cast<double>(options.maximum_steps);
  Result<void> checked =
      check_setting("Maximum Streamline Length", length, kLength, length >= 0.0 || length < -kNoBounds);
  checked = checked ? check_setting("Maximum Steps", steps, "a number of steps", steps >= 0.0) : checked;
  checked = checked ? check_setting(
                          "Terminal Speed", options.terminal_speed, "a speed", std::isfinite(options.terminal_speed))
                    : checked;
  return checked
             ? check_setting("Maximum Error", options.maximum_error, "a length", std::isfinite(options.maximum_error))
             : checked;
}

Result<void> StreamTracerRun::open()
{
  Result<OpenedInput> input = open_input(filter_, input_, settings_.of_all.choose, kept_.cache);
  if (!input)
  {
    return forward_error(input);
  }
  // After the input: a length that ParaView derived from an input without points makes no sense.
  if (Result<void> good = check_settings(); !good)
  {
    return good;
  }
  opened_ = std::move(*input);
  for (FlowInput& flow : opened_.flows)
  {
    if (Result<void> added = flow.add_point_arrays(); !added)
    {
      return added;
    }
  }
  return read_seeds();
}

Result<void> StreamTracerRun::read_seeds()
{
  const std::int64_t count = source_ != nullptr ? source_->GetNumberOfPoints() : 0;
  if (count == 0)
  {
    return fail(ErrorCode::BadArgument, "the seed source has no points", "give it points, or choose another");
  }
  if (count > VTK_INT_MAX)
  {
    return fail(ErrorCode::BadArgument, "the seed source has " + std::to_string(count) + " points",
        "use at most " + std::to_string(VTK_INT_MAX));
  }
  const auto [first, last] = run_.ranks().part().share(count);
  first_seed_ = first;
  positions_.resize(static_cast<std::size_t>(last - first));
  for (std::int64_t i = first; i < last; ++i)
  {
    Vec3& seed = positions_[static_cast<std::size_t>(i - first)];
    source_->GetPoint(i, seed.data());
  }
  return check_seeds(count);
}

/// Fails if the seeds are a line with ends that ParaView derived from unknown bounds. Every rank checks the same two
/// points.
Result<void> StreamTracerRun::check_seeds(std::int64_t count)
{
  for (const std::int64_t end : { std::int64_t{ 0 }, count - 1 })
  {
    Vec3 seed;
    source_->GetPoint(end, seed.data());
    if (!std::all_of(seed.begin(), seed.end(), [](double place) { return std::fabs(place) > kNoBounds; }))
    {
      return {};
    }
  }
  return fail(ErrorCode::BadArgument, "the seeds were placed before the bounds of the input were known",
      "place them, or update the input before the filter is made: UpdatePipeline(proxy=input)");
}

double StreamTracerRun::longest_side() const
{
  double longest = 0.0;
  for (const FlowInput& flow : opened_.flows)
  {
    longest = std::max(longest, flow.longest_side());
  }
  return longest;
}

Result<void> StreamTracerRun::trace(LinesOfBlocks& lines)
{
  StreamlineOptions options = settings_.options;
  if (options.maximum_length < -kNoBounds) // ParaView did not know the bounds when it set this length
  {
    options.maximum_length = longest_side();
  }
  Result<void> done = run_.advance({ .progress = run_.progress(), .maximum_seconds = settings_.of_all.maximum_seconds },
      lines.ranked(), [&](const RunOptions& run) { return lines.trace(options, run); });
  lines.end();
  return done;
}

void StreamTracerRun::fill(LinesOfBlocks& lines)
{
  const LineOutputOptions options{
    .velocity = opened_.vectors, .rotation = settings_.options.compute_vorticity, .first_seed = first_seed_
  };
  lines.fill(options, lines_);
  fill_seeds(lines.fates(), positions_, first_seed_, seeds_);
  add_report(report_, *statistics_);
  add_count("LinesCut", report_.lines_cut, *statistics_);
  add_field_data(*statistics_);
}

void StreamTracerRun::add_field_data(vtkFieldData& statistics)
{
  const int arrays = input_->GetFieldData()->GetNumberOfArrays() + statistics.GetNumberOfArrays();
  for (vtkPolyData* output : { &lines_, &seeds_ })
  {
    output->GetFieldData()->AllocateArrays(arrays);
    output->GetFieldData()->PassData(input_->GetFieldData());
    output->GetFieldData()->PassData(&statistics);
  }
}

/// Whether the last result answers this request on all ranks. Collective.
bool StreamTracerRun::is_answered() const
{
  const auto readable = [](const FlowInput& flow)
  {
    return flow.field().velocity.source->health().has_value();
  };
  const StreamTracerKept::Result* last = kept_.last.get();
  return run_.on_all_ranks(last != nullptr && last->first_seed == first_seed_ && last->positions == positions_ &&
                           last->is_of(settings_.of_all.changed, *input_) &&
                           std::all_of(opened_.flows.begin(), opened_.flows.end(), readable));
}

void StreamTracerRun::keep(bool unfinished)
{
  kept_.last = std::make_unique<StreamTracerKept::Result>();
  StreamTracerKept::Result& last = *kept_.last;
  last.settings = settings_.of_all.changed;
  last.input = InputMark(*input_);
  last.statistics = statistics_.Get();
  last.unfinished = unfinished;
  last.positions = std::move(positions_);
  last.first_seed = first_seed_;
  pass_lines(lines_, *last.lines);
  pass_lines(seeds_, *last.seeds);
}

Result<void> StreamTracerRun::run(FilterFacts& facts)
{
  run_.show_progress("tracing lines");
  if (Result<void> whole = run_.make_whole(input_, connection_); !whole)
  {
    return whole;
  }
  kept_.cache.begin();
  Result<void> opened = run_.together([this] { return open(); });
  kept_.cache.end();
  facts.layout = opened_.layout;
  if (!opened)
  {
    return opened;
  }
  if (is_answered())
  {
    pass_lines(*kept_.last->lines, lines_);
    pass_lines(*kept_.last->seeds, seeds_);
    add_field_data(*kept_.last->statistics);
    facts.unfinished = kept_.last->unfinished;
    return {};
  }
  kept_.last.reset(); // so that there are never two results in memory
  return run_anew(facts);
}

Result<void> StreamTracerRun::run_anew(FilterFacts& facts)
{
  LinesOfBlocks lines(opened_.flows, positions_, settings_.of_all.begin_run(), report_);
  Result<void> done = run_.together([&] { return lines.begin(); });
  done = done ? run_.ranks().agree(trace(lines)) : done;
  if (!done)
  {
    return done;
  }
  run_.combine_report();
  facts.report = report_;
  std::shared_ptr<const Error> error = run_.fill(outputs_, [&] { fill(lines); });
  facts.unfinished = run_.stopped() || facts.report->lines_cut > 0;
  warn(lines);
  const bool missing = report_data_error(filter_, run_.ranks(), error ? error : lines.data_error());
  if (!missing)
  {
    keep(facts.unfinished);
  }
  return {};
}

void StreamTracerRun::warn(const LinesOfBlocks& lines)
{
  const Ranks& ranks = run_.ranks();
  if (run_.stopped())
  {
    run_.keep_what_is_there(
        describe_ends(report_, Termination::Cancelled) + ", and arrays other than the vectors hold NaN");
  }
  warn_if_apart(filter_, ranks, opened_.apart);
  warn_of_left_out(filter_, ranks, lines.left_out());
  if (ranks.rank() == 0)
  {
    warn_of(filter_, ranks, opened_.flows.front().suspects());
  }
  warn_if_out_of_seconds(filter_, ranks, report_, settings_.of_all.maximum_seconds);
  warn_if_all_outside(filter_, ranks, report_, opened_.flows, *source_);
  warn_if_no_steps(filter_, ranks, report_,
      "set Integration Step Unit to Cell Crossing, End On Boundary, or a shorter Initial Step Length");
}

} // namespace rivulet
