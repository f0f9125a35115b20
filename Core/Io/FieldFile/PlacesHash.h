// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// A hash of the places of nodes, which tells whether a grid stays from step to step: XXH3-128 of their bytes. Grids
/// with one hash are taken for one.
///
///     PlacesHash hash;
///     hash.add(places.data(), places.size());
///     if (hash.value() == hash_of_the_step_before) ...
///
/// Threads: one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace rivulet
{

class PlacesHash
{
public:
  using Value = std::array<std::uint64_t, 2>;

  PlacesHash(); ///< throws std::bad_alloc
  PlacesHash(const PlacesHash&) = delete;
  PlacesHash& operator=(const PlacesHash&) = delete;
  ~PlacesHash();

  void add(const void* places, std::size_t bytes);
  [[nodiscard]] Value value() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace rivulet
