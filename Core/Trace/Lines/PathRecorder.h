// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The recorder of paths: all points of each particle, in one store per worker, or its last point alone, and the reason
/// for its end. It may keep the crossings of surfaces, at some of which paths end.
#pragma once

#include "Trace/Advect/Recorder.h"

#include <memory>
#include <vector>

namespace rivulet
{

/// Result of one release.
struct TracedPath
{
  PointChain chain; ///< in the store of the worker that traced it; empty below least_points()
  Termination reason = Termination::None;
  double length = 0.0;
  double time = 0.0;
  std::int64_t steps = 0;
};

class PathRecorder final : public Recorder
{
public:
  /// For releases 0 ... count - 1. `share`: bytes of output for each byte of points. Paths of fewer than `least_points`
  /// are not kept. Throws std::bad_alloc.
  PathRecorder(std::size_t count, double share, std::int64_t least_points = 2)
    : paths_(count)
    , least_points_(least_points)
    , room_(std::make_shared<LineRoom>(share))
  {
  }

  /// Keeps the last point of each path alone: `least_points` is 1. Before the run.
  void keep_last_points() { last_points_only_ = true; }
  /// Keeps crossings of the surfaces, and ends paths where `ends` is set. Before the run. `surfaces`: at most
  /// CrossingLog::kMostSurfaces; must outlive the run.
  void watch(const std::vector<Surface>& surfaces) { surfaces_ = &surfaces; }

  void prepare(const AdvectionContext& context, int workers) override;
  [[nodiscard]] LineStore* store_of(int worker) override { return stores_[static_cast<std::size_t>(worker)].get(); }
  [[nodiscard]] CrossingLog* crossings_of(int worker) override
  {
    return logs_.empty() ? nullptr : logs_[static_cast<std::size_t>(worker)].get();
  }
  void ended(int worker, const Particle& particle) override;

  /// All crossings by release, then along its path. After the run. Throws std::bad_alloc.
  [[nodiscard]] std::vector<Crossing> crossings() const;

  [[nodiscard]] std::int64_t least_points() const { return least_points_; }
  [[nodiscard]] std::vector<TracedPath>& paths() { return paths_; }
  [[nodiscard]] const std::vector<TracedPath>& paths() const { return paths_; }

private:
  std::vector<TracedPath> paths_;
  std::int64_t least_points_;
  std::shared_ptr<LineRoom> room_;
  std::vector<std::unique_ptr<LineStore>> stores_; ///< own the chains of whole paths
  const std::vector<Surface>* surfaces_ = nullptr; ///< nullptr: there are none
  std::vector<std::unique_ptr<CrossingLog>> logs_; ///< one per worker, if there are surfaces
  bool last_points_only_ = false;
};

} // namespace rivulet
