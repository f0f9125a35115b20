// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The time of a surface among the time steps of its field. Particles wait at the last step not after it, and go on
/// from there to the time.
#pragma once

#include "Trace/FlowSurface/SurfaceVertices.h"
#include "Trace/Kernel/AdvectionContext.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace rivulet
{

struct SurfaceMoment
{
  const std::vector<double>* times = nullptr; ///< of the field's steps; must outlive this object
  double time = 0.0;
  std::int32_t step = 0; ///< last one not after the time
  bool ahead = false;    ///< whether particles go on from that step to the time

  /// `time` lies within the times.
  [[nodiscard]] static SurfaceMoment at(const std::vector<double>& times, double time)
  {
    const auto after = std::upper_bound(times.begin(), times.end(), time);
    const auto step = static_cast<std::int32_t>(after - times.begin()) - 1;
    return { &times, time, step, step == 0 || time > times[static_cast<std::size_t>(step)] };
  }

  [[nodiscard]] double time_of(std::int32_t number) const { return (*times)[static_cast<std::size_t>(number)]; }
  /// The last interval that particles go through.
  [[nodiscard]] std::int32_t last_interval() const { return ahead ? step : step - 1; }
  [[nodiscard]] bool reached(const EndState& end) const
  {
    return end.reason == Termination::OutOfTime && end.time == time;
  }
  /// Whether a particle is released before the step, or at it if that is the time of the surface.
  [[nodiscard]] bool starts_before_step(const SurfaceSeed& seed) const
  {
    return seed.time < time_of(step) || (!ahead && seed.time == time_of(step));
  }
  [[nodiscard]] std::int32_t release_interval(const SurfaceSeed& seed) const
  {
    const std::int32_t interval = interval_in(*times, seed.time, 1.0);
    return starts_before_step(seed) ? std::min(interval, step - 1) : interval;
  }
  /// The interval in which a particle goes on.
  [[nodiscard]] std::int32_t first_interval(const SurfaceVertex& vertex) const
  {
    return vertex.step >= 0 ? vertex.step : release_interval(vertex.seed);
  }
};

} // namespace rivulet
