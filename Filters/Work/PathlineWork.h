// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Work of filters that follow the particles of seeds: which seeds and releases a request needs, and the lines so far,
/// which are kept from request to request (Trace/PathlineMarch.h). Filters derive from it to fill their outputs.
///
/// In both directions the lines before the releases are traced first, in a march of their own, and shown in each frame.
///
/// Ranks: each has the particles of a contiguous share of the seeds. Threads: the one that called RequestData.
#pragma once

#include "Filters/Output/PathOutput.h"
#include "Filters/Seeds/MovingSeeds.h"
#include "Filters/Seeds/ReleaseTimes.h"
#include "Filters/Work/FilterWork.h"
#include "Pipeline/Ranks.h"
#include "Trace/PathlineMarch.h"
#include "vtkImplicitFunction.h"
#include "vtkSmartPointer.h"

class vtkDataSet;

namespace rivulet
{

/// The user's choices.
struct PathlineSettings
{
  bool backward = false;
  bool both = false;        ///< forward up to the time of the frame, and back to the first time or the end of each line
  bool static_seeds = true; ///< whether all releases have the seeds of the first time, backward the last
  ReleaseChoice releases;
  double time = 0.0; ///< instead of the requested time; 0 = none
  double tail = 0.0; ///< duration that lines show; 0 = all of it
  bool paths = true; ///< whether paths are wanted, or particles alone
  bool has_surface = false;
  vtkSmartPointer<vtkImplicitFunction> end_function; ///< its change of sign is the surface, if has_surface
  bool goes_on_at_surface = false;                   ///< whether particles go on there, or end
  PathlineOptions options;
};

class PathlineWork : public FilterWork<PathlineSettings>
{
public:
  using FilterWork::FilterWork;

  [[nodiscard]] WorkTraits read_settings() override;
  [[nodiscard]] TimedInputs* other_inputs() override { return &seeds_; }
  [[nodiscard]] std::optional<NextIntervals> expected(const std::vector<double>& times, double time) const override;
  [[nodiscard]] Result<bool> prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same) override;
  [[nodiscard]] Result<void> begin(FlowSteps& steps, bool again) override;
  [[nodiscard]] std::optional<NextIntervals> next() const override;
  [[nodiscard]] Result<void> go_on(const IntervalRange& part, const RunOptions& run) override;
  [[nodiscard]] Result<WorkEnd> finish(RunReport& report, bool stopped) override;
  void warn(const UnsteadyPass& pass, const RunReport& report) override;

protected:
  [[nodiscard]] PathlineFrame& frame() { return *frame_; }
  [[nodiscard]] ReleaseTable table() const { return { lines_->seeds(), releases_, first_seed_ }; }
  [[nodiscard]] LineOutputOptions line_output() const;
  [[nodiscard]] const FlowSteps& steps() const { return *steps_; }
  /// Settings of the integration within intervals, up to the time of the frame if `to_frame`.
  [[nodiscard]] Result<AdvectionContext> context_for(const IntervalRange& part, bool to_frame) const;
  /// Time of the first release of all ranks, in the direction of time.
  [[nodiscard]] double begin_of_releases() const { return wanted_.first_release; }
  /// Whether seeds were at other places at one release than at another: where they are between two is not known.
  [[nodiscard]] bool seeds_move() const { return seeds_.move(); }
  /// Time of the frame.
  [[nodiscard]] double time() const { return time_; }

private:
  /// The particles that a request needs.
  struct Wanted
  {
    std::vector<PathSeed> particles; ///< of this rank
    double first_release = 0.0;      ///< of all ranks
    double last_release = 0.0;       ///< of all ranks, in both directions
    std::int64_t first_seed = 0;
    std::int64_t releases = 1;     ///< of each seed
    std::vector<Surface> surfaces; ///< that they cross, or at which they end
  };

  [[nodiscard]] Result<void> want(vtkDataSet& seeds, const std::vector<double>& times, const ReleaseChoice& releases);
  [[nodiscard]] bool serves(const std::vector<double>& times, bool grows);
  [[nodiscard]] std::unique_ptr<PathlineMarch> march_of(std::vector<PathSeed> particles, bool backward) const;
  [[nodiscard]] bool goes_back() const { return settings().both ? next_before().has_value() : settings().backward; }
  [[nodiscard]] std::optional<IntervalRange> next_before() const;
  [[nodiscard]] Result<void> add_half_before(RunReport& report);
  void leave_out_missing();
  void mark_cut(bool out_of_seconds);

  MovingSeeds seeds_;
  FlowSteps* steps_ = nullptr;
  Wanted wanted_;
  std::unique_ptr<PathlineMarch> lines_;
  std::unique_ptr<PathlineMarch> before_; ///< lines before their releases, in both directions
  std::int64_t first_seed_ = 0;
  std::int64_t releases_ = 1;
  double time_ = 0.0;
  std::int64_t intervals_ = 1;
  std::optional<PathlineFrame> frame_;
};

} // namespace rivulet
