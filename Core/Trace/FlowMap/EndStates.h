// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The recorder of end states: where, when and why each particle ended. Keeps nothing per step.
#pragma once

#include "Trace/Advect/Recorder.h"

#include <span>

namespace rivulet
{

struct EndState
{
  Vec3 point{ 0, 0, 0 }; ///< world; the last point of the particle's path
  double time = 0.0;     ///< time of the field; in steady flow since the release, negative backward
  double length = 0.0;   ///< length of the path, in world units
  std::int64_t steps = 0;
  Termination reason = Termination::None; ///< None: was not released
  bool estimated = false; ///< the point is interpolated between ends (AdaptiveMap.h), the length is not known
};

static_assert(sizeof(EndState) == 56, "FlowMap.h says how much memory a node takes");

class EndStates final : public Recorder
{
public:
  /// `ends`: one per release, by its id. Must outlive this object.
  explicit EndStates(std::span<EndState> ends)
    : ends_(ends)
  {
  }

  void prepare(const AdvectionContext& context, int) override { mesh_ = &context.mesh(); }
  [[nodiscard]] LineStore* store_of(int) override { return nullptr; }
  void ended(int, const Particle& particle) override
  {
    ends_[static_cast<std::size_t>(particle.task)] = { .point = particle.started ? mesh_->world(particle.base)
                                                                                 : particle.release,
      .time = particle.started ? particle.time : particle.trial_time,
      .length = particle.length,
      .steps = particle.steps,
      .reason = particle.reason };
  }

private:
  std::span<EndState> ends_;
  const Mesh* mesh_ = nullptr;
};

} // namespace rivulet
