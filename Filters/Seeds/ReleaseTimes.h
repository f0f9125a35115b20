// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Times at which an unsteady filter releases particles, and the particles: one at each seed for each of them.
///
/// Threads: the one that called RequestData.
#pragma once

#include "Base/Result.h"
#include "Trace/Contract/PathSeed.h"
#include "vtkType.h"

#include <cstdint>
#include <string>
#include <vector>

class vtkDataSet;

namespace rivulet
{

/// Stand for the first and the last time of the field, whatever they are: 0 is an ordinary time.
inline constexpr double kFirstTime = VTK_DOUBLE_MIN;
inline constexpr double kLastTime = VTK_DOUBLE_MAX;

/// Whether a time is one of these.
[[nodiscard]] inline bool stands_for_end(double time)
{
  return time <= kFirstTime || time >= kLastTime;
}

/// Mean time between two steps; 1 if there is one.
[[nodiscard]] double mean_interval(const std::vector<double>& steps);

/// The user's choice of release times.
struct ReleaseChoice
{
  enum class Kind : std::int32_t
  {
    AtFirstStep = 0, ///< at the first time step, backward the last; and at every n-th after it
    Repeatedly = 1,
    AtTimes = 2,
    FromArray = 3
  };
  Kind kind = Kind::AtFirstStep;
  int every_nth = 0; ///< AtFirstStep: 0 = only once
  // Repeatedly:
  double start = kFirstTime;
  double end = kLastTime;
  double interval = 0.0; ///< 0: the mean time between two steps
  std::vector<double> times;
  std::string array; ///< point array of the seeds
};

/// Times from `start` to `end`, every `interval`, which is above 0. A time that rounding puts beyond the last of
/// `steps`, or before the first, is that.
[[nodiscard]] std::vector<double> repeated_times(
    double start, double end, double interval, const std::vector<double>& steps);

/// The release times of each seed; empty for FromArray. `steps`: times of the field's steps. Fails with BadArgument if
/// there are none.
[[nodiscard]] Result<std::vector<double>> release_times(
    const ReleaseChoice& choice, const std::vector<double>& steps, bool backward);

/// Places of seeds that move: [release][seed]. Empty: the seeds stay.
using MovedSeeds = std::vector<std::vector<Vec3>>;

/// Particles of the seeds `first` to `last` - 1, one seed after the other. `times` from release_times().
/// Fails with BadArgument if there are too many, or if the array of release times is not there.
[[nodiscard]] Result<std::vector<PathSeed>> particles_of(vtkDataSet& seeds, const MovedSeeds& moved,
    const std::vector<double>& times, const ReleaseChoice& choice, std::int64_t first, std::int64_t last);

/// The first release of all seeds in the direction of time, within the field's times; none if all are outside.
[[nodiscard]] Result<double> first_release(vtkDataSet& seeds, const std::vector<double>& times,
    const ReleaseChoice& choice, const std::vector<double>& steps, bool backward);

} // namespace rivulet
