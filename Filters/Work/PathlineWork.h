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
#include "Filters/Seeds/ReleaseTimes.h"
#include "Filters/Steps/UnsteadyWork.h"
#include "Pipeline/Ranks.h"
#include "Trace/PathlineMarch.h"

#include <algorithm>

class vtkDataSet;
class vtkImplicitFunction;

namespace rivulet
{

/// The user's choices. They are read at the beginning of each request.
struct PathlineSettings
{
  bool backward = false;
  bool both = false;        ///< forward up to the time of the frame, and back to the first time or the end of each line
  bool static_seeds = true; ///< whether the seeds of all releases are those of the first time
  ReleaseChoice releases;
  double time = 0.0; ///< instead of the requested time; 0 = none
  double tail = 0.0; ///< duration that lines show; 0 = all of it
  bool paths = true; ///< whether paths are wanted, or particles alone
  bool ends_at_function = false;
  vtkImplicitFunction* end_function = nullptr; ///< particles end where it changes its sign, if ends_at_function
  PathlineOptions options;
  RankPart part{}; ///< of the seeds
};

class PathlineWork : public UnsteadyWork
{
public:
  explicit PathlineWork(vtkAlgorithm& filter)
    : filter_(filter)
  {
  }

  [[nodiscard]] bool backward() const override;
  [[nodiscard]] double seeds_time(const std::vector<double>& times) const override;
  [[nodiscard]] Result<bool> take_seeds(const UnsteadyPass& pass, const std::vector<double>& times, bool anew) override;
  [[nodiscard]] std::optional<std::int32_t> first_interval(
      const std::vector<double>& times, double time) const override;
  [[nodiscard]] Result<void> check_growth() const override;
  [[nodiscard]] Result<bool> prepare(const UnsteadyPass& pass, const std::vector<double>& times, bool same) override;
  void begin(FlowSteps& steps, bool again) override;
  [[nodiscard]] std::optional<IntervalRange> next() const override;
  [[nodiscard]] std::int64_t intervals() const override { return intervals_; }
  [[nodiscard]] Result<void> go_on(const IntervalRange& part, const RunOptions& run) override;
  [[nodiscard]] Result<void> finish(RunReport& report, bool stopped) override;
  void warn(const UnsteadyPass& pass, const RunReport& report) override;
  [[nodiscard]] std::shared_ptr<const Error> data_error() const override { return frame_->lines.data_error; }
  [[nodiscard]] std::string doing() const override { return "tracing paths"; }
  [[nodiscard]] std::string left_after_stop(const RunReport& report) const override;

protected:
  /// The user's choices at present.
  [[nodiscard]] virtual PathlineSettings settings_now() const = 0;

  [[nodiscard]] PathlineFrame& frame() { return *frame_; }
  [[nodiscard]] ReleaseTable table() const { return { lines_->seeds(), releases_, first_seed_ }; }
  [[nodiscard]] const FlowSteps& steps() const { return *steps_; }
  /// Settings of the integration within intervals, up to the time of the frame if `to_frame`, in the direction of
  /// backward().
  [[nodiscard]] Result<AdvectionContext> context_for(const IntervalRange& part, bool to_frame) const;
  /// Time of the first release of all ranks, in the direction of time.
  [[nodiscard]] double begin_of_releases() const { return wanted_.first_release; }
  /// Whether seeds were at other places at one release than at another: where they are between two is not known.
  [[nodiscard]] bool seeds_move() const
  {
    return std::any_of(moved_.begin(), moved_.end(), [this](const auto& places) { return places != moved_.front(); });
  }
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
    std::vector<Surface> surfaces; ///< at which they end
  };

  [[nodiscard]] Result<void> keep_places(vtkDataSet& seeds);
  [[nodiscard]] Result<void> want(vtkDataSet& seeds, const std::vector<double>& times);
  [[nodiscard]] bool serves(const std::vector<double>& times, bool grows);
  [[nodiscard]] std::unique_ptr<PathlineMarch> march_of(std::vector<PathSeed> particles, bool backward) const;
  [[nodiscard]] std::optional<IntervalRange> next_before() const;
  [[nodiscard]] Result<void> add_half_before(RunReport& report);
  void leave_out_missing();
  void mark_cut(bool out_of_seconds);

  vtkAlgorithm& filter_;
  std::vector<double> seed_times_;    ///< of releases at which seeds are taken; empty: they stay
  MovedSeeds moved_;                  ///< as many as were taken
  std::optional<double> seeds_asked_; ///< time that the seeds' source was asked for
  FlowSteps* steps_ = nullptr;
  PathlineSettings settings_;
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
