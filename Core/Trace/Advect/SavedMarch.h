// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// The particles of a march (ParticleMarch.h) between two runs, as bytes with a checksum. A march in another process
/// goes on from them, with the same results to the last bit.
///
///     SavedMarch saved{ .identity = identity_of(seeds_and_options), .step = 120, .time = 0.25, .released = true };
///     saved.particles.push_back(SavedParticle::of(march.state(0)));
///     const std::vector<std::byte> bytes = pack_march(saved);
///
///     const Result<SavedMarch> read = unpack_march(bytes);
///     if (read && check_march(*read, grid.cells())) ParticleMarch march({ read->particles[0].state(0) });
///
/// Layout: the text "RVMARCH1", identity, step, time, number of particles, whether they are released, checksum (XXH3)
/// of all other bytes, eight bytes each; then the particles as they lie in memory. Numbers are little-endian.
///
/// No state; any thread.
#pragma once

#include "Base/Result.h"
#include "Trace/Kernel/Particle.h"

#include <array>
#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace rivulet
{

/// A particle at its last point, where the run before has left it.
struct SavedParticle
{
  Position place;
  double next_step = 0.0;
  double length = 0.0;
  double time = 0.0;
  double last_time = 0.0;
  double speed = 0.0;
  std::int64_t steps = 0;
  SurfaceSet sides = 0;
  double recorded_time = 0.0; ///< RecordedPath without its points
  double rotation = 0.0;
  double angular_velocity = 0.0;
  std::array<float, 3> point{ 0, 0, 0 };
  std::int32_t way = 0; ///< 1 forward, -1 backward; 0: it does not go on

  /// `state`: of a march after a run.
  [[nodiscard]] static SavedParticle of(const ParticleState& state);
  /// The same with another id, without the point of its release.
  [[nodiscard]] ParticleState state(std::int64_t id) const;
};
static_assert(sizeof(SavedParticle) == 136, "no padding");

struct SavedMarch
{
  std::uint64_t identity = 0; ///< of all that must be the same where the march goes on
  std::int64_t step = 0;
  double time = 0.0;
  bool released = false; ///< false: the march has not begun
  std::vector<SavedParticle> particles;
};

/// A number for bytes.
[[nodiscard]] std::uint64_t identity_of(std::string_view bytes);

/// Bytes of a file with so many particles.
[[nodiscard]] std::int64_t bytes_of_march(std::int64_t particles);

/// Throws std::bad_alloc.
[[nodiscard]] std::vector<std::byte> pack_march(const SavedMarch& march);
/// Fails with NotThisFormat, OtherVersion, Truncated or Corrupt. Throws std::bad_alloc.
[[nodiscard]] Result<SavedMarch> unpack_march(std::span<const std::byte> bytes);

/// Whether particles can be where they say on a uniform or rectilinear grid. Fails with Corrupt.
[[nodiscard]] Result<void> check_march(const SavedMarch& march, const Int3& cells);

} // namespace rivulet
