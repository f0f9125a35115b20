// SPDX-License-Identifier: BSD-3-Clause
#include "Filters/Run/RunReport.h"

#include "Pipeline/ErrorReport.h"
#include "Pipeline/GridConversion.h"
#include "vtkAlgorithm.h"
#include "vtkDataSet.h"
#include "vtkDoubleArray.h"
#include "vtkFieldData.h"
#include "vtkImageData.h"
#include "vtkNew.h"
#include "vtkRectilinearGrid.h"
#include "vtkTypeInt64Array.h"

#include <array>
#include <new>
#include <sstream>
#include <string>
#include <tuple>

namespace rivulet
{

namespace
{

std::string box_text(const double* bounds)
{
  std::ostringstream text;
  text << '[' << bounds[0] << ", " << bounds[1] << "] x [" << bounds[2] << ", " << bounds[3] << "] x [" << bounds[4]
       << ", " << bounds[5] << ']';
  return text.str();
}

/// Bounds of all flows together, as in VTK: x min, x max, y min, ...
std::array<double, 6> bounds_of(std::span<const FlowInput> flows)
{
  std::array<double, 6> all = bounds_of(flows.front().field().grid);
  for (const FlowInput& flow : flows)
  {
    const std::array<double, 6> one = bounds_of(flow.field().grid);
    for (std::size_t axis = 0; axis < 3; ++axis)
    {
      all[2 * axis] = std::min(all[2 * axis], one[2 * axis]);
      all[2 * axis + 1] = std::max(all[2 * axis + 1], one[2 * axis + 1]);
    }
  }
  return all;
}

/// RankLatency: component i counts bricks that came within 2^i microseconds, but not within half of that.
void add_shared(const DistributedStatistics& shared, vtkFieldData& output)
{
  add_count("BricksFromRanks", shared.received, output);
  add_count("BricksLate", shared.late, output);
  add_count("BricksRefused", shared.refused, output);
  add_count("RankMessages", shared.messages, output);
  add_count("RankMessageBytes", shared.bytes, output);
  vtkNew<vtkTypeInt64Array> latency;
  latency->SetName("RankLatency");
  latency->SetNumberOfComponents(static_cast<int>(shared.latency.size()));
  latency->SetNumberOfTuples(1);
  for (std::size_t i = 0; i < shared.latency.size(); ++i)
  {
    latency->SetTypedComponent(0, static_cast<int>(i), shared.latency.at(i));
  }
  output.AddArray(latency);
}

} // namespace

void count_ends(std::span<const SeedFate> fates, RunReport& report)
{
  for (const SeedFate& fate : fates)
  {
    for (std::size_t way = 0; way < fate.reason.size(); ++way)
    {
      const Termination reason = fate.reason.at(way);
      if (reason == Termination::None || reason == Termination::SeedOutside)
      {
        continue;
      }
      const bool out_of_seconds = reason == Termination::OutOfSeconds;
      const bool cut = out_of_seconds || reason == Termination::Cancelled;
      report.lines_finished += cut ? 0 : 1;
      report.lines_cut += cut ? 1 : 0;
      report.lines_out_of_seconds += out_of_seconds ? 1 : 0;
      const bool begun = fate.steps.at(way) > 0;
      report.lines_begun += begun ? 1 : 0;
      report.lines_left_at_once += !begun && reason == Termination::OutOfDomain ? 1 : 0;
      report.lines_at_rest += !begun && reason == Termination::Stagnation ? 1 : 0;
    }
  }
}

void combine(const Ranks& ranks, RunReport& report)
{
  SourceStatistics& read = report.read;
  TraceStatistics& trace = report.trace;
  std::array<std::int64_t, 15> sums{ read.bytes_read, read.bricks_read, read.cache_hits, read.cache_misses,
    trace.integration_steps, trace.seeds_outside, report.lines_finished, report.lines_cut, report.lines_out_of_seconds,
    report.particles_lent, read.bricks_prefetched, read.prefetched_used, report.lines_begun, report.lines_left_at_once,
    report.lines_at_rest };
  ranks.sum(sums);
  read.bytes_read = sums[0];
  read.bricks_read = sums[1];
  read.cache_hits = sums[2];
  read.cache_misses = sums[3];
  trace.integration_steps = sums[4];
  trace.seeds_outside = sums[5];
  report.lines_finished = sums[6];
  report.lines_cut = sums[7];
  report.lines_out_of_seconds = sums[8];
  report.particles_lent = sums[9];
  read.bricks_prefetched = sums[10];
  read.prefetched_used = sums[11];
  report.lines_begun = sums[12];
  report.lines_left_at_once = sums[13];
  report.lines_at_rest = sums[14];
  if (report.bricks_shared)
  {
    DistributedStatistics& shared = *report.bricks_shared;
    std::array<std::int64_t, 7> counts{ shared.asked, shared.received, shared.late, shared.refused, shared.served,
      shared.messages, shared.bytes };
    ranks.sum(counts);
    std::tie(shared.asked, shared.received, shared.late, shared.refused, shared.served, shared.messages, shared.bytes) =
        std::tuple_cat(counts);
    ranks.sum(shared.latency);
  }
  ranks.sum({ &read.bytes_from_local_cache, 1 });
  ranks.max({ &read.peak_bytes, 1 });
  ranks.max({ &trace.trace_seconds, 1 });
  trace.stall_seconds += read.stall_seconds;
  ranks.sum({ &trace.stall_seconds, 1 });
}

void add_count(const char* name, std::int64_t value, vtkFieldData& output)
{
  vtkNew<vtkTypeInt64Array> array;
  array->SetName(name);
  array->InsertNextValue(value);
  output.AddArray(array);
}

void add_report(const RunReport& report, vtkFieldData& output)
{
  const auto add_seconds = [&](const char* name, double value)
  {
    vtkNew<vtkDoubleArray> array;
    array->SetName(name);
    array->InsertNextValue(value);
    output.AddArray(array);
  };
  static constexpr int kArrays = 24; // more than there are: adding one by one takes longer than most runs from one seed
  output.AllocateArrays(kArrays);
  add_count("BytesRead", report.read.bytes_read, output);
  if (report.read.bytes_from_local_cache > 0)
  {
    add_count("BytesFromLocalCache", report.read.bytes_from_local_cache, output);
  }
  add_count("BricksRead", report.read.bricks_read, output);
  add_count("CacheHits", report.read.cache_hits, output);
  add_count("CacheMisses", report.read.cache_misses, output);
  add_count("BricksPrefetched", report.read.bricks_prefetched, output);
  add_count("PrefetchedUsed", report.read.prefetched_used, output);
  add_count("PeakBytes", report.read.peak_bytes, output);
  add_count("IntegrationSteps", report.trace.integration_steps, output);
  add_seconds("TraceSeconds", report.trace.trace_seconds);
  add_seconds("StallSeconds", report.trace.stall_seconds);
  add_count("SeedsOutside", report.trace.seeds_outside, output);
  add_count("ParticlesLent", report.particles_lent, output);
  if (report.bricks_shared)
  {
    add_shared(*report.bricks_shared, output);
  }
}

bool report_data_error(vtkAlgorithm& filter, const Ranks& ranks, const std::shared_ptr<const Error>& error)
{
  Result<void> mine;
  if (error)
  {
    mine = tl::unexpected(*error);
  }
  const Result<void> agreed = ranks.agree(std::move(mine));
  if (!agreed && ranks.rank() == 0)
  {
    (void)report_error(&filter, agreed.error());
  }
  return !agreed;
}

Result<void> within_memory(const std::function<Result<void>()>& work)
{
  try
  {
    return work();
  }
  catch (const std::bad_alloc&)
  {
    return fail(ErrorCode::BudgetTooSmall, "the system has no memory for the input or the output of the filter",
        "ask for fewer or shorter lines, or raise the limit of addresses (ulimit -v)");
  }
}

void warn_if_all_outside(vtkAlgorithm& filter, const Ranks& ranks, const RunReport& report,
    std::span<const FlowInput> flows, vtkDataSet& seeds)
{
  if (ranks.rank() != 0 || report.trace.seeds_outside != seeds.GetNumberOfPoints())
  {
    return;
  }
  Error outside;
  outside.code = ErrorCode::BadArgument;
  outside.what = "no lines, because all " + std::to_string(report.trace.seeds_outside) +
                 " seeds are outside the grid or in hidden cells: the seeds are in " + box_text(seeds.GetBounds()) +
                 ", the grid in " + box_text(bounds_of(flows).data());
  outside.remedy = "move the seeds into the grid";
  report_warning(&filter, outside);
}

void warn_if_no_steps(vtkAlgorithm& filter, const Ranks& ranks, const RunReport& report, const std::string& remedy)
{
  if (ranks.rank() != 0 || report.lines_begun > 0 || report.lines_left_at_once + report.lines_at_rest == 0)
  {
    return;
  }
  const bool left = report.lines_left_at_once > 0;
  Error none;
  none.code = ErrorCode::BadArgument;
  none.what = "no line has a step: from " + std::to_string(left ? report.lines_left_at_once : report.lines_at_rest) +
              " seeds inside the grid " +
              (left ? "the first step leaves it, or meets hidden cells" : "the flow is slower than Terminal Speed");
  none.remedy = left ? remedy : "move the seeds to where it moves, or lower Terminal Speed";
  report_warning(&filter, none);
}

void warn_of_left_out(vtkAlgorithm& filter, const Ranks& ranks, const std::vector<std::string>& left_out)
{
  if (ranks.rank() != 0 || left_out.empty())
  {
    return;
  }
  const std::size_t more = left_out.size() - 1;
  Error partial;
  partial.code = ErrorCode::NotFound;
  partial.what = "an array is not interpolated along the lines: " + left_out.front() +
                 (more > 0 ? "; nor are " + std::to_string(more) + " others" : "");
  partial.remedy = "untick arrays that some blocks do not have in the reader";
  report_warning(&filter, partial);
}

void warn_of_missing(vtkAlgorithm& filter, const Ranks& ranks, const std::vector<std::string>& missing)
{
  if (ranks.rank() != 0 || missing.empty())
  {
    return;
  }
  Error partial;
  partial.code = ErrorCode::NotFound;
  for (const std::string& each : missing)
  {
    partial.what += (partial.what.empty() ? "left out: " : "; ") + each;
  }
  partial.remedy = "untick them in the reader if they are not wanted, or write them at all times";
  report_warning(&filter, partial);
}

void warn_of(vtkAlgorithm& filter, const Ranks& ranks, const std::vector<Error>& warnings)
{
  for (const Error& warning : warnings)
  {
    if (ranks.rank() == 0)
    {
      report_warning(&filter, warning);
    }
  }
}

void warn_if_apart(vtkAlgorithm& filter, const Ranks& ranks, const std::string& why)
{
  if (ranks.rank() != 0 || why.empty())
  {
    return;
  }
  Error apart;
  apart.code = ErrorCode::BadArgument;
  apart.what = "the blocks of the input make no grid together, so that each is traced by itself: lines end at its "
               "border, and a seed in several blocks is of the first (" +
               why + ')';
  apart.remedy = "use Stream Tracer, which passes from block to block, or Resample To Image";
  report_warning(&filter, apart);
}

std::string describe_ends(const RunReport& report, Termination cut_by)
{
  std::ostringstream text;
  text << report.lines_finished << " lines are finished, " << report.lines_cut
       << " are cut where they were (ReasonForTermination " << static_cast<int>(cut_by) << ')';
  return text.str();
}

void warn_if_out_of_seconds(vtkAlgorithm& filter, const Ranks& ranks, const RunReport& report, double maximum_seconds)
{
  if (report.lines_out_of_seconds > 0)
  {
    warn_of_seconds(filter, ranks, describe_ends(report, Termination::OutOfSeconds), maximum_seconds);
  }
}

void warn_of_seconds(vtkAlgorithm& filter, const Ranks& ranks, const std::string& left, double maximum_seconds)
{
  if (ranks.rank() != 0)
  {
    return;
  }
  std::ostringstream text;
  text << "stopped after Maximum Seconds (" << maximum_seconds << "): " << left;
  Error late;
  late.code = ErrorCode::Cancelled;
  late.what = text.str();
  late.remedy = "raise Maximum Seconds, or ask for fewer or shorter lines";
  report_warning(&filter, late);
}

} // namespace rivulet
