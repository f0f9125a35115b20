// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Steps/FlowSteps.h"

#include "Base/Bytes.h"
#include "Base/Times.h"
#include "Filters/Input/InputOrigin.h"
#include "Filters/Steps/AlikeSteps.h"
#include "Trace/Mesh/CurvilinearGrid.h"
#include "Trace/Mesh/HiddenCells.h"
#include "vtkDataArray.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace rivulet
{

namespace
{

bool same_times(const std::vector<double>& a, const std::vector<double>& b)
{
  const double slack = time_slack(a);
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(), [slack](double x, double y) { return std::abs(x - y) <= slack; });
}

/// Whether the file of a field hides points or cells at any step.
bool hides_any(const FileBricks& file)
{
  const auto steps = static_cast<int>(file.info().times.size());
  for (int step = 0; step < steps; ++step)
  {
    if (file.hides(Centering::Node, step) || file.hides(Centering::Cell, step))
    {
      return true;
    }
  }
  return false;
}

} // namespace

FlowSteps::FlowSteps(
    vtkAlgorithm& filter, ChooseArray choose, std::vector<double> times, TimeInterpolation interpolation)
  : filter_(filter)
  , choose_(std::move(choose))
  , times_(std::move(times))
  , interpolation_(interpolation)
{
}

FlowSteps::~FlowSteps() = default;

Result<HeldStep> FlowSteps::open(vtkDataObject& input, std::int32_t step)
{
  auto data = vtkSmartPointer<vtkDataObject>::Take(input.NewInstance());
  grows_ ? data->DeepCopy(&input) : data->ShallowCopy(&input);
  cache_.begin();
  Result<OpenedInput> opened = open_input(filter_, data, choose_, cache_);
  if (!opened)
  {
    cache_.end();
    return tl::unexpected(at_step(std::move(opened.error()), step));
  }
  if (opened->flows.size() > 1)
  {
    return fail(ErrorCode::Unsupported,
        "the blocks of the input make no grid together (" + opened->apart + "), and lines in time pass no borders",
        "take one block with Extract Block, or use Resample To Image");
  }
  FlowInput flow = std::move(opened->flows.front());
  Result<void> added = flow.add_point_arrays();
  cache_.end();
  if (!added)
  {
    return tl::unexpected(at_step(std::move(added.error()), step));
  }
  vectors_ = opened->vectors;
  layout_ = opened->layout;
  const TraceField& field = flow.field();
  // Hidden cells of a curvilinear grid are a part of it.
  std::shared_ptr<const HiddenCells> hidden =
      field.curvilinear == nullptr ? HiddenCells::of(field.grid, field.point_ghosts, field.cell_ghosts) : nullptr;
  return HeldStep{ step, data, std::move(flow), std::move(hidden), structure_written(*data) };
}

Result<void> FlowSteps::take(vtkDataObject& input, std::int32_t step, std::int32_t interval, std::int64_t most_bytes)
{
  if (Result<void> good = check_ ? check_(input, times_[static_cast<std::size_t>(step)]) : Result<void>{}; !good)
  {
    return good;
  }
  Result<HeldStep> more = open(input, step);
  if (!more)
  {
    return forward_error(more);
  }
  ++taken_;
  if (!field_.is_made())
  {
    held_.push_back(std::move(*more));
    suspects_ = held_.back().flow.suspects();
    choose_way();
    Result<void> cut = cut_alike(step);
    if (cut)
    {
      make_field();
    }
    return cut;
  }
  if (Result<void> alike = check_alike(held_.back(), *more, time_text(step)); !alike)
  {
    return alike;
  }
  if (Result<void> joined = join_cuts(*more); !joined)
  {
    return joined;
  }
  if (!as_bricks_)
  {
    field_.leave_out_missing(more->flow, time_text(step));
  }
  held_.remove_if([&](const HeldStep& old) { return as_bricks_ || old.step == step; });
  const auto after =
      std::find_if(held_.begin(), held_.end(), [step](const HeldStep& other) { return other.step > step; });
  held_.insert(after, std::move(*more));
  drop(interval, most_bytes);
  cut_ = { 0, -1 };
  return cut_alike(step);
}

void FlowSteps::grow(std::vector<double> times)
{
  grows_ = true;
  times_ = std::move(times);
  field_.set_times(times_);
}

void FlowSteps::lose(std::int32_t step, Error reason)
{
  lost_[step] = std::make_shared<const Error>(at_step(std::move(reason), step));
}

std::int64_t FlowSteps::bytes() const
{
  std::int64_t bytes = 0;
  for (const HeldStep& each : held_)
  {
    bytes += static_cast<std::int64_t>(each.data->GetActualMemorySize()) * kKiB;
  }
  return bytes;
}

