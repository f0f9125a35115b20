// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Source of the particles of a run. Workers take releases during the run, so that a source may hold all of them
/// (FixedSeeds.h), make them on demand (a lattice of any size), or choose new ones from the results of earlier ones.
///
/// Threads: any worker may call take() at any time, several at once.
#pragma once

#include "Base/Box.h"
#include "Trace/Mesh/Position.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace rivulet
{

struct ParticleState;

/// One particle before it starts, or before it goes on.
struct Release
{
  /// Brick of a place that was not located yet, and of one outside the field.
  static constexpr std::int64_t kNotLocated = -2;
  static constexpr std::int64_t kOutside = -1;

  std::int64_t id = 0;   ///< number given by the source, which the recorder gets back; 0 or more
  Vec3 point{ 0, 0, 0 }; ///< world
  double time = 0.0;     ///< without meaning in steady flow
  double sign = 1.0;     ///< 1 forward, -1 backward
  double end = std::numeric_limits<double>::infinity(); ///< as PathSeed::end
  std::int64_t brick = kNotLocated;
  Position at{}; ///< only if the brick is known
  /// State in which an earlier run paused the particle; nullptr: it starts. It goes on from this state, and of the
  /// other members only the id counts. Must live until the particle has ended or is paused.
  const ParticleState* paused = nullptr;
};

class ParticleSource
{
public:
  enum class Supply : std::uint8_t
  {
    More,  ///< there may be more now
    Wait,  ///< there may be more when an active particle has ended
    Later, ///< there may be more at any time
    None   ///< there are no more
  };

  ParticleSource() = default;
  ParticleSource(const ParticleSource&) = delete;
  ParticleSource& operator=(const ParticleSource&) = delete;
  virtual ~ParticleSource() = default;

  /// Appends about `most` releases to `to`, preferably close together on the storage. Throws std::bad_alloc.
  [[nodiscard]] virtual Supply take(std::int64_t most, std::vector<Release>& to) = 0;

  /// Number of all releases; an estimate if it is not known.
  [[nodiscard]] virtual std::int64_t expected() const = 0;

  /// Some of the releases, at most `most`, spread over all of them. Empty if they are not known.
  [[nodiscard]] virtual std::vector<Release> some(std::size_t most) const
  {
    (void)most;
    return {};
  }
};

/// At most `most` of `count` releases, at equal distances: release_of(0), ...
template <class ReleaseOf>
[[nodiscard]] std::vector<Release> spread_over(std::int64_t count, std::size_t most, const ReleaseOf& release_of)
{
  const std::int64_t named = std::min(count, static_cast<std::int64_t>(most));
  std::vector<Release> releases;
  releases.reserve(static_cast<std::size_t>(named));
  for (std::int64_t i = 0; i < named; ++i)
  {
    // Whole distances and rest apart, so that no product is larger than the count.
    releases.push_back(release_of(i * (count / named) + i * (count % named) / named));
  }
  return releases;
}

} // namespace rivulet
