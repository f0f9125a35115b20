// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The recorder of crossings: places and times where particles cross surfaces, and their end states.
#pragma once

#include "Trace/FlowMap/EndStates.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <vector>

namespace rivulet
{

class Crossings final : public Recorder
{
public:
  /// `ends`: one per release, by its id. Both arguments must outlive this object.
  Crossings(std::span<EndState> ends, const std::vector<Surface>& surfaces)
    : ends_(ends)
    , surfaces_(surfaces)
  {
  }

  void prepare(const AdvectionContext& context, int workers) override
  {
    ends_.prepare(context, workers);
    for (int i = 0; i < workers; ++i)
    {
      logs_.push_back(std::make_unique<CrossingLog>(surfaces_));
    }
  }
  [[nodiscard]] LineStore* store_of(int) override { return nullptr; }
  [[nodiscard]] CrossingLog* crossings_of(int worker) override { return logs_[static_cast<std::size_t>(worker)].get(); }
  void ended(int worker, const Particle& particle) override { ends_.ended(worker, particle); }

  /// All crossings by release, then along its path. Only after the run. Throws std::bad_alloc.
  [[nodiscard]] std::vector<Crossing> all() const
  {
    std::vector<Crossing> crossings;
    for (const std::unique_ptr<CrossingLog>& log : logs_)
    {
      crossings.insert(crossings.end(), log->crossings().begin(), log->crossings().end());
    }
    std::sort(crossings.begin(), crossings.end(),
        [](const Crossing& a, const Crossing& b)
        { return std::tie(a.id, a.length, a.surface) < std::tie(b.id, b.length, b.surface); });
    return crossings;
  }

private:
  EndStates ends_;
  const std::vector<Surface>& surfaces_;
  std::vector<std::unique_ptr<CrossingLog>> logs_; ///< one per worker
};

} // namespace rivulet
