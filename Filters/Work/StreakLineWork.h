// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Work of vtkRivuletStreakLine: the particles of each seed, from release to release, connected to lines. Particles
/// released at the time of the frame end the lines at their seeds.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Filters/Work/PathlineWork.h"

#include <optional>
#include <vector>

namespace rivulet
{

class StreakLineWork final : public PathlineWork
{
public:
  using PathlineWork::PathlineWork;

  [[nodiscard]] WorkTraits read_settings() override;
  [[nodiscard]] Result<void> begin(FlowSteps& steps, bool again) override;
  [[nodiscard]] std::optional<NextIntervals> next() const override;
  [[nodiscard]] Result<void> go_on(const IntervalRange& part, const RunOptions& run) override;
  void fill(const UnsteadyPass& pass, const RunReport& report, vtkFieldData& facts) override;

private:
  [[nodiscard]] std::int64_t last_release() const;
  [[nodiscard]] bool releases_between() const;
  [[nodiscard]] std::vector<Vec3> heads() const;

  std::optional<TracedLines> heads_; ///< particles released at the time of the frame, which end the lines
};

} // namespace rivulet
