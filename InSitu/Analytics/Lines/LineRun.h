// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A step of an analytics of lines, from the run of the tracer to the files: NAME-STEP.vtp, and their list
/// NAME.vtp.series.
///
///     LineRun run(host);
///     const auto lines_of_this_rank = [&]() -> Result<LineSet>
///     {
///       const Result<TracedLines> traced = run.trace([&](const RunOptions& options) { return trace_...(options); });
///       return traced ? lines_of(*traced, ...) : ...;
///     };
///     Result<LineSet> lines = run.gather(lines_of_this_rank);              // collective
///     return lines ? run.write(snapshot, *lines) : forward_error(lines);
///
/// Threads: the one that calls the analytics.
#pragma once

#include "Lines/FileSeries.h"
#include "Lines/LineSet.h"
#include "Plugin/StepFiles.h"
#include "Trace/Contract/RunOptions.h"

#include <functional>

namespace rivulet
{

class LineRun
{
public:
  explicit LineRun(const Host& host)
    : host_(host)
    , files_(host, ".vtp")
    , series_(host, host.name() + ".vtp.series")
  {
  }

  /// In create(). Fails on the first rank if an earlier run has left files that this one may not touch.
  [[nodiscard]] Result<void> check() const { return host_.first() ? files_.check() : Result<void>(); }

  /// Calls `trace` with options for the arena of analytics. Lines that a stop or missing values have cut are an error.
  [[nodiscard]] Result<TracedLines> trace(const std::function<Result<TracedLines>(const RunOptions& run)>& trace) const;

  /// Collective. Calls `lines` on each rank; the first one gets the lines of all. An error, or lack of memory, of one
  /// rank is an error of all.
  [[nodiscard]] Result<LineSet> gather(const std::function<Result<LineSet>()>& lines) const;

  /// Writes the lines of a step on the first rank; other ranks do nothing.
  [[nodiscard]] Result<void> write(const rivulet_snapshot& snapshot, const LineSet& lines);
  /// The step has the file of an earlier run, which stays, and is in the list. Files of later steps go, where the run
  /// replaces them. On the first rank.
  [[nodiscard]] Result<void> keep(const rivulet_snapshot& snapshot);
  /// The files on the first rank.
  [[nodiscard]] StepFiles& files() { return files_; }
  /// Whether the file of the last write() is whole, although the list may not have it yet.
  [[nodiscard]] bool has_file() const { return has_file_; }

private:
  [[nodiscard]] Result<void> add(
      const rivulet_snapshot& snapshot, const std::function<Result<void>(const std::string& path)>& make);

  Host host_;
  StepFiles files_;
  FileSeries series_;
  bool has_file_ = false;
};

} // namespace rivulet
