// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Streamlines through the flows of an input, one flow after the other. A seed outside one flow is tried in the next.
///
///     LinesOfBlocks lines(flows, seeds, settings, report);
///     Result<void> done = lines.begin();                  // refuses a budget that is too small
///     done = lines.trace(options, { .progress = progress });
///     lines.end();                                        // restores the reader's settings
///     lines.fill({ .velocity = "velocity" }, *poly_data);
///
/// The output has the lines flow by flow, and within a flow in the order of their seeds. It has the arrays that all
/// flows have with the same number of components, as doubles if their types differ.
///
/// Memory: each flow has the whole budget while lines are traced through it. Threads: the one that called RequestData.
/// Lifetime: flows, seeds and report must outlive it.
#pragma once

#include "Filters/Output/LineOutput.h"
#include "Filters/Run/FieldRun.h"
#include "Filters/Run/RunReport.h"

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace rivulet
{

class LinesOfBlocks
{
public:
  /// Adds the statistics of this rank, over all flows, to the report.
  LinesOfBlocks(
      std::span<FlowInput> flows, std::span<const Vec3> seeds, const RunSettings& settings, RunReport& report);

  /// Applies the settings to the first flow. Fails as FieldRun::begin() does.
  [[nodiscard]] Result<void> begin();

  /// Traces from every seed, once, after begin(). `run`: progress, which must be set, and limit of seconds, both for
  /// all flows together; threads and particles come from the settings.
  [[nodiscard]] Result<void> trace(const StreamlineOptions& options, const RunOptions& run);

  /// Ends the work on the fields, after trace(). Until then other ranks may ask for bricks.
  void end();

  /// See FieldRun::ranked(). Between begin() and end().
  [[nodiscard]] DistributedBricks* ranked() const { return reading_ ? reading_->ranked() : nullptr; }

  /// Parallel to the seeds.
  [[nodiscard]] const std::vector<SeedFate>& fates() const { return fates_; }
  /// First read error; nullptr if there was none.
  [[nodiscard]] const std::shared_ptr<const Error>& data_error() const { return data_error_; }
  /// Messages, one for each input array without output.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

  /// Moves the lines to `output`, with the arrays of vtkStreamTracer. Sets threads and left_out of the options.
  void fill(LineOutputOptions options, vtkPolyData& output);

private:
  [[nodiscard]] Result<void> begin(FlowInput& flow);
  void end(const FlowInput& flow);
  [[nodiscard]] Result<void> trace_in(const FlowInput& flow, const StreamlineOptions& options, const RunOptions& run);
  void take(TracedLines traced);
  void find_left_out();

  std::span<FlowInput> flows_;
  std::span<const Vec3> seeds_;
  RunSettings settings_;
  std::optional<FieldRun> reading_; ///< settings in force for the current flow
  int threads_ = 1;
  std::vector<std::size_t> left_; ///< numbers of the seeds outside all flows so far
  std::vector<SeedFate> fates_;
  std::vector<TracedLines> traced_; ///< one per flow
  RunReport& report_;
  std::shared_ptr<const Error> data_error_;
  std::set<std::string> not_common_; ///< arrays that some flows lack or have with other components
  std::set<std::string> mixed_;      ///< arrays whose types differ between flows
  std::vector<std::string> left_out_;
};

} // namespace rivulet
