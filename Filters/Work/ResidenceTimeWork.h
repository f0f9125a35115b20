// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Work of vtkRivuletResidenceTime: the time that particles spend in regions, and their entries and exits.
///
/// Ranks: each follows a share of the seeds; the first one knows all results. Threads: the one that called RequestData.
#pragma once

#include "Filters/Seeds/RegionInputs.h"
#include "Filters/Work/FilterWork.h"
#include "Pipeline/Ranks.h"
#include "Trace/ResidenceTimes.h"

namespace rivulet
{

/// The user's choices.
struct ResidenceTimeSettings
{
  RegionChoice regions;
  bool backward = false;
  double duration = 0.0; ///< that particles go; 0: up to the end of the data
  PathlineOptions options;
};

class ResidenceTimeWork final : public FilterWork<ResidenceTimeSettings>, private TimedInputs
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

  [[nodiscard]] double sign() const { return settings().backward ? -1.0 : 1.0; }
  [[nodiscard]] double release_at(const std::vector<double>& times, double frame) const;
  /// Whether the data end where the particles are released.
  [[nodiscard]] bool no_time_left() const { return query_.start == query_.end; }
  void mark_cut(Termination reason);
  [[nodiscard]] Result<void> gather();

  FlowSteps* steps_ = nullptr;
  Ranks ranks_;
  RegionInputs regions_;
  vtkSmartPointer<vtkDataObject> field_; ///< input
  vtkSmartPointer<vtkDataSet> seeds_;
  std::optional<double> asked_; ///< time that the inputs beside the field were asked for
  vtkMTimeType inputs_time_ = 0;
  ResidenceQuery query_;
  std::optional<ResidenceMarch> march_;
  std::int32_t interval_ = 0; ///< the next one
  bool done_ = false;
  ResidenceTimes result_; ///< of all seeds, once it is done
};

} // namespace rivulet
