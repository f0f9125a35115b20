// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Work of vtkRivuletStreakSurface: streak, time and stream surfaces, and the arrays of the input at their points. The
/// particles are kept from request to request (Trace/FlowSurface.h).
///
/// Ranks: each has a share of the points; the surface is on the first. Threads: the one that called RequestData.
#pragma once

#include "Filters/Seeds/SeedShapes.h"
#include "Filters/Seeds/StillInputs.h"
#include "Filters/Steps/FrozenField.h"
#include "Filters/Work/FilterWork.h"
#include "Pipeline/Ranks.h"
#include "Trace/FlowSurface.h"
#include "Trace/FlowSurface/PointAttributes.h"

#include <limits>

class vtkDataSet;

namespace rivulet
{

class ParticleSharing;
struct StreakRelease;

/// The user's choices.
struct StreakSurfaceSettings
{
  enum class Kind : std::int32_t
  {
    Streak = 0,
    Time = 1,
    Stream = 2
  };
  Kind kind = Kind::Streak;
  double release_start = 0.0;    ///< a time before the data begin stands for their beginning
  double release_interval = 0.0; ///< 0: the mean time between time steps
  double stream_time = 1.0;
  int stream_rows = 16;
  int dense_level = 2;
  SurfaceCriteria criteria; ///< with lengths of 0 for the defaults
  PathlineOptions options;
};

class StreakSurfaceWork final : public FilterWork<StreakSurfaceSettings>, private TimedInputs
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
  using Kind = StreakSurfaceSettings::Kind;

  /// The seeds of a request.
  struct Seeds
  {
    std::vector<std::vector<Vec3>> curves;
    SeedMesh mesh;

    [[nodiscard]] bool operator==(const Seeds& other) const
    {
      return curves == other.curves && mesh.points == other.mesh.points && mesh.triangles == other.mesh.triangles;
    }
  };

  [[nodiscard]] double time(const std::vector<double>& times) const override;
  [[nodiscard]] Result<bool> take(
      vtkInformationVector** ports, double frame, const std::vector<double>& times, bool anew) override;

  [[nodiscard]] bool stream() const { return settings().kind == Kind::Stream; }
  [[nodiscard]] Result<void> check(vtkDataSet* seeds) const;
  [[nodiscard]] Result<void> want(vtkDataSet& seeds);
  [[nodiscard]] Result<void> make_march();
  [[nodiscard]] Result<std::unique_ptr<const SurfaceDomain>> domain() const;
  [[nodiscard]] StreakRelease release() const;
  [[nodiscard]] double column_spacing(const StreakRelease& release) const;
  [[nodiscard]] SurfaceCriteria criteria() const;
  [[nodiscard]] Result<void> exchange(
      Result<void> mine, std::span<EndState> ends, std::span<const std::size_t> offsets);
  [[nodiscard]] Result<AdvectionContext> context_for(const IntervalRange& part);
  [[nodiscard]] std::int32_t present_step() const;
  [[nodiscard]] std::int32_t present_interval() const;
  [[nodiscard]] double surface_time() const { return stream() ? settings().stream_time : time_; }
  /// Whether a simulation that runs has not come to the first release, or to its second step.
  [[nodiscard]] bool waits() const
  {
    return grows_ && march_ == nullptr && (time_ == times_.front() || time_ < settings().release_start);
  }

  FlowSteps* steps_ = nullptr;
  std::vector<double> times_; ///< of the input's steps
  double time_ = 0.0;
  double asked_for_ = std::numeric_limits<double>::quiet_NaN(); ///< step of a stream surface in march_
  StillInputs still_;                                           ///< seed curves that are released again and again
  std::optional<double> seeds_asked_;                           ///< none: at the first release
  Seeds wanted_;
  Seeds seeds_; ///< of the march
  Ranks ranks_;
  ParticleSharing* sharing_ = nullptr; ///< of the present go_on(); nullptr: there is one rank
  std::unique_ptr<FlowSurfaceMarch> march_;
  FrozenField frozen_; ///< of stream surfaces
  bool begun_ = false;
  bool grows_ = false; ///< while a simulation runs: the last of the times is still to come
  std::int64_t intervals_ = 1;
  std::optional<PointAttributes> attributes_; ///< at the points of the surface
};

} // namespace rivulet
