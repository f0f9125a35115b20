// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Vertices of the surfaces of a march, each with the state in which its particle waits at a time step of the field. A
/// vertex is found by the key of its seed.
///
/// All functions throw std::bad_alloc. Threads: one.
#pragma once

#include "Trace/FlowMap/EndStates.h"
#include "Trace/FlowSurface/SurfaceDomain.h"
#include "Trace/Kernel/Particle.h"

#include <limits>
#include <unordered_map>
#include <vector>

namespace rivulet
{

struct SurfaceVertex
{
  SurfaceSeed seed;
  int rank = 0; ///< that traces it
  /// Time step at which its particle waits; -1: at its release.
  std::int32_t step = -1;
  /// First step that the particle is known not to reach.
  std::int32_t lost_at = std::numeric_limits<std::int32_t>::max();
  bool end_is_of_step = false; ///< whether `end` is that at `step`
  EndState end;                ///< the last one known
  std::int64_t state = -1;     ///< number of its state; -1: there is none on this rank
  std::int64_t used_by = 0;    ///< number of the last surface that used it
};

class SurfaceVertices
{
public:
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(vertices_.size()); }
  [[nodiscard]] SurfaceVertex& operator[](std::int64_t id) { return vertices_[static_cast<std::size_t>(id)]; }
  [[nodiscard]] const SurfaceVertex& operator[](std::int64_t id) const
  {
    return vertices_[static_cast<std::size_t>(id)];
  }

  /// The vertex of a seed; the seed's number, if it is new, is the size before.
  [[nodiscard]] std::int64_t find_or_add(const SurfaceSeed& seed)
  {
    const auto [found, added] = ids_.try_emplace(seed.key, size());
    if (added)
    {
      vertices_.emplace_back();
      vertices_.back().seed = seed;
    }
    return found->second;
  }

  /// -1: there is none.
  [[nodiscard]] std::int64_t find(const SurfaceSeed& seed) const
  {
    const auto found = ids_.find(seed.key);
    return found != ids_.end() ? found->second : -1;
  }

  /// The state at the vertex's step. Its task is -1 if the particle cannot go on.
  [[nodiscard]] const ParticleState& state_of(const SurfaceVertex& vertex) const
  {
    return states_[static_cast<std::size_t>(vertex.state)];
  }
  void keep_state(SurfaceVertex& vertex, const ParticleState& state)
  {
    if (vertex.state < 0)
    {
      states_.emplace_back();
      vertex.state = static_cast<std::int64_t>(states_.size()) - 1;
    }
    states_[static_cast<std::size_t>(vertex.state)] = state;
  }

  /// Drops the vertices of surfaces of one time. The others are numbered anew, in the same order.
  void drop_passing();

private:
  struct Hash
  {
    std::size_t operator()(const std::array<std::int64_t, 2>& key) const
    {
      constexpr std::uint64_t kOdd = 0x9e3779b97f4a7c15; // 2^64 / golden ratio
      std::uint64_t mixed = static_cast<std::uint64_t>(key[0]) * kOdd;
      mixed = (mixed ^ mixed >> 29 ^ static_cast<std::uint64_t>(key[1])) * kOdd;
      return static_cast<std::size_t>(mixed ^ mixed >> 32);
    }
  };

  std::vector<SurfaceVertex> vertices_;
  std::vector<ParticleState> states_;
  std::unordered_map<std::array<std::int64_t, 2>, std::int64_t, Hash> ids_;
};

} // namespace rivulet
