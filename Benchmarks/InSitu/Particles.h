// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Particles of a virtual simulation, and the proof that analytics saw them: a digest of all bytes of each step.
///
///     StepData data(20'000);
///     data.advance(step);
///     digests.push_back(digest_of(data.particles()));
///     ...
///     SeenSteps seen;                                  // analytics, in any thread or process
///     seen.add(step, digest_of(particles));
///     seen.write("seen.txt");
///     ...
///     std::string wrong = compare_with("seen.txt", digests);    // empty, or the first difference
#pragma once

#include "InSitu/Runtime/rivulet_insitu_data.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace rivulet::bench
{

class StepData
{
public:
  explicit StepData(std::int64_t count);
  StepData(const StepData&) = delete;
  StepData& operator=(const StepData&) = delete;

  /// New values everywhere.
  void advance(std::int64_t step);
  [[nodiscard]] const rivulet_particles& particles() const { return particles_; }

private:
  std::vector<std::int64_t> id_;
  std::vector<std::int32_t> type_;
  std::vector<double> values_; ///< x, y, z, vx, vy, vz, one after the other
  rivulet_particles particles_{};
};

/// XXH3 of the count and of all arrays that a StepData has.
[[nodiscard]] std::uint64_t digest_of(const rivulet_particles& particles);

/// Arrays of particles as pieces of memory, for those that copy them.
using Piece = std::pair<const void*, std::size_t>; ///< address, bytes
[[nodiscard]] std::vector<Piece> pieces_of(const rivulet_particles& particles);

/// The opposite: particles whose arrays lie one after the other. `memory` is aligned to 8 bytes.
[[nodiscard]] rivulet_particles particles_in(const void* memory, std::int64_t count);
[[nodiscard]] std::size_t bytes_for(std::int64_t count);

class SeenSteps
{
public:
  void add(std::int64_t step, std::uint64_t digest) { seen_.emplace_back(step, digest); }
  void write(const std::string& path) const;
  void clear() { seen_.clear(); }

private:
  std::vector<std::pair<std::int64_t, std::uint64_t>> seen_;
};

/// Steps 0, 1, ... must have been seen in order, each once, with the digest at its place.
[[nodiscard]] std::string compare_with(const std::string& path, const std::vector<std::uint64_t>& digests);

} // namespace rivulet::bench
