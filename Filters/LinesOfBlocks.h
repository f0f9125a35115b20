// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Streamlines through the flows of an input, one flow after the other: a seed outside one is tried in the next.
///
///     LinesOfBlocks lines(flows, seeds, settings);
///     Result<void> done = lines.begin();                  // refuses a budget that is too small
///     done = lines.trace(options, progress, 0.0);
///     lines.fill({ .velocity = "velocity" }, *poly_data);
///
/// Lines lie in the output flow by flow, and in the order of their seeds within one. Of the arrays of several flows
/// those come along that all have with the same components; of doubles where they differ in type.
///
/// Memory: each flow has the whole budget while lines go through it. Threads: the one that called RequestData.
/// Lifetime: within that of flows and seeds.
#pragma once

#include "Filters/FieldRun.h"
#include "Filters/LineOutput.h"
#include "Filters/RunReport.h"

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
  LinesOfBlocks(std::span<FlowInput> flows, std::span<const Vec3> seeds, const RunSettings& settings);

  /// Puts the settings in force for the first flow. Fails as FieldRun::begin() does.
  [[nodiscard]] Result<void> begin();

  /// Traces from every seed; `progress` as in RunOptions, over all flows. `maximum_seconds`: wall time; 0 = no limit.
  [[nodiscard]] Result<void> trace(
      const StreamlineOptions& options, const std::function<bool(double)>& progress, double maximum_seconds);

  /// One per seed.
  [[nodiscard]] const std::vector<SeedFate>& fates() const { return fates_; }
  /// What the run did on this rank.
  [[nodiscard]] const RunReport& report() const { return report_; }
  /// The first of what could not be read, if anything.
  [[nodiscard]] const std::shared_ptr<const Error>& data_error() const { return data_error_; }
  /// Arrays that do not come along: what to say of each.
  [[nodiscard]] const std::vector<std::string>& left_out() const { return left_out_; }

  /// The lines as vtkStreamTracer makes them; takes them out of this. Threads are those that traced.
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
  std::optional<FieldRun> reading_; ///< of the flow at hand
  int threads_ = 1;
  std::vector<std::size_t> left_; ///< seeds that were in no flow yet
  std::vector<SeedFate> fates_;
  std::vector<TracedLines> traced_; ///< one per flow
  RunReport report_;
  std::shared_ptr<const Error> data_error_;
  std::set<std::string> not_common_; ///< arrays that some flows do not have, or with other components
  std::set<std::string> mixed_;      ///< arrays of different types
  std::vector<std::string> left_out_;
};

} // namespace rivulet
