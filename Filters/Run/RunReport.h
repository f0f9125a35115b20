// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Report of a filter after a run: statistics in the field data, the first read error, and warnings about an early end.
///
///     combine(ranks, report);                    // collective
///     add_report(report, *output->GetFieldData());
///     report_data_error(filter, ranks, error);   // collective
///
/// Threads: the one that called RequestData.
#pragma once

#include "Filters/Run/FieldRun.h"
#include "Pipeline/Ranks.h"
#include "Store/Source/SourceStatistics.h"
#include "Trace/Streamlines.h"

#include <functional>
#include <optional>
#include <span>
#include <string>

class vtkAlgorithm;
class vtkDataSet;
class vtkFieldData;

namespace rivulet
{

struct RunReport
{
  SourceStatistics read;
  TraceStatistics trace;
  std::int64_t lines_finished = 0;       ///< number of lines that ended by themselves
  std::int64_t lines_cut = 0;            ///< number of lines that ended, or did not begin, because the run ended early
  std::int64_t lines_out_of_seconds = 0; ///< number of cut lines that Maximum Seconds ended
  bool out_of_seconds = false;           ///< Maximum Seconds ended the run between two calls
  std::int64_t lines_begun = 0;          ///< number of lines with a step
  std::int64_t lines_left_at_once = 0;   ///< number of lines whose first step left the domain, and was not taken
  std::int64_t lines_at_rest = 0;        ///< number of lines without a step because the flow is too slow there
  std::int64_t particles_lent = 0;       ///< number of particles that another rank advanced
  std::optional<DistributedStatistics> bricks_shared{}; ///< bricks that ranks read for each other; none: they do not
  FieldAccess access;                                   ///< access strategies on this rank
};

/// Counts the ends of lines of this rank, one for each direction of each seed that is inside.
void count_ends(std::span<const SeedFate> fates, RunReport& report);

/// Sums counts over ranks; takes the largest peak and the longest time.
void combine(const Ranks& ranks, RunReport& report);

/// Adds the arrays BytesRead to ParticlesLent, the field data that all Rivulet filters share; and where ranks read
/// bricks for each other, BricksFromRanks to RankLatency.
void add_report(const RunReport& report, vtkFieldData& output);

/// Adds a field data array of one number.
void add_count(const char* name, std::int64_t value, vtkFieldData& output);

/// Shows the error of the lowest rank with an error once. Returns whether there was one.
bool report_data_error(vtkAlgorithm& filter, const Ranks& ranks, const std::shared_ptr<const Error>& error);

/// Result of `work`, or an error if the system has no memory for it.
[[nodiscard]] Result<void> within_memory(const std::function<Result<void>()>& work);

/// Warns if no seed was inside, with the bounds of seeds and flows. `report` is the sum over all ranks.
void warn_if_all_outside(vtkAlgorithm& filter, const Ranks& ranks, const RunReport& report,
    std::span<const FlowInput> flows, vtkDataSet& seeds);

/// Warns if no line has a step, although seeds are inside. `report` is the sum over all ranks. `remedy`: against a
/// first step that leaves the domain.
void warn_if_no_steps(vtkAlgorithm& filter, const Ranks& ranks, const RunReport& report, const std::string& remedy);

/// Warns, once over all ranks, that lines end at the borders of blocks, and why.
void warn_if_apart(vtkAlgorithm& filter, const Ranks& ranks, const std::string& why);

/// Warns, once over all ranks, about input arrays without output.
void warn_of_left_out(vtkAlgorithm& filter, const Ranks& ranks, const std::vector<std::string>& left_out);

/// Warns, once over all ranks, about arrays that a time step does not have.
void warn_of_missing(vtkAlgorithm& filter, const Ranks& ranks, const std::vector<std::string>& missing);

/// Shows warnings, once over all ranks.
void warn_of(vtkAlgorithm& filter, const Ranks& ranks, const std::vector<Error>& warnings);

/// Advice in the warning of RunProgress after a stop.
inline constexpr const char* kRunAgain = "change a property and apply to run again";

/// "12 lines are finished, 28 are cut where they were (ReasonForTermination 9)".
[[nodiscard]] std::string describe_ends(const RunReport& report, Termination cut_by);

/// Warns once that Maximum Seconds ended a run. `left`: which part of the results is there.
void warn_of_seconds(vtkAlgorithm& filter, const Ranks& ranks, const std::string& left, double maximum_seconds);

/// Warns once if lines were cut after `maximum_seconds`. `report` is the sum over all ranks.
void warn_if_out_of_seconds(vtkAlgorithm& filter, const Ranks& ranks, const RunReport& report, double maximum_seconds);

} // namespace rivulet
