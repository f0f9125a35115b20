// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// What filters tell about a run when it is over: statistics in the field data, the first read error, a warning when
/// the user stopped it.
///
///     combine(ranks, report);                    // collective
///     add_report(report, *output->GetFieldData());
///     report_data_error(filter, ranks, error);   // collective
///
/// Threads: the one that called RequestData.
#pragma once

#include "Pipeline/Ranks.h"
#include "Store/BrickSource.h"
#include "Trace/Streamlines.h"

#include <functional>

class vtkAlgorithm;
class vtkDataSet;
class vtkFieldData;

namespace rivulet
{

struct RunReport
{
  SourceStatistics read;
  TraceStatistics trace;
};

/// Sums over ranks; the largest peak and the longest time.
void combine(const Ranks& ranks, RunReport& report);

/// BytesRead ... SeedsOutside, the names that all of Rivulet's filters share.
void add_report(const RunReport& report, vtkFieldData& output);

/// One number of a filter's own.
void add_count(const char* name, std::int64_t value, vtkFieldData& output);

/// Shows the error of the lowest rank that met one, once.
void report_data_error(vtkAlgorithm& filter, const Ranks& ranks, const std::shared_ptr<const Error>& error);

/// What `work` answers; an error where the system has no memory for it.
[[nodiscard]] Result<void> within_memory(const std::function<Result<void>()>& work);

/// Warns if no seed was inside, with where seeds and grid are. `report` is that of all ranks.
void warn_if_all_outside(
    vtkAlgorithm& filter, const Ranks& ranks, const RunReport& report, const Grid& grid, vtkDataSet& seeds);

/// After a run that was stopped: warns, and keeps the part of the output that is there, which the pipeline would throw
/// away.
void keep_what_is_there(vtkAlgorithm& filter);

} // namespace rivulet
