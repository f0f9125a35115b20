// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Where the particles of a run come from. Workers take releases while the run goes on, so that a source may hold all
/// of them (FixedSeeds.h), make them when they are asked for (a lattice of any size), or decide on new ones from what
/// became of earlier ones.
///
/// Threads: any worker may call take() at any time, several at once.
#pragma once

#include "Trace/Mesh/FieldMesh.h"

#include <cstdint>
#include <vector>

namespace rivulet
{

/// One particle before it starts.
struct Release
{
  /// The brick of a place that nobody has looked for yet, and that of one outside the field.
  static constexpr std::int64_t kNotLocated = -2;
  static constexpr std::int64_t kOutside = -1;

  std::int64_t id = 0;   ///< the source's own number, which the recorder gets back; 0 or more
  Vec3 point{ 0, 0, 0 }; ///< world
  double time = 0.0;     ///< of no meaning in steady flow
  double sign = 1.0;     ///< -1 backward
  std::int64_t brick = kNotLocated;
  CellPosition at{}; ///< where the brick is known
};

class ParticleSource
{
public:
  enum class Supply : std::uint8_t
  {
    More, ///< there may be more at once
    Wait, ///< there may be more when a particle that is on its way has ended
    None  ///< there are no more, ever
  };

  ParticleSource() = default;
  ParticleSource(const ParticleSource&) = delete;
  ParticleSource& operator=(const ParticleSource&) = delete;
  virtual ~ParticleSource() = default;

  /// Adds at most `most` releases to `to`, best those near each other on the storage. Throws std::bad_alloc.
  [[nodiscard]] virtual Supply take(std::int64_t most, std::vector<Release>& to) = 0;

  /// How many releases there are in all; an estimate where that is not known.
  [[nodiscard]] virtual std::int64_t expected() const = 0;

  /// Some of the bricks in which particles begin, at most `most`, spread over all. None if that is not known.
  [[nodiscard]] virtual std::vector<std::int64_t> first_bricks(std::size_t most) const
  {
    (void)most;
    return {};
  }
};

} // namespace rivulet
