// SPDX-License-Identifier: BSD-3-Clause
#include "Particles.h"

#include <fstream>
#include <numeric>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace rivulet::bench
{

namespace
{

constexpr std::size_t kValues = 6; // of each particle

std::size_t size_of(std::int64_t count)
{
  return static_cast<std::size_t>(count);
}

} // namespace

StepData::StepData(std::int64_t count)
  : id_(size_of(count))
  , type_(size_of(count))
  , values_(kValues * size_of(count))
{
  std::iota(id_.begin(), id_.end(), 0);
  const double* const first = values_.data();
  particles_ = { "virtual", count, id_.data(), type_.data(), first, first + count, first + 2 * count, first + 3 * count,
    first + 4 * count, first + 5 * count, 0, nullptr, { 0, 0, 0 }, { 1, 1, 1 }, { 1, 1, 1 } };
}

void StepData::advance(std::int64_t step)
{
  const double shift = static_cast<double>(step) * 0.125;
  for (std::size_t i = 0; i < values_.size(); ++i)
  {
    values_[i] = static_cast<double>(i) + shift;
  }
  std::fill(type_.begin(), type_.end(), static_cast<std::int32_t>(step));
}

std::vector<Piece> pieces_of(const rivulet_particles& particles)
{
  const std::size_t bytes = 8 * size_of(particles.count);
  return { { particles.id, bytes }, { particles.x, bytes }, { particles.y, bytes }, { particles.z, bytes },
    { particles.vx, bytes }, { particles.vy, bytes }, { particles.vz, bytes }, { particles.type, bytes / 2 } };
}

rivulet_particles particles_in(const void* memory, std::int64_t count)
{
  const auto* const id = static_cast<const std::int64_t*>(memory);
  const auto* const x = reinterpret_cast<const double*>(id + count);
  const auto* const type = reinterpret_cast<const std::int32_t*>(x + kValues * count);
  return { "virtual", count, id, type, x, x + count, x + 2 * count, x + 3 * count, x + 4 * count, x + 5 * count, 0,
    nullptr, { 0, 0, 0 }, { 1, 1, 1 }, { 1, 1, 1 } };
}

std::size_t bytes_for(std::int64_t count)
{
  return 60 * size_of(count);
}

std::uint64_t digest_of(const rivulet_particles& particles)
{
  XXH64_hash_t hash = static_cast<XXH64_hash_t>(particles.count);
  for (const auto& [address, bytes] : pieces_of(particles))
  {
    hash = XXH3_64bits_withSeed(address, bytes, hash);
  }
  return hash;
}

void SeenSteps::write(const std::string& path) const
{
  std::ofstream file(path);
  for (const auto& [step, digest] : seen_)
  {
    file << step << ' ' << digest << '\n';
  }
}

std::string compare_with(const std::string& path, const std::vector<std::uint64_t>& digests)
{
  std::ifstream file(path);
  for (std::size_t expected = 0; expected < digests.size(); ++expected)
  {
    std::size_t step = 0;
    std::uint64_t digest = 0;
    if (!(file >> step >> digest))
    {
      return path + ": analytics saw " + std::to_string(expected) + " of " + std::to_string(digests.size()) + " steps";
    }
    if (step != expected || digest != digests[expected])
    {
      return path + ": analytics saw other data than those of step " + std::to_string(expected);
    }
  }
  std::size_t more = 0;
  return file >> more ? path + ": analytics saw more steps than there were" : "";
}

} // namespace rivulet::bench
