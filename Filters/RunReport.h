// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What filters tell about a run when it is over: statistics in the field data, the first read error, a warning when
/// it ended early.
///
///     combine(ranks, report);                    // collective
///     add_report(report, *output->GetFieldData());
///     report_data_error(filter, ranks, error);   // collective
///
/// Threads: the one that called RequestData.
#pragma once

#include "Filters/FieldRun.h"
#include "Pipeline/Ranks.h"
#include "Store/SourceStatistics.h"
#include "Trace/Streamlines.h"

#include <functional>
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
  std::int64_t lines_finished = 0;       ///< ended for reasons of their own
  std::int64_t lines_cut = 0;            ///< ended, or not begun, because the run ended early
  std::int64_t lines_out_of_seconds = 0; ///< of these, after Maximum Seconds
  FieldAccess access;                    ///< of this rank
};

/// Counts the ends of lines of this rank: one for each seed inside and direction.
void count_ends(std::span<const SeedFate> fates, RunReport& report);

/// Sums over ranks; the largest peak and the longest time.
void combine(const Ranks& ranks, RunReport& report);

/// BytesRead ... SeedsOutside, the names that all of Rivulet's filters share.
void add_report(const RunReport& report, vtkFieldData& output);

/// One number of a filter's own.
void add_count(const char* name, std::int64_t value, vtkFieldData& output);

/// Shows the error of the lowest rank that met one, once. Whether there was one.
bool report_data_error(vtkAlgorithm& filter, const Ranks& ranks, const std::shared_ptr<const Error>& error);

/// What `work` answers; an error where the system has no memory for it.
[[nodiscard]] Result<void> within_memory(const std::function<Result<void>()>& work);

/// Warns if no seed was inside, with where seeds and flows are. `report` is that of all ranks.
void warn_if_all_outside(vtkAlgorithm& filter, const Ranks& ranks, const RunReport& report,
    std::span<const FlowInput> flows, vtkDataSet& seeds);

/// Warns, once over all ranks, that lines end at the borders of blocks, and why.
void warn_if_apart(vtkAlgorithm& filter, const Ranks& ranks, const std::string& why);

/// Warns, once over all ranks, of arrays that could not come along.
void warn_of_left_out(vtkAlgorithm& filter, const Ranks& ranks, const std::vector<std::string>& left_out);

/// How to run again after a stop, in RunProgress's warning.
inline constexpr const char* kRunAgain = "change a property and apply to run again";

/// "12 lines are finished, 28 are cut where they were (ReasonForTermination 9)".
[[nodiscard]] std::string describe_ends(const RunReport& report, Termination cut_by);

/// Warns once if lines were cut because the run had taken `maximum_seconds`. `report` is that of all ranks.
void warn_if_out_of_seconds(vtkAlgorithm& filter, const Ranks& ranks, const RunReport& report, double maximum_seconds);

} // namespace rivulet