/// The steps that some intervals need.
StepRange FlowSteps::steps_for(const IntervalRange& intervals) const
{
  return rivulet::steps_for(interpolation_, intervals, times_.size());
}

/// Levels are cut alike for one interval, so that no other steps of them are held.
void FlowSteps::drop(std::int32_t interval, std::int64_t most_bytes)
{
  const StepRange needed = steps_for({ interval, interval });
  const auto distance = [&needed](const HeldStep& each)
  {
    return std::max({ needed.first - each.step, each.step - needed.last, 0 });
  };
  if (!levels() && bytes() <= most_bytes)
  {
    return;
  }
  while (held_.size() > 1 && (levels() || bytes() > most_bytes / 2))
  {
    const auto farthest = std::max_element(
        held_.begin(), held_.end(), [&](const HeldStep& a, const HeldStep& b) { return distance(a) < distance(b); });
    if (distance(*farthest) == 0)
    {
      return;
    }
    held_.erase(farthest);
    dropped_ = true;
  }
}

bool FlowSteps::has_room(std::int64_t most_bytes) const
{
  const auto count = static_cast<std::int64_t>(held_.size());
  return !as_bricks_ && !levels() && bytes() / count * (count + 1) <= most_bytes;
}

/// Cuts steps with levels into the bricks that they have in common. `step`: the one that was taken last.
Result<void> FlowSteps::cut_alike(std::int32_t step)
{
  const StepRange now{ held_.front().step, held_.back().step };
  if (!levels() || now == cut_)
  {
    return {};
  }
  Result<std::shared_ptr<const AmrMesh>> common = held_.front().flow.amr_mesh();
  for (auto next = held_.size() > 1 ? std::next(held_.begin()) : held_.begin(); next != held_.end() && common; ++next)
  {
    common = moving_.common(*common, next->flow.amr_mesh());
  }
  if (!common)
  {
    return tl::unexpected(at_step(std::move(common.error()), step));
  }
  cut_ = now;
  const auto is_cut = [&](const HeldStep& each)
  {
    return each.flow.mesh_of_bricks() == *common;
  };
  if (std::all_of(held_.begin(), held_.end(), is_cut))
  {
    return {};
  }
  cache_.begin(); // and end() drops the bricks that they had before
  for (HeldStep& each : held_)
  {
    if (is_cut(each))
    {
      continue;
    }
    Result<FlowInput> flow = each.flow.cut_into(*common);
    if (!flow)
    {
      return forward_error(flow);
    }
    each.flow = std::move(*flow);
  }
  cache_.end();
  return {};
}

std::string FlowSteps::time_text(std::int32_t step) const
{
  std::ostringstream text;
  text << "at time " << format_time(times_[static_cast<std::size_t>(step)]);
  return text.str();
}

/// An error with the time at which the input has it.
Error FlowSteps::at_step(Error error, std::int32_t step) const
{
  error.what = time_text(step) + " " + error.what;
  return error;
}

/// All steps are bricks of the sources if every array is one of a source with these times, and nothing else can differ.
void FlowSteps::choose_way()
{
  why_ = reason_for_steps();
  as_bricks_ = why_.empty();
  why_ = as_bricks_ ? "the files have all steps" : why_;
}

/// Text for users; empty if one execution of the pipeline tells all there is to know of the steps.
std::string FlowSteps::reason_for_steps() const
{
  const FlowInput& flow = held_.back().flow;
  const auto has_all = [this](const SourceArray& array)
  {
    return same_times(array.source->info().times, times_);
  };
  if (!has_all(flow.field().velocity))
  {
    return "the vectors are known at one time step at a time";
  }
  for (const AttributeRequest& attribute : flow.field().attributes)
  {
    if (!has_all(attribute.array))
    {
      return "\"" + attribute.name +
             "\" is known at one time step at a time: untick it where it is made or read if it is not wanted";
    }
  }
  if (times_.size() == 1 || !reason_to_take_each_.empty())
  {
    return reason_to_take_each_;
  }
  if (!comes_from_reader(filter_))
  {
    return "filters before this one may change from step to step what is not in the files";
  }
  const auto& fields = flow.lazy_fields();
  const std::shared_ptr<const CurvilinearGrid>& nodes = flow.field().curvilinear;
  if (nodes != nullptr && nodes->points().source->info().stored_steps(nodes->points().variable) > 1)
  {
    return "the places of the grid's nodes are known at one time step at a time";
  }
  const bool hides = std::any_of(fields.begin(), fields.end(),
      [](const std::shared_ptr<LazyField>& field) { return hides_any(*field->source()); });
  return hides ? "which points or cells are hidden is known at one time step at a time" : "";
}

