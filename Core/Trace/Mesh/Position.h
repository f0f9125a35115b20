// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Position of a particle on a mesh, as 40 bytes. Only the mesh knows their meaning (Mesh.h); workers, records and
/// messages copy them.
///
///     const Position at = CellPosition{ .fraction = { 0.5, 0, 0 }, .cell = { 1, 2, 3 } };
///     const auto place = at.as<CellPosition>();
///
/// Plain values.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace rivulet
{

class Position
{
public:
  static constexpr std::size_t kBytes = 40;

  /// All bytes 0.
  Position() = default;

  /// The bytes of a mesh's own type of positions.
  template <class Meaning>
  requires(!std::is_same_v<Meaning, Position>)
      Position(const Meaning& meaning) // NOLINT(google-explicit-constructor): such a value is a position
  {
    check<Meaning>();
    std::memcpy(bytes_.data(), &meaning, kBytes);
  }

  template <class Meaning>
  [[nodiscard]] Meaning as() const
  {
    check<Meaning>();
    Meaning meaning;
    std::memcpy(&meaning, bytes_.data(), kBytes);
    return meaning;
  }

private:
  template <class Meaning>
  static void check()
  {
    static_assert(sizeof(Meaning) == kBytes && std::is_trivially_copyable_v<Meaning>);
    static_assert(alignof(Meaning) <= alignof(double));
  }

  alignas(double) std::array<std::byte, kBytes> bytes_{};
};

} // namespace rivulet
