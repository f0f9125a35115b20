// SPDX-License-Identifier: BSD-3-Clause
#include "Trace/Advect/SavedMarch.h"

#include "Trace/Mesh/CellPosition.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet
{

namespace
{

static_assert(std::endian::native == std::endian::little, "states are written as they lie in memory");

constexpr std::string_view kMagic = "RVMARCH1"; ///< with the version

struct Header
{
  std::array<char, 8> magic{};
  std::uint64_t identity = 0;
  std::int64_t step = 0;
  double time = 0.0;
  std::uint64_t particles = 0;
  std::uint64_t released = 0;
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Header) == 56, "no padding");

std::uint64_t checksum_of(Header header, std::span<const std::byte> particles)
{
  header.checksum = 0;
  return XXH3_64bits_withSeed(particles.data(), particles.size(), XXH3_64bits(&header, sizeof header));
}

bool is_within(const SavedParticle& particle, const Int3& cells)
{
  const auto place = particle.place.as<CellPosition>();
  bool within = place.level == 0;
  for (std::size_t axis = 0; axis < 3; ++axis)
  {
    within = within && place.cell[axis] >= 0 && place.cell[axis] < cells[axis] && place.fraction[axis] >= 0.0 &&
             place.fraction[axis] <= 1.0;
  }
  return within;
}

/// The numbers by which a run judges its steps.
bool are_sound(const SavedParticle& particle)
{
  return particle.next_step >= 0.0 && particle.length >= 0.0 && std::isfinite(particle.time) &&
         !std::isnan(particle.last_time) && !std::isnan(particle.speed) && particle.steps >= 0 &&
         (particle.way == 1 || particle.way == -1);
}

} // namespace

SavedParticle SavedParticle::of(const ParticleState& state)
{
  SavedParticle saved;
  if (state.task < 0)
  {
    return saved;
  }
  saved.place = state.base;
  saved.next_step = state.next_step;
  saved.length = state.length;
  saved.time = state.time;
  saved.last_time = state.last_time;
  saved.speed = state.speed;
  saved.steps = state.steps;
  saved.sides = state.sides;
  saved.recorded_time = state.path.time;
  saved.rotation = state.path.rotation;
  saved.angular_velocity = state.path.angular_velocity;
  saved.point = state.path.point;
  saved.way = state.sign > 0.0 ? 1 : -1;
  return saved;
}

ParticleState SavedParticle::state(std::int64_t id) const
{
  ParticleState state;
  if (way == 0)
  {
    return state;
  }
  state.base = place;
  state.trial = place; // a step of no length, as ParticleMarch has it between runs
  state.sign = way;
  state.next_step = next_step;
  state.length = length;
  state.time = time;
  state.trial_time = time;
  state.last_time = last_time;
  state.speed = speed;
  state.started = true;
  state.sides = sides;
  state.steps = steps;
  state.task = id;
  state.path.time = recorded_time;
  state.path.rotation = rotation;
  state.path.angular_velocity = angular_velocity;
  state.path.point = point;
  return state;
}

std::uint64_t identity_of(std::string_view bytes)
{
  return XXH3_64bits(bytes.data(), bytes.size());
}

std::int64_t bytes_of_march(std::int64_t particles)
{
  return static_cast<std::int64_t>(sizeof(Header)) + particles * static_cast<std::int64_t>(sizeof(SavedParticle));
}

std::vector<std::byte> pack_march(const SavedMarch& march)
{
  std::vector<std::byte> bytes(static_cast<std::size_t>(bytes_of_march(std::ssize(march.particles))));
  const std::span<std::byte> particles = std::span(bytes).subspan(sizeof(Header));
  if (!particles.empty())
  {
    std::memcpy(particles.data(), march.particles.data(), particles.size());
  }
  Header header{ .identity = march.identity,
    .step = march.step,
    .time = march.time,
    .particles = march.particles.size(),
    .released = march.released ? 1U : 0U };
  std::copy(kMagic.begin(), kMagic.end(), header.magic.begin());
  header.checksum = checksum_of(header, particles);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

Result<SavedMarch> unpack_march(std::span<const std::byte> bytes)
{
  Header header;
  if (bytes.size() < sizeof header)
  {
    return fail(ErrorCode::Truncated, "the file is too short for the state of particles");
  }
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::string_view magic(header.magic.data(), header.magic.size());
  if (magic.substr(0, kMagic.size() - 1) != kMagic.substr(0, kMagic.size() - 1))
  {
    return fail(ErrorCode::NotThisFormat, "the file is no state of particles");
  }
  if (magic != kMagic)
  {
    return fail(ErrorCode::OtherVersion, "another version has written the state of particles");
  }
  const std::span<const std::byte> particles = bytes.subspan(sizeof header);
  if (particles.size() % sizeof(SavedParticle) != 0 || particles.size() / sizeof(SavedParticle) != header.particles)
  {
    return fail(ErrorCode::Truncated, "the state of particles is cut short");
  }
  if (header.checksum != checksum_of(header, particles) || header.released > 1 || !std::isfinite(header.time))
  {
    return fail(ErrorCode::Corrupt, "the state of particles is damaged");
  }
  SavedMarch march{ header.identity, header.step, header.time, header.released == 1, {} };
  march.particles.resize(particles.size() / sizeof(SavedParticle));
  if (!particles.empty())
  {
    std::memcpy(march.particles.data(), particles.data(), particles.size());
  }
  return march;
}

Result<void> check_march(const SavedMarch& march, const Int3& cells)
{
  const bool sound = std::all_of(march.particles.begin(), march.particles.end(),
      [&](const SavedParticle& particle)
      { return particle.way == 0 || (march.released && are_sound(particle) && is_within(particle, cells)); });
  return sound ? Result<void>() : fail(ErrorCode::Corrupt, "the state of particles is damaged: some are in no cell");
}

} // namespace rivulet
