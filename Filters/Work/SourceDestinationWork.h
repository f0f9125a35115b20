// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Work of vtkRivuletSourceDestination: first the hits, then the lines of the particles with hits.
///
/// Ranks: each follows a share of the particles, and traces a share of the lines; all know all hits. Threads: the one
/// that called RequestData.
#pragma once

#include "Filters/Output/HitOutput.h"
#include "Filters/Seeds/RegionInputs.h"
#include "Filters/Work/FilterWork.h"
#include "Pipeline/Ranks.h"
#include "Trace/PathlineMarch.h"
#include "Trace/SourceDestination.h"

#include <array>

namespace rivulet
{

/// The user's choices.
struct SourceDestinationSettings
{
  std::array<RegionChoice, 2> regions; ///< sources, destinations
  std::int64_t seeds = 4096;           ///< of a lattice around each source region
  double seed_spacing = 0.0;           ///< world units, instead of their number; 0: not used
  bool backward = false;
  double release_start = 0.0; ///< times beyond the data stand for their end; see vtkRivuletSourceDestination
  double release_end = 0.0;
  double release_interval = 0.0; ///< 0: one release
  bool end_at_first_hit = false;
  bool lines = true;
  int bins = 20; ///< of the histogram of durations
  PathlineOptions options;
};

class SourceDestinationWork final : public FilterWork<SourceDestinationSettings>, private TimedInputs
{
public:
  using FilterWork::FilterWork;

  [[nodiscard]] WorkTraits read_settings() override;
  [[nodiscard]] TimedInputs* other_inputs() override { return this; }
  [[nodiscard]] std::optional<NextIntervals> expected(const std::vector<double>& times, double time) const override;
  [[nodiscard]] Result<bool> prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same) override;
  [[nodiscard]] Result<void> begin(FlowSteps& steps, bool again) override;
  [[nodiscard]] std::optional<NextIntervals> next() const override;
  [[nodiscard]] Result<void> go_on(const IntervalRange& part, const RunOptions& run) override;
  [[nodiscard]] Result<WorkEnd> finish(RunReport& report, bool stopped) override;
  void fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts) override;
  void warn(const UnsteadyPass& pass, const RunReport& report) override;

private:
  [[nodiscard]] double time(const std::vector<double>& times) const override;
  [[nodiscard]] Result<bool> take(
      vtkInformationVector** ports, double frame, const std::vector<double>& times, bool anew) override;

  [[nodiscard]] bool backward() const { return settings().backward; }
  [[nodiscard]] double sign() const { return settings().backward ? -1.0 : 1.0; }
  [[nodiscard]] const FlowRegions& sources() const { return regions_[0].regions(); }
  [[nodiscard]] const FlowRegions& destinations() const { return regions_[1].regions(); }
  [[nodiscard]] Result<void> make_march();
  [[nodiscard]] Result<std::vector<SeedSet>> seeds() const;
  [[nodiscard]] std::array<double, 2> release_span(const std::vector<double>& times) const;
  [[nodiscard]] Result<std::vector<double>> release_times() const;
  [[nodiscard]] IntervalRange first_release_interval() const;
  [[nodiscard]] Result<void> join();
  void begin_lines();
  void fill_lines(vtkPolyData& output);

  FlowSteps* steps_ = nullptr;
  Ranks ranks_;
  vtkSmartPointer<vtkDataObject> field_; ///< input
  std::array<RegionInputs, 2> regions_;  ///< sources, destinations
  std::optional<double> surfaces_asked_;
  vtkMTimeType surfaces_time_ = 0;
  SourceDestinationQuery query_; ///< without regions
  std::optional<HitMarch> march_;
  bool joined_ = false;
  SourceDestinationResult result_; ///< of all ranks, once it is joined
  std::vector<HitGroup> groups_;   ///< of the lines of this rank
  std::unique_ptr<PathlineMarch> lines_;
  double lines_end_ = 0.0; ///< time of a step that all lines have ended before
  std::optional<PathlineFrame> frame_;
  TraceStatistics counted_;
  std::shared_ptr<const Error> error_;
};

} // namespace rivulet
