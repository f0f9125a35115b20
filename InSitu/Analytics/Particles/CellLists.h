// SPDX-License-Identifier: BSD-3-Clause
/// \file
/// Positions sorted by cells, so that particles in neighbouring cells lie in a few ranges of memory.
///
///     z            Rows of cells along x lie one after the other. The cells in which a particle of cell o has to look
///     | . . .      for others, so that each pair is seen once: the rest of its own cell and all cells n.
///     | n n n  (next layer)         n n n
///     | . o n  (this layer)         . o n
///     +------- x                    . . .
#pragma once

#include "Particles/PairSpace.h"

#include "Base/Buffer.h"

#include <vector>

namespace rivulet
{

/// Positions within the region: along axes that wrap they are moved into the domain.
struct SortedPositions
{
  Buffer<double> x;
  Buffer<double> y;
  Buffer<double> z;
};

/// The finite positions, in their order.
[[nodiscard]] SortedPositions finite_positions(
    const rivulet_particles& particles, const Positions& positions, const PairSpace& space);

class CellLists
{
public:
  /// Cells are at least `width` wide. There are at most as many as particles, or about so: particles that lie far from
  /// most others share the cells at the rim.
  CellLists(const Host& host, const rivulet_particles& particles, const Positions& positions, const PairSpace& space,
      double width);

  [[nodiscard]] const SortedPositions& positions() const { return sorted_; }
  [[nodiscard]] std::int64_t size() const { return static_cast<std::int64_t>(sorted_.x.size()); }

  /// Positions that one has to be compared with: a mean over all.
  [[nodiscard]] std::int64_t usual_neighbours() const;

  /// Calls range(begin, end) with ranges of positions that make up the neighbours of a position with a higher number or
  /// in a later cell; see the picture.
  template <class Range>
  void for_neighbours(std::int64_t position, const Range& range) const;

private:
  void choose_cells(const Positions& positions, const PairSpace& space, double width);
  [[nodiscard]] std::int32_t cell_along(std::size_t axis, double at) const;
  [[nodiscard]] std::int32_t cell_of(const Vec3& at) const;
  void sort(const Host& host, const rivulet_particles& particles, const PairSpace& space);
  template <class Range>
  void for_row(std::int32_t x, std::int32_t y, std::int32_t z, int first, const Range& range) const;

  Vec3 low_{};
  Vec3 per_cell_{}; ///< cells for each unit of length
  Int3 cells_{ 1, 1, 1 };
  std::array<bool, 3> wraps_{};
  std::vector<std::int64_t> begins_; ///< of each cell, and one more
  Buffer<std::int32_t> cell_of_;     ///< of each sorted position
  SortedPositions sorted_;
};

/// The cells from x + first to x + 1 of a row.
template <class Range>
void CellLists::for_row(std::int32_t x, std::int32_t y, std::int32_t z, int first, const Range& range) const
{
  const std::int64_t row = row_major({ 0, y, z }, cells_);
  const auto span = [&](std::int64_t from, std::int64_t to)
  {
    range(begins_[static_cast<std::size_t>(row + from)], begins_[static_cast<std::size_t>(row + to)]);
  };
  const std::int32_t from = x + first;
  const std::int32_t to = x + 2;
  span(std::max(from, 0), std::min(to, cells_[0]));
  if (wraps_[0] && cells_[0] > 1) // three cells at least
  {
    if (from < 0)
    {
      span(cells_[0] - 1, cells_[0]);
    }
    if (to > cells_[0])
    {
      span(0, 1);
    }
  }
}

template <class Range>
void CellLists::for_neighbours(std::int64_t position, const Range& range) const
{
  const std::int32_t own = cell_of_[static_cast<std::size_t>(position)];
  const Int3 at = from_row_major(own, cells_);
  range(position + 1, begins_[static_cast<std::size_t>(own) + 1]);
  for_row(at[0], at[1], at[2], 1, range);
  constexpr std::array<std::array<std::int32_t, 2>, 4> kRows{ { { 1, 0 }, { -1, 1 }, { 0, 1 }, { 1, 1 } } };
  for (const auto& [dy, dz] : kRows)
  {
    std::int32_t y = at[1] + dy;
    std::int32_t z = at[2] + dz;
    const auto inside = [](std::int32_t& index, std::int32_t count, bool wraps)
    {
      if (wraps && count > 1)
      {
        index = (index + count) % count;
      }
      return index >= 0 && index < count;
    };
    if (inside(y, cells_[1], wraps_[1]) && inside(z, cells_[2], wraps_[2]))
    {
      for_row(at[0], y, z, -1, range);
    }
  }
}

} // namespace rivulet
