// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The recorder of first entries into destinations, and of the number of particles that ended for each reason. Keeps
/// nothing of particles that arrive nowhere.
#pragma once

#include "Trace/Advect/ParticleMarch.h"
#include "Trace/Advect/Recorder.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

namespace rivulet
{

class HitRecorder final : public Recorder
{
public:
  /// One count for each Termination.
  using Ends = std::array<std::int64_t, 13>;

  /// `destinations`: negative inside; must outlive this object.
  explicit HitRecorder(const std::vector<Surface>& destinations)
    : destinations_(destinations)
  {
  }

  void prepare(const AdvectionContext& context, int workers) override
  {
    context_ = &context;
    for (int i = 0; i < workers; ++i)
    {
      shares_.push_back(std::make_unique<Share>(destinations_));
    }
  }
  [[nodiscard]] LineStore* store_of(int) override { return nullptr; }
  [[nodiscard]] CrossingLog* crossings_of(int worker) override { return &share_of(worker).entries; }
  void ended(int worker, const Particle& particle) override
  {
    if (particle.reason == Termination::SeedOutside)
    {
      share_of(worker).outside.push_back(particle.task);
    }
    else if (!ends_with_interval(*context_, particle))
    {
      ++share_of(worker).ends.at(static_cast<std::size_t>(particle.reason));
    }
  }
  void paused(int, const Particle&) override {}

  /// Calls take(crossing) for each entry, in any order. Only after the run.
  template <class Take>
  void for_each_entry(const Take& take) const
  {
    for (const std::unique_ptr<Share>& share : shares_)
    {
      for (const Crossing& entry : share->entries.crossings())
      {
        take(entry);
      }
    }
  }
  /// Calls take(id) for each release that was in a hidden cell, in any order. They have no end. Only after the run.
  template <class Take>
  void for_each_outside(const Take& take) const
  {
    for (const std::unique_ptr<Share>& share : shares_)
    {
      std::for_each(share->outside.begin(), share->outside.end(), take);
    }
  }
  /// Adds the number of particles that ended for each reason. Only after the run.
  void add_ends(Ends& to) const
  {
    for (const std::unique_ptr<Share>& share : shares_)
    {
      for (std::size_t reason = 0; reason < to.size(); ++reason)
      {
        to.at(reason) += share->ends.at(reason);
      }
    }
  }

private:
  /// Of one worker, on cache lines of its own.
  struct alignas(64) Share
  {
    explicit Share(const std::vector<Surface>& destinations)
      : entries(destinations, CrossingLog::Kept::FirstEntries)
    {
    }
    CrossingLog entries;
    Ends ends{};
    std::vector<std::int64_t> outside{};
  };

  [[nodiscard]] Share& share_of(int worker) { return *shares_[static_cast<std::size_t>(worker)]; }

  const std::vector<Surface>& destinations_;
  const AdvectionContext* context_ = nullptr;
  std::vector<std::unique_ptr<Share>> shares_;
};

} // namespace rivulet