/// Joins all steps into bricks of one cut if a step comes in other bricks than the steps before.
Result<void> FlowSteps::join_cuts(HeldStep& more)
{
  const auto join = [](HeldStep& each) -> Result<void>
  {
    Result<FlowInput> flow = each.flow.joined();
    if (!flow)
    {
      return forward_error(flow);
    }
    each.flow = std::move(*flow);
    return {};
  };
  if (!joined_ && (levels() || more.flow.cut_like(held_.back().flow)))
  {
    return {};
  }
  Result<void> good = join(more);
  if (joined_ || !good)
  {
    return good;
  }
  for (auto each = held_.begin(); each != held_.end() && good; ++each)
  {
    good = join(*each);
  }
  joined_ = true;
  if (good)
  {
    make_field();
  }
  for (auto each = held_.begin(); each != held_.end() && good; ++each)
  {
    field_.leave_out_missing(each->flow, time_text(each->step)); // the field has all arrays of the last of them again
  }
  return good;
}

void FlowSteps::make_field()
{
  as_bricks_ ? field_.take(held_.back().flow) : field_.make(held_.back().flow, times_);
}

const HeldStep* FlowSteps::held(std::int32_t step) const
{
  const auto found =
      std::find_if(held_.begin(), held_.end(), [step](const HeldStep& each) { return each.step == step; });
  return found != held_.end() ? &*found : nullptr;
}

std::optional<std::int32_t> FlowSteps::missing_for(const NextIntervals& next) const
{
  if (opened() && as_bricks_)
  {
    return {};
  }
  const StepRange needed = steps_for({ next.first(), next.first() });
  for (std::int32_t i = 0; i < needed.count(); ++i)
  {
    const std::int32_t step = next.backward ? needed.last - i : needed.first + i;
    if (!holds(step))
    {
      return step;
    }
  }
  return {};
}

NextIntervals FlowSteps::at_once(const NextIntervals& next) const
{
  if (as_bricks_)
  {
    return next;
  }
  NextIntervals now = next.with({ next.first(), next.first() });
  while (!levels() && now.range.count() < next.range.count() && !missing_for(now.following()))
  {
    const std::int32_t more = now.following().first();
    now.range = { std::min(now.range.first, more), std::max(now.range.last, more) };
  }
  return now;
}

/// Makes the field one of the steps that are held.
Result<void> FlowSteps::make_ready(const IntervalRange& range)
{
  if (as_bricks_)
  {
    return {};
  }
  if (levels()) // the bricks of an interval do not depend on the intervals before
  {
    drop(range.first, 0);
    if (Result<void> cut = cut_alike(held_.back().step); !cut)
    {
      return cut;
    }
  }
  return field_.hold(held_, lost_);
}

Result<int> FlowSteps::begin(const IntervalRange& range, const RunSettings& settings)
{
  if (Result<void> ready = make_ready(range); !ready)
  {
    return forward_error(ready);
  }
  const StepRange needed = steps_for(range);
  std::vector<FlowInput*> flows;
  for (HeldStep& each : held_)
  {
    if (as_bricks_ || needed.has(each.step))
    {
      flows.push_back(&each.flow);
    }
  }
  if (flows.empty())
  {
    flows.push_back(&held_.back().flow); // all that the range needs are lost
  }
  RunSettings of_run = settings;
  of_run.bricks_per_thread = std::clamp(static_cast<int>(times_.size()), 2, 2 + 2 * steps_beyond(interpolation_));
  if (levels())
  {
    // The first and the last interval need fewer steps than the others: a budget is refused before the first of all.
    of_run.times_as_much = std::max(1.0, static_cast<double>(of_run.bricks_per_thread) / needed.count());
  }
  reading_ = std::make_unique<FieldRun>(std::move(flows), of_run);
  Result<int> threads = reading_->begin();
  if (as_bricks_)
  {
    field_.take(held_.front().flow); // its sources may be others now
  }
  return threads;
}

SourceStatistics FlowSteps::end()
{
  const SourceStatistics read = reading_->statistics();
  access_ = reading_->access();
  reading_.reset();
  if (as_bricks_)
  {
    field_.take(held_.front().flow);
  }
  return read;
}

std::string FlowSteps::way() const
{
  if (!opened())
  {
    return {};
  }
  std::ostringstream text;
  text << (as_bricks_ ? "As bricks: " : "Step by step: ") << why_;
  if (!as_bricks_)
  {
    text << " (steps held: " << held_.size() << ")";
  }
  return text.str();
}

} // namespace rivulet
