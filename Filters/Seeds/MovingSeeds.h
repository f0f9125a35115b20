// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Seeds that move: each release has their places at its time. Seeds without time steps stay, and so do seeds with an
/// array of release times.
///
///     seeds.set(choice);                   // at the beginning of a request
///     seeds.time(times), seeds.take(...)   // TimedInputs.h
///     particles_of(dataset, seeds.places(), ...)
///
/// Memory: the places at each release. Threads: the one that runs the pipeline.
#pragma once

#include "Filters/Seeds/ReleaseTimes.h"
#include "Filters/Seeds/TimedInputs.h"

#include <optional>

namespace rivulet
{

class MovingSeeds final : public TimedInputs
{
public:
  struct Choice
  {
    bool stay = true; ///< all releases have the places at the first time, backward the last
    bool backward = false;
    ReleaseChoice releases;
  };

  void set(Choice choice) { choice_ = std::move(choice); }

  [[nodiscard]] double time(const std::vector<double>& times) const override;
  [[nodiscard]] Result<bool> take(
      vtkInformationVector** ports, double frame, const std::vector<double>& times, bool anew) override;

  /// Places at each release; empty if the seeds stay.
  [[nodiscard]] const MovedSeeds& places() const { return places_; }
  /// Whether seeds were at other places at one release than at another: where they are between two is not known.
  [[nodiscard]] bool move() const;

private:
  [[nodiscard]] Result<void> keep_places(vtkDataSet& seeds);

  Choice choice_;
  std::vector<double> release_times_; ///< at which seeds are taken; empty: they stay
  MovedSeeds places_;                 ///< as many as were taken
  std::optional<double> asked_;       ///< time that the seeds' source was asked for
};

} // namespace rivulet
