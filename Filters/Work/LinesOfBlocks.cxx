// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Work/LinesOfBlocks.h"

#include "Store/Derived/JoinedBricks.h"
#include "vtkAppendPolyData.h"
#include "vtkDoubleArray.h"
#include "vtkNew.h"
#include "vtkPointData.h"
#include "vtkPolyData.h"
#include "vtkSmartPointer.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <numeric>

namespace rivulet
{

namespace
{

constexpr double kShortestRun = 1e-6; ///< seconds; not 0, which means no limit

bool is_outside(const SeedFate& fate)
{
  return std::find(fate.reason.begin(), fate.reason.end(), Termination::SeedOutside) != fate.reason.end();
}

/// Replaces a point array by doubles, with the same values and attribute type.
void make_doubles(const std::string& name, vtkPolyData& part)
{
  vtkPointData& data = *part.GetPointData();
  int number = -1;
  vtkDataArray* array = data.GetArray(name.c_str(), number);
  if (array == nullptr || array->GetDataType() == VTK_DOUBLE)
  {
    return;
  }
  vtkNew<vtkDoubleArray> doubles;
  doubles->DeepCopy(array);
  doubles->SetName(name.c_str());
  const int use = data.IsArrayAnAttribute(number);
  data.AddArray(doubles); // replaces the array of this name
  if (use >= 0)
  {
    data.SetActiveAttribute(number, use);
  }
}

/// Appends only parts with points: the others add nothing but the names of their arrays.
void append(const std::vector<vtkSmartPointer<vtkPolyData>>& parts, vtkPolyData& output)
{
  std::vector<vtkPolyData*> some;
  for (const vtkSmartPointer<vtkPolyData>& part : parts)
  {
    if (part->GetNumberOfPoints() > 0)
    {
      some.push_back(part);
    }
  }
  if (some.size() <= 1)
  {
    output.ShallowCopy(some.empty() ? parts.front().Get() : some.front());
    return;
  }
  vtkNew<vtkAppendPolyData> all;
  std::for_each(some.begin(), some.end(), [&](vtkPolyData* part) { all->AddInputData(part); });
  all->Update();
  output.ShallowCopy(all->GetOutput());
}

} // namespace

LinesOfBlocks::LinesOfBlocks(
    std::span<FlowInput> flows, std::span<const Vec3> seeds, const RunSettings& settings, RunReport& report)
  : flows_(flows)
  , seeds_(seeds)
  , settings_(settings)
  , left_(seeds.size())
  , fates_(seeds.size())
  , report_(report)
{
  std::iota(left_.begin(), left_.end(), std::size_t{ 0 });
  find_left_out();
}

void LinesOfBlocks::find_left_out()
{
  std::map<std::string, std::set<int>> types;
  std::map<std::string, std::set<int>> components;
  std::map<std::string, std::size_t> flows_with;
  for (const FlowInput& flow : flows_)
  {
    left_out_.insert(left_out_.end(), flow.left_out().begin(), flow.left_out().end());
    for (vtkDataArray* array : flow.point_arrays())
    {
      types[array->GetName()].insert(array->GetDataType());
      components[array->GetName()].insert(array->GetNumberOfComponents());
      ++flows_with[array->GetName()];
    }
  }
  for (const auto& [name, of_array] : types)
  {
    if (components[name].size() > 1 || flows_with[name] < flows_.size())
    {
      not_common_.insert(name);
      left_out_.push_back("not all blocks have the same \"" + name + '"');
    }
    else if (of_array.size() > 1)
    {
      mixed_.insert(name);
    }
  }
}

/// Ranks that go from flow to flow at different times cannot share their bricks.
Result<void> LinesOfBlocks::begin()
{
  settings_.bricks = flows_.size() == 1 ? settings_.bricks : RankSession{};
  return begin(flows_.front());
}

Result<void> LinesOfBlocks::begin(FlowInput& flow)
{
  reading_.emplace(flow, settings_);
  Result<int> threads = reading_->begin();
  if (!threads)
  {
    return forward_error(threads);
  }
  threads_ = *threads;
  return {};
}

/// Restores the reader's settings before begin() of the next flow, and frees the bricks of this one.
void LinesOfBlocks::end(const FlowInput& flow)
{
  reading_.reset();
  for (const std::shared_ptr<JoinedBricks>& bricks : flow.joined_bricks())
  {
    bricks->set_memory_budget(1);
  }
}

void LinesOfBlocks::end()
{
  end(flows_.back());
}

Result<void> LinesOfBlocks::trace(const StreamlineOptions& options, const RunOptions& watched)
{
  const auto start = std::chrono::steady_clock::now();
  const auto count = static_cast<double>(flows_.size());
  for (std::size_t at = 0; at < flows_.size(); ++at)
  {
    if (Result<void> begun = at > 0 ? begin(flows_[at]) : Result<void>{}; !begun)
    {
      return begun;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    RunOptions run = watched;
    run.threads = threads_;
    run.most_particles = reading_->most_particles();
    run.maximum_seconds =
        watched.maximum_seconds > 0.0 ? std::max(watched.maximum_seconds - seconds, kShortestRun) : 0.0;
    run.progress = [&](double share)
    {
      return watched.progress((static_cast<double>(at) + share) / count);
    };
    if (Result<void> done = trace_in(flows_[at], options, run); !done)
    {
      return done;
    }
    if (at + 1 < flows_.size())
    {
      end(flows_[at]);
    }
  }
  report_.trace.seeds_outside = static_cast<std::int64_t>(left_.size());
  count_ends(fates_, report_);
  return {};
}

Result<void> LinesOfBlocks::trace_in(const FlowInput& flow, const StreamlineOptions& options, const RunOptions& run)
{
  std::vector<Vec3> some;
  if (left_.size() < seeds_.size())
  {
    some.reserve(left_.size());
    std::transform(
        left_.begin(), left_.end(), std::back_inserter(some), [&](std::size_t seed) { return seeds_[seed]; });
  }
  const std::span<const Vec3> seeds = left_.size() < seeds_.size() ? std::span<const Vec3>(some) : seeds_;
  Result<TracedLines> traced = trace_streamlines(flow.field(), seeds, options, run);
  if (!traced)
  {
    return forward_error(traced);
  }
  const std::int64_t peak = report_.read.peak_bytes;
  report_.read += reading_->statistics();
  report_.read.peak_bytes = std::max(peak, reading_->statistics().peak_bytes); // flows do not hold memory together
  if (traced_.empty())
  {
    report_.access = reading_->access();
  }
  take(std::move(*traced));
  return {};
}

/// Takes lines and fates. Replaces indices into left_ by numbers of seeds.
void LinesOfBlocks::take(TracedLines traced)
{
  for (TracedLine& line : traced.lines)
  {
    line.seed = static_cast<decltype(line.seed)>(left_[static_cast<std::size_t>(line.seed)]);
  }
  std::vector<std::size_t> outside;
  for (std::size_t i = 0; i < left_.size(); ++i)
  {
    fates_[left_[i]] = traced.seeds[i];
    if (is_outside(traced.seeds[i]))
    {
      outside.push_back(left_[i]);
    }
  }
  left_ = std::move(outside);
  report_.trace.integration_steps += traced.statistics.integration_steps;
  report_.trace.trace_seconds += traced.statistics.trace_seconds;
  report_.trace.stall_seconds += traced.statistics.stall_seconds;
  report_.trace.parked += traced.statistics.parked;
  data_error_ = data_error_ ? data_error_ : traced.data_error;
  traced_.push_back(std::move(traced));
}

void LinesOfBlocks::fill(LineOutputOptions options, vtkPolyData& output)
{
  options.threads = threads_;
  options.left_out = not_common_;
  std::vector<vtkSmartPointer<vtkPolyData>> parts;
  for (std::size_t at = 0; at < traced_.size(); ++at)
  {
    vtkPolyData& part = *parts.emplace_back(vtkSmartPointer<vtkPolyData>::New());
    fill_lines(traced_[at], flows_[at], options, part);
    std::for_each(mixed_.begin(), mixed_.end(), [&](const std::string& name) { make_doubles(name, part); });
  }
  append(parts, output);
}

} // namespace rivulet
