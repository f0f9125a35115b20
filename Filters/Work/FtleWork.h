// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Work of vtkRivuletFTLE: the flow map, in chunks within one half of the memory budget. The values read have the other
/// half. A chunk goes through its intervals once, with adaptive sampling once for each pass of it.
///
/// While a simulation runs, all particles go on from step to step, in one chunk, through a window of time: from the
/// first step on, for Duration. The next window begins at the step at which the one before is complete.
///
/// Ranks: each has the piece that is requested of it; the first has all points of unstructured cells. Threads: the one
/// that called RequestData.
#pragma once

#include "Filters/Work/FilterWork.h"
#include "Filters/Work/FtleNodes.h"
#include "Trace/FlowMap/AdaptiveMap.h"
#include "Trace/FlowMap/ExponentChunks.h"
#include "vtkType.h"

#include <array>

class vtkInformation;

namespace rivulet
{

/// The user's choices.
struct FtleSettings
{
  bool backward = false;
  double duration = 0.0;          ///< 0: up to the end of the field's times
  bool box = false;               ///< lattice of a box instead of that of the field
  int refinement = 1;             ///< of the field's lattice
  std::array<double, 6> bounds{}; ///< of the box, see has_bounds() in OutputLattice.h
  std::array<int, 3> dimensions{};
  bool adaptive = false;
  SamplingRule sampling; ///< not checked; a tolerance of 0: all particles are traced
  bool keep_map = false; ///< whether ends and reasons are wanted
  PathlineOptions options;
  std::int64_t memory_budget = 0; ///< bytes; 0: the default
  vtkMTimeType changed = 0;       ///< MTime of the filter
};

class FtleWork final : public FilterWork<FtleSettings>
{
public:
  using FilterWork::FilterWork;

  [[nodiscard]] WorkTraits read_settings() override;
  [[nodiscard]] std::optional<NextIntervals> expected(const std::vector<double>& times, double time) const override;
  [[nodiscard]] Result<bool> prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same) override;
  [[nodiscard]] Result<void> begin(FlowSteps& steps, bool again) override;
  [[nodiscard]] std::optional<NextIntervals> next() const override;
  [[nodiscard]] Result<void> go_on(const IntervalRange& part, const RunOptions& run) override;
  [[nodiscard]] Result<WorkEnd> finish(RunReport& report, bool stopped) override;
  void fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts) override;
  void warn(const UnsteadyPass& pass, const RunReport& report) override;

private:
  /// The window of time of a simulation that runs.
  struct Window
  {
    Grid lattice;
    Box nodes;
    double start = 0.0;
    double reached = 0.0;   ///< time up to which particles have gone
    double now = 0.0;       ///< the present step
    double last = 0.0;      ///< time at which particles stop, as far as times are known
    bool complete = false;  ///< whether they have stopped there
    std::int64_t steps = 0; ///< of particles, in earlier requests
  };

  [[nodiscard]] bool backward() const { return settings().backward; }
  [[nodiscard]] Result<void> check_growth() const;
  [[nodiscard]] bool follow(const std::vector<double>& times, bool same);
  [[nodiscard]] Result<void> cut_window(std::int64_t bytes, const KeptOfNodes& kept);
  [[nodiscard]] FlowMapTimes times_for(const std::vector<double>& times, double requested) const;
  [[nodiscard]] Result<Grid> lattice(FtleNodes::Kind kind, vtkInformation& input) const;
  [[nodiscard]] Result<void> check_on_cells() const;
  [[nodiscard]] Result<void> cut_cells(std::int64_t bytes, const KeptOfNodes& kept);
  [[nodiscard]] const FlowInput& flow_at_start() const;
  /// Whether the input ends where the particles are released.
  [[nodiscard]] bool no_time_left() const { return when_.start == when_.end; }
  void warn_of_short_time();
  [[nodiscard]] Result<void> trace(const IntervalRange& part, const RunOptions& run);
  [[nodiscard]] Result<void> cut();
  [[nodiscard]] int passes() const { return sampling_ ? sampling_->passes() : 1; }
  [[nodiscard]] std::int64_t intervals() const;
  [[nodiscard]] Result<void> begin_pass(const AdvectionContext& context, int threads);
  void finish_pass(int threads);

  FlowSteps* steps_ = nullptr;
  FlowMapTimes when_;
  FtleNodes nodes_;
  std::optional<Window> window_;         ///< while a simulation runs
  std::optional<SamplingRule> sampling_; ///< none: all nodes are traced
  std::optional<ExponentChunks> chunks_;
  std::int64_t count_ = 0;              ///< of chunks, of the rank with most
  std::int64_t chunk_ = 0;              ///< the present one
  int pass_ = 0;                        ///< of the present chunk
  std::int32_t interval_ = 0;           ///< the next one of the present pass
  std::optional<AdaptiveMap> adaptive_; ///< of the present chunk
  std::vector<std::int64_t> chosen_;    ///< nodes that the present pass traces, with adaptive sampling
  std::optional<FlowMapMarch> march_;   ///< of the present pass
  std::int64_t particles_ = 0;          ///< traced so far
  int threads_ = 1;                     ///< of the last run
  vtkMTimeType warned_of_short_ = 0;    ///< MTime of the filter at the warning that its Duration is too long
  vtkMTimeType warned_of_none_ = 0;     ///< the same for the warning that there is no time left
  TraceStatistics counted_;
  std::shared_ptr<const Error> error_;
};

} // namespace rivulet
